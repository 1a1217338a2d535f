"""Choose a learner with its parameters by cross-validation: many on little, few on everything."""

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
"""Photos of the first rounds; the last one has all."""

_LANDMARKS: Final = 400
"""Most photos that maps of kernels are made of in the first rounds; the last one knows the learners as they are."""

_BITS: Final = 32
"""Most rounds of boosting there."""

_QUESTIONS: Final = 100
"""Held-out photos or judgements that decide who goes on: as many folds are taken as have them together."""

_STATED: Final = 300
"""And as many folds for what is said of the choice: in them every photo is ranked."""

_FINALISTS: Final = 3
"""In the last round; of the others a third goes on, but no fewer."""

TELLING: Final = 30
"""Questions from which on what is gained can be told at all."""

_LEAST_ERRORS: Final = 1.0
"""So many standard errors a gain must have to be one: both are asked the same, and one comparison is made."""

_ERRORS: Final = 2.0
"""So many it must have to be sure, and so many a candidate must gain over the others' fallback to be chosen: one would
do for a single candidate and questions that have nothing to do with each other, but the best of several was picked, and
photos that are asked for are ranked for each other too."""

_HOPE: Final = 1.6
"""Standard deviations by which a candidate may be short of that before the last fold: one in twenty would still get
there."""

_BASELINE: Final = ""
"""Name of Euclidean distance among the candidates."""


@dataclass(frozen=True)
class HeldOut:
    """What a learner makes of what it was not taught, beside Euclidean distance.

    Attributes
    ----------
    measure : "precision" or "order"
        What they were compared by; see `select`.
    k : int
        Of precision@k.
    score, euclidean : float
        Of the learner and of Euclidean distance; 0..1. Precision is that of a window: held-out photos rank all tagged
        ones.
    gain, error : float
        Mean difference of the two on the same questions, and its standard error.
    questions : int
        Held-out photos or judgements that were asked for.
    """

    measure: Measure
    k: int
    score: float
    euclidean: float
    gain: float
    error: float
    questions: int

    @property
    def values(self) -> tuple[Measure, int, float, float, float, float, int]:
        """The attributes in their order: with these begins whatever says more of the same."""
        return self.measure, self.k, self.score, self.euclidean, self.gain, self.error, self.questions

    @property
    def gained(self) -> Gained:
        """What can be said of the gain; of an error that is not known, as of fewer than 30 questions, that none can."""
        if self.questions < TELLING or not np.isfinite(self.error):
            return Gained.TOO_FEW
        if self.gain <= max(_LEAST_ERRORS * self.error, 0.0):
            return Gained.NOTHING
        return Gained.PERHAPS if self.gain <= _ERRORS * self.error else Gained.SURELY


