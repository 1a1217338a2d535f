# SPDX-License-Identifier: MIT
"""Suggested tags that wait for an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt, Signal

from focal_photos.browser.catalog.facts.records import Suggestion
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.photos.grid_model import Index
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.photos.tiles import SMALL_TILE, PhotoCard, fetch_cards
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.work.editor import Editor, Pair
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging import supporters
from focal_photos.browser.tasks.runner import Failure

MOST_SHOWN: Final = 500
SUPPORTERS_SHOWN: Final = 5


class SuggestionRole(IntEnum):
    """Item data roles in addition to Qt's."""

    ROW = Qt.ItemDataRole.UserRole + 1
    """`SuggestionRow`."""


@dataclass(frozen=True)
class SuggestionRow:
    """A suggested tag with the cards of its photo and its supporting neighbours."""

    suggestion: Suggestion
    """The suggestion for the photo with the highest confidence; `confidence` is the mean over all photos."""
    card: PhotoCard
    supporters: tuple[PhotoCard, ...]
    photo_ids: tuple[int, ...]
    """All photos that an answer applies to, the surest first."""
    of: int = 1
    """Number of selected photos if the row covers several, otherwise 1."""
    stale: bool = False
    """Whether the neighbours are those of an older metric."""

    @property
    def pair(self) -> tuple[int, str]:
        """Id of the surest photo, and the tag."""
        return self.suggestion.photo_id, self.suggestion.tag

    @property
    def pairs(self) -> list[tuple[int, str]]:
        """All pairs of a photo id and the tag, to accept or reject."""
        return [(photo_id, self.suggestion.tag) for photo_id in self.photo_ids]


def read_suggestions(library: Library, ranker: Ranker, photo_ids: Sequence[int] | None) -> list[SuggestionRow]:
    """Read at most `MOST_SHOWN` open suggestions of some photos, or of all (None); for the read lane.

    For several photos there is a row for each tag, sorted by total confidence; for all photos, a row for each photo and
    tag, the surest first.
    """
    of = 1
    if photo_ids is None:
        found = [[each] for each in _surest(library)]
    else:
        of = len(photo_ids)
        by_tag: dict[str, list[Suggestion]] = {}
        for suggestions in library.suggestions.of(photo_ids).values():
            for each in suggestions:
                by_tag.setdefault(each.tag, []).append(each)
        for group in by_tag.values():
            group.sort(key=lambda each: -each.confidence)
        found = sorted(by_tag.values(), key=lambda group: -sum(each.confidence for each in group))[:MOST_SHOWN]
    if not found:
        return []

    surest = supporters.with_supporters(library, ranker, [group[0] for group in found])
    found = [[first, *group[1:]] for first, group in zip(surest, found, strict=True)]
    needed = {photo for group in found for photo in (group[0].photo_id, *group[0].supporters[:SUPPORTERS_SHOWN])}
    cards = fetch_cards(library, sorted(needed))
    current = library.metrics.current().id
    return [_row(group, cards, of, current) for group in found if group[0].photo_id in cards]


def _surest(library: Library) -> list[Suggestion]:
    """Return the surest open suggestions for listed photos, at most `MOST_SHOWN`."""
    listed, limit = library.photos.listed("suggested"), MOST_SHOWN
    while True:
        read = library.suggestions.open(limit)
        are_listed = np.isin([each.photo_id for each in read], listed)
        found = [each for each, is_listed in zip(read, are_listed, strict=True) if is_listed]
        if len(found) >= MOST_SHOWN or len(read) < limit:
            return found[:MOST_SHOWN]
        limit *= 4  # suggestions of removed folders may come first


def _row(group: Sequence[Suggestion], cards: Mapping[int, PhotoCard], of: int, metric_id: int) -> SuggestionRow:
    surest, tag = group[0], group[0].tag
    return SuggestionRow(
        replace(surest, confidence=sum(each.confidence for each in group) / len(group)),
        cards[surest.photo_id],
        tuple(
            cards[each] for each in surest.supporters[:SUPPORTERS_SHOWN] if each in cards and tag in cards[each].tags
        ),
        tuple(each.photo_id for each in group),
        of,
        any(each.metric_id != metric_id for each in group),
    )


