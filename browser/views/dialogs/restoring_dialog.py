# SPDX-License-Identifier: MIT
"""The dialog shown while a backup replaces the library."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QWidget

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.repair import Repair
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_dialog
from focal_photos.browser.views.base.task_strip import busy_bar


class RestoringDialog(QDialog):
    """Restores a backup of a library that was just closed, and closes automatically."""

    def __init__(self, folder: Path, backup: Backup, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Restoring"))
        text = self.tr("The library is restored from the backup of {0:%Y-%m-%d %H:%M}. The present library is saved.")
        self.text = label(text.format(backup.at.astimezone()), "", wrap=True)
        self.busy = busy_bar(self.tr("Restoring"))
        self.open_button = button(self.tr("Open the library as it is"), "primary", self.accept)
        self.open_button.hide()
        in_dialog(self, self.text, self.busy, self.open_button)
        self.setMinimumWidth(460)
        self._repair = Repair(folder, self)
        self._repair.done.connect(self.accept)
        self._repair.failed.connect(self._fail)
        self.finished.connect(self._repair.close)
        self._repair.repair(backup)

    def reject(self) -> None:
        """Do nothing: the dialog stays until the restore is done, which takes seconds."""

    def _fail(self, message: str) -> None:
        self.busy.hide()
        self.text.setText(shown(message))
        self.open_button.show()
