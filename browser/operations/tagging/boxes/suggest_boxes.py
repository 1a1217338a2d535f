"""Suggest boxes in other photos, learned from the boxes that the user named."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from contextlib import suppress
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import descriptors, settings
from focal_photos.browser.operations.jobs.pauses import job_pause
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.queries.by_region import window_descriptor
from focal_photos.browser.operations.ranking.queries.windows import unit_windows
from focal_photos.browser.operations.tagging.boxes.learn_boxes import (
    PLACES,
    LearnedBoxes,
    learn_boxes,
    sides,
)
from focal_photos.browser.operations.workers.sandbox import decode_in_sandbox
from focal_photos.features.decoding.limits import WORKING_SIDE, ImageError
from focal_photos.features.fitted.fisher_windows import CELLS
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.likely_frames import FITS, overlaps_of

LEAST: Final = 0.005
"""Minimum confidence of a suggested box."""

_SURE: Final = 1e-6

_SIDES: Final = (3, 4, 6, 8, 12)
_LONGEST: Final = 2
"""Sides of the rectangles of a refined frame in cells, and the longest one as a multiple of the other."""

_BLOCK: Final = 256  # photos whose windows are in memory at once, as float32: 8 MB


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

    A photo gets no box of a tag of which it has one, or which the user rejected for it. No box overlaps by half with a
    rejected one, or with a box of another tag, unless both tags name boxes at the same place in another photo. If a
    photo has a tag but no box of it, only the frame is uncertain. Nothing is saved.

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
    known = _Known.of(library, learned.names)
    found: list[SuggestedBox] = []
    meter = Meter(Text("Suggesting boxes"), len(ids))
    yield meter.state()
    pause = job_pause()
    for start in range(0, len(ids), _BLOCK):
        block = ids[start : start + _BLOCK]
        pause()
        here = block[~np.isin(block, store.missing(block))]  # a scan may have found an edited file
        if len(here):
            with one_thread():
                found += _suggested(learned, here, unit_windows(store, here), known)
        yield meter.advance(len(block))
    return sorted(found, key=lambda one: (-one.confidence, one.photo_id, one.tag))


class _Known(NamedTuple):
    """Boxes and tags that the user drew, gave and rejected, by photo id and column of the tag.

    Attributes
    ----------
    drawn : set
        There is a box, or the tag was rejected for the photo.
    refused : dict
        Rejected boxes.
    tagged : set
        The photo has the tag.
    boxes : dict
        Named boxes by photo.
    together : set
        Pairs of tags that name boxes at the same place in some photo.
    """

    names: Sequence[str]
    drawn: set[tuple[int, int]]
    refused: dict[tuple[int, int], list[Region]]
    tagged: set[tuple[int, int]]
    boxes: dict[int, list[Box]]
    together: set[frozenset[str]]

    def others(self, photo: int, j: int) -> list[Region]:
        """Return the boxes of a photo with other tags, unless these also name boxes with this tag."""
        of_photo = self.boxes.get(photo, [])
        return [box.region for box in of_photo if frozenset({str(box.tag), self.names[j]}) not in self.together]

    @classmethod
    def of(cls, library: Library, names: Sequence[str]) -> _Known:
        """Read them for some tags."""
        column = {name: j for j, name in enumerate(names)}
        boxes: dict[int, list[Box]] = {}
        for box in library.boxes.all():
            if box.tag:
                boxes.setdefault(box.photo_id, []).append(box)
        drawn = {(box.photo_id, column[box.tag]) for some in boxes.values() for box in some if box.tag in column}
        drawn |= {(photo, column[tag]) for photo, tag in library.suggestions.rejected_pairs() if tag in column}
        refused: dict[tuple[int, int], list[Region]] = {}
        for one in library.boxes.rejected():
            if one.tag in column:
                refused.setdefault((one.photo_id, column[one.tag]), []).append(one.region)
        photos = library.photos.ids("tagged -missing")
        matrix, every = library.tags.matrix(photos)
        rows, columns = matrix.nonzero()
        tagged = {
            (photo, column[every[j]])
            for photo, j in zip(photos[rows].tolist(), columns.tolist(), strict=True)
            if every[j] in column
        }
        together = {
            frozenset({str(one.tag), str(other.tag)})
            for some in boxes.values()
            for one, other in combinations(some, 2)
            if one.tag != other.tag and overlaps_of(_rows([one.region]), _rows([other.region]))[0, 0] >= FITS
        }
        return cls(names, drawn, refused, tagged, boxes, together)


def _suggested(
    learned: LearnedBoxes, ids: NDArray[np.int64], windows: NDArray[np.float32], known: _Known
) -> list[SuggestedBox]:
    """Return the suggested boxes of a block of photos (n,) with their windows (n, 55, 144)."""
    scores = learned.scores(windows)
    numbers = ids.tolist()
    for i, photo in enumerate(numbers):
        for j in range(len(learned.names)):
            barred = [*known.refused.get((photo, j), []), *known.others(photo, j)]
            scores[i, :, j] = _without(scores[i, :, j], PLACES, barred)
    by_photo: dict[int, list[SuggestedBox]] = {}
    shown = learned.confidence.shown((scores.max(axis=1) - learned.centers) / learned.spreads)
    for j, name in enumerate(learned.names):
        has = np.array([(photo, j) in known.tagged for photo in numbers])
        sure = np.where(has, 1.0, shown[:, j])
        rows = np.flatnonzero(sure >= LEAST)
        if not len(rows):
            continue
        frames = learned.frames.frames(scores[rows, :, j], PLACES, learned.sizes[j])
        sure = sure[rows] * learned.confidence.fitting(frames.fits)
        for i, place, confidence in zip(rows.tolist(), frames.rectangles, sure.tolist(), strict=True):
            pair = numbers[i], j
            if pair in known.drawn:
                continue
            refused = [*known.refused.get(pair, []), *known.others(numbers[i], j)]
            if not refused or not (overlaps_of(place[None], _rows(refused)) >= FITS).any():
                region = Region(*place.clip(0, 1).tolist())
                by_photo.setdefault(numbers[i], []).append(SuggestedBox(numbers[i], region, name, confidence))
    found = [one for of_photo in by_photo.values() for one in _one_name_for_a_place(of_photo, known.together)]
    return [one for one in found if one.confidence >= LEAST]


def _one_name_for_a_place(found: Sequence[SuggestedBox], together: Set[frozenset[str]]) -> list[SuggestedBox]:
    """Return the suggested boxes of a photo, with lower confidences where several tags compete for a place."""
    if len(found) < 2:
        return list(found)
    places = _rows([one.region for one in found])
    compete = overlaps_of(places, places) >= FITS
    sure = np.clip([one.confidence for one in found], 0.0, 1 - _SURE)
    odds = sure / (1 - sure)
    changed = []
    for i, one in enumerate(found):
        rivals = [k for k in np.flatnonzero(compete[i]).tolist() if k != i and {one.tag, found[k].tag} not in together]
        changed.append(one._replace(confidence=float(odds[i] / (1 + odds[i] + odds[rivals].sum()))))
    return changed


def _rows(regions: Sequence[Region]) -> NDArray[np.float64]:
    """Return the sides of regions: float64 (n, 4)."""
    return np.array([sides(region) for region in regions], np.float64).reshape(-1, 4)


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
    known = _Known.of(library, learned.names)
    limits, seconds = descriptors.decode_limits(library), settings.SECONDS.get(library)
    paths = {photo.id: photo.path for photo in library.photos.get({one.photo_id for one in found})}
    column = {name: j for j, name in enumerate(learned.names)}
    by_photo: dict[int, list[int]] = {}
    for place, one in enumerate(found):
        if one.photo_id in paths and one.tag in column:
            by_photo.setdefault(one.photo_id, []).append(place)
    refined = list(found)
    meter = Meter(Text("Improving suggested boxes"), len(by_photo))
    yield meter.state()
    pause = job_pause()
    for photo, places in by_photo.items():
        pause()
        with suppress(ImageError):
            image = decode_in_sandbox(paths[photo], side=WORKING_SIDE, limits=limits, seconds=seconds)
            with one_thread():
                rows = descriptor.of_rectangles(image, _CELLS)
                rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
                scores = learned.scores(rows[None])[0]
            for place in places:
                j = column[found[place].tag]
                barred = [*known.refused.get((photo, j), []), *known.others(photo, j)]
                allowed = _without(scores[:, j], _RECTANGLES, barred)
                frames = learned.frames.frames(allowed[None], _RECTANGLES, learned.sizes[j])
                region = Region(*frames.rectangles[0].clip(0, 1).tolist())
                refined[place] = found[place]._replace(region=region)
        yield meter.advance()
    return refined


def _without(scores: NDArray[np.float64], places: NDArray[np.float64], refused: list[Region]) -> NDArray[np.float64]:
    """Return scores (n,) of rectangles (n, 4) in which those near `refused` regions have the lowest score."""
    if not refused:
        return scores
    near = (overlaps_of(_rows(refused), places) >= FITS).any(axis=0)
    return np.where(near, scores.min(), scores)


def _rectangles() -> NDArray[np.intp]:
    """Return the rectangles of whole cells whose scores give a refined frame: intp (n, 4)."""
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
_RECTANGLES: Final = _CELLS / CELLS
