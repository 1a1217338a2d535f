# SPDX-License-Identifier: MIT
"""Least squares metric learning from relative comparisons of two pairs."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focal_photos.learners.comparison.pair_metric import Floats, PairMetric, differences, minimized
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit
from focal_photos.learners.core.side_information import SideInformation

_ROUNDING = 1e-12


class Lsml(PairMetric):
    """Least squared residual metric learning (Liu et al. 2012), from comparisons ``d(a, b) < d(c, d)`` of two pairs.

    Parameters
    ----------
    regularization : float
        Weight of the LogDet divergence from the identity, per component.
    iterations : int
        Maximum number of L-BFGS iterations.
    n_components, euclidean_blend, output_components, max_pairs, random_state, unit
        See `learners.comparison.pair_metric.PairMetric`.

    Attributes
    ----------
    mean_, axes_
        See `learners.comparison.pair_metric.PairMetric`.

    Notes
    -----
    Minimizes the mean of ``max(0, d(a, b) - d(c, d))^2`` plus ``regularization (tr(M) - log det M) / p``; d is not
    squared. A comparison joins a similar pair with a dissimilar one; the pairs need not share a photo. Departures from
    the paper, beside those of `PairMetric`: L-BFGS over L with ``M = L L'`` replaces projected gradients over M.

    Cost: t p^2 + p^3 for each iteration with t comparisons.

    References
    ----------
    .. [1] E. Y. Liu, Z. Guo, X. Zhang, V. Jojic, W. Wang, "Metric learning from relative comparisons by minimizing
       squared residual", ICDM 2012 (ALGORITHMS.md, 6.14).

    Examples
    --------
    Photos 0 and 1 are similar, and 0 and 2 are not, although they are nearer to each other:

    >>> import numpy as np
    >>> from focal_photos.learners.comparison.lsml import Lsml
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> Lsml(euclidean_blend=0).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.42, 1.41, 2.  ])
    """

    name: ClassVar[str] = "lsml"
    title: ClassVar[str] = "LSML"
    family: ClassVar[str] = "For comparison"
    summary: ClassVar[str] = "Each similar pair should be nearer than each dissimilar one"
    source: ClassVar[str] = "Liu et al. 2012"

    def __init__(
        self,
        regularization: float = 0.01,
        iterations: int = 50,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        max_pairs: int = 2000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, max_pairs, random_state, unit)
        self.regularization = regularization
        self.iterations = iterations

    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        if not self.regularization > 0:
            raise LearnerError(f"regularization must be above 0, it is {self.regularization}.")
        similar, dissimilar = self._pairs(side, len(Y))
        # Every similar pair with every dissimilar one, or as many of these comparisons as allowed.
        count = len(similar) * len(dissimilar)
        chosen = np.random.default_rng(self.random_state).permutation(count)[: self.max_pairs]
        near = differences(Y, similar[chosen // len(dissimilar)])
        far = differences(Y, dissimilar[chosen % len(dissimilar)])
        return minimized(
            lambda L: squared_residual(L, near, far, self.regularization), Y.shape[1], self.iterations, report
        )


def squared_residual(L: Floats, near: Floats, far: Floats, regularization: float) -> tuple[float, Floats]:
    """Return the objective at a map L (p, p) and its gradient (p, p); near and far (t, p) are differences of pairs."""
    p = len(L)
    mapped = near @ L, far @ L
    lengths = [np.sqrt(np.square(Z).sum(axis=1) + _ROUNDING) for Z in mapped]
    residual = np.maximum(lengths[0] - lengths[1], 0)
    sign, log_det = np.linalg.slogdet(L)
    if sign == 0:
        return np.inf, np.zeros_like(L)
    value = np.square(residual).mean() + regularization * (np.square(L).sum() - 2 * log_det) / p
    gradient = 2 * regularization * (L - np.linalg.inv(L).T) / p
    for V, Z, length, kind in zip((near, far), mapped, lengths, (1, -1), strict=True):
        gradient += kind * 2 / len(near) * V.T @ (Z * (residual / length)[:, None])
    return float(value), gradient
