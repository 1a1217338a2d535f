# SPDX-License-Identifier: MIT
"""Agreement of annotators beyond chance: Cohen's kappa, Fleiss' kappa and Krippendorff's alpha, with intervals.

All three are ``1 - D_o / D_e``: observed disagreement over the disagreement expected by chance. They differ in the
chance: Cohen's raters each use the categories with their own frequencies, Fleiss' raters with common ones, and
Krippendorff's draw without replacement from all ratings, so that ratings may be missing.

References
----------
J. Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20.
J. L. Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76.
K. Krippendorff (2011), Computing Krippendorff's alpha-reliability, University of Pennsylvania (nominal data).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.evaluation.audit import Estimate

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MISSING: Final = -1
"""Rating of an item that a rater did not rate."""

UNDEFINED: Final = Estimate(float("nan"), float("nan"), float("nan"))
"""Agreement if all ratings are equal, or if no item has two: nothing could disagree."""

_DRAWS: Final = 2000
_LEVEL: Final = 0.95
_DISSENT: Final = 1.0  # prior number of items that one rater rates unlike all others
_MOST_DISSENTS: Final = 4096
_BLOCK: Final = 1 << 22  # weights drawn at once

Statistic = Callable[[Floats], Floats]
"""Maps weights of the patterns, shape (b, p), to values, shape (b,)."""


def cohen_kappa(one: ArrayLike, other: ArrayLike, *, seed: int = 0) -> Estimate:
    """Return Cohen's kappa of two raters, over the items that both rated.

    ``kappa = (p_o - p_e) / (1 - p_e)``, ``p_e = sum_c p_c q_c`` with the shares p, q of category c of the two raters
    (Cohen 1960, equation 1).

    Parameters
    ----------
    one, other : array-like of int, shape (n,)
        Categories from 0, or `MISSING`.
    seed : int
        Seed of the interval; see `krippendorff_alpha`.

    Returns
    -------
    Estimate
        Kappa, -1..1; `UNDEFINED` if both use only one category, the same.

    Raises
    ------
    LearnerError
        If the two have different lengths, or a rating is below `MISSING`.

    Examples
    --------
    >>> one, other = [0] * 30 + [1] * 20, [0] * 20 + [1] * 10 + [0] * 5 + [1] * 15
    >>> round(cohen_kappa(one, other).value, 2)
    0.4
    """
    first, second = np.asarray(one, dtype=np.int64), np.asarray(other, dtype=np.int64)
    if first.shape != second.shape or first.ndim != 1:
        raise LearnerError("The two raters have different numbers of items.")
    ratings = np.column_stack([first, second])
    return _estimate(ratings[(ratings != MISSING).all(axis=1)], _cohen, seed)


def fleiss_kappa(ratings: ArrayLike, *, seed: int = 0) -> Estimate:
    """Return Fleiss' kappa of several raters, over the items that all rated.

    ``kappa = (P - P_e) / (1 - P_e)``, P the mean over items of the share of agreeing pairs of raters, ``P_e`` the sum
    of the squared shares of the categories (Fleiss 1971, equations 2-7).

    Parameters
    ----------
    ratings : array-like of int, shape (n, r)
        Categories from 0, or `MISSING`.
    seed : int
        Seed of the interval; see `krippendorff_alpha`.

    Returns
    -------
    Estimate
        Kappa, at least ``-1 / (r - 1)``, at most 1; `UNDEFINED` if all ratings are equal.

    Raises
    ------
    LearnerError
        If the ratings are not a matrix of two or more raters, or a rating is below `MISSING`.
    """
    whole = _checked(ratings)
    return _estimate(whole[(whole != MISSING).all(axis=1)], _fleiss, seed)


def krippendorff_alpha(ratings: ArrayLike, *, seed: int = 0) -> Estimate:
    """Return Krippendorff's alpha for nominal ratings of several raters, of which some may be missing.

    ``alpha = 1 - (n - 1) (n - sum_c o_cc) / (n^2 - sum_c n_c^2)`` with the coincidences ``o_cc``, the sum over items of
    ``n_uc (n_uc - 1) / (m_u - 1)``; ``n_uc`` of the ``m_u >= 2`` ratings of item u are c (Krippendorff 2011, section
    C).

    The interval contains 95 % of the values under the posterior of the shares of the patterns (rows that occur), given
    the items and a prior item on which one rater differs from all others: a Bayesian bootstrap (Rubin 1981) that does
    not collapse if all raters agreed. Krippendorff instead draws pairs of ratings as if they were independent.

    Parameters
    ----------
    ratings : array-like of int, shape (n, r)
        Categories from 0, or `MISSING`.
    seed : int
        Seed of the draws.

    Returns
    -------
    Estimate
        Alpha, at most 1; `UNDEFINED` if all ratings are equal, or no item has two.

    Raises
    ------
    LearnerError
        If the ratings are not a matrix of two or more raters, or a rating is below `MISSING`.
    """
    whole = _checked(ratings)
    return _estimate(whole[(whole != MISSING).sum(axis=1) >= 2], _krippendorff, seed)


def observed_agreement(ratings: ArrayLike) -> float:
    """Return the share of agreeing pairs among all pairs of ratings of the same item, 0..1; NaN without a pair.

    Parameters
    ----------
    ratings : array-like of int, shape (n, r)
        Categories from 0, or `MISSING`.

    Raises
    ------
    LearnerError
        As for `krippendorff_alpha`.
    """
    counts = _counts(_checked(ratings))
    rated = counts.sum(axis=1)
    pairs = (rated * (rated - 1)).sum()
    return float((counts * (counts - 1)).sum() / pairs) if pairs else float("nan")


def _checked(ratings: ArrayLike) -> Ints:
    found = np.asarray(ratings, dtype=np.int64)
    if found.ndim != 2 or found.shape[1] < 2:
        raise LearnerError("Agreement needs the ratings of two or more raters.")
    return found


def _estimate(ratings: Ints, make: Callable[[Ints, int], Statistic], seed: int) -> Estimate:
    """Return a statistic of ratings, with the interval of its posterior."""
    if (ratings < MISSING).any():
        raise LearnerError("A rating is a category from 0, or missing.")
    categories, codes = np.unique(ratings[ratings != MISSING], return_inverse=True)
    if len(categories) < 2:
        return UNDEFINED
    ratings = ratings.copy()
    ratings[ratings != MISSING] = codes
    patterns, count = np.unique(ratings, axis=0, return_counts=True)
    value = float(make(patterns, len(categories))(count[None].astype(np.float64))[0])
    patterns, prior = _with_dissents(patterns, count.astype(np.float64), len(categories))
    statistic = make(patterns, len(categories))
    rng, found = np.random.default_rng(seed), []
    block = max(1, _BLOCK // len(patterns))
    for start in range(0, _DRAWS, block):
        weights = rng.standard_gamma(prior, size=(min(block, _DRAWS - start), len(patterns)))
        # Shares, times the number of items: alpha depends on how many there are.
        found.append(statistic(weights * (len(ratings) / weights.sum(axis=1, keepdims=True))))
    draws = np.concatenate(found)
    low, high = np.nanquantile(draws, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Estimate(value, min(float(low), value), max(float(high), value))


def _with_dissents(patterns: Ints, count: Floats, categories: int) -> tuple[Ints, Floats]:
    """Add the patterns in which one rater differs from all others, and share `_DISSENT` out among them."""
    raters = patterns.shape[1]
    if raters * categories * (categories - 1) > _MOST_DISSENTS:
        return patterns, count
    rows = {
        tuple(other if place == rater else common for place in range(raters))
        for rater in range(raters)
        for common in range(categories)
        for other in range(categories)
        if other != common
    }
    dissents = np.array(sorted(rows), dtype=np.int64)
    joined, place = np.unique(np.concatenate([patterns, dissents]), axis=0, return_inverse=True)
    place = place.reshape(-1)  # NumPy 2.0 returns a column
    weight: Floats = np.bincount(place[: len(patterns)], count, minlength=len(joined)).astype(np.float64)
    weight[place[len(patterns) :]] += _DISSENT / len(dissents)
    return joined, weight


def _counts(ratings: Ints, categories: int | None = None) -> Floats:
    """Return the number of ratings of each category for each row, shape (n, c)."""
    number = int(ratings.max(initial=0)) + 1 if categories is None else categories
    found = np.zeros((len(ratings), number))
    for column in ratings.T:
        rated = np.flatnonzero(column != MISSING)
        found[rated, column[rated]] += 1
    return found


def _chance_corrected(observed: Floats, expected: Floats) -> Floats:
    """Return ``(observed - expected) / (1 - expected)``, NaN where chance alone agrees."""
    room = 1 - expected
    room[room < 1e-12] = np.nan
    return np.asarray((observed - expected) / room, dtype=np.float64)


def _cohen(patterns: Ints, categories: int) -> Statistic:
    own = [_counts(patterns[:, [rater]], categories) for rater in range(2)]
    agree = (patterns[:, 0] == patterns[:, 1]).astype(np.float64)

    def kappa(weights: Floats) -> Floats:
        total = weights.sum(axis=1)
        first, second = (weights @ each / total[:, None] for each in own)
        return _chance_corrected(weights @ agree / total, (first * second).sum(axis=1))

    return kappa


def _fleiss(patterns: Ints, categories: int) -> Statistic:
    counts, raters = _counts(patterns, categories), patterns.shape[1]
    agree = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))

    def kappa(weights: Floats) -> Floats:
        total = weights.sum(axis=1)
        shares = weights @ counts / (raters * total[:, None])
        return _chance_corrected(weights @ agree / total, (shares**2).sum(axis=1))

    return kappa


def _krippendorff(patterns: Ints, categories: int) -> Statistic:
    counts = _counts(patterns, categories)
    rated = counts.sum(axis=1)
    agree = (counts * (counts - 1)).sum(axis=1) / np.maximum(rated - 1, 1)

    def alpha(weights: Floats) -> Floats:
        of_category = weights @ counts
        total = of_category.sum(axis=1)
        expected = total**2 - (of_category**2).sum(axis=1)
        expected[expected < 1e-9] = np.nan
        return np.asarray(1 - (total - 1) * (total - weights @ agree) / expected, dtype=np.float64)

    return alpha
