"""Suggest boxes in other photos, learned from the boxes that the user named."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import descriptors, settings
from focal_photos.browser.operations.jobs.pauses import job_pause
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.queries.by_region import window_descriptor
from focal_photos.browser.operations.tagging.boxes.learn_boxes import BLOCK, learn_boxes, windows_of
from focal_photos.browser.operations.workers.sandbox import decode_in_sandbox
from focal_photos.features.decoding.limits import WORKING_SIDE, ImageError
from focal_photos.features.fitted.fisher_windows import CELLS, WIDTH, WINDOWS
from focal_photos.learners.core.linalg import one_thread

LEAST: Final = 0.02
"""Minimum confidence of a suggested box."""


class SuggestedBox(NamedTuple):
    """A box that Focal suggests.

    Attributes
    ----------
    tag : str
        Name for the box.
    confidence : float
        0..1, probability that the photo shows such a thing and that the frame overlaps with it by half of their union.
    """

    photo_id: int
    region: Region
    tag: str
    confidence: float


def suggest_boxes(
    library: Library, *, tags: Collection[str] | None = None, allowed: NDArray[np.int64] | None = None
) -> Job[list[SuggestedBox]]:
    """Suggest boxes, at most one of a tag in a photo, most confident first; ties by photo and tag.

    Photos with a box of the tag get no other one. Nothing is saved.

    Parameters
    ----------
    library : Library
    tags : collection of str, optional
        Names of boxes to suggest; default: of all boxes.
    allowed : ndarray of int64, shape (n,), optional
        Photos that may get suggestions; default: all.

    Raises
    ------
    NothingToLearnError
        If no box is named by one of the tags.
    NoWindowsError
        If photos are not described for searches by a region.
    """
    learned = yield from learn_boxes(library, tags)
    descriptor = window_descriptor(library)
    store = library.codes.store(str(descriptor.key), descriptor.dimension)
    ids = np.sort(store.ids)
    if allowed is not None:
        ids = ids[np.isin(ids, allowed)]
    ids = ids[np.isin(ids, library.photos.ids("-missing"))]
    column = {name: j for j, name in enumerate(learned.names)}
    drawn = {(box.photo_id, column[box.tag]) for box in library.boxes.all() if box.tag in column}
    found: list[SuggestedBox] = []
    meter = Meter(Text("Suggesting boxes"), len(ids))
    yield meter.state()
    pause = job_pause()
    for start in range(0, len(ids), BLOCK):
        block = ids[start : start + BLOCK]
        block = block[~np.isin(block, store.missing(block))]
        pause()
        with one_thread():
            rows = windows_of(store, block).reshape(-1, WIDTH)
            scores = learned.detectors.scores(rows).reshape(len(block), len(WINDOWS), -1)
        best = scores.argmax(axis=1)
        sure = learned.confidence.confidences(scores.max(axis=1).astype(np.float64))
        for i, j in np.argwhere(sure >= LEAST).tolist():
            photo = int(block[i])
            if (photo, j) not in drawn:
                region = Region(*map(float, WINDOWS[best[i, j]]))
                found.append(SuggestedBox(photo, region, learned.names[j], float(sure[i, j])))
        yield meter.advance(len(block))
    return sorted(found, key=lambda one: (-one.confidence, one.photo_id, one.tag))


def refine_boxes(library: Library, found: Sequence[SuggestedBox]) -> Job[list[SuggestedBox]]:
    """Improve the frames of suggested boxes; photos are decoded, which takes about 50 ms each.

    Boxes of photos that cannot be read, or whose tag no longer names a box, are returned as they are.

    Returns
    -------
    list of SuggestedBox
        In the same order.

    Raises
    ------
    NothingToLearnError, NoWindowsError
        As for `suggest_boxes`.
    """
    learned = yield from learn_boxes(library)
    descriptor = window_descriptor(library)
    meter = Meter(Text("Improving suggested boxes"), len(found))
    yield meter.state()
    limits, seconds = descriptors.decode_limits(library), settings.SECONDS.get(library)
    paths = {photo.id: photo.path for photo in library.photos.get({one.photo_id for one in found})}
    refined = []
    for one in found:
        if one.tag in learned.names and one.photo_id in paths:
            try:
                image = decode_in_sandbox(paths[one.photo_id], side=WORKING_SIDE, limits=limits, seconds=seconds)
            except ImageError:
                refined.append(one)
                yield meter.advance()
                continue
            places = _around(one.region)
            rows = np.stack([descriptor.of_region(image, tuple(place)) for place in places.tolist()])
            rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
            scores = learned.detectors.scores(rows)[:, learned.names.index(one.tag)]
            one = one._replace(region=Region(*map(float, places[scores.argmax()])))
        refined.append(one)
        yield meter.advance()
    return refined


def _around(region: Region) -> NDArray[np.float64]:
    """Return the regions of the same size moved by up to a cell of the photo: float64 (n, 4)."""
    sides = np.array([region.x0, region.y0, region.x1, region.y1])
    steps = [(dx, dy, dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    places = sides + np.array(steps) / CELLS
    rounding = 1e-6
    inside = (places >= -rounding).all(axis=1) & (places <= 1 + rounding).all(axis=1)
    return np.clip(places[inside], 0, 1)
