# SPDX-License-Identifier: MIT
"""Probabilities from the distances of one focal image: a logistic curve that falls with distance."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.logistic import fit_logistic, platt_targets, sigmoid

RELATIVES: Final = 3
"""Number of photos that rank the others on behalf of an image without a learned distance."""

PROBABLE: Final = 0.1
"""Minimum probability that the most probable of them must give the image."""

_RIDGE: Final = 1e-3
_TOLERANCE: Final = 1e-12
_FLAT: Final = 1e-9


class Logistic(NamedTuple):
    """``P(similar | D) = 1 / (1 + exp(slope D + offset))``."""

    slope: float
    """>= 0; 0 if the distance is uninformative."""
    offset: float

    def __call__(self, distances: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return the probability of each distance: float64 of the shape of the distances."""
        return sigmoid(-(np.asarray(distances, np.float64) * self.slope + self.offset))


def fit_probability(distances: NDArray[np.floating[Any]], similar: NDArray[np.bool_]) -> Logistic:
    """Fit the probability that a photo is similar as a function of its distance.

    Newton's method maximizes the likelihood of the standardized distances with Platt's targets, (n + 1)/(n + 2) for the
    n similar and 1/(m + 2) for the m dissimilar photos, and a ridge of 1e-3 / 2 on the slope. If the probability would
    rise with distance, the distances are equal, or there is one kind only, the slope is 0 and the probability is the
    mean of the targets.

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
        If there are no distances, or some are not finite.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, NIPS 2006, section 4; J. C. Platt, "Probabilistic outputs for support vector
    machines", 1999.
    """
    D = np.asarray(distances, np.float64)
    if not len(D) or not np.isfinite(D).all():
        raise LearnerError("A probability is fitted to finite distances, at least one.")
    targets = platt_targets(similar)
    rate = float(targets.mean())
    middle, deviation = float(D.mean()), float(D.std())
    constant = Logistic(0.0, float(np.log(1 / rate - 1)))
    if similar.all() or not similar.any() or deviation <= _FLAT * max(abs(middle), 1e-30):
        return constant
    # P falls with distance: a regression on the negative distance has the coefficients of the class above.
    X = -np.column_stack([(D - middle) / deviation, np.ones(len(D))])
    start, pull = np.array([0.0, constant.offset]), np.array([_RIDGE, 0.0])
    at = fit_logistic(X, targets, start, pull=pull, largest_step=np.inf, tolerance=_TOLERANCE)
    if at[0] <= 0:
        return constant
    return Logistic(float(at[0] / deviation), float(at[1] - at[0] * middle / deviation))


class Relatives(NamedTuple):
    """Photos to which an image without a learned distance most probably belongs."""

    places: NDArray[np.intp]
    """Positions among the evaluated photos; shape (r,)."""
    trust: NDArray[np.float64]
    """Logarithms of the probabilities that they give the image, descending; shape (r,)."""

    def say(self, exponents: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return the log of their mean probabilities of photos, weighted by the trust: float64 (n,).

        Parameters
        ----------
        exponents : ndarray of float, shape (r, n)
            ``slope D + offset`` of each relative and photo.
        """
        says = self.trust[:, None] + _log_probabilities(exponents)
        return np.asarray(np.logaddexp.reduce(says, axis=0) - np.logaddexp.reduce(self.trust), np.float64)


def find_relatives(exponents: NDArray[np.floating[Any]]) -> Relatives | None:
    """Return the `RELATIVES` photos with the lowest exponents (F,) for an image; None if none is probable."""
    if not len(exponents):
        return None
    places = np.argsort(exponents, kind="stable")[:RELATIVES]
    trust = _log_probabilities(exponents[places])
    return None if trust[0] < np.log(PROBABLE) else Relatives(places.astype(np.intp), trust)


def _log_probabilities(exponents: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    return np.asarray(-np.logaddexp(0.0, np.asarray(exponents, np.float64)))
