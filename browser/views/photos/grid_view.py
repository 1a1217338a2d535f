"""The grid of photos: click to walk, Ctrl and Shift to select, buttons under the pointer to judge."""

from __future__ import annotations

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
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyleOptionViewItem, QToolTip, QWidget

from browser.catalog.facts.records import Verdict
from browser.models.photos.grid_model import GridModel, Index
from browser.models.photos.tool_tip import tool_tip
from browser.models.photos.trail import GridPosition
from browser.tasks.thumbnail_loader import PixelSize
from browser.views.base.pointer import Pointer
from browser.views.base.theme import Theme
from browser.views.photos.tile_delegate import TileDelegate, tile_parts

TILE_SIZES: Final = (96, 112, 128, 152, 176, 204, 236, 276, 324, 384, 460)
DEFAULT_TILE: Final = 204
BATCH: Final = 5000
"""Rows laid out at once; more are laid out between events."""
_SCORE_ROOM: Final = 80  # pixels that rank and score take of a caption
_TIP_MARGINS: Final = 30
_BELOW_POINTER: Final = 12


class GridView(QListView):
    """Shows a `GridModel`.

    Signals
    -------
    photo_chosen : int
        A photo was clicked (or Enter pressed on it): it is to become the focal image.
    photo_opened : int
        A photo was clicked twice.
    judged : (list of int, Verdict)
        A button under the pointer was pressed.
    selected : tuple of int
        Which photos are selected now.
    tile_size_changed : int
        Width of a tile in logical pixels.
    """

    photo_chosen = Signal(int)
    photo_opened = Signal(int)
    judged = Signal(object, object)
    selected = Signal(object)
    tile_size_changed = Signal(int)

    def __init__(
        self, model: GridModel, theme: Theme, parent: QWidget | None = None, *, delegate: TileDelegate | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("grid")
        self.setAccessibleName(self.tr("Photos"))
        self._photos = model
        self._delegate = TileDelegate(theme) if delegate is None else delegate
        self._delegate.setParent(self)
        self._tile_size = DEFAULT_TILE
        self._pressed: tuple[int, QRect] | None = None
        self._clicked: int | None = None
        self._pointer = Pointer()
        self._pending_scroll: tuple[int | None, int] | None = None
        self._going = False
        self._judging = False
        self._wheel = 0
        self.setItemDelegate(self._delegate)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setUniformItemSizes(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(BATCH)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSpacing(0)
        self.setMouseTracking(True)
        self.setModel(model)
        self.verticalScrollBar().valueChanged.connect(self._rows_shown)
        self.verticalScrollBar().valueChanged.connect(self._rest_pointer)
        self.verticalScrollBar().rangeChanged.connect(self._try_pending_scroll)
        model.modelReset.connect(self._rest_pointer)
        theme.changed.connect(self.viewport().update)
        self._set_grid()

    # ------------------------------------------------------------------ tiles
    @property
    def tile_size(self) -> int:
        """Width of a tile in logical pixels, before the columns are stretched to fill the window."""
        return self._tile_size

    def set_tile_size(self, size: int) -> None:
        """Make the tiles about this wide, keeping the first visible photo in place."""
        size = min(max(size, TILE_SIZES[0]), TILE_SIZES[-1])
        if size != self._tile_size:
            scroll = self._scroll_position()
            self._tile_size = size
            self._set_grid()
            self._scroll_to(*scroll)
            self.tile_size_changed.emit(size)

    def zoom(self, steps: int) -> None:
        """Make the tiles larger (steps > 0) or smaller."""
        nearest = min(range(len(TILE_SIZES)), key=lambda each: abs(TILE_SIZES[each] - self._tile_size))
        self.set_tile_size(TILE_SIZES[min(max(nearest + steps, 0), len(TILE_SIZES) - 1)])

    def set_can_judge(self, can: bool) -> None:
        """Offer the judging buttons under the pointer, or not."""
        self._delegate.can_judge = can
        self.viewport().update()

    @property
    def columns(self) -> int:
        """Number of tiles side by side."""
        return max(1, self.viewport().width() // self._tile_size)

    def _set_grid(self) -> None:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        # One pixel to spare: Qt breaks the line when the tiles fill it to the last one.
        width = max(self._tile_size, (self.viewport().width() - 1) // self.columns)
        size = self._delegate.cell_size(width, option)
        if size != self.gridSize():
            self._delegate.cell = size
            self.setGridSize(size)
        self._rows_shown()

    def _caption_height(self) -> float:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        return self._delegate.caption_height(option)

    # ------------------------------------------------------------------ places
    def first_visible(self) -> int:
        """Return the first row of tiles that is at least partly visible, as the number of its first photo."""
        return self.verticalScrollBar().value() // max(1, self.gridSize().height()) * self.columns

    def position(self) -> GridPosition:
        """Return where the person is."""
        return GridPosition(*self._scroll_position(), self.current_id(), tuple(self.selected_ids()))

    def _scroll_position(self) -> tuple[int | None, int]:
        """Return anchor and offset of the position."""
        if self._pending_scroll is not None:
            return self._pending_scroll
        top, first = self.verticalScrollBar().value(), self.first_visible()
        if top <= 0 or first >= len(self._photos.ids):
            return None, 0
        return self._photos.photo_id(first), top % max(1, self.gridSize().height())

    def go_to(self, position: GridPosition) -> None:
        """Go to a position as far as its photos are still here."""
        rows = self._photos.rows_of(position.selected)
        if rows or self.selectionModel().hasSelection():
            selection = QItemSelection()
            for first, last in _runs(rows):
                selection.select(self._photos.index(first), self._photos.index(last))
            self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.selected.emit(tuple(self.selected_ids()))  # a reset of the model clears the selection without a word
        current = self._photos.row_of(position.current) if position.current is not None else -1
        if current >= 0:
            self._going = True
            self.selectionModel().setCurrentIndex(
                self._photos.index(current), QItemSelectionModel.SelectionFlag.NoUpdate
            )
            self._going = False
        self._scroll_to(position.anchor, position.offset)
        self._rows_shown()

    def _scroll_to(self, anchor: int | None, offset: int) -> None:
        self._pending_scroll = anchor, offset
        self._try_pending_scroll()

    def _try_pending_scroll(self) -> None:
        """Scroll as asked; while the row is not laid out yet, this is tried again."""
        if self._pending_scroll is None:
            return
        anchor, offset = self._pending_scroll
        row = self._photos.row_of(anchor) if anchor is not None else -1
        value = 0 if row < 0 else row // self.columns * self.gridSize().height() + offset
        bar = self.verticalScrollBar()
        lines = -(-len(self._photos.ids) // self.columns)
        whole = lines * self.gridSize().height() - self.viewport().height()
        if value <= bar.maximum() or bar.maximum() >= whole - 1:
            self._pending_scroll = None
            bar.setValue(value)

    def _rows_shown(self) -> None:
        ratio = self.devicePixelRatioF()
        height = max(1, self.gridSize().height())
        lines = self.viewport().height() // height + 2
        first = self.first_visible()
        picture = tile_parts(QRectF(0, 0, self.gridSize().width(), height), self._caption_height()).picture
        # The very size, because a picture that needs no scaling is painted several times as fast, and crisp.
        box = PixelSize(int(picture.width() * ratio), int(picture.height() * ratio))
        self._photos.show_rows(first, first + lines * self.columns - 1, box)

    # ------------------------------------------------------------------ selection
    def selected_ids(self) -> list[int]:
        """Return the selected photos in the order of the grid."""
        ranges = [(each.top(), each.bottom()) for each in self.selectionModel().selection().toList()]
        return self._photos.photo_ids(ranges)

    def ids_to_judge(self) -> list[int]:
        """Return the photos that a judging key means: the selected ones, else the one that the pointer points at."""
        chosen, hovered = self.selected_ids(), self._delegate.hovered
        return chosen or ([self._photos.photo_id(hovered)] if hovered >= 0 else [])

    def current_id(self) -> int | None:
        """Return the photo with the keyboard focus."""
        index = self.currentIndex()
        return self._photos.photo_id(index.row()) if index.isValid() else None

    def make_current(self, row: int) -> None:
        """Select one row only and scroll to it."""
        if 0 <= row < len(self._photos.ids):
            index = self._photos.index(row)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) photo."""
        current = self.current_id()
        self.make_current(0 if current is None else self._photos.place_of(current) + by)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Signal which photos are selected now."""
        super().selectionChanged(selected, deselected)
        self.selected.emit(tuple(self.selected_ids()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Forget where the judged photo was once a person has gone on from there."""
        super().currentChanged(current, previous)
        if not self._going:
            self._photos.forget_place()

    def selectAll(self) -> None:
        """Select all photos as one range: Qt would look at each."""
        if len(self._photos.ids):
            whole = QItemSelection(self._photos.index(0), self._photos.index(len(self._photos.ids) - 1))
            self.selectionModel().select(whole, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        """Paint the whole view again: Qt would ask for the position of each of a million selected photos."""
        return QRegion(self.viewport().rect())

    # ------------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Judge on a button; remember a plain press on a tile; leave the rest to Qt."""
        self._track_pointer(self._at(event))
        self._clicked = None
        index = self.indexAt(self._at(event))
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            verdict = self._button_at(index, event.position())
            if verdict is not None:
                self._judging = True
                self.judged.emit([self._photos.photo_id(index.row())], verdict)
                return
            if self._judging and not self._pointer.points:
                return  # pressed once more on a button whose photo has gone to its new place
            self._judging = False
            if event.modifiers() == Qt.KeyboardModifier.NoModifier:
                # The selection stays as it is, so that Back brings it back after a slip of the hand.
                self._pressed = self._photos.photo_id(index.row()), self.visualRect(index)
                self.setFocus(Qt.FocusReason.MouseFocusReason)
                return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Walk to the photo that was pressed, if the button is released there; more photos may have come meanwhile."""
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            super().mouseReleaseEvent(event)
        elif pressed[1].contains(self._at(event)) and self._photos.row_of(pressed[0]) >= 0:
            self._clicked = pressed[0]
            self.photo_chosen.emit(pressed[0])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the photo that the first click has made the focal image; on a button, judge again."""
        index = self.indexAt(self._at(event))
        if index.isValid() and self._button_at(index, event.position()) is not None:
            self.mousePressEvent(event)
        elif event.modifiers() != Qt.KeyboardModifier.NoModifier:
            super().mouseDoubleClickEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton and self._clicked is not None:
            self.photo_opened.emit(self._clicked)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the buttons of the tile under the pointer."""
        self._track_pointer(self._at(event))
        if self._pressed is None:
            super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the buttons."""
        self._track_pointer(None)
        super().leaveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show tool tips below or above the tile, never over its photo."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(self.indexAt(event.pos()))
            return True
        return super().viewportEvent(event)

    def _show_tip(self, index: QModelIndex) -> None:
        text = index.data(Qt.ItemDataRole.ToolTipRole) if index.isValid() else None
        tile = self.visualRect(index)
        caption = tile_parts(QRectF(tile), self._caption_height()).caption
        lines = (text or "").splitlines()
        ranked = _SCORE_ROOM if self._photos.ranked else 0
        whole = len(lines) <= 1 and self.fontMetrics().horizontalAdvance(text or "") <= caption.width() - ranked
        if not text or whole:
            QToolTip.hideText()
            return
        height = len(lines) * QFontMetrics(QToolTip.font()).lineSpacing() + _TIP_MARGINS
        place = self.viewport().mapToGlobal(caption.bottomLeft().toPoint())
        if place.y() + height > self.screen().availableGeometry().bottom():
            place = self.viewport().mapToGlobal(tile.topLeft()) - QPoint(0, height)
        # Qt shows it somewhat below, where a pointer would not hide it.
        QToolTip.showText(place - QPoint(0, _BELOW_POINTER), tool_tip(text), self.viewport(), tile)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, on a touch pad by as many pixels as the fingers move; with Ctrl, zoom."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._wheel += event.angleDelta().y()
            steps = int(self._wheel / 120)
            self._wheel -= 120 * steps
            if steps:
                self.zoom(steps)
            event.accept()
            return
        pixels = event.pixelDelta().y()
        if pixels and QGuiApplication.platformName() != "xcb":  # where pixels are no more than a guess of the driver
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - pixels)
            event.accept()
        else:
            super().wheelEvent(event)
        self._pointer.aim()
        self._track_pointer(self._pointer.place)

    def _at(self, event: QMouseEvent) -> QPoint:
        return event.position().toPoint()

    def _button_at(self, index: QModelIndex, point: QPointF) -> Verdict | None:
        if not self._pointer.points:
            return None
        return self._delegate.button_at(QRectF(self.visualRect(index)), self._caption_height(), point)

    def _track_pointer(self, point: QPoint | None) -> None:
        self._pointer.move(point)
        index = QModelIndex()
        if point is not None and self._pointer.points:
            index = self.indexAt(point)
        button = self._button_at(index, QPointF(point)) if point is not None and index.isValid() else None
        self._show_hovered(index.row(), button)

    def _show_hovered(self, row: int, button: Verdict | None) -> None:
        delegate = self._delegate
        before = delegate.hovered, delegate.hovered_button
        delegate.hovered, delegate.hovered_button = row, button
        if before != (row, button):
            for each in {before[0], row} - {-1}:
                self.update(self._photos.index(each))

    def _rest_pointer(self) -> None:
        """Point at nothing: other photos have come under the pointer."""
        self._pointer.rest()
        self._show_hovered(-1, None)

    # ------------------------------------------------------------------ keys and sizes
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter makes the current photo the focal image; the rest is Qt's."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            current = self.current_id()
            if current is not None:
                self.photo_chosen.emit(current)
            return
        super().keyPressEvent(event)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Go on from where the current photo was, if the order has changed because it was judged."""
        current = self.current_id()
        if current is None and action is QAbstractItemView.CursorAction.MoveEnd:
            return self._photos.index(len(self._photos.ids) - 1)
        place = -1 if current is None else self._photos.place_of(current)
        if current is not None and place != self.currentIndex().row():
            if place < 0:
                return self._photos.index(0)
            self.selectionModel().setCurrentIndex(self._photos.index(place), QItemSelectionModel.SelectionFlag.NoUpdate)
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stretch the columns over the new width, keeping the first visible photo in place."""
        scroll = self._scroll_position() if event.oldSize().width() != event.size().width() else (None, 0)
        super().resizeEvent(event)
        self._set_grid()
        if scroll[0] is not None:
            self._scroll_to(*scroll)

    def sizeHint(self) -> QSize:
        """Return a comfortable size."""
        return QSize(900, 600)


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as runs (first, last)."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], row
        else:
            runs.append((row, row))
    return runs
