"""New photos that are unlike anything the user has tagged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import described_in
from focal_photos.browser.operations.tagging.learn_tags import looks_for_tags
from focal_photos.learners.core.arrays.distinct import without
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.tags.unlikeness import UNLIKE, Unlikeness

MOST_TAGGED: Final = 3000
"""Tagged photos that new ones are compared with, a seeded sample: the time grows with their number."""

_STAGE: Final = "Comparing new photos with tagged ones"
_BLOCK: Final = 4096


def unlike(
    library: Library, ranker: Ranker, photo_ids: Iterable[int], *, threshold: float = UNLIKE
) -> Job[NDArray[np.int64]]:
    """Find the photos that are unlike anything the user has tagged; nothing is changed.

    A photo is unlike when its conformal p-value (`learners.tags.unlikeness`) is below the threshold: it is farther from
    the tagged photos than all but this share of them are from one another. So of photos of tagged kinds about this
    share is found too, and below ``1 / threshold`` tagged photos none can be.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    photo_ids : iterable of int
        For example those that were indexed last. Photos that are not described are left out; tagged ones take no part
        in what they are compared with.
    threshold : float
        0..1.

    Yields
    ------
    Progress

    Returns
    -------
    ndarray of int64, shape (m,)
        Ascending; empty where no other photo is tagged.

    Raises
    ------
    OperationError
        As for `Ranker.gallery`.
    """
    looks = looks_for_tags(ranker, ranker.gallery())
    asked = described_in(looks.row_table, np.unique(np.fromiter(photo_ids, np.int64)))
    tagged = without(described_in(looks.row_table, library.photos.ids("tagged -missing")), asked)
    if len(tagged) > MOST_TAGGED:
        tagged = np.sort(np.random.default_rng(0).choice(tagged, MOST_TAGGED, replace=False))

    def find(report: ProgressReport) -> NDArray[np.int64]:
        known = Unlikeness().fit(looks.rows[looks.row_table[tagged]])
        p = np.empty(len(asked))
        for part in blocks(len(asked), _BLOCK):
            p[part] = known.p_values(known.of(looks.rows[looks.row_table[asked[part]]]))
            report(part.stop / len(asked))
        return asked[p < threshold]

    if not len(asked) or not len(tagged):
        return np.empty(0, np.int64)
    return (yield from in_thread(_STAGE, find, keeps=False))
