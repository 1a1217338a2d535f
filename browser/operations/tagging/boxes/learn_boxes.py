"""Learn kinds of things from the boxes that the user named."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.queries.by_region import overlaps, window_descriptor
from focal_photos.browser.operations.tagging.annotated import some_of
from focal_photos.features.fitted.fisher_windows import WIDTH, WINDOWS
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.tags.confidence.part_confidence import PartConfidence
from focal_photos.learners.tags.shared_discriminants import SharedDiscriminants

FITS: Final = 0.5
"""Overlap (intersection over union) with the true box from which a frame fits."""

_SAMPLE: Final = 2000  # photos from which the background and the shares of kinds are learned
BLOCK: Final = 256  # photos whose windows are in memory at once, as float32: 8 MB


@dataclass(frozen=True, eq=False)
class LearnedBoxes:
    """Model of the named boxes.

    Attributes
    ----------
    names : list of str
        Names of the m tags.
    detectors : SharedDiscriminants
        Of windows, for the m tags.
    confidence : PartConfidence
    """

    names: list[str]
    detectors: SharedDiscriminants
    confidence: PartConfidence


_LEARNED: Final = CacheEntry[LearnedBoxes]("the model learned from the boxes")


def windows_of(store: CodeStore, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the windows of photos (n,), of unit length: float32 (n, 55, 144); 0 without points."""
    rows = store.rows(ids).view(np.int8).reshape(len(ids), len(WINDOWS), WIDTH).astype(np.float32)
    lengths = np.sqrt(np.einsum("nwd,nwd->nw", rows, rows))
    rows /= np.maximum(lengths, 1.0)[:, :, None]
    return rows


def learn_boxes(library: Library, tags: Collection[str] | None = None) -> Job[LearnedBoxes]:
    """Learn kinds of things from named boxes; the last model is cached until something changes.

    Each box stands for the window that overlaps most with it, so that no photo has to be decoded.

    Parameters
    ----------
    library : Library
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
    boxes = [
        box for box in library.boxes.all() if box.tag and not box.uncertain and (tags is None or box.tag in set(tags))
    ]
    here = set(ids[np.isin(ids, [box.photo_id for box in boxes])].tolist())
    boxes = [box for box in boxes if box.photo_id in here]
    if not boxes:
        raise NothingToLearnError("No box is named yet: draw boxes on a few photos and name them by a tag.")
    stamp = (store.print(), tuple((box.photo_id, box.region, box.tag) for box in boxes))
    before = library.cache.get(_LEARNED, stamp)
    if before is not None:
        return before
    learned = yield from in_thread(
        Text("Learning from your boxes"), lambda report: _learn(store, ids, boxes, report), keeps=False
    )
    library.cache.put(_LEARNED, stamp, learned)
    return learned


def _learn(store: CodeStore, ids: NDArray[np.int64], boxes: Sequence[Box], report: ProgressReport) -> LearnedBoxes:
    names = sorted({box.tag for box in boxes if box.tag})
    photos = np.unique([box.photo_id for box in boxes])
    sample = some_of(ids[~np.isin(ids, photos)], _SAMPLE)
    background = windows_of(store, sample if len(sample) else photos).reshape(-1, WIDTH)
    report(0.3)
    own = windows_of(store, photos)
    row = {photo: i for i, photo in enumerate(photos.tolist())}
    of_photo = np.array([row[box.photo_id] for box in boxes])
    kinds = np.array([names.index(str(box.tag)) for box in boxes])
    near = np.stack([overlaps(box.region) for box in boxes])
    examples = own[of_photo, near.argmax(axis=1)]
    detectors = SharedDiscriminants().fit(background, examples, kinds)
    report(0.6)
    scores = np.asarray(detectors.scores(own.reshape(-1, WIDTH))).reshape(len(photos), len(WINDOWS), -1)
    shown, absent, fits = [], [], []
    for kind in range(len(names)):
        carriers = np.unique(of_photo[kinds == kind])
        others = np.setdiff1d(np.arange(len(photos)), carriers)
        absent += scores[others, :, kind].max(axis=1).tolist()
        for photo in carriers.tolist() if len(carriers) > 1 else ():
            rest = examples[(kinds == kind) & (of_photo != photo)]
            found = detectors.scores_like(own[photo], rest)
            shown.append(float(found.max()))
            fits.append(bool((near[(kinds == kind) & (of_photo == photo), found.argmax()] >= FITS).any()))
    best = np.empty((len(sample), len(names)))
    for part in blocks(len(sample), BLOCK):
        windows = background.reshape(-1, len(WINDOWS), WIDTH)[part]
        best[part] = detectors.scores(windows.reshape(-1, WIDTH)).reshape(len(windows), len(WINDOWS), -1).max(axis=1)
        report(0.6 + 0.4 * part.stop / len(sample))
    confidence = PartConfidence().fit(
        np.array(shown, np.float64), np.array(absent, np.float64), np.array(fits, bool), best
    )
    return LearnedBoxes(names, detectors, confidence)
