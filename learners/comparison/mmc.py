# SPDX-License-Identifier: MIT
"""The metric of Xing et al., which spreads dissimilar pairs while similar ones stay near."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focal_photos.learners.comparison.pair_metric import Floats, PairMetric, differences, mean_scatter, minimized
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit
from focal_photos.learners.core.side_information import SideInformation

_ROUNDING = 1e-12


class Mmc(PairMetric):
    """Mahalanobis metric for clustering (Xing et al. 2003).

    Maximizes the sum of the distances of dissimilar pairs, not squared, while the squared distances of similar pairs
    sum to at most 1.

    Parameters
    ----------
    ridge : float
        Ridge of the scatter of similar pairs, relative to the mean eigenvalue of that of random pairs.
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
    Scaling M scales both sums, so the constraint always holds with equality, and M maximizes the ratio
    ``sum_D d / sqrt(sum_S d^2)``. Departures from the paper, beside those of `PairMetric`: L-BFGS over L with
    ``M = L L'`` maximizes this ratio instead of projected gradients over M (same optimum); the ridge, without which few
    similar pairs leave directions unbounded.

    Cost: t p^2 + p^3 for each iteration with t dissimilar pairs.

    References
    ----------
    .. [1] E. P. Xing, A. Y. Ng, M. I. Jordan, S. Russell, "Distance metric learning, with application to clustering
       with side-information", NIPS 2002 (ALGORITHMS.md, 6.15).

    Examples
    --------
    Photos 0 and 1 are similar, and 0 and 2 are not, although they are nearer to each other:

    >>> import numpy as np
    >>> from focal_photos.learners.comparison.mmc import Mmc
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> Mmc(euclidean_blend=0.1).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 0.57, 1.92, 2.  ])
    """

    name: ClassVar[str] = "mmc"
    title: ClassVar[str] = "MMC"
    family: ClassVar[str] = "For comparison"
    summary: ClassVar[str] = "Spreads dissimilar photos while similar ones stay near"
    source: ClassVar[str] = "Xing et al. 2003"

    def __init__(
        self,
        ridge: float = 1.0,
        iterations: int = 50,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        max_pairs: int = 2000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, max_pairs, random_state, unit)
        self.ridge = ridge
        self.iterations = iterations

    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        similar, dissimilar = self._pairs(side, len(Y))
        S, far = mean_scatter(Y, similar, self.ridge), differences(Y, dissimilar)
        return minimized(lambda L: spread(L, S, far), Y.shape[1], self.iterations, report)


def spread(L: Floats, S: Floats, far: Floats) -> tuple[float, Floats]:
    """Return the logarithm of ``sqrt(tr(L' S L)) / sum |L' v|`` over the rows v of `far` (t, p), and its gradient."""
    SL, Z = S @ L, far @ L
    within = np.vdot(L, SL)
    lengths = np.sqrt(np.square(Z).sum(axis=1) + _ROUNDING)
    total = lengths.sum()
    return float(np.log(within) / 2 - np.log(total)), SL / within - far.T @ (Z / lengths[:, None]) / total
