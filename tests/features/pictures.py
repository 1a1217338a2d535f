# SPDX-License-Identifier: MIT
"""Pictures shared by the tests of features."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image

from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.limits import ImageError
from focal_photos.testing.pictures import scene as scene


def file_bytes(picture: NDArray[Any] | Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """Return the content of an image file."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    buffer = io.BytesIO()
    if kind == "HEIF":  # neither Focal nor its tests register plugins with Pillow
        pillow_heif.from_pillow(image).save(buffer, **options)
    else:
        image.save(buffer, kind, **options)
    return buffer.getvalue()


def assert_damage_is_reported(whole: bytes, *, files: int, head: int, changes: int, **options: Any) -> None:
    """Decode copies with changed bytes in the head: each gives an image or an error that is a sentence."""
    rng = np.random.default_rng(0)
    read, messages = 0, list[str]()
    for _ in range(files):
        content = bytearray(whole)
        for place in rng.integers(0, min(len(content), head), changes):
            content[place] = rng.integers(0, 256)
        try:
            read += decode(bytes(content), **options).rgb.size > 0
        except ImageError as error:
            messages.append(str(error))
    assert 0 < read < files
    assert all(message.endswith(".") for message in messages)
