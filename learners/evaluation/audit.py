# SPDX-License-Identifier: MIT
"""Estimates of tag quality from a random sample checked by the user (ALGORITHMS.md, 5.15).

The items are pairs of a photo and a tag. The pairs of a tag are stratified by whether the photo carries the tag and by
the confidence of the tag. A random sample of each stratum is answered: should the photo carry the tag or not? From the
answers, the number of correct pairs among the unanswered ones is predicted. Precision, missing photos and recall
follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.logistic import sigmoid

BANDS: Final = (0.001, 0.01, 0.1, 0.5, 0.9)
"""Confidences that separate the strata of untagged pairs where a photo may have several tags."""

FIRST_TAGGED: Final = len(BANDS) + 1
"""First stratum of tagged pairs."""

STRATA: Final = FIRST_TAGGED + 2
"""Number of strata per tag."""

PLANTED: Final = (STRATA, STRATA + 1)
"""Numbers for planted pairs, which are no part of the sample: those known not to have the tag, and those to have it."""

OTHER_TAG: Final = 0
"""Stratum of the photos that carry another tag, where tags exclude each other."""

LEVEL: Final = 0.95
"""Probability that an interval contains the true value."""

CERTAINTY: Final = 0.9
"""Probability that the pairs accepted together reach their precision."""

_SHIFTS: Final = np.linspace(-9.0, 9.0, 55)
_SHIFT_SPREAD: Final = 3.0
_SLOPES: Final = np.array([0.0, 0.5, 1.0])
_STRENGTHS: Final = np.geomspace(0.3, 20.0, 12)
_CONFUSION: Final = 3.0  # weight of the confidences, in wrong photos, when they predict correct tags
_MIN_MEAN_CONFIDENCE: Final = 1e-5  # lower limit of a mean confidence
_DRAWS: Final = 4000
_TAIL: Final = (1 - LEVEL) / 2
_LEAST_SHARE: Final = 0.02  # share that sets the smallest variance of a stratum
_TAGGED_SHARE: Final = 0.5  # share of the answers that go to tagged pairs

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Strata(NamedTuple):
    """Strata of all tags, one per row."""

    tag: Ints
    """Tag index, 0..m - 1; shape (h,)."""
    number: Ints
    """Stratum within the tag, 0..`STRATA` - 1; see `strata_of`; shape (h,)."""
    size: Ints
    """Number of pairs, >= 0; shape (h,)."""
    confidence: Floats
    """Mean confidence of the pairs, 0..1; shape (h,)."""
    answered: Ints
    yes: Ints
    """`answered` and `yes`: sampled pairs with an answer, and those that should carry the tag; shape (h,)."""


class Estimate(NamedTuple):
    """Estimate with the limits of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class TagEstimate:
    """Quality estimates of a tag."""

    precision: Estimate
    """Share of the tagged photos that should have the tag, 0..1; 1 if no photo has it."""
    missing: Estimate
    """Number of untagged photos that should have the tag."""
    recall: Estimate
    """Share of the photos that should have the tag and do have it, 0..1; 1 if no photo should."""


class KnownPairs(NamedTuple):
    """Answered pairs of each tag under the current tags."""

    right: Ints
    wrong: Ints
    """`right` and `wrong`: tagged pairs that should and should not carry the tag; shape (m,)."""
    missing: Ints
    """Untagged pairs that should carry the tag; shape (m,)."""


def strata_of(confidence: NDArray[np.floating], carried: NDArray[np.bool_], *, exclusive: bool) -> NDArray[np.int8]:
    """Return the stratum of each pair, 0..`STRATA` - 1; tagged pairs come last, those with confidence below .5 first.

    Untagged pairs are split at the confidences `BANDS`. If tags exclude each other, photos that carry another tag form
    a separate stratum. The remaining untagged pairs are split by confidence and, below .5, by its share in the photo's
    total confidence over all tags: the confidence that a photo has no tag at all may be biased for all tags together.

    Parameters
    ----------
    confidence : ndarray of float, shape (n, m)
    carried : ndarray of bool, shape (n, m)
    exclusive : bool

    Returns
    -------
    ndarray of int8, shape (n, m)
    """
    if exclusive:
        share = confidence / np.maximum(confidence.sum(axis=1, keepdims=True), _MIN_MEAN_CONFIDENCE)
        untagged = 1 + np.digitize(share, (0.1, 0.5))
        untagged = np.where(confidence >= 0.5, np.where(confidence >= 0.9, 5, 4), untagged)
        untagged = np.where(carried.any(axis=1, keepdims=True), OTHER_TAG, untagged)
    else:
        untagged = np.digitize(confidence, BANDS)
    return np.where(carried, np.where(confidence >= 0.5, FIRST_TAGGED + 1, FIRST_TAGGED), untagged).astype(np.int8)


