# SPDX-License-Identifier: MIT
"""Sparse compositional metric learning: a metric as a sum of few local discriminant directions."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import scipy

from focal_photos.learners.comparison.pair_metric import Floats, PairMetric
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit
from focal_photos.learners.core.learner.needs import required_triplets
from focal_photos.learners.core.linalg import powm, sqd
from focal_photos.learners.core.side_information import SideInformation

_PER_PHOTO = 10
_RIDGE = 0.1
_MIN_TRIPLETS = 30  # triplets of a region


class Scml(PairMetric):
    """Sparse compositional metric learning (Shi et al. 2014): ``M = sum_k w_k b_k b_k'`` with few weights above 0.

    Parameters
    ----------
    sparsity : float
        beta: weight of ``sum w`` relative to the mean loss of the triplets.
    regions : int
        Number of regions, each around a random photo, that local discriminants are computed in.
    directions : int
        Maximum number of discriminants of each region.
    n_components, euclidean_blend, output_components, max_pairs, random_state, unit
        See `learners.comparison.pair_metric.PairMetric`.

    Attributes
    ----------
    mean_, axes_
        See `learners.comparison.pair_metric.PairMetric`.

    Notes
    -----
    Minimizes over ``w >= 0``, with the squared distance d under M, the mean over triplets (i, j, k) of
    ``max(0, 1 + d(i, j) - d(i, k))^2`` plus ``sparsity * sum w``. Departures from the paper, beside those of
    `PairMetric`: the hinge is squared, so that L-BFGS-B can replace dual averaging; the discriminants of a region
    separate ``x_i - x_k`` from ``x_i - x_j`` in the triplets whose i is nearest to its centre, as judged pairs name no
    classes; each b is scaled so that the mean of ``(b' (x_i - x_k))^2`` is 1.

    Cost: two eigendecompositions of size p for each region, t m for each iteration with t triplets and m directions.

    References
    ----------
    .. [1] Y. Shi, A. Bellet, F. Sha, "Sparse compositional metric learning", AAAI 2014, SCML-Global
       (ALGORITHMS.md, 6.13).

    Examples
    --------
    Photos 0 and 1 are similar, and 0 and 2 are not, although they are nearer to each other:

    >>> import numpy as np
    >>> from focal_photos.learners.comparison.scml import Scml
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> Scml(euclidean_blend=0.1).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 0.66, 1.89, 1.67])
    """

    name: ClassVar[str] = "scml"
    title: ClassVar[str] = "SCML"
    family: ClassVar[str] = "For comparison"
    summary: ClassVar[str] = "A sum of few directions, each of which separates photos in some region"
    source: ClassVar[str] = "Shi et al. 2014"
    takes_triplets: ClassVar[bool] = True

    def __init__(
        self,
        sparsity: float = 0.01,
        regions: int = 20,
        directions: int = 10,
        n_components: int = 100,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        max_pairs: int = 5000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(n_components, euclidean_blend, output_components, max_pairs, random_state, unit)
        self.sparsity = sparsity
        self.regions = regions
        self.directions = directions

    def _metric(self, Y: Floats, side: SideInformation, report: ProgressReport) -> Floats:
        if self.regions < 1 or self.directions < 1 or not self.sparsity >= 0:
            raise LearnerError("regions and directions must be at least 1, and sparsity at least 0.")
        i, j, k = required_triplets(self, side, len(Y), _PER_PHOTO, self.random_state, self.max_pairs).T
        near, far = Y[i] - Y[j], Y[i] - Y[k]
        B = self._directions(Y, i, near, far)
        report(0.5)
        lost = np.square(near @ B) - np.square(far @ B)
        return np.asarray((B * weights(lost, self.sparsity)) @ B.T)

    def _directions(self, Y: Floats, i: np.ndarray, near: Floats, far: Floats) -> Floats:
        """Return the discriminants (p, m) of all regions."""
        rng = np.random.default_rng(self.random_state)
        centres = Y[rng.choice(i, min(self.regions, len(i)), replace=False)]
        size = max(_MIN_TRIPLETS, 2 * len(i) // self.regions)
        found = []
        for row in sqd(centres, Y[i]):
            nearest = np.argsort(row, kind="stable")[:size]
            within, between = (part[nearest].T @ part[nearest] / len(nearest) for part in (near, far))
            whitening = powm(within + _RIDGE / Y.shape[1] * np.eye(Y.shape[1]), -0.5)
            _, V = np.linalg.eigh(whitening @ between @ whitening)
            found.append(whitening @ V[:, ::-1][:, : self.directions])
        B = np.concatenate(found, axis=1)
        return np.asarray(B / (np.sqrt(np.square(far @ B).mean(axis=0)) + np.finfo(np.float64).tiny))


def weights(lost: Floats, sparsity: float) -> Floats:
    """Return the weights (m,), each >= 0, that minimize `squared_hinge`."""
    m = lost.shape[1]
    found = scipy.optimize.minimize(
        squared_hinge,
        np.full(m, 1 / m),
        args=(lost, sparsity),
        jac=True,
        method="L-BFGS-B",
        bounds=scipy.optimize.Bounds(0, np.inf),
    )
    return np.asarray(found.x)


def squared_hinge(w: Floats, lost: Floats, sparsity: float) -> tuple[float, Floats]:
    """Return the objective at weights w (m,) and its gradient (m,).

    `lost` (t, m) is by how much the part of the squared distance in each direction is larger for the similar photo of a
    triplet.
    """
    inside = np.maximum(1 + lost @ w, 0)
    return float(np.square(inside).mean() + sparsity * w.sum()), 2 * (inside @ lost) / len(lost) + sparsity
