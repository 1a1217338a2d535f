# SPDX-License-Identifier: MIT
"""The grid of suggested boxes: on whole photos, a drag draws a box."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.boxes.box_geometry import on_photo
from focal_photos.browser.views.photos.boxes.box_painting import paint_frame
from focal_photos.browser.views.photos.grid.grid_view import GridView
from focal_photos.browser.views.review.answer_grid import Gesture
from focal_photos.browser.views.review.boxes.box_delegate import BoxDelegate
from focal_photos.browser.views.review.review_grid import TILE, ReviewGrid

_WHOLE_TILE: Final = 268
"""Width in pixels of a tile with a whole photo, to begin with."""
_LEAST: Final = 4.0
"""Smallest side in pixels of a drawn box."""
_STEP_OF_SIZES: Final = 256
"""Steps of the size of photos of which parts are shown, in device pixels; so a moved part needs no other picture."""
_MOST_STEPS: Final = 3


class BoxGrid(ReviewGrid):
    """Shows whole photos, on which boxes can be drawn, or only the suggested parts (`Review.whole_photos`)."""

    drawn = Signal(int, object)
    """A box was dragged on the photo of a row, as displayed ((int, Region))."""

    def __init__(self, review: Review, theme: Theme) -> None:
        self._boxes = BoxDelegate(review, theme)
        self._pressed = -1
        """Row of the photo on which a drag draws a box, or -1."""
        self._drawn: QRectF | None = None
        """The box that is being dragged, in coordinates of the viewport."""
        super().__init__(review, theme, self._boxes)
        self.show_whole(review.whole_photos)

    def show_whole(self, whole: bool) -> None:
        """Show whole photos, or only the suggested parts."""
        self._review.whole_photos = whole
        self.set_tile_size(_WHOLE_TILE if whole else TILE)
        self._lay_out_again()

    def photo_at(self, row: int) -> QRectF | None:
        """Return the place of a whole photo, in coordinates of the viewport; None if only a part of it is shown."""
        return self._boxes.photo_place(self._photos.index(row).data(Role.TILE), self.parts_of(row).picture)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tiles, the line, and the box that is being dragged."""
        super().paintEvent(event)
        if self._drawn is not None:
            painter = QPainter(self.viewport())
            paint_frame(painter, self._drawn, self._theme.color("focal-on-photo"), dashed=True)

    def _press(self, event: QMouseEvent, saves: bool) -> None:
        """Begin to draw a box, or handle the press as Review does."""
        point, shift = event.position(), event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        row = self.indexAt(point.toPoint()).row()
        if row < 0 or shift or self.on_line(point) or self.photo_at(row) is None:
            super()._press(event, saves)
            return
        self._pressed = row
        self._gesture = Gesture(saves, start=self._in_content(point), pressed=point)
        self._make_current(row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the box."""
        super().mouseMoveEvent(event)
        photo = self.photo_at(self._pressed) if self._pressed >= 0 else None
        if self._gesture is None or photo is None:
            return
        start, point = self._gesture.start - self._in_content(QPointF()), event.position()
        if self._drawn is not None or (point - start).manhattanLength() >= QApplication.startDragDistance():
            self._drawn = QRectF(start, point).normalized().intersected(photo)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit the dragged box, or flip the tile that was clicked."""
        row, drawn = self._pressed, self._drawn
        self._pressed, self._drawn = -1, None
        photo = self.photo_at(row) if row >= 0 else None
        if drawn is None and row >= 0 and self._is_first_click(row):
            self._tile_answers.flip([row])
        elif drawn is not None and photo is not None and min(drawn.width(), drawn.height()) >= _LEAST:
            self.drawn.emit(row, on_photo(drawn, photo))
        super().mouseReleaseEvent(event)

    def _on_match(self, point: QPointF) -> bool:
        """Return False: an enlarged part would cover the photo on which the user draws."""
        return False

    def _question_changed(self) -> None:
        self._pressed, self._drawn = -1, None
        super()._question_changed()

    def _box(self, row: int) -> PixelSize:
        """Return the size of a photo, of which the tile may show only a part, in device pixels."""
        room, part = GridView._box(self, row), self._photos.stored_window(self._photos.photo_id(row))
        if part is None or self._review.whole_photos:
            return room
        smallest = min(part.x1 - part.x0, part.y1 - part.y0)
        wished = round(max(room.width, room.height) / max(smallest, 0.01) / _STEP_OF_SIZES)
        side = min(max(wished, 1), _MOST_STEPS)
        return PixelSize(side * _STEP_OF_SIZES, side * _STEP_OF_SIZES)
