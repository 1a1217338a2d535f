# SPDX-License-Identifier: MIT
"""The maximum-margin problem of a local distance function, solved in the dual to a small duality gap."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError

Real = NDArray[np.floating[Any]]

_HISTORY: Final = 10
"""A step is accepted if it improves on the worst of this number of values before it, which saves many steps."""

_FULL_STEPS: Final = 20
"""Steps with all triplets before the inactive ones are set aside."""

_NEAR_MARGIN: Final = 0.1
"""Triplets with a zero dual variable stay in the reduced problem if their margin is at most 1 plus this."""

_MAX_NEWTON_VARIABLES: Final = 300
"""Maximum number of free dual variables for which a Newton step is cheaper than the gradient steps it saves."""

_MIN_NEWTON_GAP: Final = 0.1
"""Relative gap from which Newton steps are tried; before, the set of free variables is not yet right."""

_RIDGES: Final = (1e-7, 1e-3, 1e-1)
"""Ridges of a Newton step, relative to the mean curvature, in the order tried."""

_LENGTHS: Final = (1.0, 0.3, 0.1)
"""Lengths of a Newton step, in the order tried."""

_BACKTRACKS: Final = 40

_STEP_GROWTH: Final = 10.0
"""Growth factor of the step length if the value falls linearly."""

_MAX_STALLED_STEPS: Final = 200
"""Steps without a gain above rounding errors after which the ascent ends."""

_MIN_FLOAT32_TOLERANCE: Final = 1e-5
"""Minimum tolerance for single precision."""


@dataclass(frozen=True)
class MarginSolution:
    """Weights of a focal image, with their duality gap."""

    weights: NDArray[np.float64]
    """>= 0; shape (M,)."""
    dual: NDArray[np.float64]
    """One dual variable per triplet, 0..C; shape (T,)."""
    primal_value: float
    dual_value: float
    """`primal_value` and `dual_value`: ``|w|² / 2 + C sum max(0, 1 - w'x)`` and ``sum a - |w|² / 2``, in double
    precision; the minimum is between them."""
    steps: int
    """Number of gradient and Newton steps."""

    @property
    def gap(self) -> float:
        """Duality gap relative to the primal value; 0 if the primal value is 0."""
        return (self.primal_value - self.dual_value) / self.primal_value if self.primal_value > 0 else 0.0


def maximum_margin(
    distances: Real,
    triplets: NDArray[np.integer[Any]],
    *,
    C: float = 0.1,
    tolerance: float = 1e-3,
    max_steps: int = 5000,
) -> MarginSolution:
    """Return the weights w >= 0 that minimize ``|w|² / 2 + C sum over triplets of max(0, 1 - w'x)``.

    Here ``x = distances[dissimilar] - distances[similar]``. The dual, ``sum a - |max(X'a, 0)|² / 2`` over
    ``0 <= a <= C`` with ``w = max(X'a, 0)``, is maximized by projected gradients with spectral step lengths, and near
    the end by Newton steps in the few variables that are neither 0 nor C (ALGORITHMS.md, 4.3).

    Parameters
    ----------
    distances : ndarray of float32 or float64, shape (N, M)
        Scaled elementary distances; float32 is processed in single precision where that suffices.
    triplets : ndarray of int, shape (T, 2)
        Rows of the dissimilar and of the similar photo.
    C : float
        Price of an error, > 0.
    tolerance : float
        Maximum relative duality gap of the solution, see `MarginSolution`.
    max_steps : int
        Maximum number of steps; the gap of the solution shows its quality. About 100 suffice for C up to 1.

    Returns
    -------
    MarginSolution
        Deterministic.

    Raises
    ------
    LearnerError
        If C or tolerance is not positive, or there are no triplets.

    References
    ----------
    Problem: A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions",
    NIPS 2006, eq. 2. Method: E. G. Birgin, J. M. Martínez and M. Raydan, "Nonmonotone spectral projected gradient
    methods on convex sets", SIAM J. Optim. 10, 2000; D. P. Bertsekas, "Projected Newton methods for optimization
    problems with simple constraints", SIAM J. Control Optim. 20, 1982.
    """
    if not (C > 0 and np.isfinite(C)):
        raise LearnerError(f"C must be a positive number, not {C}.")
    if not tolerance > 0:
        raise LearnerError(f"The tolerance must be positive, not {tolerance}.")
    if not len(triplets):
        raise LearnerError("There are no triplets: a focal image needs similar and dissimilar photos.")
    single = distances.dtype == np.float32 and tolerance >= _MIN_FLOAT32_TOLERANCE
    whole = _Dual(distances if single else distances.astype(np.float64), np.asarray(triplets, np.intp), C)
    a, steps = _climb(whole, whole.first_guess(), tolerance, min(_FULL_STEPS, max_steps))
    a, steps = _solve(whole, a, tolerance, steps, max_steps)
    solution = _verified(whole, a, steps)
    if single and solution.gap > tolerance and steps < max_steps:  # with a large C, rounding errors matter
        whole = whole.in_double_precision()
        a, steps = _solve(whole, a, tolerance, steps, max_steps)
        solution = _verified(whole, a, steps)
    return solution


@dataclass(frozen=True)
class _Point:
    """Dual variables, the value to minimize (the negative dual) with its slope, and intermediate results."""

    a: NDArray[np.float64]
    value: float
    slope: NDArray[np.float64]
    weights: Real
    square: float


class _Dual:
    """The dual problem of some triplets, with only the photos that occur in them."""

    def __init__(self, distances: Real, triplets: NDArray[np.intp], C: float) -> None:
        named = np.zeros(len(distances), bool)
        named[triplets] = True
        places = np.cumsum(named) - 1
        self.far, self.near = places[triplets[:, 0]], places[triplets[:, 1]]
        self.distances = np.ascontiguousarray(distances if named.all() else distances[named])
        self.C = C

    def in_double_precision(self) -> _Dual:
        """Return the same problem in float64."""
        return _Dual(self.distances.astype(np.float64), np.column_stack([self.far, self.near]), self.C)

    def part(self, kept: NDArray[np.bool_]) -> _Dual:
        """Return the problem of some of the triplets."""
        return _Dual(self.distances, np.column_stack([self.far[kept], self.near[kept]]), self.C)

    def direction(self, a: NDArray[np.float64]) -> Real:
        """Return X'a."""
        count = len(self.distances)
        for_photos = np.bincount(self.far, a, count) - np.bincount(self.near, a, count)
        product: Real = for_photos.astype(self.distances.dtype) @ self.distances
        return product

    def at(self, a: NDArray[np.float64]) -> _Point:
        """Evaluate the problem at dual variables a."""
        weights = self.direction(a)
        np.maximum(weights, 0, out=weights)
        square = float(weights @ weights)
        z = self.distances @ weights
        slope = (z[self.far] - z[self.near]).astype(np.float64)
        slope -= 1
        return _Point(a, square / 2 - float(a.sum()), slope, weights, square)

    def gap(self, point: _Point) -> float:
        """Return the relative duality gap."""
        primal = point.square / 2 - self.C * float(np.minimum(point.slope, 0).sum())
        return (primal + point.value) / primal if primal > 0 else 0.0

    def first_guess(self) -> NDArray[np.float64]:
        """Return equal dual variables, optimal along that ray."""
        a = np.ones(len(self.far))
        square = self.at(a).square
        return np.full(len(a), self.C if square * self.C <= len(a) else len(a) / square)

    def first_length(self, point: _Point) -> float:
        """Return the optimal step length along the slope, ignoring the bounds."""
        along = self.direction(point.slope).astype(np.float64)
        bend = float(along @ along)
        return float(point.slope @ point.slope) / bend if bend > 0 else self.C

    def newton(self, point: _Point) -> _Point | None:
        """Return a better point by a Newton step in the free variables; None if there is none."""
        a, slope = point.a, point.slope
        free = np.flatnonzero(((a > 0) | (slope < 0)) & ((a < self.C) | (slope > 0)))
        if not 0 < len(free) <= _MAX_NEWTON_VARIABLES:
            return None
        used = np.flatnonzero(point.weights > 0)
        X = (self.distances[self.far[free]] - self.distances[self.near[free]])[:, used]
        curvature = (X @ X.T).astype(np.float64)
        # A small ridge handles triplets with linearly dependent differences. If there are more triplets than patches in
        # use, only a larger ridge gives a step that the bounds do not bend.
        size = curvature.trace() / len(free) or 1.0
        for ridge in _RIDGES:
            step = np.zeros(len(a))
            step[free] = np.linalg.solve(curvature + ridge * size * np.eye(len(free)), -slope[free])
            for length in _LENGTHS:
                found = self.at(np.clip(a + length * step, 0, self.C))
                if found.value < point.value + 1e-4 * min(float(slope @ (found.a - a)), 0.0):
                    return found
        return None


def _solve(
    whole: _Dual, a: NDArray[np.float64], tolerance: float, steps: int, max_steps: int
) -> tuple[NDArray[np.float64], int]:
    """Return dual variables within the tolerance, solving reduced problems, and the total number of steps."""
    point = whole.at(a)
    kept = np.zeros(len(a), bool)
    while whole.gap(point) > tolerance and steps < max_steps:
        wanted = kept | (a > 0) | (point.slope < _NEAR_MARGIN)
        if (wanted == kept).all():  # the reduced problem equals the whole, and is solved up to rounding
            break
        kept = wanted
        inside, taken = _climb(whole.part(kept), a[kept], 0.5 * tolerance, max_steps - steps)
        steps += taken
        a = np.zeros(len(kept))
        a[kept] = inside
        point = whole.at(a)
    return a, steps


def _climb(problem: _Dual, a: NDArray[np.float64], tolerance: float, max_steps: int) -> tuple[NDArray[np.float64], int]:
    """Return dual variables within the tolerance, or as near as rounding and `max_steps` allow, and the steps taken."""
    point = problem.at(a)
    noise = 16 * float(np.finfo(problem.distances.dtype).eps)
    values = deque([point.value], maxlen=_HISTORY)
    length = problem.first_length(point)
    wait, best, since = _MIN_NEWTON_GAP, point.value, 0
    for taken in range(max_steps):
        gap = problem.gap(point)
        if gap <= tolerance:
            return point.a, taken
        if gap < wait:
            better = problem.newton(point)
            if better is not None:
                point = better
                values.append(point.value)
                continue
            wait = gap / 3
        if point.value < best - noise * abs(best):
            best, since = point.value, taken
        elif taken - since > _MAX_STALLED_STEPS:
            return point.a, taken
        target = np.clip(point.a - length * point.slope, 0, problem.C)
        step = target - point.a
        fall, share = float(point.slope @ step), 1.0
        for _ in range(_BACKTRACKS):
            # Set variables to their bounds exactly: one that missed a bound by rounding would count as free.
            found = problem.at(target if share == 1 else np.clip(point.a + share * step, 0, problem.C))
            if found.value <= max(values) + 1e-4 * share * fall + noise * abs(point.value):
                break
            share /= 2
        moved = found.a - point.a
        bend = float(moved @ (found.slope - point.slope))
        length = float(moved @ moved) / bend if bend > 0 else min(_STEP_GROWTH * length, 1e30)
        point = found
        values.append(point.value)
    return point.a, max_steps


def _verified(problem: _Dual, a: NDArray[np.float64], steps: int) -> MarginSolution:
    """Return the solution, with both values in double precision."""
    count = len(problem.distances)
    for_photos = np.bincount(problem.far, a, count) - np.bincount(problem.near, a, count)
    rows = np.flatnonzero(for_photos)
    weights = np.maximum(for_photos[rows] @ problem.distances[rows].astype(np.float64), 0)
    used = np.flatnonzero(weights)
    z = problem.distances[:, used].astype(np.float64) @ weights[used]
    half = float(weights @ weights) / 2
    errors = np.maximum(1 - (z[problem.far] - z[problem.near]), 0)
    return MarginSolution(weights, a, half + problem.C * float(errors.sum()), float(a.sum()) - half, steps)
