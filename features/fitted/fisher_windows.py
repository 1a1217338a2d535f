# SPDX-License-Identifier: MIT
"""Fisher vectors of windows: parts of a photo on a fixed grid, which find the photos that contain a region."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import CodeDescriptor, Kind, LocalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import FisherEncoder, FisherVector
from focal_photos.features.fitted.gaussian_mixture import GaussianMixture, with_squares
from focal_photos.features.local.dense_grid import PLACE

CELLS: Final = 12
"""Cells along each side of a photo; every window is a rectangle of whole cells."""

_SIZES: Final = ((12, (0,)), (8, (0, 4)), (6, (0, 3, 6)), (4, (0, 3, 5, 8)), (3, (0, 2, 5, 7, 9)))
"""Sides of the windows in cells, and their first cells, which are the same across and down."""

_SHAPE_AXES: Final = 96
_COLOR_AXES: Final = 48
_COLOR_WEIGHT: Final = 0.5
"""Weight of the cosine of colours beside that of shapes, which is 1."""

_MAX_INT8: Final = 127
_BLOCK: Final = 8  # rectangles at a time, so that their sums stay in the processor's cache
_AT_ONCE: Final = 64  # rectangles projected on the axes at once, so that these are read once
_ONE_POINT: Final = 0.5  # differences of sums are not exactly 0 without points


def _windows() -> NDArray[np.float32]:
    corners = [(x, y, x + side, y + side) for side, starts in _SIZES for y in starts for x in starts]
    windows: NDArray[np.float32] = np.array(corners, np.float32) / np.float32(CELLS)
    windows.setflags(write=False)
    return windows


WINDOWS: Final = _windows()
"""Left, top, right and bottom of each window as shares of the photo's sides, float32 (55, 4); the first is the whole
photo."""

_WINDOW_CELLS: Final = np.rint(WINDOWS * CELLS).astype(np.intp)

WIDTH: Final = _SHAPE_AXES + _COLOR_AXES
"""Number of values of a window."""

COLORS: Final = _SHAPE_AXES
"""First of the values that describe colours; those before it describe shapes."""


Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of the sides of a photo."""


