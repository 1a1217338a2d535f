# SPDX-License-Identifier: MIT
"""Guess the name of a box that the user has just drawn."""

from __future__ import annotations

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.queries.by_region import window_descriptor
from focal_photos.browser.operations.ranking.queries.windows import nearest_window, unit_windows
from focal_photos.browser.operations.tagging.boxes.exact_frames import describe_frames, exact_frames
from focal_photos.browser.operations.tagging.boxes.learn_boxes import LearnedBoxes, learn_boxes, sides
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.tags.tag_ridge import TagRidge

_STAGE: Final = Text("Comparing parts of photos")


def likely_name(library: Library, photo_id: int, region: Region) -> Job[str]:
    """Return the likeliest name of a region among those of the drawn boxes.

    The region is described exactly, like the drawn boxes that `suggest_boxes.refine_boxes` described, and classified by
    ridge regression. If the photo cannot be read, or a name has no such box, the window of the region decides.

    Raises
    ------
    NothingToLearnError, NoWindowsError
        As for `suggest_boxes.suggest_boxes`.
    UnknownPhotoError
        If the photo has left the library.
    """
    learned = yield from learn_boxes(library)
    if len(learned.names) == 1:
        return learned.names[0]
    boxes = [box for box in library.boxes.all() if box.tag and not box.uncertain]
    hashes = {
        photo.id: photo.content_hash for photo in library.photos.get({photo_id, *(box.photo_id for box in boxes)})
    }
    yield from describe_frames(library, learned.frames, [], [(hashes[photo_id], photo_id, "", sides(region))])
    exact = exact_frames(library)
    asked = exact.part(hashes[photo_id], "", sides(region))
    known = [
        (str(box.tag), part)
        for box in boxes
        if (part := exact.part(hashes[box.photo_id], str(box.tag), sides(box.region))) is not None
    ]
    if asked is None or len({name for name, _ in known}) < len(learned.names):
        return _by_window(library, learned, photo_id, region)

    def work(_report: ProgressReport) -> str:
        with one_thread():
            return _by_ridge(known, asked)

    return (yield from in_thread(_STAGE, work, keeps=False))


def _by_window(library: Library, learned: LearnedBoxes, photo_id: int, region: Region) -> str:
    descriptor = window_descriptor(library)
    store = library.codes.store(str(descriptor.key), descriptor.dimension)
    with one_thread():
        row = unit_windows(store, np.array([photo_id], np.int64))[:, [nearest_window(region)]]
        return learned.names[int(learned.scores(row)[0, 0].argmax())]


def _by_ridge(known: list[tuple[str, NDArray[np.float16]]], asked: NDArray[np.float16]) -> str:
    """Return the name with the highest score by ridge regression on the examples."""
    names, column = np.unique([name for name, _ in known], return_inverse=True)
    rows = np.stack([*(part for _, part in known), asked]).astype(np.float32)
    tags = scipy.sparse.csr_array((np.ones(len(known)), (np.arange(len(known)), column)))
    return str(names[int(TagRidge().fit(rows[:-1], tags).scores(rows[-1:]).tags[0].argmax())])
