"""Everything that is worked out from one photo's pixels, from one decode; it runs in worker processes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from features import DESCRIPTORS
from features.image import DecodeLimits, ImageHeader, decode, to_jpeg
from features.pixels import fit_within


@dataclass(frozen=True)
class Description:
    """What `describe` found out.

    Attributes
    ----------
    header : ImageHeader
        Size, format and date.
    vectors : dict of str to ndarray of float32 (d,)
        By descriptor name.
    thumbnail : bytes or None
        A JPEG file.
    seconds : dict of str to float
        Time by stage: ``"decode"``, each descriptor's name, ``"thumbnail"``.
    """

    header: ImageHeader
    vectors: dict[str, NDArray[np.float32]]
    thumbnail: bytes | None
    seconds: dict[str, float]


def describe(
    source: Path | bytes,
    names: Sequence[str],
    *,
    thumbnail_side: int | None = 256,
    limits: DecodeLimits | None = None,
) -> Description:
    """Decode a photo once and describe it.

    Parameters
    ----------
    source : Path or bytes
        A file, or its content.
    names : sequence of str
        Keys of `features.DESCRIPTORS`; may be empty.
    thumbnail_side : int, optional
        Longest side of the thumbnail in pixels; None for none. It is cut from the working image, hence
        never larger than that.
    limits : DecodeLimits, optional
        What to refuse before decoding.

    Returns
    -------
    Description

    Raises
    ------
    ImageError
        The photo cannot be decoded.
    KeyError
        A name is not in the table.
    """
    descriptors = [DESCRIPTORS[name] for name in names]
    seconds: dict[str, float] = {}
    with _timed("decode", seconds):
        image = decode(source, limits=limits)
    vectors = {}
    for descriptor in descriptors:
        with _timed(descriptor.name, seconds):
            vectors[descriptor.name] = descriptor.extract(image)
    thumbnail = None
    if thumbnail_side is not None:
        with _timed("thumbnail", seconds):
            thumbnail = to_jpeg(_shrink(image.rgb, thumbnail_side))
    return Description(image.header, vectors, thumbnail, seconds)


def _shrink(rgb: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    height, width, _ = rgb.shape
    size = fit_within((width, height), side)
    if size == (width, height):
        return rgb
    return cv2.resize(rgb, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


@contextmanager
def _timed(stage: str, seconds: dict[str, float]) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start
