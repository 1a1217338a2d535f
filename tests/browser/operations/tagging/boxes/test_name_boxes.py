# SPDX-License-Identifier: MIT
"""The likely name of a drawn box."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import UnknownPhotoError
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.tagging.boxes.exact_frames import exact_frames
from focal_photos.browser.operations.tagging.boxes.name_boxes import likely_name
from focal_photos.browser.operations.tagging.boxes.suggest_boxes import refine_boxes, suggest_boxes
from tests.browser.operations.tagging.boxes.test_suggest_boxes import DRAWN, PHOTOS, photo, region_of
from tests.browser.operations.tagging.boxes.test_suggest_boxes import bare as bare
from tests.browser.operations.tagging.boxes.test_suggest_boxes import drawn as drawn


@pytest.mark.parametrize("exactly", [False, True])
def test_a_drawn_box_gets_the_name_of_boxes_that_look_alike(drawn: Library, *, exactly: bool) -> None:
    if exactly:
        finish(refine_boxes(drawn, finish(suggest_boxes(drawn))[:1]))
    assert bool(exact_frames(drawn).parts) == exactly
    names = {
        (kind, number): finish(likely_name(drawn, photo(drawn, f"{kind}-{number}.png"), region_of(number)))
        for kind in (0, 1)
        for number in range(DRAWN, PHOTOS)
    }
    assert sum(name == f"kind{kind}" for (kind, _), name in names.items()) >= len(names) - 1


def test_a_photo_that_has_left_has_no_likely_name(drawn: Library) -> None:
    with pytest.raises(UnknownPhotoError):
        finish(likely_name(drawn, 10_000, region_of(0)))


def test_the_only_name_needs_no_comparison(bare: Library) -> None:
    with pytest.raises(NothingToLearnError):
        finish(likely_name(bare, photo(bare, "0-0.png"), region_of(0)))
    bare.boxes.add([(photo(bare, "0-1.png"), region_of(1), "kind0")])
    assert finish(likely_name(bare, photo(bare, "1-0.png"), region_of(0))) == "kind0"
