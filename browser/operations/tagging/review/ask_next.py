# SPDX-License-Identifier: MIT
"""Choose the untagged photos to ask about next: those that represent most others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods, find_neighborhoods
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.learners.core.arrays.distinct import common
from focal_photos.learners.core.learner.base import ProgressReport

MIN_TAGGED: Final = 20
"""Number of tagged photos from which confidences count; with fewer, they mean nothing yet."""

_STAGE: Final = Text("Finding the next question")
CANDIDATES: Final = 2000
"""Maximum number of candidates."""

_SCORE_SCALE: Final = 0.1  # score difference of the two best tags at which a photo's weight is a factor e smaller


def ask_next(library: Library, ranker: Ranker, count: int = 10, *, scope: QuestionScope = EVERYTHING) -> Job[list[int]]:
    """Choose untagged photos such that each photo shares neighbours with one of them or with a tagged photo.

    With at least `MIN_TAGGED` tagged photos, photos count more the closer their two best tags are.

    Parameters
    ----------
    count : int
        Maximum number of photos.
    scope : QuestionScope
        Limits the candidates, and the photos to be represented.

    Returns
    -------
    list of int
        Photo ids, most informative first.
    """
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    learned = None
    if len(library.photos.ids("tagged -missing")) >= MIN_TAGGED:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
        learned = yield from learn_tags(library, looks, annotated)

    def work(report: ProgressReport) -> list[int]:
        untagged = common(looks.ids, library.photos.ids("untagged -missing"))
        here = scope.within(untagged)
        if not len(here):
            return []
        neighborhoods = find_neighborhoods(library, looks, here, report)
        if neighborhoods is None:
            return [int(photo_id) for photo_id in here[:count]]
        scores = None
        if learned is not None and len(learned.names) > 1:
            scores = partial(_scores, learned)
        return choose(neighborhoods, untagged, here, scores, count)

    return (yield from in_thread(_STAGE, work))


def _scores(learned: LearnedTags, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(learned.scores(ids).tags, np.float64)


def choose(
    neighborhoods: Neighborhoods,
    untagged: NDArray[np.int64],
    here: NDArray[np.int64],
    scores: Callable[[NDArray[np.int64]], NDArray[np.float64]] | None,
    count: int,
) -> list[int]:
    """Choose some of the untagged items that are `here`, most informative first.

    Parameters
    ----------
    untagged, here : ndarray of int64, shape (u,) and (h,)
        Items, ascending.
    scores : callable or None
        Returns scores of the tags of items (m,): (m, t), t > 1. Items count more the closer their two best are. None:
        all count the same.
    count : int
        Maximum number of items.
    """
    open_ = np.isin(neighborhoods.ids, here)
    candidates, tagged = np.flatnonzero(open_), np.flatnonzero(~np.isin(neighborhoods.ids, untagged))
    if len(candidates) > CANDIDATES:
        candidates = np.sort(np.random.default_rng(0).choice(candidates, CANDIDATES, replace=False))
    worth = np.where(np.isin(neighborhoods.ids, untagged) & ~open_, 0.0, 1.0)  # other photos need no representative
    if scores is not None:
        worth = np.zeros(len(open_))  # tagged photos represent themselves
        best = -np.partition(-scores(neighborhoods.ids[open_]), 1, axis=1)[:, :2]
        worth[open_] = np.exp(-(best[:, 0] - best[:, 1]) / _SCORE_SCALE)
    covered = np.zeros(len(open_))
    if len(tagged):
        covered = neighborhoods.shared(tagged).max(axis=0).toarray().ravel().astype(np.float64)
    chosen = facility_location(neighborhoods.shared(candidates), count, covered=covered, worth=worth)
    found: list[int] = neighborhoods.ids[candidates[chosen]].tolist()
    return found


def facility_location(
    similar: scipy.sparse.csr_array,
    count: int,
    *,
    covered: NDArray[np.float64] | None = None,
    worth: NDArray[np.float64] | None = None,
) -> NDArray[np.intp]:
    """Choose rows one by one such that each column has a similar row.

    Each row increases ``sum_j worth_j max_i s_ij``, i over the chosen rows, as much as possible. The result reaches at
    least 1 - 1/e of the optimum for the same number of rows.

    Parameters
    ----------
    similar : csr_array, shape (c, n)
        >= 0.
    count : int
        Maximum number of rows.
    covered : ndarray of float64, shape (n,), optional
        Similarity that columns have already reached; default: 0.
    worth : ndarray of float64, shape (n,), optional
        Weights >= 0 of the columns; default: 1.

    Returns
    -------
    ndarray of intp, shape (min(count, c),)
        Rows in the order of choice; ties by row.

    References
    ----------
    .. [1] G. L. Nemhauser, L. A. Wolsey, M. L. Fisher, "An analysis of approximations for maximizing submodular set
       functions I", Mathematical Programming 14 (1978).
    """
    c, n = similar.shape
    reached = np.zeros(n) if covered is None else covered.copy()
    each = np.ones(n) if worth is None else worth
    row = np.repeat(np.arange(c), np.diff(similar.indptr))
    chosen: list[int] = []
    for _ in range(min(count, c)):
        gains = np.maximum(similar.data - reached[similar.indices], 0) * each[similar.indices]
        total = np.bincount(row, gains, minlength=c)
        total[chosen] = -1
        best = int(np.argmax(total))
        chosen.append(best)
        part = slice(similar.indptr[best], similar.indptr[best + 1])
        columns = similar.indices[part]
        reached[columns] = np.maximum(reached[columns], similar.data[part])
    return np.array(chosen, dtype=np.intp)
