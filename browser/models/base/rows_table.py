# SPDX-License-Identifier: MIT
"""A table model with a row for each item, whose cells may have check marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

ROOT: Final = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class RowsTable(QAbstractTableModel):
    """The shape and the heads of a table; subclasses have the items and their texts."""

    def items(self) -> Sequence[object]:
        """Return the items, one per row."""
        raise NotImplementedError

    def titles(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        raise NotImplementedError

    def is_checkable(self, column: int) -> bool:
        """Return whether the cells of a column have check marks."""
        return False

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of items."""
        return 0 if parent.isValid() else len(self.items())

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.titles())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the names of the columns."""
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self.titles()[section]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Make cells selectable, and checkable if their column has check marks."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self.is_checkable(index.column()) else flags

    def rows_changed(self) -> None:
        """Announce that all cells have changed."""
        if self.items():
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.items()) - 1, len(self.titles()) - 1))
