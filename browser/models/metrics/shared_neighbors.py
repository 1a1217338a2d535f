# SPDX-License-Identifier: MIT
"""The photos close to both the focal image and a selected photo, which explain their distance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards

MAX_SHOWN: Final = 5
"""Largest number of photos to show."""


class SharedNeighbors(Model):
    """The photos that are near both the focal image and the one selected photo."""

    changed = Signal()
    """`cards` has changed."""

    def __init__(self, services: Services, navigator: Navigator, selection: RestingSelection) -> None:
        super().__init__(services)
        self._navigator = navigator
        self.cards: tuple[PhotoCard, ...] = ()
        """The nearest to both first; empty without a focal image or unless exactly one other photo is selected."""
        navigator.arranged.connect(self.read)
        selection.rested.connect(self.read)

    def read(self) -> None:
        """Find them again after a change of the selection, the focal image or the ranking."""
        pair = self._pair()
        if pair is None:
            self._runner.read("shared neighbors", tuple, self._arrived(None), aside=True)
            return
        library, ranker, (focal_id, photo_id) = self._library, self._ranker, pair

        def find() -> tuple[PhotoCard, ...]:
            ids = ranker.shared_neighbors(focal_id, photo_id, limit=MAX_SHOWN).tolist()
            cards = fetch_cards(library, ids)
            return tuple(cards[one] for one in ids if one in cards)

        self._runner.read("shared neighbors", find, self._arrived(pair), failed=lambda _error: True, aside=True)

    def _pair(self) -> tuple[int, int] | None:
        focal_id, selected = self._navigator.focal_id, self._navigator.selected
        return None if focal_id is None or len(selected) != 1 or selected[0] == focal_id else (focal_id, selected[0])

    def _arrived(self, pair: tuple[int, int] | None) -> Callable[[tuple[PhotoCard, ...]], None]:
        def show(found: tuple[PhotoCard, ...]) -> None:
            if pair == self._pair() and found != self.cards:
                self.cards = found
                self.changed.emit()

        return show
