# SPDX-License-Identifier: MIT
"""Selection of a learner and its parameters by cross-validation with successive halving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import shared_maps
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport, no_report, part_of
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.cross_validation import Examiner, Measure, cross_validate, fitting_k
from focal_photos.learners.evaluation.protocols import Protocol, make_protocol, restrict, training_rows
from focal_photos.learners.evaluation.results import Gain, LearnerResult, compare, compare_order
from focal_photos.learners.linear.euclidean import Euclidean

_SIZES: Final = (600, 1800)
"""Numbers of photos in the first rounds; the last round uses all photos."""

_LANDMARKS: Final = 400
"""Maximum number of landmarks of kernel maps in the first rounds; the last round uses the learner's own value."""

_BITS: Final = 32
"""Maximum number of boosting rounds in the first rounds."""

_QUESTIONS: Final = 100
"""Held-out photos or judgements that decide a round: as many folds are used as have this number together."""

_STATED: Final = 300
"""Held-out photos for the reported score; a fold ranks all tagged photos for each of them."""

_FINALISTS: Final = 3
"""Candidates in the last round; each earlier round retains a third, but at least this number."""

MIN_QUESTIONS: Final = 30
"""Minimum number of questions for reporting a gain."""

_LEAST_ERRORS: Final = 1.0
"""A gain above this number of standard errors counts: both learners answer the same questions in one comparison."""

_ERRORS: Final = 2.0
"""A gain above this number of standard errors is certain; a candidate needs it over the fallback to be chosen.

One standard error would do for a single candidate and independent questions, but the best of several was picked, and
the queries also rank each other."""

_MAX_DEFICIT: Final = 1.6
"""Deviations that a candidate may lack before the last fold: one in twenty would still catch up."""

_BASELINE: Final = ""
"""Name of Euclidean distance among the candidates."""


@dataclass(frozen=True)
class HeldOut:
    """Score of a learner on held-out data, compared with Euclidean distance."""

    measure: Measure
    """Measure of the comparison; see `select`."""
    k: int
    """Depth of precision@k."""
    score: float
    euclidean: float
    """`score` and `euclidean`: scores of the learner and of Euclidean distance, 0..1. Precision is measured as in the
    window: held-out photos rank all tagged ones."""
    gain: float
    error: float
    """`gain` and `error`: mean paired difference of the two, and its standard error."""
    questions: int
    """Number of held-out photos or judgements."""

    @property
    def values(self) -> tuple[Measure, int, float, float, float, float, int]:
        """The attributes in order; the values of subclasses start with these."""
        return self.measure, self.k, self.score, self.euclidean, self.gain, self.error, self.questions

    @property
    def gained(self) -> Gained:
        """Significance of the gain; `TOO_FEW` if the error is unknown or there are fewer than 30 questions."""
        if self.questions < MIN_QUESTIONS or not np.isfinite(self.error):
            return Gained.TOO_FEW
        if self.gain <= max(_LEAST_ERRORS * self.error, 0.0):
            return Gained.NOTHING
        return Gained.PERHAPS if self.gain <= _ERRORS * self.error else Gained.SURELY


@dataclass(frozen=True, kw_only=True)
class Selection(HeldOut):
    """Chosen candidate, with the held-out score of it or else of the best candidate."""

    chosen: str | None
    """Name of the chosen candidate. None if no candidate gains significantly over Euclidean distance and the fallback
    loses significantly."""
    best: str
    """Candidate with the highest score, chosen or not."""
    tried: int
    """Number of candidates that could be trained."""


