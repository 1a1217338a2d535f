# SPDX-License-Identifier: MIT
"""Boxes to ask about next: drawn ones without a name, then suggested ones."""

from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.queries.by_region import NoWindowsError
from focal_photos.browser.operations.ranking.queries.described_boxes import described_boxes
from focal_photos.browser.operations.tagging.boxes import ask_boxes
from focal_photos.browser.operations.tagging.boxes.ask_boxes import _scores, ask_about_boxes
from focal_photos.browser.operations.tagging.boxes.suggest_boxes import SuggestedBox, suggest_boxes
from focal_photos.browser.operations.tagging.review.question_scope import QuestionScope
from tests.browser.operations.tagging.boxes.test_box_errors import name_boxes
from tests.browser.operations.tagging.boxes.test_suggest_boxes import PHOTOS
from tests.browser.operations.tagging.boxes.test_suggest_boxes import bare as bare
from tests.browser.operations.tagging.boxes.test_suggest_boxes import drawn as drawn


def unnamed(library: Library, *rows: int) -> list[Box]:
    """Remove the names of some boxes."""
    boxes = library.boxes.all()
    library.boxes.name([boxes[row].id for row in rows], None)
    return library.boxes.get(boxes[row].id for row in rows)


def test_one_box_of_each_kind_is_proposed_without_names(bare: Library) -> None:
    boxes = name_boxes(bare)
    unnamed(bare, *range(len(boxes)))
    found = finish(ask_about_boxes(bare, 2))
    kinds = {box.id: str(box.tag) for box in boxes}
    assert sorted(kinds[box_id] for box_id in box_ids_of(found)) == ["kind0", "kind1"]
    assert all(isinstance(box, Box) and box.tag is None for box in found.values())


def test_named_boxes_cover_similar_ones(bare: Library) -> None:
    boxes = name_boxes(bare)
    unnamed(bare, *range(4, len(boxes)))
    (first,) = box_ids_of(finish(ask_about_boxes(bare, 1)))
    assert {box.id: box.tag for box in boxes}[first] == "kind1"


def test_boxes_between_two_names_are_proposed_with_enough_names(bare: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = name_boxes(bare)
    monkeypatch.setattr(ask_boxes, "MIN_TAGGED", 12)
    # Half of the first kind has another name: these boxes could be either.
    bare.boxes.name([box.id for box in boxes[0:PHOTOS:2]], "left")
    ids = {box.id for box in unnamed(bare, 6, 7, 8, PHOTOS + 6, PHOTOS + 7, PHOTOS + 8)}
    assert set(box_ids_of(finish(ask_about_boxes(bare, 2)))) <= ids
    described = described_boxes(bare)
    asked = [row for row, box in enumerate(described.boxes) if box.id in ids]
    named = [row for row, box in enumerate(described.boxes) if box.tag]
    scores = _scores([described.boxes[row] for row in asked], described.rows[asked], described, named)
    assert scores is not None
    best = np.sort(scores, axis=1)
    between = np.array([described.boxes[row].id in {boxes[at].id for at in (6, 7, 8)} for row in asked])
    gaps = best[:, -1] - best[:, -2]
    assert gaps[between].max() < gaps[~between].min(), "these count more"


def test_unnamed_boxes_come_before_suggested_ones_within_the_scope(drawn: Library) -> None:
    (box,) = unnamed(drawn, 0)
    assert box_ids_of(finish(ask_about_boxes(drawn))) == [box.id]
    others = drawn.photos.ids()[drawn.photos.ids() != box.photo_id]
    found = finish(ask_about_boxes(drawn, scope=QuestionScope(others)))
    assert found
    assert all(isinstance(one, SuggestedBox) for one in found.values())
    assert {one.photo_id for one in found.values()} <= set(others.tolist())


def test_suggested_boxes_are_those_of_medium_confidence(drawn: Library) -> None:
    suggested = finish(suggest_boxes(drawn))
    found = finish(ask_about_boxes(drawn, 3))
    assert len(found) == 3
    assert not set(box_ids_of(found)) & {box.id for box in drawn.boxes.all()}
    asked = [box for box in found.values() if isinstance(box, SuggestedBox)]
    assert set(asked) <= set(suggested)
    doubt = np.abs(2 * np.array([one.confidence for one in suggested]) - 1)
    assert np.mean([abs(2 * one.confidence - 1) for one in asked]) < doubt.mean()
    assert finish(ask_about_boxes(drawn, 3)) == found, "the choice does not depend on chance"


def test_without_names_nothing_is_suggested(bare: Library) -> None:
    with pytest.raises(NothingToLearnError):
        finish(ask_about_boxes(bare))


def test_without_windows_there_is_no_question(library: Library) -> None:
    with pytest.raises(NoWindowsError):
        finish(ask_about_boxes(library))
