# SPDX-License-Identifier: MIT
"""The effect of the mouse in a grid: clicks, double-clicks, rubber bands and drags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QItemSelection, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QScrollBar

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.views.photos.grid.grid_selection import GridSelection
from focal_photos.browser.views.photos.grid.hover import Hover
from focal_photos.browser.views.photos.grid.rubber_band import RubberBand
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton

_SELECTS: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_LEFT: Final = Qt.MouseButton.LeftButton


@dataclass(frozen=True)
class Idle:
    """No button is held, or its press has no further effect."""


@dataclass(frozen=True)
class HeldButton:
    """The left button is held on a button of a tile."""

    photo: int
    button: TileButton


@dataclass(frozen=True)
class Judged:
    """A judging button was used; another press at the same place must not hit the photo that has moved there."""


@dataclass(frozen=True)
class Pressed:
    """The left button is held on a photo or beside all photos, and the pointer has hardly moved."""

    photo: int | None
    """The pressed photo."""
    point: QPoint
    """Place of the press in the viewport."""
    selecting: bool = False
    """Whether Ctrl or Shift was held."""
    before: list[int] | None = None
    """Selected photos before the press, if it has changed the selection."""


@dataclass(frozen=True)
class DraggingPhotos:
    """The selected photos are dragged."""


MouseState = Idle | HeldButton | Judged | Pressed | RubberBand | DraggingPhotos


@dataclass(frozen=True)
class _Click:
    """The last click on a photo; a double-click applies to it."""

    photo: int
    point: QPoint
    before: list[int] | None


class GridMouse(QObject):
    """Selects, judges, opens and drags photos with the mouse.

    ====================  ==================================================  ===================
    state                 event                                               next state
    ====================  ==================================================  ===================
    any                   press on a button of a tile                         HeldButton
    HeldButton            release on a judging button: judge the photo        Judged
    HeldButton            release on another button: its action               Idle
    HeldButton            release elsewhere: nothing                          Idle
    Judged                press on a tile before the pointer moves: nothing   Judged
    any                   press elsewhere: select the photo, or deselect all  Pressed
    Pressed               release: select only the photo, or choose it        Idle
    Pressed on a photo    movement: drag the selected photos                  DraggingPhotos
    Pressed elsewhere     movement: stretch a rubber band                     RubberBand
    RubberBand            release                                             Idle
    DraggingPhotos        drop                                                Idle
    ====================  ==================================================  ===================

    With Ctrl or Shift, a press extends the selection, and a movement stretches a rubber band from a photo too.

    Parameters
    ----------
    bar : QScrollBar
        Vertical scroll bar of the grid.
    """

    photo_chosen = Signal(int)
    photo_opened = Signal(int)
    unfolded = Signal(int)
    """`photo_chosen`, `photo_opened` and `unfolded`: the user chose a photo as the focal image, opened it, or pressed
    the number of its duplicates."""
    judged = Signal(object, object)
    """A judging button was used ((list of int, Verdict))."""
    dragged = Signal()
    """The user drags the selected photos; returns after the drop."""
    band_changed = Signal()
    """`band` has changed."""

    def __init__(self, photos: GridModel, selection: GridSelection, hover: Hover, bar: QScrollBar) -> None:
        super().__init__(bar)
        self.walks_on_click = False
        """Whether one click chooses a photo and two open it; otherwise one click selects it and two choose it."""
        self.state: MouseState = Idle()
        self._photos = photos
        self._selection = selection
        self._hover = hover
        self._bar = bar
        self._click: _Click | None = None

    @property
    def band(self) -> RubberBand | None:
        """The rubber band, while there is one."""
        return self.state if isinstance(self.state, RubberBand) else None

    # ------------------------------------------------------------------ events
    def press(self, event: QMouseEvent) -> None:
        """Press a button, select a photo, or deselect all."""
        point = event.position().toPoint()
        self._hover.move(point)
        if self._click is not None and _distance(point, self._click.point) > _double_click_distance():
            self._click = None
        if event.button() != _LEFT:
            if isinstance(self.state, Pressed | HeldButton):
                self._enter(Idle())
            return
        row, button = self._hover.tile_at(event.position())
        if button is not None:
            self._enter(HeldButton(self._photos.photo_id(row), button))
        elif row < 0 or self._hover.points or not isinstance(self.state, Judged):
            self._press_tile(row, point, event.modifiers())

    def move(self, event: QMouseEvent) -> None:
        """Show the buttons under the pointer; drag photos, or stretch a rubber band."""
        point, state = event.position().toPoint(), self.state
        self._hover.move(point)
        if isinstance(state, RubberBand):
            state.stretch(point)
        elif isinstance(state, Pressed) and event.buttons() & _LEFT and _dragged(state.point, point):
            if state.photo is None or state.selecting:
                kept = self._selection.rows() if state.selecting else QItemSelection()
                band = RubberBand(state.point, kept, self._selection, self._bar)
                band.stretched.connect(self.band_changed)
                self._enter(band)
                band.stretch(point)
            else:
                self._drag(state.photo)

    def release(self, event: QMouseEvent) -> None:
        """Use the pressed button, or select only the pressed photo or choose it, if the pointer is still there."""
        state = self.state
        if isinstance(state, Judged):
            return
        self._enter(Idle())
        if isinstance(state, HeldButton):
            row, button = self._hover.tile_at(event.position())
            if event.button() == _LEFT and button is state.button and self._photos.photo_id(row) == state.photo:
                self._use_button(button, state.photo)
            return
        if isinstance(state, Pressed) and event.button() == _LEFT and not event.modifiers() & _SELECTS:
            self._release_tile(state, event.position().toPoint())

    def double_click(self, event: QMouseEvent) -> None:
        """Choose the clicked photo, or open it if one click chooses it; on a button, press again.

        The second half of a double-click applies to the photo of the first half, even if another is under the pointer
        now.
        """
        click = self._click
        _, button = self._hover.tile_at(event.position())
        if button is not None or event.modifiers() & _SELECTS:
            self.press(event)
        elif event.button() == _LEFT and click is not None:
            self._click = None
            if self.walks_on_click:
                self.photo_opened.emit(click.photo)
                return
            if click.before is not None:  # restore the earlier selection for the trail, so that Back shows it again
                self._selection.select_photos(click.before)
            self.photo_chosen.emit(click.photo)

    # ------------------------------------------------------------------ private
    def _enter(self, state: MouseState) -> None:
        left, self.state = self.state, state
        if isinstance(left, RubberBand):
            left.close()

    def _use_button(self, button: TileButton, photo_id: int) -> None:
        if button in (TileButton.UNFOLD, TileButton.WALK):
            self._hover.rest()  # another photo will be under the pointer
            (self.unfolded if button is TileButton.UNFOLD else self.photo_chosen).emit(photo_id)
        else:
            self._enter(Judged())
            self.judged.emit([photo_id], Verdict.SIMILAR if button is TileButton.SIMILAR else Verdict.DISSIMILAR)

    def _press_tile(self, row: int, point: QPoint, modifiers: Qt.KeyboardModifier) -> None:
        """Handle a press on a photo, or beside all photos (row -1)."""
        photo = self._photos.photo_id(row) if row >= 0 else None
        if modifiers & _SELECTS:
            self._enter(Pressed(photo, point, selecting=True))
            if photo is not None:
                self._selection.choose(row, modifiers)
        elif self.walks_on_click or (photo is not None and self._selection.contains(row)):
            self._enter(Pressed(photo, point))
        elif photo is None:
            self._enter(Pressed(None, point))
            self._selection.clear()
        else:
            self._enter(Pressed(photo, point, before=self._selection.ids()))
            self._selection.choose(row, modifiers)

    def _release_tile(self, pressed: Pressed, point: QPoint) -> None:
        """Handle a click; rows may have arrived since the press."""
        row = self._photos.row_of(pressed.photo) if pressed.photo is not None else -1
        if pressed.photo is None or row < 0 or _dragged(pressed.point, point):
            return
        if self.walks_on_click:
            self._click = _Click(pressed.photo, pressed.point, None)
            self.photo_chosen.emit(pressed.photo)
        else:
            before = self._selection.ids() if pressed.before is None else pressed.before
            self._click = _Click(pressed.photo, pressed.point, before)
            self._selection.choose(row)

    def _drag(self, photo_id: int) -> None:
        """Drag the selected photos; select an unselected pressed photo first."""
        row, dragging = self._photos.row_of(photo_id), DraggingPhotos()
        self._enter(dragging)
        if row >= 0:
            self._selection.include(row)
            self.dragged.emit()
        if self.state is dragging:
            self._enter(Idle())


def _distance(a: QPoint, b: QPoint) -> int:
    return (a - b).manhattanLength()


def _dragged(start: QPoint, point: QPoint) -> bool:
    """Return whether a movement is long enough for a drag."""
    return _distance(start, point) >= QApplication.startDragDistance()


def _double_click_distance() -> int:
    return QApplication.styleHints().mouseDoubleClickDistance()
