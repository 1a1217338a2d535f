# SPDX-License-Identifier: MIT
"""The selected photos of a grid, and the current one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QObject, QRect, Qt, Signal

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.trail import GridPosition
from focal_photos.browser.views.photos.grid.tile_arrangement import TileArrangement

_Flag: Final = QItemSelectionModel.SelectionFlag
_NO_KEY: Final = Qt.KeyboardModifier.NoModifier


class GridSelection(QObject):
    """Selects photos, as the user or the program requests.

    Parameters
    ----------
    chosen : QItemSelectionModel
        Selected rows and the current row.
    """

    changed = Signal(object)
    """The user selected these photos (tuple of int)."""

    def __init__(self, photos: GridModel, tiles: TileArrangement, chosen: QItemSelectionModel) -> None:
        super().__init__(chosen)
        self._photos = photos
        self._tiles = tiles
        self._chosen = chosen
        self._anchor = -1
        """Row from which Shift selects a range; -1 if there is none."""
        self._by_program = False
        """Whether the program makes the present change, not the user."""
        chosen.selectionChanged.connect(self._selection_changed)
        chosen.currentChanged.connect(self._current_changed)
        photos.modelReset.connect(self._forget_anchor)

    # ------------------------------------------------------------------ reading
    def ids(self) -> list[int]:
        """Return the selected photos in the order of the grid."""
        return self._photos.photo_ids((each.top(), each.bottom()) for each in self._chosen.selection().toList())

    def rows(self) -> QItemSelection:
        """Return the selected rows."""
        return self._chosen.selection()

    def contains(self, row: int) -> bool:
        """Return whether a row is selected."""
        return self._chosen.isSelected(self._photos.index(row))

    @property
    def current(self) -> QModelIndex:
        """The row with the keyboard focus; invalid if there is none."""
        return self._chosen.currentIndex()

    def current_id(self) -> int | None:
        """Return the photo with the keyboard focus."""
        return self._photos.photo_id(self.current.row()) if self.current.isValid() else None

    def rows_in(self, box: QRect) -> QItemSelection:
        """Return the rows of the tiles that meet a rectangle of the content."""
        return self._rows_of(self._tiles.rows_in(box))

    # ------------------------------------------------------------------ selecting
    def choose(self, row: int, modifiers: Qt.KeyboardModifier = _NO_KEY, *, by_mouse: bool = True) -> None:
        """Make a row the current one; Shift selects the range from the anchor, Ctrl toggles the row."""
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        index, anchor = self._photos.index(row), self._anchor
        if not 0 <= anchor < len(self._photos.ids):
            anchor = self.current.row()
        self._chosen.setCurrentIndex(index, _Flag.NoUpdate)
        if shift and anchor >= 0:
            runs = [(min(anchor, row), max(anchor, row))]
            self._chosen.select(self._rows_of(runs), _Flag.Select if control else _Flag.ClearAndSelect)
            self._anchor = anchor
            return
        self._anchor = row
        if control and by_mouse:
            self._chosen.select(index, _Flag.Toggle)
        elif not control:
            self._chosen.select(index, _Flag.ClearAndSelect)

    def include(self, row: int) -> None:
        """Select a row alone, unless it is already selected."""
        if not self.contains(row):
            self.choose(row)

    def choose_only(self, row: int) -> None:
        """Make a row the current one and select it alone."""
        self._chosen.setCurrentIndex(self._photos.index(row), _Flag.ClearAndSelect)
        self._anchor = row

    def replace(self, rows: QItemSelection) -> None:
        """Select these rows only."""
        self._chosen.select(rows, _Flag.ClearAndSelect)

    def select_photos(self, photo_ids: Sequence[int]) -> None:
        """Select these photos only; ignore photos outside the grid."""
        self.replace(self._rows_of(_runs(self._photos.rows_of(photo_ids))))

    def show_photos(self, photo_ids: Sequence[int]) -> None:
        """Select photos that were selected in another view, without a signal."""
        self._by_program = True
        self.select_photos(photo_ids)
        self._by_program = False

    def select_all(self) -> None:
        """Select all photos as one range, including those still to come; Qt would visit each row."""

        def select() -> None:
            if len(self._photos.ids):
                self.replace(self._rows_of([(0, len(self._photos.ids) - 1)]))

        self._photos.when_complete(select)

    def clear(self) -> None:
        """Select no photo."""
        self._chosen.clearSelection()

    def restore(self, position: GridPosition) -> None:
        """Restore the selected photos and the current photo of a position; ignore photos outside the grid."""
        rows = self._photos.rows_of(position.selected)
        if rows or self._chosen.hasSelection():
            self.replace(self._rows_of(_runs(rows)))
        self.changed.emit(tuple(self.ids()))  # because a reset of the model clears the selection without a signal
        current = self._photos.row_of(position.current) if position.current is not None else -1
        if current >= 0:
            self._by_program = True
            self._chosen.setCurrentIndex(self._photos.index(current), _Flag.NoUpdate)
            self._by_program = False

    # ------------------------------------------------------------------ private
    def _rows_of(self, runs: Sequence[tuple[int, int]]) -> QItemSelection:
        selection = QItemSelection()
        for first, last in runs:
            selection.select(self._photos.index(first), self._photos.index(last))
        return selection

    def _selection_changed(self) -> None:
        if not self._by_program:
            self.changed.emit(tuple(self.ids()))

    def _current_changed(self) -> None:
        """Discard the former place of the judged photo after the user has moved on from it."""
        if not self._by_program:
            self._photos.forget_place()

    def _forget_anchor(self) -> None:
        self._anchor = -1


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as runs (first, last)."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], row
        else:
            runs.append((row, row))
    return runs
