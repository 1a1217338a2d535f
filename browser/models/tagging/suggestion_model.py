"""Suggested tags that wait for a person's yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from browser.catalog.facts.records import Suggestion
from browser.catalog.library import Library
from browser.models.photos.grid_model import Index
from browser.models.photos.tiles import PhotoCard, fetch_cards
from browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader

MOST_SHOWN: Final = 500
WITNESSES_SHOWN: Final = 5


class SuggestionRole(IntEnum):
    """Roles beside Qt's own."""

    ROW = Qt.ItemDataRole.UserRole + 1
    """`SuggestionRow`."""


@dataclass(frozen=True)
class SuggestionRow:
    """A suggestion with the cards of its photo and its witnesses."""

    suggestion: Suggestion
    card: PhotoCard
    witnesses: tuple[PhotoCard, ...]

    @property
    def pair(self) -> tuple[int, str]:
        """What accepting and rejecting take: photo id and tag."""
        return self.suggestion.photo_id, self.suggestion.tag


def read_suggestions(library: Library, photo_ids: Sequence[int] | None) -> list[SuggestionRow]:
    """Read open suggestions; for the read lane.

    Parameters
    ----------
    library : Library
        Where they are.
    photo_ids : sequence of int or None
        Of these photos, in their order; None for all photos in the order of their paths.

    Returns
    -------
    list of SuggestionRow
        At most `MOST_SHOWN`, a photo's surest first.
    """
    if photo_ids is None:
        photo_ids = library.photos.listed("suggested").tolist()
    by_photo = library.suggestions.of(photo_ids[:MOST_SHOWN])
    found = [each for photo_id in photo_ids[:MOST_SHOWN] for each in by_photo[photo_id]][:MOST_SHOWN]
    needed = {photo_id for each in found for photo_id in (each.photo_id, *each.witnesses[:WITNESSES_SHOWN])}
    cards = fetch_cards(library, sorted(needed))
    return [
        SuggestionRow(
            each,
            cards[each.photo_id],
            tuple(cards[witness] for witness in each.witnesses[:WITNESSES_SHOWN] if witness in cards),
        )
        for each in found
        if each.photo_id in cards
    ]


class SuggestionModel(QAbstractListModel):
    """One row for each open suggestion."""

    def __init__(self, loader: ThumbnailLoader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[SuggestionRow] = []
        self._loader = loader
        loader.loaded.connect(self._pictures_arrived)

    def show_rows(self, rows: Sequence[SuggestionRow], size: PixelSize) -> None:
        """Replace all rows (if anything has changed) and ask for their pictures."""
        if list(rows) != self._rows:
            self.beginResetModel()
            self._rows = list(rows)
            self.endResetModel()
        ids = dict.fromkeys(card.photo.id for row in self._rows for card in (row.card, *row.witnesses))
        self._loader.request("suggestions", list(ids)[:MOST_SHOWN], size)

    def take(self, pairs: Sequence[tuple[int, str]]) -> None:
        """Remove rows at once; the library confirms later."""
        for row in range(len(self._rows) - 1, -1, -1):
            if self._rows[row].pair in pairs:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._rows[row]
                self.endRemoveRows()

    def row(self, row: int) -> SuggestionRow:
        """Return what stands in a row."""
        return self._rows[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of suggestions."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Look up what is in memory."""
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == SuggestionRole.ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.suggestion.tag
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            text = self.tr("{0} for {1}, {2} % sure, because of {3}")
            witnesses = ", ".join(card.name for card in row.witnesses)
            return text.format(row.suggestion.tag, row.card.name, round(100 * row.suggestion.confidence), witnesses)
        return None

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if self._rows and photo_ids:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))