@dataclass(frozen=True, kw_only=True)
class Selection(HeldOut):
    """What was chosen, and why: what the chosen candidate, or else the best one, makes of what it was not taught.

    Attributes
    ----------
    chosen : str or None
        Name of the candidate; None where none gains over Euclidean distance what can be told from noise, and where the
        fallback loses what can.
    best : str
        The candidate with the highest score, chosen or not.
    tried : int
        Candidates that could be trained.
    """

    chosen: str | None
    best: str
    tried: int


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
    elsewhere: Examiner | None = None,
    progress: ProgressReport | None = None,
) -> Selection:
    """Choose the candidate that best ranks what it was not taught, if it ranks that better than the fallback does.

    Successive halving: all candidates are cross-validated on 600 photos, the best third on 1,800, and the best three
    on all photos and all folds, with other folds each time. The last round decides; who will hardly win is out of it
    before the next fold, and none follows where the others will hardly change what is chosen. Chosen is the largest
    gain over the fallback, question by question, that is above twice its standard error and costs nothing beyond the
    error of the other measure; without any the fallback, unless Euclidean distance gains as much over it. Galleries of
    the rounds are of held-out photos alone, of which all learners know as little; what is said of the choice in the end
    is measured among all tagged photos. Maps of kernels are made of 400 photos at most before the last round.

    The measure is precision@k of held-out photos, or how often a held-out similar pair is nearer than a dissimilar one
    (`LearnerResult.order`) where more judgements than photos can be asked for; there the gain counts from 0.5 where
    Euclidean distance has less, which is what a metric has that knows nothing. Judgements decide less surely than tags:
    people judge what one ranking shows them first.

    Parameters
    ----------
    candidates : mapping of str to DistanceLearner
        Unfitted, by names that are not empty.
    X : ndarray of float, shape (n, d)
    side : SideInformation
    fallback : str, optional
        Name of a candidate, which is in all rounds; Euclidean distance, if not given or where it cannot be trained.
    k : int
        Fewer are taken where galleries are small (`learners.evaluation.cross_validation.fitting_k`).
    folds, seed : int
    rerank : bool
        Whether windows rank by shared neighbours, for what is said of the choice.
    elsewhere : Examiner, optional
        See `learners.evaluation.cross_validation.cross_validate`.
    progress : callable, optional
        Called with the share done, 0..1; raise in it to cancel.

    Raises
    ------
    LearnerError
        There is too little to hold anything back, there are dissimilar pairs alone, or no candidate can be trained.
    """
    report = no_report if progress is None else progress
    quick = {name: _quick(learner) for name, learner in candidates.items()}
    protocol = make_protocol(len(X), side, folds, seed=seed)
    measure: Measure = "precision" if protocol.queries >= protocol.judgements else "order"
    if measure == "order" and not len(side.similar):
        raise LearnerError("Nothing can be chosen by dissimilar photos alone: mark some as similar, or tag some.")
    sizes = [_SIZES[0], *(size for size in _SIZES[1:] if size < len(X))]
    last = len(sizes) / (len(sizes) + 2)
    left, tried = _halve(
        quick, X, side, measure, sizes, k, folds, seed, fallback, elsewhere, part_of(report, 0.0, last)
    )
    with shared_maps():  # of both rounds on all photos
        final = _Final(protocol, measure, fallback)
        finalists = {_BASELINE: Euclidean(), **{name: candidates[name] for name in left}}
        shortest = fitting_k(protocol, k)
        part = part_of(report, last, (1 - last) / 2)
        asked = len(protocol.folds)

        def settled(found: Mapping[str, LearnerResult], folds: int) -> bool:
            nonlocal asked
            if not final.settled(found, folds):
                return False
            asked = folds
            return True

        found = cross_validate(
            finalists,
            X,
            protocol,
            k=shortest,
            only=("precision", "order"),
            beaten=final.beaten,
            settled=settled,
            elsewhere=elsewhere,
            progress=part,
        )
        final = replace(final, protocol=replace(protocol, folds=protocol.folds[:asked]))
        order = _byscore({name: one for name, one in found.items() if name != _BASELINE}, measure)
        if not order:
            reasons = [result.reason for result in found.values() if result.reason]
            raise LearnerError(reasons[0] if reasons else "There is no learner to choose from.")
        chosen = final.choice(found, order)
        shown = chosen or order[0]
        stated, ours, theirs = protocol, found[shown], found[_BASELINE]
        if measure == "precision":
            stated = _first(_among_tagged(protocol, len(X), side, folds, seed), measure, _STATED)
            shortest = fitting_k(stated, k)
            both = {_BASELINE: Euclidean(), shown: candidates[shown]}
            part = part_of(report, (1 + last) / 2, (1 - last) / 2)
            again = cross_validate(
                both, X, stated, k=shortest, rerank=rerank, only=(measure,), elsewhere=elsewhere, progress=part
            )
            ours, theirs = again[shown], again[_BASELINE]
        report(1.0)
        won = final.gain(ours, theirs, measure) or Gain(0.0, 0.0)
        return Selection(
            measure,
            shortest,
            score(ours, measure),
            score(theirs, measure),
            *won,
            _questions(stated, measure),
            chosen=chosen,
            best=order[0],
            tried=tried,
        )


