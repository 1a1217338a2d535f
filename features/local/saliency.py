# SPDX-License-Identifier: MIT
"""Saliency: how much the parts of a photo stand out from the colours at its border."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local import dense_grid

SIDE: Final = 24
"""Side in pixels of the square copy of a photo."""

_BORDER: Final = 2
_COLORS: Final = 5
_ITERATIONS: Final = 10
_BLUR: Final = 1.0
_SPREAD: Final = 8.0
"""Standard deviation of the central weight, in pixels of the copy."""

_LEAST: Final = 0.001
_FLAT: Final = 1.0
"""Largest contrast, in 8-bit levels, of a photo in which nothing stands out."""

_OFFSETS: Final = np.arange(SIDE, dtype=np.float32) - np.float32((SIDE - 1) / 2)
_INNER: Final = np.abs(_OFFSETS) < SIDE / 2 - _BORDER
_AT_BORDER: Final = ~(_INNER[:, None] & _INNER).ravel()
_CENTRAL: Final = np.exp(-(_OFFSETS[:, None] ** 2 + _OFFSETS**2) / (2 * _SPREAD**2))
_PLACES: Final = np.stack(np.broadcast_arrays(_OFFSETS[:, None], _OFFSETS), axis=2).reshape(-1, 2).astype(np.float32)


@dataclass(frozen=True)
class Saliency(LocalDescriptor):
    """Contrast of each pixel of a small copy of the photo to the colours at its border, and its distance to the centre.

    The outer rows and columns of a square copy in Lab are clustered into five colours. The distance of each pixel to
    the nearest of them is blurred and divided by its maximum, multiplied by a Gaussian around the centre, and raised by
    a small constant. In a photo without contrast, only the Gaussian counts.

    Notes
    -----
    A vector has one value, in .001..1.001; there is one for each pixel of the copy, row by row (ALGORITHMS.md, 12.2).

    References
    ----------
    Y. Wei, F. Wen, W. Zhu and J. Sun, "Geodesic saliency using background priors", ECCV 2012: the border of a photo is
    mostly background, and objects are mostly in the middle.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> rgb = np.full((96, 96, 3), 200, np.uint8)
    >>> rgb[36:60, 36:60] = (255, 0, 0)
    >>> values = Saliency().extract(WorkingImage.from_array(rgb)).vectors.reshape(24, 24)
    >>> values[12, 12].round(1), values[1, 1].round(1)
    (np.float32(1.0), np.float32(0.0))
    """

    name: ClassVar[str] = "saliency"
    title: ClassVar[str] = "Saliency"
    summary: ClassVar[str] = "Contrast to the colours at the border of the photo"
    source: ClassVar[str] = "Wei et al. 2012"
    version: ClassVar[int] = 4  # raise that of SalientFisherVector with it, whose key does not contain it

    @property
    def dimension(self) -> int:
        """Length of a vector: 1."""
        return 1

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe the pixels of the copy; see `LocalDescriptor.extract`."""
        small = cv2.resize(image.small.rgb, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        lab = cv2.cvtColor(small, cv2.COLOR_RGB2LAB).reshape(-1, 3).astype(np.float32)
        nearest, _ = cv2.batchDistance(lab, _colors(lab[_AT_BORDER]), cv2.CV_32F, normType=cv2.NORM_L2, K=1)
        contrast = np.asarray(cv2.GaussianBlur(nearest.reshape(SIDE, SIDE), (0, 0), _BLUR), np.float32)
        most = float(contrast.max())
        contrast = contrast / most if most > _FLAT else np.ones_like(contrast)
        values = (contrast * _CENTRAL + np.float32(_LEAST)).reshape(-1, 1)
        return LocalFeatures(dense_grid.positions(_PLACES / np.float32(SIDE), image), values.astype(np.float32))


def at_places(saliency: NDArray[np.float32], places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the saliency of a photo at positions.

    Parameters
    ----------
    saliency : ndarray of float32, shape (SIDE * SIDE, 1)
        The photo's vectors of `Saliency`.
    places : ndarray of float32, shape (n, `dense_grid.PLACE`)

    Returns
    -------
    ndarray of float32, shape (n,)
    """
    rows, columns = np.clip(((places[:, :2] + 0.5) * SIDE).astype(np.intp), 0, SIDE - 1).T
    found: NDArray[np.float32] = saliency[rows * SIDE + columns, 0]
    return found


def _colors(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the centres (k, 3) of k-means, which begins with colours far from each other; the same on every run."""
    columns = np.ascontiguousarray(rows.T)

    def distance_to(color: NDArray[np.float32]) -> NDArray[np.float32]:
        apart = columns - color[:, None]
        return np.asarray(np.einsum("cn,cn->n", apart, apart), np.float32)

    distance = distance_to(rows[distance_to(rows.mean(axis=0)).argmin()])
    labels = np.zeros(len(rows), np.int32)
    for number in range(1, _COLORS):
        other = distance_to(rows[distance.argmax()])
        labels[other < distance] = number
        np.minimum(distance, other, out=distance)
    criteria = (cv2.TERM_CRITERIA_MAX_ITER, _ITERATIONS, 0.0)
    _, _, centers = cv2.kmeans(rows, _COLORS, labels.reshape(-1, 1), criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    return np.asarray(centers, np.float32)
