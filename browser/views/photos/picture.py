"""One photo, fitted into a widget, with or without a heat map over it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from browser.views.base.painting import paint_photo
from browser.views.base.theme import Theme
from browser.views.photos.heat_map import paint_heat


class Picture(QWidget):
    """One photo, fitted into the widget; asks for a larger picture when it grows.

    Signals
    -------
    clicked : None
        It was clicked.
    toggled : None
        It was clicked with Ctrl or Shift: select it, or not.
    resized : None
        It needs a picture of another size.
    """

    clicked = Signal()
    toggled = Signal()
    resized = Signal()

    def __init__(self, theme: Theme, radius: float = 6.0) -> None:
        super().__init__()
        self._theme = theme
        self._radius = radius
        self._image: QImage | None = None
        self._heat: QImage | None = None
        self._selected = False

    def show_image(self, image: QImage | None) -> None:
        """Show an image; None or a null one shows an icon instead."""
        self._image = image
        self.update()

    def show_selected(self, selected: bool) -> None:
        """Frame the photo, or not."""
        self._selected = selected
        self.update()

    def show_heat(self, image: QImage | None) -> None:
        """Lay a heat map over the photo; None takes it away."""
        self._heat = image
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

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Signal that it was clicked."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            selects = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            (self.toggled if event.modifiers() & selects else self.clicked).emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Signal that a picture of another size is needed."""
        super().resizeEvent(event)
        self.resized.emit()
