# SPDX-License-Identifier: MIT
"""MKPOE: multiple kernel partial order embedding, the batch baseline of online multi-modal learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import UNLIMITED, auto_blend, check_blend
from focal_photos.learners.core.learner.needs import required_triplets
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.family_kernels import FamilyKernels, neighbor_laplacian
from focal_photos.learners.families.family_metrics import FamilyMetricLearner
from focal_photos.learners.families.passive_aggressive import psd


class Mkpoe(FamilyMetricLearner):
    """Multiple kernel partial order embedding (McFee & Lanckriet 2011), for small collections.

    ``d(x, x') = sum_p (K_x - K_x')' W_p (K_x - K_x')`` with the kernel values K_x of family p at all training photos;
    all W_p are fitted jointly to all triplets.

    Parameters
    ----------
    families : tuple of FeatureFamily
        Feature families; empty: one of all columns.
    beta : float
        Weight of the triplets relative to the regularizer, 10 to 10,000.
    iterations : int
        Iterations of the projected subgradient method.
    step : float
        Length of the first step, relative to that of the initial metrics; step t has length ``step / sqrt(t)``.
    per_photo, max_triplets : int
        Triplets drawn for each tagged photo, and maximum number of triplets.
    euclidean_blend : float or "auto"
        Weight of the unlearned squared distance (equal families, W_p = I), relative to the learned one; 0 as in the
        paper. Auto: 0.25 + 600 / judged pairs, where a tagged photo counts as ten.
    output_components : int
        Maximum dimension of the embedding: the principal axes of all families with the largest variances.
    random_state : int
    limit : int
        Maximum number of photos.
    neighbors : int
        0: the regularizer is the trace of the metrics (equation 5 of [2]). Above: it is the smoothness of the embedding
        on the graph that joins each photo with this number of nearest ones (equation 8).

    Attributes
    ----------
    family_weights_ : dict of str to float
        Share of each family in the mean squared distance between training photos, with sum 1.
    W_ : tuple of ndarray of float64, shape (n, n)
    objective_ : float
        Smallest value of the objective, reached at ``W_``.
    families_, landmarks_, gammas_, projections_, offsets_, covariances_, A_
        See `learners.families.online_multi_modal.OmdlLowRank`.

    Notes
    -----
    Minimizes ``sum_p tr(W_p K_p) + beta / |C| sum_t max(0, 1 + d(i, j) - d(i, k))`` over positive semidefinite W_p (Xia
    et al. 2013, eq. 5), or with ``tr(W_p K_p L_p K_p)`` and the graph Laplacian L_p in place of the trace (eq. 8, the
    batch form of their online learner). With E the sum of ``E_ij - E_ik`` over the violated triplets, a sparse matrix,
    the subgradient of the former is ``K_p + beta / |C| K_p E K_p`` (ALGORITHMS.md, 3.6). Steps are normalized by the
    length of the gradient, whose size differs by orders of magnitude between families and data sets, and the best
    iterate is returned. Kernel values, and with them the regularizer, are scaled to a mean squared distance of 1 in
    each family. With the parameters `printed`, the objective is that of equation 5; the scaling and the solver remain.

    Cost: n^2 d for each family of d columns, then per iteration an eigendecomposition and four products of size n for
    each family; memory n^2 per family. 300 iterations take 3 s for 100 photos and 10 families, and 12 times more for
    300 photos.

    References
    ----------
    .. [1] B. McFee, G. Lanckriet, "Learning multi-modal similarity", JMLR 12 (2011) 491-523.
    .. [2] H. Xia, P. Wu, S. C. H. Hoi, "Online multi-modal distance learning for scalable multimedia retrieval", WSDM
       2013, equations 5 to 8. doi:10.1145/2433396.2433453

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; only texture separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.core.feature_space import FeatureFamily
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.families.partial_order import Mkpoe
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> families = FeatureFamily("colour", 0, 1, False), FeatureFamily("texture", 1, 2, False)
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> metric = Mkpoe(families, euclidean_blend=0.25).fit(X, tags)
    >>> metric.distances_from(X[0], X).round(2)
    array([0.  , 0.63, 1.9 , 2.  ])
    >>> [abs(round(weight, 2)) for weight in metric.family_weights_.values()]
    [0.0, 1.0]
    """

    _full: ClassVar[bool] = True
    name: ClassVar[str] = "mkpoe"
    title: ClassVar[str] = "Partial order embedding"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "All families' metrics fitted at once; slow, from a few hundred photos"
    source: ClassVar[str] = "McFee & Lanckriet 2011"
    rows: ClassVar[int] = 300
    printed: ClassVar[Mapping[str, Any] | None] = {"euclidean_blend": 0.0, "output_components": UNLIMITED}

    W_: tuple[NDArray[np.float64], ...]
    objective_: float

    def __init__(
        self,
        families: tuple[FeatureFamily, ...] = (),
        beta: float = 1000.0,
        iterations: int = 300,
        step: float = 0.3,
        per_photo: int = 10,
        max_triplets: int = 25_000,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        random_state: int = 0,
        limit: int = 500,
        neighbors: int = 0,
    ) -> None:
        self.families = families
        self.beta = beta
        self.iterations = iterations
        self.step = step
        self.per_photo = per_photo
        self.max_triplets = max_triplets
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state
        self.limit = limit
        self.neighbors = neighbors

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        if not self.beta > 0 or not self.step > 0 or self.iterations < 1 or self.neighbors < 0:
            raise LearnerError("beta and step must be above 0, iterations at least 1, neighbors at least 0.")
        found = required_triplets(self, side_information, len(X), self.per_photo, self.random_state, self.max_triplets)
        self._require_few(len(X), self.limit)
        space, covariances = FamilyKernels.fit(X, self.families, "full", len(X), len(X), self.random_state)
        Z = space.coordinates(X)
        # The kernel in the scale of the coordinates, which are its centred columns.
        penalties = [z - o for z, o in zip(Z, space.offsets, strict=True)]
        if self.neighbors:
            penalties = [
                K @ neighbor_laplacian(matrix, self.neighbors) @ K
                for K, matrix in zip(penalties, space.matrices(X), strict=True)
            ]
        report(0.1)
        W, objective = self._descend(Z, penalties, found, lambda share: report(0.1 + 0.8 * share))
        shares = np.array([np.sum(w * C) for w, C in zip(W, covariances, strict=True)])
        shares = shares / shares.sum() if shares.sum() > 0 else np.full(len(W), 1 / len(W))
        blend = self.euclidean_blend
        if blend == "auto":
            blend = auto_blend(side_information, 0.25, 600.0)
        output = self._output(space, covariances, W, np.ones(len(W)), blend)
        output["family_weights_"] = {family.name: float(s) for family, s in zip(space.families, shares, strict=True)}
        return self._map_state(space) | {"covariances_": covariances, "W_": W, "objective_": objective} | output

    def _descend(
        self,
        Z: list[NDArray[np.float64]],
        penalties: list[NDArray[np.float64]],
        found: NDArray[np.intp],
        report: ProgressReport,
    ) -> tuple[tuple[NDArray[np.float64], ...], float]:
        """Return the metrics of the best iterate, and its objective; `penalties` are the regularizer's gradients."""
        i, j, k = found.T
        W = [np.eye(z.shape[1]) / len(Z) for z in Z]
        length = float(np.sqrt(sum(np.sum(w * w) for w in W)))
        best, least = tuple(W), np.inf
        for t in range(self.iterations):
            margin, penalty = np.ones(len(found)), 0.0
            for z, P, w in zip(Z, penalties, W, strict=True):
                # d(i, j) - d(i, k) from the inner products of all photos, because there are more triplets than photos.
                inner = z @ w @ z.T
                own = inner.diagonal()
                margin += own[j] - own[k] - 2 * (inner[i, j] - inner[i, k])
                penalty += float(np.sum(w * P))
            objective = penalty + self.beta * float(np.maximum(margin, 0).mean())
            if objective < least:
                best, least = tuple(W), objective
            E = _violations(found[margin > 0], len(Z[0]))
            gradients = [P + self.beta / len(found) * z.T @ E @ z for z, P in zip(Z, penalties, strict=True)]
            size = float(np.sqrt(sum(np.sum(g * g) for g in gradients)))
            if not size > 0:
                break
            rate = self.step * length / (size * np.sqrt(t + 1))
            W = [psd(w - rate * g) for w, g in zip(W, gradients, strict=True)]
            report((t + 1) / self.iterations)
        return best, least


def _violations(found: NDArray[np.intp], n: int) -> NDArray[np.float64]:
    """Return the sum of ``E_ij - E_ik`` over triplets, ``E_ij = (e_i - e_j)(e_i - e_j)'``."""
    i, j, k = found.T
    E = np.zeros((n, n))
    for a, sign in ((j, 1.0), (k, -1.0)):
        np.add.at(E, (i, i), sign)
        np.add.at(E, (a, a), sign)
        np.add.at(E, (i, a), -sign)
        np.add.at(E, (a, i), -sign)
    return E
