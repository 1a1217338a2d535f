# SPDX-License-Identifier: MIT
"""The field for the name of a box, below it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.fields.completer import Completer
from focal_photos.browser.views.base.fields.new_tag_line import new_tag_line

_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)


class BoxNameField(QLineEdit):
    """Takes a tag, and proposes likely tags and the last ones of boxes while nothing is typed."""

    entered = Signal(str)
    """Enter was pressed: the selected completion, or with Shift+Enter the typed text; empty if there is none."""
    left = Signal()
    """Esc was pressed, or the field lost the keyboard focus."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.setAccessibleName(self.tr("Name of the box"))
        self.setPlaceholderText(self.tr("Name: a tag"))
        self._proposed = ""
        self._completer = Completer(self, self._complete, lambda text, _cursor: new_tag_line(text))
        self.hide()

    def ask(self, proposed: str) -> None:
        """Take the keyboard, with a proposed name."""
        self._proposed = proposed
        self.setText(proposed)
        self.selectAll()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._completer.show()

    @property
    def untouched(self) -> bool:
        """Whether the text is still the proposed one."""
        return self.text() == self._proposed and not self.isUndoAvailable()

    def _complete(self, text: str, _cursor: int) -> list[str]:
        words, offered = self._session.sidebar.words, self._session.tagging.boxes.offered
        return words.complete_name("" if self.untouched else text, offered)

    def event(self, event: QEvent) -> bool:
        """Keep Enter and Esc from the photos; while nothing is typed, leave digits and Undo to the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            if self.untouched and (event.text() in set("123456789") or any(event.matches(key) for key in undo)):
                event.ignore()
                return False
            if event.key() in _KEYS:
                if event.key() == Qt.Key.Key_Escape and self.untouched:
                    self._completer.hide()  # so that Esc leaves the field at once
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the name on Enter, leave the field on Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._completer.hide()
            self.entered.emit(self.text().strip())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Report that the keyboard went elsewhere, except to another window."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.left.emit()
