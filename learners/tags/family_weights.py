# SPDX-License-Identifier: MIT
"""Weights of the feature families for a library's tags, chosen by leave-one-out likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.tags.likelihood import surprise, tags_of_several

_PHOTOS: Final = 500
"""Maximum number of tagged photos used: the time grows with the cube."""

_MIN_PHOTOS: Final = 10
"""Minimum number of photos with a shared tag; with fewer, all families have the weights of the rankings."""

_FEWEST_BESIDE: Final = 50
"""Minimum number of these photos for including the other kernel; with fewer, its residuals cannot be judged."""

_FACTORS: Final = (0.5, 2.0, 0.0)
_ROUNDS: Final = 2
_MIN_GAIN: Final = 1.0
"""Minimum gain in the log-likelihood of all tags together for changing a weight."""


def family_weights(
    X: NDArray[np.floating],
    families: Sequence[FeatureFamily],
    truth: NDArray[Any],
    regularization: float,
    *,
    beside: tuple[float, NDArray[np.floating]] | None = None,
    random_state: int = 0,
    progress: ProgressReport = no_report,
) -> NDArray[np.float64]:
    """Return factors of the families' squared distances for tags, relative to their weights in rankings.

    Each family in turn is halved, doubled or dropped, in two passes, if that raises the leave-one-out likelihood of all
    tags together under kernel ridge regression (`learners.tags.tag_ridge`) by a factor of e.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        Photos with tags.
    families : sequence of FeatureFamily
        Families of the columns.
    truth : ndarray of float, shape (n, m)
        1 if photo i carries tag j.
    regularization : float
    beside : (float, ndarray of float (n, n)), optional
        Weight, 0..1, and matrix of another kernel of the photos, which the families complement.
    random_state : int
        Seed of the sample of 500 photos if there are more.
    progress : callable, optional
        Called with the share done, 0..1; may raise to cancel.

    Returns
    -------
    ndarray of float64, shape (f,)
        1 for each family if fewer than ten photos have a shared tag. Cost: about 60 inverses of size 500, 1 s on one
        core.
    """
    weights = np.ones(len(families))
    rows = np.arange(len(X))
    if len(X) > _PHOTOS:
        rows = np.sort(np.random.default_rng(random_state).choice(len(X), _PHOTOS, replace=False))
    tags = truth[rows][:, truth[rows].sum(axis=0) > 1].astype(np.float32)
    known = tags_of_several(truth[rows]) & tags.any(axis=1)
    if len(families) < 2 or known.sum() < _MIN_PHOTOS:
        return weights
    samples = X[rows].astype(np.float32)
    products = [samples[:, one.start : one.stop] @ samples[:, one.start : one.stop].T for one in families]
    diagonal = np.diag_indices(len(rows))
    share, other = np.float32(0), None
    if beside is not None and known.sum() >= _FEWEST_BESIDE:
        share, other = np.float32(beside[0]), beside[1][np.ix_(rows, rows)]

    def loss(weights: NDArray[np.float64]) -> float:
        kernel = sum(
            (np.float32(weight) * product for weight, product in zip(weights, products, strict=True) if weight),
            np.zeros_like(products[0]),
        )
        lengths = kernel[diagonal]
        distances = np.maximum(lengths[:, None] + lengths - 2 * kernel, 0)
        median = float(np.median(distances[np.triu_indices(len(rows), 1)][::7]))
        if not median > 0:
            return np.inf
        kernel = np.exp(distances / -median)
        if other is not None:
            kernel = (1 - share) * kernel + share * other
        kernel += 1
        kernel[diagonal] += regularization
        inverse = np.linalg.inv(kernel)
        left_out = tags - (inverse @ tags) / np.diag(inverse)[:, None]
        return surprise(left_out[known], tags[known])

    best, step = loss(weights), _MIN_GAIN / float(known.sum())
    for turn in range(_ROUNDS):
        before = weights.copy()
        for place in range(len(families)):
            progress((turn + place / len(families)) / _ROUNDS)
            for factor in _FACTORS:
                tried = weights.copy()
                tried[place] *= factor
                if tried[place] == weights[place]:
                    continue
                reached = loss(tried)
                if reached < best - step:
                    weights, best = tried, reached
        if np.array_equal(weights, before):
            break
    return weights
