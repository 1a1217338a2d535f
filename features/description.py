# SPDX-License-Identifier: MIT
"""Description of a photo: all its descriptors and its thumbnail are computed from a single decoding."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
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
from focal_photos.features.decoding.limits import WORKING_SIDE, DecodeLimits


@dataclass(frozen=True)
class DescriptionPlan:
    """Descriptors to compute for a photo, and decoding settings common to all of them.

    Attributes
    ----------
    descriptors : tuple of GlobalDescriptor, LocalDescriptor or CodeDescriptor
        Descriptors of different names, fitted if they have a fitted part.

    Raises
    ------
    ValueError
        If two descriptors have the same name.
    NotFittedError
        If a descriptor is not fitted.
    """

    descriptors: tuple[GlobalDescriptor | LocalDescriptor | CodeDescriptor, ...] = ()
    limits: DecodeLimits = field(default_factory=DecodeLimits)
    """Limits enforced before decoding."""
    thumbnail_side: int | None = 256
    """Longest side of the thumbnail in pixels; None: no thumbnail."""
    seconds_per_photo: float = 60.0
    """Time after which the decoder of a photo is considered to hang, and the photo is skipped."""

    def __post_init__(self) -> None:
        names = [descriptor.name for descriptor in self.descriptors]
        if len(set(names)) < len(names):
            raise ValueError(f"A plan names each descriptor once, not {', '.join(sorted(names))}.")
        for descriptor in self.descriptors:
            if not _is_ready(descriptor):
                raise NotFittedError(f"The descriptor {descriptor.name} is not learned yet.")

    @cached_property
    def by_name(self) -> dict[str, GlobalDescriptor | LocalDescriptor | CodeDescriptor]:
        """The descriptors by name, in order."""
        return {descriptor.name: descriptor for descriptor in self.descriptors}

    @property
    def global_descriptors(self) -> tuple[GlobalDescriptor, ...]:
        """The global descriptors."""
        return tuple(d for d in self.descriptors if isinstance(d, GlobalDescriptor))

    @property
    def local_descriptors(self) -> tuple[LocalDescriptor, ...]:
        """The local descriptors."""
        return tuple(d for d in self.descriptors if isinstance(d, LocalDescriptor))

    @property
    def code_descriptors(self) -> tuple[CodeDescriptor, ...]:
        """The code descriptors."""
        return tuple(d for d in self.descriptors if isinstance(d, CodeDescriptor))


def _is_ready(descriptor: Descriptor) -> bool:
    """Return whether a descriptor and those that it is made from are fitted, or need no fit."""
    if isinstance(descriptor, Fitted):
        return descriptor.is_fitted
    values = (getattr(descriptor, field.name) for field in dataclasses.fields(descriptor))
    return all(_is_ready(value) for value in values if isinstance(value, Descriptor))


@dataclass(frozen=True)
class Description:
    """Result of `describe`."""

    header: ImageHeader
    """Size, format and date."""
    vectors: dict[str, NDArray[np.float32]]
    """Vectors of the global descriptors, by name."""
    patches: dict[str, LocalFeatures]
    """Output of the local descriptors, by name."""
    codes: dict[str, NDArray[np.uint8]]
    """Codes of the code descriptors, by name."""
    thumbnail: bytes | None
    """A JPEG file."""
    seconds: dict[str, float]
    """Processor time by stage: ``"decode"``, each descriptor's name, ``"thumbnail"``. Shared results are charged to the
    first descriptor that computes them."""


def describe(
    source: Path | bytes | NDArray[np.uint8],
    plan: DescriptionPlan,
    names: Sequence[str] | None = None,
    part: tuple[float, float, float, float] | None = None,
) -> Description:
    """Decode a photo once and describe it, or a part of it.

    Parameters
    ----------
    source : Path, bytes, or ndarray of uint8, shape (h, w, 3)
        File path, file content, or sRGB pixels, which are reduced to working size.
    plan : DescriptionPlan
        Descriptors, limits and thumbnail size. The thumbnail is made from the working image and is never larger. The
        time limit is not enforced here but by the caller, who can end a process.
    names : sequence of str, optional
        Descriptors of the plan, in the order of computation; default: all.
    part : tuple of float, optional
        Left, top, right and bottom of the part to describe, as shares of the sides of the photo.

    Returns
    -------
    Description

    Raises
    ------
    ImageError
        If the photo cannot be decoded.
    KeyError
        If a name is not in the plan.
    """
    descriptors = [plan.by_name[name] for name in names] if names is not None else list(plan.descriptors)
    seconds: dict[str, float] = {}
    with _timed("decode", seconds):
        if isinstance(source, np.ndarray):
            whole = WorkingImage.from_array(source)
            image = WorkingImage(whole.within(WORKING_SIDE), whole.header)
        else:
            image = decode(source, limits=plan.limits)
        if part is not None:
            image = image.part(part)
    vectors: dict[str, NDArray[np.float32]] = {}
    patches: dict[str, LocalFeatures] = {}
    codes: dict[str, NDArray[np.uint8]] = {}
    for descriptor in descriptors:
        with _timed(descriptor.name, seconds):
            if isinstance(descriptor, GlobalDescriptor):
                vectors[descriptor.name] = descriptor.of(image)
            elif isinstance(descriptor, CodeDescriptor):
                codes[descriptor.name] = descriptor.extract(image)
            else:
                patches[descriptor.name] = descriptor.of(image)
    thumbnail = None
    if plan.thumbnail_side is not None:
        with _timed("thumbnail", seconds):
            thumbnail = to_jpeg(image.within(plan.thumbnail_side))
    return Description(image.header, vectors, patches, codes, thumbnail, seconds)


@contextmanager
def _timed(stage: str, seconds: dict[str, float]) -> Iterator[None]:
    start = time.thread_time()
    yield
    seconds[stage] = time.thread_time() - start
