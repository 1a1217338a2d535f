# SPDX-License-Identifier: MIT
"""Texture: magnitudes of Gabor responses, by cell, and as statistics of the whole photo."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, GlobalDescriptor, Subject
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.texture.gabor_bank import GaborGrid


@dataclass(frozen=True)
class Gabor(GaborGrid):
    """Mean magnitude of Gabor responses in each cell of a grid.

    The photo is resized to `side` x `side` grey pixels (so that cells correspond between photos of any shape), its mean
    is subtracted, and a bank of one-sided Gaussian band-pass filters (see `gabor_bank`) is applied by FFT in single
    precision with periodic borders. Values are grey levels (0..255). Order: scale (coarse first), orientation (from 0
    in steps of pi / orientations), cell row, cell column.

    Responses are evaluated at every second or fourth pixel, from the part of the spectrum that contains their pass
    band. Compared with every pixel, this changes a value by up to 2.5 % of the largest one of its scale (in photos of
    Caltech-101), and the vector by .4 % of the distance between photos.

    Parameters
    ----------
    side : int
        Side in pixels of the analysed image.
    scales, orientations : int
        Size of the bank; centre frequencies are geometric from 0.05 to 0.4 cycles per pixel.
    cells : int
        Cells per side; must divide `side`.

    References
    ----------
    B. S. Manjunath and W. Y. Ma, "Texture features for browsing and retrieval of image data", IEEE TPAMI
    18(8), 1996, section 2.2. Departures: the mean of each of 8x8 cells instead of mean and deviation over
    the whole image (L. Yang et al., IEEE TPAMI 2010), and the pass bands of `gabor_bank`.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> wave = 128 + 100 * np.cos(2 * np.pi * 0.4 * np.arange(128))  # the centre frequency of the finest scale
    >>> pixels = np.tile(wave.astype(np.uint8)[None, :, None], (128, 1, 3))
    >>> vector = Gabor().extract(WorkingImage.from_array(pixels))
    >>> strengths = vector.reshape(5, 8, 8, 8).mean(axis=(2, 3))  # scale, orientation
    >>> np.unravel_index(strengths.argmax(), strengths.shape)
    (np.int64(4), np.int64(0))
    """

    name: ClassVar[str] = "gabor"
    title: ClassVar[str] = "Texture"
    summary: ClassVar[str] = "Responses to 5 scales x 8 directions of Gabor filters in 8 x 8 cells"
    source: ClassVar[str] = "Yang et al. 2010"
    subject: ClassVar[Subject] = "texture"
    version: ClassVar[int] = 2

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Values are >= 0."""
        return self.means(self.magnitudes(image))

    def magnitudes(self, image: WorkingImage) -> list[NDArray[np.float32]]:
        """Return the magnitudes of the responses for a photo, cached in the image.

        Parameters
        ----------
        image : WorkingImage
            The decoded photo.

        Returns
        -------
        list of ndarray of float32, each of shape (orientations, n, n)
            Coarse scales first; n depends on the scale. Must not be modified.
        """
        return image.cached(("gabor_magnitudes", self), lambda: self._magnitudes(image))

    def _magnitudes(self, image: WorkingImage) -> list[NDArray[np.float32]]:
        square = self.square(image)
        return self.magnitudes_of(square - square.mean())


@dataclass(frozen=True)
class GaborStatistics(GlobalDescriptor):
    """Mean, standard deviation and skewness of the magnitude of each Gabor response.

    The responses are those of `bank`, computed once per photo for both descriptors. The deviation is that of the
    population; skewness is the signed cube root of the third central moment, so that all values are grey levels
    (0..255) and a photo without texture has values near 0. Order: scale (coarse first), orientation, moment.

    Responses are evaluated at every second or fourth pixel (see `Gabor`); the statistics are those of these samples.

    Parameters
    ----------
    bank : Gabor
        Source of the responses; its `cells` only affect the sampling.

    References
    ----------
    B. S. Manjunath and W. Y. Ma, IEEE TPAMI 18(8), 1996 (mean and deviation, compared by the city block distance),
    with the third moment that makes the 120 values of H. Xia, P. Wu and S. C. H. Hoi (WSDM 2013, section 5.3).
    Departure: the usual skewness divides by the cubed deviation, which gives random values if there is no texture.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> noise = np.random.default_rng(0).integers(0, 256, (96, 128, 3), dtype=np.uint8)
    >>> vector = GaborStatistics().extract(WorkingImage.from_array(noise))
    >>> moments = vector.reshape(5, 8, 3)  # scale, orientation; mean, deviation, skewness
    >>> (moments[..., :2] > 0).all()
    np.True_
    """

    bank: Gabor = field(default_factory=Gabor)

    name: ClassVar[str] = "gabor_statistics"
    title: ClassVar[str] = "Texture statistics"
    summary: ClassVar[str] = "Mean, deviation and skewness of the 40 Gabor responses"
    source: ClassVar[str] = "Xia et al. 2013"
    subject: ClassVar[Subject] = "texture"
    version: ClassVar[int] = 2
    distance: ClassVar[Distance] = "l1"

    @property
    def dimension(self) -> int:
        """Length d of the vector: scales x orientations x 3."""
        return 3 * self.bank.scales * self.bank.orientations

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Means and deviations are >= 0."""
        # Filter by filter, because a single map fits a core's cache.
        moments = [_moments(response.ravel()) for scale in self.bank.magnitudes(image) for response in scale]
        return np.array(moments, np.float32).ravel()


def _moments(values: NDArray[np.float32]) -> tuple[np.float32, np.float32, np.float32]:
    mean = values.mean()
    rest = values - mean
    return mean, np.sqrt(rest @ rest / values.size), np.cbrt(rest * rest @ rest / values.size)
