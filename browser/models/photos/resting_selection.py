# SPDX-License-Identifier: MIT
"""The selection once it rests: a drag over many tiles changes it at every move."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from focal_photos.browser.models.photos.navigator import Navigator

REST_MILLISECONDS = 30


class RestingSelection(QObject):
    """Reports when data that depends on the selection should be read."""

    rested = Signal()
    """The selection or the focal image has changed, and has stayed the same for a moment."""

    def __init__(self, navigator: Navigator, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._timer.timeout.connect(self.rested)
        navigator.selection_changed.connect(self._timer.start)

    @property
    def resting(self) -> bool:
        """Whether the last change was reported."""
        return not self._timer.isActive()

    def close(self) -> None:
        """Report nothing more."""
        self._timer.stop()
