# SPDX-License-Identifier: MIT
"""Cross-validation of learners: how well each ranks held-out photos, on the same folds."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from typing import Protocol as Interface

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import shared_maps
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, ProgressReport, no_report, part_of
from focal_photos.learners.core.learner.plugin_check import foreign_errors
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.core.measures import average_precisions, ndcgs_at_k, precision_curve, precision_recall
from focal_photos.learners.evaluation.protocols import Fold, Protocol, restrict, training_rows
from focal_photos.learners.evaluation.results import LearnerResult, best_threshold
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery

Floats = NDArray[np.float64]
Measure = Literal["precision", "order"]
Measures = Collection[Measure] | None

RANKS: Final = 100
"""Ranks of the precision curve; fewer if the gallery is smaller."""


@dataclass(frozen=True)
class Trial:
    """The task on which all learners are evaluated; parts may run in subprocesses or on other machines."""

    X: NDArray[np.floating]
    """Shape (n, d)."""
    protocol: Protocol
    k: int
    rerank: bool
    only: Measures = None
    """See `cross_validate`."""
    _maps: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[Trial], tuple[object, ...]]:  # the maps belong to the process that made them
        return type(self), (self.X, self.protocol, self.k, self.rerank, self.only)

    def result(self, name: str, learner: DistanceLearner, number: int) -> LearnerResult:
        """Return the result of a learner on a fold, numbered from 0, or the reason why it cannot be trained."""
        found = LearnerResult(name)
        try:
            with shared_maps(self._maps):
                fold = self.protocol.folds[number]
                examine(found, learner, self.X, self.protocol, fold, self.k, rerank=self.rerank, only=self.only)
        except LearnerError as error:
            return LearnerResult(name, str(error))
        return found


class Examiner(Interface):
    """Evaluates single folds in other processes or on other machines."""

    def __call__(
        self, trial: Trial, calls: Sequence[tuple[str, DistanceLearner, int]]
    ) -> Iterable[Sequence[tuple[tuple[str, int], LearnerResult]]]:
        """Yield ((name, fold number), `Trial.result`) of the calls in order of completion, and now and then nothing."""


def cross_validate(
    learners: Mapping[str, DistanceLearner],
    X: NDArray[np.floating],
    protocol: Protocol,
    *,
    k: int = 10,
    rerank: bool = False,
    only: Measures = None,
    beaten: Callable[[Mapping[str, LearnerResult], int], Iterable[str]] | None = None,
    settled: Callable[[Mapping[str, LearnerResult], int], bool] | None = None,
    examiner: Examiner | None = None,
    progress: ProgressReport | None = None,
) -> dict[str, LearnerResult]:
    """Train learners on each fold and measure them on the held-out photos and judgements.

    Parameters
    ----------
    learners : mapping of str to DistanceLearner
        Unfitted learners by unique name; they are not modified. A learner with a limit of `rows` is trained on a sample
        of larger collections: all judged photos, then the tagged, then others.
    X : ndarray of float, shape (n, d)
    protocol : Protocol
    k : int
        Depth of precision and NDCG, at least 1; see `fitting_k`.
    rerank : bool
        Whether learners that gain from it rank by the neighbours shared under their distance among all photos, as the
        window does (`learners.galleries.reciprocal`). Judgements are always compared by the distance itself.
    only : collection of "precision" and "order", optional
        Restrict the measures to precision@k of held-out photos, or to the rank shares of held-out judgements. The other
        fields of the results are left empty.
    beaten : callable, optional
        Called after each fold but the last with the results and the number of folds done. The learners that it names
        are dropped from the remaining folds and from the returned results.
    settled : callable, optional
        Called after `beaten` with the same arguments; if it returns True, the remaining folds are skipped.
    examiner : Examiner, optional
        Evaluates the folds outside this process, with the same results.
    progress : callable, optional
        Called with the share done, 0..1; may raise to cancel.

    Returns
    -------
    dict of str to LearnerResult
        Results in the order of `learners`. A learner that cannot be trained on a fold has a reason.
    """
    report = no_report if progress is None else progress
    if examiner is not None:
        return _examined_by(learners, Trial(X, protocol, k, rerank, only), beaten, settled, examiner, report)
    found = {name: LearnerResult(name) for name in learners}
    total = len(learners) * len(protocol.folds)
    done = 0
    with shared_maps():
        for number, fold in enumerate(protocol.folds, start=1):
            for name, learner in learners.items():
                if name in found and not found[name].reason:
                    part = part_of(report, done / total, 1 / total)
                    try:
                        examine(found[name], learner, X, protocol, fold, k, part, rerank=rerank, only=only)
                    except LearnerError as error:
                        found[name] = LearnerResult(name, str(error))
                done += 1
                report(done / total)
            if number < len(protocol.folds) and _leave_out(found, number, beaten, settled):
                break
    return found


def _leave_out(
    found: dict[str, LearnerResult],
    folds: int,
    beaten: Callable[[Mapping[str, LearnerResult], int], Iterable[str]] | None,
    settled: Callable[[Mapping[str, LearnerResult], int], bool] | None,
) -> bool:
    """Drop beaten learners after some folds; return whether the outcome is settled."""
    if beaten is not None:
        for name in list(beaten(found, folds)):
            del found[name]
    return settled is not None and settled(found, folds)


def _examined_by(
    learners: Mapping[str, DistanceLearner],
    trial: Trial,
    beaten: Callable[[Mapping[str, LearnerResult], int], Iterable[str]] | None,
    settled: Callable[[Mapping[str, LearnerResult], int], bool] | None,
    examiner: Examiner,
    report: ProgressReport,
) -> dict[str, LearnerResult]:
    """Cross-validate with an `Examiner`: all folds at once, or one by one if learners may be dropped in between."""
    found = {name: LearnerResult(name) for name in learners}
    every = range(len(trial.protocol.folds))
    one_by_one = beaten is not None or settled is not None
    for numbers in [[number] for number in every] if one_by_one else [list(every)]:
        calls = [(name, learners[name], number) for number in numbers for name in found if not found[name].reason]
        parts: dict[tuple[str, int], LearnerResult] = {}
        report(numbers[0] / len(every))
        for some in examiner(trial, calls):
            parts.update(some)
            report((numbers[0] + len(numbers) * len(parts) / len(calls)) / len(every))
        for name, _, number in calls:
            part = parts[name, number]
            if part.reason and not found[name].reason:
                found[name] = part
            elif not found[name].reason:
                found[name].add(part)
        if numbers[-1] + 1 < len(every) and _leave_out(found, numbers[-1] + 1, beaten, settled):
            break
    return found


def examine(
    result: LearnerResult,
    learner: DistanceLearner,
    X: NDArray[np.floating],
    protocol: Protocol,
    fold: Fold,
    k: int,
    progress: Callable[[float], None] = no_report,
    *,
    rerank: bool = False,
    only: Measures = None,
) -> None:
    """Train a copy of a learner on one fold of the coordinates X, float (n, d), and add its measures to the result.

    `rerank` and `only` are as in `cross_validate`.

    Raises
    ------
    LearnerError
        If the learner cannot be trained on the fold, or is one of a plug-in and raises any error.
    """
    fitted = deepcopy(learner)
    samples, side = X, fold.side
    if len(X) > fitted.rows:
        rows = training_rows(side, len(X), fitted.rows)
        samples, side = X[rows], restrict(side, rows)
    start = time.thread_time()
    with foreign_errors(learner):
        fitted.fit(samples, side, progress=progress)
    result.seconds += time.thread_time() - start
    with foreign_errors(learner):
        _measure(result, fitted, X, protocol, fold, k, rerank=rerank, only=only)


def _measure(
    result: LearnerResult,
    fitted: DistanceLearner,
    X: NDArray[np.floating],
    protocol: Protocol,
    fold: Fold,
    k: int,
    *,
    rerank: bool,
    only: Measures,
) -> None:
    """Add the measures of a fitted learner on a fold to the result."""
    if len(fold.queries) and (only is None or "precision" in only):
        D = _query_distances(fitted, X, fold, rerank)
        if only is None:
            _retrieve(result, D, fold, k)
        else:
            result.queries["precision"].append(_precision(D, fold.relevant, k))
    if len(fold.similar) + len(fold.dissimilar) and (only is None or "order" in only):
        _judge(result, fitted, X, protocol, fold)


def fitting_k(protocol: Protocol, k: int) -> int:
    """Return k, or a quarter of the smallest gallery without the query if that is less; at least 1.

    Among the first k of little more than k photos, all orders score about the same.
    """
    smallest = min((len(fold.gallery) - 1 for fold in protocol.folds if len(fold.queries)), default=4 * k)
    return max(1, min(k, smallest // 4))


def chance(protocol: Protocol) -> float | None:
    """Return the precision of a random order; None if there are no queries."""
    folds = [fold for fold in protocol.folds if len(fold.queries)]
    if not folds:
        return None
    shares = [fold.relevant.sum(axis=1) / (len(fold.gallery) - 1) for fold in folds]
    return float(np.mean([share.mean() for share in shares]))


def distance_matrix(learner: DistanceLearner, queries: NDArray[np.floating], gallery: NDArray[np.floating]) -> Floats:
    """Return numbers, float64 (q, N), that increase with the distance from queries (q, d) to gallery rows (N, d)."""
    if isinstance(learner, EmbeddingMixin):
        ours, theirs = (learner.transform(some).astype(np.float64) for some in (queries, gallery))
        return _squares(theirs, ours)
    rows = gallery_rows(learner, gallery)
    places, distances = row_gallery(learner, rows).rank_many(gallery_rows(learner, queries), len(rows))
    found: Floats = np.empty((len(queries), len(rows)))
    np.put_along_axis(found, places, distances.astype(np.float64), axis=1)
    return found


def _squares(gallery: Floats, queries: Floats) -> Floats:
    """Return the squared distances (q, N) of an embedding's rows (q, r) and (N, r) as shares of the largest."""
    squares = np.asarray(sqd(queries, gallery), dtype=np.float64)
    # Bits produce ties; rounding errors must not decide which row is nearer.
    return np.asarray(np.round(squares / max(float(squares.max()), 1e-300), 12))


