# SPDX-License-Identifier: MIT
"""The canvas of the map: zooming, panning, selecting, and going from photo to photo."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from focal_photos.browser.models.map.drawing import Tile, Viewport, whole_of
from focal_photos.browser.models.map.library_map import LibraryMap
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.map.map_painting import MapPainting

_STEP: Final = 60.0  # pixels for Shift with an arrow key
_ROTATION_STEP: Final = math.pi / 24  # by Ctrl with an arrow key
_SETTLED_MILLISECONDS: Final = 150  # without a rotation, until photos replace dots
_MAX_ZOOM: Final = 4096.0  # largest zoom, relative to the whole map
_HIT_DISTANCE: Final = 8.0  # largest distance in pixels from a dot for a hit


class MapCanvas(QWidget):
    """Shows the map, and handles the mouse and the keys; `MapPainting` paints it.

    The wheel and pinches zoom, and a drag moves the map. A drag with Shift, or any drag while `lasso` is on, surrounds
    photos to select them. A click selects a photo, with Ctrl an additional one. Arrow keys go from photo to photo, and
    Enter makes one the focal image. Points in space rotate by drags with the right button and by Ctrl with arrow keys;
    photos replace their dots when they rest.
    """

    walked = Signal(int)
    """The user wants this photo as the focal image."""
    lasso_changed = Signal()

    def __init__(self, library_map: LibraryMap, loader: ThumbnailLoader, theme: Theme, consumer: str = "map") -> None:
        super().__init__()
        self.setObjectName("mapCanvas")
        self.setAccessibleName(self.tr("Map of the library"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(200, 150)
        self._map, self._loader, self._theme, self._consumer = library_map, loader, theme, consumer
        self._view: Viewport | None = None
        self._fitted = True
        self._tiles: list[Tile] = []
        self._painting = MapPainting(self, library_map, loader, theme)
        self._drag: QPointF | None = None
        self._moved = False
        self._lasso: list[QPointF] = []
        self._hovered: int | None = None
        self.current: int | None = None
        self.lasso = False
        self._rotating_from: QPointF | None = None
        self._rested = QTimer(self, singleShot=True, interval=_SETTLED_MILLISECONDS)
        self._rested.timeout.connect(self._show_tiles)
        self._preview: int | None = None
        self._preview_due = QTimer(self, singleShot=True, interval=250)
        self._preview_due.timeout.connect(self._show_preview)
        library_map.limited.connect(self._fit_next)
        library_map.moved.connect(self._take_drawing)
        library_map.rotated.connect(self._take_rotated)
        library_map.colored.connect(self._recolored)
        library_map.selection_changed.connect(self.update)
        loader.loaded.connect(self._pictures_arrived)
        theme.changed.connect(self._recolored)

    # ------------------------------------------------------------------ visible part
    @property
    def view(self) -> Viewport:
        """The visible part of the map."""
        if self._view is None:
            self._view = self._whole()
        return self._view

    @property
    def tiles(self) -> list[Tile]:
        """The visible photos, those near the middle first."""
        return self._tiles

    def fit(self) -> None:
        """Show the whole map, and points in space from the front."""
        self._fitted = True
        self._map.face_front()
        self._look(self._whole())

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom in or out; the place at `about` (default: the middle) stays there."""
        least = self._whole().scale / 2
        factor = min(max(self.view.scale * factor, least), least * 2 * _MAX_ZOOM) / self.view.scale
        self._fitted = False
        self._look(self.view.zoomed(factor, about or QPointF(self.rect().center())))

    def set_lasso(self, lasso: bool) -> None:
        """Set whether drags surround photos or move the map."""
        if lasso != self.lasso:
            self.lasso = lasso
            self.setCursor(Qt.CursorShape.CrossCursor if lasso else Qt.CursorShape.ArrowCursor)
            self.lasso_changed.emit()

    def _whole(self) -> Viewport:
        drawing = self._map.drawing
        bounds = drawing.bounds() if drawing is not None else QRectF(-0.5, -0.5, 1, 1)
        return whole_of(bounds, self.width(), self.height())

    def _look(self, view: Viewport) -> None:
        self._view = view
        self._arrange()
        self.update()

    def _arrange(self) -> None:
        drawing = self._map.drawing
        self._tiles = drawing.tiles(self.view) if drawing is not None and len(drawing) else []
        self._painting.forget_photos()
        self._loader.request(self._consumer, [tile.photo_id for tile in self._tiles], self._painting.tile_size)

    def _fit_next(self) -> None:
        """Fit the shown photos, discarding the present zoom and position."""
        self._fitted = True

    def showEvent(self, event: QShowEvent) -> None:
        """Take over changes made while another view of the map was shown."""
        super().showEvent(event)
        self._take_drawing()

    def _take_drawing(self) -> None:
        if not self.isVisible():
            return  # another view of the map is shown
        self._painting.forget_dots()
        if self._fitted or self._view is None:
            self._view = self._whole()
        self._arrange()
        self.update()

    def _take_rotated(self) -> None:
        """Show dots until the points rest, because another selection of photos would be loaded at each step."""
        if self.isVisible():
            self._tiles = []
            self._painting.forget_all()
            self._rested.start()
            self.update()

    def _show_tiles(self) -> None:
        self._arrange()
        self.update()

    def _recolored(self) -> None:
        self._painting.forget_dots()
        self._painting.forget_photos()
        self.update()

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        self._painting.take_thumbnails(photo_ids)
        if self.isVisible():
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the whole map again, or more of it if it was zoomed."""
        super().resizeEvent(event)
        view = self.view
        self._look(
            self._whole() if self._fitted else Viewport(view.left, view.top, view.scale, self.width(), self.height())
        )

    # ------------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint dots, photos, and the lasso."""
        current = self.current if self.hasFocus() else None
        self._painting.paint(self.view, self._tiles, self._lasso, current, self._preview)

    # ------------------------------------------------------------------ mouse and gestures
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; on a touch pad, two fingers move the map, and zoom with Ctrl."""
        zooms = event.pixelDelta().isNull() or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if zooms:
            self.zoom(2 ** (event.angleDelta().y() / 240), event.position())
        else:
            self._fitted = False
            self._look(self.view.moved(event.pixelDelta().x(), event.pixelDelta().y()))
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Zoom with a pinch of two fingers."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1 + event.value(), event.position())
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag."""
        if event.button() == Qt.MouseButton.RightButton and self._map.can_rotate:
            self._rotating_from = event.position()
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag, self._moved = event.position(), False
            surrounds = self.lasso or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._lasso = [event.position()] if surrounds and event.button() == Qt.MouseButton.LeftButton else []

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Rotate or move the map or extend the lasso; without a button, preview the photo under the pointer."""
        if self._rotating_from is not None:
            angle = (event.position() - self._rotating_from) * (math.pi / max(1, min(self.width(), self.height())))
            self._rotating_from = event.position()
            self._hover(None)
            self._map.rotate(angle.x(), angle.y())
            return
        if self._drag is None:
            self._hover(self.photo_at(event.position()))
            return
        way = event.position() - self._drag
        if not self._moved and way.manhattanLength() < QApplication.startDragDistance():
            return
        self._moved = True
        self._hover(None)
        if self._lasso:
            self._lasso.append(event.position())
            self.update()
        else:
            self._drag, self._fitted = event.position(), False
            self._look(self.view.moved(way.x(), way.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag: select the surrounded photos, or the clicked one."""
        if event.button() == Qt.MouseButton.RightButton:
            self._rotating_from = None
            return
        if self._drag is None:
            return
        adds = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        lasso, moved, self._drag, self._lasso = self._lasso, self._moved, None, []
        if moved and lasso:
            self._select(self._surrounded([*lasso, event.position()]), adds=adds)
        elif not moved and event.button() == Qt.MouseButton.LeftButton:
            photo_id = self.photo_at(event.position())
            self.current = photo_id if photo_id is not None else self.current
            if adds and photo_id is not None:
                self._toggle(photo_id)
            else:
                self._select([] if photo_id is None else [photo_id])
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Make the photo the focal image."""
        photo_id = self.photo_at(event.position())
        if photo_id is not None and event.button() == Qt.MouseButton.LeftButton:
            self.walked.emit(photo_id)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the preview."""
        self._hover(None)

    def photo_at(self, point: QPointF) -> int | None:
        """Return the photo at a point: a tile, or else the nearest dot."""
        for tile in self._tiles:
            if tile.rect.contains(point):
                return tile.photo_id
        drawing = self._map.drawing
        return None if drawing is None else drawing.nearest(self.view, point, _HIT_DISTANCE)

    def _surrounded(self, lasso: list[QPointF]) -> list[int]:
        drawing = self._map.drawing
        if drawing is None:
            return []
        mask = QImage(self.size(), QImage.Format.Format_Grayscale8)
        mask.fill(0)
        painter = QPainter(mask)
        painter.setBrush(Qt.GlobalColor.white)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF(lasso))
        painter.end()
        return drawing.within(self.view, mask)

    def _select(self, photo_ids: list[int], *, adds: bool = False) -> None:
        before = self._map.selected if adds else ()
        self._map.select(tuple(dict.fromkeys((*before, *photo_ids))))

    def _toggle(self, photo_id: int) -> None:
        selected = self._map.selected
        without = tuple(one for one in selected if one != photo_id)
        self._map.select(without if len(without) < len(selected) else (*selected, photo_id))

    def _hover(self, photo_id: int | None) -> None:
        if photo_id != self._hovered:
            self._hovered = photo_id
            self._preview_due.start()

    def _show_preview(self) -> None:
        self._preview = self._hovered
        if self._preview is not None:
            self._loader.request(f"{self._consumer} preview", [self._preview], self._painting.preview_size)
        self.update()

    # ------------------------------------------------------------------ keys
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys for zooming, moving, turning, selecting and choosing a focal image."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        rotates = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier) and self._map.can_rotate
        arrows = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        if key in arrows:
            dx, dy = arrows[Qt.Key(key)]
            if rotates:
                self._map.rotate(dx * _ROTATION_STEP, dy * _ROTATION_STEP)
            elif shift:
                self._fitted = False
                self._look(self.view.moved(-dx * _STEP, -dy * _STEP))
            else:
                self._go(dx, dy)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(2**0.5)
        elif key == Qt.Key.Key_Minus:
            self.zoom(2**-0.5)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_L:
            self.set_lasso(not self.lasso)
        elif key == Qt.Key.Key_Space and self.current is not None:
            self._toggle(self.current)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.walked.emit(self.current)
        elif key == Qt.Key.Key_Escape and (self._lasso or self._map.selected or self.lasso):
            self._lasso, self._drag = [], None
            self.set_lasso(False)
            self._map.select(())
            self.update()
        else:
            super().keyPressEvent(event)

    def _go(self, dx: int, dy: int) -> None:
        """Go to the nearest visible photo in a direction, beginning with the one nearest to the middle."""
        if not self._tiles:
            return
        here = next((tile for tile in self._tiles if tile.photo_id == self.current), None)
        if here is None:
            self._make_current(self._tiles[0].photo_id)
            return

        def cost(tile: Tile) -> float:
            way = tile.rect.center() - here.rect.center()
            along, across = way.x() * dx + way.y() * dy, abs(way.x() * dy) + abs(way.y() * dx)
            return along + 2 * across if along > 1 and across <= 2 * along else float("inf")

        best = min(self._tiles, key=cost)
        if cost(best) < float("inf"):
            self._make_current(best.photo_id)
            middle, at = QRectF(self.rect()), best.rect
            if not middle.contains(at):
                self._fitted = False
                way = middle.center() - at.center()
                self._look(self.view.moved(way.x() / 2, way.y() / 2))

    def _make_current(self, photo_id: int) -> None:
        self.current = photo_id
        self.setAccessibleDescription(self._map.name_of(photo_id))
        self._hovered = photo_id
        self._preview_due.start()
        self.update()
