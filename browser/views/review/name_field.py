# SPDX-License-Identifier: MIT
"""The field for the name of a new kind or for the tag of a photo."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.fields.completer import Completer
from focal_photos.browser.views.base.fields.new_tag_line import new_tag_line
from focal_photos.browser.views.review.digit_keys import key_number


class NameField(QLineEdit):
    """Takes a name, which is completed to a known tag, a proposed name or a common word.

    Parameters
    ----------
    completes : bool
        Whether completions are shown below it.
    """

    entered = Signal(str)
    """Enter was pressed: the selected completion, or with Shift+Enter the typed text."""
    passed = Signal()
    """Tab was pressed."""
    left = Signal()
    """Esc in the filled field or the down arrow was pressed, so the photos receive the keyboard focus."""
    key = Signal(int)
    """The key of a tag was pressed in the empty field: its place among `browser.models.review.tag_keys.KEYS`, from
    1."""

    def __init__(self, session: Session, *, completes: bool = True) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Name"))
        self._completer: Completer | None = None
        if completes:
            self._completer = Completer(
                self,
                lambda text, _cursor: session.sidebar.words.complete_name(text, session.review_pages.proposed.names),
                lambda text, _cursor: new_tag_line(text),
            )

    def event(self, event: QEvent) -> bool:
        """Use Tab to skip; in an untouched field, leave Undo and the list of keys to the window."""
        typed = bool(self.text()) and self.isUndoAvailable()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and not typed:
            undo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            if any(event.matches(key) for key in undo) or (event.text() == "?" and not self.text()):
                event.ignore()
                return False
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Tab
            and not event.modifiers()
            and not (self._completer is not None and self._completer.shown)
        ):
            self.passed.emit()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answer on Enter, or on a tag's key in the empty field; leave the field on Esc and the down arrow."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._completer is not None:
                self._completer.hide()
            if not event.isAutoRepeat():
                self.entered.emit(self.text().strip())
        elif not self.text() and (number := key_number(event)):
            if not event.isAutoRepeat():
                self.key.emit(number)
        elif event.key() == Qt.Key.Key_Down or (event.key() == Qt.Key.Key_Escape and self.text()):
            if event.key() == Qt.Key.Key_Escape:
                self.setText("")
            self.left.emit()
        else:
            super().keyPressEvent(event)
