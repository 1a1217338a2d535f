# SPDX-License-Identifier: MIT
"""Learn kinds of things from the boxes that the user named."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.queries.by_region import window_descriptor
from focal_photos.browser.operations.ranking.queries.windows import unit_windows
from focal_photos.browser.operations.tagging.annotated import some_of
from focal_photos.features.fitted.fisher_windows import WIDTH, WINDOWS
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.confidence.part_confidence import PartConfidence, lower_half
from focal_photos.learners.tags.likely_frames import FITS, LikelyFrames, SizePrior, overlaps_of, size_prior
from focal_photos.learners.tags.shared_discriminants import SharedDiscriminants

_SAMPLE: Final = 500  # photos without boxes, from which the background and the shares of kinds are learned
_SAMPLED_PHOTOS: Final = 60  # photos without boxes of which a part is described exactly if there is one tag only
_LEFT_OUT: Final = 40  # boxes of each kind that are left out in turn
_REGULARIZATION: Final = 2.0
_AGAIN, _OF_AGAIN = 0.05, 10.0  # share of photos that show another thing of a kind, before any is seen; its weight

PLACES: Final = WINDOWS.astype(np.float64)
"""Left, top, right and bottom of the windows: float64 (55, 4)."""

Floats = NDArray[np.float64]


class LeftOut(NamedTuple):
    """A named box, as a model learned without its photo sees it."""

    photo_id: int
    kind: int
    place: Floats
    """The frame that this model suggests in the photo; shape (4,)."""
    weights: Floats
    """Shape (144,)."""
    offset: float
    """Of its detector; see `SharedDiscriminants`."""
    sizes: SizePrior


@dataclass(frozen=True, eq=False)
class LearnedBoxes:
    """Model of the named boxes."""

    names: list[str]
    """Names of the m tags."""
    detectors: SharedDiscriminants
    """Of windows, for the m tags."""
    centers: Floats
    spreads: Floats
    """`centers` and `spreads`: middle and standard deviation of the best scores of photos that do not show the thing;
    shape (m,)."""
    frames: LikelyFrames
    sizes: list[SizePrior]
    """Sizes of the boxes of each tag."""
    again: float
    """Probability that a photo with a box of a tag shows another such thing."""
    left_out: list[LeftOut]
    """Boxes of tags that have boxes in other photos, too; at most `_LEFT_OUT` of each."""
    others: list[int]
    """Some photos without boxes."""
    confidence: PartConfidence

    def scores(self, rows: NDArray[np.float32]) -> Floats:
        """Return the scores (q, r, m) of windows or other rectangles (q, r, 144) of unit length."""
        found = self.detectors.scores(rows.reshape(-1, WIDTH)).reshape(*rows.shape[:2], len(self.names))
        return found.astype(np.float64)


class _Boxes(NamedTuple):
    """Named boxes: rows of their photos, kinds, and places (s, 4)."""

    photo: NDArray[np.intp]
    kind: NDArray[np.intp]
    places: Floats


_LEARNED: Final = CacheEntry[LearnedBoxes]("the model learned from the boxes")


def sides(region: Region) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom."""
    return region.x0, region.y0, region.x1, region.y1


def learn_boxes(library: Library, tags: Collection[str] | None = None) -> Job[LearnedBoxes]:
    """Learn kinds of things from named boxes; the last model is cached until something changes.

    Each box is represented by the window that overlaps most with it, so that no photo has to be decoded. Boxes of
    photos that were edited to another size since do not count.

    Parameters
    ----------
    tags : collection of str, optional
        Names of boxes to learn; default: all.

    Raises
    ------
    NothingToLearnError
        If no box is named by one of the tags.
    NoWindowsError
        If photos are not described for searches by a region.
    """
    descriptor = window_descriptor(library)
    store = library.codes.store(str(descriptor.key), descriptor.dimension)
    ids = np.sort(store.ids)
    every = [box for box in library.boxes.all() if box.tag and not box.uncertain]
    chosen = [box for box in every if tags is None or box.tag in set(tags)]
    here = set(ids[np.isin(ids, [box.photo_id for box in chosen])].tolist())
    chosen = [box for box in chosen if box.photo_id in here]
    if not chosen:
        raise NothingToLearnError("No box is named yet: draw boxes on a few photos and name them by a tag.")
    refused = sorted({(one.photo_id, one.tag) for one in library.boxes.rejected()})
    stamp = (store.print(), tuple((box.photo_id, box.region, box.tag) for box in chosen), tuple(refused))
    before = library.cache.get(_LEARNED, stamp)
    if before is not None:
        return before
    names = sorted({str(box.tag) for box in chosen})
    column = {name: kind for kind, name in enumerate(names)}
    photos = np.unique([box.photo_id for box in chosen])
    without = np.unique([photo for photo, tag in refused if tag in column])
    boxes = _Boxes(
        np.searchsorted(photos, [box.photo_id for box in chosen]),
        np.array([column[str(box.tag)] for box in chosen], np.intp),
        np.array([sides(box.region) for box in chosen], np.float64),
    )
    drawn = np.unique([box.photo_id for box in every])

    def learn(report: ProgressReport) -> LearnedBoxes:
        sample = some_of(ids[~np.isin(ids, drawn)], _SAMPLE)
        with one_thread():
            own = unit_windows(store, photos)
            background = unit_windows(store, sample) if len(sample) > 1 else own
            asked = unit_windows(store, ids[np.isin(ids, without)])
        row = {photo: i for i, photo in enumerate(ids[np.isin(ids, without)].tolist())}
        pairs = np.array([(row[p], column[t]) for p, t in refused if p in row and t in column], np.intp).reshape(-1, 2)
        plain = some_of(sample, _SAMPLED_PHOTOS).tolist()
        return _learn(names, photos, boxes, own, background, asked, pairs, plain, report)

    learned = yield from in_thread(Text("Learning from your boxes"), learn, keeps=False)
    library.cache.put(_LEARNED, stamp, learned)
    return learned


