# SPDX-License-Identifier: MIT
"""The list of suggested tags: painting of a row, and its keys and clicks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.photos.tiles import SMALL_TILE, PhotoCard
from focal_photos.browser.models.tagging.suggestion_model import SuggestionModel, SuggestionRole, SuggestionRow
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.browser.views.base.painting import paint_mark, paint_photo
from focal_photos.browser.views.base.pointer import Pointer
from focal_photos.browser.views.base.theme import Theme, scaled_font

ROW_HEIGHT: Final = 96
BUTTON: Final = 24
SUPPORTER: Final = QSizeF(40, 30)
SMALL_FONT: Final = 0.9


@dataclass(frozen=True)
class RowParts:
    """The rectangles of the parts of a row."""

    photo: QRectF
    words: QRectF
    accept: QRectF
    reject: QRectF


def row_parts(rect: QRectF) -> RowParts:
    """Divide a row."""
    inner = rect.adjusted(8, 8, -8, -8)
    reject = QRectF(inner.right() - BUTTON, inner.top(), BUTTON, BUTTON)
    accept = reject.translated(-BUTTON - 8, 0)
    photo = QRectF(inner.left(), inner.top(), min(84.0, 0.3 * inner.width()), inner.height())
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
        name = tag_in_room(row.suggestion.tag, painter.fontMetrics(), int(room))
        line = QRectF(words.left(), words.top(), room, BUTTON)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)

        painter.setFont(scaled_font(option.font, SMALL_FONT))
        count = f"{len(row.photo_ids)}/{row.of}  " if row.of > 1 else ""
        percent = painter.fontMetrics().horizontalAdvance(count + "100 %")
        bar = QRectF(words.left(), words.top() + BUTTON + 8, words.width() - percent - 8, 6)
        _paint_share(painter, theme, bar, row.suggestion.confidence, "text-faint" if row.stale else "accent")
        painter.setPen(theme.color("text-soft"))
        painter.drawText(
            QRectF(bar.right() + 8, bar.center().y() - 10, percent, 20),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            count + sure,
        )
        self._paint_supporters(painter, row, words, "text-soft" if selected else "text-faint")
        if self.can_answer:
            for verdict, rect in ((Verdict.SIMILAR, parts.accept), (Verdict.DISSIMILAR, parts.reject)):
                paint_mark(painter, theme, verdict, rect, solid=self.hovered == (index.row(), verdict), on_photo=False)
        painter.restore()

    def _paint_supporters(self, painter: QPainter, row: SuggestionRow, words: QRectF, color: str) -> None:
        painter.setPen(self._theme.color(color))
        because, spots = self._supporter_spots(row, words, painter.font())
        painter.drawText(
            QRectF(words.left(), words.bottom() - SUPPORTER.height(), words.width(), SUPPORTER.height()),
            Qt.AlignmentFlag.AlignVCenter,
            because,
        )
        for card, spot in zip(row.supporters, spots, strict=False):
            self._paint_photo(painter, card, spot, 3)

    def _supporter_spots(self, row: SuggestionRow, words: QRectF, font: QFont) -> tuple[str, list[QRectF]]:
        """Return the word before the supporting neighbours, and the places of those that fit."""
        because = self.tr("older metric:") if row.stale else self.tr("like:")
        left = words.left() + QFontMetrics(font).horizontalAdvance(because) + 6
        step = SUPPORTER.width() + 4
        room = max(0, int((words.right() + 5 - left) // step))
        corner = QPointF(left, words.bottom() - SUPPORTER.height())
        spots = [QRectF(corner + QPointF(place * step, 0), SUPPORTER) for place in range(len(row.supporters))]
        return because, spots[:room]

    def supporter_at(self, row: SuggestionRow, rect: QRectF, font: QFont, point: QPointF) -> PhotoCard | None:
        """Return the supporting neighbour at a point of a row's rectangle."""
        _, spots = self._supporter_spots(row, row_parts(rect).words, scaled_font(font, SMALL_FONT))
        found = (card for card, spot in zip(row.supporters, spots, strict=False) if spot.contains(point))
        return next(found, None)

    def _paint_photo(self, painter: QPainter, card: PhotoCard, area: QRectF, radius: float) -> None:
        image = self._loader.image(card.photo.id, SMALL_TILE)
        if image is not None and not image.isNull():
            paint_photo(painter, image, area, radius)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("line"))
            painter.drawRoundedRect(area, radius, radius)


