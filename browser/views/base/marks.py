"""How judgements, confidence and counts are drawn: by shape and colour, so that colour alone never tells."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from browser.catalog.facts.records import Verdict
from browser.views.base.theme import Theme

_SHADE = QColor(0, 0, 0, 165)


def paint_mark(
    painter: QPainter, theme: Theme, verdict: Verdict, rect: QRectF, *, solid: bool = True, on_photo: bool = True
) -> None:
    """Paint a judgement: similar is a filled circle with a check, not similar a filled square with a cross.

    Parameters
    ----------
    painter : QPainter
        With antialiasing on.
    theme : Theme
        Colours.
    verdict : Verdict
        Which of the two.
    rect : QRectF
        A square.
    solid : bool
        False paints it as an offer (empty ground, coloured sign), as on the buttons under the pointer.
    on_photo : bool
        Whether an offer lies over a photo and needs a dark ground to be seen.
    """
    similar = verdict is Verdict.SIMILAR
    color = theme.color("similar" if similar else "dissimilar")
    painter.save()
    painter.setBrush(color if solid else _SHADE if on_photo else theme.color("raised"))
    painter.setPen(QPen(_SHADE if solid and on_photo else color, 1.5))
    if similar:
        painter.drawEllipse(rect)
    else:
        painter.drawRoundedRect(rect, rect.width() * 0.24, rect.width() * 0.24)
    sign = theme.color("mark-text") if solid else color
    painter.setPen(
        QPen(sign, rect.width() * 0.115, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)

    def at(x: float, y: float) -> QPointF:
        return QPointF(rect.left() + x * rect.width(), rect.top() + y * rect.height())

    path = QPainterPath()
    if similar:
        path.moveTo(at(0.28, 0.53))
        path.lineTo(at(0.44, 0.68))
        path.lineTo(at(0.73, 0.35))
    else:
        path.moveTo(at(0.32, 0.32))
        path.lineTo(at(0.68, 0.68))
        path.moveTo(at(0.68, 0.32))
        path.lineTo(at(0.32, 0.68))
    painter.drawPath(path)
    painter.restore()


def paint_chip(painter: QPainter, theme: Theme, right: float, bottom: float, icon: str, text: str) -> float:
    """Paint a small dark label over a photo, its lower right corner at (right, bottom); returns its left edge."""
    metrics = QFontMetricsF(painter.font())
    height = max(18.0, metrics.height() + 3)
    width = height + metrics.horizontalAdvance(text) + 5
    rect = QRectF(right - width, bottom - height, width, height)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(0, 0, 0, 175))
    painter.drawRoundedRect(rect, 5, 5)
    size = 13.0
    look_rect = QRectF(rect.left() + 4, rect.center().y() - size / 2, size, size)
    painter.drawPixmap(look_rect.topLeft(), theme.pixmap(icon, 13, "on-photo", painter.device().devicePixelRatioF()))
    painter.setPen(theme.color("on-photo"))
    painter.drawText(
        rect.adjusted(size + 6, 0, -5, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text
    )
    painter.restore()
    return rect.left()


def paint_bar(painter: QPainter, theme: Theme, rect: QRectF, share: float, color: str = "accent") -> None:
    """Paint a share 0..1 as a bar."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    radius = rect.height() / 2
    painter.setBrush(theme.color("border"))
    painter.drawRoundedRect(rect, radius, radius)
    filled = QRectF(rect)
    filled.setWidth(max(rect.height(), rect.width() * min(1.0, max(0.0, share))))
    painter.setBrush(QBrush(theme.color(color)))
    painter.drawRoundedRect(filled, radius, radius)
    painter.restore()
