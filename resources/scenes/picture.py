# SPDX-License-Identifier: MIT
"""Result of a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from focal_photos.resources.scenes.light import Light


@dataclass(frozen=True)
class Picture:
    """A finished picture."""

    pixels: NDArray[np.uint8]
    """sRGB; shape (h, w, 3)."""
    light: Light
    """Light of the scene; its tags apply, too."""
    tags: set[str]
    """Contents of the picture."""
