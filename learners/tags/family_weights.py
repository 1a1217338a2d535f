"""How much each feature family counts for a library's tags: the weights under which photos left out get their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.tags.likelihood import surprise, tags_of_several

_PHOTOS: Final = 500
"""Tagged photos that are looked at: the time grows with the cube."""

_FEWEST: Final = 10
"""Photos with a tag that others have too, below which all families count as they do in rankings."""

_FEWEST_BESIDE: Final = 50
"""And such photos below which they are found as if there were no other kernel: too few to tell what it leaves."""

_FACTORS: Final = (0.5, 2.0, 0.0)
_ROUNDS: Final = 2
_PRICE: Final = 1.0
"""So much more likely, as a logarithm, all tags together must be for a weight to change."""


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
    """Find how much the squared distances of each family shall count for tags beside what they count for rankings.

    One family after another is halved, doubled or left out, twice round, where that makes the tags of photos that are
    left out of kernel ridge regression likelier by a factor of e, all together (`learners.tags.tag_ridge`).

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        Photos with tags.
    families : sequence of FeatureFamily
        Their columns.
    truth : ndarray of float, shape (n, m)
        1 where photo i carries tag j.
    regularization : float
    beside : (float, ndarray of float (n, n)), optional
        Another kernel of the photos and its weight, 0..1: what it knows the families need not say.
    random_state : int
        Of the draw of 500 photos, where there are more.
    progress : callable, optional
        Called with the share done, 0..1; raise in it to cancel.

    Returns
    -------
    ndarray of float64, shape (f,)
        1 for each family where fewer than ten photos have a tag that others have too. Cost: some 60 inverses of 500
        photos, 1 s of one core.
    """
    weights = np.ones(len(families))
    rows = np.arange(len(X))
    if len(X) > _PHOTOS:
        rows = np.sort(np.random.default_rng(random_state).choice(len(X), _PHOTOS, replace=False))
    tags = truth[rows][:, truth[rows].sum(axis=0) > 1].astype(np.float32)
    known = tags_of_several(truth[rows]) & tags.any(axis=1)
    if len(families) < 2 or known.sum() < _FEWEST:
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

    best, step = loss(weights), _PRICE / float(known.sum())
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
