# SPDX-License-Identifier: MIT
"""SIFT: gradients around points of interest of any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.image import WorkingImage


@dataclass(frozen=True)
class Sift(LocalDescriptor):
    """Upright RootSIFT of wide neighbourhoods of the strongest extrema of differences of Gaussians.

    Points and vectors are OpenCV's, on the rounded luma of the working image. Departures from Lowe, with the change in
    precision at 20 of bags of 1000 words when each was added (Caltech-101 / Corel-5k of 192 x 128 pixels, 20 classes of
    each):

    - *Root*: the square root of the vector divided by its sum, so that the Euclidean distance is Hellinger's (+.02 /
      +.01). Vectors have unit length.
    - A lower contrast and a weaker edge test, so that small photos have enough points (+.02 / +.02).
    - *Upright*: each point is used once, with direction 0, instead of once for each strong direction around it (+.05 /
      0). Photos are upright already, and whether edges are horizontal or vertical is more informative than rotation
      invariance. A photo rotated by 90 degrees has different words.
    - *Wide*: a point is described at double the scale of its detection, in the next octave (+.03 / -.01, the loss in
      very small photos), which covers more than the blob itself. It is also faster, because the enlarged photo, in
      which most points are found, is not built again.

    Parameters
    ----------
    points : int
        Maximum number of points: those of the highest contrast; ties in the order of OpenCV (by x, then y).
    layers : int
        Scales per octave.
    contrast : float
        Minimum contrast of extrema; in grey levels 0..1, divided by `layers`.
    edges : float
        Maximum ratio of the principal curvatures of extrema.

    References
    ----------
    D. G. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60(2), 2004. R. Arandjelovic and
    A. Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> noise = np.random.default_rng(0).integers(0, 256, (12, 16, 3), dtype=np.uint8)
    >>> found = Sift().extract(WorkingImage.from_array(noise.repeat(8, axis=0).repeat(8, axis=1)))
    >>> len(found.points) == len(found.vectors) > 0
    True
    >>> np.linalg.norm(found.vectors, axis=1).round(3).min()
    np.float32(1.0)
    """

    points: int = 500
    layers: int = 3
    contrast: float = 0.01
    edges: float = 20.0

    name: ClassVar[str] = "sift"
    title: ClassVar[str] = "SIFT"
    summary: ClassVar[str] = "Gradients around points of interest, without their direction"
    source: ClassVar[str] = "Lowe 2004"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if min(self.points, self.layers) < 1 or not (self.contrast > 0 and self.edges > 0):
            raise ValueError(f"All of {self} must be positive.")

    @property
    def dimension(self) -> int:
        """Length of a vector: 4 x 4 cells of 8 directions."""
        return 128

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe points of one photo; see `LocalDescriptor.extract`. Values are in 0..1."""
        gray = image.gray_levels
        # Without OpenCV's limit, which counts a point once per direction.
        sift = cv2.SIFT.create(0, self.layers, self.contrast, self.edges)
        upright: dict[tuple[float, float, float], cv2.KeyPoint] = {}
        for point in sift.detect(gray, None):
            x, y = point.pt
            upright[x, y, point.size] = point
            point.angle = 0.0
            point.size *= 2
            # The low byte is the octave number, -1 for the enlarged photo.
            point.octave = (point.octave & ~255) | ((point.octave + 1) & 255)
        chosen = sorted(upright.values(), key=lambda point: -point.response)[: self.points]
        if not chosen:
            return LocalFeatures(np.zeros((0, 2), np.float32), np.zeros((0, self.dimension), np.float32))
        found, vectors = sift.compute(gray, chosen)
        points = np.array([point.pt for point in found], np.float32).reshape(-1, 2)
        return LocalFeatures(points, root(np.asarray(vectors, np.float32)))


def root(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the square roots, float32 (n, d), of rows of values >= 0 divided by their sums; zero rows stay zero."""
    sums = vectors.sum(axis=1, keepdims=True)
    roots: NDArray[np.float32] = np.sqrt(vectors / np.where(sums > 0, sums, np.float32(1)))
    return roots
