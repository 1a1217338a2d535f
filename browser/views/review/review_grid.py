# SPDX-License-Identifier: MIT
"""The grid of Review, with a line: photos above it are yes; click, Space or a drag flips tiles."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QElapsedTimer, QEvent, QItemSelectionModel, QPointF, QRectF, Qt, Signal
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
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.review.review import Review
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.review.digit_keys import key_number
from focal_photos.browser.views.review.review_delegate import HIDDEN, ReviewDelegate

_GRIP: Final = 7
"""Distance in pixels from the line at which it can be dragged."""
_EDGE: Final = 26
"""Distance in pixels from the upper and lower edge at which a drag scrolls."""
_HANDLE_ABOVE: Final = 10
"""Largest part of the handle above the line, in pixels, because the percentages are there."""

_TILE: Final = 176
_STEP_OF_SIZES: Final = 256
"""Steps of the size of photos of which parts are shown, in device pixels; so a moved part needs no other picture."""
_MOST_STEPS: Final = 3

_PLAIN: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier)


@dataclass(frozen=True, eq=False)
class _Gesture:
    """The effect of a held mouse button.

    Attributes
    ----------
    saves : bool
        Whether its release saves the answers.
    first_tile : int
        Where a run of flipped tiles begins, or -1 if no tile is flipped.
    start : QPointF
        Where the button was pressed, in coordinates of the content.
    pressed : QPointF
        The same place in coordinates of the viewport.
    """

    saves: bool
    drags_line: bool = False
    first_tile: int = -1
    start: QPointF = field(default_factory=QPointF)
    pressed: QPointF = field(default_factory=QPointF)


class ReviewGrid(GridView):
    """Shows the photos of a question.

    Signals
    -------
    accepted : None
        Enter was pressed, or a gesture was made with Ctrl or the middle button, which also goes on.
    skipped : None
        Tab was pressed.
    typed : str
        A letter was typed; it belongs to a name.
    key : int
        The key of a tag was pressed: its place among `browser.models.review.tag_keys.KEYS`, from 1.
    supporters_wanted : (int, bool)
        The key for the supporting neighbours of a photo is held (True) or was released.
    """

    accepted = Signal()
    skipped = Signal()
    typed = Signal(str)
    key = Signal(int)
    supporters_wanted = Signal(int, bool)

    def __init__(self, review: Review, theme: Theme) -> None:
        self._review = review
        super().__init__(review.tiles.grid, theme, delegate=ReviewDelegate(review, theme), shape=TileShape.FRAMED)
        self._gesture: _Gesture | None = None
        self._last_click = -1
        self._since_click = QElapsedTimer()
        self.setObjectName("grid")
        self.setAccessibleName(self.tr("Photos that may carry the tag"))
        self.setSelectionMode(GridView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.set_tile_size(_TILE)
        review.tiles.changed.connect(self._answers_changed)
        review.tiles.shown.connect(self._turn_changed)
        self.tile_size_changed.connect(lambda _: self.viewport().update())

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
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging the line, flip a tile, or with Shift move the line behind it."""
        self._hover.move(event.position().toPoint())
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        point, row = event.position(), self.indexAt(event.position().toPoint()).row()
        saves = _saves(event)
        if not (saves or event.button() == Qt.MouseButton.LeftButton) or self._review.busy:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if row >= 0:
                self._gesture = _Gesture(saves)
                self._review.tiles.move_line(row + 1)
        elif self.on_line(point):
            self._gesture = _Gesture(saves, drags_line=True, pressed=point)
            self.viewport().update()
        elif row >= 0:
            self._gesture = _Gesture(saves)
            # ignore the second of two quick clicks on the same tile as accidental
            again, since = row == self._last_click and self._since_click.isValid(), self._since_click
            if not again or since.elapsed() > QApplication.doubleClickInterval():
                self._gesture = _Gesture(saves, first_tile=row, start=self._in_content(point), pressed=point)
                self._review.tiles.begin_run(row)
                self._make_current(row)
            since.start()
            self._last_click = row

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Handle the second click as a click, unless the first has gone on to another question."""
        if not _saves(event):
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the line, or extend the run of flipped tiles."""
        point = event.position()
        self._hover.move(point.toPoint())
        if self._gesture is not None and self._gesture.drags_line:
            self._scroll_at_edge(point, self._gesture)
            self._review.tiles.move_line(self.line_at(point))
        elif self._gesture is not None and self._gesture.first_tile >= 0:
            self._scroll_at_edge(point, self._gesture)
            self._stretch_run(point, self._gesture)
        else:
            self.viewport().setCursor(
                Qt.CursorShape.SplitVCursor if self.on_line(point) else Qt.CursorShape.ArrowCursor
            )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag of the line or run, and save the answers if the gesture goes on."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            self._stretch_run(event.position(), gesture)  # the wheel may have moved another tile under the pointer
        self._review.tiles.end_run()
        self.viewport().update()
        if gesture is not None and gesture.saves:
            self.accepted.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Move the line behind a tile on a right-click."""
        row = self.indexAt(event.pos()).row() if event.reason() == QContextMenuEvent.Reason.Mouse else -1
        if row >= 0 and not self._review.busy:
            self._review.tiles.move_line(row + 1)
            self._make_current(row)

    def _stretch_run(self, point: QPointF, gesture: _Gesture) -> None:
        """Extend the run to the tile at a point, unless the pointer has hardly moved."""
        row = self.indexAt(point.toPoint()).row()
        far = (self._in_content(point) - gesture.start).manhattanLength() >= QApplication.startDragDistance()
        if gesture.first_tile >= 0 and row >= 0 and (far or row == gesture.first_tile):
            self._review.tiles.stretch_run(row)

    def _in_content(self, point: QPointF) -> QPointF:
        return point + QPointF(0, self.verticalScrollBar().value())

    def _scroll_at_edge(self, point: QPointF, gesture: _Gesture) -> None:
        """Scroll near an edge if the pointer has moved towards it; a run along the lowest row must not grow."""
        bar, moved = self.verticalScrollBar(), point.y() - gesture.pressed.y()
        if point.y() < _EDGE and moved < -_EDGE:
            bar.setValue(bar.value() - _EDGE)
        elif point.y() > self.viewport().height() - _EDGE and moved > _EDGE:
            bar.setValue(bar.value() + _EDGE)

    # ------------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Keep plain keys from the shortcuts of the window, and Tab from moving the keyboard focus."""
        if isinstance(event, QKeyEvent):
            plain = event.modifiers() in _PLAIN and event.text() != "?"
            moves = event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() in _STEPS
            if event.type() == QEvent.Type.ShortcutOverride and (plain or moves):
                if event.key() not in (Qt.Key.Key_Escape, Qt.Key.Key_F1, Qt.Key.Key_F5, Qt.Key.Key_F11):
                    event.accept()
                    return True
            elif event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab and not event.modifiers():
                self.skipped.emit()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys for answers; letters go to the name of a new kind."""
        key, control = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        named = self._review.question is not None and self._review.question.tag is not None
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.accepted.emit()
        elif key == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self.flip_selected()
                if control:
                    self.accepted.emit()
        elif control and key in _STEPS:
            self._step_line(self._step_of(key))
        elif named and key == Qt.Key.Key_L and not control:
            self._review.tiles.move_line(self.currentIndex().row() + 1)
        elif named and key == Qt.Key.Key_W and not control:
            if not event.isAutoRepeat():
                self._want_supporters(True)
        elif named and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(-1 if key == Qt.Key.Key_Minus else 1)
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

    def flip_selected(self) -> None:
        """Flip the selected tiles, or the current one."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        current = self.currentIndex().row()
        if current >= 0 and not self._review.busy:
            self._review.tiles.flip([current] if current not in rows else rows)

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

    def _make_current(self, row: int) -> None:
        self.selectionModel().setCurrentIndex(
            self.model().index(row, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def _box(self, row: int) -> PixelSize:
        """Return the size of a photo that fills its tile, in device pixels."""
        room, part = super()._box(row), self._photos.stored_window(self._photos.photo_id(row))
        if part is not None:  # the tile shows a part of the photo
            smallest = min(part.x1 - part.x0, part.y1 - part.y0)
            wished = round(max(room.width, room.height) / max(smallest, 0.01) / _STEP_OF_SIZES)
            side = min(max(wished, 1), _MOST_STEPS)
            return PixelSize(side * _STEP_OF_SIZES, side * _STEP_OF_SIZES)
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

    def _turn_changed(self) -> None:
        self._gesture = None
        self._last_click = -1
        self.verticalScrollBar().setValue(0)
        if self._review.answers.photo_ids:
            self._make_current(0)
            self.scrollTo(self.model().index(0, 0))
        self._rows_shown()


_STEPS: Final = {Qt.Key.Key_Up: -2, Qt.Key.Key_Down: 2, Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
"""Keys that move the line, and by how many tiles; 2 means a whole row."""


def _saves(event: QMouseEvent) -> bool:
    """Return whether a gesture also saves the answers: with the middle button, or with Ctrl."""
    left, control = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
    return event.button() == Qt.MouseButton.MiddleButton or (
        event.button() == left and bool(event.modifiers() & control)
    )


def _near(point: QPointF, start: QPointF, end: QPointF) -> bool:
    rect = QRectF(start, end).normalized().adjusted(-_GRIP, -_GRIP, _GRIP, _GRIP)
    return rect.contains(point)
