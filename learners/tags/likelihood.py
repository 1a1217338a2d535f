# SPDX-License-Identifier: MIT
"""Likelihood of the tags of photos, given scores."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

TEMPERATURES: Final = (0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5)
"""Divisors of scores in a softmax."""

_STEPS: Final = 100
PRIOR: Final = 50.0
"""Prior weight, in photos, of the initial shares of `likeliest_shares`."""

OF_FOLDER: Final = 10.0
"""Prior weight, in photos, of the shares of the library in those of a folder."""


def tags_of_several(truth: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which photos, (n, m) 0/1, have tags, all of them shared with other photos: bool (n,).

    When the other photos are left out, their tags cannot be predicted.
    """
    lonely = truth.sum(axis=0) == 1
    return np.asarray(truth.any(axis=1) & ~(truth[:, lonely] > 0).any(axis=1))


def surprise(scores: NDArray[Any], truth: NDArray[Any]) -> float:
    """Return the negative mean log-likelihood of a tag drawn from each photo, at the best temperature.

    Parameters
    ----------
    scores, truth : ndarray of float, shape (n, m)
        Scores and tags of tagged photos; the likelihood of tags is softmax(scores / T).
    """
    centred = scores - scores.max(axis=1, keepdims=True)
    stated = (truth * centred).sum(axis=1) / truth.sum(axis=1)
    return min(float((np.log(np.exp(centred / one).sum(axis=1)) - stated / one).mean()) for one in TEMPERATURES)


def likeliest_shares(odds: NDArray[np.float64], first: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the maximum-likelihood shares (c,) of causes among photos, given their odds (n, c) against no cause.

    By expectation maximisation; the initial shares (c,) count for 50 photos.
    """
    shares = likeliest_shares_by_group(odds, np.zeros(len(odds), np.intp), 1, first, PRIOR)
    return np.asarray(shares[0], np.float64)


def likeliest_shares_by_group(
    odds: NDArray[np.float64], groups: NDArray[np.intp], count: int, first: NDArray[np.float64], prior: float
) -> NDArray[np.float64]:
    """Return the shares (count, c) in each group of photos, numbered by `groups` (n,); see `likeliest_shares`.

    The initial shares (c,) count for `prior` photos in each group.
    """
    shares = np.tile(np.asarray(first, np.float64), (count, 1))
    sizes = np.bincount(groups, minlength=count)[:, None]
    for _ in range(_STEPS):
        of_photos = shares[groups]
        parts = odds * of_photos
        parts /= (1 - of_photos.sum(axis=1, keepdims=True)) + parts.sum(axis=1, keepdims=True)
        sums = np.column_stack([np.bincount(groups, part, count) for part in parts.T])
        shares = (sums + prior * first) / (sizes + prior)
    return shares
