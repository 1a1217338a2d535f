"""How strong and how uneven the Gabor responses of a whole photo are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from features.base import Distance, GlobalDescriptor
from features.decoding.image import WorkingImage
from features.texture.gabor import Gabor


@dataclass(frozen=True)
class GaborStatistics(GlobalDescriptor):
    """Mean, standard deviation and skewness of the magnitude of each Gabor response.

    The responses are those of `bank`, computed once a photo for both. The deviation is that of the population;
    skewness is the signed cube root of the third central moment, so that all values are grey levels (0..255) and a
    photo without texture has values near 0. Order: scale (coarse first), orientation, moment.

    A coarse scale is evaluated on every second pixel (see `Gabor`): its statistics are those of these samples.

    Parameters
    ----------
    bank : Gabor
        Whose responses; its `cells` only say where samples lie.

    References
    ----------
    B. S. Manjunath and W. Y. Ma, IEEE TPAMI 18(8), 1996 (mean and deviation, compared by the city block distance),
    with the third moment that makes the 120 values of H. Xia, P. Wu and S. C. H. Hoi (WSDM 2013, section 5.3).
    Departure: the usual skewness divides by the cubed deviation, and is a number of chance where there is no texture.
    """

    bank: Gabor = field(default_factory=Gabor)

    name: ClassVar[str] = "gabor_statistics"
    title: ClassVar[str] = "Texture statistics"
    version: ClassVar[int] = 1
    distance: ClassVar[Distance] = "l1"

    @property
    def dimension(self) -> int:
        """Length d of the vector: scales x orientations x 3."""
        return 3 * self.bank.scales * self.bank.orientations

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Means and deviations are >= 0."""
        # Filter by filter: one map fits into the cache of a core.
        moments = [_moments(response.ravel()) for band in self.bank.magnitudes(image) for response in band]
        return np.array(moments, np.float32).ravel()


def _moments(values: NDArray[np.float32]) -> tuple[np.float32, np.float32, np.float32]:
    mean = values.mean()
    rest = values - mean
    return mean, np.sqrt(rest @ rest / values.size), np.cbrt(rest * rest @ rest / values.size)
