# SPDX-License-Identifier: MIT
"""The list of open suggestions: an answer removes rows before the library has confirmed it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.tiles import fetch_cards
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.tagging.suggestion_model import SuggestionModel, SuggestionRow

SEA, SKY, DOG = "sea", "sky", "dog"


@pytest.fixture
def session(qtbot: QtBot, library_folder: Path) -> Iterator[Session]:
    session = Session(Library.open(library_folder))  # it reads nothing automatically
    yield session
    session.close()


@pytest.fixture
def model(session: Session) -> SuggestionModel:
    """Two photos that may show the sea, three the sky (the first two, and another), one a dog."""
    ids = session.library.photos.ids().tolist()
    cards = fetch_cards(session.library, ids[:3])

    def row(tag: str, *photos: int) -> SuggestionRow:
        surest = Suggestion(photos[0], tag, 0.5, SuggestionState.OPEN, ())
        return SuggestionRow(surest, cards[photos[0]], (), photos, 3, False)

    session.tagging.suggestions.show_rows([row(SEA, *ids[:2]), row(SKY, *ids[:3]), row(DOG, ids[2])])
    return session.tagging.suggestions


def tags(model: SuggestionModel) -> list[str]:
    return [model.row(row).suggestion.tag for row in range(model.rowCount())]


def test_a_row_disappears_once_all_its_photos_are_answered(model: SuggestionModel, session: Session) -> None:
    first, second, third = session.library.photos.ids().tolist()[:3]
    removed: list[tuple[int, int]] = []
    model.rowsRemoved.connect(lambda _, start, end: removed.append((start, end)))
    model.take([(first, SEA)])
    assert tags(model) == [SEA, SKY, DOG], "the second photo is still open"
    model.take([(first, SEA), (second, SKY), (third, SEA)])
    assert tags(model) == [SEA, SKY, DOG], "the second photo is still open for this tag"
    model.take([])
    assert removed == []
    model.take([(third, DOG), (first, SEA), (second, SEA), (first, DOG), (first, "none")])
    assert tags(model) == [SKY]
    assert removed == [(2, 2), (0, 0)], "rows are removed from the end, so that earlier numbers stay valid"
    model.take([(third, SKY), (second, SKY), (first, SKY)])
    assert (tags(model), model.rowCount()) == ([], 0)
    assert not model.index(0).isValid()
    assert model.rowCount(QModelIndex()) == 0


def test_unchanged_rows_are_not_rebuilt(model: SuggestionModel) -> None:
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    rows = [model.row(row) for row in range(3)]
    model.show_rows(rows)
    assert resets == []
    model.show_rows(rows[:2])
    assert len(resets) == 1
    assert tags(model) == [SEA, SKY]
