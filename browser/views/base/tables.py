# SPDX-License-Identifier: MIT
"""Tables of whole rows, and tables of figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QTableWidget, QTableWidgetItem

from focal_photos.browser.models.photos.tool_tip import tool_tip


class RowTable(QTableView):
    """A table without a grid or row numbers, with an accessible name; rows are selected whole, and Tab leaves it.

    Parameters
    ----------
    name : str
        Accessible name.
    several : bool
        Whether several rows can be selected.
    """

    def __init__(self, name: str, model: QAbstractItemModel | None = None, *, several: bool = False) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        if not several:
            self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)


class FigureTable(QTableWidget):
    """A table whose cells cannot be edited or selected; the first column takes the remaining width.

    Parameters
    ----------
    name : str
        Accessible name.
    columns : sequence of str
        Headings.
    """

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        super().__init__(0, len(columns))
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(columns)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def show_rows(self, rows: Sequence[Sequence[tuple[str, str]]]) -> None:
        """Show rows of cells, each a text and its tool tip."""
        self.setRowCount(len(rows))
        for row, cells in enumerate(rows):
            for column, (text, tip) in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setToolTip(tool_tip(tip))
                self.setItem(row, column, item)
