# SPDX-License-Identifier: MIT
"""The painting of a tile of the grid, and the places of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QLinearGradient, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.tasks.messages import Localized, in_words
from focal_photos.browser.views.base.painting import (
    BADGE_HEIGHT,
    cut_rect,
    fitted_rect,
    paint_count,
    paint_cut,
    paint_mark,
    paint_photo,
    paint_relations,
    paint_window,
)
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.grid.tile_arrangement import TileMargins

MARK: Final = 24
RADIUS: Final = 8.0
_BUTTON: Final = 24.0
_SMALLEST_BUTTON: Final = 15.0
_SHADE: Final = QColor(0, 0, 0, 175)
_FRAME: Final = 3.0
_ABOVE_FRAME: Final = 7.0
"""Distance of the foot's text from the lower edge, so that the dashes of the current photo do not cover descenders."""

_TWO_LINES: Final = 90.0
"""Height of a photo from which its foot has two lines of text."""
_SHOWN_MARGIN: Final = 1.2
"""Size of the shown part of a photo, relative to the region that it shows enlarged."""
_LABEL_COLORS: Final = {
    "Red": "#e5484d",
    "Yellow": "#f5c518",
    "Green": "#46a758",
    "Blue": "#3e82f7",
    "Purple": "#9d5bd2",
}


class TileButton(StrEnum):
    """The action of a button at the foot of the tile under the pointer."""

    WALK = "walk"
    SIMILAR = "similar"
    DISSIMILAR = "dissimilar"
    UNFOLD = "unfold"


_VERDICTS: Final = {TileButton.SIMILAR: Verdict.SIMILAR, TileButton.DISSIMILAR: Verdict.DISSIMILAR}


@dataclass(frozen=True)
class TileParts:
    """The rectangles of the parts of a tile, in the coordinates of its cell."""

    tile: QRectF
    picture: QRectF
    caption: QRectF
    """`tile`, `picture` and `caption`: the cell without the gap, the photo, and the line below it (empty without
    captions)."""
    strip: QRectF
    """The foot of the photo, with name and buttons of the tile under the pointer."""
    buttons: dict[TileButton, QRectF]
    """The buttons that fit."""


def count_places(parts: TileParts, widths: Sequence[float], height: float) -> list[QRectF]:
    """Return the places of counts in the upper right corner of the picture, the first at the right; as many as fit."""
    right, places = parts.picture.right() - 4, []
    for width in widths:
        if right - width < parts.picture.left() + MARK + 9:
            break
        places.append(QRectF(right - width, parts.picture.top() + 4, width, height))
        right -= width + 3
    return places


def fold_place(parts: TileParts, tile: TileState) -> QRectF:
    """Return the place of the number of duplicates that a tile hides: at the left, below its other signs."""
    top = (
        _below_mark(parts, tile) + (BADGE_HEIGHT + 4 if tile.relations else 0) + (BADGE_HEIGHT + 4 if tile.rose else 0)
    )
    return QRectF(parts.picture.left() + 5, top, 42, BADGE_HEIGHT + 2)


def window_place(tile: TileState, photo: QRectF, area: QRectF) -> QRectF | None:
    """Return the visible place of the part of a photo that matches a region; None if there is none.

    Parameters
    ----------
    photo, area : QRectF
        The whole photo, which may be larger than its visible area.
    """
    part = tile.window
    if part is None:
        return None
    corner = QPointF(photo.left() + part.x0 * photo.width(), photo.top() + part.y0 * photo.height())
    size = QSizeF((part.x1 - part.x0) * photo.width(), (part.y1 - part.y0) * photo.height())
    inside = QRectF(corner, size).intersected(area).adjusted(2, 2, -2, -2)
    return inside if inside.isValid() else None


def enlarged_part(part: Region, image: QImage, area: QRectF) -> QRectF:
    """Return the part of a picture, in its pixels, that shows a region and a little around it in an area.

    It has the proportions of the area as far as the picture reaches.
    """
    wide, high = ((high - low) * _SHOWN_MARGIN for low, high in ((part.x0, part.x1), (part.y0, part.y1)))
    wide, high = wide * image.width(), high * image.height()
    scale = max(wide / area.width(), high / area.height())
    size = QSizeF(min(scale * area.width(), image.width()), min(scale * area.height(), image.height()))
    left = (part.x0 + part.x1) / 2 * image.width() - size.width() / 2
    top = (part.y0 + part.y1) / 2 * image.height() - size.height() / 2
    corner = QPointF(
        min(max(left, 0.0), image.width() - size.width()), min(max(top, 0.0), image.height() - size.height())
    )
    return QRectF(corner, size)


