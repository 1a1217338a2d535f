# SPDX-License-Identifier: MIT
"""Answers to the photos of a question, as tiles are flipped and the line is moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.models.review.questions.tile_answers import TileAnswers
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader


@pytest.fixture
def tiles(qapp: QApplication) -> Iterator[TileAnswers]:
    """Return ten photos, of which the first is proposed as yes."""
    loader = ThumbnailLoader(lambda _id, _size: QImage(), threads=0)
    tiles = TileAnswers(GridModel(lambda _ids: {}, cast("Runner", None), loader))
    tiles.show(Answers(tuple(range(10, 20)), 1))
    yield tiles
    loader.close()


def test_the_photos_of_a_question_are_shown_before_its_answers(tiles: TileAnswers) -> None:
    signals: list[str] = []
    tiles.shown.connect(lambda: signals.append(f"shown {tiles.grid.rowCount()}"))
    tiles.changed.connect(lambda: signals.append("changed"))
    tiles.show(Answers((1, 2), 1))
    assert signals == ["shown 2", "changed"]


def test_tiles_outside_the_photos_are_not_flipped(tiles: TileAnswers) -> None:
    tiles.flip([-1, 2, 10])
    assert tiles.answers.yes == [10, 12]


def test_a_stroke_gives_all_photos_that_it_touches_the_new_answer_of_the_first(tiles: TileAnswers) -> None:
    tiles.flip([4])
    tiles.begin_stroke(2)
    for row in (3, 4, 7, 7, 9):
        tiles.continue_stroke(row)
    assert tiles.answers.yes == [10, 12, 13, 14, 17, 19]
    tiles.continue_stroke(7)
    assert tiles.answers.yes == [10, 12, 13, 14, 17], "going back restores the last photo"
    for row in (4, 3, 2):
        tiles.continue_stroke(row)
    assert tiles.answers.yes == [10, 12, 14], "photo 14 was yes before"
    tiles.continue_stroke(0)
    tiles.continue_stroke(99)
    assert tiles.answers.yes == [10, 12, 14]
    tiles.end_stroke()
    tiles.continue_stroke(8)
    assert tiles.answers.yes == [10, 12, 14]
    tiles.begin_stroke(2)
    tiles.continue_stroke(0)
    assert tiles.answers.yes == [14]


def test_a_stroke_that_crosses_itself_keeps_what_it_touched(tiles: TileAnswers) -> None:
    tiles.begin_stroke(2)
    for row in (3, 6, 5, 2, 1, 2):
        tiles.continue_stroke(row)
    assert tiles.answers.yes == [10, 12, 13, 15, 16]
    tiles.end_stroke()
    tiles.begin_stroke(99)
    tiles.continue_stroke(8)
    assert tiles.answers.yes == [10, 12, 13, 15, 16], "a place outside begins no stroke"


def test_a_stroke_ends_when_other_photos_arrive(tiles: TileAnswers) -> None:
    tiles.begin_stroke(2)
    tiles.show(Answers((30, 31, 32, 33), 0))
    tiles.continue_stroke(3)
    assert tiles.answers.yes == []


def test_changes_by_the_user_are_repeated_in_the_photos_that_are_left(tiles: TileAnswers) -> None:
    tiles.move_line(3)
    tiles.flip([0])
    tiles.flip([7])
    former = tiles.answers
    for line, yes in ((None, [17, 11]), (3, [17, 11])):
        tiles.show(Answers((17, 10, 11, 40), 3))
        tiles.adopt(former, line)
        assert tiles.answers.yes == yes
    tiles.show(Answers((40, 41, 10), 0))
    tiles.adopt(former, None)
    assert tiles.answers.yes == []
