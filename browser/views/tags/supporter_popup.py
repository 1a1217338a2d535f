# SPDX-License-Identifier: MIT
"""The supporting neighbours of a suggestion, large enough to judge; the user can remove the tag or open a photo."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from focal_photos.browser.models.tagging.suggestion_model import SuggestionRow
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.browser.views.base.layouts import in_column
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.supporter_strip import SupporterStrip

_MARGIN: Final = 8


class SupporterPopup(QFrame):
    """A popup that stays until a photo is chosen, Esc, or a click elsewhere."""

    wrong = Signal(int, str)
    """A photo and the tag to remove from it ((int, str))."""
    opened = Signal(int)
    """The user wants this photo as the focal image."""

    def __init__(self, loader: ThumbnailLoader, theme: Theme, parent: QWidget, *, can_answer: bool) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("supporterPopup")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._can_answer = can_answer
        self._tag = ""
        self.strip = SupporterStrip(loader, theme, self)
        self.strip.show()
        in_column(self.strip, margins=0, parent=self)
        self.strip.wrong.connect(self._say_wrong)
        self.strip.opened.connect(self._open)

    def show_row(self, row: SuggestionRow, beside: QPoint) -> None:
        """Show the supporting neighbours of a suggestion, to the left of a place on the screen."""
        self._tag = row.suggestion.tag
        self.strip.show_cards(self._tag, row.supporters, can_open=True, can_answer=self._can_answer)
        self.adjustSize()
        screen = self.screen().availableGeometry()
        left = beside.x() - self.width() - _MARGIN
        if left < screen.left():
            left = beside.x() + _MARGIN
        left = max(screen.left(), min(left, screen.right() - self.width()))
        top = max(screen.top(), min(beside.y() - self.height() // 2, screen.bottom() - self.height()))
        self.move(left, top)
        self.show()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        """Keep digits and the key that opens the popup from the window, where they have other meanings."""
        mine = isinstance(event, QKeyEvent) and (_number(event) in range(1, 10) or event.key() == Qt.Key.Key_W)
        if mine and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a photo by its digit; close the popup with the key that opened it, or Esc."""
        number = _number(event)
        if 1 <= number <= len(self.strip.cards):
            self.strip.take(number, opens=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif event.key() in (Qt.Key.Key_W, Qt.Key.Key_Escape):
            self.close()
        else:
            super().keyPressEvent(event)

    def _say_wrong(self, photo_id: int) -> None:
        self.close()
        self.wrong.emit(photo_id, self._tag)

    def _open(self, photo_id: int) -> None:
        self.close()
        self.opened.emit(photo_id)


def _number(event: QKeyEvent) -> int:
    """Return the digit of a key, or another number for other keys."""
    return event.key() - Qt.Key.Key_0.value
