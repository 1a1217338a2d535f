# SPDX-License-Identifier: MIT
"""Dense colour: colours and their variation around the points of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import LocalDescriptor, LocalFeatures, Subject
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local import dense_grid
from focal_photos.features.local.dense_grid import Grid

_HALF_SIDE = dense_grid.SIDE // 2
_LAB = 6
_NEUTRAL = np.tile(np.array([0, 128, 128, 0, 0, 0], np.float32) / 255, 16)
"""Values of a neutral colour: OpenCV's 8-bit Lab values 0, 128 and 128, without deviations."""

_ROUNDING = 1e-6 * 255**2
"""Limit of rounding errors of a variance."""


@dataclass(frozen=True)
class DenseColor(LocalDescriptor):
    """Mean and standard deviation of each channel of Lab in 4 x 4 cells around the points of a grid.

    Parameters
    ----------
    grids : tuple of Grid
        Grids of points.

    Notes
    -----
    A vector has 96 values, cell by cell: means of lightness (0..1), a and b (in units of 255, within -0.5..0.5), then
    their deviations; and the position, `dense_grid.PLACE`.

    References
    ----------
    S. Clinchant, G. Csurka, F. Perronnin and J.-M. Renders, "XRCE's participation to ImagEval", ImagEval workshop at
    CVIR 2007: local statistics of colour. F. Perronnin, J. Sanchez and T. Mensink, "Improving the Fisher kernel for
    large-scale image classification", ECCV 2010, section 4.1.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.features.decoding.image import WorkingImage
    >>> gray = WorkingImage.from_array(np.full((64, 64, 3), 119, np.uint8))
    >>> found = DenseColor().extract(gray)
    >>> np.abs(found.vectors[0, :6]).round(2).tolist()  # half as light as white, no colour, all alike
    [0.5, 0.0, 0.0, 0.0, 0.0, 0.0]
    """

    grids: tuple[Grid, ...] = (Grid(3, 4, _HALF_SIDE), Grid(6, 6, _HALF_SIDE))

    name: ClassVar[str] = "dense_color"
    title: ClassVar[str] = "Dense colour"
    summary: ClassVar[str] = "Colours and how they vary around the points of a grid, at two sizes"
    source: ClassVar[str] = "Clinchant et al. 2007"
    subject: ClassVar[Subject] = "color"
    version: ClassVar[int] = 3

    def __post_init__(self) -> None:
        dense_grid.check(self.grids)

    @property
    def dimension(self) -> int:
        """Length of a vector: 4 x 4 cells of 3 means and 3 deviations, and the position."""
        return 16 * _LAB + dense_grid.PLACE

    def extract(self, image: WorkingImage) -> LocalFeatures:
        """Describe the points of the grid; see `LocalDescriptor.extract`."""
        maps = {side: _lab_and_squares(dense_grid.scaled(image, side)) for side in {grid.side for grid in self.grids}}
        grids = [(grid, dense_grid.points(*maps[grid.side][0].shape[:2], grid)) for grid in self.grids]
        vectors = np.empty((sum(len(points.places) for _, points in grids), self.dimension), np.float32)
        stop = 0
        for grid, points in grids:
            means, deviations = (points.sample(_averaged(some, grid.cell)) for some in maps[grid.side])
            # Rounding errors in the difference of nearly equal numbers must not appear as deviations.
            deviations -= means * means + np.float32(_ROUNDING)
            np.sqrt(np.maximum(deviations, 0, out=deviations), out=deviations)
            together = np.empty((*means.shape[:2], _LAB), np.float32)
            cv2.mixChannels([means, deviations], [together], [0, 0, 1, 1, 2, 2, 4, 3, 5, 4, 6, 5])
            start, stop = stop, stop + len(means)
            looks = vectors[start:stop, : -dense_grid.PLACE]
            np.multiply(together.reshape(len(means), -1), np.float32(1 / 255), out=looks)
            looks -= _NEUTRAL
            vectors[start:stop, -dense_grid.PLACE :] = points.places
        return LocalFeatures(dense_grid.positions(vectors[:, -dense_grid.PLACE :], image), vectors)


def _lab_and_squares(rgb: NDArray[np.uint8]) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """Return L, a, b and their squares, each with a channel of 0, as OpenCV filters four channels faster than three."""
    planes = cv2.split(cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB))
    lab = np.asarray(cv2.merge([*planes, np.zeros_like(planes[0])]), np.uint8)
    return lab, np.asarray(cv2.multiply(lab, lab, dtype=cv2.CV_16U), np.uint16)


def _averaged(channels: NDArray[np.integer | np.floating], cell: int) -> NDArray[np.float32]:
    found = cv2.boxFilter(channels, cv2.CV_32F, (cell, cell), borderType=cv2.BORDER_REFLECT)
    return np.asarray(found, np.float32)
