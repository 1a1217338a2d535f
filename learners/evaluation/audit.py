"""How good tags are, estimated from a random sample that the user has checked (ALGORITHMS.md, 5.15).

The items are pairs of a photo and a tag. The pairs of a tag lie in strata, by whether the photo carries the tag and by
the confidence of the tag. Some pairs of each stratum are drawn at random and answered: the photo should carry the tag,
or not. How many of the unanswered pairs should is predicted, and precision, missing photos and recall follow from it.
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
"""Confidences at which one stratum of the untagged pairs ends and the next begins, where photos have several tags."""

FIRST_TAGGED: Final = len(BANDS) + 1
"""Strata with this number or a higher one hold tagged pairs."""

STRATA: Final = FIRST_TAGGED + 2
"""Strata of a tag."""

OTHER_TAG: Final = 0
"""Where tags exclude each other: the stratum of the photos that carry another tag."""

LEVEL: Final = 0.95
"""Probability with which an interval holds the true value."""

_SHIFTS: Final = np.linspace(-6.0, 6.0, 37)
_SHIFT_SPREAD: Final = 3.0
_SLOPES: Final = np.array([0.0, 0.5, 1.0])
_STRENGTHS: Final = np.geomspace(0.3, 20.0, 12)
_CONFUSION: Final = 3.0  # wrong photos that the confidences count for where they say of which tag these are
_LEAST: Final = 1e-5  # of a mean confidence: no model is surer
_DRAWS: Final = 4000
_LEAST_SHARE: Final = 0.02  # variance of a stratum where the confidence leaves none
_TAGGED_SHARE: Final = 0.5  # of the answers to a tag

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Strata(NamedTuple):
    """Strata of tags, each a row.

    Attributes
    ----------
    tag : ndarray of int64, shape (h,)
        0, 1, ..., m - 1.
    number : ndarray of int64, shape (h,)
        Of the stratum within its tag, 0 to `STRATA` - 1, as `strata_of` gives it.
    size : ndarray of int64, shape (h,)
        Pairs, >= 0.
    confidence : ndarray of float64, shape (h,)
        Their mean confidence, 0..1.
    answered, yes : ndarray of int64, shape (h,)
        Pairs that were drawn and answered, and those of them that should carry the tag.
    """

    tag: Ints
    number: Ints
    size: Ints
    confidence: Floats
    answered: Ints
    yes: Ints


class Estimate(NamedTuple):
    """An estimate and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class TagEstimate:
    """What is known of one tag.

    Attributes
    ----------
    precision : Estimate
        Share of the photos with the tag that should have it, 0..1; 1 where no photo has it.
    missing : Estimate
        Photos that should have the tag and do not.
    recall : Estimate
        Share of the photos that should have the tag and have it, 0..1; 1 where no photo should.
    """

    precision: Estimate
    missing: Estimate
    recall: Estimate


class KnownPairs(NamedTuple):
    """The answered pairs of each tag, as the tags are now.

    Attributes
    ----------
    right, wrong : ndarray of int64, shape (m,)
        Tagged, and rightly so or not.
    missing : ndarray of int64, shape (m,)
        Untagged, although they should be tagged.
    """

    right: Ints
    wrong: Ints
    missing: Ints


