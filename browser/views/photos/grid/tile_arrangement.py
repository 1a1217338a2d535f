# SPDX-License-Identifier: MIT
"""The places of the tiles of a grid, in pixels of its content."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize

from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.tile_layout import (
    Cell,
    DividedLayout,
    JustifiedLayout,
    TileLayout,
    UniformLayout,
)
from focal_photos.browser.tasks.thumbnail_loader import PixelSize

TILE_SIZES: Final = (102, 116, 132, 158, 188, 224, 268, 320, 384, 460)
DEFAULT_TILE: Final = 188
_ROW_HEIGHT: Final = 0.7
"""Height of justified photos over the width of a tile, so that about as many are in sight as with square tiles."""
_CELL_HEIGHT: Final = 0.72
"""Height of the photo over its width, in a tile with a caption."""


class TileShape(StrEnum):
    """The arrangement of the photos in a grid."""

    JUSTIFIED = "justified"
    """Lines of equal height, edge to edge, without cropping."""
    SQUARE = "square"
    """Squares, edge to edge, with cropped photos."""
    FRAMED = "framed"
    """Tiles of one size with whole photos, each above a line of text."""


@dataclass(frozen=True)
class TileMargins:
    """The space of a cell that is not covered by its photo, in logical pixels."""

    gap: float = 0.0
    """Space between two tiles."""
    padding: float = 0.0
    """Background around a photo."""
    caption: int = 0
    """Height of the line below the photo; 0 without captions."""

    @property
    def width(self) -> float:
        """Width of a cell minus that of its photo."""
        return self.gap + 2 * self.padding

    @property
    def height(self) -> float:
        """Height of a cell minus that of its photo."""
        return self.gap + self.padding + max(self.caption, self.padding)


class TileArrangement:
    """Lines of tiles from top to bottom, divided by a band above the weak matches.

    In right-to-left languages, lines are mirrored as a whole.

    Parameters
    ----------
    photos : GridModel
        The rows, with their proportions and the first weak match.
    """

    def __init__(self, photos: GridModel, shape: TileShape) -> None:
        self.shape = shape
        """Changes take effect in `arrange`."""
        self.tile_size = DEFAULT_TILE
        """Width of a tile before lines are stretched to fill the view; changes take effect in `arrange`."""
        self.mirrored = False
        """Whether the first tile of a line is at the right."""
        self.layout: TileLayout = UniformLayout(1, DEFAULT_TILE, DEFAULT_TILE)
        """Lines and cells, from left to right."""
        self._photos = photos
        self._width = 0
        self._margins = TileMargins()

    def arrange(self, width: int, margins: TileMargins, band: int) -> None:
        """Discard all places and begin a new layout, which `layout.extend` continues."""
        self._width, self._margins = width, margins
        weak = self._photos.weak_from
        if weak is None or weak > len(self._photos.ids):
            self.layout = self._layout_of(slice(None))
        else:
            self.layout = DividedLayout(self._layout_of(slice(weak)), self._layout_of(slice(weak, None)), weak, band)

    def _layout_of(self, rows: slice) -> TileLayout:
        margins, gap = self._margins, round(self._margins.gap)
        if self.shape is TileShape.JUSTIFIED:
            wanted = round(self.tile_size * _ROW_HEIGHT)
            return JustifiedLayout(self._photos.aspects[rows], self._width, wanted, gap, margins.caption)
        columns = max(1, round(self._width / self.tile_size))
        cell = max(self._width // columns, 1)
        if self.shape is TileShape.SQUARE:
            return UniformLayout(columns, cell, cell + margins.caption)
        picture = (cell - gap - 2 * margins.padding) * _CELL_HEIGHT
        return UniformLayout(columns, cell, round(gap + margins.padding + picture + margins.caption))

    def append(self, first: int, last: int) -> None:
        """Include appended rows, which `layout.extend` can then lay out."""
        layout = self.layout.lower if isinstance(self.layout, DividedLayout) else self.layout
        if isinstance(layout, JustifiedLayout):
            layout.append(self._photos.aspects[first : last + 1])

    # ------------------------------------------------------------------ places
    @property
    def complete(self) -> bool:
        """Whether all rows have a place."""
        return self.layout.laid >= len(self._photos.ids)

    def rect(self, row: int) -> QRect:
        """Return the rectangle of a tile; empty while it has no place yet."""
        if not 0 <= row < self.layout.laid:
            return QRect()
        cell = self.layout.cell(row)
        return self._turned(QRect(cell.x, cell.y, cell.width, cell.height))

    def row_at(self, point: QPoint) -> int:
        """Return the row of the tile at a point, or -1."""
        x = self._width - 1 - point.x() if self.mirrored else point.x()
        row = self.layout.row_at(x, point.y())
        return row if row < len(self._photos.ids) else -1

    def rows_in(self, box: QRect) -> list[tuple[int, int]]:
        """Return the rows of the tiles that meet a rectangle, as ascending runs (first, last)."""
        box = self._turned(box)
        return self.layout.rows_in(box.left(), box.top(), box.right(), box.bottom())

    def first_row(self, top: int) -> int:
        """Return the first row of the line at a height."""
        return self.layout.line_rows(self.layout.line_at(top))[0] if self.layout.laid else 0

    @property
    def band(self) -> QRect:
        """Rectangle of the band above the weak matches; empty if there is none."""
        if not isinstance(self.layout, DividedLayout):
            return QRect()
        return QRect(0, self.layout.band_top, self._width, self.layout.band)

    def _turned(self, rect: QRect) -> QRect:
        """Mirror a rectangle in right-to-left languages."""
        if not self.mirrored:
            return rect
        return QRect(self._width - rect.x() - rect.width(), rect.y(), rect.width(), rect.height())

    # ------------------------------------------------------------------ sizes
    def columns(self, top: int) -> int:
        """Return the number of tiles side by side; for justified photos, in the line at a height."""
        if self._uniform is not None:
            return self._uniform.columns
        start, end = self.layout.line_rows(self.layout.line_at(top)) if self.layout.laid else (0, 1)
        return max(1, end - start)

    def cell_size(self, top: int) -> QSize:
        """Return the size of a cell; for justified photos, of the first in the line at a height."""
        if self._uniform is not None:
            return QSize(self._uniform.cell_width, self._uniform.cell_height)
        cell = self.layout.cell(self.first_row(top)) if self.layout.laid else Cell(0, 0, 1, 1)
        return QSize(cell.width, cell.height)

    @property
    def _uniform(self) -> UniformLayout | None:
        """The layout, if all cells have one size."""
        layout = self.layout.lower if isinstance(self.layout, DividedLayout) else self.layout
        return layout if isinstance(layout, UniformLayout) else None

    def picture_size(self, row: int, ratio: float) -> PixelSize:
        """Return the exact size of a photo in device pixels, because painting without scaling is fastest and sharp.

        Parameters
        ----------
        ratio : float
            Device pixels per logical pixel.
        """
        if row >= self.layout.laid:
            return PixelSize(self.tile_size, self.tile_size)
        cell = self.layout.cell(row)
        width, height = cell.width - self._margins.width, cell.height - self._margins.height
        if self.shape is TileShape.SQUARE:
            aspect = min(max(self._photos.aspect(row), 0.5), 2.0)
            width, height = max(width, height * aspect), max(height, width / aspect)
        return PixelSize(max(1, round(width * ratio)), max(1, round(height * ratio)))

    def neighboring_size(self, steps: int) -> int:
        """Return a tile size a number of steps above (below, if negative) the present one."""
        nearest = min(range(len(TILE_SIZES)), key=lambda each: abs(TILE_SIZES[each] - self.tile_size))
        return TILE_SIZES[min(max(nearest + steps, 0), len(TILE_SIZES) - 1)]
