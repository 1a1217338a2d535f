# SPDX-License-Identifier: MIT
"""Boxes whose names are probably wrong: found among other boxes, corrected, and kept."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.queries.described_boxes import described_boxes
from focal_photos.browser.operations.tagging.boxes.box_errors import MIN_PROBABILITY, find_box_errors
from focal_photos.browser.operations.tagging.label_errors import LabelErrorKind, correct, keep
from tests.browser.operations.tagging.boxes.test_suggest_boxes import KINDS, PHOTOS, photo, region_of
from tests.browser.operations.tagging.boxes.test_suggest_boxes import bare as bare


def name_boxes(library: Library, wrong: int | None = None) -> list[Box]:
    """Draw a box around every thing, named by its kind; that of photo `wrong` of kind 0 is named kind 1."""
    library.boxes.add(
        (photo(library, f"{kind}-{number}.png"), region_of(number), f"kind{1 if number == wrong else kind}")
        for kind in range(KINDS)
        for number in range(PHOTOS)
    )
    return library.boxes.all()


def test_a_box_is_described_by_the_window_that_overlaps_most(bare: Library) -> None:
    boxes = name_boxes(bare)
    found = described_boxes(bare)
    assert found.boxes == boxes[::-1]
    assert found.items.tolist() == sorted(item_of(box.id) for box in boxes)
    near = found.rows @ found.rows.T
    kinds = [box.tag for box in found.boxes]
    alike = [one == other for one in kinds for other in kinds]
    assert near.ravel()[alike].mean() > near.ravel()[[not one for one in alike]].mean() + 0.3


@pytest.fixture
def wrong(bare: Library) -> Box:
    """Box of kind 0 that is named kind 1; all others are right."""
    return name_boxes(bare, 4)[4]


def test_a_wrong_name_is_listed_with_boxes_that_contradict_it(bare: Library, wrong: Box) -> None:
    (one,) = finish(find_box_errors(bare))
    assert (one.kind, one.photo_id, one.tag, one.instead) == (LabelErrorKind.TAG, item_of(wrong.id), "kind1", "kind0")
    assert one.probability > MIN_PROBABILITY
    supporters = bare.boxes.get(-item for item in one.supporters)
    assert len(supporters) == 5
    assert {box.tag for box in supporters} == {"kind0"}


def test_a_corrected_box_changes_the_tag_of_its_photo_and_is_not_listed_again(bare: Library, wrong: Box) -> None:
    (one,) = finish(find_box_errors(bare))
    assert correct(bare, one)
    assert [box.tag for box in bare.boxes.get([wrong.id])] == ["kind0"]
    assert bare.tags.of([wrong.photo_id])[wrong.photo_id] == ["kind0"]
    assert finish(find_box_errors(bare)) == ()
    bare.journal.undo()
    assert finish(find_box_errors(bare)) == (one,)


def test_a_kept_box_is_not_listed_again(bare: Library, wrong: Box) -> None:
    (one,) = finish(find_box_errors(bare))
    assert keep(bare, one)
    assert bare.confirmations.tags() == {(wrong.photo_id, "kind1")}
    assert finish(find_box_errors(bare)) == ()
    bare.journal.undo()
    assert finish(find_box_errors(bare)) == (one,)
    bare.boxes.remove([wrong.id])
    assert not keep(bare, one), "there is nothing to keep"


def test_right_names_one_name_and_no_boxes_are_not_listed(bare: Library) -> None:
    assert finish(find_box_errors(bare)) == ()
    boxes = name_boxes(bare)
    assert finish(find_box_errors(bare)) == ()
    bare.boxes.name([box.id for box in boxes], "thing")
    assert finish(find_box_errors(bare)) == ()


def test_two_names_of_a_place_do_not_contradict_each_other(bare: Library) -> None:
    boxes = name_boxes(bare)
    bare.boxes.add((box.photo_id, box.region, "thing") for box in boxes)
    assert finish(find_box_errors(bare)) == ()
