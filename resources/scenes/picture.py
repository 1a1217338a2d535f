# SPDX-License-Identifier: MIT
"""Result of a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focal_photos.resources.scenes.light import Light


@dataclass(frozen=True)
class Picture:
    """A finished picture.

    Attributes
    ----------
    pixels : ndarray of uint8, shape (h, w, 3)
        sRGB.
    light : Light
        Light of the scene; its tags apply, too.
    tags : set of str
        Contents of the picture.
    """

    pixels: NDArray[np.uint8]
    light: Light
    tags: set[str]
