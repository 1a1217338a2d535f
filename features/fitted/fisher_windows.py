"""Fisher vectors of windows: parts of a photo on a fixed grid, which find the photos that contain a region."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import CodeDescriptor, Kind, LocalDescriptor
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import FisherEncoder, FisherVector, unit_roots
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

_LARGEST: Final = 127
_BLOCK: Final = 32  # rectangles whose Fisher vectors are in memory at once


def _windows() -> NDArray[np.float32]:
    corners = [(x, y, x + side, y + side) for side, starts in _SIZES for y in starts for x in starts]
    windows: NDArray[np.float32] = np.array(corners, np.float32) / np.float32(CELLS)
    windows.setflags(write=False)
    return windows


WINDOWS: Final = _windows()
"""Left, top, right and bottom of each window as shares of the photo's sides, float32 (55, 4); the first is the whole
photo."""

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
    version: ClassVar[int] = 1
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
        steps = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.finfo(np.float32).tiny) / _LARGEST
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

    Parameters
    ----------
    fisher : FisherVector
        Fitted.
    axes : int
        Number of its main axes to use.
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
        self._mixture = GaussianMixture(
            arrays["weights"],
            np.ascontiguousarray(arrays["means"][:, looks]),
            np.ascontiguousarray(arrays["variances"][:, looks]),
        )
        main = arrays["axes"][:axes].reshape(-1, 2 * k, d)[..., looks]
        self._axes = np.ascontiguousarray(main.reshape(len(main), -1).T)
        self._offset = arrays["mean"].reshape(2 * k, d)[:, looks].ravel() @ self._axes

    def windows(self, image: WorkingImage) -> NDArray[np.float32]:
        """Return the coordinates of all windows (55, axes)."""
        points = self._points(image)
        if points is None:
            return np.zeros((len(WINDOWS), self._count), np.float32)
        cells = self._cells(*points)
        vectors = np.empty((len(WINDOWS), len(self._axes)), np.float32)
        filled = np.empty(len(WINDOWS), np.bool_)
        first = 0
        for side, starts in _SIZES:
            for top in starts:  # one row of windows at a time, which stays in the processor's cache
                row = cells[top : top + side].sum(axis=0)
                some = np.stack([row[left : left + side].sum(axis=0) for left in starts])
                part = slice(first, first + len(starts))
                vectors[part], filled[part] = unit_roots(self._mixture.gradient(some)), some[:, :, -1].any(axis=1)
                first += len(starts)
        return self._coordinates(vectors, filled)

    def rectangles(self, image: WorkingImage, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the coordinates of rectangles of whole cells (n, axes), given their sides (n, 4)."""
        points = self._points(image)
        if points is None:
            return np.zeros((len(cells), self._count), np.float32)
        sums = self._cells(*points)
        # The sum over a rectangle is that over four rectangles from the first corner of the photo (Viola and Jones).
        summed = np.zeros((CELLS + 1, CELLS + 1, *sums.shape[2:]), np.float32)
        np.cumsum(sums.cumsum(axis=0), axis=1, out=summed[1:, 1:])
        found = []
        for start in range(0, len(cells), _BLOCK):
            x0, y0, x1, y1 = cells[start : start + _BLOCK].T
            some = summed[y1, x1] - summed[y0, x1] - summed[y1, x0] + summed[y0, x0]
            # Differences of sums are not exactly 0 without points.
            filled = some[:, :, -1].sum(axis=1) > 0.5
            some[~filled] = 0
            found.append(self._coordinates(unit_roots(self._mixture.gradient(some)), filled))
        return np.concatenate(found) if found else np.zeros((0, self._count), np.float32)

    def region(self, image: WorkingImage, region: Rectangle) -> NDArray[np.float32]:
        """Return the coordinates of a rectangle (1, axes)."""
        points = self._points(image)
        if points is None:
            return np.zeros((1, self._count), np.float32)
        terms, q, places = points
        x, y = places.T
        x0, y0, x1, y1 = region
        inside = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        sums = (q[:, inside] @ terms[inside])[None]
        return self._coordinates(unit_roots(self._mixture.gradient(sums)), sums[:, :, -1].any(axis=1))

    @staticmethod
    def _cells(terms: NDArray[np.float32], q: NDArray[np.float32], places: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the sums over the points of each cell, by row and column (12, 12, k, t); see `_points`."""
        across, down = (np.clip((places[:, axis] * CELLS).astype(np.intp), 0, CELLS - 1) for axis in (0, 1))
        cell = down * CELLS + across
        order = np.argsort(cell, kind="stable")
        ends = np.searchsorted(cell[order], np.arange(CELLS * CELLS + 1))
        terms, q = terms[order], q[:, order]
        sums = np.zeros((CELLS * CELLS, len(q), terms.shape[1]), np.float32)
        for number in np.unique(cell).tolist():
            part = slice(ends[number], ends[number + 1])
            np.matmul(q[:, part], terms[part], out=sums[number])
        return sums.reshape(CELLS, CELLS, *sums.shape[1:])

    def _points(
        self, image: WorkingImage
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]] | None:
        """Return terms (n, t), responsibilities (k, n), and x and y as shares (n, 2) of a photo's points, if any."""
        found = self._fisher.local.of(image)
        if self._is_empty or not len(found):
            return None
        looks = FisherEncoder.reduced(self._arrays, found.vectors)[:, :-PLACE]
        terms = with_squares(np.ascontiguousarray(looks))
        places = found.vectors[:, -PLACE : 2 - PLACE][:, ::-1] + np.float32(0.5)
        return terms, self._mixture.shares(terms), places

    def _coordinates(self, vectors: NDArray[np.float32], filled: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the coordinates (n, axes) of Fisher vectors (n, d); 0 for windows that are not `filled`."""
        found = np.zeros((len(vectors), self._count), np.float32)
        found[:, : self._axes.shape[1]] = vectors @ self._axes - self._offset
        found[~filled] = 0
        return found
