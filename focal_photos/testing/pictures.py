# SPDX-License-Identifier: MIT
"""Pictures for the checks of descriptors and formats."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def scene(width: int = 96, height: int = 64, seed: int = 0) -> NDArray[np.uint8]:
    """Return a synthetic photo, uint8 (height, width, 3): a gradient, a disc, stripes and grain.

    All corners look different. The same seed gives the same picture.
    """
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    picture = np.stack([255 * x / width, 255 * y / height, 128 + 100 * np.sin(0.4 * x)], axis=-1)
    picture[(x - width * 0.3) ** 2 + (y - height * 0.4) ** 2 < (0.25 * height) ** 2] = (220, 40, 30)
    picture[: height // 6, : width // 6] = (250, 250, 250)
    return np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


def flat(level: int, height: int = 40, width: int = 60) -> NDArray[np.uint8]:
    """Return a picture of one grey level, uint8 (height, width, 3)."""
    return np.full((height, width, 3), level, np.uint8)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return the content of a PNG file of pixels: grey (h, w), colours (h, w, 3), with transparency (h, w, 4)."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()
