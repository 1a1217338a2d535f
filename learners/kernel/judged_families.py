# SPDX-License-Identifier: MIT
"""Weights of the feature families learned from judged pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import distinct
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.logistic import sigmoid
from focal_photos.learners.core.side_information import SideInformation

MIN_FOCAL_IMAGES: Final = 3
"""Number of focal images below which all families keep their weights: none could be left out to choose the penalty."""

PENALTIES: Final = (1.0, 3.0, 10.0, 30.0, np.inf)
"""Weights tried for the squared logarithm of each factor; the last one leaves all factors at 1."""

_SLOPE: Final = 1.5
"""Change of the log odds per standard deviation of the squared distances of random pairs, at equal weights."""

_FOLDS: Final = 10
_EVIDENCE_SHARE: Final = 0.5
"""Share of the held-out log-likelihood in the weight of a penalty: the judgements of a focal image are not
independent."""

_MOST: Final = 5000
_RANDOM: Final = 2000


def judged_weights(
    X: NDArray[np.floating], families: Sequence[FeatureFamily], side: SideInformation, random_state: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return factors of the families' squared distances that predict the judgements.

    In a logistic regression of the judgements on the families' squared distances, the logarithm of each factor is
    penalised. The logarithms are averaged over `PENALTIES`, weighted by the likelihood of the judgements of left-out
    focal images: few or contradictory judgements leave the factors near 1 (ALGORITHMS.md, 2.7).

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
    families : sequence of FeatureFamily
        Families of the columns.
    side : SideInformation
        The first photo of a pair is its focal image.
    random_state : int
        Seed of the random pairs, and of the sample of 5,000 judgements if there are more.

    Returns
    -------
    factors : ndarray of float64, shape (f,)
        All 1 with one family, one kind of verdict or fewer than `MIN_FOCAL_IMAGES` focal images. The mean squared
        distance of random pairs is unchanged.
    shares : ndarray of float64, shape (f,)
        Shares of the families in that mean, with these factors; none, (0,), if all factors are 1.

    Notes
    -----
    Cost: 45 fits of f numbers, .2 s for 500 judgements.
    """
    unchanged = np.ones(len(families)), np.empty(0)
    if len(families) < 2 or not len(side.similar) or not len(side.dissimilar):
        return unchanged
    rng = np.random.default_rng(random_state)
    pairs = np.concatenate([side.similar, side.dissimilar])
    similar = np.arange(len(pairs)) < len(side.similar)
    if len(pairs) > _MOST:
        rows = rng.choice(len(pairs), _MOST, replace=False)
        pairs, similar = pairs[rows], similar[rows]
    focal = distinct(pairs[:, 0])
    random = _squared(X, families, rng.integers(0, len(X), (_RANDOM, 2)))
    spread = float(random.sum(axis=1).std())
    if len(focal) < MIN_FOCAL_IMAGES or similar.all() or not similar.any() or not spread > 0:
        return unchanged
    judged = _Judged(_squared(X, families, pairs) / spread, similar)
    fold = np.searchsorted(focal, pairs[:, 0]) % _FOLDS
    likelihood = np.zeros(len(PENALTIES))
    for one in range(fold.max() + 1):
        others, left_out = judged.among(fold != one), judged.among(fold == one)
        likelihood -= [left_out.surprise(others.fitted(penalty)) for penalty in PENALTIES]
    shares = np.exp(_EVIDENCE_SHARE * (likelihood - likelihood.max()))
    logs = shares @ [judged.fitted(penalty)[:-1] for penalty in PENALTIES] / shares.sum()
    factors, own = np.exp(logs), random.mean(axis=0)
    parts = factors * own / (factors @ own)
    return np.asarray(factors * own.sum() / (factors @ own)), np.asarray(parts)


def _squared(
    X: NDArray[np.floating], families: Sequence[FeatureFamily], pairs: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the squared distances of pairs (m, 2) in each family: (m, f)."""
    squares = np.square(X[pairs[:, 0]].astype(np.float64) - X[pairs[:, 1]])
    return np.stack([squares[:, one.start : one.stop].sum(axis=1) for one in families], axis=1)


class _Judged(NamedTuple):
    """Judged pairs: squared distances by family (m, f), in units of random pairs, and whether they are similar."""

    distances: NDArray[np.float64]
    similar: NDArray[np.bool_]

    def among(self, rows: NDArray[np.bool_]) -> _Judged:
        return _Judged(self.distances[rows], self.similar[rows])

    def surprise(self, b: NDArray[np.float64]) -> float:
        """Return minus the log-likelihood of the verdicts; b (f + 1,): logarithms of the factors, and the intercept."""
        odds = b[-1] - _SLOPE * (self.distances @ np.exp(b[:-1]))
        return float(np.logaddexp(0, np.where(self.similar, -odds, odds)).sum())

    def fitted(self, penalty: float) -> NDArray[np.float64]:
        """Return b with the highest penalised likelihood."""
        free, start = np.isfinite(penalty), np.zeros(self.distances.shape[1] + 1)
        start[-1] = _SLOPE * self.distances.sum(axis=1).mean()

        def loss(b: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            factors = np.exp(b[:-1]) if free else np.ones(len(b) - 1)
            odds = b[-1] - _SLOPE * (self.distances @ factors)
            error = sigmoid(odds) - self.similar
            slopes = np.append(-_SLOPE * (error @ self.distances) * factors * free, error.sum())
            value = float(np.logaddexp(0, np.where(self.similar, -odds, odds)).sum())
            if free:
                value += penalty * float(np.square(b[:-1]).sum())
                slopes[:-1] += 2 * penalty * b[:-1]
            return value, slopes

        return np.asarray(scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B").x)
