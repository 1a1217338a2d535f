# SPDX-License-Identifier: MIT
"""The text that photos are ranked by, in a strip above the photos; it replaces the focal image."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking.queries.query import TextQuery
from focal_photos.browser.views.base.buttons import tool_button
from focal_photos.browser.views.base.labels import HintLabel
from focal_photos.browser.views.base.layouts import in_column, in_row
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.focal_panel import HEIGHT
from focal_photos.browser.views.photos.verdict_badge import VerdictBadge


class _Field(QLineEdit):
    """A field that keeps its keys from the shortcuts of the photos."""

    left = Signal()
    """The keyboard focus moved to another widget of the window."""

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Emit `left`, except for another window and a menu, which return the focus."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.left.emit()

    def event(self, event: QEvent) -> bool:
        """Keep Enter and Esc from the photos, which have them as shortcuts."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        ):
            event.accept()
            return True
        return super().event(event)


class TextStrip(QWidget):
    """A field with the text; hidden unless photos are ranked by a text or the user writes one."""

    judgements_wanted = Signal(object)
    """The user wants to list the judgements with this verdict (Verdict)."""
    finished = Signal()
    """Enter or Esc was pressed, so the keyboard focus returns to the photos."""
    writing_changed = Signal()
    """`writing` has changed."""

    def __init__(self, session: Session, theme: Theme, reasons: QWidget) -> None:
        super().__init__()
        self.setObjectName("focalPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Text"))
        self.setFixedHeight(HEIGHT)
        self._session = session
        self._suppressed = self._writing = self._was_writing = False
        self.field = _Field()
        self.field.setFont(scaled_font(self.font(), 1.15))
        self.field.setAccessibleName(self.tr("What the photos show"))
        self.field.setPlaceholderText(self.tr("What the photos show: a red boat"))
        self.field.returnPressed.connect(self._ask)
        self.field.left.connect(self._left)
        self.close_button = tool_button(theme, "cross", self.tr("Leave the ranking (G)"), self._leave)
        self._similar = VerdictBadge(theme, Verdict.SIMILAR)
        self._dissimilar = VerdictBadge(theme, Verdict.DISSIMILAR)
        self._similar.clicked.connect(lambda: self.judgements_wanted.emit(Verdict.SIMILAR))
        self._dissimilar.clicked.connect(lambda: self.judgements_wanted.emit(Verdict.DISSIMILAR))
        self._hint = HintLabel()
        self._of_a_ranking = self._similar, self._dissimilar, reasons
        heading = in_row((self.field, 1), self.close_button, spacing=8)
        foot = in_row(
            (self._similar, 0, Qt.AlignmentFlag.AlignBottom),
            (self._dissimilar, 0, Qt.AlignmentFlag.AlignBottom),
            (self._hint, 1),
            spacing=8,
        )
        self._hint.setAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
        words = in_column(heading, (foot, 1), spacing=6)
        in_row((words, 1), (reasons, 1), margins=(12, 10, 12, 10), spacing=14, parent=self)
        session.navigator.trail_changed.connect(self._show_step)
        session.navigator.marks_changed.connect(self._show_marks)
        self._show()

    @property
    def writing(self) -> bool:
        """Whether the user writes a text while photos are not ranked by a text."""
        return self._writing and self._query is None

    def set_suppressed(self, suppressed: bool) -> None:
        """Hide the strip, or show it again if it is needed."""
        self._suppressed = suppressed
        self._show_or_hide()

    def write(self) -> None:
        """Let the user write a text or change the present one."""
        self._writing = True
        self._show_or_hide()
        self._show_hint()
        self.field.setFocus()
        self.field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the field on Esc, discarding a text that was not used."""
        if event.key() == Qt.Key.Key_Escape and self.field.hasFocus():
            self._show()
            self.finished.emit()
        # the field handles these keys and passes them on
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    @property
    def _query(self) -> TextQuery | None:
        query = self._session.navigator.trail.current.query
        return query if isinstance(query, TextQuery) else None

    def _ask(self) -> None:
        if self.field.text().strip():
            self._session.navigator.rank_by_text(self.field.text())
            self.finished.emit()

    def _leave(self) -> None:
        self._writing = False
        if self._query is None:
            self._show()
            self.finished.emit()
        else:
            self._session.navigator.leave_ranking()

    def _show_step(self) -> None:
        """Show the text of the current step; a late ranking does not replace a text being written."""
        if not (self.writing and self.field.hasFocus()):
            self._show()

    def _show(self) -> None:
        """Show the text of the current step."""
        query = self._query
        self._writing = False
        self.field.setText("" if query is None else query.text)
        self.field.setCursorPosition(0)
        self._show_or_hide()
        self._show_marks()
        self._show_hint()

    def _left(self) -> None:
        """Hide the strip if no text was written; a written text waits for Enter."""
        if self.writing and not self.field.text().strip():
            self._show()

    def _show_or_hide(self) -> None:
        for widget in self._of_a_ranking:
            widget.setVisible(self._query is not None)
        self.setVisible((self._writing or self._query is not None) and not self._suppressed)
        if self._was_writing != self.writing:
            self._was_writing = self.writing
            self.writing_changed.emit()

    def _show_hint(self) -> None:
        if self._query is None:
            text = self.tr("Enter ranks the photos by this text. Needs an image-and-text network: Settings, Networks.")
        else:
            text = self.tr("S: fits this text. D: does not fit. Double-click or Enter: set as focal image.")
        self._hint.setText(text)

    def _show_marks(self) -> None:
        verdicts = [] if self._query is None else list(self._session.navigator.marks.values())
        self._similar.set_count(verdicts.count(Verdict.SIMILAR))
        self._dissimilar.set_count(verdicts.count(Verdict.DISSIMILAR))
