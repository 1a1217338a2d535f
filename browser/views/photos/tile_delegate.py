"""Paints one tile of the grid, and knows where its parts lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser.catalog.facts.records import Verdict
from browser.models.photos.grid_model import Role
from browser.models.photos.tiles import TileState
from browser.views.base.painting import paint_mark, paint_photo
from browser.views.base.theme import Theme, scaled_font

GAP: Final = 3
PADDING: Final = 7
ASPECT: Final = 0.72
BUTTON: Final = 30
MARK: Final = 26
COUNT_HEIGHT: Final = 20
RADIUS: Final = 8.0


@dataclass(frozen=True)
class TileParts:
    """Where the parts of a tile lie, in the coordinates of its cell."""

    tile: QRectF
    picture: QRectF
    caption: QRectF
    similar: QRectF
    dissimilar: QRectF


def tile_parts(cell: QRectF, caption_height: float) -> TileParts:
    """Divide a cell of the grid."""
    tile = cell.adjusted(GAP, GAP, -GAP, -GAP)
    inner = tile.adjusted(PADDING, PADDING, -PADDING, 0)
    picture = QRectF(inner.topLeft(), inner.bottomRight())
    picture.setBottom(tile.bottom() - caption_height)
    caption = QRectF(inner.left() + 2, picture.bottom(), inner.width() - 4, caption_height)
    # Small tiles have small buttons, so that the counts in the upper corner stay in sight.
    side = min(float(BUTTON), picture.height() - COUNT_HEIGHT - 14)
    top = picture.bottom() - side - 6
    middle = picture.center().x()
    return TileParts(
        tile,
        picture,
        caption,
        QRectF(middle - side - 5, top, side, side),
        QRectF(middle + 5, top, side, side),
    )


def count_places(parts: TileParts, widths: Sequence[float], height: float) -> list[QRectF]:
    """Return where counts lie in the upper right corner of the picture, the first at the right; as many as fit."""
    right, places = parts.picture.right() - 4, []
    for width in widths:
        if right - width < parts.picture.left() + MARK + 9:
            break
        places.append(QRectF(right - width, parts.picture.top() + 4, width, height))
        right -= width + 4
    return places


class TileDelegate(QStyledItemDelegate):
    """Everything of a tile: picture, name, rank, score, marks, counts, and the buttons under the pointer."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.can_judge = False
        """Whether the buttons under the pointer are offered: there is a focal image and the library is writable."""
        self.hovered = -1
        """Row under the pointer, or -1."""
        self.hovered_button: Verdict | None = None
        """Button under the pointer."""
        self.cell = QSize(200, 180)
        """Size of a cell of the grid."""

    # ------------------------------------------------------------------ sizes
    def caption_height(self, option: QStyleOptionViewItem) -> float:
        """Return the height of the line under the picture."""
        return QFontMetricsF(option.font).height() + 11

    def cell_size(self, width: int, option: QStyleOptionViewItem) -> QSize:
        """Return the size of a cell of this width."""
        picture = (width - 2 * (GAP + PADDING)) * ASPECT
        return QSize(width, round(2 * GAP + PADDING + picture + self.caption_height(option)))

    def button_at(self, cell: QRectF, caption_height: float, point: QPointF) -> Verdict | None:
        """Return which button of a tile lies under a point."""
        if not self.can_judge:
            return None
        parts = tile_parts(cell, caption_height)
        if parts.similar.contains(point):
            return Verdict.SIMILAR
        return Verdict.DISSIMILAR if parts.dissimilar.contains(point) else None

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of a cell: all are the same."""
        return self.cell

    # ------------------------------------------------------------------ painting
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a tile."""
        tile: TileState | None = index.data(Role.TILE)
        if tile is None:
            return
        theme = self._theme
        parts = tile_parts(QRectF(option.rect), self.caption_height(option))
        hovered = tile.row == self.hovered
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        self._paint_ground(painter, option, parts, tile, hovered)
        self._paint_picture(painter, parts, tile, option)
        self._paint_caption(painter, parts, tile, option)
        corner = parts.picture.topLeft() + QPointF(5, 5)
        if tile.mark is not None:
            paint_mark(painter, theme, tile.mark, QRectF(corner, QSize(MARK, MARK)))
        elif tile.is_focal:
            self._paint_focal(painter, QRectF(corner, QSize(MARK, MARK)))
        self._paint_counts(painter, parts, tile, option)
        self._paint_movement(painter, parts, tile, option)
        if hovered and self.can_judge and not tile.is_focal:
            for verdict, rect in (
                (Verdict.SIMILAR, parts.similar),
                (Verdict.DISSIMILAR, parts.dissimilar),
            ):
                solid = self.hovered_button is verdict or tile.mark is verdict
                paint_mark(painter, theme, verdict, rect, solid=solid)
        painter.restore()

    def _paint_ground(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        parts: TileParts,
        tile: TileState,
        hovered: bool,
    ) -> None:
        theme = self._theme
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        ground = "selected" if selected else "tile-hover" if hovered else "tile"
        painter.setBrush(theme.color(ground))
        if selected:
            painter.setPen(QPen(theme.color("accent"), 2))
        elif focused:
            painter.setPen(QPen(theme.color("text-faint"), 1.2, Qt.PenStyle.DashLine))
        elif tile.is_focal:
            painter.setPen(QPen(theme.color("focal"), 1.5))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(parts.tile.adjusted(1, 1, -1, -1), RADIUS, RADIUS)

    def _paint_picture(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        theme, area = self._theme, parts.picture
        photo = tile.card.photo if tile.card else None
        away = tile.card is not None and tile.card.away
        if tile.image is not None and not tile.image.isNull():
            paint_photo(painter, tile.image, area)
            if photo is not None and (photo.missing or away):
                self._paint_not_there(painter, QRectF(area.right() - 28, area.bottom() - 28, 24, 24))
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(area, 4, 4)
        broken = photo is not None and (photo.failure is not None or photo.missing or away)
        if not broken and tile.image is None:
            return
        reason = self.tr("No picture")
        if photo is not None and photo.missing:
            reason = self.tr("The file is missing")
        elif away:
            reason = self.tr("Its folder is away")
        elif photo is not None and photo.failure:
            reason = photo.failure
        size = min(30.0, area.height() / 3)
        icon = QRectF(area.center().x() - size / 2, area.top() + area.height() * 0.16, size, size)
        name = "image-missing" if photo is not None and (photo.missing or away) else "image-broken"
        theme.paint_icon(painter, name, icon, "text-faint")
        painter.setFont(scaled_font(option.font, 0.86))
        painter.setPen(theme.color("text-soft"))
        text = QRectF(area.left() + 8, icon.bottom() + 5, area.width() - 16, area.bottom() - icon.bottom() - 8)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(text, flags, reason)

    def _paint_caption(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        theme, rect = self._theme, QRectF(parts.caption)
        metrics = QFontMetricsF(option.font)
        painter.setFont(option.font)
        middle = Qt.AlignmentFlag.AlignVCenter
        if tile.score is not None:
            rank, score = str(tile.row + 1), f"{tile.score:.2f}" if tile.score >= 10 else f"{tile.score:.3f}"
            painter.setPen(theme.color("accent"))
            painter.drawText(rect, middle | Qt.AlignmentFlag.AlignLeft, rank)
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setPen(theme.color("text-soft" if selected else "text-faint"))
            painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, score)
            rect.adjust(metrics.horizontalAdvance(rank) + 7, 0, -metrics.horizontalAdvance(score) - 8, 0)
        if tile.card is not None and rect.width() > 24:
            painter.setPen(theme.color("text-soft"))
            name = metrics.elidedText(tile.card.name, Qt.TextElideMode.ElideMiddle, rect.width())
            painter.drawText(rect, middle | Qt.AlignmentFlag.AlignLeft, name)

    def _paint_counts(self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem) -> None:
        if tile.card is None:
            return
        painter.setFont(scaled_font(option.font, 0.84))
        counts = (("suggest", tile.card.suggestions), ("tag", len(tile.card.tags)))
        texts = [(icon, str(count)) for icon, count in counts if count]
        metrics = QFontMetricsF(painter.font())
        widths = [COUNT_HEIGHT + metrics.horizontalAdvance(text) + 5 for _, text in texts]
        for (icon, text), place in zip(texts, count_places(parts, widths, COUNT_HEIGHT), strict=False):
            _paint_count(painter, self._theme, place, icon, text)

    def _paint_movement(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        """Paint by how many places a photo rose or fell, in the lower left corner of the picture."""
        if not tile.rose:
            return
        painter.setFont(scaled_font(option.font, 0.84))
        text = str(abs(tile.rose))
        width = COUNT_HEIGHT + QFontMetricsF(painter.font()).horizontalAdvance(text) + 5
        place = QRectF(parts.picture.left() + 4, parts.picture.bottom() - COUNT_HEIGHT - 4, width, COUNT_HEIGHT)
        _paint_count(painter, self._theme, place, "rose" if tile.rose > 0 else "fell", text)

    def _paint_not_there(self, painter: QPainter, rect: QRectF) -> None:
        """Mark a photo whose file cannot be opened now, where no count and no judgement is painted."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(0, 0, 0, 175))
        painter.drawRoundedRect(rect, 5, 5)
        self._theme.paint_icon(painter, "image-missing", rect.adjusted(3, 3, -3, -3), "on-photo")

    def _paint_focal(self, painter: QPainter, rect: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("focal"))
        painter.drawRoundedRect(rect, 6, 6)
        self._theme.paint_icon(painter, "focal", rect.adjusted(4, 4, -4, -4), "mark-text")


def _paint_count(painter: QPainter, theme: Theme, rect: QRectF, icon: str, text: str) -> None:
    """Paint an icon and a number on a dark ground."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(0, 0, 0, 175))
    painter.drawRoundedRect(rect, 5, 5)
    size = 13.0
    icon_rect = QRectF(rect.left() + 4, rect.center().y() - size / 2, size, size)
    painter.drawPixmap(icon_rect.topLeft(), theme.pixmap(icon, 13, "on-photo", painter.device().devicePixelRatioF()))
    painter.setPen(theme.color("on-photo"))
    painter.drawText(
        rect.adjusted(size + 6, 0, -5, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text
    )
    painter.restore()
