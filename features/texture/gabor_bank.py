"""A bank of Gabor filters in the frequency domain, and the base of the descriptors that use it."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.image import WorkingImage

LOWEST, HIGHEST = 0.05, 0.4
"""Centre frequencies of the coarsest and the finest scale, in cycles per pixel."""

_REACH = 3.0
"""Standard deviations of a pass band that a cropped spectrum must contain; the rest is below exp(-4.5) = 1 %."""


@dataclass(frozen=True)
class FilterBand:
    """Filters of neighbouring scales that are evaluated at one resolution.

    Attributes
    ----------
    masks : ndarray of float32, shape (filters, n, n)
        Transfer functions in the order of `scipy.fft.fft2`; filters ordered by scale, then orientation.
    shift : ndarray of complex64, shape (n, n), or None
        Moves the sampling points of a reduced resolution to the centres of the pixel blocks that they represent; None
        at full resolution.
    """

    masks: NDArray[np.float32]
    shift: NDArray[np.complex64] | None

    def crop(self, spectrum: NDArray[np.complex64]) -> NDArray[np.complex64]:
        """Return the central part (n, n) of a full spectrum, ready to be multiplied by the masks."""
        if self.shift is None:
            return spectrum
        half = self.masks.shape[-1] // 2
        rows = np.concatenate([spectrum[:half], spectrum[-half:]])
        middle: NDArray[np.complex64] = np.concatenate([rows[:, :half], rows[:, -half:]], axis=1) * self.shift
        return middle


def magnitudes(bands: Sequence[FilterBand], spectrum: NDArray[np.complex64]) -> list[NDArray[np.float32]]:
    """Return the envelopes of all responses of a bank.

    Parameters
    ----------
    bands : sequence of FilterBand
        The bank.
    spectrum : ndarray of complex64, shape (side, side)
        Spectrum of the whole image, as from `scipy.fft.fft2`.

    Returns
    -------
    list of ndarray of float32, each of shape (filters, n, n)
        One per band.
    """
    # One array for all envelopes, and one response at a time, so that the working set stays in the cache. OpenCV's
    # transforms take two thirds of the time of scipy's, which are slow to load.
    kept = np.empty(sum(band.masks.size for band in bands), np.float32)
    found = []
    for band in bands:
        envelopes, kept = kept[: band.masks.size].reshape(band.masks.shape), kept[band.masks.size :]
        middle = band.crop(spectrum)
        response = np.empty(middle.shape, np.complex64)
        parts = response.view(np.float32).reshape(*middle.shape, 2)
        for mask, envelope in zip(band.masks, envelopes, strict=True):
            np.multiply(middle, mask, out=response)
            cv2.idft(parts, parts, flags=cv2.DFT_SCALE)
            np.abs(response, out=envelope)
        found.append(envelopes)
    return found


def cell_means(magnitudes: NDArray[np.float32], cells: int) -> NDArray[np.float32]:
    """Return the means, float32 (filters, cells, cells), of maps, float32 (filters, n, n); `cells` divides n."""
    n = magnitudes.shape[-1]
    means: NDArray[np.float32] = magnitudes.reshape(-1, cells, n // cells, cells, n // cells).mean((2, 4))
    return means


def gabor_bank(side: int, *, scales: int = 5, orientations: int = 8, multiple: int = 1) -> tuple[FilterBand, ...]:
    """Build a Gabor bank whose half-peak contours touch.

    Each transfer function is a Gaussian with peak 1 around one centre frequency (without mirror image: the response is
    complex, and its magnitude is the envelope), 0 at frequency 0, and truncated at the Nyquist frequency.

    Parameters
    ----------
    side : int
        Side of the image in pixels.
    scales, orientations : int
        Number of centre frequencies, geometric from `LOWEST` to `HIGHEST` (a single scale: `HIGHEST`), and of
        directions, ``k * pi / orientations``, measured from the x axis towards larger y (downwards).
    multiple : int
        Required divisor of a reduced resolution.

    Returns
    -------
    tuple of FilterBand
        Coarse scales first.

    References
    ----------
    Manjunath and Ma (1996), section 2.2, the equations for a, sigma_u and sigma_v with U_l = 0.05, U_h = 0.4.
    They give the widths of the finest scale; those of scale m are smaller by a**(scales - 1 - m).
    """
    frequencies, along, across = pass_bands(scales, orientations)
    half_fits = side % 2 == 0 and (side // 2) % multiple == 0
    reduced = [bool(half_fits and f + _REACH * s <= 0.25) for f, s in zip(frequencies, along, strict=True)]
    bands = []
    for size, chosen in ((side // 2, reduced), (side, [not r for r in reduced])):
        which = np.flatnonzero(chosen)
        if len(which) == 0:
            continue
        # Frequencies of a spectrum cropped to its central part, in cycles per pixel of the full image.
        axis = np.fft.fftfreq(size) * size / side
        u, v = axis[None, :], axis[:, None]
        masks = np.empty((len(which), orientations, size, size), np.float32)
        for i, scale in enumerate(which):
            for k in range(orientations):
                c, s = math.cos(k * math.pi / orientations), math.sin(k * math.pi / orientations)
                radial = (u * c + v * s - frequencies[scale]) / along[scale]
                tangential = (v * c - u * s) / across[scale]
                masks[i, k] = np.exp(-0.5 * (radial**2 + tangential**2))
        masks[..., 0, 0] = 0
        shift = None
        if size < side:
            # The inverse transform of size n sums n * n terms instead of side * side, and samples every (side / n)th
            # pixel.
            offset = (side / size - 1) / 2
            shift = (np.exp(2j * np.pi * offset * (u + v)) * (size / side) ** 2).astype(np.complex64)
        bands.append(FilterBand(masks.reshape(-1, size, size), shift))
    return tuple(bands)


def pass_bands(scales: int, orientations: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return centre frequency and deviations along and across it, each float64 (scales,), in cycles per pixel."""
    ratio = (HIGHEST / LOWEST) ** (1 / (scales - 1)) if scales > 1 else HIGHEST / LOWEST
    frequencies = HIGHEST / ratio ** np.arange(scales - 1, -1, -1, dtype=np.float64)
    log4 = 2 * math.log(2)
    along = (ratio - 1) / (ratio + 1) / math.sqrt(log4) * frequencies
    tangent = math.tan(math.pi / (2 * orientations)) if orientations > 1 else 1.0
    share = log4 * (along / frequencies) ** 2
    across = tangent * frequencies * (1 - share) / np.sqrt(log4 * (1 - share))
    return frequencies, along, across


