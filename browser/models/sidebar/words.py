# SPDX-License-Identifier: MIT
"""Completion of filters and tags from the library's words: tags, aliases, months, labels, cameras."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QDate, QLocale, Signal

from focal_photos.browser.catalog.facts.marks import MAX_RATING
from focal_photos.browser.catalog.facts.query.completion import Completion, complete
from focal_photos.browser.catalog.facts.records import Alias
from focal_photos.browser.catalog.facts.tags import ancestors
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.sidebar.common_words import common_words, is_common_word
from focal_photos.browser.models.sidebar.tag_tree import tag_tree
from focal_photos.browser.models.sidebar.tree_model import Node

_MAX_PROPOSED = 12
"""Largest number of proposed tags."""


@dataclass(frozen=True)
class Proposal:
    """A completion of a filter."""

    text: str
    """The whole text of the field after the completion."""
    chip: str = ""
    """The displayed term, ``animal/dog`` or ``★★★ or more``; empty for a key or a flag, which are shown as text."""
    kind: str = ""
    """The kind of term in the language of the window: ``Tag``, ``Rating``, ``Date``, ..."""


class Words(Model):
    """The words that the user may type."""

    tags_read = Signal(object)
    """The tags were read again, as trees (list of Node)."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.tags: list[str] = []
        self.aliases: list[Alias] = []
        self._months: list[str] = []
        self._labels: list[str] = []
        self._cameras: list[str] = []
        self._feed.subscribe(self._read_tags, Kind.TAGS, Kind.PHOTOS)
        self._feed.subscribe(self._read_months, Kind.PHOTOS, Kind.ROOTS)
        self._feed.subscribe(self._read_labels, Kind.MARKS, Kind.PHOTOS)

    def _read_tags(self, _changes: ChangeSet) -> None:
        """Read the tags and their aliases again."""
        library = self._library

        def read() -> tuple[list[str], list[Node], list[Alias]]:
            tags = library.tags.all()
            return [tag.name for tag in tags], tag_tree(tags), library.vocabulary.aliases()

        def done(found: tuple[list[str], list[Node], list[Alias]]) -> None:
            self.tags, tree, self.aliases = found
            self.tags_read.emit(tree)

        self._runner.read("tags", read, done)

    def _read_months(self, _changes: ChangeSet) -> None:
        """Read the months in which photos were taken."""

        def done(found: list[str]) -> None:
            self._months = found

        self._runner.read("months", self._library.photos.months, done, aside=True)

    def _read_labels(self, _changes: ChangeSet) -> None:
        """Read labels and cameras again."""
        library = self._library

        def read() -> tuple[list[str], list[str]]:
            labels, cameras = library.marks.labels(), library.information.cameras()
            return [name for name, _ in labels], [name for name, _ in cameras]

        def done(found: tuple[list[str], list[str]]) -> None:
            self._labels, self._cameras = found

        self._runner.read("labels", read, done, aside=True)

    def complete_query(self, text: str, cursor: int) -> list[Proposal]:
        """Return completions for the filter word before the cursor; whole terms are chips."""
        found = complete(
            text,
            cursor,
            self.tags,
            labels=self._labels,
            cameras=self._cameras,
            other_names=self._by_alias(),
            months=self._months,
        )
        return [
            Proposal(text[: each.start] + each.text + text[each.end :], self._chip(each), self._kind(each.kind))
            for each in found
        ]

    def _chip(self, completion: Completion) -> str:
        """Return the text of a chip: stars, the name of a month, or the value."""
        value = completion.value
        if completion.kind == "rating":
            if value == "rejected":
                return self.tr("Rejected")
            if value == "0":
                return self.tr("No rating")
            stars = "\N{BLACK STAR}" * int(value)
            return stars if value == str(MAX_RATING) else self.tr("{0} or more").format(stars)
        if completion.kind == "date" and len(value) > len("2024"):
            return QLocale().toString(QDate(int(value[:4]), int(value[5:7]), 1), "MMMM yyyy")
        return value

    def _kind(self, kind: str) -> str:
        titles = {
            "tag": self.tr("Tag"),
            "suggested": self.tr("Suggestion"),
            "rating": self.tr("Rating"),
            "date": self.tr("Date"),
            "label": self.tr("Label"),
            "camera": self.tr("Camera"),
        }
        return titles.get(kind, "")

    def complete_tag(self, text: str) -> list[str]:
        """Return the tag of that name, then tags that begin with the text, then tags with a level that does.

        Aliases count as names of their tag.
        """
        typed = fold(text.strip())
        if not typed:
            return []
        exact = self.tag_meant(text)
        begins = [exact] if exact else []
        begins += [name for name in self.tags if fold(name).startswith(typed)]
        begins += [tag for alias, tag in self._by_alias().items() if fold(alias).startswith(typed)]
        below = [name for name in self.tags if f"/{typed}" in fold(name)]
        return list(dict.fromkeys([*begins, *below]))[:_MAX_PROPOSED]

    def complete_name(self, text: str, proposed: Sequence[str] = ()) -> list[str]:
        """Return completions of the name of a new or known tag.

        Parameters
        ----------
        proposed : sequence of str
            Names proposed for the photos.

        Returns
        -------
        list of str
            Known tags as `complete_tag` finds them, then proposed names, then `common_words`. A proposed or common name
            that equals the text comes first, as typed, so that Enter after a whole name means this name; the other form
            of a common word (a plural in a library of singulars) follows the known tags. Last comes a text of several
            words as typed, then with its last word completed to common words.
        """
        typed = fold(text.strip())
        if not typed:
            return list(proposed)
        known = self.complete_tag(text)
        found = [name for name in proposed if fold(name).startswith(typed)]
        first = typed in map(fold, found) or is_common_word(typed, self.tags)
        found += common_words(typed, self.tags, _MAX_PROPOSED)
        whole = [" ".join(text.split())] if typed in map(fold, found) and not self.tag_meant(text) else []
        before, _, last = " ".join(text.split()).rpartition(" ")
        ends = [f"{before} {word}" for word in common_words(fold(last), self.tags, _MAX_PROPOSED)] if before else []
        found += [" ".join(text.split()), *ends] if ends else []
        by_letters: dict[str, str] = {}
        for name in [*whole, *known, *found] if first else [*known, *whole, *found]:
            by_letters.setdefault(fold(name), name)
        return list(by_letters.values())[:_MAX_PROPOSED]

    def tag_meant(self, text: str) -> str:
        """Return the tag, or level above tags, that a text names directly or by an alias; empty if there is none."""
        above = {one: one for name in self.tags for one in ancestors(name)}
        known = {**self._by_alias(), **above, **{name: name for name in self.tags}}
        typed = " ".join(text.split())
        by_letters = {fold(name): tag for name, tag in known.items()}
        return known.get(typed) or by_letters.get(fold(typed), "")

    def other_names(self, tag: str) -> list[str]:
        """Return the aliases of a tag."""
        return [alias.name for alias in self.aliases if alias.tag == tag]

    def _by_alias(self) -> dict[str, str]:
        return {alias.name: alias.tag for alias in self.aliases}
