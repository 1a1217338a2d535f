# SPDX-License-Identifier: MIT
"""Comparison of two metrics on a few photos of which the user has said what is similar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError, clone
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport, no_report
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery

_LEVEL: Final = 0.95
_MIN_ROWS_OF_ALL_FOLDS: Final = 60
_FOLDS: Final = 5  # of at least 60 photos: a block should contain several similar ones
_FEW_FOLDS: Final = 3


@dataclass(frozen=True)
class MetricTrial:
    """Scores of a metric and of another one on the same photos."""

    score: float
    other: float
    """`score` and `other`: share of correct orders, 0..1: of a similar and a dissimilar photo, the similar one is
    nearer. The mean over the photos that have both."""
    gain: float
    """Difference of the two."""
    error: float
    """Standard error of the gain, by leaving out each photo; nan with fewer than three photos."""
    low: float
    high: float
    """`low` and `high`: limits of the gain with 95 % confidence; nan as `error`."""
    photos: int
    """Number of photos that have a similar and a dissimilar one."""

    @property
    def decided(self) -> int:
        """1 if the metric is better with 95 % confidence, -1 if it is worse, 0 if neither is known."""
        return int(self.low > 0) - int(self.high < 0)


def known_similarity(side: SideInformation, n: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which of n photos are known to be similar, and dissimilar: bool (n, n) each, symmetric.

    Tagged photos are similar if they share a tag, otherwise dissimilar. Judgements of the same pair take precedence.
    """
    side.check(n)
    similar, dissimilar = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    if side.tags is not None:
        tagged = side.tagged
        tags = side.tags[tagged]
        shared = (tags @ tags.T).toarray() > 0
        similar[np.ix_(tagged, tagged)] = shared
        dissimilar[np.ix_(tagged, tagged)] = ~shared
    for pairs, here, there in ((side.similar, similar, dissimilar), (side.dissimilar, dissimilar, similar)):
        for one, other in (pairs.T, pairs.T[::-1]):
            here[one, other], there[one, other] = True, False
    for matrix in (similar, dissimilar):
        np.fill_diagonal(matrix, val=False)
    return similar, dissimilar


def without(side: SideInformation, hidden: NDArray[np.bool_]) -> SideInformation:
    """Return side information without the tags and judgements of some photos, bool (n,)."""
    similar, dissimilar, relative, visual = (
        group[~hidden[group].any(axis=1)] for group in (side.similar, side.dissimilar, side.relative, side.visual)
    )
    tags = side.tags
    if tags is not None:
        tags = scipy.sparse.csr_array(scipy.sparse.diags_array((~hidden).astype(np.float64)) @ tags)
    return SideInformation(similar, dissimilar, tags, relative, visual)