def _below_mark(parts: TileParts, tile: TileState) -> float:
    return parts.picture.top() + 5 + (MARK + 4 if tile.mark is not None or tile.is_focal else 0)


class TileDelegate(QStyledItemDelegate):
    """Paints a tile: picture, name, rank, score, marks, counts, and the buttons under the pointer.

    A photo reaches to the edge of its tile. Small signs along its upper edge show its data. Name, tags and buttons
    appear at its foot, under the pointer or on the current photo, or in a line below it if `captions` is set.
    """

    gap = 2.0
    """Pixels between two tiles."""
    padding = 0.0
    """Pixels of background around a photo."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.can_judge = False
        """Whether to offer the judging buttons: there is a focal image and the library is writable."""
        self.hovered = -1
        """Row under the pointer, or -1."""
        self.hovered_button: TileButton | None = None
        """Button under the pointer."""
        self.named = -1
        """Row whose name is shown because of the keyboard, wherever the pointer is."""
        self.captions = False
        """Whether a line with rank, name and score is below each photo."""
        self.fills = False
        """Whether a photo fills its tile and is cropped at two sides if its proportions differ."""

    # ------------------------------------------------------------------ sizes
    def caption_height(self, option: QStyleOptionViewItem) -> int:
        """Return the height of the line below the picture; 0 without captions."""
        return round(QFontMetricsF(option.font).height() + 6) if self.captions else 0

    def margins(self, option: QStyleOptionViewItem) -> TileMargins:
        """Return the space of a cell around its picture; see `parts`."""
        return TileMargins(self.gap, self.padding, self.caption_height(option))

    def parts(self, cell: QRectF, option: QStyleOptionViewItem, *, with_buttons: bool = True) -> TileParts:
        """Divide a cell of the grid; buttons are optional, because few callers need them."""
        half = self.gap / 2
        tile = cell.adjusted(half, half, -half, -half)
        caption_height = self.caption_height(option)
        picture = tile.adjusted(self.padding, self.padding, -self.padding, -max(caption_height, self.padding))
        caption = QRectF(picture.left() + 3, picture.bottom(), picture.width() - 6, caption_height)
        buttons = [TileButton.WALK, *_VERDICTS]
        side = min(_BUTTON, (picture.width() - 8) / len(buttons) - 4, picture.height() / 3)
        if side < _SMALLEST_BUTTON:  # judging is the most frequent action, so its buttons have priority
            buttons = buttons[1:]
            side = min(_BUTTON, (picture.width() - 8) / 2 - 4, picture.height() / 2 - 8)
        strip = QRectF(picture)
        strip.setTop(max(picture.bottom() - max(side, 16.0) - 10, picture.top()))
        places = {}
        right = picture.right() - 4
        for button in reversed(buttons if with_buttons and side >= _SMALLEST_BUTTON / 2 else []):
            places[button] = QRectF(right - side, strip.center().y() - side / 2, side, side)
            right -= side + 4
        return TileParts(tile, picture, caption, strip, places)

    def offered(self, tile: TileState) -> list[TileButton]:
        """Return the buttons that a tile offers."""
        if tile.card is not None and tile.card.photo.failure is not None:
            return []
        return [TileButton.WALK, *(_VERDICTS if self.can_judge and not tile.is_focal else ())]

    def button_at(
        self, index: QModelIndex, cell: QRectF, option: QStyleOptionViewItem, at: QPointF
    ) -> TileButton | None:
        """Return the button of a tile at a point."""
        tile: TileState | None = index.data(Role.TILE)
        if tile is None:
            return None
        parts = self.parts(cell, option)
        if tile.folded and fold_place(parts, tile).contains(at):
            return TileButton.UNFOLD
        places = parts.buttons
        return next((each for each in self.offered(tile) if each in places and places[each].contains(at)), None)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return a dummy size: the layout determines the size of a tile."""
        return QSize(200, 150)

    def on_match(self, index: QModelIndex, cell: QRectF, option: QStyleOptionViewItem, at: QPointF) -> bool:
        """Return whether a point of a tile is on the part of its photo that matches a region."""
        tile: TileState | None = index.data(Role.TILE)
        if tile is None or tile.window is None or tile.image is None or tile.image.isNull():
            return False
        area = self.parts(cell, option, with_buttons=False).picture
        place = window_place(tile, (cut_rect if self.fills else fitted_rect)(tile.image, area), area)
        return place is not None and place.contains(at)

    # ------------------------------------------------------------------ painting
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a tile."""
        tile: TileState | None = index.data(Role.TILE)
        if tile is None:
            return
        hovered = tile.row == self.hovered
        says_more = hovered or tile.row == self.named
        parts = self.parts(QRectF(option.rect), option, with_buttons=says_more)
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # tiles are laid out left to right in every language
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        self._paint_ground(painter, option, parts, tile, hovered)
        self._paint_picture(painter, parts, tile, option)
        if self.captions:
            self._paint_caption(painter, parts, tile, option)
        if says_more:
            self._paint_strip(painter, parts, tile, option, hovered)
        self._paint_signs(painter, parts, tile, option)
        self._paint_frame(painter, option, parts, tile)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, parts: TileParts, tile: TileState, hovered: bool
    ) -> None:
        """Paint the background of the caption."""
        if self.captions:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            ground = "selected" if selected else "tile-hover" if hovered else "tile"
            painter.fillRect(parts.tile, self._theme.color(ground))

    def _paint_picture(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        theme, area = self._theme, parts.picture
        photo = tile.card.photo if tile.card else None
        offline = tile.card is not None and tile.card.offline
        if tile.image is not None and not tile.image.isNull():
            if tile.enlarged is not None and tile.window is not None and not tile.enlarged.isNull():
                whole = paint_part(painter, tile.enlarged, tile.window, area)
            elif self.fills:
                whole = paint_cut(painter, tile.image, area)
            else:
                whole = paint_photo(painter, tile.image, area, 4.0 if self.padding else 0.0)
            window = window_place(tile, whole, area)
            if window is not None:
                paint_window(painter, theme, window)
            if photo is not None and (photo.missing or offline):
                self._paint_not_there(painter, QRectF(area.left() + 4, area.bottom() - 28, 24, 24))
            return
        painter.fillRect(area, theme.color("line"))
        broken = photo is not None and (photo.failure is not None or photo.missing or offline)
        if not broken and tile.image is None:
            return
        reason = self.tr("No picture")
        if photo is not None and photo.missing:
            reason = self.tr("The file is missing")
        elif offline:
            reason = self.tr("Folder not found")
        elif photo is not None and photo.failure:
            reason = in_words(photo.failure)
        size = min(30.0, area.height() / 3)
        icon = QRectF(area.center().x() - size / 2, area.top() + area.height() * 0.2, size, size)
        name = "image-missing" if photo is not None and (photo.missing or offline) else "image-broken"
        theme.paint_icon(painter, name, icon, "text-faint")
        painter.setFont(scaled_font(option.font, 0.86))
        painter.setPen(theme.color("text-soft"))
        text = QRectF(area.left() + 6, icon.bottom() + 4, area.width() - 12, area.bottom() - icon.bottom() - 6)
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
            rank, score = str(tile.row + 1), _score(tile.score)
            painter.setPen(theme.color("accent"))
            painter.drawText(rect, middle | Qt.AlignmentFlag.AlignLeft, rank)
            painter.setPen(theme.color("text-soft"))
            painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, score)
            rect.adjust(metrics.horizontalAdvance(rank) + 7, 0, -metrics.horizontalAdvance(score) - 8, 0)
        if tile.card is not None and rect.width() > 24:
            painter.setPen(theme.color("text-soft"))
            name = metrics.elidedText(tile.card.name, Qt.TextElideMode.ElideMiddle, rect.width())
            painter.drawText(rect, middle | Qt.AlignmentFlag.AlignLeft, name)

    def strip_texts(self, tile: TileState) -> list[str]:
        """Return the texts at the foot of a tile: rank, score and name, then the tags."""
        name = tile.card.name if tile.card is not None else ""
        if tile.score is not None:
            name = f"{tile.row + 1}  \N{MIDDLE DOT}  {_score(tile.score)}  \N{MIDDLE DOT}  {name}"
        tags = ", ".join(tile.card.tags) if tile.card is not None else ""
        return [text for text in ("" if self.captions else name, tags) if text]

    def strip_lines(
        self, parts: TileParts, tile: TileState, option: QStyleOptionViewItem, *, buttons: bool
    ) -> tuple[QRectF, list[str]]:
        """Return the area of the text lines at the foot of a tile, and the lines that fit.

        The lines are beside the buttons, or above them if they would be cut off there and the photo is high enough.
        """
        metrics, picture, strip = QFontMetricsF(scaled_font(option.font, 0.9)), parts.picture, parts.strip
        texts = self.strip_texts(tile)[: 1 if picture.height() < _TWO_LINES else 2]
        height = len(texts) * metrics.height()
        area = QRectF(strip.left() + 7, strip.bottom() - _ABOVE_FRAME - height, strip.width() - 14, height)
        places = [parts.buttons[each] for each in self.offered(tile) if each in parts.buttons] if buttons else []
        if places:
            beside = min(place.left() for place in places) - strip.left() - 14
            above = min(place.top() for place in places) - 3
            cut = any(metrics.horizontalAdvance(text) > beside for text in texts)
            if cut and above - height > picture.top() + MARK + 12:  # keep the signs of the photo visible
                area.moveBottom(above)
            else:
                area.setWidth(beside)
        return area, texts

    def says_all(self, parts: TileParts, tile: TileState, option: QStyleOptionViewItem) -> bool:
        """Return whether the foot of a tile has space for its whole text."""
        area, texts = self.strip_lines(parts, tile, option, buttons=True)
        metrics = QFontMetricsF(scaled_font(option.font, 0.9))
        whole = all(metrics.horizontalAdvance(text) <= area.width() for text in texts)
        return whole and texts == self.strip_texts(tile)

    def _paint_strip(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem, hovered: bool
    ) -> None:
        font = scaled_font(option.font, 0.9)
        metrics = QFontMetricsF(font)
        area, texts = self.strip_lines(parts, tile, option, buttons=hovered)
        strip = QRectF(parts.strip)
        strip.setTop(min(strip.top(), area.top() - 4))
        shade = QLinearGradient(strip.topLeft() - QPointF(0, 10), strip.bottomLeft())
        shade.setColorAt(0, QColor(0, 0, 0, 0))
        shade.setColorAt(0.3, QColor(0, 0, 0, 165))
        shade.setColorAt(1, QColor(0, 0, 0, 205))
        painter.fillRect(strip.adjusted(0, -10, 0, 0), shade)
        painter.setFont(font)
        painter.setPen(self._theme.color("on-photo"))
        for number, text in enumerate(texts if area.width() > 20 else []):
            line = QRectF(area.left(), area.top() + number * metrics.height(), area.width(), metrics.height())
            elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)
        for button in self.offered(tile) if hovered else []:
            if button in parts.buttons:
                self._paint_button(painter, button, parts.buttons[button], tile)

    def _paint_button(self, painter: QPainter, button: TileButton, rect: QRectF, tile: TileState) -> None:
        under = self.hovered_button is button
        if button is TileButton.WALK:
            painter.setPen(QPen(self._theme.color("focal-on-photo"), 1.5))
            painter.setBrush(self._theme.color("focal") if under else _SHADE)
            painter.drawRoundedRect(rect, 5, 5)
            inset = rect.width() * 0.18
            icon = rect.adjusted(inset, inset, -inset, -inset)
            self._theme.paint_icon(painter, "focal", icon, "mark-text" if under else "focal-on-photo")
        else:
            solid = under or tile.mark is _VERDICTS[button]
            paint_mark(painter, self._theme, _VERDICTS[button], rect, solid=solid)

    def _paint_signs(self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem) -> None:
        """Paint the judgement or the focal image's sign at the left, and the counts at the right."""
        corner = QRectF(parts.picture.left() + 5, parts.picture.top() + 5, MARK, MARK)
        if tile.mark is not None:
            paint_mark(painter, self._theme, tile.mark, corner)
        elif tile.is_focal:
            self._paint_focal(painter, corner)
        below = QPointF(parts.picture.left() + 5, _below_mark(parts, tile))
        paint_relations(painter, self._theme, below, tile.relations)
        self._paint_counts(painter, parts, tile, option)
        self._paint_movement(painter, parts, tile, option)
        if tile.folded:
            painter.setFont(scaled_font(option.font, 0.86))
            paint_count(painter, self._theme, fold_place(parts, tile), "stack", f"+{tile.folded}")

    def _paint_movement(
        self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem
    ) -> None:
        """Paint by how many places a photo rose or fell, below the judgements."""
        if not tile.rose:
            return
        painter.setFont(scaled_font(option.font, 0.82))
        text = str(abs(tile.rose))
        width = 17 + QFontMetricsF(painter.font()).horizontalAdvance(text) + 6
        top = _below_mark(parts, tile) + (BADGE_HEIGHT + 4 if tile.relations else 0)
        place = QRectF(parts.picture.left() + 5, top, width, BADGE_HEIGHT)
        paint_count(painter, self._theme, place, "rose" if tile.rose > 0 else "fell", text)

    def _paint_counts(self, painter: QPainter, parts: TileParts, tile: TileState, option: QStyleOptionViewItem) -> None:
        card = tile.card
        if card is None:
            return
        signs: list[tuple[str, str]] = []
        for icon, count in (("suggest", card.suggestions), ("box", len(card.boxes)), ("tag", len(card.tags))):
            if count:
                signs.append((icon, str(count)))
        if card.rating == REJECTED:
            signs.append(("cross", ""))
        elif card.rating:
            signs.append(("", f"{card.rating}★"))
        if signs:
            self._paint_in_corner(painter, parts, signs, scaled_font(option.font, 0.82))
        if card.label is not None:
            edge = QRectF(parts.picture.left(), parts.picture.bottom() - 5, parts.picture.width(), 5)
            painter.fillRect(edge, QColor(_LABEL_COLORS.get(card.label, "#9a9a9a")))

    def _paint_in_corner(
        self, painter: QPainter, parts: TileParts, signs: Sequence[tuple[str, str]], font: QFont
    ) -> None:
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        widths = [(17 if icon else 4) + metrics.horizontalAdvance(text) + (6 if text else 1) for icon, text in signs]
        for (icon, text), place in zip(signs, count_places(parts, widths, BADGE_HEIGHT), strict=False):
            paint_count(painter, self._theme, place, icon, text)

    def _paint_frame(self, painter: QPainter, option: QStyleOptionViewItem, parts: TileParts, tile: TileState) -> None:
        """Paint the frames of the selected, the current and the focal photo."""
        theme = self._theme
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if not (selected or focused or tile.is_focal):
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inset = _FRAME / 2
        frame = parts.tile.adjusted(inset, inset, -inset, -inset)
        if selected:
            painter.fillRect(parts.picture, theme.color("accent", 0.1))
            painter.setPen(QPen(theme.color("canvas"), 1))
            painter.drawRect(frame.adjusted(2, 2, -2, -2))
            painter.setPen(QPen(theme.color("accent"), _FRAME))
            painter.drawRect(frame)
        elif tile.is_focal:
            painter.setPen(QPen(theme.color("focal"), _FRAME))
            painter.drawRect(frame)
        if focused:
            # light dashes on a dark line, because one of the two is visible on any photo
            for pen in (QPen(_SHADE, 2), QPen(theme.color("on-photo"), 1.2, Qt.PenStyle.DashLine)):
                painter.setPen(pen)
                painter.drawRect(frame.adjusted(3, 3, -3, -3))

    def _paint_not_there(self, painter: QPainter, rect: QRectF) -> None:
        """Mark a photo whose file cannot be opened now, at a place without counts and judgements."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_SHADE)
        painter.drawRoundedRect(rect, 5, 5)
        self._theme.paint_icon(painter, "image-missing", rect.adjusted(3, 3, -3, -3), "on-photo")

    def _paint_focal(self, painter: QPainter, rect: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("focal"))
        painter.drawRoundedRect(rect, 6, 6)
        self._theme.paint_icon(painter, "focal", rect.adjusted(4, 4, -4, -4), "mark-text")


def paint_part(painter: QPainter, image: QImage, part: Region, area: QRectF) -> QRectF:
    """Paint a part of a picture in an area; return the rectangle that the whole picture would take."""
    source = enlarged_part(part, image, area)
    scale = min(area.width() / source.width(), area.height() / source.height())
    target = QRectF(QPointF(), source.size() * scale)
    target.moveCenter(area.center())
    painter.drawImage(target, image, source)
    return QRectF(target.topLeft() - source.topLeft() * scale, QSizeF(image.size()) * scale)


def _score(score: float) -> str:
    return f"{Localized(score):.2f}" if score >= 10 else f"{Localized(score):.3f}"
