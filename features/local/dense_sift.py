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

_DIRECTIONS = 8
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
    step : int
        Pixels between neighbouring points, in a photo whose longest side is `dense_grid.SIDE`.
    cells : tuple of int
        Cell sizes in pixels, with a separate grid for each.
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

    step: int = 8
    cells: tuple[int, ...] = (4, 6, 9, 13)
    flat: float = 3.0

    name: ClassVar[str] = "dense_sift"
    title: ClassVar[str] = "Dense SIFT"
    summary: ClassVar[str] = "Gradients around the points of a grid, at four sizes"
    source: ClassVar[str] = "Chatfield et al. 2011"
    subject: ClassVar[Subject] = "shape"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.step < 1 or not self.cells or min(self.cells) < 1 or not self.flat > 0:
            raise ValueError(f"All of {self} must be positive.")

    @property
    def dimension(self) -> int:
        """Length of a vector: 4 x 4 cells of 8 directions, and the position."""
        return 16 * _DIRECTIONS + dense_grid.PLACE

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe the points of the grid; see `LocalDescriptor.extract`. All values but the position are in 0..1."""
        rgb = dense_grid.scaled(image)
        height, width = rgb.shape[:2]
        maps = direction_maps(rgb)
        vectors, places = [], []
        for points in dense_grid.points(height, width, self.step, self.cells):
            found = points.sample(*(smoothed(some, points.cell) for some in maps)).reshape(-1, 16 * _DIRECTIONS)
            norms = np.sqrt(np.einsum("nd,nd->n", found, found))
            kept = norms > self.flat
            found = found[kept]
            found /= norms[kept, None]
            np.clip(found, 0, _CLIP, out=found)  # the running sums of a box filter can end slightly below 0
            found /= found.sum(axis=1, keepdims=True)
            vectors.append(np.sqrt(found, out=found))
            places.append(points.places[kept])
        joined = np.concatenate(places)
        return LocalFeatures(dense_grid.positions(joined, image), np.hstack([np.concatenate(vectors), joined]))


def direction_maps(rgb: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the strength of the gradient in eight directions.

    Parameters
    ----------
    rgb : ndarray of uint8, shape (h, w, 3)

    Returns
    -------
    first, last : ndarray of float32, shape (h, w, 4)
        >= 0, in grey levels per pixel. Direction k is k times 45 degrees, from dark to bright, 0 to the right, 2
        downwards. The sum over directions is the length of the longest gradient of the three channels. Two halves,
        because OpenCV filters four channels three times faster than eight.
    """
    across = cv2.split(cv2.Sobel(rgb, cv2.CV_32F, 1, 0, ksize=1, scale=0.5, borderType=cv2.BORDER_REPLICATE))
    down = cv2.split(cv2.Sobel(rgb, cv2.CV_32F, 0, 1, ksize=1, scale=0.5, borderType=cv2.BORDER_REPLICATE))
    x, y = across[0], down[0]
    longest = x * x + y * y
    for gx, gy in zip(across[1:], down[1:], strict=True):
        squared = gx * gx + gy * gy
        longer = cv2.compare(squared, longest, cv2.CMP_GT)
        cv2.copyTo(gx, longer, x)
        cv2.copyTo(gy, longer, y)
        cv2.max(longest, squared, longest)
    lengths, angles = cv2.cartToPolar(x, y)
    angles *= np.float32(_DIRECTIONS / (2 * np.pi))
    maps = []
    for direction in range(_DIRECTIONS):
        apart = np.abs(angles - np.float32(direction))
        if direction == 0:  # the only direction with neighbours on both ends of the circle
            np.minimum(apart, _DIRECTIONS - apart, out=apart)
        share = np.subtract(1, apart, out=apart)
        np.maximum(share, 0, out=share)
        maps.append(np.multiply(lengths, share, out=share))
    half = _DIRECTIONS // 2
    return cv2.merge(maps[:half]).astype(np.float32, copy=False), cv2.merge(maps[half:]).astype(np.float32, copy=False)


def smoothed(channels: NDArray[np.float32], cell: int) -> NDArray[np.float32]:
    """Return channels (h, w, c) averaged twice over squares of `cell` pixels, mirrored at the borders."""
    once = cv2.blur(channels, (cell, cell), borderType=cv2.BORDER_REFLECT)
    return np.asarray(cv2.blur(once, (cell, cell), borderType=cv2.BORDER_REFLECT), np.float32)
