# SPDX-License-Identifier: MIT
"""GIST: the spatial layout of a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, Subject
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.texture.gabor_bank import GaborGrid

_SURROUND: Final = 6 / 128
"""Standard deviation of the surround, as a share of the side; its response is one half at 4 cycles per image."""

_HALF_DEVIATION: Final = 0.2
"""Local deviation of the logarithm at which the normalization has half its effect."""


@dataclass(frozen=True)
class Gist(GaborGrid):
    """Mean energy of a Gabor bank in each cell of a coarse grid, after local contrast normalization.

    The photo is resized to `side` x `side` grey pixels. From their logarithm (which turns uneven lighting into a sum),
    the Gaussian mean of the surround is subtracted, and the rest is divided by its deviation in the surround (plus a
    constant, which suppresses noise in plain areas). The following steps are those of `Gabor`: band-pass filters by
    FFT, magnitude, mean of each cell. Values have no unit and are around 0..1. Order: scale (coarse first),
    orientation, cell row, cell column.

    Parameters
    ----------
    side : int
        Side in pixels of the analysed image.
    scales, orientations : int
        Size of the bank; see `gabor_bank`.
    cells : int
        Cells per side; must divide `side`.

    References
    ----------
    A. Oliva and A. Torralba, "Modeling the shape of the scene", IJCV 42(3), 2001, and the normalization of their
    published code. Departures: the half-peak touching bank of `gabor_bank` instead of their polar one, and no margin
    around the image to avoid wrapping at borders; on Corel photos neither lowers the precision of neighbours.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> pixels = np.full((128, 128, 3), 120, np.uint8)
    >>> pixels[:64, ::3] = 60  # upright stripes above, nothing below
    >>> vector = Gist().extract(WorkingImage.from_array(pixels))
    >>> rows = vector.reshape(4, 8, 4, 4).sum(axis=(0, 1, 3))  # of all scales and orientations
    >>> bool(rows[0] > 10 * rows[3])
    True
    """

    side: int = 128
    scales: int = 4
    orientations: int = 8
    cells: int = 4

    name: ClassVar[str] = "gist"
    title: ClassVar[str] = "Scene layout"
    summary: ClassVar[str] = "The layout of directions and scales in 4 x 4 blocks"
    source: ClassVar[str] = "Xia et al. 2013"
    subject: ClassVar[Subject] = "shape"
    version: ClassVar[int] = 2
    distance: ClassVar[Distance] = "l2"

    def upside_down(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the vectors of the rotated photos; see `GlobalDescriptor.upside_down`."""
        cells = vectors.reshape(len(vectors), -1, self.cells, self.cells)  # directions are the same
        return cells[..., ::-1, ::-1].reshape(vectors.shape)

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Values are >= 0."""
        return self.means(self.magnitudes_of(normalised(self.square(image))))


def normalised(gray: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a grey image, float32 (n, n) in 0..255, minus its local mean and divided by its local contrast."""
    logarithm = np.log1p(gray)
    detail = logarithm - _surround(logarithm)
    deviation = np.sqrt(_surround(detail * detail))
    return np.divide(detail, np.float32(_HALF_DEVIATION) + deviation, dtype=np.float32)


def _surround(values: NDArray[np.float32]) -> NDArray[np.float32]:
    sigma = _SURROUND * len(values)
    blurred = cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_REFLECT)
    return blurred.astype(np.float32, copy=False)