def strata_of(confidence: NDArray[np.floating], carried: NDArray[np.bool_], *, exclusive: bool) -> NDArray[np.int8]:
    """Return the stratum of each pair, 0 to `STRATA` - 1; the tagged ones come last, those below .5 first.

    Untagged pairs lie in `BANDS` by their confidence. Where tags exclude each other, photos that carry another tag are
    a stratum of their own, and the others lie in strata by their confidence, and below .5 by its share in the
    confidence of all tags of the photo: how sure it is that a photo is of no tag at all may be wrong for all of them
    together.

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
        share = confidence / np.maximum(confidence.sum(axis=1, keepdims=True), _LEAST)
        untagged = 1 + np.digitize(share, (0.1, 0.5))
        untagged = np.where(confidence >= 0.5, np.where(confidence >= 0.9, 5, 4), untagged)
        untagged = np.where(carried.any(axis=1, keepdims=True), OTHER_TAG, untagged)
    else:
        untagged = np.digitize(confidence, BANDS)
    return np.where(carried, np.where(confidence >= 0.5, FIRST_TAGGED + 1, FIRST_TAGGED), untagged).astype(np.int8)


def allocation(size: Ints, confidence: Floats, answers: int, *, exclusive: bool = False) -> Ints:
    """Return how many pairs of each stratum of one tag to draw.

    Half of the answers go to tagged pairs. Within each half a stratum gets as many as ``size * sqrt(c (1 - c))``
    suggests, c its mean confidence (Neyman's allocation), but at least one.

    Parameters
    ----------
    size : ndarray of int64, shape (STRATA,)
    confidence : ndarray of float64, shape (STRATA,)
        Mean confidence of each.
    answers : int
        To draw in all; fewer only if the strata hold fewer.

    Returns
    -------
    ndarray of int64, shape (STRATA,)
    """
    tagged = np.arange(STRATA) >= FIRST_TAGGED
    if exclusive:  # what other tags are wrong says more of these
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
    """Share a number out by weight: at least one to each that is not empty while it lasts, at most its size."""
    drawn = np.zeros(len(size), dtype=np.int64)
    for place in np.argsort(-weight, kind="stable")[:number]:
        drawn[place] = min(1, size[place])
    for _ in range(min(number, int(size.sum())) - int(drawn.sum())):  # the one that lacks most is next
        lacking = np.where(drawn < size, weight / (drawn + 1), -1.0)
        drawn[np.argmax(lacking)] += 1
    return drawn


def predicted_yes(strata: Strata, *, exclusive: bool = False, seed: int = 0) -> Ints:
    """Draw how many of the unanswered pairs of each stratum should carry the tag, from the posterior.

    The share of stratum k of tag t is Beta distributed about a mean that follows its mean confidence c:

    ``share_tk ~ Beta(s m, s (1 - m))``, ``logit m = mean_k + g + b (logit c_tk - mean_k)``,

    with ``mean_k`` the mean of ``logit c_tk`` over the tags, ``g ~ N(0, 3)``, b one of 0, .5 and 1, and s uniform in
    its logarithm from .3 to 20. The three are summed out on a grid, by the beta-binomial likelihood of the answers to
    stratum k of all tags.

    Where tags exclude each other, photos that carry another tag should carry this one only if that other tag is wrong.
    Each wrong photo falls to one tag or to none of them, by shares that are Dirichlet distributed about what the
    confidences of the stratum `OTHER_TAG` say.

    Parameters
    ----------
    strata : Strata
    exclusive : bool
        Whether each photo should have one tag at most.
    seed : int
        Of the draws.

    Returns
    -------
    ndarray of int64, shape (draws, h)

    Raises
    ------
    LearnerError
        More answers than pairs, or more yes than answers.
    """
    if (strata.answered > strata.size).any() or (strata.yes > strata.answered).any() or (strata.yes < 0).any():
        raise LearnerError("A stratum has more answers than pairs, or more yes than answers.")
    rng = np.random.default_rng(seed)
    found = np.zeros((_DRAWS, len(strata.size)), dtype=np.int64)
    odds = scipy.special.logit(np.clip(strata.confidence, _LEAST, 1 - _LEAST))
    for number in np.unique(strata.number).tolist():
        at = np.flatnonzero((strata.number == number) & (strata.size > 0))
        if not len(at) or (exclusive and number == OTHER_TAG):
            continue
        answered, yes = strata.answered[at], strata.yes[at]
        mean, strength = _drawn_hyperparameters(odds[at], answered, yes, rng)
        a, b = strength * mean + yes, strength * (1 - mean) + (answered - yes)
        share = rng.beta(np.maximum(a, _LEAST), np.maximum(b, _LEAST))
        found[:, at] = rng.binomial(strata.size[at] - answered, share)
    if exclusive:
        _draw_confused(strata, found, rng)
    return found


def _drawn_hyperparameters(odds: Floats, answered: Ints, yes: Ints, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return means (draws, h) and strengths (draws, 1) of the strata with one number, from their posterior."""
    grid = np.meshgrid(_SLOPES, _SHIFTS, _STRENGTHS, indexing="ij")
    slope, shift, strength = (each.reshape(-1, 1) for each in grid)
    mean = sigmoid(odds.mean() + shift + slope * (odds - odds.mean()))
    known = answered > 0
    a, b = strength * mean[:, known], strength * (1 - mean[:, known])
    y, n = yes[known], answered[known]
    betaln = scipy.special.betaln
    log = (betaln(a + y, b + n - y) - betaln(a, b)).sum(axis=1) - 0.5 * (shift[:, 0] / _SHIFT_SPREAD) ** 2
    weight = np.exp(log - log.max())
    point = rng.choice(len(weight), _DRAWS, p=weight / weight.sum())
    return mean[point], strength[point]


def _draw_confused(strata: Strata, found: Ints, rng: np.random.Generator) -> None:
    """Draw which tags the wrongly tagged photos should carry, where each should carry one at most."""
    at = np.flatnonzero(strata.number == OTHER_TAG)
    if not len(at):
        return
    tagged = strata.number >= FIRST_TAGGED
    wrong = strata.size[tagged] - strata.yes[tagged] - found[:, tagged]
    by_tag = _by_tag(wrong, strata.tag[tagged], int(strata.tag.max()) + 1)
    others = by_tag.sum(axis=1, keepdims=True) - by_tag[:, strata.tag[at]]
    expected = np.maximum(strata.size[at] * strata.confidence[at], _LEAST)
    expected = expected + expected.mean()
    weight = _CONFUSION * expected / (expected.sum() + expected.mean())
    # Of a Dirichlet distribution each share by itself is Beta distributed.
    share = rng.beta(np.maximum(weight, _LEAST), _CONFUSION - weight, size=(_DRAWS, len(at)))
    room = strata.size[at] - strata.answered[at]
    found[:, at] = np.minimum(rng.binomial(np.maximum(others - strata.yes[at], 0), share), room)


def _by_tag(values: Ints, tag: Ints, tags: int) -> Ints:
    """Return the sums of columns, (draws, h), that belong to the same tag, (draws, tags)."""
    return np.asarray(values @ (tag[:, None] == np.arange(tags)).astype(np.int64), dtype=np.int64)


def estimate(
    strata: Strata,
    *,
    known: KnownPairs | None = None,
    among: NDArray[np.bool_] | None = None,
    exclusive: bool = False,
    seed: int = 0,
) -> tuple[list[TagEstimate], TagEstimate]:
    """Estimate precision, missing photos and recall of each tag, and of several tags together.

    Parameters
    ----------
    strata : Strata
    known : KnownPairs, optional
        The answered pairs as the tags are now: the user may have corrected what the answers showed. As the strata say,
        if not given.
    among : ndarray of bool, shape (m,), optional
        The tags that are taken together; all, if not given.
    exclusive : bool
        As in `predicted_yes`.
    seed : int

    Returns
    -------
    list of TagEstimate, length m
        Exact where all pairs are answered.
    TagEstimate
        Of the pairs of all tags that are taken together.
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


def _tag_estimate(right: Ints, missing: Ints, carrying: int) -> TagEstimate:
    precision = right / carrying if carrying else np.ones(len(right))
    should = right + missing
    recall = np.divide(right, should, out=np.ones(len(right)), where=should > 0)
    return TagEstimate(_summary(precision), _summary(missing.astype(np.float64)), _summary(recall))


def _summary(draws: Floats) -> Estimate:
    """Return the mean of draws and their shortest interval with at least `LEVEL` of them."""
    ordered = np.sort(draws)
    inside = int(np.ceil(LEVEL * len(ordered)))
    widths = ordered[inside - 1 :] - ordered[: len(ordered) - inside + 1]
    start = int(np.argmin(widths))
    mean = np.clip(draws.mean(), ordered[0], ordered[-1])  # exact where all draws are the same
    return Estimate(float(mean), float(ordered[start]), float(ordered[start + inside - 1]))
