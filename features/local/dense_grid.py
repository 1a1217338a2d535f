# SPDX-License-Identifier: MIT
"""Dense grids of points at equal steps, each surrounded by four by four cells, at several cell sizes."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage

SIDE: Final = 256
"""Longest side in pixels to which a photo is scaled before grids are applied."""

PLACE: Final = 3
"""Number of position values at the end of a vector: y and x of the point as shares of the photo, -0.5..0.5, and the
binary logarithm of the cell size, 0 for 6 pixels."""

_USUAL_CELL: Final = 6


class Grid(NamedTuple):
    """Points at equal distances, with cells of one size."""

    cell: int
    step: int
    """`cell` and `step`: side of a cell, and distance of neighbouring points, in pixels of the scaled photo."""
    side: int = SIDE
    """Longest side of the scaled photo in pixels: `SIDE`, or a half, a quarter, ... of it."""


def check(grids: tuple[Grid, ...]) -> None:
    """Raise `ValueError` if there are no grids, or if a number is not positive."""
    if not grids or min(min(grid) for grid in grids) < 1:
        raise ValueError(f"All numbers of the grids {grids} must be positive.")


def scaled(image: WorkingImage, side: int = SIDE) -> NDArray[np.uint8]:
    """Return the photo (h, w, 3) uint8 scaled to longest side `side`; shared by all dense descriptors."""

    def scale() -> NDArray[np.uint8]:
        rgb = image.within(SIDE) if side >= SIDE else scaled(image, 2 * side)
        height, width = rgb.shape[:2]
        factor = side / max(width, height)
        if factor == 1:
            return rgb
        size = max(1, round(width * factor)), max(1, round(height * factor))
        return cv2.resize(rgb, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)

    return image.cached(("dense grid", side), scale)


@dataclass(frozen=True)
class Points:
    """Points of a grid."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    """`rows` and `columns`: for each row (column) of points, the pixel rows (columns) at the centres of its four cells;
    shapes (ny, 4) and (nx, 4)."""
    places: NDArray[np.float32]
    """Positions of the points, row by row; shape (ny * nx, PLACE)."""
    pixels: NDArray[np.intp]
    """Pixels at the centres of the cells of each point, numbered row by row; shape (ny * nx, 16)."""

    def sample(self, *channels: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return channels, each (h, w, 4), at the centres of all cells: (ny * nx, 16, 4 * len(channels)), by cell."""
        found = np.empty((len(self.places), 16, len(channels)), np.complex128)
        for i, some in enumerate(channels):
            # As 16-byte numbers: numpy copies whole numbers several times faster than four channels.
            found[..., i] = some.view(np.complex128).ravel().take(self.pixels)
        return found.view(np.float32)


@functools.lru_cache(maxsize=64)
def points(height: int, width: int, grid: Grid) -> Points:
    """Return the points of a grid; photos of one size share them.

    All four by four cells of a point are inside the photo. If a photo is too small for a point, its centre is used,
    with cells clipped at the border. Points are equally far from opposite borders.
    """
    ys, xs = _along(height, grid.cell, grid.step), _along(width, grid.cell, grid.step)
    offsets = (np.arange(4) - 1.5) * grid.cell
    rows = np.clip(np.floor(ys[:, None] + offsets + 0.5), 0, height - 1).astype(np.intp)
    columns = np.clip(np.floor(xs[:, None] + offsets + 0.5), 0, width - 1).astype(np.intp)
    places = np.empty((len(ys), len(xs), PLACE), np.float32)
    places[..., 0] = (ys / height - 0.5)[:, None]
    places[..., 1] = xs / width - 0.5
    places[..., 2] = np.log2(grid.cell * SIDE / grid.side / _USUAL_CELL)
    pixels = rows[:, None, :, None] * width + columns[:, None, :]
    return Points(rows, columns, places.reshape(-1, PLACE), pixels.reshape(-1, 16))


def positions(places: NDArray[np.float32], image: WorkingImage) -> NDArray[np.float32]:
    """Convert positions (n, PLACE) to x and y (n, 2) in pixels of the working image."""
    height, width = image.rgb.shape[:2]
    return (places[:, 1::-1] + np.float32(0.5)) * np.array((width, height), np.float32)


def _along(length: int, cell: int, step: int) -> NDArray[np.float64]:
    """Return the point coordinates along one side."""
    first, last = 2 * cell, length - 2 * cell
    if last < first:
        return np.array([length / 2])
    return np.arange(first + (last - first) % step // 2, last + 1, step, dtype=np.float64)
