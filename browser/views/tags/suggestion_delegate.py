"""Paints one suggestion, and knows where its parts lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from browser.catalog.facts.records import Verdict
from browser.models.photos.tiles import PhotoCard
from browser.models.session import SMALL
from browser.models.tagging.suggestion_model import SuggestionRole, SuggestionRow
from browser.tasks.thumbnail_loader import ThumbnailLoader
from browser.views.base.painting import paint_mark, paint_photo
from browser.views.base.theme import Theme, scaled_font

ROW_HEIGHT: Final = 96
BUTTON: Final = 24


@dataclass(frozen=True)
class RowParts:
    """Where the parts of a row lie."""

    photo: QRectF
    words: QRectF
    accept: QRectF
    reject: QRectF


def row_parts(rect: QRectF) -> RowParts:
    """Divide a row."""
    inner = rect.adjusted(8, 8, -8, -8)
    reject = QRectF(inner.right() - BUTTON, inner.top(), BUTTON, BUTTON)
    accept = reject.translated(-BUTTON - 8, 0)
    photo = QRectF(inner.left(), inner.top(), 84, inner.height())
    return RowParts(
        photo,
        QRectF(photo.right() + 10, inner.top(), inner.right() - photo.right() - 10, inner.height()),
        accept,
        reject,
    )


class SuggestionDelegate(QStyledItemDelegate):
    """Paints a suggestion."""

    def __init__(self, loader: ThumbnailLoader, theme: Theme, parent: QWidget, *, can_answer: bool) -> None:
        super().__init__(parent)
        self._loader = loader
        self._theme = theme
        self.can_answer = can_answer
        self.hovered: tuple[int, Verdict | None] = (-1, None)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row."""
        return QSize(200, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a row."""
        row: SuggestionRow | None = index.data(SuggestionRole.ROW)
        if row is None:
            return
        theme, parts = self._theme, row_parts(QRectF(option.rect))
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        ground = QRectF(option.rect).adjusted(2, 2, -2, -2)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = selected and bool(option.state & QStyle.StateFlag.State_Active)
        painter.setPen(QPen(theme.color("accent"), 1.5) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("selected" if selected else "window"))
        painter.drawRoundedRect(ground, 7, 7)
        self._paint_photo(painter, row.card, parts.photo, 4)

        words = parts.words
        sure = f"{round(100 * row.suggestion.confidence)} %"
        painter.setFont(scaled_font(option.font, 1.04, QFont.Weight.DemiBold))
        painter.setPen(theme.color("text"))
        room = words.width() - (2 * BUTTON + 18 if self.can_answer else 0)
        name = painter.fontMetrics().elidedText(row.suggestion.tag, Qt.TextElideMode.ElideMiddle, int(room))
        line = QRectF(words.left(), words.top(), room, BUTTON)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)

        painter.setFont(scaled_font(option.font, 0.9))
        percent = painter.fontMetrics().horizontalAdvance("100 %")
        bar = QRectF(words.left(), words.top() + BUTTON + 8, words.width() - percent - 8, 6)
        _paint_share(painter, theme, bar, row.suggestion.confidence)
        painter.setPen(theme.color("text-soft"))
        painter.drawText(
            QRectF(bar.right() + 8, bar.center().y() - 10, percent, 20),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            sure,
        )
        self._paint_witnesses(painter, row, words)
        if self.can_answer:
            for verdict, rect in ((Verdict.SIMILAR, parts.accept), (Verdict.DISSIMILAR, parts.reject)):
                paint_mark(painter, theme, verdict, rect, solid=self.hovered == (index.row(), verdict), on_photo=False)
        painter.restore()

    def _paint_witnesses(self, painter: QPainter, row: SuggestionRow, words: QRectF) -> None:
        because = self.tr("because:")
        height = 30.0
        top = words.bottom() - height
        painter.setPen(self._theme.color("text-faint"))
        width = painter.fontMetrics().horizontalAdvance(because) + 6
        painter.drawText(QRectF(words.left(), top, width, height), Qt.AlignmentFlag.AlignVCenter, because)
        left = words.left() + width
        for card in row.witnesses:
            spot = QRectF(left, top, 40, height)
            if spot.right() > words.right() + 1:
                break
            self._paint_photo(painter, card, spot, 3)
            left = spot.right() + 4

    def _paint_photo(self, painter: QPainter, card: PhotoCard, area: QRectF, radius: float) -> None:
        image = self._loader.image(card.photo.id, SMALL)
        if image is not None and not image.isNull():
            paint_photo(painter, image, area, radius)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("line"))
            painter.drawRoundedRect(area, radius, radius)


def _paint_share(painter: QPainter, theme: Theme, rect: QRectF, share: float) -> None:
    """Paint a share 0..1 as a bar."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    radius = rect.height() / 2
    painter.setBrush(theme.color("border"))
    painter.drawRoundedRect(rect, radius, radius)
    filled = QRectF(rect)
    filled.setWidth(max(rect.height(), rect.width() * min(1.0, max(0.0, share))))
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(filled, radius, radius)
    painter.restore()
