# SPDX-License-Identifier: MIT
"""Cross-validation results of a learner, and paired comparison of two learners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.evaluation.protocols import Protocol

Floats = NDArray[np.float64]

MEASURES: Final = ("precision", "average_precision", "ndcg", "auc")
"""Measures of each query; see `LearnerResult.queries`."""


class Spread(NamedTuple):
    """Mean and standard deviation over folds; the latter is 0 with a single fold."""

    mean: float
    sd: float


class Gain(NamedTuple):
    """Mean paired difference to another learner, and its standard error."""

    gain: float
    error: float


@dataclass
class LearnerResult:
    """Cross-validation result of a learner."""

    name: str
    """Name of the learner."""
    reason: str = ""
    """Why it could not be trained; empty if it could. If set, all other fields are empty."""
    queries: dict[str, list[Floats]] = field(default_factory=lambda: {measure: [] for measure in MEASURES})
    """For each measure of `MEASURES` and each fold with queries, the values of the queries, 0..1: precision@k; average
    precision; NDCG@k with the tag cosine as gain; the probability that a photo that shares a tag with the query is
    nearer to it than a photo that does not (AUC); shape (q,)."""
    curves: list[Floats] = field(default_factory=list)
    recalls: list[Floats] = field(default_factory=list)
    """`curves` and `recalls`: for each of these folds, the precision among the first 1..r results, and the interpolated
    precision at recall 0, .1, ..., 1; shape (r,) and (11,)."""
    similar: list[Floats] = field(default_factory=list)
    dissimilar: list[Floats] = field(default_factory=list)
    """`similar` and `dissimilar`: for each fold, the rank shares of its held-out judgements; shape (s,) and (t,)."""
    right: list[NDArray[np.bool_]] = field(default_factory=list)
    """For each fold with training judgements of both kinds, whether each held-out judgement is on the correct side of
    the threshold; see `judged_right`; shape (s + t,)."""
    seconds: float = 0.0
    """Processor time of training over all folds."""

    def add(self, other: LearnerResult) -> None:
        """Add the results of the same learner on further folds."""
        for measure, values in other.queries.items():
            self.queries[measure] += values
        for name in ("curves", "recalls", "similar", "dissimilar", "right"):
            getattr(self, name).extend(getattr(other, name))
        self.seconds += other.seconds

    def spread(self, measure: str) -> Spread | None:
        """Return mean and deviation over folds of a measure of `MEASURES`; None without queries."""
        return spread([float(values.mean()) for values in self.queries[measure]])

    @property
    def order(self) -> float | None:
        """Share of (similar, dissimilar) held-out pairs in which the similar one has the lower rank share.

        Over all folds; ties count half. Without dissimilar pairs, similar pairs are compared with all photos. None
        without similar pairs.
        """
        similar, dissimilar = (np.concatenate([*some, np.empty(0)]) for some in (self.similar, self.dissimilar))
        return float(_credits(similar, dissimilar).mean()) if len(similar) else None

    @property
    def judged_right(self) -> tuple[int, int]:
        """Number of held-out judgements on the correct side of the threshold, and number of judgements.

        The threshold of a fold separates the rank shares of its training judgements best; of several, it is the middle
        of the widest gap. Judged pairs are comparable by rank share only: the share of at most 500 library photos that
        are nearer to the focal image than the judged photo.
        """
        return int(sum(some.sum() for some in self.right)), sum(len(some) for some in self.right)


def compare(result: LearnerResult, other: LearnerResult, measure: str) -> Gain | None:
    """Return the mean difference over all queries of a measure of `MEASURES`, with standard error.

    None without queries. Both learners answer the same queries, so the difficulty of a photo cancels.
    """
    ours, theirs = (one.queries[measure] for one in (result, other))
    if not ours or not theirs:
        return None
    difference = np.concatenate(ours) - np.concatenate(theirs)
    error = float(difference.std(ddof=1) / np.sqrt(len(difference))) if len(difference) > 1 else np.inf
    return Gain(float(difference.mean()), error)


def compare_order(result: LearnerResult, other: LearnerResult, protocol: Protocol) -> Gain | None:
    """Return the difference in `LearnerResult.order` with its standard error; None without similar pairs.

    The error is the jackknife estimate that leaves out one focal image at a time, since the judgements of a focal image
    are dependent, or one judgement at a time if there are fewer than five focal images. It is infinite if leaving one
    out leaves no pairs.
    """
    if result.order is None or other.order is None:
        return None

    def credit(one: LearnerResult) -> Floats:
        return _credits(np.concatenate(one.similar), np.concatenate([*one.dissimilar, np.empty(0)]))

    difference = credit(result) - credit(other)
    similar, dissimilar = (
        np.concatenate([getattr(fold, kind)[:, 0] for fold in protocol.folds]) for kind in ("similar", "dissimilar")
    )
    if difference.shape[1] != len(dissimilar):  # there are none: similar pairs against all photos
        dissimilar = np.full(1, -1)
    if len(np.union1d(similar, dissimilar[dissimilar >= 0])) < 5:
        similar = np.arange(len(similar))
        dissimilar = np.where(dissimilar < 0, -1, len(similar) + np.arange(len(dissimilar)))
    groups = np.union1d(similar, dissimilar[dissimilar >= 0])
    left = []
    for group in groups:
        kept = difference[similar != group][:, dissimilar != group]
        left.append(kept.mean() if kept.size else np.inf)
    error = np.inf
    if len(left) > 1 and np.isfinite(left).all():
        spread = np.square(np.array(left) - np.mean(left)).sum()
        error = float(np.sqrt(spread * (len(left) - 1) / len(left)))
    return Gain(float(difference.mean()), error)


def spread(values: Sequence[float]) -> Spread | None:
    """Return mean and standard deviation; None for no values."""
    if not len(values):
        return None
    return Spread(float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0)


def best_threshold(near: Floats, far: Floats) -> float:
    """Return the threshold that best separates `near`, float64 (s,), from `far`, float64 (t,).

    Values of `near` should be at or below it, those of `far` above it. Of several equally good thresholds, the middle
    of the widest gap between two values.
    """
    values = np.unique(np.concatenate([[0.0, 1.0], near, far]))
    lower = values[:-1]
    right = (near <= lower[:, None]).sum(axis=1) + (far > lower[:, None]).sum(axis=1)
    best = np.flatnonzero(right == right.max())
    widest = best[np.argmax(np.diff(values)[best])]
    return float((values[widest] + values[widest + 1]) / 2)


def _credits(similar: Floats, dissimilar: Floats) -> Floats:
    """Return (s, t): 1 if a similar pair is nearer than a dissimilar one, half for a tie; (s, 1) without dissimilar."""
    if not len(dissimilar):
        return 1 - similar[:, None]
    return np.asarray((similar[:, None] < dissimilar) + 0.5 * (similar[:, None] == dissimilar))
