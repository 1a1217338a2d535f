# SPDX-License-Identifier: MIT
"""The orientation in which points in space are drawn on the plane."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from focal_photos.browser.catalog.store.deferred import dataclass

_FRONT: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

FRAME: Final = QRectF(-0.5, -0.5, 1, 1)
"""The square around the projections of points at most .5 from the origin, in any orientation."""


@dataclass(frozen=True)
class Orientation:
    """A rotation."""

    axes: tuple[tuple[float, float, float], ...] = _FRONT
    """Its matrix, whose rows are right, down, and away from the viewer, in the coordinates of the points."""

    def rotated(self, right: float, down: float) -> Orientation:
        """Return the orientation after the side towards the viewer has moved right and down by angles in radians."""
        (c, s), (d, t) = ((math.cos(angle), math.sin(angle)) for angle in (right, down))
        about_vertical = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
        about_horizontal = np.array([[1, 0, 0], [0, d, -t], [0, t, d]])
        first, second, third = (about_horizontal @ about_vertical @ np.array(self.axes)).tolist()
        return Orientation((tuple(first), tuple(second), tuple(third)))

    def projected(self, points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Project points (n, 3) orthographically.

        Returns
        -------
        places : ndarray of float32, shape (n, 2)
            Right and down.
        nearness : ndarray of float32, shape (n,)
            Larger for points nearer to the viewer.
        """
        rotated = points @ np.array(self.axes, dtype=np.float32).T
        return np.ascontiguousarray(rotated[:, :2]), -rotated[:, 2]