def select(
    candidates: Mapping[str, DistanceLearner],
    X: NDArray[np.floating],
    side: SideInformation,
    *,
    fallback: str | None = None,
    k: int = 10,
    folds: int = 3,
    seed: int = 0,
    rerank: bool = False,
    examiner: Examiner | None = None,
    progress: ProgressReport | None = None,
) -> Selection:
    """Choose the candidate that ranks held-out data best, if it gains significantly over the fallback.

    Successive halving: all candidates are cross-validated on 600 photos, the best third on 1,800, and the best three on
    all photos and all folds, each time with new folds. The last round decides. Candidates that are unlikely to win are
    dropped between folds, and the round ends once the remaining folds are unlikely to change the choice. The chosen
    candidate has the largest paired gain over the fallback that exceeds two standard errors and loses no more than the
    error in the other measure. Without such a candidate it is the fallback, unless Euclidean distance gains as much
    over it. The galleries of the rounds contain held-out photos only, which are equally new to all learners; the
    reported score is measured among all tagged photos. Kernel maps have at most 400 landmarks before the last round.

    The measure is precision@k of held-out photos. If there are more held-out judgements than queries, it is the share
    of held-out similar pairs nearer than a dissimilar one (`LearnerResult.order`); the gain then counts from 0.5 if
    Euclidean distance is below it, since a metric that knows nothing scores 0.5. Judgements decide less reliably than
    tags, because users judge the top of a single ranking.

    Parameters
    ----------
    candidates : mapping of str to DistanceLearner
        Unfitted candidates; names are not empty.
    X : ndarray of float, shape (n, d)
    side : SideInformation
    fallback : str, optional
        Name of a candidate that takes part in all rounds. Euclidean distance by default, or if the candidate cannot be
        trained.
    k : int
        Reduced for small galleries (`learners.evaluation.cross_validation.fitting_k`).
    folds, seed : int
    rerank : bool
        Whether the window ranks by shared neighbours; affects the reported score only.
    examiner : Examiner, optional
        See `learners.evaluation.cross_validation.cross_validate`.
    progress : callable, optional
        Called with the share done, 0..1; may raise to cancel.

    Raises
    ------
    LearnerError
        If there is too little to hold out, there are dissimilar pairs only, or no candidate can be trained.
    """
    report = no_report if progress is None else progress
    protocol, measure = _protocol(len(X), side, folds, seed)
    if measure == "order" and not (len(side.similar) or len(side.relative)):
        raise LearnerError(
            "Dissimilar photos alone are not enough to choose a learner: mark some as similar, or tag some."
        )
    data = _Data(X, side, measure, k, folds, seed, examiner)
    sizes = [_SIZES[0], *(size for size in _SIZES[1:] if size < len(X))]
    last = len(sizes) / (len(sizes) + 2)  # the share of the work that is done when the last round begins
    quick = {name: _quick(learner) for name, learner in candidates.items()}
    left, tried = _halve(quick, data, sizes, fallback, part_of(report, 0.0, last))
    with shared_maps():  # shared by both rounds on all photos
        finalists = {name: candidates[name] for name in left}
        final, found = _last_round(finalists, data, protocol, fallback, part_of(report, last, (1 - last) / 2))
        order = _byscore({name: one for name, one in found.items() if name != _BASELINE}, measure)
        if not order:
            reasons = [result.reason for result in found.values() if result.reason]
            raise LearnerError(reasons[0] if reasons else "There is no learner to choose from.")
        chosen = final.choice(found, order)
        shown = chosen or order[0]
        stated, ours, theirs = protocol, found[shown], found[_BASELINE]
        if measure == "precision":
            stated = _first(_among_tagged(protocol, len(X), side, folds, seed), measure, _STATED)
            again = cross_validate(
                {_BASELINE: Euclidean(), shown: candidates[shown]},
                X,
                stated,
                k=fitting_k(stated, k),
                rerank=rerank,
                only=(measure,),
                examiner=examiner,
                progress=part_of(report, (1 + last) / 2, (1 - last) / 2),
            )
            ours, theirs = again[shown], again[_BASELINE]
    report(1.0)
    won = final.gain(ours, theirs, measure)
    return Selection(*_figures(stated, measure, k, ours, theirs, won), chosen=chosen, best=order[0], tried=tried)


@dataclass(frozen=True)
class _Data:
    """The data of all rounds, and how they are measured; see `select`."""

    X: NDArray[np.floating]
    side: SideInformation
    measure: Measure
    k: int
    folds: int
    seed: int
    examiner: Examiner | None


def _last_round(
    finalists: Mapping[str, DistanceLearner],
    data: _Data,
    protocol: Protocol,
    fallback: str | None,
    report: ProgressReport,
) -> tuple[_Final, dict[str, LearnerResult]]:
    """Cross-validate the finalists and Euclidean distance on all photos, until the choice is settled."""
    final = _Final(protocol, data.measure, fallback)
    used = len(protocol.folds)

    def settled(found: Mapping[str, LearnerResult], folds: int) -> bool:
        nonlocal used
        if not final.settled(found, folds):
            return False
        used = folds
        return True

    found = cross_validate(
        {_BASELINE: Euclidean(), **finalists},
        data.X,
        protocol,
        k=fitting_k(protocol, data.k),
        only=("precision", "order"),
        beaten=final.beaten,
        settled=settled,
        examiner=data.examiner,
        progress=report,
    )
    return replace(final, protocol=replace(protocol, folds=protocol.folds[:used])), found


