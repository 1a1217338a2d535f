# SPDX-License-Identifier: MIT
"""Improve the likeliest frames of suggested boxes, and describe them exactly."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import descriptors, settings
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import on_all_cores
from focal_photos.browser.operations.ranking.queries.by_region import window_descriptor
from focal_photos.browser.operations.tagging.boxes.frame_worker import (
    FoundParts,
    FrameSearch,
    FrameTask,
    describe_parts,
    take_descriptor,
)
from focal_photos.browser.operations.workers.memory import usable_memory
from focal_photos.browser.operations.workers.process_pool import ProcessPool, leaving
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.features.decoding.limits import ImageError
from focal_photos.features.fitted.fisher_windows import CELLS
from focal_photos.learners.tags.likely_frames import FITS, LikelyFrames, SizePrior, overlaps_of

_STAGE: Final = Text("Comparing parts of photos")
_MAX_DESCRIPTIONS: Final = 1500  # descriptions in memory, of 31 kB each
_MIN_SHARED_OVERLAP: Final = 0.6  # overlap of two suggested frames from which one description serves for both
_MAX_SIDE_DIFFERENCE: Final = 1e-6  # largest difference of equal sides
_MIN_REFINED_OVERLAP: Final = 0.3  # least overlap of a refined frame with the suggested one
_BATCH: Final = 4  # photos of a request to a worker

_SIDES: Final = (3, 4, 6, 8, 12)
_LONGEST: Final = 2
"""Sides of the rectangles of a refined frame in cells, and the longest one as a multiple of the other."""

Floats = NDArray[np.float64]
Sides = tuple[float, float, float, float]


class Candidate(NamedTuple):
    """A suggested frame to improve and to describe.

    Attributes
    ----------
    photo : str
        Hash of the photo's content.
    first : tuple of float
        Left, top, right and bottom of the suggested frame.
    weights, offset, sizes
        Of the detector of the kind; see `FrameSearch`.
    barred : ndarray of float64, shape (b, 4)
        Rectangles with which the frame must not overlap by half.
    """

    photo: str
    photo_id: int
    tag: str
    first: Sides
    weights: Floats
    offset: float
    sizes: SizePrior
    barred: Floats


class ExactFrame(NamedTuple):
    """A described frame: as suggested, improved, and the vector of the improved one."""

    first: Floats
    place: Floats
    vector: NDArray[np.float16]


@dataclass(eq=False)
class ExactFrames:
    """Descriptions in memory; the oldest are dropped."""

    found: dict[tuple[str, str], list[ExactFrame]] = field(default_factory=dict)
    """Frames by hash of the photo and tag."""
    parts: dict[tuple[str, Sides], NDArray[np.float16]] = field(default_factory=dict)
    """Vectors of drawn boxes by hash of the photo and sides."""
    ids: set[int] = field(default_factory=set)
    """The photos."""

    def frame(self, photo: str, tag: str, first: Sides) -> ExactFrame | None:
        """Return the description of a suggested frame, of nearly the same one, or of an improved frame."""
        known = list(self.found.get((photo, tag), ()))
        if not known:
            return None
        improved = next((one for one in known if np.allclose(one.place, first, atol=_MAX_SIDE_DIFFERENCE)), None)
        if improved is not None:
            return improved
        near = overlaps_of(np.array([first]), np.stack([one.first for one in known]))[0]
        return known[int(near.argmax())] if near.max() >= _MIN_SHARED_OVERLAP else None

    def part(self, photo: str, tag: str, sides: Sides) -> NDArray[np.float16] | None:
        """Return the vector of a drawn box, if it is known."""
        accepted = (
            one.vector
            for one in self.found.get((photo, tag), ())
            if np.allclose(one.place, sides, atol=_MAX_SIDE_DIFFERENCE)
        )
        return self.parts.get((photo, sides), next(accepted, None))

    def trim(self) -> None:
        """Drop the oldest descriptions."""
        for pair in list(self.found)[:-_MAX_DESCRIPTIONS]:
            self.found.pop(pair, None)
        for part in list(self.parts)[:-_MAX_DESCRIPTIONS]:
            self.parts.pop(part, None)


_CACHED_FRAMES: Final = CacheEntry[ExactFrames]("exactly described parts of photos")


def exact_frames(library: Library) -> ExactFrames:
    """Return the descriptions of the library's present descriptor."""
    descriptor = window_descriptor(library)
    stamp = str(descriptor.key), descriptors.fitted_states_of(library).stamp()
    return library.cache.once(_CACHED_FRAMES, stamp, ExactFrames)


