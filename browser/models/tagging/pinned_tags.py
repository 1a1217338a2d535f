"""The tags on the digits 1 to 9: each stays on its digit until the person puts another one there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.journal import PINNED
from focal_photos.browser.tasks.runner import Runner

DIGITS: Final = 9


class PinnedTags(QObject):
    """The pinned tags of a library.

    A digit that is free takes the next tag that is used and has none; what has a digit stays there.

    Signals
    -------
    changed : None
        `tags` are others now.

    Attributes
    ----------
    tags : tuple of str
        The tag of each digit, that of 1 first; empty where a digit is free.
    """

    changed = Signal()

    def __init__(self, library: Library, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._runner = runner
        self._read = False
        self._rereading: object | None = None
        self._recent: Sequence[str] = ()
        self._passed: set[str] = set()
        self.tags: tuple[str, ...] = ("",) * DIGITS

    def read(self) -> None:
        """Read what was pinned before."""
        library = self._library

        def done(kept: object) -> None:
            self._read = True
            self._show(_valid(kept))
            self.fill(self._recent)

        self._runner.read("pinned", lambda: library.settings.get(PINNED), done)

    def read_again(self) -> None:
        """Read what is pinned again: tags were renamed, deleted, or an undo brought them back."""
        library = self._library
        if not self._read or library.read_only:
            return
        self._rereading = object()
        self._recent = ()  # they may have other names now: what was used last is told again

        def done(kept: object, asked: object = self._rereading) -> None:
            if self._rereading is asked:  # else it was asked again, or something was pinned meanwhile
                self._rereading = None
                self._show(_valid(kept))
                self.fill(self._recent)

        # In the lane that writes, behind what was pinned last.
        self._runner.write(self.tr("Reading pinned tags"), lambda: library.settings.get(PINNED), done)

    def tag(self, digit: int) -> str:
        """Return the tag on a digit, 1..9; empty if it is free."""
        return self.tags[digit - 1]

    def pin(self, digit: int, tag: str) -> None:
        """Put a tag on a digit, 1..9; if it has one already, the two tags change places."""
        tags = list(self.tags)
        if tag in tags:
            tags[tags.index(tag)] = tags[digit - 1]
        tags[digit - 1] = tag
        self._keep(tags)

    def unpin(self, digit: int) -> None:
        """Free a digit; its tag does not return to one by itself."""
        self._passed.add(self.tags[digit - 1])
        tags = list(self.tags)
        tags[digit - 1] = ""
        self._keep(tags)

    def fill(self, recent: Sequence[str]) -> None:
        """Put tags that were used last (the latest first) on the digits that are free."""
        self._recent = recent
        tags = list(self.tags)
        for tag in reversed(recent):
            if "" in tags and tag not in tags and tag not in self._passed:
                tags[tags.index("")] = tag
        # While they are read again, names may be old ones.
        if self._read and self._rereading is None and tuple(tags) != self.tags:
            self._keep(tags, by_itself=True)

    def _keep(self, tags: Sequence[str], *, by_itself: bool = False) -> None:
        if self._library.read_only or tuple(tags) == self.tags:
            return
        library, kept = self._library, list(tags)
        self._rereading = None
        self._show(tuple(tags))

        def write() -> None:
            if by_itself:  # a name that was a slip goes from its digit with the slip
                library.vocabulary.pin(kept)
            else:
                library.settings.set(PINNED, kept)

        self._runner.write(self.tr("Pinning a tag"), write)

    def _show(self, tags: tuple[str, ...]) -> None:
        if tags != self.tags:
            self.tags = tags
            self.changed.emit()


def _valid(kept: object) -> tuple[str, ...]:
    """Return what is kept as nine tags, whatever was written there."""
    names = [name if isinstance(name, str) else "" for name in kept] if isinstance(kept, list) else []
    return tuple([*names, *[""] * DIGITS][:DIGITS])
