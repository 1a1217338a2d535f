# SPDX-License-Identifier: MIT
"""The painting of a tile with a suggested box: the whole photo with frames, or only the suggested part."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.views.base.painting import fitted_rect, paint_photo, paint_window
from focal_photos.browser.views.photos.boxes.box_geometry import on_screen
from focal_photos.browser.views.photos.boxes.box_painting import paint_frame, paint_label
from focal_photos.browser.views.photos.grid.tile_delegate import paint_part, window_place
from focal_photos.browser.views.photos.palette import tag_color
from focal_photos.browser.views.review.review_delegate import ReviewDelegate


class BoxDelegate(ReviewDelegate):
    """Paints tiles. The frame of a suggested box has dashes if it is not answered with yes."""

    def photo_place(self, tile: TileState, area: QRectF) -> QRectF | None:
        """Return the rectangle of a photo that its tile shows whole, to draw boxes on it; None for other tiles."""
        if not self._review.whole_photos or tile.image is None or tile.image.isNull():
            return None
        return fitted_rect(tile.image, area)

    def _paint_photo(self, painter: QPainter, image: QImage, tile: TileState, area: QRectF) -> None:
        whole = self.photo_place(tile, area)
        if whole is not None:
            paint_photo(painter, image, area)
            self._paint_boxes(painter, tile, whole)
        elif tile.window is not None:
            painter.save()
            painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
            frame = window_place(tile, paint_part(painter, image, tile.window, area), area)
            if frame is not None:
                paint_window(painter, self._theme, frame)
            painter.restore()

    def _paint_boxes(self, painter: QPainter, tile: TileState, whole: QRectF) -> None:
        """Paint the drawn boxes of the tags asked about, and the suggested one unless another was drawn instead."""
        tag, card, question = self._review.current.tag, tile.card, self._review.question
        if question is None:
            return
        if card is not None:
            for box in card.boxes:
                if box.tag is not None and (box.tag == tag or question.tags):
                    place = on_screen(rotated_region(box.region, card.quarters), whole)
                    paint_frame(painter, place, tag_color(box.tag), strong=True)
                    if question.tags:
                        paint_label(painter, box.tag, place, whole)
                elif box.tag is None and question.tags:
                    place = on_screen(rotated_region(box.region, card.quarters), whole)
                    paint_frame(painter, place, self._theme.color("focal-on-photo"), strong=True)
        if tile.window is not None and tile.photo_id not in self.answers.drawn:
            color, place = self._theme.color("focal-on-photo"), on_screen(tile.window, whole)
            paint_frame(painter, place, color, dashed=not self.is_yes(tile))
            if question.tags and tile.row < len(question.tags):
                name = self.answers.names.get(tile.photo_id, question.tags[tile.row])
                paint_label(painter, name, place, whole, sure=self.is_yes(tile))
