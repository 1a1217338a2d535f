"""Dense grids of points at equal steps, each surrounded by four by four cells, at several cell sizes."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage

SIDE: Final = 256
"""Longest side in pixels to which a photo is scaled before the grid is applied."""

PLACE: Final = 3
"""Number of position values at the end of a vector: y and x of the point as shares of the photo, -0.5..0.5, and the
binary logarithm of the cell size, 0 for 6 pixels."""

_USUAL_CELL: Final = 6


def scaled(image: WorkingImage) -> NDArray[np.uint8]:
    """Return the photo (h, w, 3) uint8 scaled to longest side `SIDE`; shared by all dense descriptors."""

    def scale() -> NDArray[np.uint8]:
        height, width = image.rgb.shape[:2]
        if max(width, height) >= SIDE:
            return image.within(SIDE)
        factor = SIDE / max(width, height)
        size = max(1, round(width * factor)), max(1, round(height * factor))
        return cv2.resize(image.rgb, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)

    return image.cached(("dense grid", SIDE), scale)


@dataclass(frozen=True)
class Points:
    """Points of one cell size.

    Attributes
    ----------
    cell : int
        Side of a cell in pixels.
    rows, columns : ndarray of int, shapes (ny, 4) and (nx, 4)
        For each row (column) of points, the pixel rows (columns) at the centres of its four cells.
    places : ndarray of float32, shape (ny * nx, PLACE)
        Positions of the points, row by row.
    """

    cell: int
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    places: NDArray[np.float32]

    def sample(self, *channels: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return channels, each (h, w, 4), at the centres of all cells: (ny * nx, 16, 4 * len(channels)), by cell."""
        width = channels[0].shape[1]
        pixels = self.rows[:, None, :, None] * width + self.columns[:, None, :]
        found = np.empty((len(self.places), 16, len(channels)), np.complex128)
        for i, some in enumerate(channels):
            # As 16-byte numbers: numpy copies whole numbers several times faster than four channels.
            found[..., i] = some.view(np.complex128).ravel().take(pixels.reshape(found.shape[:2]))
        return found.view(np.float32)


@functools.lru_cache(maxsize=32)
def points(height: int, width: int, step: int, cells: tuple[int, ...]) -> tuple[Points, ...]:
    """Return the points of each cell size; photos of one size share them.

    All four by four cells of a point are inside the photo. If a photo is too small for a point, its centre is used,
    with cells clipped at the border. Points are equally far from opposite borders.
    """
    found = []
    for cell in cells:
        ys, xs = _along(height, cell, step), _along(width, cell, step)
        offsets = (np.arange(4) - 1.5) * cell
        rows = np.clip(np.floor(ys[:, None] + offsets + 0.5), 0, height - 1).astype(np.intp)
        columns = np.clip(np.floor(xs[:, None] + offsets + 0.5), 0, width - 1).astype(np.intp)
        places = np.empty((len(ys), len(xs), PLACE), np.float32)
        places[..., 0] = (ys / height - 0.5)[:, None]
        places[..., 1] = xs / width - 0.5
        places[..., 2] = np.log2(cell / _USUAL_CELL)
        found.append(Points(cell, rows, columns, places.reshape(-1, PLACE)))
    return tuple(found)


def positions(places: NDArray[np.float32], image: WorkingImage) -> NDArray[np.float32]:
    """Convert positions (n, PLACE) to x and y (n, 2) in pixels of the working image."""
    height, width = image.rgb.shape[:2]
    return np.asarray((places[:, 1::-1] + 0.5) * (width, height), np.float32)


def _along(length: int, cell: int, step: int) -> NDArray[np.float64]:
    """Return the point coordinates along one side."""
    first, last = 2 * cell, length - 2 * cell
    if last < first:
        return np.array([length / 2])
    return np.arange(first + (last - first) % step // 2, last + 1, step, dtype=np.float64)
