"""GIST: the spatial layout of a scene."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import ClassVar, Final

import cv2
import numpy as np
import scipy.fft
from numpy.typing import NDArray

from features.base import Distance, GlobalDescriptor
from features.decoding.image import WorkingImage
from features.texture.filters import FilterBand, cell_means, gabor_bank, magnitudes

_SURROUND: Final = 6 / 128
"""Standard deviation of the surround, as a share of the side: falls to one half at 4 cycles an image."""

_FAINT: Final = 0.2
"""Local deviation of the logarithm that is half normalised away."""


@dataclass(frozen=True)
class Gist(GlobalDescriptor):
    """Mean energy of a Gabor bank in each cell of a coarse grid, after local contrast normalisation.

    The photo is squeezed to `side` x `side` grey pixels. Of their logarithm (so that light that falls unevenly is a
    sum) the Gaussian mean of the surround is taken away, and the rest is divided by its own deviation in the surround
    (plus a constant, so that noise in plain areas stays small). Then as `Gabor`: band-pass filters by FFT, magnitude,
    mean of each cell. Values have no unit and lie around 0..1. Order: scale (coarse first), orientation, cell row,
    cell column.

    Parameters
    ----------
    side : int
        Pixels a side of the analysed image.
    scales, orientations : int
        Size of the bank; see `gabor_bank`.
    cells : int
        Cells a side; must divide `side`.

    References
    ----------
    A. Oliva and A. Torralba, "Modeling the shape of the scene", IJCV 42(3), 2001, and the normalisation of the code
    they published. Departures: the half-peak touching bank of `gabor_bank` in place of their polar one, and no margin
    around the image against the wrap at borders; on Corel photos neither lowers the precision of neighbours.
    """

    side: int = 128
    scales: int = 4
    orientations: int = 8
    cells: int = 4

    name: ClassVar[str] = "gist"
    title: ClassVar[str] = "Scene layout"
    version: ClassVar[int] = 1
    distance: ClassVar[Distance] = "l2"

    def __post_init__(self) -> None:
        if min(self.side, self.scales, self.orientations, self.cells) < 1 or self.side % self.cells:
            raise ValueError(f"All of {self} must be positive, and cells must divide side.")

    @property
    def dimension(self) -> int:
        """Length d of the vector: scales x orientations x cells."""
        return self.scales * self.orientations * self.cells * self.cells

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Values are >= 0."""
        square = cv2.resize(image.gray, (self.side, self.side), interpolation=cv2.INTER_AREA)
        even = normalised(square.astype(np.float32, copy=False))
        spectrum = scipy.fft.fft2(even, overwrite_x=True)
        return np.concatenate([cell_means(band, self.cells).ravel() for band in magnitudes(_bands(self), spectrum)])


def normalised(gray: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a square grey image (n, n), 0..255, with its local mean taken away and its local contrast made even."""
    logarithm = np.log1p(gray)
    detail = logarithm - _surround(logarithm)
    deviation = np.sqrt(_surround(detail * detail))
    return np.divide(detail, np.float32(_FAINT) + deviation, dtype=np.float32)


def _surround(values: NDArray[np.float32]) -> NDArray[np.float32]:
    sigma = _SURROUND * len(values)
    blurred = cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_REFLECT)
    return blurred.astype(np.float32, copy=False)


@functools.lru_cache(maxsize=8)
def _bands(parameters: Gist) -> tuple[FilterBand, ...]:
    return gabor_bank(
        parameters.side,
        scales=parameters.scales,
        orientations=parameters.orientations,
        multiple=4 * parameters.cells,  # at least four samples across a cell
    )
