# SPDX-License-Identifier: MIT
"""Painting shared by widgets and delegates: photos with round corners, and the mark of a judgement."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QImage, QPainter, QPainterPath, QPen, QPixmap, QTransform

from focal_photos.browser.catalog.facts.records import Relation, Verdict
from focal_photos.browser.views.base.theme import Theme

BADGE_HEIGHT: Final = 18
_RELATION_ICONS: Final = {Relation.LOOKS_ALIKE: "looks-alike", Relation.NEARER: "nearer"}
_SHADE: Final = QColor(0, 0, 0, 165)
_DARK: Final = QColor(0, 0, 0, 175)
_MAX_SCALE_DIFFERENCE: Final = 0.03
"""Largest difference from 1 at which a scale counts as 1."""


def fitted_rect(image: QImage, area: QRectF) -> QRectF:
    """Return the largest centred rectangle in the area with the image's proportions."""
    scale = min(area.width() / image.width(), area.height() / image.height())
    width, height = image.width() * scale, image.height() * scale
    return QRectF(area.center().x() - width / 2, area.center().y() - height / 2, width, height)


def cut_rect(image: QImage, area: QRectF) -> QRectF:
    """Return the smallest centred rectangle around the area with the image's proportions."""
    scale = max(area.width() / image.width(), area.height() / image.height())
    width, height = image.width() * scale, image.height() * scale
    return QRectF(area.center().x() - width / 2, area.center().y() - height / 2, width, height)


def paint_photo(painter: QPainter, image: QImage, area: QRectF, radius: float = 4.0) -> QRectF:
    """Paint an image with rounded corners in the middle of an area; return its rectangle."""
    target = fitted_rect(image, area)
    scale, pixel = target.width() / image.width(), 1 / painter.device().devicePixelRatioF()
    if abs(scale / pixel - 1) < _MAX_SCALE_DIFFERENCE:  # rendered for this size, so paint pixel by pixel
        scale = pixel
        left, top = (round(side / pixel) * pixel for side in (target.left(), target.top()))
        target = QRectF(left, top, image.width() * pixel, image.height() * pixel)
    if not radius:
        painter.drawImage(target, image)
        return target
    brush = QBrush(image)
    brush.setTransform(QTransform.fromTranslate(target.left(), target.top()).scale(scale, scale))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(brush)
    painter.drawRoundedRect(target, radius, radius)
    return target


def paint_window(painter: QPainter, theme: Theme, rect: QRectF) -> None:
    """Paint a thin frame around a part of a photo, with a dark edge that makes it visible on light photos."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in ((_DARK, 3.5), (theme.color("focal-on-photo"), 1.6)):
        painter.setPen(QPen(color, width, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(rect)


def square_icon(image: QImage) -> QIcon:
    """Return a picture as a square icon, so that the texts beside icons in a list are aligned."""
    picture = QPixmap.fromImage(image)
    side = max(picture.width(), picture.height())
    square = QPixmap(side, side)
    square.fill(Qt.GlobalColor.transparent)
    painter = QPainter(square)
    painter.drawPixmap((side - picture.width()) // 2, (side - picture.height()) // 2, picture)
    painter.end()
    return QIcon(square)


def paint_cut(painter: QPainter, image: QImage, area: QRectF) -> QRectF:
    """Paint an image that is not null so that it fills an area, cropped at two sides; return its whole rectangle."""
    scale = max(area.width() / image.width(), area.height() / image.height())
    pixel = 1 / painter.device().devicePixelRatioF()
    if abs(scale / pixel - 1) < _MAX_SCALE_DIFFERENCE and scale <= pixel:
        scale = pixel
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    width, height = image.width() * scale, image.height() * scale
    left, top = area.center().x() - width / 2, area.center().y() - height / 2
    whole = QRectF(round(left / pixel) * pixel, round(top / pixel) * pixel, width, height)
    painter.drawImage(whole, image)
    painter.restore()
    return whole


def paint_nearly_cut(painter: QPainter, image: QImage, area: QRectF, hidden: float) -> None:
    """Paint an image that is not null, enlarged towards filling an area while at most a share of it is cropped."""
    fitted = fitted_rect(image, area)
    wider = image.width() * area.height() > image.height() * area.width()
    whole, room = (fitted.height(), area.height()) if wider else (fitted.width(), area.width())
    scale = min(room / whole, 1 / (1 - hidden))
    part = QRectF(area)
    if wider:
        part.setHeight(whole * scale)
    else:
        part.setWidth(whole * scale)
    part.moveCenter(area.center())
    paint_cut(painter, image, part)


def paint_mark(
    painter: QPainter, theme: Theme, verdict: Verdict, rect: QRectF, *, solid: bool = True, on_photo: bool = True
) -> None:
    """Paint a judgement: similar is a filled circle with a check, not similar a filled square with a cross.

    Parameters
    ----------
    painter : QPainter
        With antialiasing on.
    rect : QRectF
        A square.
    solid : bool
        False paints an offer (no fill, coloured sign), as on the buttons under the pointer.
    on_photo : bool
        Whether an offer is on a photo and needs a dark background.
    """
    similar = verdict is Verdict.SIMILAR
    name = "similar" if similar else "dissimilar"
    color = theme.color(f"{name}-on-photo" if on_photo and not solid else name)
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


def paint_relations(painter: QPainter, theme: Theme, at: QPointF, relations: Collection[Relation]) -> None:
    """Paint a badge for each relation, side by side from a point, each 20 x `BADGE_HEIGHT`."""
    for place, relation in enumerate(each for each in Relation if each in relations):
        rect = QRectF(at.x() + place * 23, at.y(), 20, BADGE_HEIGHT)
        paint_count(painter, theme, rect, _RELATION_ICONS[relation], "")


def paint_count(painter: QPainter, theme: Theme, rect: QRectF, icon: str, text: str) -> None:
    """Paint an icon and a number, each of which may be empty, on a dark background."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_DARK)
    painter.drawRoundedRect(rect, 5, 5)
    size = 12.0
    left = rect.left() + 4
    if icon:
        place = QPointF(left, rect.center().y() - size / 2)
        painter.drawPixmap(place, theme.pixmap(icon, 12, "on-photo", painter.device().devicePixelRatioF()))
        left += size + 3
    painter.setPen(theme.color("on-photo"))
    painter.drawText(QRectF(left, rect.top(), rect.right() - left, rect.height()), Qt.AlignmentFlag.AlignVCenter, text)
    painter.restore()