def describe_frames(
    library: Library,
    frames: LikelyFrames,
    candidates: Sequence[Candidate],
    boxes: Sequence[tuple[str, int, str, Sides]],
) -> Job[None]:
    """Improve and describe suggested frames, and describe drawn boxes, unless that was done before.

    Photos are decoded by workers; closing the job keeps what is described.

    Parameters
    ----------
    boxes : sequence of (str, int, str, tuple of float)
        Hash of the photo, its id, tag and sides.
    """
    exact = exact_frames(library)
    wanted: dict[str, tuple[int, list[Candidate], list[tuple[str, Sides]]]] = {}
    for photo, photo_id, tag, place in boxes:
        if exact.part(photo, tag, place) is None:
            wanted.setdefault(photo, (photo_id, [], []))[2].append((tag, place))
    for one in candidates:
        if exact.frame(one.photo, one.tag, one.first) is None:
            wanted.setdefault(one.photo, (one.photo_id, [], []))[1].append(one)
    if not wanted:
        return
    limits = descriptors.decode_limits(library)
    paths = {photo.id: photo.path for photo in library.photos.get([number for number, _, _ in wanted.values()])}
    tasks = [
        FrameTask(photo, paths[number], limits, [_search(one, frames) for one in some], [place for _, place in parts])
        for photo, (number, some, parts) in wanted.items()
        if number in paths
    ]
    meter = Meter(_STAGE, len(tasks))
    yield meter.state()
    workers, each = available_cores(), settings.SECONDS.get(library)
    size = max(1, min(_BATCH, len(tasks) // workers))
    setup = take_descriptor, (window_descriptor(library),)
    with leaving(ProcessPool(workers, usable_memory(), setup=setup, background=True, reuse_idle=True)) as pool:

        def work(batch: Sequence[FrameTask]) -> list[FoundParts | ImageError | None]:
            return pool.call_each(_described, batch, seconds=each)

        batches = [tasks[start : start + size] for start in range(0, len(tasks), size)]
        with closing(on_all_cores(work, batches)) as described:
            for batch, results in zip(batches, described, strict=True):
                for result in results:
                    if isinstance(result, FoundParts):
                        number, some, parts = wanted[result.photo]
                        exact.ids.add(number)
                        rows = [*zip(result.places, result.vectors, strict=True)]
                        for one, (place, vector) in zip(some, rows, strict=False):
                            known = exact.found.setdefault((one.photo, one.tag), [])
                            known.append(ExactFrame(np.array(one.first), place, vector))
                        for (_, sides), (_, vector) in zip(parts, rows[len(some) :], strict=True):
                            exact.parts[result.photo, sides] = vector
                yield meter.advance(len(batch))
    exact.trim()


def _described(task: FrameTask) -> FoundParts | None:  # pragma: no cover - in workers, which end by force
    """Describe the parts of a photo in a worker; None if it cannot be read."""
    try:
        return describe_parts(task)
    except ImageError:
        return None


def _search(one: Candidate, frames: LikelyFrames) -> FrameSearch:
    """Return the search for the improved frame among the rectangles near the suggested one."""
    near = overlaps_of(np.array([one.first]), RECTANGLES)[0]
    allowed = near >= min(_MIN_REFINED_OVERLAP, float(near.max()))
    if len(one.barred):
        free = allowed & (overlaps_of(one.barred, RECTANGLES) < FITS).all(axis=0)
        allowed = free if free.any() else allowed
    return FrameSearch(_CELLS[allowed], one.weights, one.offset, frames, one.sizes)


def _rectangles() -> NDArray[np.intp]:
    """Return the rectangles of whole cells that may be refined frames: intp (n, 4)."""
    spans = []
    for side in _SIDES:
        step = max(1, side // 3)
        spans += [(start, start + side) for start in sorted({*range(0, CELLS - side + 1, step), CELLS - side})]
    found = [
        (x0, y0, x1, y1)
        for x0, x1 in spans
        for y0, y1 in spans
        if max(x1 - x0, y1 - y0) <= _LONGEST * min(x1 - x0, y1 - y0)
    ]
    return np.array(found, np.intp)


_CELLS: Final = _rectangles()
RECTANGLES: Final = _CELLS / CELLS
