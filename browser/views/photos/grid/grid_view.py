# SPDX-License-Identifier: MIT
"""The grid of photos, edge to edge: the widget, which passes events on to its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from focal_photos.browser.models.photos.grid_model import GridModel, Index, Role
from focal_photos.browser.models.photos.trail import GridPosition
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.grid import tile_tips
from focal_photos.browser.views.photos.grid.grid_keyboard import GridKeyboard
from focal_photos.browser.views.photos.grid.grid_mouse import GridMouse
from focal_photos.browser.views.photos.grid.grid_scroll import GridScroll
from focal_photos.browser.views.photos.grid.grid_selection import GridSelection
from focal_photos.browser.views.photos.grid.hover import Hover
from focal_photos.browser.views.photos.grid.match_zoom import MatchZoom
from focal_photos.browser.views.photos.grid.tile_arrangement import TILE_SIZES, TileArrangement, TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton, TileDelegate, TileParts

_BAND_MARGINS: Final = 12
"""Difference in pixels between the height of the band above weak matches and that of its text."""


class GridView(QListView):
    """Shows a `GridModel`.

    It is a QListView only for screen readers. It does layout, painting, mouse and keys itself, because QListView
    requests the size of each of a million rows. In right-to-left languages, lines are mirrored as a whole; the content
    of tiles is not.
    """

    unfolded = Signal(int)
    """The user wants to see or fold the duplicates of this photo."""
    photo_chosen = Signal(int)
    """The user wants this photo as the focal image."""
    photo_opened = Signal(int)
    """The user wants to see this photo alone."""
    judged = Signal(object, object)
    """A judging button was used ((list of int, Verdict))."""
    selected = Signal(object)
    """The selected photos (tuple of int)."""
    tile_size_changed = Signal(int)
    """Width of a tile in logical pixels."""
    menu_wanted = Signal(object, QPoint)
    """The user opened the context menu of a photo (None: of the grid) at a place on the screen ((int or None,
    QPoint))."""
    dragged = Signal()
    """The user drags the selected photos."""

    def __init__(
        self,
        model: GridModel,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        delegate: TileDelegate | None = None,
        shape: TileShape = TileShape.JUSTIFIED,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("grid")
        self.setAccessibleName(self.tr("Photos"))
        bar = self.verticalScrollBar()
        self._theme = theme
        self._photos = model
        self._wheel = 0
        """Rotation of the wheel with Ctrl since the last change of size, in eighths of a degree."""
        self._delegate = TileDelegate(theme) if delegate is None else delegate
        self._delegate.setParent(self)
        self._tiles = TileArrangement(model, shape)
        self._tiles.mirrored = self.isRightToLeft()
        self._scroll = GridScroll(bar, model, self._tiles)
        self._hover = Hover(self._delegate, self._find_tile)
        MatchZoom(model, self._hover, self._on_match)
        self.setItemDelegate(self._delegate)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAutoScroll(False)  # a click on a partly visible tile must not scroll; keys scroll explicitly
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setAcceptDrops(False)
        self.setModel(model)
        self._selection = GridSelection(model, self._tiles, self.selectionModel())
        self._keyboard = GridKeyboard(model, self._tiles, self._scroll, self._selection, self._hover)
        self.mouse = GridMouse(model, self._selection, self._hover, bar)
        """The effect of clicks and drags."""
        self._connect()
        self._lay_out_again()

    def _connect(self) -> None:
        mouse, hover, viewport = self.mouse, self._hover, self.viewport()
        self._selection.changed.connect(self.selected)
        mouse.photo_chosen.connect(self.photo_chosen)
        mouse.photo_opened.connect(self.photo_opened)
        mouse.unfolded.connect(self.unfolded)
        mouse.judged.connect(self.judged)
        mouse.dragged.connect(self.dragged)
        mouse.band_changed.connect(viewport.update)
        hover.repaint_wanted.connect(self._update_tile)
        self._scroll.extended.connect(viewport.update)
        self.verticalScrollBar().valueChanged.connect(self._rows_shown)
        self.verticalScrollBar().valueChanged.connect(hover.rest)
        self._photos.modelReset.connect(hover.rest)
        self._photos.modelReset.connect(lambda: hover.name(-1))
        self._photos.aspects_changed.connect(self._lay_out_again)
        self._photos.weak_changed.connect(self._lay_out_again)
        self._theme.changed.connect(viewport.update)

    # ------------------------------------------------------------------ tiles
    @property
    def tile_size(self) -> int:
        """Width of a tile in logical pixels, before lines are stretched to fill the window."""
        return self._tiles.tile_size

    def set_tile_size(self, size: int) -> None:
        """Set the approximate width of the tiles, keeping the first visible photo in place."""
        size = min(max(size, TILE_SIZES[0]), TILE_SIZES[-1])
        if size != self._tiles.tile_size:
            self._tiles.tile_size = size
            self._lay_out_again()
            self.tile_size_changed.emit(size)

    def zoom(self, steps: int) -> None:
        """Make the tiles larger (steps > 0) or smaller."""
        self.set_tile_size(self._tiles.neighboring_size(steps))

    @property
    def shape(self) -> TileShape:
        """The arrangement of the photos."""
        return self._tiles.shape

    def set_shape(self, shape: TileShape) -> None:
        """Change the arrangement of the photos, keeping the first visible one in place."""
        if shape is not self._tiles.shape:
            self._tiles.shape = shape
            self._lay_out_again()

    def set_captions(self, show: bool) -> None:
        """Show or hide a line with rank, name and score below each photo."""
        if show != self._delegate.captions:
            self._delegate.captions = show
            self._lay_out_again()

    def set_can_judge(self, can: bool) -> None:
        """Show or hide the judging buttons under the pointer."""
        self._delegate.can_judge = can
        self.viewport().update()

    @property
    def columns(self) -> int:
        """Number of tiles side by side; for justified photos, in the first visible line."""
        return self._tiles.columns(self._scroll.top)

    def gridSize(self) -> QSize:
        """Return the size of a cell; for justified photos, of the first visible one."""
        return self._tiles.cell_size(self._scroll.top)

    def parts_of(self, row: int) -> TileParts:
        """Return the rectangles of the parts of a tile, in viewport coordinates."""
        return self._delegate.parts(QRectF(self._rect(row)), self._option())

    def _option(self) -> QStyleOptionViewItem:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        return option

    def _rect(self, row: int) -> QRect:
        """Return the rectangle of a tile in the viewport; empty while it has no place yet."""
        return self._tiles.rect(row).translated(0, -self._scroll.top)

    def _update_tile(self, row: int) -> None:
        self.update(self._photos.index(row))

    def _find_tile(self, point: QPointF) -> tuple[int, TileButton | None]:
        """Return the row of the tile at a point of the viewport, or -1, and its button there."""
        index = self.indexAt(point.toPoint())
        if not index.isValid():
            return -1, None
        rect = QRectF(self._rect(index.row()))
        return index.row(), self._delegate.button_at(index, rect, self._option(), point)

    def _on_match(self, point: QPointF) -> bool:
        """Return whether the matching part of a photo is at a point of the viewport, and no button."""
        row, button = self._find_tile(point)
        if row < 0 or button is not None:
            return False
        return self._delegate.on_match(self._photos.index(row), QRectF(self._rect(row)), self._option(), point)

    # ------------------------------------------------------------------ layout
    def _lay_out_again(self) -> None:
        """Lay out all tiles for the present size, keeping the first visible photo in place."""
        position, viewport = self._scroll.position(), self.viewport()
        self._delegate.fills = self._tiles.shape is TileShape.SQUARE
        band = QFontMetrics(self.font()).height() + _BAND_MARGINS
        self._tiles.arrange(viewport.width(), self._delegate.margins(self._option()), band)
        self._scroll.lay_out(position, viewport.height())
        viewport.update()
        self._rows_shown()

    def doItemsLayout(self) -> None:
        """Do nothing: tiles are laid out when rows arrive."""
        QAbstractItemView.doItemsLayout(self)

    def updateGeometries(self) -> None:
        """Set the range of the scroll bar to the laid-out content."""
        self._scroll.fit(self.viewport().height())

    def reset(self) -> None:
        """Lay out the new rows."""
        super().reset()
        self._scroll.stay()
        self._lay_out_again()

    def rowsInserted(self, parent: Index, start: int, end: int) -> None:
        """Lay out appended rows; existing ones stay."""
        QAbstractItemView.rowsInserted(self, parent, start, end)
        self._tiles.append(start, end)
        self._scroll.lay_out_rest()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the lines to the new width, keeping the first visible photo in place."""
        if event.oldSize().width() != event.size().width():
            self._lay_out_again()
        else:
            self.updateGeometries()
            self._rows_shown()

    def changeEvent(self, event: QEvent) -> None:
        """Mirror the lines in right-to-left languages."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._tiles.mirrored = self.isRightToLeft()

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(900, 600)

    def verticalOffset(self) -> int:
        """Return the scroll position."""
        return self._scroll.top

    def horizontalOffset(self) -> int:
        """Return 0: lines are as wide as the view."""
        return 0

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll the painted content, so that only newly visible parts are painted."""
        self.viewport().scroll(dx, dy)

    def visualRect(self, index: Index) -> QRect:
        """Return the rectangle of a tile in the viewport; empty while it has no place yet."""
        return self._rect(index.row())

    def indexAt(self, point: QPoint) -> QModelIndex:
        """Return the tile at a point of the viewport."""
        return self._photos.index(self._tiles.row_at(point + QPoint(0, self._scroll.top)))

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Scroll until a tile is in sight."""
        if index.isValid():
            self._scroll.show(index.row(), centered=hint is QAbstractItemView.ScrollHint.PositionAtCenter)

    def _rows_shown(self) -> None:
        """Request the data and pictures of the visible rows."""
        layout, top = self._tiles.layout, self._scroll.top
        if layout.laid:
            self._photos.show_rows(*layout.rows_between(top, top + self.viewport().height()), self._box)

    def _box(self, row: int) -> PixelSize:
        """Return the size of a photo in device pixels."""
        return self._tiles.picture_size(row, self.devicePixelRatioF())

    # ------------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tiles in the exposed area, and the rubber band."""
        painter = QPainter(self.viewport())
        area, option, top = event.rect(), self._option(), self._scroll.top
        first, last = self._tiles.layout.rows_between(area.top() + top, area.bottom() + top)
        plain = option.state & ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        chosen, current, focused = self.selectionModel(), self.currentIndex().row(), self.hasFocus()
        for row in range(first, min(last, len(self._photos.ids) - 1) + 1):
            index = self._photos.index(row)
            rect = self._rect(row)
            if not rect.intersects(area):
                continue
            option.rect, option.state = rect, plain
            if chosen.isSelected(index):
                option.state |= QStyle.StateFlag.State_Selected
            if focused and row == current:
                option.state |= QStyle.StateFlag.State_HasFocus
            self._delegate.paint(painter, option, index)
        self._paint_divider(painter)
        if self.mouse.band is not None:
            painter.setPen(QPen(self._theme.color("accent"), 1))
            painter.setBrush(self._theme.color("accent", 0.18))
            painter.drawRect(self.mouse.band.rect.translated(0, -top))

    @property
    def divider(self) -> QRect:
        """Rectangle of the band above the weak matches, in the viewport; empty if there is none."""
        return self._tiles.band.translated(0, -self._scroll.top)

    def _paint_divider(self, painter: QPainter) -> None:
        """Paint a line between the likely matches and the weak ones, with its meaning."""
        band = self.divider
        if not band.intersects(self.viewport().rect()):
            return
        text = self.tr("weak matches below")
        painter.setFont(scaled_font(self.font(), 0.92))
        width = QFontMetrics(painter.font()).horizontalAdvance(text)
        middle, left = band.center().y(), band.center().x() - width // 2
        painter.setPen(QPen(self._theme.color("border"), 2))
        painter.drawLine(band.left() + 8, middle, left - 10, middle)
        painter.drawLine(left + width + 10, middle, band.right() - 8, middle)
        painter.setPen(self._theme.color("text-soft"))
        painter.drawText(band, Qt.AlignmentFlag.AlignCenter, text)

    # ------------------------------------------------------------------ positions
    def first_visible(self) -> int:
        """Return the first photo of the first line that is at least partly visible."""
        return self._tiles.first_row(self._scroll.top)

    def position(self) -> GridPosition:
        """Return the user's position."""
        return replace(self._scroll.position(), current=self.current_id(), selected=tuple(self.selected_ids()))

    def go_to(self, position: GridPosition) -> None:
        """Go to a position, as far as its photos are still in the grid."""
        self._selection.restore(position)
        rows = self._photos.rows_of(position.selected) if position.at_selected else []
        anchor = self._photos.photo_id(min(rows)) if rows else position.anchor
        self._scroll.go_to(GridPosition(anchor, position.offset))
        self._rows_shown()

    # ------------------------------------------------------------------ selection
    def selected_ids(self) -> list[int]:
        """Return the selected photos in the order of the grid."""
        return self._selection.ids()

    def current_id(self) -> int | None:
        """Return the photo with the keyboard focus."""
        return self._selection.current_id()

    def ids_to_judge(self) -> list[int]:
        """Return the photos to judge: the selected ones, or else the one under the pointer."""
        hovered = self._hover.row
        return self.selected_ids() or ([self._photos.photo_id(hovered)] if hovered >= 0 else [])

    def select_photos(self, photo_ids: Sequence[int]) -> None:
        """Select photos that were selected in another view, without a signal, and scroll to the first."""
        self._selection.show_photos(photo_ids)
        rows = self._photos.rows_of(photo_ids)
        if rows:
            self._scroll.show(min(rows))

    def make_current(self, row: int) -> None:
        """Select one row only and scroll to it."""
        self._keyboard.go_to(row)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) photo."""
        self._keyboard.step(by)

    def selectAll(self) -> None:
        """Select all photos, including those still to come."""
        self._selection.select_all()

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Select the tiles that meet a rectangle of the viewport."""
        box = rect.normalized().translated(0, self._scroll.top)
        self.selectionModel().select(self._selection.rows_in(box), command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        """Repaint the whole view, because Qt would request the position of each of a million selected photos."""
        return QRegion(self.viewport().rect())

    # ------------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the keyboard focus; see `GridMouse`."""
        self._keyboard.stop_waiting()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.mouse.press(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """See `GridMouse`."""
        self.mouse.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """See `GridMouse`."""
        self.mouse.double_click(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """See `GridMouse`."""
        self.mouse.move(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the photo under the pointer, or of the current one for the menu key."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        place = event.globalPos()
        if index.isValid():
            self._selection.include(index.row())
            if not by_mouse:
                self.scrollTo(index)
                place = self.viewport().mapToGlobal(self.visualRect(index).center())
        self.menu_wanted.emit(self._photos.photo_id(index.row()) if index.isValid() else None, place)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the buttons."""
        self._hover.move(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, on a touch pad by the pixels of the gesture; zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._wheel += event.angleDelta().y()
            steps = int(self._wheel / 120)
            self._wheel -= 120 * steps
            if steps:
                self.zoom(steps)
            event.accept()
            return
        bar = self.verticalScrollBar()
        pixels = event.pixelDelta().y()
        if not pixels or QGuiApplication.platformName() == "xcb":  # there, pixels are only a guess of the driver
            pixels = round(event.angleDelta().y() / 120 * QApplication.wheelScrollLines() * bar.singleStep())
        bar.setValue(bar.value() - pixels)
        event.accept()
        self._hover.scrolled()

    # ------------------------------------------------------------------ keys
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Make the current photo the focal image on Enter; other keys move (see `GridKeyboard`)."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._keyboard.stop_waiting()
            current = self.current_id()
            if current is not None:
                self.photo_chosen.emit(current)
        elif not self._keyboard.press(event.key(), event.modifiers()):
            event.ignore()

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Return the target of a movement key."""
        return self._photos.index(self._keyboard.target(action))

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here."""

    # ------------------------------------------------------------------ tool tips
    def viewportEvent(self, event: QEvent) -> bool:
        """Show the tool tip of a tile, or of the band above the weak matches."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        index = self.indexAt(event.pos())
        text = index.data(Qt.ItemDataRole.ToolTipRole) if index.isValid() else None
        if self.divider.contains(event.pos()):
            tile_tips.show_below(self.viewport(), self.divider, event.pos().x(), self._photos.weak_tip)
        elif text and not self._says_all(index):
            tile_tips.show_beside(self.viewport(), self._rect(index.row()), text)
        else:
            QToolTip.hideText()
        return True

    def _says_all(self, index: QModelIndex) -> bool:
        """Return whether the tile under the pointer already shows the whole text of its tool tip."""
        tile = index.data(Role.TILE)
        failure = tile.card is not None and tile.card.photo.failure is not None
        return not failure and self._delegate.says_all(self.parts_of(index.row()), tile, self._option())
