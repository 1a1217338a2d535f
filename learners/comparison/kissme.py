# SPDX-License-Identifier: MIT
"""KISSME: the metric of a likelihood ratio test of similar and dissimilar pairs."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from focal_photos.learners.comparison.pair_metric import Floats, PairMetric, mean_scatter
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.side_information import SideInformation


class Kissme(PairMetric):
    """Keep it simple and straightforward metric (Köstinger et al. 2012): ``M = S^{-1} - D^{-1}``.

    If the differences of similar pairs are normal with covariance S, and those of dissimilar pairs with D, the
    logarithm of the likelihood ratio of a difference v is ``v' M v / 2`` plus a constant.

    Parameters
    ----------
    ridge : float
        Ridge of both covariances, relative to the mean eigenvalue of that of random pairs.
    n_components, euclidean_blend, output_components, max_pairs, random_state, unit
        See `learners.comparison.pair_metric.PairMetric`.

    Attributes
    ----------
    mean_, axes_
        See `learners.comparison.pair_metric.PairMetric`.

    Notes
    -----
    As in the paper, M is projected to the nearest positive semidefinite matrix. Departures, beside those of
    `PairMetric`: the ridge, as few pairs do not determine a covariance.

    Cost: s p^2 for s pairs and three eigendecompositions of size p.

    References
    ----------
    .. [1] M. Köstinger, M. Hirzer, P. Wohlhart, P. M. Roth, H. Bischof, "Large scale metric learning from equivalence
       constraints", CVPR 2012 (ALGORITHMS.md, 6.11).

    Examples
    --------
    Photos 0 and 1 are similar, and 0 and 2 are not, although they are nearer to each other:

    >>> import numpy as np
    >>> from focal_photos.learners.comparison.kissme import Kissme
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> Kissme(euclidean_blend=0.1).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 0.57, 1.92, 2.  ])
    """

    name: ClassVar[str] = "kissme"
    title: ClassVar[str] = "KISSME"
    family: ClassVar[str] = "For comparison"
    summary: ClassVar[str] = "How much likelier a difference is between similar photos than between dissimilar ones"
    source: ClassVar[str] = "Köstinger et al. 2012"
    is_quick: ClassVar[bool] = True

    def __init__(
        self,
        ridge: float = 0.3,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        max_pairs: int = 2000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, max_pairs, random_state, unit)
        self.ridge = ridge

    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        S, D = (mean_scatter(Y, pairs, self.ridge) for pairs in self._pairs(side, len(Y)))
        report(0.5)
        return np.asarray(powm(S, -1) - powm(D, -1))
