"""Pictures shared by the tests of features."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image


def scene(width: int = 96, height: int = 64, seed: int = 0) -> NDArray[np.uint8]:
    """Return a synthetic photo: a gradient, a disc, stripes and grain; all corners look different."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    picture = np.stack([255 * x / width, 255 * y / height, 128 + 100 * np.sin(0.4 * x)], axis=-1)
    picture[(x - width * 0.3) ** 2 + (y - height * 0.4) ** 2 < (0.25 * height) ** 2] = (220, 40, 30)
    picture[: height // 6, : width // 6] = (250, 250, 250)
    return np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


def file_bytes(picture: NDArray[Any] | Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """Return the content of an image file."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    buffer = io.BytesIO()
    if kind == "HEIF":  # neither Focal nor its tests register plugins with Pillow
        pillow_heif.from_pillow(image).save(buffer, **options)
    else:
        image.save(buffer, kind, **options)
    return buffer.getvalue()
