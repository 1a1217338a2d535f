# SPDX-License-Identifier: MIT
"""A grid of photos that are answered with yes or no: click or Space flips a tile, a drag all that it touches."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QElapsedTimer, QEvent, QItemSelectionModel, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.review.questions.tile_answers import TileAnswers
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.review.answer_delegate import AnswerDelegate

_EDGE: Final = 26
"""Distance in pixels from the upper and lower edge at which a drag scrolls."""
_MARGIN: Final = 0.2
"""Share of a tile at each side that a stroke does not touch."""
_STEPS_PER_TILE: Final = 8
"""Places between two events of the pointer at which a fast stroke touches tiles, per width of a tile."""

_PLAIN: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier)
_OF_THE_WINDOW: Final = (Qt.Key.Key_Escape, Qt.Key.Key_F1, Qt.Key.Key_F5, Qt.Key.Key_F11)


@dataclass(eq=False)
class Gesture:
    """The effect of a held mouse button."""

    saves: bool
    """Whether its release saves the answers."""
    drags_line: bool = False
    """Whether it moves the line of Review."""
    strokes: bool = False
    """Whether it flips the tiles that it touches."""
    start: QPointF = field(default_factory=QPointF)
    """Where the button was pressed, or how far the stroke has come, in coordinates of the content."""
    pressed: QPointF = field(default_factory=QPointF)
    """Where the button was pressed, in coordinates of the viewport."""


class AnswerGrid(GridView):
    """Shows the photos of a question, and takes the answers of tiles by mouse and keys."""

    accepted = Signal()
    """Enter was pressed, or a gesture was made with Ctrl or the middle button, which also goes on."""
    skipped = Signal()
    """Tab was pressed."""

    def __init__(self, tiles: TileAnswers, theme: Theme, delegate: AnswerDelegate) -> None:
        super().__init__(tiles.grid, theme, delegate=delegate, shape=TileShape.FRAMED)
        self._tile_answers = tiles
        self._gesture: Gesture | None = None
        self._last_click = -1
        self._since_click = QElapsedTimer()
        self.setObjectName("grid")
        self.setSelectionMode(GridView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        tiles.changed.connect(self._answers_changed)
        tiles.shown.connect(self._question_changed)

    @property
    def takes_answers(self) -> bool:
        """Whether answers can be changed now."""
        return True

    # ------------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Flip a tile."""
        self._hover.move(event.position().toPoint())
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        saves = goes_on(event)
        if self.takes_answers and (saves or event.button() == Qt.MouseButton.LeftButton):
            self._press(event, saves)

    def _press(self, event: QMouseEvent, saves: bool) -> None:
        """Begin a gesture; with `saves`, its end also saves the answers."""
        point, row = event.position(), self.indexAt(event.position().toPoint()).row()
        if row < 0:
            return
        self._gesture = Gesture(saves)
        if self._is_first_click(row):
            self._gesture = Gesture(saves, strokes=True, start=self._in_content(point), pressed=point)
            self._tile_answers.begin_stroke(row)
            self._make_current(row)

    def _is_first_click(self, row: int) -> bool:
        """Return whether a click is not the second of two quick clicks on the same tile, which is accidental."""
        again, since = row == self._last_click and self._since_click.isValid(), self._since_click
        again = again and since.elapsed() <= QApplication.doubleClickInterval()
        since.start()
        self._last_click = row
        return not again

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Handle the second click as a click, unless the first has gone on to another question."""
        if not goes_on(event):
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Flip the tiles that a stroke touches."""
        self._hover.move(event.position().toPoint())
        if self._gesture is not None and self._gesture.strokes:
            self._scroll_at_edge(event.position(), self._gesture)
            self._continue_stroke(event.position(), self._gesture)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture, and save the answers if it goes on."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None and gesture.strokes:
            self._continue_stroke(event.position(), gesture)  # the wheel may have moved the tiles under the pointer
        self._tile_answers.end_stroke()
        self.viewport().update()
        if gesture is not None and gesture.saves:
            self.accepted.emit()

    def _continue_stroke(self, point: QPointF, gesture: Gesture) -> None:
        """Flip the tiles between the last place of the pointer and this one."""
        start, end, cell = gesture.start, self._in_content(point), self.gridSize()
        gesture.start = end
        steps = math.ceil(_STEPS_PER_TILE * max(abs(end.x() - start.x()), abs(end.y() - start.y())) / cell.width())
        for step in range(1, steps + 1):
            row = self._inner_tile(start + (end - start) * (step / steps))
            if row >= 0:
                self._tile_answers.continue_stroke(row)

    def _inner_tile(self, place: QPointF) -> int:
        """Return the tile whose inner part contains a place of the content; -1 if there is none.

        The margin lets a stroke pass between the corners of two tiles, to the one across.
        """
        cell, x = self.gridSize(), self.viewport().width() - place.x() if self.isRightToLeft() else place.x()
        column, row = int(x // cell.width()), int(place.y() // cell.height())
        inside = x / cell.width() - column, place.y() / cell.height() - row
        if not 0 <= column < self.columns or any(not _MARGIN <= each <= 1 - _MARGIN for each in inside):
            return -1
        return row * self.columns + column

    def _in_content(self, point: QPointF) -> QPointF:
        return point + QPointF(0, self.verticalScrollBar().value())

    def _scroll_at_edge(self, point: QPointF, gesture: Gesture) -> None:
        """Scroll near an edge if the pointer has moved towards it; a stroke along the lowest row must not grow."""
        bar, moved = self.verticalScrollBar(), point.y() - gesture.pressed.y()
        if point.y() < _EDGE and moved < -_EDGE:
            bar.setValue(bar.value() - _EDGE)
        elif point.y() > self.viewport().height() - _EDGE and moved > _EDGE:
            bar.setValue(bar.value() + _EDGE)

    # ------------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Keep the keys of answers from the shortcuts of the window, and Tab from moving the keyboard focus."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._is_own_key(event):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab and not event.modifiers():
                self.skipped.emit()
                return True
        return super().event(event)

    def _is_own_key(self, event: QKeyEvent) -> bool:
        return event.modifiers() in _PLAIN and event.text() != "?" and event.key() not in _OF_THE_WINDOW

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Enter, Space and the keys for the size of tiles."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.accepted.emit()
        elif key == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self.flip_selected()
                if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                    self.accepted.emit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(-1 if key == Qt.Key.Key_Minus else 1)
        else:
            super().keyPressEvent(event)

    def flip_selected(self) -> None:
        """Flip the selected tiles, or the current one."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        current = self.currentIndex().row()
        if current >= 0 and self.takes_answers:
            self._tile_answers.flip([current] if current not in rows else rows)

    def _make_current(self, row: int) -> None:
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self.model().index(row, 0), flag)

    # ------------------------------------------------------------------ changes
    def _answers_changed(self) -> None:
        self.viewport().update()

    def _question_changed(self) -> None:
        self._gesture = None
        self._last_click = -1
        self.verticalScrollBar().setValue(0)
        if self._tile_answers.answers.photo_ids:
            self._make_current(0)
            self.scrollTo(self.model().index(0, 0))
        self._rows_shown()


def goes_on(event: QMouseEvent) -> bool:
    """Return whether a gesture also saves the answers: with the middle button, or with Ctrl."""
    left, control = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
    return event.button() == Qt.MouseButton.MiddleButton or (
        event.button() == left and bool(event.modifiers() & control)
    )