@dataclass(frozen=True)
class GaborGrid(GlobalDescriptor):
    """Base of `Gabor` and `Gist`: a square image, a bank of filters, cells of a grid.

    Parameters
    ----------
    side : int
        Side in pixels of the analysed image.
    scales, orientations : int
        Size of the bank; see `gabor_bank`.
    cells : int
        Cells per side; must divide `side`.
    """

    side: int = 128
    scales: int = 5
    orientations: int = 8
    cells: int = 8

    def __post_init__(self) -> None:
        if min(self.side, self.scales, self.orientations, self.cells) < 1 or self.side % self.cells:
            raise ValueError(f"All of {self} must be positive, and cells must divide side.")

    @property
    def dimension(self) -> int:
        """Length d of the vector: scales x orientations x cells."""
        return self.scales * self.orientations * self.cells * self.cells

    def square(self, image: WorkingImage) -> NDArray[np.float32]:
        """Return the grey levels of a photo resized to a square, float32 (side, side), 0..255; must not be modified."""

        def squeeze() -> NDArray[np.float32]:
            square = cv2.resize(image.gray, (self.side, self.side), interpolation=cv2.INTER_AREA)
            return square.astype(np.float32, copy=False)

        return image.cached(("gray square", self.side), squeeze)

    def filtered(self, square: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the magnitudes of all responses to a square image.

        Parameters
        ----------
        square : ndarray of float32, shape (side, side)
            It may be overwritten.

        Returns
        -------
        list of ndarray of float32, each of shape (filters, n, n)
            >= 0; see `magnitudes`.
        """
        multiple = 4 * self.cells  # at least four samples per cell side
        bands = _bank(self.side, self.scales, self.orientations, multiple)
        spectrum = np.ascontiguousarray(cv2.dft(square, flags=cv2.DFT_COMPLEX_OUTPUT), np.float32)
        return magnitudes(bands, spectrum.view(np.complex64)[..., 0])

    def means(self, responses: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return the cell means of the result of `filtered`, float32 (dimension,)."""
        return np.concatenate([cell_means(band, self.cells).ravel() for band in responses])


@functools.lru_cache(maxsize=8)
def _bank(side: int, scales: int, orientations: int, multiple: int) -> tuple[FilterBand, ...]:
    return gabor_bank(side, scales=scales, orientations=orientations, multiple=multiple)