def _learn(
    names: list[str],
    photos: NDArray[np.int64],
    boxes: _Boxes,
    own: NDArray[np.float32],
    background: NDArray[np.float32],
    asked: NDArray[np.float32],
    refused: NDArray[np.intp],
    plain: list[int],
    report: ProgressReport,
) -> LearnedBoxes:
    """Learn from the windows of photos with boxes, without, and with rejections `refused`: (rows of `asked`, tags)."""
    near = overlaps_of(boxes.places, PLACES)
    examples = own[boxes.photo, near.argmax(axis=1)]
    flat = background.reshape(-1, WIDTH)
    detectors = SharedDiscriminants(_REGULARIZATION).fit(flat, examples, boxes.kind)
    report(0.1)
    best = _best(detectors, background)
    centers, spreads = lower_half(best)
    scores, overlaps, sizes, shown, left_out, detected = [], [], [], [], [], []
    turns = [one for kind in range(len(names)) for one in some_of(np.flatnonzero(boxes.kind == kind), _LEFT_OUT)]
    for number, one in enumerate(turns):
        photo, kind = boxes.photo[one], boxes.kind[one]
        others = boxes.photo != photo
        alike = others & (boxes.kind == kind)
        if alike.any():
            with one_thread():
                score = detectors.scores_like(own[photo], examples[alike]).astype(np.float64)
                usual = detectors.scores_like(flat, examples[alike]).reshape(len(background), -1).max(axis=1)
            center, spread = lower_half(usual.astype(np.float64))
            scores.append(score)
            overlaps.append(near[one])
            sizes.append(size_prior(boxes.places[alike], boxes.places[others]))
            shown.append(float((score.max() - center) / spread))
            left_out.append(one)
            detected.append(detectors.weights_like(examples[alike]))
        report(0.1 + 0.8 * (number + 1) / len(turns))
    frames = LikelyFrames().fit(scores, overlaps, PLACES, sizes)
    predicted, fits, held_out = [], [], []
    for one, score, prior, (weights, offset) in zip(left_out, scores, sizes, detected, strict=True):
        found = frames.frames(score[None], PLACES, prior)
        photo_id, kind = int(photos[boxes.photo[one]]), int(boxes.kind[one])
        held_out.append(LeftOut(photo_id, kind, found.rectangles[0], weights, offset, prior))
        same = (boxes.photo == boxes.photo[one]) & (boxes.kind == boxes.kind[one])
        predicted.append(float(found.fits[0]))
        fits.append(bool((overlaps_of(found.rectangles, boxes.places[same]) >= FITS).any()))
    absent = np.ones((len(own), len(names)), np.bool_)
    absent[boxes.photo, boxes.kind] = False
    missing = [((_best(detectors, own) - centers) / spreads)[absent]]
    if len(refused):
        missing.append(((_best(detectors, asked) - centers) / spreads)[refused[:, 0], refused[:, 1]])
    confidence = PartConfidence().fit(
        np.array(shown, np.float64),
        np.concatenate(missing),
        np.array(predicted, np.float64),
        np.array(fits, np.bool_),
        (best - centers) / spreads if background is not own else np.empty((0, len(names))),
    )
    of_kinds = [size_prior(boxes.places[boxes.kind == kind], boxes.places) for kind in range(len(names))]
    pairs = len(np.unique(boxes.photo * len(names) + boxes.kind))
    again = (len(boxes.kind) - pairs + _AGAIN * _OF_AGAIN) / (len(boxes.kind) + _OF_AGAIN)
    return LearnedBoxes(names, detectors, centers, spreads, frames, of_kinds, again, held_out, plain, confidence)


def _best(detectors: SharedDiscriminants, windows: NDArray[np.float32]) -> Floats:
    """Return the best score of each photo for each kind: float64 (n, m)."""
    with one_thread():
        found = detectors.scores(windows.reshape(-1, WIDTH)).reshape(*windows.shape[:2], -1).max(axis=1)
    return np.asarray(found, np.float64)
