# SPDX-License-Identifier: MIT
"""The painting of tiles whose photos are answered with yes or no: a green background, and marks of changed answers."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.views.base.painting import paint_mark
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.tile_delegate import MARK, RADIUS, TileButton, TileDelegate, TileParts


class AnswerDelegate(TileDelegate):
    """Paints tiles. Green background: yes. A cross: changed to no. A check: changed to yes."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self.captions = True

    @property
    def answers(self) -> Answers:
        """Answers to the question that is shown."""
        raise NotImplementedError

    def caption_height(self, option: QStyleOptionViewItem) -> int:
        """Return the height of the line below the picture."""
        return round(QFontMetricsF(option.font).height() + 7)

    def is_yes(self, tile: TileState) -> bool:
        """Return whether the photo is answered with yes."""
        return tile.row < len(self.answers.photo_ids) and self.answers.is_yes(tile.row)

    def is_flipped(self, tile: TileState) -> bool:
        """Return whether the user changed the answer."""
        return tile.photo_id in self.answers.flipped

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, parts: TileParts, tile: TileState, hovered: bool
    ) -> None:
        theme, area = self._theme, parts.tile.adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("tile-hover" if hovered else "tile"))
        painter.drawRoundedRect(area, RADIUS, RADIUS)
        if self.is_yes(tile) or tile.photo_id in self.answers.drawn:
            painter.setBrush(theme.color("similar", 0.26))
            painter.drawRoundedRect(area, RADIUS, RADIUS)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(area, RADIUS, RADIUS)
        elif option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(theme.color("accent"), 1.4, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(area, RADIUS, RADIUS)

    def _paint_flipped(self, painter: QPainter, parts: TileParts, tile: TileState) -> None:
        """Mark the picture if the user changed the answer."""
        if self.is_flipped(tile):
            corner = parts.picture.topLeft() + QPointF(5, 5)
            verdict = Verdict.SIMILAR if self.is_yes(tile) else Verdict.DISSIMILAR
            paint_mark(painter, self._theme, verdict, QRectF(corner, QSizeF(MARK, MARK)))

    def _paint_signs(self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem) -> None:
        """Paint nothing, so that only the question is visible."""

    def _paint_strip(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem, hovered: bool
    ) -> None:
        """Paint nothing: a click anywhere on a tile changes its answer."""

    def offered(self, tile: TileState) -> list[TileButton]:
        """Return none: a click anywhere on a tile changes its answer."""
        return []
