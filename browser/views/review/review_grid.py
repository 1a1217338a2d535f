# SPDX-License-Identifier: MIT
"""The grid of Review, with a line: photos above it are yes; a click or Space flips a tile, a drag several."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)

from focal_photos.browser.models.review.review import Review
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.review.answer_grid import AnswerGrid, Gesture
from focal_photos.browser.views.review.digit_keys import key_number
from focal_photos.browser.views.review.review_delegate import HIDDEN, ReviewDelegate

_GRIP: Final = 7
"""Distance in pixels from the line at which it can be dragged."""
_HANDLE_ABOVE: Final = 10
"""Largest part of the handle above the line, in pixels, because the percentages are there."""

TILE: Final = 176
"""Width of a tile in pixels, to begin with."""


class ReviewGrid(AnswerGrid):
    """Shows the photos of a question."""

    typed = Signal(str)
    """A letter was typed; it belongs to a name."""
    key = Signal(int)
    """The key of a tag was pressed: its place among `browser.models.review.tag_keys.KEYS`, from 1."""
    supporters_wanted = Signal(int, bool)
    """The key for the supporting neighbours of a photo is held (True) or was released ((int, bool))."""

    def __init__(self, review: Review, theme: Theme, delegate: ReviewDelegate | None = None) -> None:
        self._review = review
        super().__init__(review.tiles, theme, delegate or ReviewDelegate(review, theme))
        self.setAccessibleName(self.tr("Photos that may carry the tag"))
        self.set_tile_size(TILE)
        self.tile_size_changed.connect(lambda _: self.viewport().update())

    @property
    def takes_answers(self) -> bool:
        """Whether answers can be changed now."""
        return not self._review.busy

    # ------------------------------------------------------------------ the line
    def line_points(self, line: int) -> list[QPointF]:
        """Return the corners of the line behind a number of photos, in viewport coordinates.

        The first is at the start of a row of tiles: at the left edge, or at the right one in right-to-left languages.
        """
        columns, cell = self.columns, self.gridSize()
        row, column = divmod(line, columns)
        top = row * cell.height() - self.verticalScrollBar().value()
        right = float(columns * cell.width())
        question, below = column * cell.width(), top + cell.height()
        points = [QPointF(0, top), QPointF(right, top)]
        if column:
            points = [QPointF(0, below), QPointF(question, below), QPointF(question, top), QPointF(right, top)]
        if self.isRightToLeft():
            points = [QPointF(self.viewport().width() - point.x(), point.y()) for point in points]
        return points

    def on_line(self, point: QPointF) -> bool:
        """Return whether a point is close enough to the line to drag it."""
        if not self._review.answers.photo_ids:
            return False
        points = self.line_points(self._review.answers.line)
        return any(_near(point, start, end) for start, end in pairwise(points))

    def line_at(self, point: QPointF) -> int:
        """Return the number of photos above the line if it is dragged to a point."""
        columns, cell = self.columns, self.gridSize()
        row = (point.y() + self.verticalScrollBar().value()) / cell.height()
        x = self.viewport().width() - point.x() if self.isRightToLeft() else point.x()
        column = round(x / cell.width())
        if row < 0:
            return 0
        return min(int(row) * columns + min(max(column, 0), columns), len(self._review.answers.photo_ids))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tiles and the line over them."""
        super().paintEvent(event)
        answers = self._review.answers
        if not answers.photo_ids:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._theme.color("accent")
        points = [point + QPointF(0, 1) if point.y() <= 0 else point for point in self.line_points(answers.line)]
        dragged = self._gesture is not None and self._gesture.drags_line
        pen = QPen(color, 3.0 if dragged else 2.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))
        self._paint_handle(painter, points[-1])

    def _paint_handle(self, painter: QPainter, end: QPointF) -> None:
        """Paint the meaning of the line at its end."""
        text = self.tr("\N{UPWARDS ARROW} yes: {0}").format(len(self._review.answers.yes))
        painter.setFont(scaled_font(self.font(), 0.92))
        metrics = QFontMetricsF(painter.font())
        width, height = metrics.horizontalAdvance(text) + 18, metrics.height() + 6
        above = min(height / 2, _HANDLE_ABOVE)
        top = min(max(end.y() - above, 2.0), self.viewport().height() - height - 2)
        rect = QRectF(end.x() + 6 if self.isRightToLeft() else end.x() - width - 6, top, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(rect, height / 2, height / 2)
        painter.setPen(self._theme.color("accent-text"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    # ------------------------------------------------------------------ mouse
    def _press(self, event: QMouseEvent, saves: bool) -> None:
        """Start dragging the line, flip a tile, or with Shift move the line behind it."""
        point, row = event.position(), self.indexAt(event.position().toPoint()).row()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if row >= 0:
                self._gesture = Gesture(saves)
                self._review.tiles.move_line(row + 1)
        elif self.on_line(point):
            self._gesture = Gesture(saves, drags_line=True, pressed=point)
            self.viewport().update()
        else:
            super()._press(event, saves)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the line, or flip the tiles that a stroke touches."""
        super().mouseMoveEvent(event)
        point = event.position()
        if self._gesture is None:
            self.viewport().setCursor(
                Qt.CursorShape.SplitVCursor if self.on_line(point) else Qt.CursorShape.ArrowCursor
            )
        elif self._gesture.drags_line:
            self._scroll_at_edge(point, self._gesture)
            self._review.tiles.move_line(self.line_at(point))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Move the line behind a tile on a right-click."""
        row = self.indexAt(event.pos()).row() if event.reason() == QContextMenuEvent.Reason.Mouse else -1
        if row >= 0 and not self._review.busy:
            self._review.tiles.move_line(row + 1)
            self._make_current(row)

    # ------------------------------------------------------------------ keys
    def _is_own_key(self, event: QKeyEvent) -> bool:
        moves = event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() in _STEPS
        return moves or super()._is_own_key(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys for answers; letters go to the name of a new kind."""
        key, control = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        named = self._review.question is not None and self._review.question.tag is not None
        if key in _ANSWERING or (named and key in _SIZING):
            super().keyPressEvent(event)
        elif control and key in _STEPS:
            self._step_line(self._step_of(key))
        elif named and key == Qt.Key.Key_L and not control:
            self._review.tiles.move_line(self.currentIndex().row() + 1)
        elif named and key == Qt.Key.Key_W and not control:
            if not event.isAutoRepeat():
                self._want_supporters(True)
        elif number := key_number(event):
            if not event.isAutoRepeat():
                self.key.emit(number)
        elif event.text().isprintable() and event.text() not in ("", "?") and not control:
            self.typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Hide the supporting neighbours."""
        if event.key() == Qt.Key.Key_W and not event.isAutoRepeat():
            self._want_supporters(False)
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the supporting neighbours, because the release of the key will not arrive here."""
        self._want_supporters(False)
        super().focusOutEvent(event)

    def _step_of(self, key: Qt.Key) -> int:
        """Return by how many photos a key moves the line."""
        if abs(_STEPS[key]) > 1:
            return self.columns * (1 if _STEPS[key] > 0 else -1)
        return -_STEPS[key] if self.isRightToLeft() else _STEPS[key]

    def _step_line(self, by: int) -> None:
        if not self._review.busy:
            line = self._review.answers.line + by
            self._review.tiles.move_line(line)
            if self._review.answers.photo_ids:
                last = max(0, self._review.answers.line - 1)
                self.scrollTo(self.model().index(last, 0))

    def _want_supporters(self, wanted: bool) -> None:
        row = self.current_row()
        if not wanted:
            self.supporters_wanted.emit(-1, False)
        elif row >= 0:
            self.supporters_wanted.emit(self._review.answers.photo_ids[row], True)

    def current_row(self) -> int:
        """Return the row under the pointer, or else the current one, or else -1."""
        rows = len(self._review.answers.photo_ids)
        pointed = self._hover.row_now()
        row = self.currentIndex().row() if self.hasFocus() and pointed < 0 else pointed
        return row if 0 <= row < rows else -1

    def _box(self, row: int) -> PixelSize:
        """Return the size of a photo that fills its tile, in device pixels."""
        room = super()._box(row)
        aspect, most = self._photos.aspect(row), 1 / (1 - HIDDEN)
        width = min(max(room.width, room.height * aspect), room.width * most)
        height = min(max(room.height, room.width / aspect), room.height * most)
        return PixelSize(round(width), round(height))

    # ------------------------------------------------------------------ changes
    def _rows_shown(self) -> None:
        super()._rows_shown()
        if self.isVisible():
            bottom = self.verticalScrollBar().value() + self.viewport().height()
            self._review.current.see(bottom // max(1, self.gridSize().height()) * self.columns)

    def _answers_changed(self) -> None:
        self.viewport().update()
        self.setAccessibleDescription(
            self.tr("{0} of {1} photos are yes").format(
                len(self._review.answers.yes), len(self._review.answers.photo_ids)
            )
        )


_STEPS: Final = {Qt.Key.Key_Up: -2, Qt.Key.Key_Down: 2, Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
"""Keys that move the line, and by how many tiles; 2 means a whole row."""

_ANSWERING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_SIZING: Final = (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus)


def _near(point: QPointF, start: QPointF, end: QPointF) -> bool:
    rect = QRectF(start, end).normalized().adjusted(-_GRIP, -_GRIP, _GRIP, _GRIP)
    return rect.contains(point)
