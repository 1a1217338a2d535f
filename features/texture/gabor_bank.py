# SPDX-License-Identifier: MIT
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
from focal_photos.features.decoding.image import WorkingImage, reduced

LOWEST, HIGHEST = 0.05, 0.4
"""Centre frequencies of the coarsest and the finest scale, in cycles per pixel."""

_BAND_DEVIATIONS = 2.9
"""Standard deviations of a pass band that its window must contain; the rest is below 1.5 %."""


_MIN_WINDOW_RATIO = 2
"""Minimum ratio of the sides of a window and a pass band if responses are sampled at every fourth pixel or fewer."""


@dataclass(frozen=True)
class Scale:
    """Filters of one scale, each with the window of the spectrum that contains its pass band."""

    masks: NDArray[np.complex64]
    """Transfer functions within the windows. Their phase moves the points at which responses are sampled to the centres
    of the pixel blocks that they represent; shape (orientations, n, n)."""
    corners: tuple[tuple[int, int], ...]
    """First row and column of each window in a spectrum with frequency 0 in the middle."""

    def magnitudes(self, spectrum: NDArray[np.complex64]) -> NDArray[np.float32]:
        """Return the envelopes of the responses to a spectrum, complex64 (side, side): float32 (orientations, n, n)."""
        n = self.masks.shape[-1]
        envelopes = np.empty(self.masks.shape, np.float32)
        # One response at a time, so that it stays in the cache, and by OpenCV, five times as fast as scipy.
        response = np.empty((n, n), np.complex64)
        parts = response.view(np.float32).reshape(n, n, 2)
        for mask, (row, column), envelope in zip(self.masks, self.corners, envelopes, strict=True):
            np.multiply(spectrum[row : row + n, column : column + n], mask, out=response)
            cv2.idft(parts, parts, flags=cv2.DFT_SCALE)
            np.abs(response, out=envelope)
        return envelopes


def magnitudes(image: NDArray[np.float32], bank: tuple[Scale, ...]) -> list[NDArray[np.float32]]:
    """Return the envelopes of all responses to an image, float32 (side, side), by scale; see `Scale.magnitudes`."""
    spectrum = np.asarray(cv2.dft(image, flags=cv2.DFT_COMPLEX_OUTPUT), np.float32).view(np.complex64)[..., 0]
    spectrum = np.fft.fftshift(spectrum)
    return [scale.magnitudes(spectrum) for scale in bank]


def cell_means(maps: NDArray[np.float32], cells: int) -> NDArray[np.float32]:
    """Return the means, float32 (filters, cells, cells), of maps, float32 (filters, n, n); `cells` divides n."""
    count, n, _ = maps.shape
    # In one call, twenty times faster than numpy's mean.
    means = cv2.resize(maps.reshape(-1, n), (cells, count * cells), interpolation=cv2.INTER_AREA)
    return np.asarray(means, np.float32).reshape(count, cells, cells)


def gabor_bank(side: int, *, scales: int = 5, orientations: int = 8, multiple: int = 1) -> tuple[Scale, ...]:
    """Build a Gabor bank whose half-peak contours touch.

    Each transfer function is a Gaussian with peak 1 around one centre frequency (without mirror image: the response is
    complex, and its magnitude is the envelope), 0 at frequency 0, and truncated at the Nyquist frequency. The windows
    of a scale have a half, a quarter, ... of the side of the spectrum, if its pass bands fit, and its responses are
    sampled at every second, fourth, ... pixel: moving a window only changes the phase of the response.

    Parameters
    ----------
    side : int
        Side of the image in pixels.
    scales, orientations : int
        Number of centre frequencies, geometric from `LOWEST` to `HIGHEST` (a single scale: `HIGHEST`), and of
        directions, ``k * pi / orientations``, measured from the x axis towards larger y (downwards).
    multiple : int
        Required divisor of the side of a window.

    Returns
    -------
    tuple of Scale
        Coarse scales first; orientations in order.

    References
    ----------
    Manjunath and Ma (1996), section 2.2, the equations for a, sigma_u and sigma_v with U_l = 0.05, U_h = 0.4.
    They give the widths of the finest scale; those of scale m are smaller by a**(scales - 1 - m).
    """
    axis = (np.arange(side) - side // 2) / side  # frequencies in cycles per pixel
    angles = np.arange(orientations) * math.pi / orientations
    bank = []
    for f, along, across in zip(*pass_bands(scales, orientations), strict=True):
        directions = [(math.cos(angle), math.sin(angle)) for angle in angles.tolist()]
        widest = max(
            _width(f * a, _BAND_DEVIATIONS * math.hypot(along * a, across * b))
            for c, s in directions
            for a, b in ((c, s), (s, c))
        )
        n = side
        while n % (2 * multiple) == 0 and widest <= n / 2 / side / (1 if n == side else _MIN_WINDOW_RATIO):
            n //= 2
        offset = (side / n - 1) / 2  # from a pixel to the centre of its block
        masks, corners = [], []
        for c, s in directions:
            row, column = (min(max(round((f * part + 0.5) * side) - n // 2, 0), side - n) for part in (s, c))
            u, v = axis[None, column : column + n], axis[row : row + n, None]
            mask = np.exp(-0.5 * (((u * c + v * s - f) / along) ** 2 + ((v * c - u * s) / across) ** 2))
            mask[(u == 0) & (v == 0)] = 0
            # The inverse transform divides by n * n instead of side * side.
            masks.append((n / side) ** 2 * mask * np.exp(2j * np.pi * offset * (u + v)))
            corners.append((row, column))
        bank.append(Scale(np.array(masks, np.complex64), tuple(corners)))
    return tuple(bank)


def _width(center: float, reach: float) -> float:
    """Return the width of a pass band within the spectrum, in cycles per pixel."""
    return min(center + reach, 0.5) - max(center - reach, -0.5)


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

    def rotated(self, vectors: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Return the vectors of the rotated photos: other cells and directions; see `GlobalDescriptor.rotated`."""
        if self.orientations % 2:
            return None
        cells = vectors.reshape(-1, self.scales, self.orientations, self.cells, self.cells)
        moved = np.roll(np.rot90(cells, axes=(3, 4)), self.orientations // 2, axis=2)
        return np.asarray(moved, np.float32).reshape(vectors.shape)

    def square(self, image: WorkingImage) -> NDArray[np.float32]:
        """Return the grey levels of a photo resized to a square, float32 (side, side), 0..255; must not be modified."""

        def squeeze() -> NDArray[np.float32]:
            return np.asarray(reduced(image.medium.gray, (self.side, self.side)), np.float32)

        return image.cached(("gray square", self.side), squeeze)

    def magnitudes_of(self, square: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the magnitudes of all responses to a square image, float32 (side, side), by scale."""
        multiple = 4 * self.cells  # at least four samples per cell side
        return magnitudes(square, _bank(self.side, self.scales, self.orientations, multiple))

    def means(self, responses: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return the cell means of magnitudes, float32 (dimension,)."""
        return np.concatenate([cell_means(one, self.cells).ravel() for one in responses])


@functools.lru_cache(maxsize=8)
def _bank(side: int, scales: int, orientations: int, multiple: int) -> tuple[Scale, ...]:
    return gabor_bank(side, scales=scales, orientations=orientations, multiple=multiple)
