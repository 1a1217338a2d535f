# SPDX-License-Identifier: MIT
"""A damaged library: the problem, and ways to repair it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QRadioButton, QWidget

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.repair import Repair
from focal_photos.browser.operations.library.restore import Restored, rescue_lines
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.task_strip import busy_bar
from focal_photos.browser.views.dialogs.backup_table import BackupTable, difference_text


class DamagedDialog(QDialog):
    """Explains what is wrong with a library, and repairs it in the way that the user chooses.

    It is accepted when the library is repaired, or when another one was chosen.

    Parameters
    ----------
    problem : str
        Description of the damage, for the user.
    """

    def __init__(self, folder: Path, problem: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("The library is damaged"))
        self.other: Path | None = None
        """The folder of another library to open instead."""
        self._repair = Repair(folder, self)
        self._busy_with = 0
        self._rescuable = False
        self._restorable = False
        self._compared: Backup | None = None
        self.title = label(self.tr("The library {0} is damaged").format(shown(folder.name)), "title", wrap=True)
        self.problem = label(shown(problem), "soft", wrap=True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.rescue_choice = QRadioButton(self.tr("&Rescue the intact data, and fill the gaps from the newest backup"))
        self.rescue_text = label(self.tr("Reading what is sound\N{HORIZONTAL ELLIPSIS}"), "", wrap=True)
        self.restore_choice = QRadioButton(self.tr("Go back to a &backup"))
        self.table = BackupTable()
        self.difference = label("", "", wrap=True)
        self.difference.setTextFormat(Qt.TextFormat.PlainText)
        self.kept = label(self.tr("In either case the damaged catalogue is kept."), "soft", wrap=True)
        self.busy = busy_bar(self.tr("Working"))
        self.error = label("", "error", wrap=True)
        self.other_button = button(self.tr("Open another library\N{HORIZONTAL ELLIPSIS}"), "", self._choose_other)
        self.quit_button = button(self.tr("Quit"), "", self.reject)
        self.repair_button = button(self.tr("Repair"), "primary", self._start)
        self._place()
        self._repair.listed.connect(self._list)
        self._repair.compared.connect(self._show_compared)
        self._repair.done.connect(self.accept)
        self._repair.failed.connect(self._fail)
        self.table.chosen.connect(self._compare)
        self.rescue_choice.toggled.connect(self._enable)
        self.rescue_choice.setChecked(True)
        self.finished.connect(self._repair.close)
        self._repair.list()
        self._begin()
        self._repair.compare(None)
        self._enable()

    def _place(self) -> None:
        foot = in_row(self.other_button, STRETCH, self.quit_button, self.repair_button)
        layout = in_dialog(self, spacing=10)
        above: tuple[QWidget, ...]
        above = (self.title, self.problem, self.rescue_choice, self.rescue_text, self.restore_choice)
        for one in above:
            layout.addWidget(one)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.difference)
        layout.addWidget(self.kept)
        layout.addWidget(self.busy)
        layout.addWidget(self.error)
        self.error.hide()
        layout.addLayout(foot)
        for each in (self.other_button, self.quit_button):
            each.setAutoDefault(False)
        self.repair_button.setDefault(True)
        self.resize(760, 620)

    def _list(self, found: list[Backup]) -> None:
        self.table.show_backups(found)
        self.restore_choice.setEnabled(bool(found))
        if not found:
            self.difference.setText(self.tr("There is no backup."))

    def _compare(self, backup: Backup) -> None:
        if backup != self._compared:
            self._compared, self._restorable = backup, False
            self.difference.setText(self.tr("Comparing\N{HORIZONTAL ELLIPSIS}"))
            self._begin()
            self._repair.compare(backup)
            self._enable()

    def _show_compared(self, backup: Backup | None, result: Restored) -> None:
        self._end()
        if backup is None:
            self._rescuable = True
            self.rescue_text.setText("\n".join(rescue_lines(result)))
        elif backup == self._compared:
            self._restorable = True
            self.difference.setText(difference_text(result.differences))
        self._enable()

    def _start(self) -> None:
        rescuing = self.rescue_choice.isChecked()
        for each in (self.rescue_choice, self.restore_choice, self.table, self.repair_button, self.other_button):
            each.setEnabled(False)
        self._begin()
        self._repair.repair(None if rescuing else self.table.backup)

    def _fail(self, message: str) -> None:
        self._end()
        if not self._rescuable:
            self.rescue_text.setText(self.tr("Nothing can be rescued."))
            self.restore_choice.setChecked(self.table.backup is not None)
        for each in (self.rescue_choice, self.restore_choice, self.table, self.other_button):
            each.setEnabled(True)
        self.error.setText(shown(message))
        self.error.show()
        self._enable()

    def _enable(self) -> None:
        ready = self._rescuable if self.rescue_choice.isChecked() else self._restorable
        self.repair_button.setEnabled(ready)
        self.table.setEnabled(self.restore_choice.isEnabled())

    def _begin(self) -> None:
        self._busy_with += 1
        self.busy.show()

    def _end(self) -> None:
        self._busy_with = max(0, self._busy_with - 1)
        self.busy.setVisible(self._busy_with > 0)

    def _choose_other(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Open another library"), str(Path.home()))
        if chosen:
            self.other = Path(chosen)
            self.accept()
