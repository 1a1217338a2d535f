# SPDX-License-Identifier: MIT
"""Describe parts of a photo exactly, in a worker process. Imports neither the catalogue nor Qt."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.decoding.limits import DecodeLimits
from focal_photos.features.fitted.fisher_vectors import FisherVector, unit_roots
from focal_photos.features.fitted.fisher_windows import CELLS, FisherWindows
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.likely_frames import LikelyFrames, SizePrior

_COLOR: Final = 0.8
"""Weight of the vector of colours beside that of shapes, which is 1."""
_LEAST_SIDE: Final = 4  # pixels

Floats = NDArray[np.float64]


class FrameSearch(NamedTuple):
    """A search for the best rectangle of whole cells."""

    cells: NDArray[np.intp]
    """Rectangles to choose from; shape (n, 4)."""
    weights: Floats
    """Shape (144,)."""
    offset: float
    """The score of a rectangle of unit length x is ``weights x - offset``."""
    frames: LikelyFrames
    sizes: SizePrior


class FrameTask(NamedTuple):
    """Parts of a photo to find and to describe."""

    photo: str
    """Hash of its content."""
    path: Path
    limits: DecodeLimits
    searches: list[FrameSearch]
    parts: list[tuple[float, float, float, float]]
    """Left, top, right and bottom of further parts."""


class FoundParts(NamedTuple):
    """The parts of a photo: those that were found, then the others."""

    photo: str
    places: Floats
    """Shape (n, 4)."""
    vectors: NDArray[np.float16]
    """Shape (n, d)."""


_descriptor: FisherWindows | None = None


def take_descriptor(descriptor: FisherWindows) -> None:
    """Set the fitted descriptor for all tasks of this process."""
    global _descriptor  # noqa: PLW0603 - one for each process
    _descriptor = descriptor


def describe_parts(task: FrameTask) -> FoundParts:
    """Decode a photo, find its frames, and describe these and further parts.

    Raises
    ------
    ImageError
        If the photo cannot be decoded.
    """
    if _descriptor is None:
        raise RuntimeError("this process has no descriptor")
    image = decode(task.path, limits=task.limits)
    with one_thread():
        found = [_best_frame(_descriptor, image, search) for search in task.searches]
        places = np.array([*found, *task.parts], np.float64).reshape(-1, 4)
        vectors = [part_vector(_descriptor, image, place) for place in places]
    return FoundParts(task.photo, places, np.array(vectors, np.float16))


def _best_frame(descriptor: FisherWindows, image: WorkingImage, search: FrameSearch) -> Floats:
    rows = descriptor.of_rectangles(image, search.cells)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    scores = rows @ search.weights - search.offset
    frames = search.frames.frames(scores[None], search.cells / CELLS, search.sizes)
    return np.asarray(frames.rectangles[0].clip(0, 1), np.float64)


def part_vector(descriptor: FisherWindows, image: WorkingImage, place: Floats) -> NDArray[np.float16]:
    """Return the Fisher vectors of a part, described like a photo, of shape and colour: float16 (d,).

    The part is enlarged to the size of a photo, so that the same thing has the same vector at any size. Positions of
    points count.
    """
    height, width = image.rgb.shape[:2]
    sides = np.rint(place * [width, height, width, height]).astype(int)
    x, y = (int(min(sides[axis], size - _LEAST_SIDE)) for axis, size in ((0, width), (1, height)))
    x, y = max(x, 0), max(y, 0)
    pixels = image.rgb[y : max(sides[3], y + _LEAST_SIDE), x : max(sides[2], x + _LEAST_SIDE)]
    crop = WorkingImage.from_array(np.ascontiguousarray(pixels))
    return np.hstack([_gradient(descriptor.shape, crop), _COLOR * _gradient(descriptor.color, crop)]).astype(np.float16)


def _gradient(fisher: FisherVector, crop: WorkingImage) -> NDArray[np.float32]:
    """Return the Fisher vector (d,) before projection, of unit length; 0 without points."""
    points = fisher.assigned(crop)
    if points is None:
        return np.zeros(len(fisher.fitted_state().arrays.get("mean", ())), np.float32)
    return unit_roots(points.gradient)
