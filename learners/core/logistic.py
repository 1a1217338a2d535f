# SPDX-License-Identifier: MIT
"""Logistic regression: the logistic function, Platt's targets, and a fit regularized towards its start."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_STEPS: Final = 100
_TOLERANCE: Final = 1e-8
"""The fit ends if no coefficient changes by more than this: the next change would be about its square."""

_MIN_STEP: Final = 1e-6
"""A step is halved down to this share of itself."""

_ROUNDING: Final = 1e-12
"""Share of a loss that may be due to rounding."""


def sigmoid(x: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return ``1 / (1 + exp(-x))`` without overflow: float64 of the shape of x."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -500, 500))), np.float64)


def platt_targets(positive: NDArray[np.bool_], positives: int | None = None) -> NDArray[np.float64]:
    """Return regression targets that limit the confidence to that justified by the number of samples.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
    positives : int, optional
        Number of independent samples among the positive; all by default.

    Returns
    -------
    ndarray of float64, shape (n,)
        ``(p + 1) / (p + 2)`` for p positives, ``1 / (q + 2)`` for the q others.

    References
    ----------
    .. [1] J. Platt, "Probabilistic outputs for support vector machines", Advances in Large Margin Classifiers (1999).
    """
    p = int(positive.sum()) if positives is None else positives
    return np.where(positive, (p + 1) / (p + 2), 1 / (int((~positive).sum()) + 2))


def fit_logistic(
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    start: NDArray[np.float64],
    *,
    pull: NDArray[np.float64] | float = 1.0,
    weights: NDArray[np.float64] | None = None,
    largest_step: float = 2.0,
    tolerance: float | None = None,
) -> NDArray[np.float64]:
    """Fit a logistic regression by Newton's method.

    Minimises ``sum w (log(1 + exp(z)) - y z) + sum pull (b - start)^2 / 2`` over b, with ``z = X b``;
    ALGORITHMS.md, 5.8.

    Parameters
    ----------
    X : ndarray of float64, shape (n, c)
    y : ndarray of float64, shape (n,)
        In 0..1.
    start : ndarray of float64, shape (c,)
        Prior of the coefficients, which dominates if there are almost no data.
    pull : ndarray of float64, shape (c,), or float
        Strength of the prior, >= 0; a few samples outweigh 1.
    weights : ndarray of float64, shape (n,), optional
        Sample weights w, >= 0; 1 by default.
    largest_step : float
        Maximum change of a coefficient per step: far from the optimum, Newton's step can overshoot.
    tolerance : float, optional
        The fit ends when a step lowers the loss by no more than this share; by default, when no coefficient moves by
        1e-8.

    Returns
    -------
    ndarray of float64, shape (c,)
    """
    pulls = np.broadcast_to(np.asarray(pull, np.float64), start.shape)
    counts = np.ones(len(X)) if weights is None else weights

    def loss(b: NDArray[np.float64]) -> float:
        z, shift = X @ b, b - start
        return float(np.sum(counts * (np.logaddexp(0, -z) + (1 - y) * z)) + 0.5 * pulls @ (shift * shift))

    b = start.copy()
    value = loss(b)
    # For exact coefficients, a last step must not be rejected because the loss no longer shows its effect.
    slack = _ROUNDING if tolerance is None else 0.0
    for _ in range(_STEPS):
        # Not `sigmoid`, which differs by rounding: a fit that ends by its loss would end at another step.
        p = 0.5 * (1 + np.tanh(X @ b / 2))
        gradient = X.T @ (counts * (p - y)) + pulls * (b - start)
        # A minimal ridge, for coefficients without pull whose columns are constant.
        hessian = (X * (counts * p * (1 - p))[:, None]).T @ X + np.diag(pulls + _ROUNDING)
        step = np.linalg.solve(hessian, gradient)
        size = float(np.abs(step).max())
        share = min(1.0, largest_step / max(size, _ROUNDING))
        fall = float(gradient @ step)
        tried = loss(b - share * step)
        while share > _MIN_STEP and tried > value - 1e-4 * share * fall + slack * abs(value):
            share /= 2
            tried = loss(b - share * step)
        b = b - share * step
        before, value = value, tried
        if size < _TOLERANCE if tolerance is None else before - value <= tolerance * abs(value):
            break
    return b


def calibrate(
    X: NDArray[np.float64], y: NDArray[np.float64], start: NDArray[np.float64], rising: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Fit a logistic regression with a weak prior `start` and coefficients that are at least 0 where `rising`.

    Parameters
    ----------
    X : ndarray of float64, shape (n, c)
    y : ndarray of float64, shape (n,)
        In 0..1.
    start : ndarray of float64, shape (c,)
        Prior of the coefficients; >= 0 where `rising`.
    rising : ndarray of bool, shape (c,)

    Returns
    -------
    ndarray of float64, shape (c,)
        A coefficient that would be negative is 0, and the others are fitted without it.
    """
    free = np.ones(len(start), dtype=bool)
    while True:
        coefficients = np.zeros(len(start))
        coefficients[free] = fit_logistic(X[:, free], y, start[free])
        wrong = free & (coefficients < 0) & rising
        if not wrong.any():
            return coefficients
        free &= ~wrong
