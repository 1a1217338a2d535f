"""The grid of photos, edge to edge: selection, navigation, judging with buttons under the pointer, dragging."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
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
    QTimer,
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

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.photos.grid_model import GridModel, Index, Role
from focal_photos.browser.models.photos.tile_layout import (
    Cell,
    DividedLayout,
    JustifiedLayout,
    TileLayout,
    UniformLayout,
)
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.photos.trail import GridPosition
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.pointer import Pointer
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.tile_delegate import TileButton, TileDelegate, TileParts

TILE_SIZES: Final = (102, 116, 132, 158, 188, 224, 268, 320, 384, 460)
DEFAULT_TILE: Final = 188
BLOCK: Final = 20_000
"""Number of rows laid out at once; the others are laid out between events."""
_ROW_HEIGHT: Final = 0.7
"""Height of justified photos over the width of a tile, so that about as many are in sight as with square tiles."""
_CELL_HEIGHT: Final = 0.72
"""Height of the photo over its width, in a tile with a caption."""
_TIP_MARGINS: Final = 30
_BELOW_POINTER: Final = 12
_BAND_MARGINS: Final = 12
"""Difference in pixels between the height of the band above weak matches and that of its text."""
_EDGE: Final = 24
"""Distance in pixels from the upper and lower edge at which a rubber band scrolls."""
_MOVES: Final = {
    Qt.Key.Key_Left: QAbstractItemView.CursorAction.MoveLeft,
    Qt.Key.Key_Right: QAbstractItemView.CursorAction.MoveRight,
    Qt.Key.Key_Up: QAbstractItemView.CursorAction.MoveUp,
    Qt.Key.Key_Down: QAbstractItemView.CursorAction.MoveDown,
    Qt.Key.Key_Home: QAbstractItemView.CursorAction.MoveHome,
    Qt.Key.Key_End: QAbstractItemView.CursorAction.MoveEnd,
    Qt.Key.Key_PageUp: QAbstractItemView.CursorAction.MovePageUp,
    Qt.Key.Key_PageDown: QAbstractItemView.CursorAction.MovePageDown,
}
_SELECTS: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_Flag = QItemSelectionModel.SelectionFlag


class TileShape(StrEnum):
    """The arrangement of the photos in a grid."""

    JUSTIFIED = "justified"
    """Lines of equal height, edge to edge, without cropping."""
    SQUARE = "square"
    """Squares, edge to edge, with cropped photos."""
    FRAMED = "framed"
    """Tiles of one size with whole photos, each above a line of text."""


class GridView(QListView):
    """Shows a `GridModel`.

    It is a QListView only for screen readers. It does layout, painting, mouse and keys itself, because QListView
    requests the size of each of a million rows. In right-to-left languages, lines are mirrored as a whole; the content
    of tiles is not.

    Signals
    -------
    unfolded : int
        The user wants to see or fold the duplicates of this photo.
    photo_chosen : int
        The user wants this photo as the focal image.
    photo_opened : int
        The user wants to see this photo alone.
    judged : (list of int, Verdict)
        A judging button was pressed.
    selected : tuple of int
        The selected photos.
    tile_size_changed : int
        Width of a tile in logical pixels.
    menu_wanted : (int or None, QPoint)
        The user opened the context menu of a photo (None: of the grid) at a place on the screen.
    dragged : None
        The user drags the selected photos.
    """

    unfolded = Signal(int)
    photo_chosen = Signal(int)
    photo_opened = Signal(int)
    judged = Signal(object, object)
    selected = Signal(object)
    tile_size_changed = Signal(int)
    menu_wanted = Signal(object, QPoint)
    dragged = Signal()

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
        self.walks_on_click = False
        """Whether one click makes a photo the focal image; otherwise a click selects it, and a double-click does."""
        self._theme = theme
        self._photos = model
        self._shape = shape
        self._delegate = TileDelegate(theme) if delegate is None else delegate
        self._delegate.setParent(self)
        self._tile_size = DEFAULT_TILE
        self._layout: TileLayout = UniformLayout(1, DEFAULT_TILE, DEFAULT_TILE)
        self._pressed: tuple[int, QPoint] | None = None
        self._clicked: int | None = None
        self._clicked_at = QPoint()
        self._selecting = False
        self._before: list[int] | None = None
        self._anchor = -1
        self._wants_end = False
        self._band: tuple[QPoint, QPoint, QItemSelection] | None = None
        self._pointer = Pointer()
        self._pending_scroll: tuple[int | None, int] | None = None
        self._around = (0.0, 0.0)  # width and height of a cell minus those of its picture
        self._told = False
        self._going = False
        self._judging = False
        self._wheel = 0
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._lay_out_more)
        self._band_scroll = QTimer(self, interval=30)
        self._band_scroll.timeout.connect(self._scroll_band)
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
        self.verticalScrollBar().valueChanged.connect(self._rows_shown)
        self.verticalScrollBar().valueChanged.connect(self._rest_pointer)
        model.modelReset.connect(self._rest_pointer)
        model.aspects_changed.connect(self._lay_out_again)
        model.weak_changed.connect(self._lay_out_again)
        theme.changed.connect(self.viewport().update)
        self._lay_out_again()

    # ------------------------------------------------------------------ tiles
    @property
    def tile_size(self) -> int:
        """Width of a tile in logical pixels, before lines are stretched to fill the window."""
        return self._tile_size

    def set_tile_size(self, size: int) -> None:
        """Set the approximate width of the tiles, keeping the first visible photo in place."""
        size = min(max(size, TILE_SIZES[0]), TILE_SIZES[-1])
        if size != self._tile_size:
            self._tile_size = size
            self._lay_out_again()
            self.tile_size_changed.emit(size)

    def zoom(self, steps: int) -> None:
        """Make the tiles larger (steps > 0) or smaller."""
        nearest = min(range(len(TILE_SIZES)), key=lambda each: abs(TILE_SIZES[each] - self._tile_size))
        self.set_tile_size(TILE_SIZES[min(max(nearest + steps, 0), len(TILE_SIZES) - 1)])

    @property
    def shape(self) -> TileShape:
        """The arrangement of the photos."""
        return self._shape

    def set_shape(self, shape: TileShape) -> None:
        """Change the arrangement of the photos, keeping the first visible one in place."""
        if shape is not self._shape:
            self._shape = shape
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
        if self._uniform is not None:
            return self._uniform.columns
        start, end = self._layout.line_rows(self._layout.line_at(self._top)) if self._layout.laid else (0, 1)
        return max(1, end - start)

    def gridSize(self) -> QSize:
        """Return the size of a cell; for justified photos, of the first visible one."""
        if self._uniform is not None:
            return QSize(self._uniform.cell_width, self._uniform.cell_height)
        cell = self._layout.cell(self.first_visible()) if self._layout.laid else Cell(0, 0, 1, 1)
        return QSize(cell.width, cell.height)

    @property
    def _uniform(self) -> UniformLayout | None:
        """The layout, if all cells have one size."""
        layout = self._layout.lower if isinstance(self._layout, DividedLayout) else self._layout
        return layout if isinstance(layout, UniformLayout) else None

    def parts_of(self, row: int) -> TileParts:
        """Return the rectangles of the parts of a tile, in viewport coordinates."""
        return self._delegate.parts(QRectF(self.visualRect(self._photos.index(row))), self._option())

    def _option(self) -> QStyleOptionViewItem:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        return option

    # ------------------------------------------------------------------ layout
    def _new_layout(self) -> TileLayout:
        weak = self._photos.weak_from
        if weak is None or weak > len(self._photos.ids):
            return self._layout_of(slice(None))
        band = QFontMetrics(self.font()).height() + _BAND_MARGINS
        return DividedLayout(self._layout_of(slice(weak)), self._layout_of(slice(weak, None)), weak, band)

    def _layout_of(self, rows: slice) -> TileLayout:
        width, option = self.viewport().width(), self._option()
        gap, caption = round(self._delegate.gap), self._delegate.caption_height(option)
        self._around = self._delegate.around_picture(option)
        self._delegate.fills = self._shape is TileShape.SQUARE
        if self._shape is TileShape.JUSTIFIED:
            wanted = round(self._tile_size * _ROW_HEIGHT)
            return JustifiedLayout(self._photos.aspects[rows], width, wanted, gap, caption)
        columns = max(1, round(width / self._tile_size))
        cell = max(width // columns, 1)
        if self._shape is TileShape.SQUARE:
            return UniformLayout(columns, cell, cell + caption)
        around = gap + 2 * self._delegate.padding
        picture = (cell - around) * _CELL_HEIGHT
        return UniformLayout(columns, cell, round(gap + self._delegate.padding + picture + caption))

    def _lay_out_again(self) -> None:
        """Lay out all tiles for the present size, keeping the first visible photo in place."""
        scroll = self._scroll_position()
        self._layout = self._new_layout()
        self._layout.extend(min(BLOCK, len(self._photos.ids)))
        self.updateGeometries()
        self._scroll_to(*scroll)
        self._continue_layout()
        self.viewport().update()
        self._rows_shown()

    def _lay_out_more(self) -> None:
        was_in_sight = self._layout.height <= self._top + self.viewport().height()
        self._layout.extend(min(self._layout.laid + BLOCK, len(self._photos.ids)))
        self.updateGeometries()
        self._try_pending_scroll()
        self._continue_layout()
        if was_in_sight:  # otherwise the visible part is unchanged, and painting it would take longer than the layout
            self.viewport().update()

    def _continue_layout(self) -> None:
        if self._layout.laid < len(self._photos.ids):
            self._more.start()

    def doItemsLayout(self) -> None:
        """Do nothing: tiles are laid out when rows arrive."""
        QAbstractItemView.doItemsLayout(self)

    def updateGeometries(self) -> None:
        """Set the range of the scroll bar to the laid-out content."""
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bar.setSingleStep(max(20, self._tile_size // 4))
        bar.setPageStep(page)
        bar.setRange(0, max(0, self._layout.height - page))

    def reset(self) -> None:
        """Lay out the new rows."""
        super().reset()
        self._anchor = -1
        self._pending_scroll = None
        self._lay_out_again()

    def rowsInserted(self, parent: Index, start: int, end: int) -> None:
        """Lay out appended rows; existing ones stay."""
        QAbstractItemView.rowsInserted(self, parent, start, end)
        layout = self._layout.lower if isinstance(self._layout, DividedLayout) else self._layout
        if isinstance(layout, JustifiedLayout):
            layout.append(self._photos.aspects[start : end + 1])
        self._continue_layout()

    def verticalOffset(self) -> int:
        """Return the scroll position."""
        return self._top

    def horizontalOffset(self) -> int:
        """Return 0: lines are as wide as the view."""
        return 0

    @property
    def _top(self) -> int:
        return self.verticalScrollBar().value()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll the painted content, so that only newly visible parts are painted."""
        self.viewport().scroll(dx, dy)

    def visualRect(self, index: Index) -> QRect:
        """Return the rectangle of a tile in the viewport; empty while it has no place yet."""
        if not index.isValid() or index.row() >= self._layout.laid:
            return QRect()
        cell = self._layout.cell(index.row())
        rect = QRect(cell.x, cell.y - self._top, cell.width, cell.height)
        return self._mirrored(rect) if self.isRightToLeft() else rect

    def _mirrored(self, rect: QRect) -> QRect:
        """Mirror a rectangle for right-to-left languages, between layout and viewport."""
        return QRect(self.viewport().width() - rect.x() - rect.width(), rect.y(), rect.width(), rect.height())

    def indexAt(self, point: QPoint) -> QModelIndex:
        """Return the tile at a point of the viewport."""
        x = self.viewport().width() - 1 - point.x() if self.isRightToLeft() else point.x()
        row = self._layout.row_at(x, point.y() + self._top)
        return self._photos.index(row) if 0 <= row < len(self._photos.ids) else QModelIndex()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Scroll until a tile is in sight."""
        if not index.isValid():
            return
        self._reach(index.row())
        cell, page = self._layout.cell(index.row()), self.viewport().height()
        bar = self.verticalScrollBar()
        if hint is QAbstractItemView.ScrollHint.PositionAtCenter:
            bar.setValue(cell.y + (cell.height - page) // 2)
        elif cell.y < bar.value() or cell.height > page:
            bar.setValue(cell.y)
        elif cell.y + cell.height > bar.value() + page:
            bar.setValue(cell.y + cell.height - page)

    def _reach(self, row: int) -> None:
        """Lay out at least up to a row."""
        if row >= self._layout.laid:
            self._layout.extend(len(self._photos.ids))
            self.updateGeometries()

    # ------------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tiles in the exposed area, and the rubber band."""
        painter = QPainter(self.viewport())
        area, option = event.rect(), self._option()
        first, last = self._layout.rows_between(area.top() + self._top, area.bottom() + self._top)
        plain = option.state & ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        chosen, current, focused = self.selectionModel(), self.currentIndex().row(), self.hasFocus()
        for row in range(first, min(last, len(self._photos.ids) - 1) + 1):
            index = self._photos.index(row)
            rect = self.visualRect(index)
            if not rect.intersects(area):
                continue
            option.rect, option.state = rect, plain
            if chosen.isSelected(index):
                option.state |= QStyle.StateFlag.State_Selected
            if focused and row == current:
                option.state |= QStyle.StateFlag.State_HasFocus
            self._delegate.paint(painter, option, index)
        self._paint_divider(painter)
        if self._band is not None:
            start, end, _ = self._band
            painter.setPen(QPen(self._theme.color("accent"), 1))
            painter.setBrush(self._theme.color("accent", 0.18))
            painter.drawRect(QRect(start, end).normalized().translated(0, -self._top))

    @property
    def divider(self) -> QRect:
        """Rectangle of the band above the weak matches, in the viewport; empty if there is none."""
        if not isinstance(self._layout, DividedLayout):
            return QRect()
        return QRect(0, self._layout.band_top - self._top, self.viewport().width(), self._layout.band)

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
        return self._layout.line_rows(self._layout.line_at(self._top))[0] if self._layout.laid else 0

    def position(self) -> GridPosition:
        """Return the user's position."""
        return GridPosition(*self._scroll_position(), self.current_id(), tuple(self.selected_ids()))

    def _scroll_position(self) -> tuple[int | None, int]:
        """Return anchor and offset of the position."""
        if self._pending_scroll is not None:
            return self._pending_scroll
        first = self.first_visible()
        if self._top <= 0 or first >= len(self._photos.ids):
            return None, 0
        return self._photos.photo_id(first), self._top - self._layout.line_top(self._layout.line_of(first))

    def go_to(self, position: GridPosition) -> None:
        """Go to a position, as far as its photos are still in the grid."""
        rows = self._photos.rows_of(position.selected)
        if rows or self.selectionModel().hasSelection():
            self.selectionModel().select(self._selection(_runs(rows)), _Flag.ClearAndSelect)
        # because a reset of the model clears the selection without a signal
        self.selected.emit(tuple(self.selected_ids()))
        current = self._photos.row_of(position.current) if position.current is not None else -1
        if current >= 0:
            self._going = True
            self.selectionModel().setCurrentIndex(self._photos.index(current), _Flag.NoUpdate)
            self._going = False
        anchor = self._photos.photo_id(min(rows)) if position.at_selected and len(rows) else position.anchor
        self._scroll_to(anchor, position.offset)
        self._rows_shown()

    def _scroll_to(self, anchor: int | None, offset: int) -> None:
        self._pending_scroll = anchor, offset
        self._try_pending_scroll()

    def _try_pending_scroll(self) -> None:
        """Scroll to the requested place; try again later if its row has no place yet."""
        if self._pending_scroll is None:
            return
        anchor, offset = self._pending_scroll
        row = self._photos.row_of(anchor) if anchor is not None else -1
        if row >= self._layout.laid and self._layout.laid < len(self._photos.ids):
            return
        line = self._layout.line_of(row) if row >= 0 else 0
        value = min(self._layout.line_top(line) + offset, self._layout.line_top(line + 1) - 1) if row >= 0 else 0
        if value <= self.verticalScrollBar().maximum() or self._layout.laid >= len(self._photos.ids):
            self._pending_scroll = None
            self.verticalScrollBar().setValue(value)

    def _rows_shown(self) -> None:
        if not self._layout.laid:
            return
        first, last = self._layout.rows_between(self._top, self._top + self.viewport().height())
        self._photos.show_rows(first, last, self._box)

    def _box(self, row: int) -> PixelSize:
        """Return the exact size of a photo in device pixels, because painting without scaling is fastest and sharp."""
        if row >= self._layout.laid:
            return PixelSize(self._tile_size, self._tile_size)
        cell = self._layout.cell(row)
        width, height = cell.width - self._around[0], cell.height - self._around[1]
        if self._shape is TileShape.SQUARE:
            aspect = min(max(self._photos.aspect(row), 0.5), 2.0)
            width, height = max(width, height * aspect), max(height, width / aspect)
        ratio = self.devicePixelRatioF()
        return PixelSize(max(1, round(width * ratio)), max(1, round(height * ratio)))

    # ------------------------------------------------------------------ selection
    def _selection(self, runs: Sequence[tuple[int, int]]) -> QItemSelection:
        selection = QItemSelection()
        for first, last in runs:
            selection.select(self._photos.index(first), self._photos.index(last))
        return selection

    def selected_ids(self) -> list[int]:
        """Return the selected photos in the order of the grid."""
        ranges = [(each.top(), each.bottom()) for each in self.selectionModel().selection().toList()]
        return self._photos.photo_ids(ranges)

    def select_photos(self, photo_ids: Sequence[int]) -> None:
        """Select photos that were selected in another view, without a signal, and scroll to the first."""
        rows = self._photos.rows_of(photo_ids)
        self._told = True
        self.selectionModel().select(self._selection(_runs(rows)), _Flag.ClearAndSelect)
        self._told = False
        if len(rows):
            self.scrollTo(self._photos.index(min(rows)))

    def ids_to_judge(self) -> list[int]:
        """Return the photos to judge: the selected ones, or else the one under the pointer."""
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
            self.selectionModel().setCurrentIndex(index, _Flag.ClearAndSelect)
            self._anchor = row
            self.scrollTo(index)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) photo."""
        current = self.current_id()
        self.make_current(0 if current is None else self._photos.place_of(current) + by)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Emit the selected photos."""
        super().selectionChanged(selected, deselected)
        if not self._told:
            self.selected.emit(tuple(self.selected_ids()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Discard the former place of the judged photo after the user has moved on from it."""
        super().currentChanged(current, previous)
        if not self._going:
            self._photos.forget_place()

    def selectAll(self) -> None:
        """Select all photos as one range, including those still to come; Qt would visit each row."""

        def select() -> None:
            if len(self._photos.ids):
                whole = self._selection([(0, len(self._photos.ids) - 1)])
                self.selectionModel().select(whole, _Flag.ClearAndSelect)

        self._photos.when_complete(select)

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Select the tiles that meet a rectangle of the viewport."""
        self.selectionModel().select(self._selection_in(rect.normalized().translated(0, self._top)), command)

    def _selection_in(self, box: QRect) -> QItemSelection:
        """Return the tiles that meet a rectangle of the content."""
        if self.isRightToLeft():
            box = self._mirrored(box)
        return self._selection(self._layout.rows_in(box.left(), box.top(), box.right(), box.bottom()))

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        """Repaint the whole view, because Qt would request the position of each of a million selected photos."""
        return QRegion(self.viewport().rect())

    def _choose(self, row: int, modifiers: Qt.KeyboardModifier, *, by_mouse: bool) -> None:
        """Make a row the current one; Shift selects the range from the anchor, Ctrl toggles the row."""
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        index, chosen = self._photos.index(row), self.selectionModel()
        anchor = self._anchor if 0 <= self._anchor < len(self._photos.ids) else self.currentIndex().row()
        chosen.setCurrentIndex(index, _Flag.NoUpdate)
        if shift and anchor >= 0:
            runs = [(min(anchor, row), max(anchor, row))]
            chosen.select(self._selection(runs), _Flag.Select if control else _Flag.ClearAndSelect)
            self._anchor = anchor
            return
        self._anchor = row
        if control and by_mouse:
            chosen.select(index, _Flag.Toggle)
        elif not control:
            chosen.select(index, _Flag.ClearAndSelect)

    # ------------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Press a button, select a photo, or begin a rubber band."""
        self._wants_end = False
        point = self._at(event)
        self._track_pointer(point)
        self._pressed = None
        if (point - self._clicked_at).manhattanLength() > QApplication.styleHints().mouseDoubleClickDistance():
            self._clicked = None
        self._before = None
        index = self.indexAt(point)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if index.isValid():
            button = self._button_at(index, event.position())
            if button is not None:
                self._press_button(button, self._photos.photo_id(index.row()))
                return
            if self._judging and not self._pointer.points:
                return  # pressed again on a button whose photo has moved to its new place
        self._judging = False
        self._selecting = bool(event.modifiers() & _SELECTS)
        self._pressed = self._photos.photo_id(index.row()) if index.isValid() else -1, point
        if not index.isValid() or event.modifiers() & _SELECTS:
            if index.isValid():
                self._choose(index.row(), event.modifiers(), by_mouse=True)
            elif not event.modifiers() & _SELECTS and not self.walks_on_click:
                self.clearSelection()
        elif not self.walks_on_click and not self.selectionModel().isSelected(index):
            self._before = self.selected_ids()
            self._choose(index.row(), event.modifiers(), by_mouse=True)

    def _press_button(self, button: TileButton, photo_id: int) -> None:
        if button is TileButton.UNFOLD:
            self._rest_pointer()
            self.unfolded.emit(photo_id)
            return
        if button is TileButton.WALK:
            self._rest_pointer()  # another photo will be under the pointer
            self.photo_chosen.emit(photo_id)
            return
        self._judging = True
        self.judged.emit([photo_id], Verdict.SIMILAR if button is TileButton.SIMILAR else Verdict.DISSIMILAR)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the pressed photo if the pointer is released on it; rows may have arrived meanwhile."""
        pressed, self._pressed = self._pressed, None
        if self._band is not None:
            self._band = None
            self._band_scroll.stop()
            self.viewport().update()
            return
        if pressed is None or event.button() != Qt.MouseButton.LeftButton or event.modifiers() & _SELECTS:
            return
        row = self._photos.row_of(pressed[0])
        moved = (self._at(event) - pressed[1]).manhattanLength() >= QApplication.startDragDistance()
        if row < 0 or moved:
            return
        self._clicked, self._clicked_at = pressed
        if self.walks_on_click:
            self.photo_chosen.emit(pressed[0])
        else:
            self._before = self.selected_ids() if self._before is None else self._before
            self._choose(row, Qt.KeyboardModifier.NoModifier, by_mouse=True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Make the clicked photo the focal image, or open it if one click does that; on a button, press again.

        The second half of a double-click applies to the photo of the first half, even if another is under the pointer
        now.
        """
        index, clicked = self.indexAt(self._at(event)), self._clicked
        if (index.isValid() and self._button_at(index, event.position()) is not None) or event.modifiers() & _SELECTS:
            self.mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton and clicked is not None:
            self._clicked = None
            if not self.walks_on_click and self._before is not None:
                # restore the earlier selection for the trail, so that Back shows it again
                rows = self._photos.rows_of(self._before)
                self.selectionModel().select(self._selection(_runs(rows)), _Flag.ClearAndSelect)
            (self.photo_opened if self.walks_on_click else self.photo_chosen).emit(clicked)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the buttons of the tile under the pointer; drag photos, or stretch a rubber band."""
        point = self._at(event)
        self._track_pointer(point)
        if self._band is not None:
            self._stretch_band(point)
        elif self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            photo_id, start = self._pressed
            if (point - start).manhattanLength() < QApplication.startDragDistance():
                return
            if photo_id < 0 or self._selecting:
                kept = self.selectionModel().selection() if self._selecting else QItemSelection()
                self._band = start + QPoint(0, self._top), point + QPoint(0, self._top), kept
                self._band_scroll.start()
                self._stretch_band(point)
            else:
                self._drag(photo_id)

    def _drag(self, photo_id: int) -> None:
        """Start dragging the selected photos; if the pressed one is not selected, select it first."""
        self._pressed = None
        row = self._photos.row_of(photo_id)
        if row >= 0 and not self.selectionModel().isSelected(self._photos.index(row)):
            self._choose(row, Qt.KeyboardModifier.NoModifier, by_mouse=True)
        if row >= 0:
            self.dragged.emit()

    def _stretch_band(self, point: QPoint) -> None:
        if self._band is None:
            return
        start, _, kept = self._band
        end = point + QPoint(0, self._top)
        self._band = start, end, kept
        selection = self._selection_in(QRect(start, end).normalized())
        selection.merge(kept, _Flag.Select)
        self.selectionModel().select(selection, _Flag.ClearAndSelect)
        self.viewport().update()

    def _scroll_band(self) -> None:
        """Scroll while a rubber band is held at the upper or lower edge."""
        if self._band is None or self._pointer.place is None:
            return
        point, bar = self._pointer.place, self.verticalScrollBar()
        beyond = min(point.y() - _EDGE, 0) + max(point.y() - self.viewport().height() + _EDGE, 0)
        if beyond:
            bar.setValue(bar.value() + beyond)
            self._stretch_band(point)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the photo under the pointer, or of the current one for the menu key."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        place = event.globalPos()
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self._choose(index.row(), Qt.KeyboardModifier.NoModifier, by_mouse=True)
            if not by_mouse:
                self.scrollTo(index)
                place = self.viewport().mapToGlobal(self.visualRect(index).center())
        self.menu_wanted.emit(self._photos.photo_id(index.row()) if index.isValid() else None, place)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the buttons."""
        self._track_pointer(None)
        super().leaveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show tool tips below or above the tile, never over its photo."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            if self.divider.contains(event.pos()):
                place = self.viewport().mapToGlobal(self.divider.bottomLeft() + QPoint(event.pos().x(), 0))
                QToolTip.showText(place, tool_tip(self._photos.weak_tip), self.viewport(), self.divider)
            else:
                self._show_tip(self.indexAt(event.pos()))
            return True
        return super().viewportEvent(event)

    def _show_tip(self, index: QModelIndex) -> None:
        text = index.data(Qt.ItemDataRole.ToolTipRole) if index.isValid() else None
        if not text or self._says_all(index):
            QToolTip.hideText()
            return
        tile = self.visualRect(index)
        height = len(text.splitlines()) * QFontMetrics(QToolTip.font()).lineSpacing() + _TIP_MARGINS
        below = QPoint(tile.left(), min(tile.bottom(), self.viewport().height()) + 1)
        place = self.viewport().mapToGlobal(below)
        if place.y() + height > self.screen().availableGeometry().bottom():
            place = self.viewport().mapToGlobal(tile.topLeft()) - QPoint(0, height)
        # Qt shows it lower, where the pointer would not cover it
        QToolTip.showText(place - QPoint(0, _BELOW_POINTER), tool_tip(text), self.viewport(), tile)

    def _says_all(self, index: QModelIndex) -> bool:
        """Return whether the tile under the pointer already shows the whole text of its tool tip."""
        tile = index.data(Role.TILE)
        failure = tile.card is not None and tile.card.photo.failure is not None
        return not failure and self._delegate.says_all(self.parts_of(index.row()), tile, self._option())

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
        self._pointer.aim()
        self._track_pointer(self._pointer.place)

    def _at(self, event: QMouseEvent) -> QPoint:
        return event.position().toPoint()

    def _button_at(self, index: QModelIndex, point: QPointF) -> TileButton | None:
        if not self._pointer.points:
            return None
        return self._delegate.button_at(index, QRectF(self.visualRect(index)), self._option(), point)

    def _track_pointer(self, point: QPoint | None) -> None:
        self._pointer.move(point)
        index = QModelIndex()
        if point is not None and self._pointer.points:
            index = self.indexAt(point)
        button = self._button_at(index, QPointF(point)) if point is not None and index.isValid() else None
        self._show_hovered(index.row(), button)

    def _show_hovered(self, row: int, button: TileButton | None) -> None:
        delegate = self._delegate
        before = delegate.hovered, delegate.hovered_button
        delegate.hovered, delegate.hovered_button = row, button
        if row >= 0:
            self._name(-1)
        if before != (row, button):
            for each in {before[0], row} - {-1}:
                self.update(self._photos.index(each))

    def _name(self, row: int) -> None:
        """Show the name of the row that the keyboard has reached; -1: of none."""
        before, self._delegate.named = self._delegate.named, row
        if before != row:
            for each in {before, row} - {-1}:
                self.update(self._photos.index(each))

    def _rest_pointer(self) -> None:
        """Hide the buttons because other photos have come under the pointer."""
        self._pointer.rest()
        self._show_hovered(-1, None)

    # ------------------------------------------------------------------ keys and sizes
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Make the current photo the focal image on Enter; move with arrows, Home, End and Page keys."""
        self._wants_end = False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            current = self.current_id()
            if current is not None:
                self.photo_chosen.emit(current)
        elif event.key() in _MOVES and not event.modifiers() & (
            Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
        ):
            action, modifiers = _MOVES[Qt.Key(event.key())], event.modifiers()
            if action is QAbstractItemView.CursorAction.MoveEnd and not self._photos.complete:
                self._wants_end = True
                self._photos.when_complete(lambda: self._move(action, modifiers) if self._wants_end else None)
            else:
                self._move(action, modifiers)
        else:
            event.ignore()

    def _move(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> None:
        to = self.moveCursor(action, modifiers)
        if to.isValid():
            self._choose(to.row(), modifiers, by_mouse=False)
            self.scrollTo(to)
            self._name(to.row())

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Return the target of a movement key; from a judged photo, start at its former place."""
        last = len(self._photos.ids) - 1
        if last < 0:
            return QModelIndex()
        actions = QAbstractItemView.CursorAction
        if action in (actions.MoveHome, actions.MoveEnd):
            return self._photos.index(0 if action is actions.MoveHome else last)
        current = self.current_id()
        if current is None:
            return self._photos.index(min(self.first_visible(), last))
        place = min(self._photos.place_of(current), last)
        if place < 0:
            return self._photos.index(0)
        self._reach(place)
        if action in (actions.MoveLeft, actions.MovePrevious, actions.MoveRight, actions.MoveNext):
            back = actions.MoveRight if self.isRightToLeft() else actions.MoveLeft
            by = -1 if action in (back, actions.MovePrevious) else 1
            return self._photos.index(min(max(place + by, 0), last))
        up = action in (actions.MoveUp, actions.MovePageUp)
        paged = action in (actions.MovePageUp, actions.MovePageDown)
        return self._photos.index(self._row_above_or_below(place, up=up, paged=paged))

    def _row_above_or_below(self, row: int, *, up: bool, paged: bool) -> int:
        layout = self._layout
        if not up and layout.laid < len(self._photos.ids) and layout.line_of(row) > layout.lines - 50:
            self._reach(layout.laid)
        if not paged:
            return layout.row_beside(row, -1 if up else 1)
        line, page = layout.line_of(row), self.viewport().height()
        to = layout.line_at(layout.line_top(line) + (-page if up else page))
        to = min(to, line - 1) if up else max(to, line + 1)
        return layout.row_beside(row, min(max(to, 0), layout.lines - 1) - line)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the lines to the new width, keeping the first visible photo in place."""
        if event.oldSize().width() != event.size().width():
            self._lay_out_again()
        else:
            self.updateGeometries()
            self._rows_shown()

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