@dataclass(frozen=True)
class _Final:
    """The last round: who is out of it early, and who is chosen.

    Attributes
    ----------
    protocol : Protocol
    measure : "precision" or "order"
    fallback : str or None
        What the others must gain over; Euclidean distance, if it could not be trained.
    """

    protocol: Protocol
    measure: Measure
    fallback: str | None

    def gain(
        self, one: LearnerResult, over: LearnerResult, by: Measure, protocol: Protocol | None = None
    ) -> Gain | None:
        """Return what one gains over another; `protocol`: of the folds that they know, if these are not all."""
        return compare(one, over, by) if by == "precision" else compare_order(one, over, protocol or self.protocol)

    def beaten(self, found: Mapping[str, LearnerResult], folds: int) -> list[str]:
        """Return who will hardly gain over the fallback what it takes, as far as some folds tell.

        With gain g and error e after a share s of the folds, the gain after all of them is about normal with mean g and
        deviation ``e sqrt(1 - s)``, and must be above ``2 e sqrt(s)``. The best one stays, whatever it is worth: a
        person is told of it.
        """
        known = replace(self.protocol, folds=self.protocol.folds[:folds])
        if not _questions(known, self.measure):
            return []
        share = folds / len(self.protocol.folds)
        least = _ERRORS * np.sqrt(share) - _HOPE * np.sqrt(1 - share)
        base = self._base(found)
        order = _byscore({name: one for name, one in found.items() if name != _BASELINE}, self.measure)
        gains = {name: self.gain(found[name], base, self.measure, known) for name in order[1:] if name != self.fallback}
        return [name for name, one in gains.items() if one is not None and one.gain < least * one.error]

    def settled(self, found: Mapping[str, LearnerResult], folds: int) -> bool:
        """Return whether the other folds will hardly change what is chosen, as far as some tell.

        The best one is the fallback or will hardly fail to gain what it takes, and each of the others that are left
        will hardly be the best, or hardly gain it, or hardly fail to, with the chances of `beaten`. Of judgements all
        folds are asked: what is said of the choice is of these.
        """
        known = replace(self.protocol, folds=self.protocol.folds[:folds])
        if self.measure == "order" or _questions(known, self.measure) < _QUESTIONS:
            return False
        share = folds / len(self.protocol.folds)
        middle, doubt = _ERRORS * np.sqrt(share), _HOPE * np.sqrt(1 - share)
        base = self._base(found)
        best = found[_byscore(found, self.measure)[0]]
        for one in found.values():
            gain = None if one is base else self.gain(one, base, self.measure, known)
            if gain is None or (one is not best and gain.gain < (middle - doubt) * gain.error):
                continue
            behind = None if one is best else self.gain(best, one, self.measure, known)
            if behind is not None and behind.gain > doubt * behind.error:
                continue  # it will hardly come to be the best
            if gain.gain <= (middle + doubt) * gain.error:
                return False
        return True

    def choice(self, found: Mapping[str, LearnerResult], order: Sequence[str]) -> str | None:
        """Return the first of `order` that surely gains over the fallback; else that, or None: Euclidean distance."""
        base, plain = self._base(found), found[_BASELINE]
        other: Measure = "order" if self.measure == "precision" else "precision"
        # Judged photos are mostly the nearest ones, the dissimilar among them those that the distance takes for
        # similar: it may order them worse than a metric that knows nothing and gets half of them right.
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
    """What can be said of a gain over Euclidean distance: whether the metric is kept, and what a person is told."""

    TOO_FEW = "too few questions were asked to tell"
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
    """Measure one learner as `select` measures what it has chosen.

    Parameters
    ----------
    learner : DistanceLearner
        Unfitted.
    X, side, k, folds, seed, rerank, progress
        As in `select`.

    Raises
    ------
    LearnerError
        There is too little to hold anything back, there are dissimilar pairs alone, or the learner cannot be trained.
    """
    protocol = make_protocol(len(X), side, folds, seed=seed)
    measure: Measure = "precision" if protocol.queries >= protocol.judgements else "order"
    if measure == "order" and not len(side.similar):
        raise LearnerError("Dissimilar photos alone say nothing of the order: mark some as similar, or tag some.")
    if measure == "precision":
        protocol = _first(make_protocol(len(X), side, folds, gallery="tagged", seed=seed), measure, _STATED)
    shortest = fitting_k(protocol, k)
    both = {_BASELINE: Euclidean(), "learned": learner}
    found = cross_validate(both, X, protocol, k=shortest, rerank=rerank, only=(measure,), progress=progress)
    learned, plain = found["learned"], found[_BASELINE]
    if learned.reason:
        raise LearnerError(learned.reason)
    won = compare(learned, plain, measure) if measure == "precision" else compare_order(learned, plain, protocol)
    return HeldOut(
        measure,
        shortest,
        score(learned, measure),
        score(plain, measure),
        *(won or Gain(0.0, 0.0)),
        _questions(protocol, measure),
    )