def distances_among(
    learner: DistanceLearner | None, X: NDArray[np.floating], rows: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the distances among some rows (m,) of photos, float (n, d): float64 (m, m); None: Euclidean distances."""
    chosen = np.asarray(X[rows], dtype=np.float32)
    stored = chosen if learner is None else gallery_rows(learner, chosen)
    gallery = row_gallery(learner, stored)
    every = np.arange(len(stored))
    return np.stack([gallery.distances(row, every) for row in stored]).astype(np.float64)


class Block(NamedTuple):
    """Photos that are ranked among each other by one metric."""

    rows: NDArray[np.intp]
    """Numbers of the photos in the trial; shape (m,)."""
    distances: NDArray[np.floating]
    """Distances from each photo (rows); shape (m, m)."""


def one_block(distances: NDArray[np.floating]) -> tuple[Block]:
    """Return all photos of a trial as one block."""
    return (Block(np.arange(len(distances)), distances),)


def held_out_blocks(
    learner: DistanceLearner,
    X: NDArray[np.floating],
    side: SideInformation,
    rows: NDArray[np.intp],
    *,
    repeats: int = 3,
    seed: int = 0,
    progress: ProgressReport = no_report,
) -> tuple[Block, ...]:
    """Return the distances among photos by metrics that were trained without them.

    The photos are dealt to folds, three times. Each fold is a block: compared with the photos that a metric was trained
    on, others would look too good or too poor.

    Parameters
    ----------
    learner : DistanceLearner
        Is cloned for each fold.
    X : ndarray of float, shape (n, d)
    side : SideInformation
        Training data.
    rows : ndarray of intp, shape (m,)
        The photos of the trial.
    repeats, seed : int
    progress : callable
        Called with the share done, 0..1.

    Raises
    ------
    LearnerError
        If too little training data remain in all folds.
    """
    rng = np.random.default_rng(seed)
    count = _FOLDS if len(rows) >= _MIN_ROWS_OF_ALL_FOLDS else _FEW_FOLDS
    blocks: list[Block] = []
    failed: LearnerError | None = None
    for repeat in range(repeats):
        fold = rng.permutation(len(rows)) % count
        for number in range(count):
            mine = np.flatnonzero(fold == number)
            hidden = np.zeros(len(X), dtype=bool)
            hidden[rows[mine]] = True
            try:
                left = clone(learner).fit(X, without(side, hidden))
                blocks.append(Block(mine, distances_among(left, X, rows[mine])))
            except LearnerError as error:
                failed = error
            progress((repeat * count + number + 1) / (repeats * count))
    if not blocks and failed is not None:
        raise failed
    return tuple(blocks)


def try_metric(
    distances: NDArray[np.floating],
    others: Sequence[Block],
    similar: NDArray[np.bool_],
    dissimilar: NDArray[np.bool_],
) -> MetricTrial:
    """Compare two metrics.

    Parameters
    ----------
    distances : ndarray of float, shape (n, n)
        Distances from each photo (rows) by the metric on trial.
    others : sequence of Block
        Distances by the other metric. Both metrics are scored within each block, on the same photos.
    similar, dissimilar : ndarray of bool, shape (n, n)
        See `known_similarity`.

    Raises
    ------
    LearnerError
        If no photo has both a similar and a dissimilar one in a block.

    Notes
    -----
    The score of a photo is the area under the ROC curve of its distances, the mean over blocks; ties count half. The
    error is that of the jackknife over photos, which leaves a photo out as a query and as a result, because the scores
    of photos depend on each other. Cost: n^3.
    """
    scores = []
    for rows, theirs in others:
        block = np.ix_(rows, rows)
        one = _Scores.of(rows, distances[block], theirs, similar[block], dissimilar[block])
        if len(one.asked):
            scores.append(one)
    n = len(distances)
    found = _mean_scores(scores, n)
    if found is None:
        raise LearnerError("No photo has both a similar and a dissimilar one: tag or judge more photos.")
    score, other, photos = found
    gain = score - other
    error = low = high = float("nan")
    left = []
    for photo in np.unique(np.concatenate([one.rows for one in scores])):
        rest = _mean_scores(scores, n, int(photo))
        if rest is not None:
            left.append(rest[0] - rest[1])
    if len(left) >= 3:
        error = float(np.sqrt((len(left) - 1) * np.var(left)))
        reach = float(scipy.stats.t.ppf(0.5 + _LEVEL / 2, photos - 1)) * error if photos > 1 else float("inf")
        low, high = gain - reach, gain + reach
    return MetricTrial(score, other, gain, error, low, high, photos)


def _mean_scores(
    scores: Sequence[_Scores], n: int, without_photo: int | None = None
) -> tuple[float, float, int] | None:
    """Return the mean scores of both metrics over photos, and the number of photos; None if there are none."""
    sums, counts = np.zeros((2, n)), np.zeros(n)
    for one in scores:
        queries, means = one.means(without_photo)
        sums[:, queries] += means
        counts[queries] += 1
    asked = counts > 0
    if not asked.any():
        return None
    score, other = (sums[:, asked] / counts[asked]).mean(axis=1)
    return float(score), float(other), int(asked.sum())


@dataclass(frozen=True)
class _Scores:
    """Correct orders of the queries of a block by both metrics: in all, and those that involve each photo."""

    rows: NDArray[np.intp]  # (m,)
    asked: NDArray[np.intp]  # (q,): positions of the queries in the block
    similar: NDArray[np.bool_]  # (q, m)
    dissimilar: NDArray[np.bool_]
    correct: NDArray[np.float64]  # (2, q, m): correct orders of each photo with those of the other kind

    @classmethod
    def of(
        cls,
        rows: NDArray[np.intp],
        ours: NDArray[np.floating],
        theirs: NDArray[np.floating],
        similar: NDArray[np.bool_],
        dissimilar: NDArray[np.bool_],
    ) -> _Scores:
        asked = np.flatnonzero(similar.any(axis=1) & dissimilar.any(axis=1))
        correct = np.zeros((2, len(asked), len(rows)))
        for number, D in enumerate((ours, theirs)):
            for row, query in enumerate(asked):
                near, far = np.flatnonzero(similar[query]), np.flatnonzero(dissimilar[query])
                ahead = D[query, near][:, None] - D[query, far]
                right = (ahead < 0) + 0.5 * (ahead == 0)
                correct[number, row, near], correct[number, row, far] = right.sum(axis=1), right.sum(axis=0)
        return cls(rows, asked, similar[asked], dissimilar[asked], correct)

    def means(self, without_photo: int | None = None) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the queries that have both kinds, as numbers in the trial (p,), and their scores (2, p)."""
        right = np.where(self.similar, self.correct, 0).sum(axis=2)
        near, far = self.similar.sum(axis=1), self.dissimilar.sum(axis=1)
        is_query = np.ones(len(self.asked), dtype=bool)
        place = np.flatnonzero(self.rows == without_photo) if without_photo is not None else np.empty(0, np.intp)
        for photo in place:
            right = right - self.correct[:, :, photo]
            near, far = near - self.similar[:, photo], far - self.dissimilar[:, photo]
            is_query &= self.asked != photo
        kept = (near * far > 0) & is_query
        return self.rows[self.asked[kept]], right[:, kept] / (near * far)[kept]
