# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.session import Session
from tests.browser.models.conftest import Settle


def test_the_place_of_the_last_session_is_restored(session: Session, settle: Settle) -> None:
    navigator, trails = session.navigator, session.saved_trails
    photo_ids = session.grid.ids[:3].tolist()
    for photo_id in photo_ids:
        navigator.focus(photo_id)
        settle()
    navigator.back()
    settle()
    trails.keep_place()
    navigator.show_collection(Collection("tag:none"))
    settle()
    trails.restore_place()
    settle()
    assert [step.focal_id for step in navigator.trail.steps] == [None, *photo_ids]
    assert (navigator.trail.at, navigator.focal_id) == (2, photo_ids[1])
