"""Tables of whole rows."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView


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
