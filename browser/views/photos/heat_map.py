"""The heat map over a photo, and the key to its colours."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser.models.local.heat_map import scale_stops
from browser.views.base.theme import Theme, scaled_font

VEIL: Final = QColor(38, 40, 44, 132)
"""Laid over the photo, so that its own colours cannot be taken for heat."""

_BAR: Final = 84


def paint_heat(painter: QPainter, image: QImage, photo: QRectF, radius: float = 0.0) -> None:
    """Paint a map over the photo that lies in a rectangle with corners of this radius."""
    painter.save()
    outline = QPainterPath()
    outline.addRoundedRect(photo, radius, radius)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    painter.fillPath(outline, VEIL)
    painter.setClipPath(outline)
    painter.drawImage(photo, image)
    painter.restore()


class HeatLegend(QWidget):
    """The scale between two words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._words = self.tr("nothing"), self.tr("most")
        self.setFont(scaled_font(self.font(), 0.9))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        text = self.tr("Weight of the patches around each place, from nothing to the most in this photo")
        self.setAccessibleName(text)
        self.setToolTip(text)

    def sizeHint(self) -> QSize:
        """Return room for the words and the scale."""
        metrics = self.fontMetrics()
        return QSize(sum(map(metrics.horizontalAdvance, self._words)) + _BAR + 14, metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the scale over the veil on a medium grey, as it lies over a photo."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = map(self.fontMetrics().horizontalAdvance, self._words)
        painter.setPen(self._theme.color("text-faint"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignLeft, self._words[0])
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignRight, self._words[1])
        bar = QRectF(left + 7, self.height() / 2 - 3.5, self.width() - left - right - 14, 8)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for share, color in scale_stops(17):
            gradient.setColorAt(share, color)
        painter.setPen(Qt.PenStyle.NoPen)
        for brush in (QBrush(Qt.GlobalColor.gray), QBrush(VEIL), QBrush(gradient)):
            painter.setBrush(brush)
            painter.drawRoundedRect(bar, 4, 4)
