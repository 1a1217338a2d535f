# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.session import Session
from tests.browser.models.conftest import Settle


def test_a_drawn_box_is_pending_until_it_is_saved(session: Session, settle: Settle) -> None:
    boxes, region = session.tagging.boxes, Region(0.1, 0.2, 0.5, 0.6)
    boxes.view(session.grid.photo_id(0))
    settle()
    boxes.draw(region, names=False)
    assert list(boxes.pending) == [region]
    settle()
    assert not boxes.pending
    assert [box.region for box in boxes.boxes] == [region]


def test_tags_of_boxes_are_offered_the_last_used_one_first(session: Session, settle: Settle) -> None:
    photo = session.grid.photo_id(0)
    for tag in ("dog", "cat", "bird"):
        session.library.boxes.add([(photo, Region(0.0, 0.0, 0.5, 0.5), tag)])
    (dog,) = (box.id for box in session.library.boxes.all() if box.tag == "dog")
    session.library.boxes.move(dog, Region(0.5, 0.5, 1.0, 1.0))
    session.tagging.boxes.start()
    settle()
    assert session.tagging.boxes.recent == ["dog", "bird", "cat"]
