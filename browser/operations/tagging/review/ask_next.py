"""Which untagged photos to ask about next: those that stand for most others."""

from __future__ import annotations

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.neighborhoods import Neighborhoods, find_neighborhoods
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.learners.core.arrays.distinct import common
from focal_photos.learners.core.learner.base import ProgressReport

ENOUGH: Final = 20
"""Tagged photos from which it counts how sure their tags are; of fewer that says nothing yet."""

_STAGE: Final = "Looking for what to ask next"
_CANDIDATES: Final = 2000  # untagged photos that are chosen among
_CLOSE: Final = 0.1  # difference between the scores of the two best tags at which a photo counts for a third


def ask_next(library: Library, ranker: Ranker, count: int = 10, *, scope: QuestionScope = EVERYTHING) -> Job[list[int]]:
    """Choose untagged photos so that every photo shares its neighbours with one of them or with a tagged one.

    From `ENOUGH` tagged photos on, photos count the more the closer their two best tags are.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    count : int
        Of photos, at most.
    scope : QuestionScope
        Limits the candidates, and the photos that the choice has to represent.

    Yields
    ------
    Progress

    Returns
    -------
    list of int
        Photo ids, the one that teaches most first.
    """
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    learned = None
    if len(library.photos.ids("tagged -missing")) >= ENOUGH:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
        learned = yield from learn_tags(library, looks, annotated)

    def choose(report: ProgressReport) -> list[int]:
        untagged = common(looks.ids, library.photos.ids("untagged -missing"))
        here = scope.within(untagged)
        if not len(here):
            return []
        neighborhoods = find_neighborhoods(library, looks, here, report)
        if neighborhoods is None:
            return [int(photo_id) for photo_id in here[:count]]
        return _choose(neighborhoods, untagged, here, learned, count)

    return (yield from in_thread(_STAGE, choose))


def _choose(
    neighborhoods: Neighborhoods,
    untagged: NDArray[np.int64],
    here: NDArray[np.int64],
    learned: LearnedTags | None,
    count: int,
) -> list[int]:
    """Return some of the untagged photos that are `here`."""
    open_ = np.isin(neighborhoods.ids, here)
    candidates, tagged = np.flatnonzero(open_), np.flatnonzero(~np.isin(neighborhoods.ids, untagged))
    if len(candidates) > _CANDIDATES:
        candidates = np.sort(np.random.default_rng(0).choice(candidates, _CANDIDATES, replace=False))
    worth = np.where(np.isin(neighborhoods.ids, untagged) & ~open_, 0.0, 1.0)  # others need no representative
    if learned is not None and len(learned.names) > 1:
        worth = np.zeros(len(open_))  # tagged photos speak for themselves
        best = -np.partition(-learned.scores(neighborhoods.ids[open_]).tags, 1, axis=1)[:, :2]
        worth[open_] = np.exp(-(best[:, 0] - best[:, 1]) / _CLOSE)
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
    """Choose rows one by one so that each column has one that is similar to it.

    Each raises ``sum_j worth_j max_i s_ij``, i over the rows chosen so far, as far as one more can: at least 1 - 1/e of
    what the best choice of as many reaches.

    Parameters
    ----------
    similar : csr_array, shape (c, n)
        >= 0.
    count : int
        Of rows, at most.
    covered : ndarray of float64, shape (n,), optional
        What columns are similar to already; nothing, if not given.
    worth : ndarray of float64, shape (n,), optional
        >= 0; 1, if not given.

    Returns
    -------
    ndarray of intp, shape (min(count, c),)
        The rows, in the order in which they were chosen; of several as good the first.

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
