# SPDX-License-Identifier: MIT
"""Painting of matching patches: the same number, colour and shape on both photos, and a line between."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen

# The colours of M. Okabe and K. Ito, which differ for any colour vision; without black, and with a lighter blue.
PAIR_COLORS: Final = ("#e69f00", "#56b4e9", "#2fbf8f", "#f0e442", "#4d8fe0", "#e8743b", "#d88bb8", "#eceff1")
"""Colours of consecutive pairs; when they repeat, the numbers differ."""

RADIUS: Final = 9.0
"""Radius of a number's disc, in logical pixels."""

_DARK: Final = QColor(16, 18, 20)
_STEPS: Final = 60
_MIN_LENGTH: Final = 1e-3
_GOLDEN_ANGLE: Final = math.pi * (3 - math.sqrt(5))


@dataclass(frozen=True)
class Pair:
    """One pair to paint."""

    kind: int
    """0 large shape (circle), 1 small shape (diamond), 2 colour (square)."""
    ends: tuple[QPointF, QPointF]
    """The points."""
    labels: tuple[QPointF, QPointF]
    """Centres of their numbers."""
    radii: tuple[float, float]
    """Radii of the patches."""


def separate(points: list[QPointF], bounds: QRectF, distance: float) -> list[QPointF]:
    """Move points apart until no two are nearer than `distance`, as far as possible.

    Parameters
    ----------
    bounds : QRectF
        The permitted area.
    distance : float
        Least distance between two points.

    Returns
    -------
    list of QPointF
        The points, unchanged if they are far enough from each other and from the border.
    """

    def inside(x: float, y: float) -> tuple[float, float]:
        right, bottom = max(bounds.left(), bounds.right()), max(bounds.top(), bounds.bottom())
        return min(max(x, bounds.left()), right), min(max(y, bounds.top()), bottom)

    spots = [inside(point.x(), point.y()) for point in points]
    for _ in range(_STEPS):
        moved = False
        for i, j in combinations(range(len(spots)), 2):
            one, other = spots[i], spots[j]
            x, y = one[0] - other[0], one[1] - other[1]
            length = math.hypot(x, y)
            if length > distance - _MIN_LENGTH:
                continue
            if length < _MIN_LENGTH:  # coincident points have no direction between them, so each gets a fixed one
                x, y, length = math.cos(j * _GOLDEN_ANGLE), math.sin(j * _GOLDEN_ANGLE), 1.0
                half = distance / 2
            else:
                half = (distance - length) / 2
            spots[i] = inside(one[0] + x / length * half, one[1] + y / length * half)
            spots[j] = inside(other[0] - x / length * half, other[1] - y / length * half)
            moved = True
        if not moved:
            break
    return [QPointF(x, y) for x, y in spots]


def pair_color(number: int) -> QColor:
    """Return the colour of a pair; the first is number 0."""
    return QColor(PAIR_COLORS[number % len(PAIR_COLORS)])


def paint_pairs(painter: QPainter, pairs: list[Pair], chosen: int | None = None) -> None:
    """Paint pairs, the first on top; a chosen pair is circled and the others fade."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    order = [number for number in reversed(range(len(pairs))) if number != chosen]
    for number in order:
        painter.setOpacity(1.0 if chosen is None else 0.16)
        _paint_line(painter, pairs[number], pair_color(number), 0.75, 1.5)
    for number in order:
        _paint_points(painter, pairs[number], pair_color(number))
    for number in order:
        _paint_labels(painter, pairs[number], pair_color(number), number)
    if chosen is not None:
        painter.setOpacity(1.0)
        pair, color = pairs[chosen], pair_color(chosen)
        for end, radius in zip(pair.ends, pair.radii, strict=True):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for pen in (QPen(QColor(0, 0, 0, 130), 3.5), QPen(color, 1.6, Qt.PenStyle.DashLine)):
                painter.setPen(pen)
                painter.drawEllipse(end, radius, radius)
        _paint_line(painter, pair, color, 1.0, 2.2)
        _paint_points(painter, pair, color)
        _paint_labels(painter, pair, color, chosen)
    painter.restore()


def shape(kind: int, middle: QPointF, radius: float) -> QPainterPath:
    """Return the outline for a kind of patch: circle, diamond or square, of about the same area."""
    path = QPainterPath()
    if kind == 0:
        path.addEllipse(middle, radius, radius)
    elif kind == 1:
        reach = radius * 1.22
        path.moveTo(middle + QPointF(0, -reach))
        for step in (QPointF(reach, 0), QPointF(0, reach), QPointF(-reach, 0)):
            path.lineTo(middle + step)
        path.closeSubpath()
    else:
        half = radius * 0.9
        path.addRoundedRect(QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half), 2.5, 2.5)
    return path


def _paint_line(painter: QPainter, pair: Pair, color: QColor, opacity: float, width: float) -> None:
    for pen in (QPen(QColor(0, 0, 0, 90), width + 1.5), QPen(_faded(color, opacity), width)):
        painter.setPen(pen)
        painter.drawLine(*pair.ends)


def _paint_points(painter: QPainter, pair: Pair, color: QColor) -> None:
    for end, at in zip(pair.ends, pair.labels, strict=True):
        painter.setPen(QPen(color, 1.5))
        painter.drawLine(end, at)
        painter.setPen(QPen(_DARK, 1))
        painter.setBrush(QBrush(color))
        painter.drawEllipse(end, 2.6, 2.6)


def _paint_labels(painter: QPainter, pair: Pair, color: QColor, number: int) -> None:
    painter.setFont(_label_font(painter.font()))
    for at in pair.labels:
        painter.setBrush(QBrush(color))
        painter.setPen(QPen(_DARK, 1.2))
        painter.drawPath(shape(pair.kind, at, RADIUS))
        painter.setPen(_DARK)
        box = QRectF(at.x() - 15, at.y() - 15, 30, 30)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number + 1))


def _label_font(font: QFont) -> QFont:
    """Return the font of the numbers, whose size is fixed because the size of the discs is."""
    font = QFont(font)
    font.setPixelSize(11)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def _faded(color: QColor, opacity: float) -> QColor:
    faded = QColor(color)
    faded.setAlphaF(opacity)
    return faded
