# SPDX-License-Identifier: MIT
"""The painting of a tile of Review: the photo, its confidence, the user's answer, and the bar below alike photos."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.views.base.painting import paint_nearly_cut
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.grid.tile_delegate import RADIUS, TileParts
from focal_photos.browser.views.review.answer_delegate import AnswerDelegate

_FAINT_CONFIDENCE: Final = 0.1
"""Confidence below which it is painted faintly."""
HIDDEN: Final = 1 / 3
"""Largest share of a photo that is cropped to fill its tile."""
_BAR: Final = 3.0
"""Height in pixels of the bar below alike photos."""
_FLIPPED_OPACITY: Final = 0.38
"""Opacity of a photo that was flipped to no."""


class ReviewDelegate(AnswerDelegate):
    """Paints tiles. Green background: yes. A cross: flipped to no. A check: flipped to yes below the line.

    A bar below several tiles joins alike photos, which share one percentage.
    """

    gap = 7.0
    padding = 4.0

    def __init__(self, review: Review, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._review = review

    @property
    def answers(self) -> Answers:
        """Answers to the question that is shown."""
        return self._review.answers

    def _paint_picture(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        painter.save()
        painter.setOpacity(_FLIPPED_OPACITY if self.is_flipped(tile) and not self.is_yes(tile) else 1.0)
        if tile.image is not None and not tile.image.isNull():
            self._paint_photo(painter, tile.image, tile, parts.picture)
        else:
            super()._paint_picture(painter, parts, tile, option)
        painter.restore()
        self._paint_flipped(painter, parts, tile)

    def _paint_photo(self, painter: QPainter, image: QImage, tile: TileState, area: QRectF) -> None:
        paint_nearly_cut(painter, image, area, HIDDEN)

    def _paint_caption(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        shown = self._review.current.shown
        if tile.row >= len(shown):
            return
        text = f"{round(100 * shown[tile.row])} %"
        painter.setFont(scaled_font(option.font, 0.92))
        sure = shown[tile.row] >= _FAINT_CONFIDENCE or self.is_yes(tile)
        painter.setPen(self._theme.color("text-soft" if sure else "text-faint"))
        painter.drawText(parts.caption, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_frame(self, painter: QPainter, option: QStyleOptionViewItem, parts: TileParts, tile: TileState) -> None:
        """Paint the bar below alike photos, including the gaps between them."""
        before, after = self.joined(tile.row - 1), self.joined(tile.row)
        if option.direction == Qt.LayoutDirection.RightToLeft:
            before, after = after, before
        if not before and not after:
            return
        cell = QRectF(option.rect)
        left = cell.left() if before else parts.tile.left() + RADIUS
        right = cell.right() + 1 if after else parts.tile.right() - RADIUS
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("text-faint", 0.9))
        painter.drawRect(QRectF(left, cell.bottom() - _BAR + 1, right - left, _BAR))

    def joined(self, row: int) -> bool:
        """Return whether the bar joins a tile with the next."""
        question = self._review.question
        groups = () if question is None else question.groups
        return 0 <= row < len(groups) - 1 and bool(groups[row] == groups[row + 1])


Index = QModelIndex | QPersistentModelIndex
