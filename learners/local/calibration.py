"""Probabilities from the distances of one focal image: a logistic curve that falls with the distance."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.core.errors import LearnerError

_RIDGE: Final = 1e-3
_STEPS: Final = 100
_FLAT: Final = 1e-9


class Logistic(NamedTuple):
    """``P(similar | D) = 1 / (1 + exp(slope D + offset))``.

    Attributes
    ----------
    slope : float
        >= 0; 0 where the distance says nothing.
    offset : float
    """

    slope: float
    offset: float

    def __call__(self, distances: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return the probability of each distance."""
        return probability(np.asarray(distances, np.float64) * self.slope + self.offset)


def probability(exponent: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``1 / (1 + exp(exponent))`` without overflow."""
    result: NDArray[np.float64] = 0.5 * (1 - np.tanh(exponent / 2))
    return result


def fit_logistic(distances: NDArray[np.floating[Any]], similar: NDArray[np.bool_]) -> Logistic:
    """Fit the probability that a photo is similar to its distance.

    By Newton steps on the likelihood of the standardised distances, with Platt's targets, (n + 1)/(n + 2) for the n
    similar and 1/(m + 2) for the m dissimilar photos, and a ridge of 1e-3 / 2 on the slope. Where a larger distance
    would mean a larger probability, or distances do not differ, or there is one kind only, the slope is 0 and the
    probability that of the targets' mean.

    Parameters
    ----------
    distances : ndarray of float, shape (N,)
    similar : ndarray of bool, shape (N,)

    Returns
    -------
    Logistic

    Raises
    ------
    LearnerError
        There are no distances, or some are not finite.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, NIPS 2006, section 4; J. C. Platt, "Probabilistic outputs for support vector
    machines", 1999.
    """
    D = np.asarray(distances, np.float64)
    if not len(D) or not np.isfinite(D).all():
        raise LearnerError("A probability is fitted to finite distances, at least one.")
    positive, negative = int(similar.sum()), int((~similar).sum())
    targets = np.where(similar, (positive + 1) / (positive + 2), 1 / (negative + 2))
    rate = float(targets.mean())
    middle, deviation = float(D.mean()), float(D.std())
    constant = Logistic(0.0, float(np.log(1 / rate - 1)))
    if not positive or not negative or deviation <= _FLAT * max(abs(middle), 1e-30):
        return constant
    X = np.column_stack([(D - middle) / deviation, np.ones(len(D))])
    ridge = np.array([_RIDGE, 0.0])
    at = np.array([0.0, constant.offset])
    value = _loss(X, targets, ridge, at)
    for _ in range(_STEPS):
        p = probability(X @ at)
        slope = X.T @ (targets - p) + ridge * at
        curvature = (X * (p * (1 - p))[:, None]).T @ X + np.diag(ridge + 1e-12)
        step = np.linalg.solve(curvature, -slope)
        share = 1.0
        while share > 1e-6 and _loss(X, targets, ridge, at + share * step) > value + 1e-4 * share * float(slope @ step):
            share /= 2
        at = at + share * step
        before, value = value, _loss(X, targets, ridge, at)
        if before - value <= 1e-12 * abs(value):
            break
    if at[0] <= 0:
        return constant
    return Logistic(float(at[0] / deviation), float(at[1] - at[0] * middle / deviation))


def _loss(
    X: NDArray[np.float64], targets: NDArray[np.float64], ridge: NDArray[np.float64], at: NDArray[np.float64]
) -> float:
    exponent = X @ at
    # -t log P - (1 - t) log(1 - P) with log P = -log(1 + exp(e)) and log(1 - P) = e + log P
    return float(np.sum(np.logaddexp(0, exponent) - (1 - targets) * exponent) + 0.5 * ridge @ (at * at))
