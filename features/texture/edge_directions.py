# SPDX-License-Identifier: MIT
"""Histogram of the edge directions of a photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import Distance, GlobalDescriptor, Subject
from focal_photos.features.decoding.image import WorkingImage

BINS: Final = 36

_MIN_EDGE_GRADIENT: Final = 16.0
"""Minimum gradient of a certain edge, that of a step of 4 grey levels; noise and smooth skies are below."""


@dataclass(frozen=True)
class EdgeDirections(GlobalDescriptor):
    """Shares of the pixels that are edges in each of 36 directions, and the share of pixels without an edge.

    Edges are Canny edges of the grey levels of the small image; their direction is that of the Sobel gradient, from
    dark to bright. Bin k is centred on ``10 k`` degrees, from the x axis towards larger y (downwards): the directions
    of horizontal and vertical edges (0, 90, 180, 270) are at the centres of their bins, so that they are not split. All
    values sum to 1.
    The positions of edges do not matter, and rotating the photo by 90 degrees shifts the values by 9 bins (except for
    ties between equally strong neighbours).

    Canny's thresholds adapt to the contrast of the photo: the upper one is `high` times the mean of ``|dx| + |dy|``
    over the photo, but at least the gradient of a step of 4 grey levels; the lower one is `low` times that. So a hazy
    photo has the edges of the same photo in clear air, but a busy photo has more than a plain one (a quantile would
    give all photos the same number). The image is not blurred first: the working size is smooth enough, and blurring
    made neighbours worse on Corel photos.

    Parameters
    ----------
    high : float
        Threshold of certain edges, relative to the mean gradient.
    low : float
        Threshold of possible edges, relative to that of certain ones; 0.4 as in common implementations.

    References
    ----------
    A. K. Jain and A. Vailaya, "Image retrieval using color and shape", Pattern Recognition 29(8), 1996, as the 37
    values of H. Xia, P. Wu and S. C. H. Hoi (WSDM 2013, section 5.3); J. Canny, IEEE TPAMI 8(6), 1986. Departures: no
    smoothing of the histogram, and chi-square instead of Euclidean distance.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> pixels = np.zeros((40, 60, 3), np.uint8)
    >>> pixels[:, 30:] = 200  # an upright edge, from dark on the left to bright on the right
    >>> vector = EdgeDirections().extract(WorkingImage.from_array(pixels))
    >>> np.flatnonzero(vector).tolist()  # direction 0, and no edge
    [0, 36]
    """

    high: float = 1.2
    low: float = 0.4

    name: ClassVar[str] = "edge_directions"
    title: ClassVar[str] = "Edge directions"
    summary: ClassVar[str] = "Directions of Canny edges, and the share of pixels without"
    source: ClassVar[str] = "Xia et al. 2013"
    subject: ClassVar[Subject] = "shape"
    version: ClassVar[int] = 3
    is_count: ClassVar[bool] = True
    distance: ClassVar[Distance] = "chi2"

    def __post_init__(self) -> None:
        if not (self.high > 0 and 0 < self.low <= 1):
            raise ValueError(f"high must be above 0 and low in 0..1, they are {self.high} and {self.low}.")

    @property
    def dimension(self) -> int:
        """Length d of the vector: 36 directions and no edge."""
        return BINS + 1

    def extract(self, image: WorkingImage) -> NDArray[np.float32]:
        """Describe one photo; see `GlobalDescriptor.extract`. Values are in 0..1."""
        counts = self.counts(image)
        pixels = image.small.gray_levels.size
        shares: NDArray[np.float32] = (np.append(counts, pixels - counts.sum()) / pixels).astype(np.float32)
        return shares

    def counts(self, image: WorkingImage) -> NDArray[np.intp]:
        """Return the number of edge pixels by direction, intp (36,); cached in the image, must not be modified."""
        return image.cached(("edge_counts", self), lambda: self._counts(image))

    def _counts(self, image: WorkingImage) -> NDArray[np.intp]:
        gray = image.small.gray_levels
        dx, dy = (
            cv2.Sobel(gray, cv2.CV_16S, along, 1 - along, borderType=cv2.BORDER_REPLICATE).astype(np.int16, copy=False)
            for along in (1, 0)
        )
        contrast = (cv2.norm(dx, cv2.NORM_L1) + cv2.norm(dy, cv2.NORM_L1)) / gray.size
        certain = max(self.high * contrast, _MIN_EDGE_GRADIENT)
        edges = np.flatnonzero(cv2.Canny(dx, dy, self.low * certain, certain, L2gradient=True) != 0)
        return np.bincount(direction_bins(dx.ravel()[edges], dy.ravel()[edges]), minlength=BINS)


def direction_bins(dx: NDArray[np.int16], dy: NDArray[np.int16]) -> NDArray[np.intp]:
    """Return the bin, intp (n,) in 0..35, of each gradient, int16 (n,); bin k is centred on 10 k degrees."""
    tens = np.arctan2(dy.astype(np.float64), dx.astype(np.float64)) * (BINS / 2 / np.pi)
    bins: NDArray[np.intp] = np.floor(tens + 0.5).astype(np.intp) % BINS
    return bins