class SuggestionList(QListView):
    """The suggestions, one per row."""

    answered = Signal(object, bool)
    """A suggestion was accepted (True) or rejected by a click ((SuggestionRow, bool))."""
    photo_chosen = Signal(int)
    """The user wants this photo as the focal image, by a double-click on a row or a supporting neighbour, or by
    Enter."""
    menu_wanted = Signal(object, object, QPoint)
    """The user opened the context menu of a row, perhaps over a supporting neighbour, at a place on the screen
    ((SuggestionRow, PhotoCard or None, QPoint))."""

    def __init__(self, model: SuggestionModel, loader: ThumbnailLoader, theme: Theme, *, can_answer: bool) -> None:
        super().__init__()
        self._rows = model
        self._pointer = Pointer()
        self._delegate = SuggestionDelegate(loader, theme, self, can_answer=can_answer)
        self.setAccessibleName(self.tr("Suggested tags"))
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self._current_before: tuple[tuple[int, str], int] | None = None
        model.modelAboutToBeReset.connect(self._keep_current)
        model.modelReset.connect(self._restore_current)
        for signal in (model.modelReset, model.rowsRemoved, self.verticalScrollBar().valueChanged):
            signal.connect(self._rest_pointer)

    def current_row(self) -> SuggestionRow | None:
        """Return the current row, if there is one."""
        index = self.currentIndex()
        return self._rows.row(index.row()) if index.isValid() else None

    @property
    def current_is_seen(self) -> bool:
        """Whether the middle of the current row is in sight."""
        spot = self.visualRect(self.currentIndex()).center()
        return self.isVisible() and self.viewport().visibleRegion().contains(spot)

    def show_current(self) -> None:
        """Scroll to the current row."""
        self.scrollTo(self.currentIndex())

    def make_current(self, row: int) -> None:
        """Go to a row, or to the last one if there are fewer."""
        last = self._rows.rowCount() - 1
        if last >= 0:
            self.setCurrentIndex(self._rows.index(min(row, last)))

    def _keep_current(self) -> None:
        row = self.current_row()
        if row is not None:
            self._current_before = row.pair, self.currentIndex().row()

    def _restore_current(self) -> None:
        """Restore the current suggestion after a reset; if it was removed, use the one now in its place."""
        before, self._current_before = self._current_before, None
        if before is not None:
            pairs = [self._rows.row(row).pair for row in range(self._rows.rowCount())]
            self.make_current(pairs.index(before[0]) if before[0] in pairs else before[1])

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Make the photo the focal image on Enter."""
        row = self.current_row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            self.photo_chosen.emit(row.suggestion.photo_id)
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Accept or reject by a button."""
        self._pointer.move(event.position().toPoint())
        index, verdict = self._part_at(event)
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and verdict is not None:
            self.answered.emit(self._rows.row(index.row()), verdict is Verdict.SIMILAR)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Make the photo the focal image; on a button, press again."""
        index, verdict = self._part_at(event)
        if verdict is not None:
            self.mousePressEvent(event)
        elif index.isValid() and self._pointer.points:
            supporter = self._supporter_at(event.position())
            row = self._rows.row(index.row())
            self.photo_chosen.emit(row.suggestion.photo_id if supporter is None else supporter.photo.id)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the row under the pointer, or of the current one."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            at = self.visualRect(index).center() if by_key else event.pos()
            supporter = None if by_key else self._supporter_at(QPointF(event.pos()))
            self.menu_wanted.emit(self._rows.row(index.row()), supporter, self.viewport().mapToGlobal(at))

    def _supporter_at(self, point: QPointF) -> PhotoCard | None:
        index = self.indexAt(point.toPoint())
        if not index.isValid():
            return None
        rect = QRectF(self.visualRect(index))
        return self._delegate.supporter_at(self._rows.row(index.row()), rect, self.font(), point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the button under the pointer."""
        self._pointer.move(event.position().toPoint())
        index, verdict = self._part_at(event)
        self._highlight((index.row(), verdict))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the highlight."""
        self._pointer.move(None)
        self._highlight((-1, None))
        super().leaveEvent(event)

    def _rest_pointer(self) -> None:
        """Disable the buttons until the pointer has moved, because another row has come under it."""
        self._pointer.rest()
        self._highlight((-1, None))

    def _highlight(self, hovered: tuple[int, Verdict | None]) -> None:
        if hovered != self._delegate.hovered:
            self._delegate.hovered = hovered
            self.viewport().update()

    def _part_at(self, event: QMouseEvent) -> tuple[QModelIndex, Verdict | None]:
        point: QPointF = event.position()
        index = self.indexAt(point.toPoint())
        if not index.isValid() or not self._delegate.can_answer or not self._pointer.points:
            return index, None
        parts = row_parts(QRectF(self.visualRect(index)))
        if parts.accept.contains(point):
            return index, Verdict.SIMILAR
        return index, Verdict.DISSIMILAR if parts.reject.contains(point) else None


def tag_in_room(tag: str, metrics: QFontMetrics, room: int) -> str:
    """Return a tag as it fits: whole, or its last level, which is the most specific, elided at the end."""
    whole = metrics.horizontalAdvance(tag) <= room
    return tag if whole else metrics.elidedText(tag.rsplit("/", 1)[-1], Qt.TextElideMode.ElideRight, room)


def _paint_share(painter: QPainter, theme: Theme, rect: QRectF, share: float, color: str) -> None:
    """Paint a share 0..1 as a bar."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    radius = rect.height() / 2
    painter.setBrush(theme.color("border"))
    painter.drawRoundedRect(rect, radius, radius)
    filled = QRectF(rect)
    filled.setWidth(max(rect.height(), rect.width() * min(1.0, max(0.0, share))))
    painter.setBrush(theme.color(color))
    painter.drawRoundedRect(filled, radius, radius)
    painter.restore()