@dataclass(frozen=True)
class FisherWindows(CodeDescriptor):
    """Fisher vectors of 55 windows of a photo, in 8 bits per value.

    The points are those of two Fisher vectors, and so are the mixtures and the main axes, without the terms of the
    positions: the same object then has the same vector wherever it is in a photo. Points are added up in cells, cells
    in windows, and the sums of a window become a Fisher vector. Its first axes of shape and of colour, each part scaled
    to unit length and colours weighted by a half, are its values. They are compared by the cosine.

    Parameters
    ----------
    shape, color : FisherVector
        Fitted; nothing else is learned.

    Notes
    -----
    A code has 144 signed bytes for each window of `WINDOWS`, in this order; a window without points has zeros.

    References
    ----------
    F. Perronnin, J. Sanchez and T. Mensink, "Improving the Fisher kernel for large-scale image classification", ECCV
    2010. Windows of several sizes at fixed places: P. Viola and M. Jones, "Rapid object detection using a boosted
    cascade of simple features", CVPR 2001. Regions as queries: J. Sivic and A. Zisserman, "Video Google", ICCV 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> from focal_photos.features.local.dense_color import DenseColor
    >>> rng = np.random.default_rng(0)
    >>> photos = [WorkingImage.from_array(rng.integers(0, 255, (48, 64, 3), dtype=np.uint8)) for _ in range(3)]
    >>> bare = FisherVector(DenseColor(), components=2, local_axes=4, axes=2)
    >>> fitted = bare.fit([bare.learned_from.extract(photo).vectors for photo in photos])
    >>> FisherWindows(fitted, fitted).extract(photos[0]).shape
    (7920,)
    """

    shape: FisherVector
    color: FisherVector

    kind: ClassVar[Kind] = "windows"
    version: ClassVar[int] = 2
    name: ClassVar[str] = "fisher_windows"
    title: ClassVar[str] = "Windows"
    summary: ClassVar[str] = "Shapes and colours of 55 parts of a photo: for searches by a region"
    source: ClassVar[str] = "Perronnin et al. 2010"

    @property
    def dimension(self) -> int:
        """Length of a code in bytes."""
        return len(WINDOWS) * WIDTH

    @property
    def computed_from(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptors."""
        return (*self.shape.computed_from, *self.color.computed_from)

    def of_several(self, images: Collection[WorkingImage]) -> NDArray[np.uint8]:
        """Return the code of the first photo: its windows have no counterparts in rotated copies."""
        (image, *_) = images
        vectors = self._joined([part.windows(image) for part in self._parts])
        steps = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.finfo(np.float32).tiny) / _MAX_INT8
        code: NDArray[np.uint8] = np.rint(vectors / steps).astype(np.int8).view(np.uint8).ravel()
        return code

    def of_region(self, image: WorkingImage, region: Rectangle) -> NDArray[np.float32]:
        """Return the values (144,) of any rectangle of a photo, comparable with those of windows; 0 without points.

        Raises
        ------
        NotFittedError
        """
        return np.asarray(self._joined([part.region(image, region) for part in self._parts])[0], np.float32)

    def of_rectangles(self, image: WorkingImage, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the values of rectangles of whole cells, comparable with those of windows.

        Parameters
        ----------
        image : WorkingImage
        cells : ndarray of intp, shape (n, 4)
            Left, top, right and bottom, 0 to `CELLS`; left < right, top < bottom.

        Returns
        -------
        ndarray of float32, shape (n, 144)
            0 for rectangles without points.

        Raises
        ------
        NotFittedError
        """
        return np.asarray(self._joined([part.rectangles(image, cells) for part in self._parts]), np.float32)

    @cached_property
    def _parts(self) -> tuple[_Part, _Part]:
        return _Part(self.shape, _SHAPE_AXES), _Part(self.color, _COLOR_AXES)

    @staticmethod
    def _joined(parts: list[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return the values of windows (n, 144), given those of shape (n, 96) and colour (n, 48)."""
        unit = [part / np.maximum(np.linalg.norm(part, axis=1, keepdims=True), 1e-9) for part in parts]
        return np.hstack([unit[0], np.sqrt(np.float32(_COLOR_WEIGHT)) * unit[1]])


def window_values(code: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return the values of all windows of codes (n, dimension): int8 (n * 55, 144), photo by photo."""
    return code.view(np.int8).reshape(-1, WIDTH)


class _Part:
    """The Fisher vectors of windows by the points of one local descriptor, without positions.

    With S0, S1 and S2 the sums of `with_squares` over the points of a window, weighted by their responsibilities, and
    m, v the means and variances, the gradients are ``S1 - S0 m`` and ``S2 - 2 m S1 + S0 (m^2 - v)`` but for positive
    factors. The axes include the roots of these factors, since Fisher vectors are signed roots of gradients.
    """

    def __init__(self, fisher: FisherVector, axes: int) -> None:
        self._fisher, self._count = fisher, axes
        arrays = {name: np.asarray(array, np.float32) for name, array in fisher.fitted_state().arrays.items()}
        self._is_empty = "axes" not in arrays
        if self._is_empty:  # fitted to photos without points
            return
        self._arrays = arrays
        k, d = arrays["means"].shape
        looks = slice(0, d - PLACE)
        means, variances = (np.ascontiguousarray(arrays[name][:, looks]) for name in ("means", "variances"))
        self._mixture = GaussianMixture(arrays["weights"], means, variances)
        # Arrays of sums and gradients are (d, k): the longest runs in the memory are then multiplied at once.
        self._means, self._from_count = np.ascontiguousarray(means.T), np.ascontiguousarray((means**2 - variances).T)
        self._from_means = 2 * self._means.ravel()
        roots = np.sqrt(np.maximum(arrays["weights"], np.finfo(np.float32).tiny))[:, None]
        factors = np.stack([1 / (np.sqrt(variances) * roots), 1 / (np.float32(np.sqrt(2)) * roots * variances)])
        self._factors = factors.swapaxes(1, 2).ravel()
        main = arrays["axes"][:axes].reshape(-1, 2, k, d)[..., looks]
        self._axes = np.ascontiguousarray((main * np.sqrt(factors)).swapaxes(2, 3).reshape(len(main), -1).T)
        self._offset = main.reshape(len(main), -1) @ arrays["mean"].reshape(2 * k, d)[:, looks].ravel()

    def windows(self, image: WorkingImage) -> NDArray[np.float32]:
        """Return the coordinates of all windows (55, axes)."""
        return self.rectangles(image, _WINDOW_CELLS)

    def rectangles(self, image: WorkingImage, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the coordinates of rectangles of whole cells (n, axes), given their sides (n, 4)."""
        coordinates = np.zeros((len(cells), self._count), np.float32)
        found = self._fisher.local.of(image)
        if self._is_empty or not len(found) or not len(cells):
            return coordinates
        edges = [np.unique(cells[:, axis::2]) for axis in (0, 1)]
        corners = np.hstack([np.searchsorted(edges[side % 2], cells[:, [side]]) for side in range(4)])
        summed = self._summed(found.vectors, *edges)
        sums = np.empty((_BLOCK, summed.shape[-1]), np.float32)
        for start in range(0, len(cells), _AT_ONCE):
            some = corners[start : start + _AT_ONCE]
            roots, norms = np.empty((len(some), self._factors.size), np.float32), np.empty(len(some), np.float32)
            filled = np.empty(len(some), np.bool_)
            for first in range(0, len(some), _BLOCK):
                block = slice(first, min(first + _BLOCK, len(some)))
                for row, (x0, y0, x1, y1) in zip(sums, some[block].tolist(), strict=False):
                    np.subtract(summed[y1, x1], summed[y0, x1], out=row)
                    row -= summed[y1, x0]
                    row += summed[y0, x0]
                norms[block], filled[block] = self._roots(sums[: block.stop - first], roots[block])
            coordinates[start : start + _AT_ONCE] = self._coordinates(roots, norms, filled)
        return coordinates

    def region(self, image: WorkingImage, region: Rectangle) -> NDArray[np.float32]:
        """Return the coordinates of a rectangle (1, axes)."""
        found = self._fisher.local.of(image)
        if self._is_empty or not len(found):
            return np.zeros((1, self._count), np.float32)
        x, y = _places(found.vectors)
        x0, y0, x1, y1 = region
        terms, q = self._assigned(found.vectors[(x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)])
        roots = np.empty((1, self._factors.size), np.float32)
        norms, filled = self._roots((terms.T @ q.T).reshape(1, -1), roots)
        return self._coordinates(roots, norms, filled)

    def _summed(
        self, vectors: NDArray[np.float32], across: NDArray[np.intp], down: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        """Return sums over points above and left of corners, as `_roots` takes them (b, a, t * k).

        The points are those of a photo (n, d + PLACE); the corners are at these cells across (a,) and down (b,).
        """
        x, y = np.clip((_places(vectors) * CELLS).astype(np.intp), 0, CELLS - 1)
        columns = len(across) + 1  # the last one lies beyond all corners
        part = np.searchsorted(down, y, side="right") * columns + np.searchsorted(across, x, side="right")
        order = np.argsort(part, kind="stable")
        terms, q = self._assigned(vectors[order])
        ends = np.searchsorted(part[order], np.arange(len(down) * columns + 1)).tolist()
        summed = np.zeros((len(down), columns - 1, terms.shape[1], len(q)), np.float32)
        for number, (start, end) in enumerate(pairwise(ends)):
            row, column = divmod(number, columns)
            if start < end and column < len(across):
                np.dot(terms[start:end].T, q[:, start:end].T, out=summed[row, column])
        for row in range(1, len(down)):
            summed[row] += summed[row - 1]
        for column in range(1, len(across)):
            summed[:, column] += summed[:, column - 1]
        return summed.reshape(*summed.shape[:2], -1)

    def _assigned(self, vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return terms (n, t) and responsibilities (k, n) of points (n, d + PLACE)."""
        terms = with_squares(FisherEncoder.reduced(self._arrays, vectors)[:, :-PLACE])
        return terms, self._mixture.shares(terms)

    def _roots(
        self, sums: NDArray[np.float32], roots: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Fill in the signed roots of gradients (n, 2 d k), given the sums over the points of windows (n, t * k).

        Return the norms of the Fisher vectors (n,), and whether the windows have points (n,).
        """
        size = self._means.size
        first, second, counts = np.split(sums, (size, 2 * size), axis=1)
        by_means, by_variances = np.split(roots, 2, axis=1)
        np.multiply(first, self._from_means, out=by_variances)
        np.subtract(second, by_variances, out=by_variances)
        products = counts[:, None] * self._from_count
        by_variances += products.reshape(by_variances.shape)
        np.multiply(counts[:, None], self._means, out=products)
        np.subtract(first, products.reshape(by_means.shape), out=by_means)
        sizes = np.abs(roots)
        sizes += np.finfo(np.float32).tiny
        norms = np.sqrt(sizes @ self._factors)
        np.divide(roots, cv2.sqrt(sizes), out=roots)  # `copysign` takes six times as long
        return norms, counts.sum(axis=1) > _ONE_POINT

    def _coordinates(
        self, roots: NDArray[np.float32], norms: NDArray[np.float32], filled: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Return the coordinates (n, axes) of windows, given the results of `_roots`; 0 without points."""
        found = np.zeros((len(roots), self._count), np.float32)
        found[:, : self._axes.shape[1]] = roots @ self._axes / norms[:, None] - self._offset
        found[~filled] = 0
        return found


def _places(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return x and y (2, n) of points (n, d + PLACE) as shares of the sides of the photo."""
    return np.asarray(vectors[:, -PLACE : 2 - PLACE].T[::-1] + np.float32(0.5), np.float32)
