# SPDX-License-Identifier: MIT
"""The visible part of a grid's content."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QScrollBar

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.trail import GridPosition
from focal_photos.browser.views.photos.grid.tile_arrangement import TileArrangement

BLOCK: Final = 20_000
"""Number of rows laid out at once; the others are laid out between events."""


class GridScroll(QObject):
    """Scrolls to rows and positions, and lays out the rows below between events."""

    extended = Signal()
    """Rows in sight have got a place."""

    def __init__(self, bar: QScrollBar, photos: GridModel, tiles: TileArrangement) -> None:
        super().__init__(bar)
        self._bar = bar
        self._photos = photos
        self._tiles = tiles
        self._pending: GridPosition | None = None
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._lay_out_more)

    @property
    def top(self) -> int:
        """Height of the content above the view."""
        return self._bar.value()

    @property
    def page(self) -> int:
        """Height of the view."""
        return self._bar.pageStep()

    def fit(self, page: int) -> None:
        """Set the range of the scroll bar to the laid-out content, for a height of the view."""
        self._bar.setSingleStep(max(20, self._tiles.tile_size // 4))
        self._bar.setPageStep(page)
        self._bar.setRange(0, max(0, self._tiles.layout.height - page))

    def move(self, pixels: int) -> None:
        """Scroll down (up, if negative)."""
        self._bar.setValue(self.top + pixels)

    def show(self, row: int, *, centered: bool = False) -> None:
        """Scroll until a tile is in sight, or in the middle."""
        self.reach(row)
        cell = self._tiles.layout.cell(row)
        if centered:
            self._bar.setValue(cell.y + (cell.height - self.page) // 2)
        elif cell.y < self.top or cell.height > self.page:
            self._bar.setValue(cell.y)
        elif cell.y + cell.height > self.top + self.page:
            self._bar.setValue(cell.y + cell.height - self.page)

    # ------------------------------------------------------------------ layout
    def lay_out(self, position: GridPosition, page: int) -> None:
        """Lay out the first rows of a new arrangement, and the others between events; go to a position."""
        self._tiles.layout.extend(min(BLOCK, len(self._photos.ids)))
        self.fit(page)
        self.go_to(position)
        self.lay_out_rest()

    def lay_out_rest(self) -> None:
        """Lay out the rows that have no place yet, between events."""
        if not self._tiles.complete:
            self._more.start()

    def _lay_out_more(self) -> None:
        layout = self._tiles.layout
        were_in_sight = layout.height <= self.top + self.page
        layout.extend(min(layout.laid + BLOCK, len(self._photos.ids)))
        self.fit(self.page)
        self._try_pending()
        self.lay_out_rest()
        if were_in_sight:  # otherwise the visible part is unchanged, and painting it would take longer than the layout
            self.extended.emit()

    def reach(self, row: int) -> None:
        """Lay out at least up to a row."""
        if row >= self._tiles.layout.laid:
            self._tiles.layout.extend(len(self._photos.ids))
            self.fit(self.page)

    # ------------------------------------------------------------------ positions
    def position(self) -> GridPosition:
        """Return anchor and offset of the position."""
        if self._pending is not None:
            return self._pending
        first = self._tiles.first_row(self.top)
        if self.top <= 0 or first >= len(self._photos.ids):
            return GridPosition()
        layout = self._tiles.layout
        return GridPosition(self._photos.photo_id(first), self.top - layout.line_top(layout.line_of(first)))

    def go_to(self, position: GridPosition) -> None:
        """Scroll to a position, as soon as its anchor has a place."""
        self._pending = position
        self._try_pending()

    def stay(self) -> None:
        """Give up the position that is still waiting for its place."""
        self._pending = None

    def _try_pending(self) -> None:
        if self._pending is None:
            return
        anchor, layout = self._pending.anchor, self._tiles.layout
        row = self._photos.row_of(anchor) if anchor is not None else -1
        if row >= layout.laid and not self._tiles.complete:
            return
        value = 0
        if row >= 0:
            line = layout.line_of(row)
            value = min(layout.line_top(line) + self._pending.offset, layout.line_top(line + 1) - 1)
        if value <= self._bar.maximum() or self._tiles.complete:
            self._pending = None
            self._bar.setValue(value)
