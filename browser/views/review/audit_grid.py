# SPDX-License-Identifier: MIT
"""The photos of an audit: a green background means that a photo should carry the tag; click and Space change it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.models.review.audit import Audit
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import TileParts
from focal_photos.browser.views.review.answer_delegate import AnswerDelegate

_TILE: Final = 168
_PLAIN: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier)
_OF_THE_WINDOW: Final = (Qt.Key.Key_Escape, Qt.Key.Key_F1, Qt.Key.Key_F5, Qt.Key.Key_F11)


class AuditGrid(GridView):
    """Shows the photos of a question.

    Signals
    -------
    accepted : None
        Enter was pressed.
    skipped : None
        Tab was pressed.
    """

    accepted = Signal()
    skipped = Signal()

    def __init__(self, audit: Audit, theme: Theme) -> None:
        self._audit = audit
        super().__init__(audit.tiles.grid, theme, delegate=_AuditDelegate(audit, theme), shape=TileShape.FRAMED)
        self.setObjectName("grid")
        self.setAccessibleName(self.tr("Photos of the audit"))
        self.setSelectionMode(GridView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.set_tile_size(_TILE)
        audit.tiles.changed.connect(self.viewport().update)
        audit.tiles.shown.connect(self._question_changed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Change the answer of a tile."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        row = self.indexAt(event.position().toPoint()).row()
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._make_current(row)
            self._audit.tiles.flip([row])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ignore the second click on a tile as accidental."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Do nothing: there is nothing to drag."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Do nothing: the answer changed on the press."""

    def event(self, event: QEvent) -> bool:
        """Keep plain keys from the shortcuts of the window, and Tab from moving the keyboard focus."""
        if isinstance(event, QKeyEvent):
            plain = event.modifiers() in _PLAIN and event.text() != "?" and event.key() not in _OF_THE_WINDOW
            if event.type() == QEvent.Type.ShortcutOverride and plain:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab and not event.modifiers():
                self.skipped.emit()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys for answers."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.accepted.emit()
        elif key == Qt.Key.Key_Space:
            rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
            current = self.currentIndex().row()
            if current >= 0 and not event.isAutoRepeat():
                self._audit.tiles.flip(rows if current in rows else [current])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(-1 if key == Qt.Key.Key_Minus else 1)
        else:
            super().keyPressEvent(event)

    def _make_current(self, row: int) -> None:
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self.model().index(row, 0), flag)

    def _question_changed(self) -> None:
        self.verticalScrollBar().setValue(0)
        if self._audit.question is not None:
            self._make_current(0)
        self._rows_shown()


class _AuditDelegate(AnswerDelegate):
    """Paints tiles: green if the photo should carry the tag; a check or cross if its present tags differ."""

    gap = 6.0
    padding = 7.0

    def __init__(self, audit: Audit, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._audit = audit

    @property
    def answers(self) -> Answers:
        """Answers to the question that is shown."""
        return self._audit.tiles.answers

    def _paint_picture(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        super()._paint_picture(painter, parts, tile, option)
        self._paint_flipped(painter, parts, tile)

    def _paint_caption(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        question = self._audit.question
        if question is not None:
            yes = self.is_yes(tile)
            text = question.tag if yes else self.tr("not {0}").format(question.tag)
            painter.setFont(scaled_font(option.font, 0.92))
            painter.setPen(self._theme.color("text" if yes else "text-soft"))
            metrics = QFontMetricsF(painter.font())
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, parts.caption.width())
            painter.drawText(parts.caption, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_frame(self, painter: QPainter, option: QStyleOptionViewItem, parts: TileParts, tile: TileState) -> None:
        """Paint nothing: the background shows the answer."""