@dataclass(frozen=True)
class _Final:
    """The last round: early elimination and final choice."""

    protocol: Protocol
    measure: Measure
    fallback: str | None
    """Candidate that the others must beat; Euclidean distance if it could not be trained."""

    def gain(
        self, one: LearnerResult, over: LearnerResult, by: Measure, protocol: Protocol | None = None
    ) -> Gain | None:
        """Return the gain of a result over another; `protocol`: the folds evaluated, if not all."""
        return compare(one, over, by) if by == "precision" else compare_order(one, over, protocol or self.protocol)

    def beaten(self, found: Mapping[str, LearnerResult], folds: int) -> list[str]:
        """Return the candidates that are unlikely to reach a certain gain over the fallback, judged by the folds done.

        With gain g and error e after a share s of the folds, the final gain is about normal with mean g and deviation
        ``e sqrt(1 - s)``, and must exceed ``2 e sqrt(s)``. The best candidate always stays, because it is reported to
        the user.
        """
        known = replace(self.protocol, folds=self.protocol.folds[:folds])
        if not _questions(known, self.measure):
            return []
        share = folds / len(self.protocol.folds)
        least = _ERRORS * np.sqrt(share) - _MAX_DEFICIT * np.sqrt(1 - share)
        base = self._base(found)
        order = _byscore({name: one for name, one in found.items() if name != _BASELINE}, self.measure)
        gains = {name: self.gain(found[name], base, self.measure, known) for name in order[1:] if name != self.fallback}
        return [name for name, one in gains.items() if one is not None and one.gain < least * one.error]

    def settled(self, found: Mapping[str, LearnerResult], folds: int) -> bool:
        """Return whether the remaining folds are unlikely to change the choice.

        This holds if the best result is the fallback or is likely to reach the required gain, and each other candidate
        is unlikely to become the best, unlikely to gain enough, or unlikely to fail, with the probabilities of
        `beaten`. For judgements all folds are used, because the reported score is computed from them.
        """
        known = replace(self.protocol, folds=self.protocol.folds[:folds])
        if self.measure == "order" or _questions(known, self.measure) < _QUESTIONS:
            return False
        share = folds / len(self.protocol.folds)
        middle, doubt = _ERRORS * np.sqrt(share), _MAX_DEFICIT * np.sqrt(1 - share)
        base = self._base(found)
        best = found[_byscore(found, self.measure)[0]]
        for one in found.values():
            gain = None if one is base else self.gain(one, base, self.measure, known)
            if gain is None or (one is not best and gain.gain < (middle - doubt) * gain.error):
                continue
            behind = None if one is best else self.gain(best, one, self.measure, known)
            if behind is not None and behind.gain > doubt * behind.error:
                continue  # unlikely to become the best
            if gain.gain <= (middle + doubt) * gain.error:
                return False
        return True

    def choice(self, found: Mapping[str, LearnerResult], order: Sequence[str]) -> str | None:
        """Return the first of `order` with a certain gain over the fallback; else the fallback or None (Euclidean)."""
        base, plain = self._base(found), found[_BASELINE]
        other: Measure = "order" if self.measure == "precision" else "precision"
        # Most judged photos are near neighbours, and the dissimilar ones are those that the distance considers similar.
        # So the distance may order them worse than a metric that knows nothing and scores 0.5.
        floor = max(0.5 - score(base, self.measure), 0.0) if self.measure == "order" else 0.0
        for name in order:
            one = found[name]
            if surely_gains(self.gain(one, base, self.measure), floor) and not any(
                _loses(self.gain(one, than, other)) for than in (base, plain)
            ):
                return name
        return None if base is plain or surely_gains(self.gain(plain, base, self.measure)) else self.fallback

    def _base(self, found: Mapping[str, LearnerResult]) -> LearnerResult:
        able = self.fallback is not None and self.fallback in found and not found[self.fallback].reason
        return found[str(self.fallback) if able else _BASELINE]


class Gained(Enum):
    """Significance of a gain over Euclidean distance; decides whether the metric is retained and what is reported."""

    TOO_FEW = "too few questions for a result"
    NOTHING = "it is not above its standard error"
    PERHAPS = "it is above its standard error, but not above twice that"
    SURELY = "it is above twice its standard error"


def hold_out(
    learner: DistanceLearner,
    X: NDArray[np.floating],
    side: SideInformation,
    *,
    k: int = 10,
    folds: int = 3,
    seed: int = 0,
    rerank: bool = False,
    progress: ProgressReport | None = None,
) -> HeldOut:
    """Measure one learner on held-out data, as `select` measures its choice.

    Parameters
    ----------
    learner : DistanceLearner
        Unfitted learner.
    X, side, k, folds, seed, rerank, progress
        See `select`.

    Raises
    ------
    LearnerError
        If there is too little to hold out, there are dissimilar pairs only, or the learner cannot be trained.
    """
    protocol, measure = _protocol(len(X), side, folds, seed)
    if measure == "order" and not (len(side.similar) or len(side.relative)):
        raise LearnerError("Dissimilar photos alone do not determine an order: mark some as similar, or tag some.")
    if measure == "precision":
        protocol = _first(make_protocol(len(X), side, folds, gallery="tagged", seed=seed), measure, _STATED)
    both = {_BASELINE: Euclidean(), "learned": learner}
    found = cross_validate(
        both, X, protocol, k=fitting_k(protocol, k), rerank=rerank, only=(measure,), progress=progress
    )
    learned, plain = found["learned"], found[_BASELINE]
    if learned.reason:
        raise LearnerError(learned.reason)
    won = compare(learned, plain, measure) if measure == "precision" else compare_order(learned, plain, protocol)
    return HeldOut(*_figures(protocol, measure, k, learned, plain, won))


