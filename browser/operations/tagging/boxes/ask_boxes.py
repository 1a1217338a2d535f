# SPDX-License-Identifier: MIT
"""Choose the boxes to ask about next: drawn ones without a name, or else suggested ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.queries.by_region import window_store
from focal_photos.browser.operations.ranking.queries.described_boxes import DescribedBoxes, described_boxes, window_rows
from focal_photos.browser.operations.tagging.annotated import some_of
from focal_photos.browser.operations.tagging.boxes.suggest_boxes import SuggestedBox, suggest_boxes
from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods
from focal_photos.browser.operations.tagging.review.ask_next import CANDIDATES, MIN_TAGGED, choose
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import row_gallery
from focal_photos.learners.tags.tag_ridge import TagRidge

_STAGE: Final = Text("Finding the next question")
_NAMED: Final = 3000  # named boxes that are compared with candidates, and learned from

AskedBox = Box | SuggestedBox
"""A drawn box without a name, or a suggested one."""


def ask_about_boxes(
    library: Library, count: int = 10, *, scope: QuestionScope = EVERYTHING
) -> Job[dict[int, AskedBox]]:
    """Choose boxes as `ask_next` chooses photos: drawn ones without a name, or suggested ones if there are none.

    With at least `MIN_TAGGED` named boxes, drawn boxes count more the closer their two best names are. Suggested boxes
    count more the closer their confidence is to one half. No photo is decoded.

    Parameters
    ----------
    count : int
        Maximum number of boxes.
    scope : QuestionScope
        Limits the photos of the boxes.

    Returns
    -------
    dict of int to Box or SuggestedBox
        Boxes by item (`catalog.facts.learning.items`), most informative first. Suggested boxes get numbers that no
        drawn box has.

    Raises
    ------
    NothingToLearnError
        If no box has a name, and all have one.
    NoWindowsError
        If photos are not described for searches by a region.
    """

    def read(_report: ProgressReport) -> tuple[DescribedBoxes, NDArray[np.bool_]]:
        found = described_boxes(library)
        photos = np.array([box.photo_id for box in found.boxes], np.int64)
        open_ = np.array([box.tag is None for box in found.boxes], np.bool_)
        return found, open_ & np.isin(photos, scope.within(np.unique(photos)))

    described, open_ = yield from in_thread(_STAGE, read, keeps=False)
    candidates: Sequence[AskedBox] = [box for box, asked in zip(described.boxes, open_.tolist(), strict=True) if asked]
    items, rows = described.items[open_], described.rows[open_]
    if not candidates:
        suggested = yield from suggest_boxes(library, allowed=scope.photo_ids)
        candidates = sorted(suggested, key=lambda one: abs(one.confidence - 0.5))[:CANDIDATES]
        last = max((box.id for box in library.boxes.all()), default=0)
        items = np.array([item_of(last + 1 + number) for number in range(len(candidates))], np.int64)

    def work(report: ProgressReport) -> list[int]:
        asked = rows if len(rows) else window_rows(window_store(library), candidates)
        of_named = [row for row, box in enumerate(described.boxes) if box.tag and described.rows[row].any()]
        of_named = [of_named[place] for place in some_of(np.arange(len(of_named)), _NAMED).tolist()]
        some = some_of(np.flatnonzero(asked.any(axis=1)), CANDIDATES)
        ids = np.concatenate([items[some], described.items[of_named]])
        every = np.concatenate([asked[some], described.rows[of_named]])
        order = np.argsort(ids)
        if not len(some):
            return []
        with one_thread():
            graph = build(row_gallery(None, every[order]), progress=report)
            scores = _scores([candidates[row] for row in some.tolist()], asked[some], described, of_named)
        by_id = np.argsort(items[some])
        here = items[some][by_id]
        sure = None if scores is None else lambda ids: scores[by_id[np.searchsorted(here, ids)]]
        return choose(Neighborhoods(ids[order], graph, True), here, here, sure, count)

    chosen = yield from in_thread(_STAGE, work, keeps=False)
    by_item = dict(zip(items.tolist(), candidates, strict=True))
    return {item: by_item[item] for item in chosen}


def _scores(
    asked: Sequence[AskedBox], rows: NDArray[np.float32], described: DescribedBoxes, named: list[int]
) -> NDArray[np.float64] | None:
    """Return the scores (n, t) of the names of boxes, of yes and no to suggested ones; None if they mean nothing."""
    sure = np.array([box.confidence for box in asked if isinstance(box, SuggestedBox)])
    if len(sure):
        return np.stack([sure, 1 - sure], axis=1)
    names, column = np.unique([str(described.boxes[row].tag) for row in named], return_inverse=True)
    if len(named) < MIN_TAGGED or len(names) < 2:
        return None
    tags = scipy.sparse.csr_array((np.ones(len(named)), (np.arange(len(named)), column)))
    return np.asarray(TagRidge().fit(described.rows[named], tags).scores(rows).tags, np.float64)
