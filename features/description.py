"""Description of a photo: it is decoded once, and all its descriptors and its thumbnail come from that."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import (
    CodeDescriptor,
    Descriptor,
    Fitted,
    GlobalDescriptor,
    LocalDescriptor,
    LocalFeatures,
    NotFittedError,
)
from focal_photos.features.decoding.decode import decode, to_jpeg
from focal_photos.features.decoding.image import ImageHeader, WorkingImage
from focal_photos.features.decoding.limits import WORKING_SIDE, DecodeLimits, fit_within
from focal_photos.features.decoding.opencv import cv2


@dataclass(frozen=True)
class DescriptionPlan:
    """Which descriptors a photo gets, and how it is decoded for all of them at once.

    Attributes
    ----------
    descriptors : tuple of GlobalDescriptor, LocalDescriptor or CodeDescriptor
        Of different names, each ready to use: where a part is learned, it is there.
    limits : DecodeLimits
        What is refused before decoding.
    thumbnail_side : int or None
        Longest side of the thumbnail in pixels; None for none.
    seconds_per_photo : float
        After so long a photo is given up: its decoder is taken to hang.

    Raises
    ------
    ValueError
        Two descriptors share a name.
    NotFittedError
        A descriptor lacks the part that it learns.
    """

    descriptors: tuple[GlobalDescriptor | LocalDescriptor | CodeDescriptor, ...] = ()
    limits: DecodeLimits = field(default_factory=DecodeLimits)
    thumbnail_side: int | None = 256
    seconds_per_photo: float = 60.0

    def __post_init__(self) -> None:
        names = [descriptor.name for descriptor in self.descriptors]
        if len(set(names)) < len(names):
            raise ValueError(f"A plan names each descriptor once, not {', '.join(sorted(names))}.")
        for descriptor in self.descriptors:
            if not _is_ready(descriptor):
                raise NotFittedError(f"The descriptor {descriptor.name} is not learned yet.")

    @cached_property
    def by_name(self) -> dict[str, GlobalDescriptor | LocalDescriptor | CodeDescriptor]:
        """The descriptors by their names, in their order."""
        return {descriptor.name: descriptor for descriptor in self.descriptors}

    @property
    def global_descriptors(self) -> tuple[GlobalDescriptor, ...]:
        """Those that give one vector a photo."""
        return tuple(d for d in self.descriptors if isinstance(d, GlobalDescriptor))

    @property
    def local_descriptors(self) -> tuple[LocalDescriptor, ...]:
        """Those that give vectors at points."""
        return tuple(d for d in self.descriptors if isinstance(d, LocalDescriptor))

    @property
    def code_descriptors(self) -> tuple[CodeDescriptor, ...]:
        """Those that give one code a photo."""
        return tuple(d for d in self.descriptors if isinstance(d, CodeDescriptor))


def _is_ready(descriptor: Descriptor) -> bool:
    """Return whether a descriptor has what it learns; a code is made by another descriptor that learns."""
    if isinstance(descriptor, CodeDescriptor):
        values = (getattr(descriptor, field.name) for field in dataclasses.fields(descriptor))
        return all(_is_ready(value) for value in values if isinstance(value, Descriptor))
    return not isinstance(descriptor, Fitted) or descriptor.is_fitted


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
    codes : dict of str to ndarray of uint8 (d,)
        By name, of the code descriptors.
    thumbnail : bytes or None
        A JPEG file.
    seconds : dict of str to float
        Processor time by stage: ``"decode"``, each descriptor's name, ``"thumbnail"``. What several descriptors share
        counts for the first of them.
    """

    header: ImageHeader
    vectors: dict[str, NDArray[np.float32]]
    patches: dict[str, LocalFeatures]
    codes: dict[str, NDArray[np.uint8]]
    thumbnail: bytes | None
    seconds: dict[str, float]


def describe(
    source: Path | bytes | NDArray[np.uint8], plan: DescriptionPlan, names: Sequence[str] | None = None
) -> Description:
    """Decode a photo once and describe it.

    Parameters
    ----------
    source : Path, bytes, or ndarray of uint8, shape (h, w, 3)
        A file, its content, or pixels in sRGB, which are brought to the size of working images.
    plan : DescriptionPlan
        Descriptors, limits of decoding and the side of the thumbnail, which is cut from the working image, hence
        never larger than that. The plan's time limit is for the caller, who can end a process; it
        does not end this function.
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
        if isinstance(source, np.ndarray):
            image = WorkingImage(_shrink(source, WORKING_SIDE), ImageHeader("array", source.shape[1], source.shape[0]))
        else:
            image = decode(source, limits=plan.limits)
    vectors: dict[str, NDArray[np.float32]] = {}
    patches: dict[str, LocalFeatures] = {}
    codes: dict[str, NDArray[np.uint8]] = {}
    for descriptor in descriptors:
        with _timed(descriptor.name, seconds):
            if isinstance(descriptor, GlobalDescriptor):
                vectors[descriptor.name] = image.cached(descriptor, partial(descriptor.extract, image))
            elif isinstance(descriptor, CodeDescriptor):
                codes[descriptor.name] = descriptor.extract(image)
            else:
                patches[descriptor.name] = image.cached(descriptor, partial(descriptor.extract, image))
    thumbnail = None
    if plan.thumbnail_side is not None:
        with _timed("thumbnail", seconds):
            thumbnail = to_jpeg(_shrink(image.rgb, plan.thumbnail_side))
    return Description(image.header, vectors, patches, codes, thumbnail, seconds)


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
