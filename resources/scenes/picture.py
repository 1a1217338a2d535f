"""What a scene hands back."""

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
        Its light, whose tags it has too.
    tags : set of str
        What is in it.
    """

    pixels: NDArray[np.uint8]
    light: Light
    tags: set[str]
