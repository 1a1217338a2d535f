# SPDX-License-Identifier: MIT
"""The tags that Review asks about, and whether it asks about new kinds; settings of the library."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.review.questions.question_matching import renamed
from focal_photos.browser.models.sidebar.words import Words
from focal_photos.browser.operations.describing.settings import LEFT_OUT, NEW_KINDS

_LISTED = 3
"""Longest list of names in the summary."""


class QuestionTags(Model):
    """The user's choice; by default all tags and new kinds.

    The library stores the excluded tags, so Review includes new tags.
    """

    changed = Signal()
    """`left_out` or `new_kinds` has changed."""

    def __init__(self, services: Services, words: Words) -> None:
        super().__init__(services)
        self._words = words
        self.left_out: frozenset[str] = frozenset()
        self.new_kinds = True

    def read(self) -> None:
        """Read the saved choice."""
        library = self._library

        def read() -> tuple[frozenset[str], bool]:
            return frozenset(LEFT_OUT.get(library)), NEW_KINDS.get(library)

        self._runner.read("asked tags", read, lambda found: self._take(*found))

    @property
    def tags(self) -> list[str]:
        """All tags of the library."""
        return self._words.tags

    def matching(self, text: str) -> frozenset[str]:
        """Return the tags that contain a text, ignoring case and accents."""
        typed = fold(text.strip())
        return frozenset(tag for tag in self.tags if typed in fold(tag))

    def choose(self, left_out: Collection[str], *, new_kinds: bool) -> None:
        """Choose the tags to leave out, and whether to ask about new kinds; a read-only library does not save this."""
        without = frozenset(left_out)
        if (without, new_kinds) == (self.left_out, self.new_kinds):
            return
        self._take(without, new_kinds)
        library = self._library
        if library.read_only:
            return

        def write() -> None:
            LEFT_OUT.set(library, tuple(sorted(without)) or None)
            NEW_KINDS.set(library, None if new_kinds else False)

        self._runner.write(self.tr("Choosing tags for Review"), write)

    def follow_name(self, old: str, new: str) -> None:
        """Update the names of excluded tags after renaming; merging into a known tag drops the exclusion."""
        known = frozenset(self.tags)
        now = {renamed(tag, old, new): tag for tag in self.left_out}
        self.choose([name for name, tag in now.items() if name == tag or name not in known], new_kinds=self.new_kinds)

    def in_words(self) -> str:
        """Return a summary of the choice: ``sea, boat``."""
        included = [tag for tag in self.tags if tag not in self.left_out]
        without = [tag for tag in self.tags if tag in self.left_out]
        if not without:
            text = self.tr("all")
        elif not included:
            text = self.tr("none")
        elif len(included) <= _LISTED:
            text = ", ".join(included)
        elif len(without) <= _LISTED:
            text = self.tr("all but {0}").format(", ".join(without))
        else:
            text = self.tr("{0} of {1}").format(len(included), len(self.tags))
        return text if self.new_kinds else self.tr("{0}, no new kinds").format(text)

    def _take(self, left_out: frozenset[str], new_kinds: bool) -> None:
        if (left_out, new_kinds) != (self.left_out, self.new_kinds):
            self.left_out, self.new_kinds = left_out, new_kinds
            self.changed.emit()
