# SPDX-License-Identifier: MIT
"""Information-theoretic metric learning: the metric nearest to the identity that meets bounds on distances."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focal_photos.learners.comparison.pair_metric import Floats, PairMetric, differences
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit
from focal_photos.learners.core.side_information import SideInformation

_QUANTILES = (0.05, 0.95)
_CONVERGED = 1e-3


class Itml(PairMetric):
    """Information-theoretic metric learning (Davis et al. 2007).

    Of all metrics that bring similar pairs nearer than an upper bound and dissimilar ones farther than a lower bound,
    it finds the one with the smallest LogDet divergence ``tr(M) - log det M`` from the identity. Slack variables allow
    violations.

    Parameters
    ----------
    slack : float
        gamma: weight of the divergence of the bounds from the given ones; a large one enforces them.
    sweeps : int
        Maximum number of passes over all pairs.
    n_components, euclidean_blend, output_components, max_pairs, random_state, unit
        See `learners.comparison.pair_metric.PairMetric`.

    Attributes
    ----------
    mean_, axes_
        See `learners.comparison.pair_metric.PairMetric`.

    Notes
    -----
    As in the paper, the bounds are the 5th and the 95th percentile of the squared distances of random pairs. Departure
    from the paper, beside those of `PairMetric`: the step of algorithm 1 is corrected (ERRATA.md, D1).

    Cost: s p^2 in each pass over s pairs.

    References
    ----------
    .. [1] J. V. Davis, B. Kulis, P. Jain, S. Sra, I. S. Dhillon, "Information-theoretic metric learning", ICML 2007,
       algorithm 1 (ALGORITHMS.md, 6.12).

    Examples
    --------
    Photos 0 and 1 are similar, and 0 and 2 are not, although they are nearer to each other:

    >>> import numpy as np
    >>> from focal_photos.learners.comparison.itml import Itml
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> Itml(euclidean_blend=0.1).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.28, 1.53, 2.  ])
    """

    name: ClassVar[str] = "itml"
    title: ClassVar[str] = "ITML"
    family: ClassVar[str] = "For comparison"
    summary: ClassVar[str] = "The least change of Euclidean distance that brings similar photos near enough"
    source: ClassVar[str] = "Davis et al. 2007"

    def __init__(
        self,
        slack: float = 1.0,
        sweeps: int = 20,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        max_pairs: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, max_pairs, random_state, unit)
        self.slack = slack
        self.sweeps = sweeps

    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        if self.sweeps < 1 or not self.slack > 0:
            raise LearnerError("sweeps must be at least 1, and slack above 0.")
        similar, dissimilar = self._pairs(side, len(Y))
        low, high = np.quantile(np.square(differences(Y, self._random_pairs(len(Y)))).sum(axis=1), _QUANTILES)
        V = differences(Y, np.concatenate([similar, dissimilar]))
        sign = np.repeat([1.0, -1.0], [len(similar), len(dissimilar)])
        kept = V.any(axis=1)
        bounds = np.where(sign > 0, low, high)
        return log_det_projections(V[kept], sign[kept], bounds[kept], self.slack, self.sweeps, report)[0]


def log_det_projections(
    V: Floats,
    sign: Floats,
    bounds: Floats,
    slack: float,
    sweeps: int,
    report: ProgressReport,
    *,
    converged: float = _CONVERGED,
) -> tuple[Floats, Floats, Floats]:
    """Return M (p, p), the multipliers of the constraints (c,), and their bounds with slack (c,).

    V (c, p) holds differences v, not 0; `sign` is 1 for ``v' M v <= bound`` and -1 for ``>=``; bounds are positive. The
    inverse of M is ``I + sum_c sign_c multiplier_c v_c v_c'``. The sweeps end once the multipliers change by at most
    the share `converged` of their sum.
    """
    M, multipliers, bounds = np.eye(V.shape[1]), np.zeros(len(V)), bounds.copy()
    for sweep in range(sweeps):
        before = multipliers.copy()
        for c, (v, kind) in enumerate(zip(V, sign.tolist(), strict=True)):
            moved = M @ v
            distance = float(v @ moved)
            alpha = min(multipliers[c], kind * slack / (slack + 1) * (1 / distance - 1 / bounds[c]))
            bounds[c] *= slack / (slack + kind * alpha * bounds[c])
            multipliers[c] -= alpha
            M += kind * alpha / (1 - kind * alpha * distance) * np.outer(moved, moved)
        report((sweep + 1) / sweeps)
        if np.abs(multipliers - before).sum() <= converged * multipliers.sum():
            break
    return M, multipliers, bounds
