# SPDX-License-Identifier: MIT
"""The tag field, with completion."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.fields.completer import Completer
from focal_photos.browser.views.base.fields.new_tag_line import new_tag_line


class TagField(QLineEdit):
    """Takes tags, separated by commas; a minus sign before a tag removes it."""

    entered = Signal(object, object)
    """Tags to add and to remove. Enter takes the selected completion, Shift+Enter the typed text ((list of str, list of
    str))."""
    finished = Signal()
    """Esc, or Enter in the empty field, was pressed, so the keyboard focus returns to the grid."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setPlaceholderText(self.tr("Add tags: beach, animal/dog"))
        self.setAccessibleName(self.tr("Add tags"))
        self._completer = Completer(self, self._complete, self._as_typed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply the tags on Enter, leave the field on Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._completer.hide()
            words = [word.strip() for word in self.text().split(",") if word.strip().strip("-+")]
            self.clear()
            if words:
                add = [word.lstrip("+").strip() for word in words if not word.startswith("-")]
                self.entered.emit(add, [word[1:].strip() for word in words if word.startswith("-")])
            else:
                self.finished.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.finished.emit()
        else:
            super().keyPressEvent(event)

    def _typed(self, text: str, cursor: int) -> tuple[int, str, str]:
        """Return the start of the tag at the cursor, the sign before its name, and the typed part of the name."""
        start = text.rfind(",", 0, cursor) + 1
        typed = text[start:cursor]
        sign = typed[: len(typed) - len(typed.lstrip(" -+"))]
        return start, sign, typed[len(sign) :]

    def _complete(self, text: str, cursor: int) -> list[str]:
        start, sign, typed = self._typed(text, cursor)
        return [text[:start] + sign + name + text[cursor:] for name in self._session.sidebar.words.complete_name(typed)]

    def _as_typed(self, text: str, cursor: int) -> str:
        return new_tag_line(self._typed(text, cursor)[2])
