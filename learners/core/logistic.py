"""Logistic regression: the function, Platt's targets, and a fit that is drawn to where it starts."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_STEPS: Final = 100
_SMALL: Final = 1e-8
"""Largest change of a coefficient after which the fit ends: the next step would be its square."""

_LEAST: Final = 1e-6
"""Share of a step below which it is no longer halved."""

_ROUNDING: Final = 1e-12
"""What rounding may make of a loss, as a share of it."""


def sigmoid(x: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return ``1 / (1 + exp(-x))`` without overflow: float of any shape gives float64 of the same."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -500, 500))), np.float64)


def platt_targets(positive: NDArray[np.bool_], positives: int | None = None) -> NDArray[np.float64]:
    """Return the targets of a fit that is never surer than what was seen allows.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
    positives : int, optional
        How many independent ones there are among the positive; all of them, unless given.

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
        What the coefficients are drawn to: it decides where there are next to no data.
    pull : ndarray of float64, shape (c,), or float
        How strongly, >= 0; a handful of samples is stronger than 1.
    weights : ndarray of float64, shape (n,), optional
        w, >= 0: how much each sample counts; 1, if not given.
    largest_step : float
        No coefficient moves by more at once: far from the optimum Newton's step can overshoot.
    tolerance : float, optional
        The fit ends when a step lowers the loss by no more than this share; by default, when none moves by 1e-8.

    Returns
    -------
    ndarray of float64, shape (c,)
    """
    pulls = np.broadcast_to(np.asarray(pull, np.float64), start.shape)
    counts = np.ones(len(X)) if weights is None else weights

    def loss(b: NDArray[np.float64]) -> float:
        z, away = X @ b, b - start
        return float(np.sum(counts * (np.logaddexp(0, -z) + (1 - y) * z)) + 0.5 * pulls @ (away * away))

    b = start.copy()
    value = loss(b)
    # Where coefficients are to be exact, a last step must not be given up because the loss no longer shows it.
    slack = _ROUNDING if tolerance is None else 0.0
    for _ in range(_STEPS):
        # Not `sigmoid`, from which it differs by rounding: a fit that ends by its loss would end elsewhere.
        p = 0.5 * (1 + np.tanh(X @ b / 2))
        gradient = X.T @ (counts * (p - y)) + pulls * (b - start)
        # The least ridge of all: coefficients without pull of columns that do not differ.
        hessian = (X * (counts * p * (1 - p))[:, None]).T @ X + np.diag(pulls + _ROUNDING)
        step = np.linalg.solve(hessian, gradient)
        size = float(np.abs(step).max())
        share = min(1.0, largest_step / max(size, _ROUNDING))
        fall = float(gradient @ step)
        tried = loss(b - share * step)
        while share > _LEAST and tried > value - 1e-4 * share * fall + slack * abs(value):
            share /= 2
            tried = loss(b - share * step)
        b = b - share * step
        before, value = value, tried
        if size < _SMALL if tolerance is None else before - value <= tolerance * abs(value):
            break
    return b


def calibrate(
    X: NDArray[np.float64], y: NDArray[np.float64], start: NDArray[np.float64], rising: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Fit a logistic regression, drawn weakly to `start`, whose coefficients are at least 0 where `rising` says so.

    Parameters
    ----------
    X : ndarray of float64, shape (n, c)
    y : ndarray of float64, shape (n,)
        In 0..1.
    start : ndarray of float64, shape (c,)
        What the coefficients are drawn to; >= 0 where `rising`.
    rising : ndarray of bool, shape (c,)

    Returns
    -------
    ndarray of float64, shape (c,)
        A coefficient that would fall below 0 is 0, and the others are fitted without it.
    """
    free = np.ones(len(start), dtype=bool)
    while True:
        coefficients = np.zeros(len(start))
        coefficients[free] = fit_logistic(X[:, free], y, start[free])
        wrong = free & (coefficients < 0) & rising
        if not wrong.any():
            return coefficients
        free &= ~wrong
