# SPDX-License-Identifier: MIT
"""Metric learning for kernel regression of the group of a photo."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focal_photos.learners.comparison.pair_metric import Floats, MatrixMetric, minimized
from focal_photos.learners.core.groups import one_class_each
from focal_photos.learners.core.kernels import Auto, median_squared_distance
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.core.side_information import SideInformation

_START_DISTANCE = 4.0
"""Median squared distance at the start, as in NCA (ALGORITHMS.md, 6.6)."""


class Mlkr(MatrixMetric):
    """Metric learning for kernel regression (Weinberger & Tesauro 2007).

    Predicts the group of each photo by the mean over the other photos, weighted by ``exp(-d^2)``, and minimizes the
    squared error.

    Parameters
    ----------
    iterations : int
        Maximum number of L-BFGS iterations.
    photos : int
        Maximum number of training photos; more are sampled with `random_state`. The cost grows with their square.
    n_components, euclidean_blend, output_components, random_state, unit
        See `learners.comparison.pair_metric.MatrixMetric`.

    Attributes
    ----------
    mean_, axes_
        See `learners.comparison.pair_metric.MatrixMetric`.

    Notes
    -----
    Departures from the paper, beside those of `MatrixMetric`: the target is not a number but the group of a photo, as 0
    and 1 for each group (see `learners.core.groups.one_class_each`); photos are scaled to a median squared distance of
    4 at the start.

    Cost: k^2 (p + m) for each iteration with k photos in m groups.

    References
    ----------
    .. [1] K. Q. Weinberger, G. Tesauro, "Metric learning for kernel regression", AISTATS 2007 (ALGORITHMS.md, 6.16).

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; 0 is nearer to 2 in X, but not in the learned distance:

    >>> import numpy as np
    >>> from focal_photos.learners.comparison.mlkr import Mlkr
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_labels(["sea", "sea", "wood", "wood"])
    >>> Mlkr(euclidean_blend=0.1).fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 1.06, 1.7 , 2.  ])
    """

    name: ClassVar[str] = "mlkr"
    title: ClassVar[str] = "MLKR"
    family: ClassVar[str] = "For comparison"
    summary: ClassVar[str] = "The photos around each photo should predict its group"
    source: ClassVar[str] = "Weinberger & Tesauro 2007"

    def __init__(
        self,
        iterations: int = 50,
        photos: int = 1000,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, random_state, unit)
        self.iterations = iterations
        self.photos = photos

    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        rows, classes = one_class_each(side, len(Y), self.photos, self.random_state)
        if len(sizes := np.bincount(classes)) < 2 or sizes.max() < 2:
            raise self.nothing_to_learn("with two photos that are alike and one that is not")
        scaled = Y[rows] * np.sqrt(_START_DISTANCE / median_squared_distance(Y[rows], self.random_state))
        target = np.eye(len(sizes))[classes]
        return minimized(lambda L: regression_error(L, scaled, target), Y.shape[1], self.iterations, report)


def regression_error(L: Floats, Y: Floats, target: Floats) -> tuple[float, Floats]:
    """Return the squared error at a map L (p, p) of rows Y (k, p) with targets (k, m), and its gradient (p, p)."""
    Z = Y @ L
    D = sqd(Z, Z)
    np.fill_diagonal(D, np.inf)
    weight = np.exp(D.min(axis=1, keepdims=True) - D)
    weight /= weight.sum(axis=1, keepdims=True)
    predicted = weight @ target
    error = predicted - target
    # The derivative of the error by D[i, j] is -2 weight[i, j] error[i] . (target[j] - predicted[i]).
    slope = -2 * weight * (error @ target.T - np.einsum("ij,ij->i", error, predicted)[:, None])
    slope += slope.T
    return float(np.square(error).sum()), 2 * (Y.T @ (Z * slope.sum(axis=1)[:, None] - slope @ Z))