def _protocol(n: int, side: SideInformation, folds: int, seed: int) -> tuple[Protocol, Measure]:
    """Return the protocol for n photos, and the measure by which there are more questions."""
    protocol = make_protocol(n, side, folds, seed=seed)
    return protocol, "precision" if protocol.queries >= protocol.judgements else "order"


def _figures(
    protocol: Protocol, measure: Measure, k: int, learned: LearnerResult, plain: LearnerResult, won: Gain | None
) -> tuple[Measure, int, float, float, float, float, int]:
    """Return the values of a `HeldOut`, from the results of a learner and of Euclidean distance."""
    gain, error = won or Gain(0.0, 0.0)
    scores = score(learned, measure), score(plain, measure)
    return measure, fitting_k(protocol, k), *scores, gain, error, _questions(protocol, measure)


def _quick(learner: DistanceLearner) -> DistanceLearner:
    """Return a cheap copy: kernel maps cost the cube of their landmarks, boosting costs its rounds."""
    copy, parameters = deepcopy(learner), learner.get_params(deep=False)
    most = {"exact": _LANDMARKS, "landmarks": _LANDMARKS, "rounds": _BITS}
    copy.set_params(**{name: min(parameters[name], limit) for name, limit in most.items() if name in parameters})
    return copy


def _among_tagged(protocol: Protocol, n: int, side: SideInformation, folds: int, seed: int) -> Protocol:
    """Return a protocol with galleries of all tagged photos that reuses the training data, so that caches apply."""
    made = make_protocol(n, side, folds, gallery="tagged", seed=seed)
    return replace(
        made, folds=tuple(replace(fold, side=same.side) for fold, same in zip(made.folds, protocol.folds, strict=True))
    )


def _halve(
    candidates: Mapping[str, DistanceLearner],
    data: _Data,
    sizes: Sequence[int],
    fallback: str | None,
    report: ProgressReport,
) -> tuple[list[str], int]:
    """Return the candidates left after a round per size, including the fallback, and how many were tried."""
    left, tried = list(candidates), len(candidates)
    for number, size in enumerate(sizes):
        part = part_of(report, number / len(sizes), 1 / len(sizes))
        rows = training_rows(data.side, len(data.X), size, data.seed)
        try:
            smaller = make_protocol(len(rows), restrict(data.side, rows), data.folds, seed=data.seed + 1 + number)
        except LearnerError:
            continue  # the tags are too rare in the sample
        smaller = _first(smaller, data.measure)
        if len(left) <= _FINALISTS or not _questions(smaller, data.measure):
            continue
        some = {name: candidates[name] for name in left}
        found = cross_validate(
            some,
            data.X[rows],
            smaller,
            k=fitting_k(smaller, data.k),
            only=(data.measure,),
            examiner=data.examiner,
            progress=part,
        )
        order = _byscore(found, data.measure)
        tried -= len(left) - len(order)
        left = order[: max(_FINALISTS, len(order) // 3 if number + 1 < len(sizes) else 0)]
        if fallback in order and fallback not in left:
            left[-1] = str(fallback)
    return left, tried


def surely_gains(gain: Gain | None, floor: float = 0.0) -> bool:
    """Return whether a gain exceeds `floor` by more than two standard errors, as the best of several needs."""
    return gain is not None and gain.gain - floor > _ERRORS * gain.error


def _loses(gain: Gain | None) -> bool:
    return gain is not None and gain.gain < -gain.error


def _byscore(found: Mapping[str, LearnerResult], measure: Measure) -> list[str]:
    """Return the names of the trained candidates, best first."""
    able = [name for name, result in found.items() if not result.reason]
    return sorted(able, key=lambda name: -score(found[name], measure))


def score(result: LearnerResult, measure: Measure) -> float:
    """Return the precision or the order of a result, 0..1."""
    if measure == "order":
        return result.order or 0.0
    return float(np.mean(np.concatenate(result.queries["precision"])))


def _first(protocol: Protocol, measure: Measure, enough: int = _QUESTIONS) -> Protocol:
    """Restrict a protocol to the first folds that have enough questions together."""
    count = next(
        (
            count
            for count in range(1, len(protocol.folds))
            if _questions(replace(protocol, folds=protocol.folds[:count]), measure) >= enough
        ),
        len(protocol.folds),
    )
    return replace(protocol, folds=protocol.folds[:count])


def _questions(protocol: Protocol, measure: Measure) -> int:
    return protocol.queries if measure == "precision" else protocol.judgements
