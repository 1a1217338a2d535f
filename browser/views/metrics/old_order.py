# SPDX-License-Identifier: MIT
"""Display of the order before the metric changed while a key is held."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.metrics.movement import Movement


class OldOrder(QObject):
    """Returns to the current order when the key is released or the photos lose the keyboard focus.

    Parameters
    ----------
    photos : QWidget
        Has the keyboard focus while the key is held.
    """

    def __init__(self, photos: QWidget, movement: Movement) -> None:
        super().__init__(photos)
        self._movement = movement
        photos.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the current order on a key release or a loss of focus."""
        let_go = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat()
        if let_go or event.type() == QEvent.Type.FocusOut:
            self._movement.show_before(False)
        return super().eventFilter(watched, event)
