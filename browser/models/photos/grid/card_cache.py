# SPDX-License-Identifier: MIT
"""A bounded cache of the cards of photos; the least recently shown ones are dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from focal_photos.browser.models.photos.tiles import PhotoCard

MAX_CARDS: Final = 8192
"""Size of the cache."""


class CardCache:
    """The cards that were read, some of them outdated."""

    def __init__(self) -> None:
        self._cards: OrderedDict[int, PhotoCard] = OrderedDict()
        self._outdated: set[int] = set()

    def get(self, photo_id: int) -> PhotoCard | None:
        """Return the card of a photo if it is cached."""
        return self._cards.get(photo_id)

    def outdate(self, photo_ids: Iterable[int] | None) -> None:
        """Let these cards be read again (None: all); the old ones are returned until then."""
        self._outdated.update(self._cards if photo_ids is None else self._cards.keys() & set(photo_ids))

    def to_read(self, photo_ids: Sequence[int]) -> list[int]:
        """Return the photos whose cards must be read, and keep the cards of the others longest."""
        for photo_id in photo_ids:
            if photo_id in self._cards:
                self._cards.move_to_end(photo_id)
        return [photo_id for photo_id in photo_ids if photo_id not in self._cards or photo_id in self._outdated]

    def add(self, cards: Mapping[int, PhotoCard]) -> None:
        """Add cards that were read."""
        for photo_id, card in cards.items():
            self._cards[photo_id] = card
            self._cards.move_to_end(photo_id)
            self._outdated.discard(photo_id)
        while len(self._cards) > MAX_CARDS:
            dropped, _ = self._cards.popitem(last=False)
            self._outdated.discard(dropped)
