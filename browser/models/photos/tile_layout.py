# SPDX-License-Identifier: MIT
"""Layout of tiles: cells of one size, or justified lines of photos with their own proportions; in numpy.

All numbers are logical pixels of the content: x from the left edge, y from its top. Cells touch each other; the
delegate leaves a gap inside them. A layout can be computed in parts: `extend` adds rows, and rows with a place do not
move, except those of an incomplete last line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST_STRETCHED: Final = 1.7
"""Largest height of a justified line, as a multiple of the wanted height: a single tall photo does not fill a line."""

_PROPORTIONS: Final = (0.3, 4.0)
"""Smallest and largest proportions of a cell; narrower and wider photos get these."""


@dataclass(frozen=True)
class Cell:
    """The rectangle of a tile."""

    x: int
    y: int
    width: int
    height: int

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point is inside the cell."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class TileLayout(ABC):
    """Lines of cells, from left to right and from top to bottom."""

    laid: int = 0
    """Number of model rows that have a place; later rows have none yet."""

    @abstractmethod
    def extend(self, count: int) -> None:
        """Lay out the rows below `count` that have no place yet."""

    @property
    @abstractmethod
    def height(self) -> int:
        """Height of all rows with a place."""

    @property
    @abstractmethod
    def lines(self) -> int:
        """Number of lines."""

    @abstractmethod
    def cell(self, row: int) -> Cell:
        """Return the cell of a row that has a place."""

    @abstractmethod
    def line_of(self, row: int) -> int:
        """Return the line of a row."""

    @abstractmethod
    def line_at(self, y: float) -> int:
        """Return the line at a height; the nearest line if there is none."""

    @abstractmethod
    def line_rows(self, line: int) -> tuple[int, int]:
        """Return the first row of a line, and the row after its last."""

    @abstractmethod
    def line_top(self, line: int) -> int:
        """Return the upper edge of a line."""

    # ------------------------------------------------------------------ derived methods
    def row_at(self, x: float, y: float) -> int:
        """Return the row at a point, or -1."""
        if not self.laid or not 0 <= y < self.height or x < 0:
            return -1
        row = self._nearest_in_line(self.line_at(y), x)
        return row if self.cell(row).contains(x, y) else -1

    def rows_between(self, top: float, bottom: float) -> tuple[int, int]:
        """Return the first and the last row of the lines that meet a band; (0, -1) if there are none."""
        if not self.laid or bottom < 0 or top >= self.height:
            return 0, -1
        return self.line_rows(self.line_at(top))[0], self.line_rows(self.line_at(bottom))[1] - 1

    def row_beside(self, row: int, lines: int) -> int:
        """Return the row a number of lines below (above, if negative) a row, nearest to its middle.

        Beyond the first and the last line, it is the row itself.
        """
        line = self.line_of(row) + lines
        if not 0 <= line < self.lines:
            return row
        cell = self.cell(row)
        return self._nearest_in_line(line, cell.x + cell.width / 2)

    def rows_in(self, left: float, top: float, right: float, bottom: float) -> list[tuple[int, int]]:
        """Return the rows whose cells meet a rectangle, as ascending runs (first, last)."""
        runs: list[tuple[int, int]] = []
        if not self.laid or bottom < 0 or top >= self.height:
            return runs
        for line in range(self.line_at(top), self.line_at(bottom) + 1):
            start, end = self.line_rows(line)
            rows = [row for row in range(start, end) if self._meets(row, left, right)]
            if rows and runs and runs[-1][1] == rows[0] - 1:
                runs[-1] = runs[-1][0], rows[-1]
            elif rows:
                runs.append((rows[0], rows[-1]))
        return runs

    def _meets(self, row: int, left: float, right: float) -> bool:
        cell = self.cell(row)
        return cell.x <= right and cell.x + cell.width > left

    def _nearest_in_line(self, line: int, x: float) -> int:
        start, end = self.line_rows(line)
        for row in range(start, end):
            cell = self.cell(row)
            if x < cell.x + cell.width:
                return row
        return end - 1


class UniformLayout(TileLayout):
    """Cells of one size, as many in a line as fit.

    Parameters
    ----------
    columns, width, height : int
        Number of cells in a line, and the size of a cell.
    """

    def __init__(self, columns: int, width: int, height: int) -> None:
        self.columns = columns
        self.cell_width = width
        self.cell_height = height

    def extend(self, count: int) -> None:
        """Lay out the rows below `count`."""
        self.laid = max(self.laid, count)

    @property
    def height(self) -> int:
        """Height of all lines."""
        return self.lines * self.cell_height

    @property
    def lines(self) -> int:
        """Number of lines."""
        return -(-self.laid // self.columns)

    def cell(self, row: int) -> Cell:
        """Return the cell of a row."""
        line, column = divmod(row, self.columns)
        return Cell(column * self.cell_width, line * self.cell_height, self.cell_width, self.cell_height)

    def line_of(self, row: int) -> int:
        """Return the line of a row."""
        return row // self.columns

    def line_at(self, y: float) -> int:
        """Return the line at a height."""
        return min(max(int(y // self.cell_height), 0), max(self.lines - 1, 0))

    def line_rows(self, line: int) -> tuple[int, int]:
        """Return the first row of a line, and the row after its last."""
        return line * self.columns, min((line + 1) * self.columns, self.laid)

    def line_top(self, line: int) -> int:
        """Return the upper edge of a line."""
        return line * self.cell_height


class JustifiedLayout(TileLayout):
    """Photos of equal height in each line, scaled so that each line fills the width.

    A line ends where its natural width, with all photos at the wanted height, is nearest to the width of the view, so
    that heights differ as little from the wanted one as this order allows. The last line is never higher than wanted.

    Parameters
    ----------
    aspects : ndarray of float32, shape (n,)
        Width of each photo over its height.
    wanted : int
        Height of a photo before scaling.
    gap : int
        Difference in width and height between a cell and its photo.
    caption : int
        Height of the caption below a photo.
    """

    def __init__(self, aspects: NDArray[np.float32], width: int, wanted: int, gap: int, caption: int) -> None:
        self._aspects = np.clip(aspects, *_PROPORTIONS).astype(np.float64)
        self._width = max(width, 1)
        self._wanted = max(wanted, 1)
        self._gap = gap
        self._caption = caption
        self._starts: list[int] = []
        self._tops: list[int] = [0]
        self._last_line: tuple[int, list[int]] = (-1, [])

    def append(self, aspects: NDArray[np.float32]) -> None:
        """Append photos; `extend` gives them a place."""
        self._aspects = np.concatenate([self._aspects, np.clip(aspects, *_PROPORTIONS)])

    def extend(self, count: int) -> None:
        """Lay out the rows below `count`; an incomplete last line is laid out again with the rows that follow."""
        count = min(count, len(self._aspects))
        if count <= self.laid:
            return
        begin = 0
        if self._starts:
            begin = self._starts.pop()
            self._tops.pop()
        starts = begin + _line_starts(self._aspects[begin:count] * self._wanted + self._gap, self._width)
        ends = np.append(starts[1:], count)
        sums = np.add.reduceat(self._aspects[begin:count], starts - begin)
        heights = (self._width - self._gap * (ends - starts)) / sums
        heights = np.clip(heights, 1.0, MOST_STRETCHED * self._wanted)
        heights[-1] = min(heights[-1], self._wanted)
        tops = self._tops[-1] + np.cumsum(np.rint(heights).astype(np.int64) + self._gap + self._caption)
        self._starts += starts.tolist()
        self._tops += tops.tolist()
        self.laid = count
        self._last_line = (-1, [])

    @property
    def height(self) -> int:
        """Height of all lines."""
        return self._tops[-1]

    @property
    def lines(self) -> int:
        """Number of lines."""
        return len(self._starts)

    def cell(self, row: int) -> Cell:
        """Return the cell of a row."""
        line = self.line_of(row)
        edges, place = self._edges(line), row - self._starts[line]
        top = self._tops[line]
        return Cell(edges[place], top, edges[place + 1] - edges[place], self._tops[line + 1] - top)

    def line_of(self, row: int) -> int:
        """Return the line of a row."""
        return bisect_right(self._starts, row) - 1

    def line_at(self, y: float) -> int:
        """Return the line at a height."""
        return min(max(bisect_right(self._tops, y) - 1, 0), max(self.lines - 1, 0))

    def line_rows(self, line: int) -> tuple[int, int]:
        """Return the first row of a line, and the row after its last."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else self.laid
        return self._starts[line], end

    def line_top(self, line: int) -> int:
        """Return the upper edge of a line."""
        return self._tops[line]

    def _edges(self, line: int) -> list[int]:
        """Return the left edges of the cells of a line, and the right edge of the last."""
        if self._last_line[0] != line:
            start, end = self.line_rows(line)
            height = self._tops[line + 1] - self._tops[line] - self._gap - self._caption
            aspects = self._aspects[start:end]
            edges = np.append(0.0, np.cumsum(aspects * height + self._gap))
            # If a line misses the edge only because its height was rounded, its photos share the difference.
            if abs(edges[-1] - self._width) <= 1 + aspects.sum() / 2:
                edges *= self._width / edges[-1]
            self._last_line = line, np.rint(edges).astype(np.int64).tolist()
        return self._last_line[1]


