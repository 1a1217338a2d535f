# SPDX-License-Identifier: MIT
"""Painting of the map: dots, photos, the selection, the lasso and the preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.map.drawing import SMALLEST_TILE, MapDrawing, Tile, Viewport
from focal_photos.browser.models.map.library_map import LibraryMap
from focal_photos.browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.palette import PALETTE, legend_color

_MARGIN: Final = 0.04  # share of the side of a cell
_PREVIEW: Final = 220  # longest side of the preview, in pixels


class MapPainting:
    """Paints the visible part of the map, and caches pictures of its dots, marks and photos.

    Parameters
    ----------
    canvas : QWidget
        Is painted on.
    """

    def __init__(self, canvas: QWidget, library_map: LibraryMap, loader: ThumbnailLoader, theme: Theme) -> None:
        self._canvas, self._map, self._loader, self._theme = canvas, library_map, loader, theme
        self._dots: tuple[object, QImage] | None = None
        self._marks: tuple[object, QImage] | None = None
        self._photos: QPixmap | None = None
        self._arrived: set[int] | None = None  # photos that must be painted into the picture; None: all

    # ------------------------------------------------------------------ caches
    @property
    def tile_size(self) -> PixelSize:
        """Size of the thumbnails to load."""
        side = round(2 * SMALLEST_TILE * self._canvas.devicePixelRatioF())
        return PixelSize(side, side)

    @property
    def preview_size(self) -> PixelSize:
        """Size of the preview to load."""
        side = round(_PREVIEW * self._canvas.devicePixelRatioF())
        return PixelSize(side, side)

    def forget_dots(self) -> None:
        """Paint the dots again next time."""
        self._dots = None

    def forget_photos(self) -> None:
        """Paint the photos again next time."""
        self._photos = None

    def forget_all(self) -> None:
        """Paint everything again next time."""
        self._dots = self._marks = self._photos = None

    def take_thumbnails(self, photo_ids: Sequence[int]) -> None:
        """Paint photos again next time, because their thumbnails have arrived."""
        if self._arrived is not None:
            self._arrived.update(photo_ids)

    # ------------------------------------------------------------------ painting
    def paint(
        self, view: Viewport, tiles: Sequence[Tile], lasso: list[QPointF], current: int | None, preview: int | None
    ) -> None:
        """Paint the map; `current` is the framed photo, `preview` the enlarged one."""
        painter = QPainter(self._canvas)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self._canvas.rect(), self._theme.color("canvas"))
        drawing = self._map.drawing
        if drawing is None:
            return
        painter.drawImage(0, 0, self._dots_of(drawing, view))
        if self._map.selected:
            painter.drawImage(0, 0, self._marks_of(drawing, view))
        painter.drawPixmap(0, 0, self._photos_of(tiles))
        self._paint_frames(painter, tiles, current)
        if lasso:
            painter.setPen(QPen(self._theme.color("accent"), 1.5, Qt.PenStyle.DashLine))
            painter.setBrush(self._theme.color("accent", 0.15))
            painter.drawPolygon(QPolygonF(lasso))
        if preview is not None:
            self._paint_preview(painter, preview)

    def _dots_of(self, drawing: MapDrawing, view: Viewport) -> QImage:
        ratio = self._canvas.devicePixelRatioF()
        key = (id(drawing), view, ratio, id(self._map.colors))
        if self._dots is None or self._dots[0] != key:
            plain = self._theme.color("text-soft", 0.55)
            palette = [plain.rgba(), *(legend_color(number).rgba() for number in range(1, len(PALETTE) + 1))]
            faint = self._theme.color("text-faint", 0.18).rgba()
            self._dots = (key, drawing.dots(view, ratio, self._map.colors, palette, faint))
        return self._dots[1]

    def _marks_of(self, drawing: MapDrawing, view: Viewport) -> QImage:
        color, ratio = self._theme.color("accent").rgba(), self._canvas.devicePixelRatioF()
        key = (id(drawing), view, ratio, self._map.selected, color)
        if self._marks is None or self._marks[0] != key:
            self._marks = (key, drawing.marks(view, ratio, self._map.selected, color))
        return self._marks[1]

    def _photos_of(self, tiles: Sequence[Tile]) -> QPixmap:
        """Return the tiles as one picture, because a lasso and its selection are painted over them many times.

        In an existing picture, only tiles with newly arrived thumbnails are painted again.
        """
        ratio, size = self._canvas.devicePixelRatioF(), self._canvas.size()
        pixmap = self._photos
        if pixmap is None or pixmap.size() != size * ratio or pixmap.devicePixelRatioF() != ratio:
            pixmap = self._photos = QPixmap(size * ratio)
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            self._arrived = None
        if self._arrived is None or self._arrived:
            painter = QPainter(pixmap)
            painter.setFont(scaled_font(self._canvas.font(), 0.8))  # of the counts
            painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
            for tile in tiles:
                if self._arrived is None:
                    self._paint_tile(painter, tile)
                elif tile.photo_id in self._arrived:
                    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
                    painter.fillRect(tile.rect, Qt.GlobalColor.transparent)
                    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
                    self._paint_tile(painter, tile)
            painter.end()
        self._arrived = set()
        return pixmap

    def _paint_tile(self, painter: QPainter, tile: Tile) -> None:
        image = self._loader.image(tile.photo_id, self.tile_size)
        if image is None or image.isNull():
            return  # its dot is visible
        photo = _photo_rect(tile, image)
        painter.drawImage(photo, image)
        number = int(self._map.colors[tile.row]) if tile.row < len(self._map.colors) else 0
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if number:
            painter.setPen(QPen(legend_color(number), 2))
            painter.drawRect(photo)
        if tile.count > 1:
            _paint_count(painter, photo, tile.count)

    def _paint_frames(self, painter: QPainter, tiles: Sequence[Tile], current: int | None) -> None:
        """Frame the selected tiles and the current one."""
        selected = set(self._map.selected)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for tile in tiles if selected or current is not None else []:
            is_selected, is_current = tile.photo_id in selected, tile.photo_id == current
            image = self._loader.image(tile.photo_id, self.tile_size) if is_selected or is_current else None
            if image is None or image.isNull():
                continue
            photo = _photo_rect(tile, image)
            if is_selected:
                painter.setPen(QPen(self._theme.color("accent"), 3))
                painter.drawRect(photo.adjusted(-1, -1, 1, 1))
            if is_current:
                painter.setPen(QPen(self._theme.color("focal"), 2))
                painter.drawRect(photo.adjusted(-3, -3, 3, 3))

    def _paint_preview(self, painter: QPainter, preview: int) -> None:
        image = self._loader.image(preview, self.preview_size)
        if image is None or image.isNull():
            return
        scale = min(_PREVIEW / image.width(), _PREVIEW / image.height())
        width, height = image.width() * scale, image.height() * scale
        line = painter.fontMetrics().height() + 6
        left, top = self._canvas.width() - _PREVIEW - 28, self._canvas.height() - height - line - 28
        frame = QRectF(left, top, _PREVIEW + 16, height + line + 16)
        painter.setPen(QPen(self._theme.color("border"), 1))
        painter.setBrush(self._theme.color("panel"))
        painter.drawRoundedRect(frame, 6, 6)
        painter.drawImage(QRectF(frame.center().x() - width / 2, frame.top() + 8, width, height), image)
        painter.setFont(QFont(self._canvas.font()))
        painter.setPen(self._theme.color("text"))
        name, elided = self._map.name_of(preview), Qt.TextElideMode.ElideMiddle
        text = painter.fontMetrics().elidedText(name, elided, round(frame.width() - 16))
        under = QRectF(frame.left() + 8, frame.bottom() - line - 2, frame.width() - 16, line)
        painter.drawText(under, Qt.AlignmentFlag.AlignCenter, text)


def _photo_rect(tile: Tile, image: QImage) -> QRectF:
    margin = tile.rect.width() * _MARGIN
    cell = tile.rect.adjusted(margin, margin, -margin, -margin)
    scale = min(cell.width() / image.width(), cell.height() / image.height())
    width, height = image.width() * scale, image.height() * scale
    return QRectF(cell.center().x() - width / 2, cell.center().y() - height / 2, width, height)


def _paint_count(painter: QPainter, photo: QRectF, count: int) -> None:
    text = str(count)
    metrics = painter.fontMetrics()
    width = metrics.horizontalAdvance(text) + 7
    badge = QRectF(photo.right() - width, photo.bottom() - metrics.height(), width, metrics.height())
    painter.fillRect(badge, QColor(0, 0, 0, 150))
    painter.setPen(QColor("#f2f3f5"))
    painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)
