# SPDX-License-Identifier: MIT
"""The photos without a file, with their tags and judgements, and the likely places of their files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QSize, Qt, QTimer
from PySide6.QtWidgets import QDialog, QFileDialog, QHeaderView, QMessageBox, QTableView, QWidget

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.work.folders.missing import THUMBNAIL, Missing
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row, open_dialog
from focal_photos.browser.views.base.tables import RowTable
from focal_photos.browser.views.base.task_strip import busy_bar

if TYPE_CHECKING:
    from focal_photos.browser.operations.photos.missing_files.missing import Proposal


class MissingDialog(QDialog):
    """Proposals above, missing photos below.

    Parameters
    ----------
    read_only : bool
        Whether the actions are disabled.
    """

    def __init__(self, missing: Missing, *, read_only: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Missing photos"))
        self.setProperty("guide", "libraries.md#folders")
        self._missing = missing
        self._writable = not read_only
        self.explanation = label("", "soft", wrap=True)
        self.found = label("", "section")
        self.proposals = _table(missing.proposals, self.tr("Proposals"))
        self.proposals.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.proposals.setColumnWidth(0, 260)
        self.proposals.setColumnWidth(2, 250)
        self.photos = _table(missing.table, self.tr("Missing photos"))
        self.photos.setIconSize(QSize(*THUMBNAIL))
        self.photos.verticalHeader().setDefaultSectionSize(THUMBNAIL.height + 8)
        self.photos.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.photos.setColumnWidth(0, 260)
        self.photos.setColumnWidth(1, 230)
        self._busy = busy_bar(self.tr("Searching"))
        self.accept_button = button(self.tr("Accept the selected"), "", self._accept_selected)
        self.accept_all_button = button(self.tr("Accept all"), "primary", self._accept_all)
        self.search_button = button(self.tr("Search in a folder\N{HORIZONTAL ELLIPSIS}"), "", self._choose)
        self.forget_button = button(self.tr("Forget the selected\N{HORIZONTAL ELLIPSIS}"), "", self._forget)
        self.close_button = button(self.tr("Close"), "", self.accept)
        self._place()
        self._scrolled = QTimer(self, singleShot=True, interval=30)
        self._scrolled.timeout.connect(self._want_pictures)
        self.photos.verticalScrollBar().valueChanged.connect(self._scrolled.start)
        for table in (self.proposals, self.photos):
            table.selectionModel().selectionChanged.connect(self._enable)
        missing.state_changed.connect(self._show)
        self.finished.connect(missing.stop)
        for each in (self.accept_button, self.accept_all_button, self.search_button, self.forget_button):
            each.setAutoDefault(False)
        missing.begin()
        self._show()

    def _place(self) -> None:
        first = in_row((self.found, 1), self.accept_button, self.accept_all_button)
        last = in_row(self.search_button, self.forget_button, STRETCH, self.close_button)
        in_dialog(
            self,
            self.explanation,
            self._busy,
            first,
            (self.proposals, 2),
            label(self.tr("Missing photos"), "section"),
            (self.photos, 3),
            last,
            spacing=10,
        )
        self.resize(980, 640)

    # ------------------------------------------------------------------ user actions
    def selected_proposals(self) -> list[Proposal]:
        """Return the selected proposals."""
        rows = sorted(index.row() for index in self.proposals.selectionModel().selectedRows())
        return [self._missing.proposals.proposals[row] for row in rows]

    def selected_photos(self) -> list[int]:
        """Return the selected missing photos."""
        rows = sorted(index.row() for index in self.photos.selectionModel().selectedRows())
        return [self._missing.table.photos[row].photo.id for row in rows]

    def _accept_selected(self) -> None:
        self._missing.accept(self.selected_proposals())

    def _accept_all(self) -> None:
        self._missing.accept(self._missing.proposals.proposals)

    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Folder to search for missing photos"), str(Path.home())
        )
        if chosen:
            self._missing.search(Path(chosen))

    def _forget(self) -> None:
        """Stop listing the photos, after a question that names the affected data."""
        ids = self.selected_photos()
        rich = sum(1 for each in self._missing.table.photos if each.photo.id in set(ids) and not each.bare)
        text = self.tr("Forget {0} missing photos?").format(grouped(len(ids)))
        if len(ids) == 1:
            text = self.tr("Forget this missing photo?")
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Forget missing photos"), text, parent=self)
        lines = [self.tr("Nothing is deleted. Undo brings them back, and so does finding the file again.")]
        if rich:
            said = self.tr("{0} of them have tags, judgements or ratings, which will no longer be shown.")
            if len(ids) == 1:
                said = self.tr("It has tags, judgements or ratings, which will no longer be shown.")
            lines.insert(0, said.format(grouped(rich)))
        box.setInformativeText("\n".join(lines))
        forget = box.addButton(self.tr("Forget"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        forget.clicked.connect(lambda: self._missing.forget(ids))
        open_dialog(box)

    # ------------------------------------------------------------------ display
    def _show(self) -> None:
        missing = self._missing
        count, proposed = missing.table.rowCount(), missing.proposals.rowCount()
        if not missing.loaded:
            self.explanation.setText(self.tr("Looking for missing photos\N{HORIZONTAL ELLIPSIS}"))
        elif not count:
            self.explanation.setText(self.tr("No photo is missing."))
        else:
            text = self.tr("The files of {0} photos are missing. Their tags and judgements stay.")
            self.explanation.setText(text.format(grouped(count)))
        self._busy.setVisible(missing.searching)
        if missing.searching:
            self.found.setText(self.tr("Searching for their files\N{HORIZONTAL ELLIPSIS}"))
        else:
            nothing = self.tr("No file was found: search in another folder")
            self.found.setText(self.tr("Possible locations") if proposed else nothing if count else "")
        self.proposals.setVisible(proposed > 0)
        self._enable()
        self._scrolled.start()

    def _enable(self) -> None:
        missing = self._missing
        free = self._writable and not missing.searching
        self.accept_button.setEnabled(free and bool(self.proposals.selectionModel().selectedRows()))
        self.accept_all_button.setEnabled(free and missing.proposals.rowCount() > 0)
        self.forget_button.setEnabled(self._writable and bool(self.photos.selectionModel().selectedRows()))

    def _want_pictures(self) -> None:
        first = max(0, self.photos.rowAt(0))
        last = self.photos.rowAt(self.photos.viewport().height() - 1)
        self._missing.table.want(first, last if last >= 0 else self._missing.table.rowCount() - 1)


def _table(model: QAbstractTableModel, name: str) -> QTableView:
    table = RowTable(name, model, several=True)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    return table
