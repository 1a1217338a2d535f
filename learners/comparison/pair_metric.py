# SPDX-License-Identifier: MIT
"""Base of the metrics for comparison: principal components, training pairs, and maps found by L-BFGS."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport, part_of
from focal_photos.learners.core.learner.blend import BlendedLearner, LinearMap, Unit, auto_blend, check_blend
from focal_photos.learners.core.learner.slider import BLEND_SLIDER, Slider
from focal_photos.learners.core.linalg import pair_scatter, powm
from focal_photos.learners.core.side_information import SideInformation

Floats = NDArray[np.float64]
Pairs = NDArray[np.intp]
Objective = Callable[[Floats], tuple[float, Floats]]

_PER_PHOTO = 10
_START = 0.1
"""Share of the work that precedes the metric."""


class MatrixMetric(BlendedLearner):
    """Base of the metrics for comparison, which learn a matrix M: ``d(x, x')^2 = (y - y')' M (y - y')``.

    Parameters
    ----------
    n_components : int
        Maximum number of principal components y of the photos x.
    euclidean_blend : float or "auto"
        Weight of the unlearned squared distance, relative to the learned one; 0 as in the papers. Auto: 1 + 160 /
        judged pairs, where a tagged photo counts as ten.
    output_components : int
        Maximum dimension of the embedding: principal axes of the learned space.
    random_state : int
    unit : bool or "auto"
        Whether to normalize the embedding to length 1; auto: from 16 dimensions on (see `core.learner.blend.is_unit`).

    Attributes
    ----------
    mean_ : ndarray of float64, shape (d,)
    axes_ : ndarray of float64, shape (d, r)
        The embedding is ``(x - mean_) @ axes_``, normalized to length 1 if `unit_`.

    Notes
    -----
    Departures from all seven papers: M acts on principal components, because its cost grows with the square or the cube
    of the dimension; the coordinates are scaled to a mean squared distance of 1, so that bounds, margins and ridges
    have the same meaning in every space; a share of Euclidean distance is added.
    """

    family: ClassVar[str] = "For comparison"
    sliders: ClassVar[tuple[Slider, ...]] = (BLEND_SLIDER,)

    def __init__(
        self,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        self.n_components = n_components
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state
        self.unit = unit

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        if self.n_components < 1:
            raise LearnerError(f"n_components must be at least 1, it is {self.n_components}.")
        start = LinearMap.fit(X, self.n_components)
        Y = start.transform(X.astype(np.float64)) / (np.sqrt(2 * start.variances.sum()) or 1.0)
        report(_START)
        M = np.eye(Y.shape[1])
        if start.variances.any():
            M = self._metric(Y, side_information, part_of(report, _START, 1 - _START))
        return self._finish(start, powm(M, 0.5), side_information)

    def _blend(self, side: SideInformation) -> float:
        return auto_blend(side, 1.0, 160.0) if self.euclidean_blend == "auto" else super()._blend(side)

    @abstractmethod
    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        """Return M (p, p) of coordinates Y (n, p); negative eigenvalues count as 0."""


class PairMetric(MatrixMetric):
    """Base of the metrics for comparison that learn from pairs.

    Parameters
    ----------
    n_components, euclidean_blend, output_components, random_state, unit
        See `MatrixMetric`.
    max_pairs : int
        Maximum number of training pairs of each kind, or of comparisons; more are sampled with `random_state`.

    Notes
    -----
    Judged pairs and pairs drawn from tags count the same. Random pairs of photos replace a kind of pairs that was not
    given.
    """

    def __init__(
        self,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        max_pairs: int = 2000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, random_state, unit)
        self.max_pairs = max_pairs

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        if self.max_pairs < 1:
            raise LearnerError(f"max_pairs must be at least 1, it is {self.max_pairs}.")
        return super()._learn(X, side_information, report)

    def _pairs(self, side: SideInformation, n: int) -> tuple[Pairs, Pairs]:
        """Return similar (s, 2) and dissimilar (t, 2) training pairs of n photos, at least one each."""
        rng = np.random.default_rng(self.random_state)
        found = side.pairs(_PER_PHOTO, self.random_state)[:2]
        similar, dissimilar = (pairs[rng.permutation(len(pairs))[: self.max_pairs]] for pairs in found)
        anything = self._random_pairs(n)
        return (similar if len(similar) else anything), (dissimilar if len(dissimilar) else anything)

    def _random_pairs(self, n: int) -> Pairs:
        rng = np.random.default_rng(self.random_state)
        first, step = rng.integers(0, n, self.max_pairs), rng.integers(1, n, self.max_pairs)
        return np.column_stack([first, (first + step) % n])


def differences(Y: Floats, pairs: Pairs) -> Floats:
    """Return the differences of the rows of pairs (s, 2), (s, p)."""
    return Y[pairs[:, 0]] - Y[pairs[:, 1]]


def mean_scatter(Y: Floats, pairs: Pairs, ridge: float) -> Floats:
    """Return the mean of ``(y_i - y_j)(y_i - y_j)'`` over pairs (s, 2), plus a ridge: (p, p).

    With a mean squared distance of 1, the ridge is relative to the mean eigenvalue of the scatter of random pairs.
    """
    if not ridge >= 0:
        raise LearnerError(f"ridge must be at least 0, it is {ridge}.")
    p = Y.shape[1]
    return np.asarray(pair_scatter(Y, pairs) / len(pairs) + ridge / p * np.eye(p))


def minimized(objective: Objective, p: int, iterations: int, report: ProgressReport) -> Floats:
    """Return ``M = L L'`` (p, p) of the map L that L-BFGS finds from the identity.

    The objective returns its value and gradient (p, p) at a map L (p, p).
    """
    if iterations < 1:
        raise LearnerError(f"iterations must be at least 1, it is {iterations}.")
    done = 0

    def flat(L: Floats) -> tuple[float, Floats]:
        value, gradient = objective(L.reshape(p, p))
        return value, gradient.ravel()

    def callback(_: Floats) -> None:
        nonlocal done
        done += 1
        report(min(done / iterations, 1.0))

    found = scipy.optimize.minimize(
        flat, np.eye(p).ravel(), jac=True, method="L-BFGS-B", callback=callback, options={"maxiter": iterations}
    )
    L = found.x.reshape(p, p)
    return np.asarray(L @ L.T)