def allocation(size: Ints, confidence: Floats, answers: int, *, exclusive: bool = False) -> Ints:
    """Return the number of pairs to draw from each stratum of a tag.

    Half of the answers go to tagged pairs. Within each half, the strata share the answers in proportion to
    ``size * sqrt(c (1 - c))`` with mean confidence c (Neyman allocation), at least one each.

    Parameters
    ----------
    size : ndarray of int64, shape (STRATA,)
    confidence : ndarray of float64, shape (STRATA,)
        Mean confidence of each stratum.
    answers : int
        Number of pairs to draw; fewer only if the strata hold fewer.

    Returns
    -------
    ndarray of int64, shape (STRATA,)
    """
    tagged = np.arange(STRATA) >= FIRST_TAGGED
    if exclusive:  # wrong photos of other tags reveal more about these photos
        size = np.where(np.arange(STRATA) == OTHER_TAG, 0, size)
    variance = np.maximum(confidence * (1 - confidence), _LEAST_SHARE * (1 - _LEAST_SHARE))
    weight = np.asarray(size * np.sqrt(variance), dtype=np.float64)
    half = min(round(_TAGGED_SHARE * answers), int(size[tagged].sum()))
    half = max(half, answers - int(size[~tagged].sum()))
    drawn = np.zeros(STRATA, dtype=np.int64)
    for group, number in ((tagged, half), (~tagged, answers - half)):
        drawn[group] = _shared_out(size[group], weight[group], number)
    return drawn


def _shared_out(size: Ints, weight: Floats, number: int) -> Ints:
    """Share a number out by weight: at least one per non-empty part where possible, at most the size of the part."""
    drawn = np.zeros(len(size), dtype=np.int64)
    for place in np.argsort(-weight, kind="stable")[:number]:
        drawn[place] = min(1, size[place])
    for _ in range(min(number, int(size.sum())) - int(drawn.sum())):  # the part furthest below its share is next
        lacking = np.where(drawn < size, weight / (drawn + 1), -1.0)
        drawn[np.argmax(lacking)] += 1
    return drawn


def predicted_yes(strata: Strata, *, exclusive: bool = False, seed: int = 0) -> Ints:
    """Draw the number of unanswered pairs of each stratum that should carry the tag, from the posterior.

    The share of stratum k of tag t is Beta distributed about a mean that depends on its mean confidence c:

    ``share_tk ~ Beta(s m, s (1 - m))``, ``logit m = mean_k + g + b (logit c_tk - mean_k)``,

    where ``mean_k`` is the mean of ``logit c_tk`` over the tags, b is 0, .5 or 1, and log s is uniform for s from .3 to
    20. The prior of g is an equal mixture of ``N(0, 3)``, for confidences that are about right, and Jeffreys' prior of
    the common share ``sigmoid(mean_k + g)``, for confidences of photos that a review has selected. These three are
    marginalized over a grid with the beta-binomial likelihood of the answers to stratum k of all tags.

    If tags exclude each other, photos that carry another tag should carry this tag only if the other tag is wrong. Each
    wrong photo belongs to one tag or to none. The shares are Dirichlet distributed about the confidences of the stratum
    `OTHER_TAG`.

    Parameters
    ----------
    strata : Strata
    exclusive : bool
        Whether each photo should have at most one tag.
    seed : int
        Seed of the draws.

    Returns
    -------
    ndarray of int64, shape (draws, h)

    Raises
    ------
    LearnerError
        If a stratum has more answers than pairs, or more positive answers than answers.
    """
    if (strata.answered > strata.size).any() or (strata.yes > strata.answered).any() or (strata.yes < 0).any():
        raise LearnerError("A stratum has more answers than pairs, or more yes than answers.")
    rng = np.random.default_rng(seed)
    found = np.zeros((_DRAWS, len(strata.size)), dtype=np.int64)
    odds = scipy.special.logit(np.clip(strata.confidence, _MIN_MEAN_CONFIDENCE, 1 - _MIN_MEAN_CONFIDENCE))
    for number in np.unique(strata.number).tolist():
        at = np.flatnonzero((strata.number == number) & (strata.size > 0))
        if not len(at) or (exclusive and number == OTHER_TAG):
            continue
        answered, yes = strata.answered[at], strata.yes[at]
        mean, strength = _drawn_hyperparameters(odds[at], answered, yes, rng)
        a, b = strength * mean + yes, strength * (1 - mean) + (answered - yes)
        share = rng.beta(np.maximum(a, _MIN_MEAN_CONFIDENCE), np.maximum(b, _MIN_MEAN_CONFIDENCE))
        found[:, at] = rng.binomial(strata.size[at] - answered, share)
    if exclusive:
        _draw_confused(strata, found, rng)
    return found


