# SPDX-License-Identifier: MIT
"""The keys of tags during a review: 1 to 9, 0, and Shift with 1 to 9."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal

KEYS: Final = (*"1234567890", *(f"\N{UPWARDS WHITE ARROW}{digit}" for digit in "123456789"))
"""The keys as displayed, in order: ``1`` to ``9``, ``0``, ``⇧1`` to ``⇧9``."""


class TagKeys(QObject):
    """The assignment of tags to the keys of Review.

    A tag keeps its key until the program ends or other photos are reviewed. Pinned tags have their own digits; every
    other tag takes the first free key when it is first offered.

    Signals
    -------
    changed : None
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pinned: tuple[str, ...] = ()
        self.tags: tuple[str, ...] = ("",) * len(KEYS)
        """The tag of each of `KEYS`; empty for a free key."""

    def tag(self, number: int) -> str:
        """Return the tag on a key, 1 for the first of `KEYS`; empty if the key is free or does not exist."""
        return self.tags[number - 1] if 0 < number <= len(KEYS) else ""

    def key(self, tag: str) -> str:
        """Return the displayed key of a tag; empty if it has none."""
        return KEYS[self.tags.index(tag)] if tag and tag in self.tags else ""

    def in_order(self) -> list[str]:
        """Return the tags that have keys, in the order of the keys."""
        return [tag for tag in self.tags if tag]

    def begin(self, pinned: Sequence[str]) -> None:
        """Free all keys except those of pinned tags, because other photos are reviewed.

        Parameters
        ----------
        pinned : sequence of str
            The tag of each digit, beginning with 1; empty for a free digit.
        """
        self._pinned = tuple(pinned)
        self._show([*pinned, *[""] * len(KEYS)][: len(KEYS)])

    def pin(self, pinned: Sequence[str], *, move: bool) -> None:
        """Give newly pinned tags their digits if these are free; with `move`, in any case."""
        tags = list(self.tags)
        for place, tag in enumerate(pinned):
            if not tag or tag in self._pinned[place : place + 1]:
                continue
            if tag not in tags and not tags[place]:
                tags[place] = tag
            elif move:
                if tag in tags:  # the two tags swap keys
                    tags[tags.index(tag)] = tags[place]
                tags[place] = tag
        self._pinned = tuple(pinned)
        self._show(tags)

    def give(self, offered: Iterable[str]) -> None:
        """Give tags without a key the free ones, as long as there are any."""
        tags = list(self.tags)
        for tag in offered:
            if tag and tag not in tags and "" in tags:
                place = self._pinned.index(tag) if tag in self._pinned else -1
                tags[place if place >= 0 and not tags[place] else tags.index("")] = tag
        self._show(tags)

    def follow_name(self, old: str, new: str) -> None:
        """Keep the key of a renamed tag; a tag that was merged into another one loses it."""
        tags = ["" if tag == old and new in self.tags else new if tag == old else tag for tag in self.tags]
        self._pinned = tuple(new if tag == old else tag for tag in self._pinned)
        self._show(tags)

    def keep(self, existing: Iterable[str]) -> None:
        """Free the keys of all tags except existing ones."""
        names = set(existing)
        self._show([tag if tag in names else "" for tag in self.tags])

    def _show(self, tags: Sequence[str]) -> None:
        if tuple(tags) != self.tags:
            self.tags = tuple(tags)
            self.changed.emit()
