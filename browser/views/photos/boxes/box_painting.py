# SPDX-License-Identifier: MIT
"""Painting of boxes: their frames in the colours of their tags, their names, and handles."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.boxes.box_geometry import handle_places
from focal_photos.browser.views.photos.palette import tag_color, text_color_on

_HALO: Final = QColor(0, 0, 0, 150)
_UNNAMED: Final = QColor(245, 245, 245)
_HANDLE: Final = 8.0
"""Side of a handle in pixels."""
_LEAST_LABELLED: Final = 40.0
"""Width in pixels from which a box shows its name when it is not the current one."""
_PADDING: Final = 4.0
_WARNING: Final = 12
_UNSURE: Final = 0.6
"""Opacity of the name of a box that is not accepted."""


def box_color(box: Box) -> QColor:
    """Return the colour of a box: that of its tag."""
    return _UNNAMED if box.tag is None else tag_color(box.tag)


def box_title(box: Box) -> str:
    """Return the name of a box for the screen."""
    return QCoreApplication.translate("boxes", "Unnamed box") if box.tag is None else shown(box.tag)


def box_reason(box: Box) -> str:
    """Return why a box is uncertain; empty if it is not."""
    if not box.uncertain:
        return ""
    return QCoreApplication.translate("boxes", "The photo was edited since: check this box.")


def paint_frame(painter: QPainter, rect: QRectF, color: QColor, *, dashed: bool = False, strong: bool = False) -> None:
    """Paint the frame of a box, with a dark edge that makes it visible on light photos."""
    width = 3.0 if strong else 2.0
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(_HALO, width + 2, j=Qt.PenJoinStyle.MiterJoin))
    painter.drawRect(rect)
    pen = QPen(color, width, j=Qt.PenJoinStyle.MiterJoin)
    if dashed:
        pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawRect(rect)


def paint_handles(painter: QPainter, rect: QRectF, color: QColor) -> None:
    """Paint the handles of the current box; those of the sides only if there is room."""
    painter.setPen(QPen(QColor(0, 0, 0, 200), 1))
    painter.setBrush(color.lighter(160))
    for handle, place in handle_places(rect).items():
        corner = bool(handle.across and handle.down)
        if corner or (rect.width() if handle.down else rect.height()) > 4 * _HANDLE:
            painter.drawRect(QRectF(place - QPointF(_HANDLE / 2, _HANDLE / 2), QSizeF(_HANDLE, _HANDLE)))


def paint_name(painter: QPainter, theme: Theme, box: Box, rect: QRectF, *, whole: QRectF, current: bool) -> None:
    """Paint the name of a box above it, or inside if there is no space above; `whole` is the visible area."""
    named = box.tag is not None and (current or rect.width() >= _LEAST_LABELLED)
    if not named and not box.uncertain:
        return
    metrics = QFontMetricsF(painter.font())
    sign = _WARNING + 3 if box.uncertain else 0
    room = max(rect.width(), 120.0) if current else rect.width()
    text = box_title(box) if named else ""
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room - 2 * _PADDING - sign)
    label = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * _PADDING + sign, metrics.height() + 2)
    label.moveBottomLeft(rect.topLeft() - QPointF(1, 1))
    if label.top() < whole.top():
        label.moveTop(max(rect.top(), whole.top()) + 1)
    label.moveLeft(min(max(label.left(), whole.left()), whole.right() - label.width()))
    color = box_color(box)
    painter.setPen(QPen(_HALO, 1))
    painter.setBrush(color)
    painter.drawRect(label)
    writing = text_color_on(color)
    if box.uncertain:
        place = QRectF(label.left() + _PADDING, label.center().y() - _WARNING / 2, _WARNING, _WARNING)
        theme.paint_icon(painter, "warning", place, "mark-text" if writing == QColor("black") else "on-photo")
    painter.setPen(writing)
    inside = label.adjusted(_PADDING + sign, 0, 0, 0)
    painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def paint_label(painter: QPainter, tag: str, rect: QRectF, whole: QRectF, *, sure: bool = True) -> None:
    """Paint a tag above a box, or inside if there is no space above; faintly if it is not sure."""
    metrics, color = QFontMetricsF(painter.font()), tag_color(tag)
    text = metrics.elidedText(shown(tag), Qt.TextElideMode.ElideRight, max(rect.width(), whole.width() / 2))
    label = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * _PADDING, metrics.height() + 2)
    label.moveBottomLeft(rect.topLeft())
    label.moveTop(max(label.top(), whole.top()))
    label.moveLeft(min(max(label.left(), whole.left()), whole.right() - label.width()))
    painter.save()
    painter.setOpacity(1.0 if sure else _UNSURE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRect(label)
    painter.setPen(text_color_on(color))
    painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
