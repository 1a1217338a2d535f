# SPDX-License-Identifier: MIT
"""The photos of an audit: a green background means that a photo should carry the tag."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.models.review.audit import Audit
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.grid.tile_delegate import TileParts
from focal_photos.browser.views.review.answer_delegate import AnswerDelegate
from focal_photos.browser.views.review.answer_grid import AnswerGrid

_TILE: Final = 168


class AuditGrid(AnswerGrid):
    """Shows the photos of a question."""

    def __init__(self, audit: Audit, theme: Theme) -> None:
        super().__init__(audit.tiles, theme, _AuditDelegate(audit, theme))
        self.setAccessibleName(self.tr("Photos of the audit"))
        self.set_tile_size(_TILE)


class _AuditDelegate(AnswerDelegate):
    """Paints tiles: green if the photo should carry the tag; a check or cross if its present tags differ."""

    gap = 6.0
    padding = 7.0

    def __init__(self, audit: Audit, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._audit = audit

    @property
    def answers(self) -> Answers:
        """Answers to the question that is shown."""
        return self._audit.tiles.answers

    def _paint_picture(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        super()._paint_picture(painter, parts, tile, option)
        self._paint_flipped(painter, parts, tile)

    def _paint_caption(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        question = self._audit.question
        if question is not None:
            yes = self.is_yes(tile)
            text = question.tag if yes else self.tr("not {0}").format(question.tag)
            painter.setFont(scaled_font(option.font, 0.92))
            painter.setPen(self._theme.color("text" if yes else "text-soft"))
            metrics = QFontMetricsF(painter.font())
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, parts.caption.width())
            painter.drawText(parts.caption, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_frame(self, painter: QPainter, option: QStyleOptionViewItem, parts: TileParts, tile: TileState) -> None:
        """Paint nothing: the background shows the answer."""
