# SPDX-License-Identifier: MIT
"""Find new photos that are unlike anything the user has tagged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import described_in, read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks

_STAGE: Final = Text("Comparing new photos with tagged ones")
_BLOCK: Final = 4096


def unlike(library: Library, ranker: Ranker, photo_ids: Iterable[int]) -> Job[NDArray[np.int64]]:
    """Find the photos that are unlike anything the user has tagged, without changing anything.

    These are the photos with a probability above .5 of being foreign, according to the model of Review and suggestions
    (`browser.operations.tagging.learn_tags`).

    Parameters
    ----------
    photo_ids : iterable of int
        For example the photos indexed last. Photos that are not described are ignored. A tagged photo is compared with
        the others.

    Returns
    -------
    ndarray of int64, shape (m,)
        Ascending; empty if no photo is tagged, or too few are (`learners.tags.confidence.foreign`).

    Raises
    ------
    OperationError
        As for `Ranker.gallery`.
    """
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    described = described_in(looks.row_table, np.unique(np.fromiter(photo_ids, np.int64)))
    if not len(described):
        return described
    try:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    except NothingToLearnError:
        return np.empty(0, np.int64)
    learned = yield from learn_tags(library, looks, annotated)

    def find(report: ProgressReport) -> NDArray[np.int64]:
        foreign = np.empty(len(described))
        for part in blocks(len(described), _BLOCK):
            foreign[part] = learned.confidences(described[part]).foreign
            report(part.stop / len(described))
        return described[foreign > 0.5]

    return (yield from in_thread(_STAGE, find, keeps=False))
