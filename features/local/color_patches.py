# SPDX-License-Identifier: MIT
"""Colour patches: colour histograms around edge points."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local.edge_channels import POINTS, SPACING, check_points, edge_image


@dataclass(frozen=True)
class ColorPatches(LocalDescriptor):
    """Colour histogram of a square window around each edge point.

    The points are those of `GeometricBlur`. Hue and saturation are mapped to a disc, x = S cos H and y = S sin H, and
    divided into a `grid` x `grid` raster over [-1, 1] x [-1, 1]; value is divided into `levels` equal steps. Order: y,
    x, value (fastest), and last a bin for pixels outside the image. Values are shares of the window's pixels and sum to
    1.

    Parameters
    ----------
    radius : int
        The window is 2 radius + 1 pixels wide, in pixels of the reduced image (see `edge_image`).
    grid, levels : int
        Bins per side of the hue-saturation disc, and of value.
    points : int
        Maximum number of points per photo.
    spacing : float
        Minimum distance of two points in pixels of the reduced image.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions",
    NIPS 2006, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> pixels = np.full((40, 60, 3), (255, 0, 0), np.uint8)
    >>> pixels[:, 30:] = (0, 0, 255)
    >>> found = ColorPatches().extract(WorkingImage.from_array(pixels))
    >>> found.vectors.shape == (len(found.points), 364)
    True
    >>> found.vectors.sum(axis=1).round(3).tolist() == [1.0] * len(found.points)
    True
    """

    radius: int = 8
    grid: int = 11
    levels: int = 3
    points: int = POINTS
    spacing: float = SPACING

    name: ClassVar[str] = "color_patches"
    title: ClassVar[str] = "Colour patches"
    summary: ClassVar[str] = "Colours around the points that geometric blur describes"
    source: ClassVar[str] = "Frome et al. 2006"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not (0 <= self.radius <= 100 and 1 <= self.grid <= 100 and 1 <= self.levels <= 256):
            raise ValueError(f"radius must be 0..100, grid 1..100 and levels 1..256 in {self}.")
        check_points(self.points, self.spacing)

    @property
    def dimension(self) -> int:
        """Length d of a vector: the colour bins and one for pixels outside."""
        return self.grid * self.grid * self.levels + 1

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe the edge points of one photo; see `LocalDescriptor.extract`. Values are in 0..1."""
        edges = edge_image(image, points=self.points, spacing=self.spacing)
        h, s, v = cv2.split(cv2.cvtColor(edges.rgb, cv2.COLOR_RGB2HSV_FULL))
        bins = _disc(self.grid)[h, s] * self.levels + ((v.astype(np.int32) * self.levels) >> 8)
        r, width, d = self.radius, 2 * self.radius + 1, self.dimension
        padded = cv2.copyMakeBorder(bins, r, r, r, r, cv2.BORDER_CONSTANT, value=d - 1)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (width, width))
        x, y = edges.points.T
        counts = windows[y, x].reshape(len(x), width * width)
        counts += np.arange(len(x), dtype=np.int32)[:, None] * d
        shares = np.bincount(counts.ravel(), minlength=len(x) * d).astype(np.float32) / np.float32(width * width)
        return LocalFeatures(edges.working_points(), shares.reshape(len(x), d))


@functools.lru_cache(maxsize=8)
def _disc(grid: int) -> NDArray[np.int32]:
    """Return the raster bin of each hue and saturation 0..255, int32 (256, 256)."""
    angles = [2 * math.pi * hue / 256 for hue in range(256)]
    saturations = np.arange(256) / 255
    x = np.outer([math.cos(angle) for angle in angles], saturations)
    y = np.outer([math.sin(angle) for angle in angles], saturations)
    column, row = (np.minimum(np.floor((along + 1) / 2 * grid), grid - 1).astype(np.int32) for along in (x, y))
    disc: NDArray[np.int32] = row * grid + column
    disc.setflags(write=False)
    return disc
