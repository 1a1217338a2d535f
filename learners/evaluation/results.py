"""What came of a learner in cross-validation, and how it compares with another on the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.evaluation.protocols import Protocol

Floats = NDArray[np.float64]

MEASURES: Final = ("precision", "average_precision", "ndcg", "auc")
"""What is measured of each query; see `LearnerResult.queries`."""


class Spread(NamedTuple):
    """Mean and standard deviation over folds; the latter is 0 with a single fold."""

    mean: float
    sd: float


class Gain(NamedTuple):
    """Mean difference to another learner on the same questions, and its standard error."""

    gain: float
    error: float


@dataclass
class LearnerResult:
    """What came of one learner.

    Attributes
    ----------
    name : str
        Under which it was given.
    reason : str
        Why it could not be trained; empty if it could. Nothing else is set then.
    queries : dict of str to list of ndarray, shape (q,)
        For each measure of `MEASURES` and each fold with queries the values of its queries, each 0..1: precision among
        the first k; average precision; NDCG@k with the cosine of tags as gain; the chance that a photo which shares a
        tag with the query is nearer to it than one that shares none.
    curves, recalls : list of ndarray, shape (r,) and (11,)
        For each such fold the precision among the first 1..r results, and the interpolated precision at the recalls 0,
        .1, ..., 1.
    similar, dissimilar : list of ndarray, shape (s,) and (t,)
        For each fold the rank shares of its held-out judgements.
    right : list of ndarray of bool, shape (s + t,)
        For each fold whose training judgements are of both kinds: whether each held-out judgement is on its side of
        the threshold; see `judged_right`.
    seconds : float
        Processor time of the training of all folds.
    """

    name: str
    reason: str = ""
    queries: dict[str, list[Floats]] = field(default_factory=lambda: {measure: [] for measure in MEASURES})
    curves: list[Floats] = field(default_factory=list)
    recalls: list[Floats] = field(default_factory=list)
    similar: list[Floats] = field(default_factory=list)
    dissimilar: list[Floats] = field(default_factory=list)
    right: list[NDArray[np.bool_]] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: LearnerResult) -> None:
        """Take what came of the same learner on further folds."""
        for measure, values in other.queries.items():
            self.queries[measure] += values
        for name in ("curves", "recalls", "similar", "dissimilar", "right"):
            getattr(self, name).extend(getattr(other, name))
        self.seconds += other.seconds

    def spread(self, measure: str) -> Spread | None:
        """Return a measure of `MEASURES` over the folds; None where no photo could be asked for."""
        return spread([float(values.mean()) for values in self.queries[measure]])

    @property
    def order(self) -> float | None:
        """How often a similar pair held out is nearer than a dissimilar one, by rank share, over all folds; ties half.

        Without dissimilar pairs: than any photo. None without similar pairs.
        """
        similar, dissimilar = (np.concatenate([*some, np.empty(0)]) for some in (self.similar, self.dissimilar))
        return float(_credits(similar, dissimilar).mean()) if len(similar) else None

    @property
    def judged_right(self) -> tuple[int, int]:
        """How many held-out judgements are on the right side, and of how many.

        Each fold has the threshold on rank shares that separates most of its training judgements; of several the
        middle of the widest gap between them. Judged pairs are comparable by rank share alone: the share of (at most
        500) photos of the library that are nearer to the focal image than the judged one is.
        """
        return int(sum(some.sum() for some in self.right)), sum(len(some) for some in self.right)


def compare(result: LearnerResult, other: LearnerResult, measure: str) -> Gain | None:
    """Return the mean difference over all queries of a measure of `MEASURES`, with its standard error; None without.

    Both learners answer the same queries, so that what makes a photo easy or hard cancels.
    """
    ours, theirs = (one.queries[measure] for one in (result, other))
    if not ours or not theirs:
        return None
    difference = np.concatenate(ours) - np.concatenate(theirs)
    error = float(difference.std(ddof=1) / np.sqrt(len(difference))) if len(difference) > 1 else np.inf
    return Gain(float(difference.mean()), error)


def compare_order(result: LearnerResult, other: LearnerResult, protocol: Protocol) -> Gain | None:
    """Return the difference in `LearnerResult.order` with its standard error; None without.

    The error is that of the jackknife that leaves out a focal image at a time, since the judgements of one go together,
    or a judgement at a time where there are fewer than five focal images; inf where there is one of a kind alone.
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
    """Return mean and standard deviation; None of nothing."""
    if not len(values):
        return None
    return Spread(float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0)


def best_threshold(near: Floats, far: Floats) -> float:
    """Return the threshold that has most of `near`, float64 (s,), at or below it and of `far`, float64 (t,), above it.

    Of several that are as good, the middle of the widest gap between two values.
    """
    values = np.unique(np.concatenate([[0.0, 1.0], near, far]))
    lower = values[:-1]
    right = (near <= lower[:, None]).sum(axis=1) + (far > lower[:, None]).sum(axis=1)
    best = np.flatnonzero(right == right.max())
    widest = best[np.argmax(np.diff(values)[best])]
    return float((values[widest] + values[widest + 1]) / 2)


def _credits(similar: Floats, dissimilar: Floats) -> Floats:
    """Return (s, t): 1 where a similar pair is nearer than a dissimilar one, half for a tie; of one kind (s, 1)."""
    if not len(dissimilar):
        return 1 - similar[:, None]
    return np.asarray((similar[:, None] < dissimilar) + 0.5 * (similar[:, None] == dissimilar))
