# SPDX-License-Identifier: MIT
"""The files that could not be read, or only in part, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QGuiApplication, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QDialog, QHeaderView, QWidget

from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.tables import RowTable


class FailuresDialog(QDialog):
    """A table of files and reasons.

    Parameters
    ----------
    failures : sequence of (Path, str)
    title, text : str
        Title and explanation of the dialog; empty: those for photos.
    """

    def __init__(
        self, failures: Sequence[tuple[Path, str]], parent: QWidget | None = None, *, title: str = "", text: str = ""
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title or self.tr("Files with problems"))
        self.setProperty("guide", "descriptors.md#photos-that-are-read")
        self._failures = list(failures)
        model = QStandardItemModel(0, 3, self)
        model.setHorizontalHeaderLabels([self.tr("File"), self.tr("Reason"), self.tr("Folder")])
        for path, reason in failures:
            cells = [QStandardItem(text) for text in (shown(path.name), in_words(reason), shown(str(path.parent)))]
            for cell in cells:
                cell.setEditable(False)
                cell.setToolTip(tool_tip(cell.text()))
            model.appendRow(cells)
        self.table = RowTable(self.windowTitle(), model, several=True)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(0, 210)
        self.table.setColumnWidth(2, 230)
        text = text or self.tr(
            "All other photos are in the library. Once you repair a file, it is read again within seconds, or with F5."
        )
        close = button(self.tr("Close"), "", self.accept)
        close.setDefault(True)
        buttons = in_row(button(self.tr("Copy the list"), "", self._copy), STRETCH, close)
        in_dialog(self, label(text, "soft", wrap=True), (self.table, 1), buttons)
        self.resize(880, 420)

    def _copy(self) -> None:
        lines = (f"{shown(str(path))}\t{reason}" for path, reason in self._failures)
        QGuiApplication.clipboard().setText("\n".join(lines))
