# SPDX-License-Identifier: MIT
"""A photo fitted into a widget, with an optional heat map."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.views.base.painting import fitted_rect, paint_photo, paint_window
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.heat_map import paint_heat


class Picture(QWidget):
    """One photo, fitted into the widget; requests a larger picture when it grows."""

    clicked = Signal()
    toggled = Signal()
    """It was clicked with Ctrl or Shift, to select or deselect it."""
    resized = Signal()
    """It needs a picture of another size."""
    region_drawn = Signal(float, float, float, float)
    """A box was dragged: left, top, right and bottom as shares 0..1 of the photo."""

    def __init__(self, theme: Theme, radius: float = 6.0) -> None:
        super().__init__()
        self._theme = theme
        self._radius = radius
        self._image: QImage | None = None
        self._heat: QImage | None = None
        self._selected = False
        self._region: QRectF | None = None
        self._start: QPointF | None = None
        self._drawn: QRectF | None = None
        self.takes_region = False
        """Whether the user can drag a box on it."""

    def show_image(self, image: QImage | None) -> None:
        """Show an image; None or a null image shows an icon instead."""
        self._image = image
        self.update()

    def show_selected(self, selected: bool) -> None:
        """Show or remove the frame of a selected photo."""
        self._selected = selected
        self.update()

    def show_heat(self, image: QImage | None) -> None:
        """Show a heat map over the photo; None removes it."""
        self._heat = image
        self.update()

    def show_region(self, region: QRectF | None) -> None:
        """Frame a region of the photo, given in shares 0..1; None removes the frame."""
        self._region = region
        self.update()

    @property
    def aspect(self) -> float:
        """Width of the photo over its height; 1.5 while it is unknown."""
        if self._image is None or self._image.isNull():
            return 1.5
        return self._image.width() / self._image.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the photo or the icon."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        if self._image is not None and not self._image.isNull():
            photo = paint_photo(painter, self._image, QRectF(self.rect()), self._radius)
            if self._heat is not None:
                paint_heat(painter, self._heat, photo, self._radius)
            self._paint_region(painter, photo)
            if self._selected:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._theme.color("accent"), 3))
                painter.drawRoundedRect(photo.adjusted(1.5, 1.5, -1.5, -1.5), self._radius, self._radius)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("tile"))
        painter.drawRoundedRect(self.rect(), self._radius, self._radius)
        side = min(40, self.height() - 4)
        center = QPointF(self.rect().center())
        self._theme.paint_icon(
            painter, "image", QRectF(center.x() - side / 2, center.y() - side / 2, side, side), "text-faint"
        )

    def _paint_region(self, painter: QPainter, photo: QRectF) -> None:
        box = self._drawn
        if box is None and self._region is not None:
            part = self._region
            box = QRectF(
                photo.left() + part.left() * photo.width(),
                photo.top() + part.top() * photo.height(),
                part.width() * photo.width(),
                part.height() * photo.height(),
            )
        if box is not None:
            paint_window(painter, self._theme, box.intersected(photo.adjusted(2, 2, -2, -2)))

    def _photo(self) -> QRectF | None:
        """Return the rectangle of the photo."""
        if self._image is None or self._image.isNull():
            return None
        return fitted_rect(self._image, QRectF(self.rect()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a box, if boxes can be drawn."""
        if self.takes_region and event.button() == Qt.MouseButton.LeftButton and not event.modifiers():
            self._start = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the box."""
        photo = self._photo()
        if self._start is None or photo is None:
            return
        far = (event.position() - self._start).manhattanLength() >= QGuiApplication.styleHints().startDragDistance()
        if self._drawn is not None or far:
            self._drawn = QRectF(self._start, event.position()).normalized().intersected(photo)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit a click or the drawn box."""
        drawn, photo = self._drawn, self._photo()
        self._start = self._drawn = None
        if drawn is not None:
            self.update()
            if photo is not None and drawn.width() > 3 and drawn.height() > 3:
                x0, x1 = ((x - photo.left()) / photo.width() for x in (drawn.left(), drawn.right()))
                y0, y1 = ((y - photo.top()) / photo.height() for y in (drawn.top(), drawn.bottom()))
                self.region_drawn.emit(max(x0, 0.0), max(y0, 0.0), min(x1, 1.0), min(y1, 1.0))
            return
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            selects = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            (self.toggled if event.modifiers() & selects else self.clicked).emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Request a picture of another size."""
        super().resizeEvent(event)
        self.resized.emit()