def _drawn_hyperparameters(odds: Floats, answered: Ints, yes: Ints, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw means (draws, h) and strengths (draws, 1) of the strata with one number, from their posterior."""
    grid = np.meshgrid(_SLOPES, _SHIFTS, _STRENGTHS, indexing="ij")
    slope, shift, strength = (each.reshape(-1, 1) for each in grid)
    mean = sigmoid(odds.mean() + shift + slope * (odds - odds.mean()))
    known = answered > 0
    a, b = strength * mean[:, known], strength * (1 - mean[:, known])
    y, n = yes[known], answered[known]
    betaln = scipy.special.betaln
    log = (betaln(a + y, b + n - y) - betaln(a, b)).sum(axis=1)
    log += np.log(_prior_of_shifts(odds.mean()))[np.searchsorted(_SHIFTS, shift[:, 0])]
    weight = np.exp(log - log.max())
    point = rng.choice(len(weight), _DRAWS, p=weight / weight.sum())
    return mean[point], strength[point]


def _prior_of_shifts(odds: float) -> Floats:
    """Return the prior of the shifts of confidences whose mean logit is given, with the sum 1."""
    about = np.exp(-0.5 * (_SHIFTS / _SHIFT_SPREAD) ** 2)
    jeffreys = np.sqrt(sigmoid(odds + _SHIFTS) * sigmoid(-odds - _SHIFTS))  # of the share, in terms of its logit
    return np.asarray(0.5 * about / about.sum() + 0.5 * jeffreys / jeffreys.sum(), dtype=np.float64)


def _draw_confused(strata: Strata, found: Ints, rng: np.random.Generator) -> None:
    """Draw the correct tags of wrongly tagged photos, if each photo should carry at most one."""
    at = np.flatnonzero(strata.number == OTHER_TAG)
    if not len(at):
        return
    tagged = strata.number >= FIRST_TAGGED
    wrong = strata.size[tagged] - strata.yes[tagged] - found[:, tagged]
    by_tag = _by_tag(wrong, strata.tag[tagged], int(strata.tag.max()) + 1)
    others = by_tag.sum(axis=1, keepdims=True) - by_tag[:, strata.tag[at]]
    expected = np.maximum(strata.size[at] * strata.confidence[at], _MIN_MEAN_CONFIDENCE)
    expected = expected + expected.mean()
    weight = _CONFUSION * expected / (expected.sum() + expected.mean())
    # The marginal distribution of each Dirichlet share is a Beta distribution.
    share = rng.beta(np.maximum(weight, _MIN_MEAN_CONFIDENCE), _CONFUSION - weight, size=(_DRAWS, len(at)))
    room = strata.size[at] - strata.answered[at]
    found[:, at] = np.minimum(rng.binomial(np.maximum(others - strata.yes[at], 0), share), room)


def counted(numbers: NDArray[np.int8], chosen: NDArray[np.bool_]) -> Ints:
    """Count the chosen pairs (n, m) of each tag by the numbers of their strata (n, m), (m, `STRATA`)."""
    found = np.zeros((numbers.shape[1], STRATA), dtype=np.int64)
    rows, tags = np.nonzero(chosen)
    np.add.at(found, (tags, numbers[rows, tags]), 1)
    return found


class Acceptable(NamedTuple):
    """Strata of untagged pairs that can be accepted together."""

    strata: NDArray[np.bool_]
    """By tag and number; shape (m, STRATA)."""
    precision: float
    """Posterior mean of the share of right pairs among them; 0 if there are none."""


def acceptable(strata: Strata, pairs: Ints, *, precision: float, exclusive: bool = False, seed: int = 0) -> Acceptable:
    """Choose strata whose untagged pairs together are right with a given precision.

    Candidates are strata whose share of right pairs has a posterior mean of at least the precision. As many as possible
    are accepted, from the best on, as long as the accepted pairs together reach the precision with a probability of
    `CERTAINTY`. Never accepted are strata without an answer, tagged pairs, and photos that carry another tag if tags
    exclude each other.

    Parameters
    ----------
    strata : Strata
    pairs : ndarray of int64, shape (m, STRATA)
        Number of pairs to accept with each stratum, by tag and number.
    precision : float
        0..1.
    exclusive : bool
        See `predicted_yes`.
    seed : int
    """
    count = pairs[strata.tag, strata.number]
    rest = predicted_yes(strata, exclusive=exclusive, seed=seed)
    share = rest / np.maximum(strata.size - strata.answered, 1)
    known = (strata.answered > 0) & (strata.number < FIRST_TAGGED) & (strata.size > strata.answered) & (count > 0)
    if exclusive:
        known &= strata.number != OTHER_TAG
    order = np.flatnonzero(known & (share.mean(axis=0) >= precision))
    order = order[np.argsort(-share[:, order].mean(axis=0), kind="stable")]
    right = np.cumsum(share[:, order] * count[order], axis=1) / np.cumsum(count[order])
    enough = np.flatnonzero(np.quantile(right, 1 - CERTAINTY, axis=0) >= precision) if len(order) else order
    chosen = np.zeros(pairs.shape, dtype=bool)
    if not len(enough):
        return Acceptable(chosen, 0.0)
    accepted = order[: enough[-1] + 1]
    chosen[strata.tag[accepted], strata.number[accepted]] = True
    return Acceptable(chosen, float(right[:, enough[-1]].mean()))


def _by_tag(values: Ints, tag: Ints, tags: int) -> Ints:
    """Sum the columns of each tag: (draws, h) to (draws, tags)."""
    return np.asarray(values @ (tag[:, None] == np.arange(tags)).astype(np.int64), dtype=np.int64)


def estimate(
    strata: Strata,
    *,
    known: KnownPairs | None = None,
    among: NDArray[np.bool_] | None = None,
    exclusive: bool = False,
    seed: int = 0,
) -> tuple[list[TagEstimate], TagEstimate]:
    """Estimate precision, missing photos and recall of each tag and of several tags together.

    Parameters
    ----------
    strata : Strata
    known : KnownPairs, optional
        Answered pairs under the current tags, which the user may have corrected after answering. Default None: as in
        the strata.
    among : ndarray of bool, shape (m,), optional
        Tags of the joint estimate; all by default.
    exclusive : bool
        See `predicted_yes`.
    seed : int

    Returns
    -------
    list of TagEstimate, length m
        Exact if all pairs are answered.
    TagEstimate
        Joint estimate over the pairs of the tags `among`.
    """
    m = int(strata.tag.max()) + 1 if len(strata.tag) else 0
    tagged = strata.number >= FIRST_TAGGED
    rest = predicted_yes(strata, exclusive=exclusive, seed=seed)
    right, missing = (_by_tag(rest[:, chosen], strata.tag[chosen], m) for chosen in (tagged, ~tagged))

    def summed(values: Ints, chosen: NDArray[np.bool_]) -> Ints:
        return np.bincount(strata.tag[chosen], values[chosen], minlength=m).astype(np.int64)

    if known is None:
        wrong = summed(strata.answered - strata.yes, tagged)
        known = KnownPairs(summed(strata.yes, tagged), wrong, summed(strata.yes, ~tagged))
    carrying = known.right + known.wrong + summed(strata.size - strata.answered, tagged)
    right, missing = right + known.right, missing + known.missing
    chosen = np.ones(m, dtype=bool) if among is None else among
    total = _tag_estimate(right[:, chosen].sum(axis=1), missing[:, chosen].sum(axis=1), int(carrying[chosen].sum()))
    return [_tag_estimate(right[:, tag], missing[:, tag], int(carrying[tag])) for tag in range(m)], total


def agreement_with_answers(strata: Strata, *, exclusive: bool = False, seed: int = 0) -> list[Estimate]:
    """Estimate Cohen's kappa of each tag between the tags when the audit began and the answers to all photos.

    If the user who tagged the photos answers without seeing the tags, this is the user's self-agreement. Every
    draw from the posterior completes the table of tagged or not, and yes or no (`predicted_yes`).

    Parameters
    ----------
    strata : Strata
    exclusive : bool
        See `predicted_yes`.
    seed : int

    Returns
    -------
    list of Estimate, length m
        Kappa, -1..1; 1 if either all photos or none carry the tag and should.

    Raises
    ------
    LearnerError
        As for `predicted_yes`.
    """
    m = int(strata.tag.max()) + 1 if len(strata.tag) else 0
    tagged = strata.number >= FIRST_TAGGED
    yes = predicted_yes(strata, exclusive=exclusive, seed=seed) + strata.yes
    both, missing = (_by_tag(yes[:, chosen], strata.tag[chosen], m) for chosen in (tagged, ~tagged))
    size = np.bincount(strata.tag, strata.size, minlength=m)
    carried = np.bincount(strata.tag[tagged], strata.size[tagged], minlength=m)
    total = np.maximum(size, 1)
    observed = (both + (size - carried - missing)) / total
    p, q = carried / total, (both + missing) / total
    expected = p * q + (1 - p) * (1 - q)
    kappa = np.divide(
        observed - expected, 1 - expected, out=np.ones_like(observed), where=expected < 1 - _MIN_MEAN_CONFIDENCE
    )
    return [_summary(kappa[:, tag]) for tag in range(m)]


class KnownAnswers(NamedTuple):
    """An annotator's answers to pairs of a photo and a tag whose answers are known."""

    found: int
    missed: int
    """`found` and `missed`: pairs that have the tag, answered by yes and by no."""
    wrong: int
    refused: int
    """`wrong` and `refused`: pairs that do not have it, answered by yes and by no."""

    def recall(self) -> Estimate:
        """Return the share of the pairs with the tag that the annotator answers by yes, 0..1; 1 without such pairs.

        The interval is exact (Clopper and Pearson, 1934): it contains the true share in at least 95 % of cases.
        """
        pairs = self.found + self.missed
        value = self.found / pairs if pairs else 1.0
        low = scipy.special.betaincinv(self.found, self.missed + 1, _TAIL) if self.found else 0.0
        high = scipy.special.betaincinv(self.found + 1, self.missed, 1 - _TAIL) if self.missed else 1.0
        return Estimate(value, float(min(value, low)), float(max(value, high)))

    def precision(self) -> Estimate:
        """Return the share of right ones among the pairs answered by yes, 0..1; 1 without such answers.

        Holds for the asked numbers of pairs with and without the tag. The limits combine those of both shares of
        yes, as in `recall`.
        """
        yes, no = self.found + self.missed, self.wrong + self.refused
        given = self.found + self.wrong
        value = self.found / given if given else 1.0
        limits = []
        for up in (False, True):
            right = yes * _shares(self.found, self.missed, up=up)
            wrong = no * _shares(self.wrong, self.refused, up=not up)
            share = np.divide(right, right + wrong, out=np.full(_DRAWS, float(up)), where=right + wrong > 0)
            limits.append(float(np.quantile(share, 1 - _TAIL if up else _TAIL)))
        return Estimate(value, min(value, limits[0]), max(value, limits[1]))


def _shares(hits: int, misses: int, *, up: bool) -> Floats:
    """Draw a share (d,) from the distribution whose quantiles are the upper or lower exact limits."""
    a, b = (hits + 1, misses) if up else (hits, misses + 1)
    rng = np.random.default_rng([hits, misses])
    return rng.beta(a, b, _DRAWS) if a and b else np.full(_DRAWS, float(up))


def _tag_estimate(right: Ints, missing: Ints, carrying: int) -> TagEstimate:
    precision = right / carrying if carrying else np.ones(len(right))
    should = right + missing
    recall = np.divide(right, should, out=np.ones(len(right)), where=should > 0)
    return TagEstimate(_summary(precision), _summary(missing.astype(np.float64)), _summary(recall))


def _summary(draws: Floats) -> Estimate:
    """Return the mean of the draws and their shortest interval that contains at least the share `LEVEL`."""
    ordered = np.sort(draws)
    inside = int(np.ceil(LEVEL * len(ordered)))
    widths = ordered[inside - 1 :] - ordered[: len(ordered) - inside + 1]
    start = int(np.argmin(widths))
    mean = np.clip(draws.mean(), ordered[0], ordered[-1])  # exact if all draws are equal
    return Estimate(float(mean), float(ordered[start]), float(ordered[start + inside - 1]))
