# SPDX-License-Identifier: MIT
"""Drawing of a map: dots as one picture, photos that represent others, and the photos in an area."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.store.deferred import dataclass, field
from focal_photos.browser.operations.mapping.levels import Level, levels

SMALLEST_TILE: Final = 64.0
"""Smallest side of a cell in which a photo is shown, in screen pixels; at twice this size, the next level is shown."""

_DOT_CELL: Final = 2.0  # in pixels; all photos of a cell would be one dot


@dataclass(frozen=True)
class Viewport:
    """The visible part of the map."""

    left: float
    top: float
    """`left` and `top`: map coordinates of the upper left corner."""
    scale: float
    """Device-independent pixels per map unit."""
    width: int
    height: int
    """`width` and `height`: size in pixels."""

    def to_screen(self, x: float, y: float) -> QPointF:
        """Convert map coordinates to a screen point."""
        return QPointF((x - self.left) * self.scale, (y - self.top) * self.scale)

    def to_map(self, point: QPointF) -> tuple[float, float]:
        """Convert a screen point to map coordinates."""
        return self.left + point.x() / self.scale, self.top + point.y() / self.scale

    def zoomed(self, factor: float, about: QPointF) -> Viewport:
        """Return the viewport with a scaled content; the place at a screen point stays there."""
        x, y = self.to_map(about)
        scale = self.scale * factor
        return replace(self, left=x - about.x() / scale, top=y - about.y() / scale, scale=scale)

    def moved(self, dx: float, dy: float) -> Viewport:
        """Return the viewport with its content moved by pixels."""
        return replace(self, left=self.left - dx / self.scale, top=self.top - dy / self.scale)


@dataclass(frozen=True)
class Tile:
    """A photo on the map."""

    row: int
    photo_id: int
    rect: QRectF
    count: int
    """Number of photos that it represents, including itself."""


@dataclass(frozen=True, eq=False)
class MapDrawing:
    """Photos with their places, prepared for drawing."""

    ids: NDArray[np.int64]
    """Shape (n,)."""
    places: NDArray[np.float32]
    """Shape (n, 2)."""
    typical: NDArray[np.float32]
    shown: NDArray[np.bool_]
    """Photos that match the filter; the others are faint dots; shape (n,)."""
    levels: list[Level] = field(repr=False)
    hidden: list[Level] = field(repr=False)
    """Levels of the other photos."""
    frame: QRectF | None = None
    """The rectangle to fit into a view instead of that around the shown photos."""

    @classmethod
    def of(
        cls,
        ids: NDArray[np.int64],
        places: NDArray[np.float32],
        typical: NDArray[np.float32],
        listed: NDArray[np.int64] | None = None,
        frame: QRectF | None = None,
    ) -> MapDrawing:
        """Prepare photos for drawing; those `listed` (default: all) are shown. Call it in another thread."""
        shown = np.ones(len(ids), dtype=bool) if listed is None else np.isin(ids, listed)
        hidden = levels(places, typical, np.flatnonzero(~shown)) if not shown.all() else []
        made = cls(ids, places, typical, shown, levels(places, typical, np.flatnonzero(shown)), hidden, frame)
        made.bounds()  # computes the cached box
        return made

    def __len__(self) -> int:
        return len(self.ids)

    def tiles(self, view: Viewport) -> list[Tile]:
        """Return the photos that fit on the screen, those near the middle first."""
        level = _level(self.levels, SMALLEST_TILE / view.scale)
        if level is None:
            return []
        side = _tile_side(view)
        corners = np.floor(self.places[level.rows].astype(np.float64) / side) * side
        inside = _inside(corners, side, view)
        middle = np.array([view.left + view.width / view.scale / 2, view.top + view.height / view.scale / 2])
        far = ((corners[inside] + side / 2 - middle) ** 2).sum(axis=1)
        chosen = np.flatnonzero(inside)[np.argsort(far, kind="stable")]
        size = side * view.scale
        found = []
        for row, (x, y), count in zip(
            level.rows[chosen].tolist(), corners[chosen].tolist(), level.counts[chosen].tolist(), strict=True
        ):
            corner = view.to_screen(x, y)
            found.append(Tile(row, int(self.ids[row]), QRectF(corner.x(), corner.y(), size, size), count))
        return found

    def dots(
        self, view: Viewport, ratio: float, colors: NDArray[np.int8], palette: Sequence[int], faint: int
    ) -> QImage:
        """Draw all photos as dots.

        Parameters
        ----------
        ratio : float
            Device pixels per pixel.
        colors : ndarray of int8, shape (n,)
            Index of each photo's colour in the palette.
        palette : sequence of int
            Colours as 0xAARRGGBB.
        faint : int
            The colour of photos that do not match the filter.

        Returns
        -------
        QImage
            In device pixels, transparent between the dots.
        """
        pixels = _clear_pixels(view, ratio)
        height, width = pixels.shape
        side = max(2, round(2.5 * ratio))
        table = np.array(palette, dtype=np.uint32)
        for found, is_shown in ((self.hidden, False), (self.levels, True)):
            level = _level(found, _DOT_CELL / view.scale, finest=True)
            if level is None:
                continue
            rows = level.rows
            at = (self.places[rows].astype(np.float64) - (view.left, view.top)) * (view.scale * ratio) - side / 2
            x, y = np.round(at).astype(np.int64).T
            inside = (x > -side) & (x < width) & (y > -side) & (y < height)
            x, y = x[inside], y[inside]
            color = table[colors[rows[inside]]] if is_shown else np.full(len(x), faint, dtype=np.uint32)
            _draw_squares(pixels, x, y, side, color)
        return _image_of(pixels, ratio)

    def within(self, view: Viewport, mask: QImage) -> list[int]:
        """Return the shown photos whose tiles have their centre where a screen mask is not black.

        A photo represented by another one follows that photo, so that the selection matches the display.
        """
        gray = mask.convertToFormat(QImage.Format.Format_Grayscale8)
        bits = np.frombuffer(gray.constBits(), np.uint8).reshape(gray.height(), gray.bytesPerLine())[:, : gray.width()]
        side = _tile_side(view)
        middles = (np.floor(self.places.astype(np.float64) / side) + 0.5) * side
        x, y = np.floor((middles - (view.left, view.top)) * view.scale).astype(np.int64).T
        inside = self.shown & (x >= 0) & (x < gray.width()) & (y >= 0) & (y < gray.height())
        rows = np.flatnonzero(inside)
        found: list[int] = self.ids[rows[bits[y[rows], x[rows]] > 0]].tolist()
        return found

    def marks(self, view: Viewport, ratio: float, photo_ids: Sequence[int], color: int) -> QImage:
        """Draw some photos as dots of one colour (0xAARRGGBB), at double the size of those of `dots`; see there."""
        pixels = _clear_pixels(view, ratio)
        height, width = pixels.shape
        side = max(4, round(5 * ratio))
        some = self.places[np.isin(self.ids, np.array(photo_ids, dtype=np.int64))]
        at = (some.astype(np.float64) - (view.left, view.top)) * (view.scale * ratio) - side / 2
        x, y = at.T
        inside = (x > -side) & (x < width) & (y > -side) & (y < height)
        x, y = (np.round(each[inside]).astype(np.int64) for each in (x, y))
        # With one colour, squares can be spread from their corners, some outside, in a time independent of their
        # number.
        corners = np.zeros((side + height + 1, side + width + 1), dtype=bool)
        corners[y + side, x + side] = True
        pixels[_spread(_spread(corners, side, axis=1), side, axis=0)[side:-1, side:-1]] = color
        return _image_of(pixels, ratio)

    def nearest(self, view: Viewport, point: QPointF, reach: float) -> int | None:
        """Return the shown photo nearest to a screen point, within `reach` pixels."""
        middle, limit = view.to_map(point), reach / view.scale
        # preselect photos nearby, with a margin for the rounding of single precision
        around = 1.01 * limit + 1e-6
        beside = self.shown & (np.abs(self.places[:, 0] - middle[0]) <= around)
        rows = np.flatnonzero(beside)
        rows = rows[np.abs(self.places[rows, 1] - middle[1]) <= around]
        if not len(rows):
            return None
        far = np.square(self.places[rows].astype(np.float64) - middle).sum(axis=1)
        first = int(far.argmin())
        return int(self.ids[rows[first]]) if far[first] <= limit**2 else None

    def place_of(self, photo_id: int) -> tuple[float, float] | None:
        """Return the place of a photo."""
        rows = np.flatnonzero(self.ids == photo_id)
        return (float(self.places[rows[0], 0]), float(self.places[rows[0], 1])) if len(rows) else None

    def bounds(self) -> QRectF:
        """Return the smallest rectangle around the shown photos, or `frame`."""
        if self.frame is not None:
            return self.frame
        left, top, right, bottom = self._box
        return QRectF(left, top, right - left, bottom - top)

    @cached_property
    def _box(self) -> tuple[float, float, float, float]:
        some = self.places[self.shown] if self.shown.any() else self.places
        if not len(some):
            return -0.5, -0.5, 0.5, 0.5
        (left, top), (right, bottom) = some.min(axis=0).tolist(), some.max(axis=0).tolist()
        return left, top, right, bottom


def _clear_pixels(view: Viewport, ratio: float) -> NDArray[np.uint32]:
    return np.zeros((max(1, round(view.height * ratio)), max(1, round(view.width * ratio))), dtype=np.uint32)


def _draw_squares(
    pixels: NDArray[np.uint32], x: NDArray[np.int64], y: NDArray[np.int64], side: int, color: NDArray[np.uint32]
) -> None:
    height, width = pixels.shape
    for dx in range(side):
        for dy in range(side):
            px, py = x + dx, y + dy
            fits = (px >= 0) & (px < width) & (py >= 0) & (py < height)
            pixels[py[fits], px[fits]] = color[fits]


def _spread(dots: NDArray[np.bool_], length: int, *, axis: int) -> NDArray[np.bool_]:
    """Extend each pixel to a line, to the right or downwards."""
    spread, reached = dots.copy(), 1
    while reached < length:
        step = min(reached, length - reached)
        before = spread.copy()
        if axis:
            spread[:, step:] |= before[:, :-step]
        else:
            spread[step:] |= before[:-step]
        reached += step
    return spread


def _image_of(pixels: NDArray[np.uint32], ratio: float) -> QImage:
    height, width = pixels.shape
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32).copy()
    image.setDevicePixelRatio(ratio)
    return image


def whole_of(bounds: QRectF, width: int, height: int) -> Viewport:
    """Return the viewport that shows all photos whose places are in a rectangle, with their tiles."""
    scale = min(width / max(bounds.width(), 1e-6), height / max(bounds.height(), 1e-6))
    scale = min(scale, 4 * max(width, height, 1))  # a single photo is not enlarged further
    while True:
        around = _tiles_around(bounds, scale)
        across, down = around.width() * scale, around.height() * scale
        if (across <= width - 8 and down <= height - 8) or scale <= 2 * SMALLEST_TILE:
            break
        scale *= 0.98  # with smaller tiles, there may be more of them at first, and fewer in the end
    middle = around.center()
    return Viewport(middle.x() - width / scale / 2, middle.y() - height / scale / 2, scale, width, height)


def _tiles_around(bounds: QRectF, scale: float) -> QRectF:
    side = _side_at(scale)
    left, top = math.floor(bounds.left() / side) * side, math.floor(bounds.top() / side) * side
    right = (math.floor(bounds.right() / side) + 1) * side
    bottom = (math.floor(bounds.bottom() / side) + 1) * side
    return QRectF(left, top, right - left, bottom - top)


def _tile_side(view: Viewport) -> float:
    """Return the side of the cells in which photos are shown, of a level or beyond the finest.

    A few photos far apart are not enlarged over the whole screen.
    """
    return _side_at(view.scale)


def _side_at(scale: float) -> float:
    return 2.0 ** -math.floor(math.log2(scale / SMALLEST_TILE))


def _level(found: list[Level], side: float, *, finest: bool = False) -> Level | None:
    """Return the finest level with cells of at least this size; with `finest`, the coarsest with at most this size."""
    if not found:
        return None
    if finest:
        return next((level for level in found if level.side <= side), found[-1])
    return next((level for level in reversed(found) if level.side >= side), found[0])


def _inside(corners: NDArray[np.floating[Any]], side: float, view: Viewport) -> NDArray[np.bool_]:
    low = np.array([view.left - side, view.top - side])
    high = np.array([view.left + view.width / view.scale, view.top + view.height / view.scale])
    return np.asarray(((corners > low) & (corners < high)).all(axis=1))