def _line_starts(widths: NDArray[np.float64], width: int) -> NDArray[np.int64]:
    """Break photos of these natural widths into lines of about `width`; return the first photo of each line.

    One search finds, for every photo, the end of a line that begins with it; the lines are the chain of these ends from
    the first photo.
    """
    count = len(widths)
    cumulative = np.append(0.0, np.cumsum(widths))
    first = np.arange(count)
    fits = np.searchsorted(cumulative, cumulative[:-1] + width, side="right") - 1
    fits = np.maximum(fits, first + 1)
    more = np.minimum(fits + 1, count)
    left_over = np.abs(width - (cumulative[fits] - cumulative[:-1]))
    too_much = np.abs((cumulative[more] - cumulative[:-1]) - width)
    following: list[int] = np.where((more > fits) & (too_much < left_over), more, fits).tolist()
    starts, at = [], 0
    while at < count:
        starts.append(at)
        at = following[at]
    return np.asarray(starts, dtype=np.int64)


class DividedLayout(TileLayout):
    """Two layouts, one below the other, with a band between them that belongs to neither.

    Parameters
    ----------
    upper, lower : TileLayout
        Layouts of the rows before and after the band; the lower one counts its rows from 0.
    rows : int
        Number of rows above the band.
    """

    def __init__(self, upper: TileLayout, lower: TileLayout, rows: int, band: int) -> None:
        self.upper = upper
        self.lower = lower
        self.rows = rows
        self.band = band

    @property
    def band_top(self) -> int:
        """Upper edge of the band."""
        return self.upper.height

    @property
    def laid(self) -> int:  # type: ignore[override]
        """Number of rows that have a place."""
        return self.upper.laid + self.lower.laid

    def extend(self, count: int) -> None:
        """Lay out the rows below `count` that have no place yet."""
        self.upper.extend(min(count, self.rows))
        if count > self.rows:
            self.lower.extend(count - self.rows)

    @property
    def height(self) -> int:
        """Height of all rows with a place, including the band."""
        return self._below + self.lower.height

    @property
    def lines(self) -> int:
        """Number of lines."""
        return self.upper.lines + self.lower.lines

    @property
    def _below(self) -> int:
        return self.upper.height + self.band

    def cell(self, row: int) -> Cell:
        """Return the cell of a row that has a place."""
        if row < self.rows:
            return self.upper.cell(row)
        cell = self.lower.cell(row - self.rows)
        return Cell(cell.x, cell.y + self._below, cell.width, cell.height)

    def line_of(self, row: int) -> int:
        """Return the line of a row."""
        if row < self.rows:
            return self.upper.line_of(row)
        return self.upper.lines + self.lower.line_of(row - self.rows)

    def line_at(self, y: float) -> int:
        """Return the line at a height; in the band, the line above it."""
        if (y < self._below and self.upper.lines) or not self.lower.lines:
            return self.upper.line_at(y)
        return self.upper.lines + self.lower.line_at(y - self._below)

    def line_rows(self, line: int) -> tuple[int, int]:
        """Return the first row of a line, and the row after its last."""
        if line < self.upper.lines:
            return self.upper.line_rows(line)
        start, end = self.lower.line_rows(line - self.upper.lines)
        return start + self.rows, end + self.rows

    def line_top(self, line: int) -> int:
        """Return the upper edge of a line."""
        if line < self.upper.lines:
            return self.upper.line_top(line)
        return self.lower.line_top(line - self.upper.lines) + self._below
