# SPDX-License-Identifier: MIT
"""The tags pinned to the digits 1 to 9; each stays on its digit until the user pins another one there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.journal import PINNED
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.overview import LibraryOverview

DIGITS: Final = 9


class PinnedTags(Model):
    """The pinned tags of a library.

    A free digit takes the next used tag that has no digit; tags with a digit stay there.
    """

    changed = Signal()

    def __init__(self, services: Services, overview: LibraryOverview) -> None:
        super().__init__(services)
        self._read = False
        self._rereading: object | None = None
        self._recent: Sequence[str] = ()
        self._passed: set[str] = set()
        self.tags: tuple[str, ...] = ("",) * DIGITS
        """The tag of each digit, beginning with 1; empty for a free digit."""
        self._overview = overview
        overview.changed.connect(self._take_overview)
        self._feed.subscribe(self._read_again, Kind.TAGS, Kind.PHOTOS)

    def read(self) -> None:
        """Read the saved pinned tags."""
        library = self._library

        def done(stored: object) -> None:
            self._read = True
            self._show(_valid(stored))
            self.fill(self._recent)

        self._runner.read("pinned", lambda: library.settings.get(PINNED), done)

    def _read_again(self, _changes: ChangeSet) -> None:
        """Read the pinned tags again after tags were renamed, deleted or restored by undo."""
        library = self._library
        if not self._read or library.read_only:
            return
        self._rereading = object()
        self._recent = ()  # the names may be outdated; the recent tags are passed again

        def done(stored: object, request: object = self._rereading) -> None:
            if self._rereading is request:  # otherwise another reading was started or a tag was pinned since
                self._rereading = None
                self._show(_valid(stored))
                self.fill(self._recent)

        # in the write lane, after any pinning that is still queued
        self._runner.write(self.tr("Reading pinned tags"), lambda: library.settings.get(PINNED), done)

    def tag(self, digit: int) -> str:
        """Return the tag on a digit, 1..9; empty if the digit is free."""
        return self.tags[digit - 1]

    def pin(self, digit: int, tag: str) -> None:
        """Pin a tag to a digit, 1..9; if the tag is already pinned, the two tags swap digits."""
        tags = list(self.tags)
        if tag in tags:
            tags[tags.index(tag)] = tags[digit - 1]
        tags[digit - 1] = tag
        self._keep(tags)

    def unpin(self, digit: int) -> None:
        """Free a digit; its tag is not pinned automatically again."""
        self._passed.add(self.tags[digit - 1])
        tags = list(self.tags)
        tags[digit - 1] = ""
        self._keep(tags)

    def _take_overview(self) -> None:
        self.fill(self._overview.now.recent_tags)

    def fill(self, recent: Sequence[str]) -> None:
        """Pin recently used tags (the latest first) to free digits."""
        self._recent = recent
        tags = list(self.tags)
        for tag in reversed(recent):
            if "" in tags and tag not in tags and tag not in self._passed:
                tags[tags.index("")] = tag
        # during a second reading, names may be outdated
        if self._read and self._rereading is None and tuple(tags) != self.tags:
            self._keep(tags, by_itself=True)

    def _keep(self, tags: Sequence[str], *, by_itself: bool = False) -> None:
        if self._library.read_only or tuple(tags) == self.tags:
            return
        library, saved = self._library, list(tags)
        self._rereading = None
        self._show(tuple(tags))

        def write() -> None:
            if by_itself:  # undoing a mistyped tag also frees its digit
                library.vocabulary.pin(saved)
            else:
                library.settings.set(PINNED, saved)

        self._runner.write(self.tr("Pinning a tag"), write)

    def _show(self, tags: tuple[str, ...]) -> None:
        if tags != self.tags:
            self.tags = tags
            self.changed.emit()


def _valid(stored: object) -> tuple[str, ...]:
    """Return saved data as nine tags; invalid entries are empty."""
    names = [name if isinstance(name, str) else "" for name in stored] if isinstance(stored, list) else []
    return tuple([*names, *[""] * DIGITS][:DIGITS])