class SuggestionModel(QAbstractListModel):
    """One row for each open suggestion of the selection (or else the focal image), or of the whole library."""

    changed = Signal()
    """The rows, or the photos that they belong to, were read again."""

    def __init__(self, services: Services, navigator: Navigator, selection: RestingSelection, editor: Editor) -> None:
        super().__init__(services.owner)
        self._library, self._ranker = services.library, services.ranker
        self._runner, self._loader = services.runner, services.loader
        self._navigator, self._editor = navigator, editor
        self.everywhere = False
        """Whether the suggestions of the whole library are listed."""
        self._rows: list[SuggestionRow] = []
        self._listed: tuple[int, ...] | None = ()
        """The photos whose suggestions are listed; None for the whole library."""
        self._answered: set[int] = set()
        """Photos with an answer that is being written, or whose suggestions have not been read since."""
        self._written: set[int] = set()
        """Those whose answer was written."""
        services.loader.loaded.connect(self._pictures_arrived)
        navigator.selection_changed.connect(self._follow_selection)
        selection.rested.connect(self._read)
        services.runner.failed.connect(self._forget_answers)
        services.feed.subscribe(self._take_changes, Kind.TAGS, Kind.SUGGESTIONS, Kind.MARKS, Kind.PHOTOS, Kind.METRICS)

    # ------------------------------------------------------------------ reading
    def show(self, *, everywhere: bool) -> None:
        """List the suggestions of the whole library, or of the selection."""
        self.everywhere = everywhere
        self._read()

    def _take_changes(self, changes: ChangeSet) -> None:
        if Kind.SUGGESTIONS in changes.kinds:
            self._written |= changes.photo_ids
        self._read()

    def _follow_selection(self) -> None:
        if self._navigator.selected or self._navigator.focal_selected:
            self.everywhere = False

    def _forget_answers(self, _failure: Failure) -> None:
        self._answered.clear()

    @property
    def _wanted(self) -> tuple[int, ...] | None:
        return None if self.everywhere else self._navigator.targets

    def _read(self) -> None:
        library, ranker, wanted = self._library, self._ranker, self._wanted

        def done(rows: list[SuggestionRow]) -> None:
            self._listed = wanted
            self._answered -= self._written
            self._written.clear()
            self.show_rows(rows)
            self.changed.emit()

        self._runner.read("suggestions", lambda: read_suggestions(library, ranker, wanted), done, aside=True)

    # ------------------------------------------------------------------ answers
    def can_answer(self, photo_ids: Sequence[int]) -> bool:
        """Return whether the listed suggestions of the photos are up to date.

        They are outdated while those of another selection are listed, and while an answer for one of the photos,
        which may settle others, is being written.
        """
        return self._wanted == self._listed and self._answered.isdisjoint(photo_ids)

    def answer(self, pairs: Sequence[Pair], *, accept: bool) -> None:
        """Accept or reject suggestions; they leave the list at once."""
        self._answered.update(photo_id for photo_id, _ in pairs)
        self.take(pairs)
        (self._editor.accept if accept else self._editor.reject)(pairs)

    # ------------------------------------------------------------------ rows
    def show_rows(self, rows: Sequence[SuggestionRow]) -> None:
        """Replace all rows if they have changed, and request their pictures."""
        if list(rows) != self._rows:
            self.beginResetModel()
            self._rows = list(rows)
            self.endResetModel()
        ids = dict.fromkeys(card.photo.id for row in self._rows for card in (row.card, *row.supporters))
        self._loader.request("suggestions", list(ids)[:MOST_SHOWN], SMALL_TILE)

    def take(self, pairs: Sequence[tuple[int, str]]) -> None:
        """Remove rows at once; the library confirms later."""
        for row in range(len(self._rows) - 1, -1, -1):
            if set(self._rows[row].pairs) <= set(pairs):
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._rows[row]
                self.endRemoveRows()

    def row(self, row: int) -> SuggestionRow:
        """Return a row."""
        return self._rows[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of suggestions."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return cached data."""
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == SuggestionRole.ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.suggestion.tag
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            text = self.tr("{0} for {1}, {2} % sure, like {3}")
            whom = row.card.name
            if row.of > 1:
                whom = self.tr("{0} of {1} selected photos").format(len(row.photo_ids), row.of)
            supporters = ", ".join(card.name for card in row.supporters)
            text = text.format(row.suggestion.tag, whom, round(100 * row.suggestion.confidence), supporters)
            text = f"{text}. {self.tr('From an older metric.')}" if row.stale else text
            return tool_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        return None

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if self._rows and photo_ids:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))