def _distances_within(learner: DistanceLearner, gallery: NDArray[np.floating], places: NDArray[np.intp]) -> Floats:
    """Return the `distance_matrix` (q, N) from some gallery rows (q,) to all; each photo is mapped once."""
    if not isinstance(learner, EmbeddingMixin):
        return distance_matrix(learner, gallery[places], gallery)
    return _squares(Z := learner.transform(gallery).astype(np.float64), Z[places])


def reranked_distance_matrix(
    learner: DistanceLearner, X: NDArray[np.floating], queries: NDArray[np.intp], gallery: NDArray[np.intp]
) -> Floats:
    """Return the shared-neighbour distances (q, N) between rows of X (n, d), the coordinates of all photos.

    The neighbourhoods are those among all photos, as in the window, even if only some photos are ranked (see
    `learners.galleries.reciprocal`).
    """
    everything = row_gallery(learner, gallery_rows(learner, X))
    neighbors = build(everything)
    found = 1 - neighbors.similarities(everything, queries, gallery).T.astype(np.float64)
    place = np.full(len(X), -1)
    place[gallery] = np.arange(len(gallery))
    for own, query in zip(found, queries.tolist(), strict=True):
        first = neighbors.first_of(query)
        if first is not None and place[first] >= 0:
            own[place[first]] = own[gallery != query].min() - 2e-6  # exceeds the rounding error
    return np.round(found, 6)  # as above: equal distances stay equal


