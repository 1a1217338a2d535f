# SPDX-License-Identifier: MIT
"""Geometric mean metric learning: the metric between the scatters of similar and dissimilar pairs."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focal_photos.learners.comparison.pair_metric import Floats, PairMetric, mean_scatter
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.side_information import SideInformation


class Gmml(PairMetric):
    """Geometric mean metric learning (Zadeh et al. 2016): ``M = S^{-1} #_t D`` of the scatters of pairs.

    For ``t = .5`` it minimizes the sum of ``d^2`` over similar pairs and of the distance under ``M^{-1}`` over
    dissimilar ones, and solves ``M S M = D``.

    Parameters
    ----------
    step : float
        t, 0..1: position on the geodesic from ``S^{-1}`` to D.
    ridge : float
        Ridge of both scatters, relative to the mean eigenvalue of the scatter of random pairs.
    n_components, euclidean_blend, output_components, max_pairs, random_state, unit
        See `learners.comparison.pair_metric.PairMetric`.

    Attributes
    ----------
    mean_, axes_
        See `learners.comparison.pair_metric.PairMetric`.

    Notes
    -----
    Departures from the paper, beside those of `PairMetric`: S and D are means, not sums, so that the ridge does not
    depend on the number of pairs; the prior of the regularized form is the identity.

    Cost: s p^2 for s pairs and five eigendecompositions of size p.

    References
    ----------
    .. [1] P. Zadeh, R. Hosseini, S. Sra, "Geometric mean metric learning", ICML 2016 (ALGORITHMS.md, 6.10).

    Examples
    --------
    Photos 0 and 1 are similar, and 0 and 2 are not, although they are nearer to each other:

    >>> import numpy as np
    >>> from focal_photos.learners.comparison.gmml import Gmml
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> Gmml(euclidean_blend=0.1).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.33, 1.49, 2.  ])
    """

    name: ClassVar[str] = "gmml"
    title: ClassVar[str] = "GMML"
    family: ClassVar[str] = "For comparison"
    summary: ClassVar[str] = "Geometric mean of the scatters of similar and dissimilar photos"
    source: ClassVar[str] = "Zadeh et al. 2016"
    is_quick: ClassVar[bool] = True

    def __init__(
        self,
        step: float = 0.5,
        ridge: float = 0.1,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        max_pairs: int = 2000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, max_pairs, random_state, unit)
        self.step = step
        self.ridge = ridge

    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        if not 0 <= self.step <= 1:
            raise LearnerError(f"step must be in 0..1, it is {self.step}.")
        S, D = (mean_scatter(Y, pairs, self.ridge) for pairs in self._pairs(side, len(Y)))
        report(0.5)
        return geometric_mean(S, D, self.step)


def geometric_mean(S: Floats, D: Floats, step: float) -> Floats:
    """Return ``S^{-1/2} (S^{1/2} D S^{1/2})^step S^{-1/2}`` of symmetric positive definite matrices (p, p)."""
    root, inverse = powm(S, 0.5), powm(S, -0.5)
    return np.asarray(inverse @ powm(root @ D @ root, step) @ inverse)
