# SPDX-License-Identifier: MIT
"""Dense SIFT: gradients around the points of a grid, regardless of the content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import LocalDescriptor, LocalFeatures, Subject
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local import dense_grid
from focal_photos.features.local.dense_grid import Grid

_HALF_SIDE = dense_grid.SIDE // 2
_DIRECTIONS = 8
_UNIT = 256
"""Steps of a grey level in integer maps."""

_CLIP = 0.2
"""Lowe's upper limit of a value of a unit vector, so that a single strong edge does not dominate."""


@dataclass(frozen=True)
class DenseSift(LocalDescriptor):
    """RootSIFT on a grid, computed by filters, so that the cost does not grow with the number of points.

    At each pixel the gradient of the colour channel with the longest gradient is used; its length is shared between the
    two nearest of eight directions. Each of the eight maps is averaged over a cell by two passes of a box filter, which
    weight pixels by a pyramid two cells wide: neighbouring cells overlap, as with Lowe's interpolation. A vector
    consists of the averages at the centres of 4 x 4 cells, divided by their norm, clipped at 0.2, divided by their sum,
    followed by square roots. Points in flat areas are skipped. Upright, for the reasons given in
    `features.local.sift.Sift`.

    Parameters
    ----------
    grids : tuple of Grid
        Grids of points.
    flat : float
        Points whose averages have a smaller norm are skipped; in grey levels (0..255) per pixel.

    Notes
    -----
    A vector has 128 values, cell by cell and direction by direction, and the position, `dense_grid.PLACE`.

    References
    ----------
    K. Chatfield, V. Lempitsky, A. Vedaldi and A. Zisserman, "The devil is in the details: an evaluation of recent
    feature encoding methods", BMVC 2011, section 4: dense SIFT at several scales. A. Vedaldi and B. Fulkerson,
    "VLFeat", ACM MM 2010: SIFT by box filters ("fast" dense SIFT).

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> edge = np.repeat(np.arange(64) >= 32, 64).reshape(64, 64).T  # dark left, bright right
    >>> image = WorkingImage.from_array(np.repeat(edge[..., None] * np.uint8(255), 3, axis=2))
    >>> found = DenseSift().extract(image)
    >>> found.vectors.shape[1], int(found.vectors[:, :128].sum(axis=0).reshape(16, 8).sum(axis=0).argmax())
    (131, 0)
    """

    grids: tuple[Grid, ...] = (Grid(4, 10), Grid(6, 10), Grid(4, 5, _HALF_SIDE), Grid(6, 6, _HALF_SIDE))
    flat: float = 3.0

    name: ClassVar[str] = "dense_sift"
    title: ClassVar[str] = "Dense SIFT"
    summary: ClassVar[str] = "Gradients around the points of a grid, at four sizes"
    source: ClassVar[str] = "Chatfield et al. 2011"
    subject: ClassVar[Subject] = "shape"
    version: ClassVar[int] = 3

    def __post_init__(self) -> None:
        dense_grid.check(self.grids)
        if not self.flat > 0:
            raise ValueError(f"flat must be positive, it is {self.flat}.")

    @property
    def dimension(self) -> int:
        """Length of a vector: 4 x 4 cells of 8 directions, and the position."""
        return 16 * _DIRECTIONS + dense_grid.PLACE

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe the points of the grid; see `LocalDescriptor.extract`. All values but the position are in 0..1."""
        maps = {side: direction_maps(dense_grid.scaled(image, side)) for side in {grid.side for grid in self.grids}}
        grids = [(grid, dense_grid.points(*maps[grid.side][0].shape[:2], grid)) for grid in self.grids]
        vectors = np.empty((sum(len(points.places) for _, points in grids), self.dimension), np.float32)
        stop = 0
        for grid, points in grids:
            sampled = points.sample(*(smoothed(some, grid.cell) for some in maps[grid.side]))
            found = sampled.reshape(-1, 16 * _DIRECTIONS)
            norms = np.sqrt(np.einsum("nd,nd->n", found, found))
            kept = norms > self.flat * _UNIT
            found = found[kept]
            np.minimum(found, np.float32(_CLIP) * norms[kept, None], out=found)  # the sum makes the norm irrelevant
            sums = found @ np.ones(found.shape[1], np.float32)
            start, stop = stop, stop + len(found)
            np.sqrt(found, out=found)
            np.multiply(found, (1 / np.sqrt(sums))[:, None], out=vectors[start:stop, : -dense_grid.PLACE])
            vectors[start:stop, -dense_grid.PLACE :] = points.places[kept]
        vectors = vectors[:stop]
        return LocalFeatures(dense_grid.positions(vectors[:, -dense_grid.PLACE :], image), vectors)


def direction_maps(rgb: NDArray[np.uint8]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Return the strength of the gradient in eight directions.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)

    Returns
    -------
    first, last : ndarray of uint16, shape (h, w, 4)
        In 256ths of a grey level per pixel. Direction k is k times 45 degrees, from dark to bright, 0 to the right, 2
        downwards. The sum over directions is the length of the longest gradient of the three channels. Two halves,
        because OpenCV filters four channels three times faster than eight, and integers twice as fast as floats.
    """
    x, y = _longest_gradients(rgb)
    lengths, angles = cv2.cartToPolar(x, y)
    # Pixels share their length between the two nearest directions: length * max(0, 1 - |angle - direction|).
    turned = cv2.multiply(lengths, angles, scale=_DIRECTIONS / (2 * np.pi))
    maps, there = [], np.zeros_like(lengths)
    for direction in range(_DIRECTIONS):
        apart = cv2.absdiff(turned, there)
        if direction == 0:  # the only direction with neighbours on both ends of the circle
            apart = cv2.min(apart, cv2.scaleAdd(lengths, _DIRECTIONS, -turned))
        maps.append(cv2.subtract(lengths, apart, dtype=cv2.CV_16U))
        cv2.add(there, lengths, there)
    half = _DIRECTIONS // 2
    return np.asarray(cv2.merge(maps[:half]), np.uint16), np.asarray(cv2.merge(maps[half:]), np.uint16)


def _longest_gradients(rgb: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return x and y of the longest gradient of the three channels, (h, w), in 256ths of a grey level per pixel."""
    across, down = (
        cv2.split(cv2.Sobel(rgb, cv2.CV_32F, dx, 1 - dx, ksize=1, scale=_UNIT / 2, borderType=cv2.BORDER_REPLICATE))
        for dx in (1, 0)
    )
    x, y = across[0], down[0]
    longest = x * x + y * y
    for gx, gy in zip(across[1:], down[1:], strict=True):
        squared = gx * gx + gy * gy
        longer = cv2.compare(squared, longest, cv2.CMP_GT)
        cv2.copyTo(gx, longer, x)
        cv2.copyTo(gy, longer, y)
        cv2.max(longest, squared, longest)
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def smoothed(channels: NDArray[np.uint16], cell: int) -> NDArray[np.float32]:
    """Return channels (h, w, c) averaged twice over squares of `cell` pixels, mirrored at the borders."""
    once = cv2.blur(channels, (cell, cell), borderType=cv2.BORDER_REFLECT)
    return np.asarray(cv2.boxFilter(once, cv2.CV_32F, (cell, cell), borderType=cv2.BORDER_REFLECT), np.float32)
