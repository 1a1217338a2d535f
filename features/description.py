"""Everything that is worked out from one photo's pixels, from one decode; it runs in worker processes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from features.base import GlobalDescriptor, LocalFeatures
from features.decoding.image import ImageHeader, decode, to_jpeg
from features.decoding.pixels import fit_within
from features.plan import Plan


@dataclass(frozen=True)
class Description:
    """What `describe` found out.

    Attributes
    ----------
    header : ImageHeader
        Size, format and date.
    vectors : dict of str to ndarray of float32 (d,)
        By name, of the global descriptors.
    patches : dict of str to LocalFeatures
        By name, of the local descriptors.
    thumbnail : bytes or None
        A JPEG file.
    seconds : dict of str to float
        Processor time by stage: ``"decode"``, each descriptor's name, ``"thumbnail"``. What several descriptors share
        counts for the first of them.
    """

    header: ImageHeader
    vectors: dict[str, NDArray[np.float32]]
    patches: dict[str, LocalFeatures]
    thumbnail: bytes | None
    seconds: dict[str, float]


def describe(source: Path | bytes, plan: Plan, names: Sequence[str] | None = None) -> Description:
    """Decode a photo once and describe it.

    Parameters
    ----------
    source : Path or bytes
        A file, or its content.
    plan : Plan
        Descriptors, limits of decoding and the side of the thumbnail, which is cut from the working image, hence
        never larger than that. The plan's time limit is kept by whoever can end a process, not here.
    names : sequence of str, optional
        Descriptors of the plan, in the order in which they are computed; all of them, if not given.

    Returns
    -------
    Description

    Raises
    ------
    ImageError
        The photo cannot be decoded.
    KeyError
        A name is not in the plan.
    """
    descriptors = [plan.by_name[name] for name in names] if names is not None else list(plan.descriptors)
    seconds: dict[str, float] = {}
    with _timed("decode", seconds):
        image = decode(source, limits=plan.limits)
    vectors: dict[str, NDArray[np.float32]] = {}
    patches: dict[str, LocalFeatures] = {}
    for descriptor in descriptors:
        with _timed(descriptor.name, seconds):
            if isinstance(descriptor, GlobalDescriptor):
                vectors[descriptor.name] = image.once(descriptor, partial(descriptor.extract, image))
            else:
                patches[descriptor.name] = image.once(descriptor, partial(descriptor.extract, image))
    thumbnail = None
    if plan.thumbnail_side is not None:
        with _timed("thumbnail", seconds):
            thumbnail = to_jpeg(_shrink(image.rgb, plan.thumbnail_side))
    return Description(image.header, vectors, patches, thumbnail, seconds)


def _shrink(rgb: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    height, width, _ = rgb.shape
    size = fit_within((width, height), side)
    if size == (width, height):
        return rgb
    return cv2.resize(rgb, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


@contextmanager
def _timed(stage: str, seconds: dict[str, float]) -> Iterator[None]:
    start = time.thread_time()
    yield
    seconds[stage] = time.thread_time() - start
