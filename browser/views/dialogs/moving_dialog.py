# SPDX-License-Identifier: MIT
"""The dialog shown while a library is moved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QWidget

from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.moving import Moving
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_dialog
from focal_photos.browser.views.base.task_strip import busy_bar


class MovingDialog(QDialog):
    """Moves a library that was just closed, and closes automatically."""

    def __init__(self, source: Path, target: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.folder = source
        """Folder of the library: `target` after it was moved."""
        self.setWindowTitle(self.tr("Moving the library"))
        text = self.tr("{0} is copied to {1} and compared; then the original is deleted.")
        self.text = label(text.format(shown(str(source)), shown(str(target))), "", wrap=True)
        self.busy = busy_bar(self.tr("Moving the library"))
        self.stop_button = button(self.tr("Stop and leave it in place"), "", self.reject)
        self.open_button = button(self.tr("Open the library where it is"), "primary", self.accept)
        self.open_button.hide()
        in_dialog(self, self.text, self.busy, self.stop_button, self.open_button)
        self.setMinimumWidth(460)
        self._moving = Moving(self)
        self._moving.done.connect(self._end)
        self._moving.failed.connect(self._fail)
        self.finished.connect(self._close)
        self._moving.move(source, target)
        self._target = target

    def _end(self, folder: Path) -> None:
        self.folder = folder
        self.accept()

    def _close(self) -> None:
        self._moving.close()
        if not (self.folder / "catalog.sqlite").exists():  # stopped at the very end, after it had been moved
            self.folder = self._target

    def _fail(self, message: str) -> None:
        self.busy.hide()
        self.stop_button.hide()
        self.text.setText(shown(message))
        self.open_button.show()
