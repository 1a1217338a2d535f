# SPDX-License-Identifier: MIT
"""The filter field: text with completion, applied while the user types."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from focal_photos.browser.models.photos.text_query import split_text
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import add_clear_button
from focal_photos.browser.views.base.fields.completer import Completer
from focal_photos.browser.views.base.fields.field_error import FieldMessage, show_field_error
from focal_photos.browser.views.base.layouts import open_dialog
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.sidebar.search_tree import SearchNameDialog


class SearchField(QLineEdit):
    """Filters the grid."""

    finished = Signal()
    """Enter or Esc was pressed, so the keyboard focus returns to the grid."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.setPlaceholderText(self.tr("Filter (Ctrl+F)"))
        self.setAccessibleName(self.tr("Filter"))
        self.setToolTip(tool_tip(self._help()))
        add_clear_button(self)
        glass = QAction(self.tr("Filter"), self)
        theme.set_icon(glass, "search", "text-faint")
        self.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        self.save_action = QAction(self.tr("Save this search"), self)
        theme.set_icon(self.save_action, "save-search", "text-soft")
        self.save_action.triggered.connect(self.save)
        self.addAction(self.save_action, QLineEdit.ActionPosition.TrailingPosition)
        self.save_action.setVisible(False)
        self.message: FieldMessage | None = None
        self._completer = Completer(self, session.sidebar.words.complete_query)
        self._query = ""
        self._leaving = False
        self._entered = False
        self._typed = QTimer(self, singleShot=True, interval=250)
        self._typed.timeout.connect(self._apply)
        self.textChanged.connect(self._text_changed)
        session.navigator.trail_changed.connect(self._show_query)
        session.navigator.arranger.query_refused.connect(self._refused)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply the text on Enter and Esc, and return to the photos.

        With an invalid text, Enter keeps the focus in the field, and Esc reverts the text.

        A text to rank by (``text:a red boat``) is used on Enter only; the rest of the query stays as filter.
        """
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            query, text = split_text(self.text())
            if text is not None:
                self.setText(query)
            self._apply()
            if text:
                self._session.navigator.rank_by_text(text)
            self.finished.emit()
            self._entered = True
        elif event.key() == Qt.Key.Key_Escape:
            # typed text is applied even before the pause is over; only an invalid text is reverted
            self._leaving = True
            if self.waiting:
                self._apply()
            else:
                self._show_query(force=True)
            self.finished.emit()
        else:
            super().keyPressEvent(event)

    @property
    def waiting(self) -> bool:
        """Whether typed text is still to be applied."""
        return self._typed.isActive()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin a new edit: all text typed until the field loses the focus makes one step of the trail."""
        self._entered = False
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self._session.navigator.begin_filter()
            self._leaving = False
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Apply typed text before the click elsewhere takes effect; hide the error message, but not the frame."""
        super().focusOutEvent(event)
        if self.waiting and event.reason() is Qt.FocusReason.MouseFocusReason:
            self._apply()
        if self.message is not None:
            self.message.hide()

    def save(self) -> None:
        """Let the user name the filter, and save it."""
        self._apply()
        query = " ".join(self.text().split())
        open_dialog(SearchNameDialog(self._session, query, "", self.window()))

    def _help(self) -> str:
        return self.tr(
            "Words from tags, names and folders; tag:dog, -tag:cat, untagged, judged, suggested:sea, "
            "date:2024-05, rating>=3, size>2mb, similar:a.jpg; or, and brackets: (beach or tag:sea) -failed. "
            "Enter after text:a red boat ranks by a text"
        )

    def _show_problem(self, problem: str) -> None:
        show_field_error(self, problem, self._help())
        if self.message is None and problem:
            self.message = FieldMessage(self)
        if self.message is not None:
            self.message.show_text(problem if self.hasFocus() else "")

    def _text_changed(self) -> None:
        self._show_problem("")
        self.save_action.setVisible(bool(self.text().strip()) and not self._session.read_only)
        if self.hasFocus():
            self._typed.start()

    def _apply(self) -> None:
        self._typed.stop()
        self._query = split_text(self.text())[0]
        self._session.navigator.set_query(self._query)

    def _show_query(self, *, force: bool = False) -> None:
        """Show the applied filter, unless the user is typing another one, or a text to rank by."""
        query = self._session.navigator.collection.query
        types = self._typed.isActive() or (self.hasFocus() and split_text(self.text())[1] is not None)
        if force or not types:
            if " ".join(self.text().split()) != query:
                self.setText(query)
                self._typed.stop()
            self._show_problem("")

    def _refused(self, reason: str) -> None:
        if self._leaving:
            self._show_query(force=True)
        elif self.text() == self._query:  # otherwise the user has typed something else since
            if self._entered:  # the photos have the focus, so the error would not be visible
                self.setFocus(Qt.FocusReason.OtherFocusReason)
            self._show_problem(shown(reason))
            self.save_action.setVisible(False)
