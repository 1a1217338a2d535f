# SPDX-License-Identifier: MIT
"""ORB: comparisons of pixel pairs around corners; fast, and part of the standard OpenCV build, unlike SURF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np

from focal_photos.features.base import LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.image import WorkingImage

_MIN_SIDE = 16
"""Minimum side in pixels; below it OpenCV's pyramid may reach an empty image, which is an error."""


@dataclass(frozen=True)
class Orb(LocalDescriptor):
    """256 comparisons of grey values around each corner, as numbers 0 and 1.

    The squared Euclidean distance between such vectors is the Hamming distance, so k-means and the nearest word use the
    same code as for SIFT; a word consists of shares of ones. It replaces SURF of the 2013 experiments. A photo smaller
    than the `border` on both sides of a pixel has no points.

    Departures from the paper: comparisons are not rotated with the corner (precision at 20 of bags of 1000 words on
    Caltech-101: .28 instead of .20; see `Sift`), and the threshold is lower, so that dim photos have points.

    Parameters
    ----------
    points : int
        Maximum number of points.
    threshold : int
        Difference in grey levels between a corner and its surroundings (FAST).
    border : int
        Width in pixels of the border without points, at each level of the pyramid.

    References
    ----------
    E. Rublee, V. Rabaud, K. Konolige and G. Bradski, "ORB: an efficient alternative to SIFT or SURF", ICCV 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> noise = np.random.default_rng(0).integers(0, 256, (12, 16, 3), dtype=np.uint8)
    >>> found = Orb().extract(WorkingImage.from_array(noise.repeat(8, axis=0).repeat(8, axis=1)))
    >>> found.vectors.shape == (len(found.points), 256)
    True
    >>> np.unique(found.vectors).tolist()
    [0.0, 1.0]
    """

    points: int = 500
    threshold: int = 5
    border: int = 31

    name: ClassVar[str] = "orb"
    title: ClassVar[str] = "ORB"
    summary: ClassVar[str] = "Pairs of pixels compared around corners"
    source: ClassVar[str] = "Rublee et al. 2011"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if min(self.points, self.threshold, self.border) < 1:
            raise ValueError(f"All of {self} must be positive.")

    @property
    def dimension(self) -> int:
        """Length of a vector: the number of comparisons."""
        return 256

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe points of one photo; see `LocalDescriptor.extract`. Values are 0 and 1."""
        gray = image.gray_levels
        none = LocalFeatures(np.zeros((0, 2), np.float32), np.zeros((0, self.dimension), np.float32))
        if min(gray.shape) < _MIN_SIDE:
            return none
        orb = cv2.ORB.create(nfeatures=self.points, edgeThreshold=self.border, fastThreshold=self.threshold)
        corners = list(orb.detect(gray, None))
        for corner in corners:
            corner.angle = 0.0
        found, packed = orb.compute(gray, corners)
        if len(found) == 0:
            return none
        points = np.array([point.pt for point in found], np.float32)
        bits = np.unpackbits(np.asarray(packed, np.uint8), axis=1)
        # Corners of equal strength may exceed the limit.
        return LocalFeatures(points[: self.points], bits[: self.points].astype(np.float32))
