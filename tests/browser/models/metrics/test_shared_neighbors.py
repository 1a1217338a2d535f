# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.metrics.shared_neighbors import MAX_SHOWN, SharedNeighbors
from tests.browser.catalog.albums import enter
from tests.browser.models.services import services


class Navigator(QObject):
    """Provides a focal image and a selection."""

    arranged = Signal()
    focal_id: int | None = None
    selected: tuple[int, ...] = ()


class Selection(QObject):
    """Rests when the test says so."""

    rested = Signal()


class Ranker:
    """Finds fixed photos near to any pair."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.asked: list[tuple[int, int]] = []

    def shared_neighbors(self, focal_id: int, photo_id: int, *, limit: int) -> NDArray[np.int64]:
        self.asked.append((focal_id, photo_id))
        if not self.ids:
            raise OSError("a file is damaged")
        return np.array(self.ids[:limit])


class Reads:
    """Collects queries and answers them when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []
        self.reported: list[Exception] = []

    def read(
        self,
        _channel: str,
        function: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], bool] = lambda _error: False,
        *,
        aside: bool = False,
    ) -> None:
        assert aside, "these photos are secondary: the grid comes first"

        def answer() -> None:
            try:
                found = function()
            except OSError as error:
                if not failed(error):
                    self.reported.append(error)
            else:
                done(found)

        self.waiting.append(answer)

    def answer(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()


class Parts:
    """The model, and stand-ins for its collaborators."""

    def __init__(self, library: Library, folder: Path) -> None:
        self.photos = enter(library, folder, [f"{number}.jpg" for number in range(8)])
        self.navigator, self.selection, self.ranker, self.reads = Navigator(), Selection(), Ranker(), Reads()
        self.ranker.ids = self.photos[2:]
        shared = services(library, ranker=self.ranker, runner=self.reads)
        self.model = SharedNeighbors(shared, self.navigator, self.selection)  # type: ignore[arg-type]
        self.changes = 0
        self.model.changed.connect(self._count)

    def _count(self) -> None:
        self.changes += 1

    def select(self, focal: int | None, *photos: int) -> None:
        """Select photos by their number."""
        self.navigator.focal_id = None if focal is None else self.photos[focal]
        self.navigator.selected = tuple(self.photos[photo] for photo in photos)
        self.selection.rested.emit()

    @property
    def shown(self) -> list[int]:
        return [self.photos.index(card.photo.id) for card in self.model.cards]


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    (tmp_path / "photos").mkdir()
    with Library.open(tmp_path / "library") as library:
        yield Parts(library, tmp_path / "photos")


def test_five_neighbours_of_a_pair_are_found_in_order(parts: Parts) -> None:
    parts.ranker.ids = [parts.photos[number] for number in (7, 3, 5, 2, 6, 4)]
    parts.select(0, 1)
    parts.reads.answer()
    assert parts.ranker.asked == [(parts.photos[0], parts.photos[1])]
    assert parts.shown == [7, 3, 5, 2, 6]
    assert len(parts.shown) == MAX_SHOWN
    assert parts.changes == 1
    parts.navigator.arranged.emit()
    parts.reads.answer()
    assert len(parts.ranker.asked) == 2
    assert parts.changes == 1, "the photos are the same"


@pytest.mark.parametrize(("focal", "selected"), [(None, (1,)), (0, ()), (0, (0,)), (0, (1, 2))])
def test_only_one_photo_beside_the_focal_image_has_shared_neighbours(
    parts: Parts, focal: int | None, selected: tuple[int, ...]
) -> None:
    parts.select(0, 1)
    parts.reads.answer()
    assert parts.shown
    parts.select(focal, *selected)
    parts.reads.answer()
    assert parts.shown == []
    assert len(parts.ranker.asked) == 1
    assert parts.changes == 2


def test_neighbours_of_an_earlier_pair_are_dropped(parts: Parts) -> None:
    parts.select(0, 1)
    parts.navigator.selected = (parts.photos[2],)
    parts.reads.answer()
    assert parts.shown == []
    assert parts.changes == 0


def test_an_error_is_not_reported(parts: Parts) -> None:
    parts.ranker.ids = []
    parts.select(0, 1)
    parts.reads.answer()
    assert parts.ranker.asked
    assert parts.reads.reported == [], "the ranking itself reports it"
    assert parts.shown == []
