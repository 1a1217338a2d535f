# SPDX-License-Identifier: MIT
"""Geometric blur: oriented edges around a point, with a blur that grows with the distance."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import ClassVar, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local.edge_channels import ORIENTATIONS, POINTS, SPACING, EdgeImage, check_points, edge_image

RINGS: Final = ((0.0, 1), (0.08, 8), (0.16, 8), (0.32, 10), (0.64, 12), (1.0, 12))
"""Radius, as a share of the maximum, and number of samples of each ring."""

_NAMES: Final = {70.0: ("geometric_blur_large", "Large shapes"), 42.0: ("geometric_blur_small", "Small shapes")}
_COARSEST = 1.5
"""Minimum standard deviation, in pixels of the reduced copy, of a blur computed on a reduced copy."""
_MIN_LENGTH: Final = np.float32(0.01)
"""Length, in grey levels (0..255) per pixel, below which a vector is noise and is not normalized."""
_TAIL: Final = 4.0
"""Truncation of a Gaussian, in standard deviations."""


@dataclass(frozen=True)
class GeometricBlur(LocalDescriptor):
    """Edge channels around each edge point, sampled on rings from copies whose blur grows with the distance.

    51 samples are taken at the point and on five rings (`RINGS`; every other ring is rotated by half a step). At
    distance r, all channels are read from a copy blurred by a Gaussian of ``growth * r + base`` pixels; outside the
    image all values are 0. A vector is normalized to unit length (and is nearly 0 if no edge is near). Order: ring from
    the inside out, sample clockwise from the right, channel (fastest).

    Wide blurs are computed on copies reduced by powers of two, which hardly changes a vector (measured on photos: the
    mean cosine to the full resolution is 0.9999, the lowest of 9,362 is 0.9985).

    Parameters
    ----------
    radius : float
        Radius of the outermost ring, in pixels of the reduced image (see `edge_image`).
    growth, base : float
        Growth of the blur with the distance, and blur at the point.
    points : int
        Maximum number of points per photo.
    spacing : float
        Minimum distance of two points in pixels of the reduced image.
    decimate : bool
        False: compute all blurs at full resolution, about ten times slower, for comparison.

    References
    ----------
    A. C. Berg and J. Malik, "Geometric blur for template matching", CVPR 2001; A. C. Berg, T. L. Berg and
    J. Malik, "Shape matching and object recognition using low distortion correspondences", CVPR 2005; radii
    and sizes from A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance
    functions", NIPS 2006, section 3. The intermediate radii, which the papers do not give, are those of Berg's code
    (4, 8, 16, 32 of 50 pixels), in proportion.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> pixels = np.zeros((40, 60, 3), np.uint8)
    >>> pixels[:, 30:] = 200  # an upright edge
    >>> found = GeometricBlur().extract(WorkingImage.from_array(pixels))
    >>> found.vectors.shape == (len(found.points), 204)
    True
    >>> channels = found.vectors.reshape(-1, 51, 4).sum(axis=(0, 1))
    >>> int(channels.argmax())  # edges whose normal points right
    0
    """

    radius: float = 70.0
    growth: float = 0.5
    base: float = 1.0
    points: int = POINTS
    spacing: float = SPACING
    decimate: bool = True

    source: ClassVar[str] = "Frome et al. 2006"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not (0 < self.radius <= 1000 and 0 < self.growth <= 10 and 0.1 <= self.base <= 100):
            raise ValueError(f"radius must be 0..1000, growth 0..10 and base 0.1..100 in {self}.")
        check_points(self.points, self.spacing)

    @property
    def name(self) -> str:
        """Name in the table, or a name that contains the radius."""
        return _NAMES.get(self.radius, (f"geometric_blur_{self.radius:g}".replace(".", "_"), ""))[0]

    @property
    def title(self) -> str:
        """Name shown to the user."""
        return _NAMES.get(self.radius, ("", f"Shapes ({self.radius:g} pixels)"))[1]

    @property
    def summary(self) -> str:
        """Description shown to the user, in one line."""
        return f"Geometric blur of radius {self.radius:g} at up to {self.points} edge points"

    @property
    def dimension(self) -> int:
        """Length d of a vector: samples x channels."""
        return ORIENTATIONS * sum(count for _, count in RINGS)

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe the edge points of one photo; see `LocalDescriptor.extract`. Values are in 0..1."""
        edges = edge_image(image, points=self.points, spacing=self.spacing)
        return LocalFeatures(edges.working_points(), self.vectors(edges))

    def vectors(self, edges: EdgeImage) -> NDArray[np.float32]:
        """Return one vector per point, float32 (n, dimension)."""
        samples = [self._ring(edges, share, offsets) for share, offsets in _ring_offsets()]
        vectors = np.concatenate(samples, axis=1).reshape(len(edges.points), self.dimension)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        vectors /= np.maximum(lengths, _MIN_LENGTH)[:, None]
        return vectors

    def _ring(self, edges: EdgeImage, share: float, offsets: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the samples of one ring, float32 (points, samples, channels)."""
        height, width = edges.channels.shape[:2]
        at = edges.points[:, None].astype(np.float32) + np.float32(self.radius) * offsets
        x, y = at[..., 0], at[..., 1]
        inside = (x > -0.5) & (x < width - 0.5) & (y > -0.5) & (y < height - 0.5)
        blurred, factor = self._blurred(edges, self.growth * self.radius * share + self.base)
        where = (at + np.float32(0.5)) / np.float32(factor) - np.float32(0.5)
        if not len(where):
            return np.zeros((*where.shape[:2], ORIENTATIONS), np.float32)
        ring = cv2.remap(
            blurred, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ).astype(np.float32, copy=False)
        ring *= inside[..., None]
        return ring

    def _blurred(self, edges: EdgeImage, deviation: float) -> tuple[NDArray[np.float32], int]:
        """Return the channels after a Gaussian blur, on a reduced copy, and its reduction factor."""
        halvings = max(0, math.floor(math.log2(deviation / _COARSEST))) if self.decimate else 0
        factor = 2**halvings
        # Averaging factor x factor blocks has already blurred by a variance of (factor² - 1) / 12.
        rest = math.sqrt(deviation**2 - (factor**2 - 1) / 12) / factor
        taps = 2 * math.ceil(_TAIL * rest) + 1
        reduced = edges.reduced_channels(halvings)
        blurred = cv2.GaussianBlur(reduced, (taps, taps), rest, borderType=cv2.BORDER_CONSTANT)
        return blurred.astype(np.float32, copy=False), factor


@functools.lru_cache(maxsize=1)
def _ring_offsets() -> tuple[tuple[float, NDArray[np.float32]], ...]:
    """Return the radius of each ring and the offsets of its samples (count, 2), as shares of the total radius."""
    rings = []
    for number, (share, count) in enumerate(RINGS):
        angles = [2 * math.pi * (sample + number % 2 / 2) / count for sample in range(count)]
        offsets = np.array([(share * math.cos(angle), share * math.sin(angle)) for angle in angles], np.float32)
        offsets.setflags(write=False)
        rings.append((share, offsets))
    return tuple(rings)