def _query_distances(learner: DistanceLearner, X: NDArray[np.floating], fold: Fold, rerank: bool) -> Floats:
    """Return numbers (q, N) that increase with the distance from queries to gallery; infinite for the query itself."""
    if rerank and learner.gains_by_neighbors:
        D = reranked_distance_matrix(learner, X, fold.queries, fold.gallery)
    else:
        D = _distances_within(learner, X[fold.gallery], fold.places)
    D[np.arange(len(D)), fold.places] = np.inf
    return D


def _precision(D: Floats, relevant: NDArray[np.bool_], k: int) -> Floats:
    """Return the share (q,) of relevant photos among the first k by distances (q, N); ties keep the gallery order."""
    k = min(k, D.shape[1] - 1)
    last = np.partition(D, k - 1, axis=1)[:, k - 1, None]
    found = last >= D
    for row in np.flatnonzero(found.sum(axis=1) > k).tolist():
        equal = np.flatnonzero(D[row] == last[row])
        found[row, equal[k - found[row].sum() :]] = False
    return np.asarray((found & relevant).sum(axis=1) / k)


def _retrieve(result: LearnerResult, D: Floats, fold: Fold, k: int) -> None:
    order = np.argsort(D, axis=1, kind="stable")[:, :-1]  # drops the query itself, which comes last
    relevant = np.take_along_axis(fold.relevant, order, axis=1)
    gains = np.take_along_axis(fold.gains, order, axis=1)
    ranks = np.arange(1, relevant.shape[1] + 1)
    found = relevant.sum(axis=1)
    others = relevant.shape[1] - found
    # Number of irrelevant photos ranked above each relevant one.
    before = relevant @ ranks - found * (found + 1) / 2
    values = {
        "precision": relevant[:, :k].mean(axis=1),
        "average_precision": average_precisions(relevant),
        "ndcg": ndcgs_at_k(gains, k),
        "auc": np.where(others > 0, 1 - before / np.maximum(found * others, 1), 0.5),
    }
    for measure, some in values.items():
        result.queries[measure].append(some)
    result.curves.append(precision_curve(relevant[:, :RANKS]))
    result.recalls.append(precision_recall(relevant))


def _judge(
    result: LearnerResult, learner: DistanceLearner, X: NDArray[np.floating], protocol: Protocol, fold: Fold
) -> None:
    kinds = (fold.similar, fold.dissimilar, fold.side.similar, fold.side.dissimilar)
    focal, row = np.unique(np.concatenate([pairs[:, 0] for pairs in kinds]), return_inverse=True)
    other, column = np.unique(np.concatenate([pairs[:, 1] for pairs in kinds]), return_inverse=True)
    m = len(protocol.reference)
    D = distance_matrix(learner, X[focal], X[np.concatenate([protocol.reference, other])])
    reference, own = D[:, :m], protocol.reference == focal[:, None]
    compared = np.sort(np.where(own, np.inf, reference), axis=1)
    size = np.maximum(m - own.sum(axis=1), 1)
    shares = np.array(
        [
            (np.searchsorted(compared[i], D[i, m + j]) + np.searchsorted(compared[i], D[i, m + j], side="right")) / 2
            for i, j in zip(row, column, strict=True)
        ]
    )
    shares /= size[row]
    ends = np.cumsum([len(pairs) for pairs in kinds])
    similar, dissimilar, near, far = np.split(shares, ends[:-1])
    result.similar.append(similar)
    result.dissimilar.append(dissimilar)
    if len(near) and len(far):
        threshold = best_threshold(near, far)
        result.right.append(np.concatenate([similar <= threshold, dissimilar > threshold]))