def _quick(learner: DistanceLearner) -> DistanceLearner:
    """Return a copy that costs little: of kernel maps the cube of their landmarks counts, of bits each round."""
    copy, parameters = deepcopy(learner), learner.get_params(deep=False)
    most = {"exact": _LANDMARKS, "landmarks": _LANDMARKS, "rounds": _BITS}
    copy.set_params(**{name: min(parameters[name], limit) for name, limit in most.items() if name in parameters})
    return copy


def _among_tagged(protocol: Protocol, n: int, side: SideInformation, folds: int, seed: int) -> Protocol:
    """Return a protocol with galleries of all tagged photos, and what it leaves for training by its own name.

    It leaves the same as one of the same seed with other galleries; what is known of that need not be found again.
    """
    made = make_protocol(n, side, folds, gallery="tagged", seed=seed)
    return replace(
        made, folds=tuple(replace(fold, side=same.side) for fold, same in zip(made.folds, protocol.folds, strict=True))
    )


def _halve(
    candidates: Mapping[str, DistanceLearner],
    X: NDArray[np.floating],
    side: SideInformation,
    measure: Measure,
    sizes: Sequence[int],
    k: int,
    folds: int,
    seed: int,
    fallback: str | None,
    elsewhere: Examiner | None,
    report: ProgressReport,
) -> tuple[list[str], int]:
    """Return the candidates that are left after a round on each of some numbers of photos, and how many were tried.

    The fallback is always among them, if it can be trained.
    """
    left, tried = list(candidates), len(candidates)
    for number, size in enumerate(sizes):
        part = part_of(report, number / len(sizes), 1 / len(sizes))
        rows = training_rows(side, len(X), size, seed)
        try:
            smaller = make_protocol(len(rows), restrict(side, rows), folds, seed=seed + 1 + number)
        except LearnerError:
            continue  # what photos share is too rare for the sample
        smaller = _first(smaller, measure)
        if len(left) <= _FINALISTS or not _questions(smaller, measure):
            continue
        some = {name: candidates[name] for name in left}
        shortest = fitting_k(smaller, k)
        found = cross_validate(some, X[rows], smaller, k=shortest, only=(measure,), elsewhere=elsewhere, progress=part)
        order = _byscore(found, measure)
        tried -= len(left) - len(order)
        left = order[: max(_FINALISTS, len(order) // 3 if number + 1 < len(sizes) else 0)]
        if fallback in order and fallback not in left:
            left[-1] = str(fallback)
    return left, tried


def surely_gains(gain: Gain | None, floor: float = 0.0) -> bool:
    """Return whether a gain can be told from noise and from `floor`, though it is the best of several."""
    return gain is not None and gain.gain - floor > _ERRORS * gain.error


def _loses(gain: Gain | None) -> bool:
    return gain is not None and gain.gain < -gain.error


def _byscore(found: Mapping[str, LearnerResult], measure: Measure) -> list[str]:
    """Return the names of those that could be trained, the best first."""
    able = [name for name, result in found.items() if not result.reason]
    return sorted(able, key=lambda name: -score(found[name], measure))


def score(result: LearnerResult, measure: Measure) -> float:
    """Return the precision or the order of a result, 0..1."""
    if measure == "order":
        return result.order or 0.0
    return float(np.mean(np.concatenate(result.queries["precision"])))


def _first(protocol: Protocol, measure: Measure, enough: int = _QUESTIONS) -> Protocol:
    """Return a protocol with only the first of its folds that have questions enough together."""
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
