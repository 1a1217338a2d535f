"""The agreement of annotators as a table: a row for each tag, with intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.tasks.messages import Localized

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.annotators.compare import Comparison

_COLUMNS: Final = (
    QT_TRANSLATE_NOOP("agreement", "Tag"),
    QT_TRANSLATE_NOOP("agreement", "Photos"),
    QT_TRANSLATE_NOOP("agreement", "Differ"),
    QT_TRANSLATE_NOOP("agreement", "Kappa"),
    QT_TRANSLATE_NOOP("agreement", "Alpha"),
)


class AgreementTable(QTableWidget):
    """Shows a comparison; its cells cannot be edited. The row of a tag leads to its disagreements."""

    def __init__(self) -> None:
        super().__init__(0, len(_COLUMNS))
        self.setAccessibleName(self.tr("Agreement on each tag"))
        self.setHorizontalHeaderLabels([QCoreApplication.translate("agreement", str(name)) for name in _COLUMNS])
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

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show the tags of a comparison; None clears the table."""
        tags = () if comparison is None else comparison.tags
        self.setRowCount(len(tags))
        for row, one in enumerate(tags):
            texts = [one.tag, grouped(one.photos), grouped(one.disagreements)]
            figures = [self._figures(*one.kappa), self._figures(*one.alpha)]
            for column, text in enumerate([*texts, *(short for short, _ in figures)]):
                item = QTableWidgetItem(text)
                item.setToolTip(tool_tip(text if column < len(texts) else figures[column - len(texts)][1]))
                self.setItem(row, column, item)

    def tag(self, row: int) -> str:
        """Return the tag of a row."""
        item = self.item(row, 0)
        return "" if item is None else item.text()

    def _figures(self, value: float, low: float, high: float) -> tuple[str, str]:
        """Return a figure for a cell, and with its interval for the tool tip."""
        if math.isnan(value):
            return "\N{EN DASH}", self.tr("Not defined: all answers are equal.")
        text = self.tr("{0:.2f}, with a probability of 95 % between {1:.2f} and {2:.2f}")
        return f"{Localized(value):.2f}", text.format(Localized(value), Localized(low), Localized(high))
