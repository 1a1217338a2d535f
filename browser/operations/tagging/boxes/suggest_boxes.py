# SPDX-License-Identifier: MIT
"""Suggest boxes in other photos, learned from the boxes that the user named."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import astuple
from itertools import combinations, zip_longest
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.pauses import job_pause
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.queries.by_region import window_descriptor
from focal_photos.browser.operations.ranking.queries.windows import unit_windows
from focal_photos.browser.operations.tagging.annotated import some_of
from focal_photos.browser.operations.tagging.boxes.exact_frames import (
    Candidate,
    describe_frames,
    exact_frames,
)
from focal_photos.browser.operations.tagging.boxes.learn_boxes import (
    PLACES,
    LearnedBoxes,
    learn_boxes,
    sides,
)
from focal_photos.browser.operations.tagging.boxes.rate_frames import Example, rate_frames
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.likely_frames import FITS, overlaps_of

MIN_CONFIDENCE: Final = 0.005
"""Minimum confidence of a suggested box."""

_MIN_ANOTHER_PROBABILITY: Final = 0.02
"""Minimum probability that a photo shows another thing of a kind; it exceeds that of a photo like all others."""

MAX_PER_TAG: Final = 3
"""Largest number of suggested boxes of a tag in a photo."""

_MAX_OVERLAP: Final = 0.5
"""Share of the smaller of two rectangles; if more of it is in the other, they show the same thing."""

_MIN_DOUBT: Final = 1e-6

EXACTLY_DESCRIBED: Final = 60
"""Number of the most confident suggestions of a tag that are described exactly."""

_OF_TAGGED: Final = 0.5  # share of suggestions that are right in photos with the tag but without a box of it

_LEARNED_FROM: Final = 40  # drawn boxes of a tag that are described exactly

_BLOCK: Final = 256  # photos whose windows are in memory at once, as float32: 8 MB


class SuggestedBox(NamedTuple):
    """A box that Focal suggests."""

    photo_id: int
    region: Region
    tag: str
    """Name for the box."""
    confidence: float
    """0..1, probability that the photo shows such a thing and that the frame overlaps with it by half of their
    union."""


def suggest_boxes(
    library: Library,
    *,
    tags: Collection[str] | None = None,
    allowed: NDArray[np.int64] | None = None,
    min_confidence: float = MIN_CONFIDENCE,
) -> Job[list[SuggestedBox]]:
    """Suggest boxes, at most `MAX_PER_TAG` of a tag in a photo, most confident first; ties by photo and tag.

    A photo gets no box of a tag that the user rejected for it, nor if it alone has boxes of the tag. Boxes of a tag do
    not overlap with each other, nor with drawn ones, by half of the smaller. No box overlaps by half of the union with
    a rejected one, or with a box of another tag, unless both tags name boxes at the same place in another photo. If a
    photo has a tag but no box of it, only the frame of the first is uncertain. Suggestions that were described exactly
    before (`suggest_exactly`, `refine_boxes`) have better frames and confidences. Nothing is saved.

    Parameters
    ----------
    tags : collection of str, optional
        Names of boxes to suggest; default: of all boxes.
    allowed : ndarray of int64, shape (n,), optional
        Photos that may get suggestions; default: all.
    min_confidence : float
        Minimum confidence, above 0.

    Raises
    ------
    NothingToLearnError
        If no box is named by one of the tags.
    NoWindowsError
        If photos are not described for searches by a region.
    """
    learned, known, found = yield from _by_windows(library, tags, allowed, min_confidence)
    return (yield from _rated(library, learned, known, found, min_confidence))


def suggest_exactly(
    library: Library, *, tags: Collection[str] | None = None, allowed: NDArray[np.int64] | None = None
) -> Job[list[SuggestedBox]]:
    """Suggest boxes as `suggest_boxes` does, after describing the `EXACTLY_DESCRIBED` likeliest of each tag."""
    learned, known, found = yield from _by_windows(library, tags, allowed)
    by_tag = [sorted((one for one in found if one.tag == tag), key=_order)[:EXACTLY_DESCRIBED] for tag in learned.names]
    turns = [one for some in zip_longest(*by_tag) for one in some if one is not None]
    yield from _describe(library, learned, known, turns)
    return (yield from _rated(library, learned, known, found))


def _by_windows(
    library: Library,
    tags: Collection[str] | None,
    allowed: NDArray[np.int64] | None,
    min_confidence: float = MIN_CONFIDENCE,
) -> Job[tuple[LearnedBoxes, _UserBoxes, list[SuggestedBox]]]:
    """Return the suggestions of the windows alone, which do not compete for places yet."""
    learned = yield from learn_boxes(library, tags)
    descriptor = window_descriptor(library)
    store = library.codes.store(str(descriptor.key), descriptor.dimension)
    ids = np.sort(store.ids)
    if allowed is not None:
        ids = ids[np.isin(ids, allowed)]
    ids = ids[np.isin(ids, library.photos.ids("-missing"))]
    known = _UserBoxes.of(library, learned.names)
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
                found += _suggested(learned, here, unit_windows(store, here), known, min_confidence)
        yield meter.advance(len(block))
    return learned, known, found


def _order(one: SuggestedBox) -> tuple[float, int, str]:
    return -one.confidence, one.photo_id, one.tag


def _hashes(library: Library, photo_ids: Collection[int]) -> dict[int, str]:
    return {photo.id: photo.content_hash for photo in library.photos.get(sorted(photo_ids))}


def _describe(library: Library, learned: LearnedBoxes, known: _UserBoxes, found: Sequence[SuggestedBox]) -> Job[None]:
    """Describe suggested frames exactly, after the boxes that they are compared with."""
    ids = {one.photo_id for one in found} | {one.photo_id for one in learned.left_out} | {*_others(learned)}
    hashes = _hashes(library, ids | {photo for photo, _ in known.drawn})
    column = {name: j for j, name in enumerate(learned.names)}
    boxes = [
        (hashes[photo], photo, learned.names[j], sides(region))
        for photo, j, region in known.sample()
        if photo in hashes
    ]
    boxes += [(hashes[photo], photo, "", place) for photo, place in _others(learned).items() if photo in hashes]
    nothing = np.zeros((0, 4))
    candidates = [
        Candidate(
            hashes[box.photo_id],
            box.photo_id,
            learned.names[box.kind],
            _sides_of(box.place),
            box.weights,
            box.offset,
            box.sizes,
            nothing,
        )
        for box in learned.left_out
        if box.photo_id in hashes
    ]
    for one in found:
        if one.photo_id in hashes and one.tag in column:
            j = column[one.tag]
            barred = _rows(known.barred(one.photo_id, j))
            of_kind = learned.detectors.weights_[j], float(learned.detectors.offsets_[j]), learned.sizes[j]
            candidates.append(
                Candidate(hashes[one.photo_id], one.photo_id, one.tag, sides(one.region), *of_kind, barred)
            )
    yield from describe_frames(library, learned.frames, candidates, boxes)


def _others(learned: LearnedBoxes) -> dict[int, tuple[float, float, float, float]]:
    """Return a window of some photos without boxes if there is one tag only."""
    if len(learned.names) > 1:
        return {}
    return {photo: _sides_of(PLACES[1 + photo % (len(PLACES) - 1)]) for photo in learned.others}


def _rated(
    library: Library,
    learned: LearnedBoxes,
    known: _UserBoxes,
    found: Sequence[SuggestedBox],
    min_confidence: float = MIN_CONFIDENCE,
) -> Job[list[SuggestedBox]]:
    """Return suggestions with improved frames and confidences where they are described; those of a place compete."""
    exact = exact_frames(library)
    column = {name: j for j, name in enumerate(learned.names)}
    refused = [(photo, j, region) for (photo, j), some in known.refused.items() for region in some]
    hashes = _hashes(library, exact.ids)
    of_found = [exact.frame(hashes.get(one.photo_id, ""), one.tag, sides(one.region)) for one in found]
    places = [place for place, frame in enumerate(of_found) if frame is not None]
    drawn = [
        Example(photo, j, vector)
        for photo, j, region in known.sample()
        if photo in hashes and (vector := exact.part(hashes[photo], learned.names[j], sides(region))) is not None
    ]
    held_out = []
    for box in learned.left_out:
        here = exact.frame(hashes.get(box.photo_id, ""), learned.names[box.kind], _sides_of(box.place))
        if here is not None:
            true = _rows(known.drawn.get((box.photo_id, box.kind), []))
            fits = bool((overlaps_of(here.place[None], true) >= FITS).any())
            held_out.append(Example(box.photo_id, box.kind, here.vector, fits))
    wrong = [
        Example(photo, j, here.vector)
        for photo, j, region in refused
        for here in exact.found.get((hashes.get(photo, ""), learned.names[j]), [])
        if overlaps_of(here.place[None], _rows([region]))[0, 0] >= FITS
    ]
    parts = (exact.part(hashes.get(photo, ""), "", place) for photo, place in _others(learned).items())
    background = [part for part in parts if part is not None]
    candidates, shares = [], []
    for place in places:
        one, frame = found[place], of_found[place]
        assert frame is not None
        j = column[one.tag]
        candidates.append(Example(one.photo_id, j, frame.vector))
        has_box, has_tag = (one.photo_id, j) in known.drawn, (one.photo_id, j) in known.tagged
        shares.append(learned.again if has_box else _OF_TAGGED if has_tag else None)
    rated = list(found)
    if places:

        def rate(_report: ProgressReport) -> NDArray[np.float64] | None:
            return rate_frames(drawn, held_out, wrong, candidates, shares, background)

        sure = yield from in_thread(Text("Comparing parts of photos"), rate, keeps=False)
        for number, place in enumerate(places):
            frame = of_found[place]
            assert frame is not None
            rated[place] = found[place]._replace(region=Region(*frame.place.tolist()))
            if sure is not None and np.isfinite(sure[number]):
                rated[place] = rated[place]._replace(confidence=float(sure[number]))
    by_photo: dict[int, list[SuggestedBox]] = {}
    for one in sorted(rated, key=_order):
        pair = one.photo_id, column[one.tag]
        others = [other.region for other in by_photo.get(one.photo_id, []) if other.tag == one.tag]
        taken = _rows([*others, *known.drawn.get(pair, [])])
        if not len(taken) or _inside(_rows([one.region]), taken)[0] < _MAX_OVERLAP:
            by_photo.setdefault(one.photo_id, []).append(one)
    left = [one for of_photo in by_photo.values() for one in _one_name_for_a_place(of_photo, known.together)]
    return sorted((one for one in left if one.confidence >= min_confidence), key=_order)


def _sides_of(place: NDArray[np.float64]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = place.tolist()
    return x0, y0, x1, y1


class _UserBoxes(NamedTuple):
    """Boxes and tags that the user drew, gave and rejected, by photo id and column of the tag."""

    names: Sequence[str]
    drawn: dict[tuple[int, int], list[Region]]
    """Boxes."""
    closed: set[tuple[int, int]]
    """The tag was rejected for the photo."""
    refused: dict[tuple[int, int], list[Region]]
    """Rejected boxes."""
    tagged: set[tuple[int, int]]
    """The photo has the tag."""
    boxes: dict[int, list[Box]]
    """Named boxes by photo."""
    together: set[frozenset[str]]
    """Pairs of tags that name boxes at the same place in some photo."""

    def barred(self, photo: int, j: int) -> list[Region]:
        """Return the rejected boxes, and those with tags that do not name boxes together with this one."""
        name = self.names[j]
        others = [box for box in self.boxes.get(photo, []) if box.tag != name]
        bars = [box.region for box in others if frozenset({str(box.tag), name}) not in self.together]
        return [*self.refused.get((photo, j), []), *bars]

    def sample(self) -> list[tuple[int, int, Region]]:
        """Return photo, column and region of at most `_LEARNED_FROM` drawn boxes of each tag."""
        found: list[tuple[int, int, Region]] = []
        for j in range(len(self.names)):
            some = sorted((photo, astuple(one)) for (photo, k), boxes in self.drawn.items() if k == j for one in boxes)
            chosen = some_of(np.arange(len(some)), _LEARNED_FROM).tolist()
            found += [(some[at][0], j, Region(*some[at][1])) for at in chosen]
        return found

    @classmethod
    def of(cls, library: Library, names: Sequence[str]) -> _UserBoxes:
        """Read them for some tags."""
        column = {name: j for j, name in enumerate(names)}
        boxes: dict[int, list[Box]] = {}
        for box in library.boxes.all():
            if box.tag:
                boxes.setdefault(box.photo_id, []).append(box)
        drawn: dict[tuple[int, int], list[Region]] = {}
        for box in library.boxes.all():
            if box.tag in column:
                drawn.setdefault((box.photo_id, column[box.tag]), []).append(box.region)
        closed = {(photo, column[tag]) for photo, tag in library.suggestions.rejected_pairs() if tag in column}
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
        return cls(names, drawn, closed, refused, tagged, boxes, together)


def _suggested(
    learned: LearnedBoxes,
    ids: NDArray[np.int64],
    windows: NDArray[np.float32],
    known: _UserBoxes,
    min_confidence: float,
) -> list[SuggestedBox]:
    """Return the suggested boxes of a block of photos (n,) with their windows (n, 55, 144)."""
    scores = learned.scores(windows)
    numbers = ids.tolist()
    barred = {
        (i, j): some for i, p in enumerate(numbers) for j in range(len(known.names)) if (some := known.barred(p, j))
    }
    for (i, j), some in barred.items():
        scores[i, :, j] = _without(scores[i, :, j], PLACES, some)
    by_photo: dict[int, list[SuggestedBox]] = {}
    for j, name in enumerate(learned.names):
        with_box = {photo for photo, kind in known.drawn if kind == j}
        # Next to the only examples, everything resembles them.
        alone = with_box if len(with_box) == 1 else set()
        rows = np.flatnonzero([(photo, j) not in known.closed and photo not in alone for photo in numbers])
        taken = {i: known.drawn[numbers[i], j] for i in rows.tolist() if (numbers[i], j) in known.drawn}
        sure = np.ones(len(rows))
        for _ in range(MAX_PER_TAG):
            another = np.array([i in taken for i in rows.tolist()], np.bool_)
            here = scores[rows, :, j]
            for at in np.flatnonzero(another).tolist():
                here[at, _inside(PLACES, _rows(taken[int(rows[at])])) >= _MAX_OVERLAP] = -np.inf
            best = here.max(axis=1, initial=-np.inf)
            shares = np.where(another, learned.again, learned.confidence.shares_[j])
            shown = learned.confidence.shown((best - learned.centers[j]) / learned.spreads[j], shares)
            has = np.array([(numbers[i], j) in known.tagged for i in rows.tolist()], np.bool_)
            sure = np.where(np.isfinite(best), sure * np.where(has & ~another, 1.0, shown), 0.0)
            kept = (sure >= min_confidence) & (~another | (shown >= _MIN_ANOTHER_PROBABILITY))
            rows, sure = rows[kept], sure[kept]
            if not len(rows):
                break
            frames = learned.frames.frames(here[kept], PLACES, learned.sizes[j])
            fitting = sure * learned.confidence.fitting(frames.fits)
            # Unlikely boxes are suggested only in photos without one of the tag.
            fitting[another[kept] & (fitting < MIN_CONFIDENCE)] = 0.0
            for i, place, confidence in zip(rows.tolist(), frames.rectangles, fitting.tolist(), strict=True):
                region = Region(*place.clip(0, 1).tolist())
                taken[i] = [*taken.get(i, []), region]
                some = barred.get((i, j), [])
                if not some or not (overlaps_of(place[None], _rows(some)) >= FITS).any():
                    by_photo.setdefault(numbers[i], []).append(SuggestedBox(numbers[i], region, name, confidence))
    return [one for of_photo in by_photo.values() for one in of_photo if one.confidence >= min_confidence]


def _one_name_for_a_place(found: Sequence[SuggestedBox], together: Set[frozenset[str]]) -> list[SuggestedBox]:
    """Return the suggested boxes of a photo, with lower confidences where several tags compete for a place."""
    if len(found) < 2:
        return list(found)
    places = _rows([one.region for one in found])
    compete = overlaps_of(places, places) >= FITS
    sure = np.clip([one.confidence for one in found], 0.0, 1 - _MIN_DOUBT)
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
    """Improve the frames of suggested boxes; photos are decoded by workers, about 100 ms of a core each.

    Boxes of photos that cannot be read, or whose tag no longer names a box, are returned unchanged. Later suggestions
    use the descriptions made here.

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
    known = _UserBoxes.of(library, learned.names)
    yield from _describe(library, learned, known, found)
    exact, hashes = exact_frames(library), _hashes(library, {one.photo_id for one in found})
    refined = []
    for one in found:
        frame = exact.frame(hashes.get(one.photo_id, ""), one.tag, sides(one.region))
        refined.append(one if frame is None else one._replace(region=Region(*frame.place.tolist())))
    return refined


def _without(scores: NDArray[np.float64], places: NDArray[np.float64], refused: list[Region]) -> NDArray[np.float64]:
    """Return scores (n,) of rectangles (n, 4) in which those near `refused` regions have the lowest score."""
    if not refused:
        return scores
    near = (overlaps_of(_rows(refused), places) >= FITS).any(axis=0)
    return np.where(near, scores.min(), scores)


def _inside(some: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest intersection of each rectangle (n, 4) with others (m, 4), as a share of the smaller: (n,)."""
    low, high = np.maximum(some[:, None, :2], others[:, :2]), np.minimum(some[:, None, 2:], others[:, 2:])
    areas = [(each[:, 2:] - each[:, :2]).prod(axis=1) for each in (some, others)]
    shared = np.clip(high - low, 0, None).prod(axis=2)
    return np.asarray((shared / np.minimum(areas[0][:, None], areas[1])).max(axis=1), np.float64)
