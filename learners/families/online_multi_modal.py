# SPDX-License-Identifier: MIT
"""Online multi-modal distance learning (Xia et al. 2013): a metric for each feature family, and their weights.

Contains the base of both variants, with the steps and the weights of the families, and the two learners.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily, families_of
from focal_photos.learners.core.groups import shared_groups
from focal_photos.learners.core.kernels import MOST_EXACT
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import UNLIMITED, check_blend
from focal_photos.learners.core.learner.candidate import NEVER, Candidate, at_least
from focal_photos.learners.core.learner.triplet_learner import TripletLearner
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.family_kernels import FamilyKernels, mean_distance, neighbor_laplacian
from focal_photos.learners.families.family_metrics import FamilyMetricLearner, span_roots
from focal_photos.learners.families.passive_aggressive import lazy_steps

_ROWS = 4096
"""Triplets processed together."""

_WARM_START_FACTOR = 0.1
"""Factor of the largest step in `fit` if the initial axes were computed from the same triplets."""

_CHUNK = 20
"""Projections between two progress reports."""

_EQUAL_WEIGHT_PHOTOS = 50.0
"""Photos in groups, minus groups, at which the closed form and the unlearned distance have equal weight."""

_RIDGE = 0.03
"""Ridge on the scatter within groups, relative to its mean eigenvalue."""

_ROUNDING = 1e-10

_PRINTED: Final[dict[str, Any]] = {
    "C1": 1e-4,
    "C2": 1.0,
    "margin": 1.0,
    "kappa": 5.0,
    "credit": 0.0,
    "epochs": 1,
    "project_every": 1,
    "euclidean_blend": 0.0,
    "output_components": UNLIMITED,
}
"""Algorithm 1. The paper prints no values of C1, C2 and eta; C1 must be above 0."""


class OnlineMultiModal(TripletLearner, FamilyMetricLearner):
    """Base of both variants: steps of every family's metric, and weights of the families."""

    follows_judgements: ClassVar[bool] = True

    euclidean_blend: float
    C1: float
    C2: float
    margin: float
    kappa: float
    credit: float
    neighbors: int
    epochs: int
    project_every: int

    W_: tuple[NDArray[np.float64], ...]
    G_: tuple[NDArray[np.float64], ...]
    errors_: NDArray[np.float64]
    seen_: int

    @abstractmethod
    def _map(
        self, X: NDArray[Any], side: SideInformation, found: NDArray[np.intp]
    ) -> tuple[FamilyKernels, tuple[NDArray[np.float64], ...]]:
        """Return the kernels of the samples (n, d), and the covariance of each in its coordinates."""

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        if not self.C2 > 0 or not min(self.C1, self.kappa, self.credit) >= 0:
            raise LearnerError("C2 must be above 0, C1, kappa and credit at least 0.")
        if min(self.project_every, self.epochs) < 1:
            raise LearnerError("project_every and epochs must be at least 1.")
        found = self._triplets(side_information, len(X))
        kernels, covariances = self._map(X, side_information, found)
        report(0.3)
        W = tuple(np.eye(len(covariance)) for covariance in covariances)
        G = self._regulariser(kernels, X) if self.C1 else ()
        errors, seen = np.zeros(len(W)), 0
        rows, place = np.unique(found, return_inverse=True)
        coordinates = kernels.coordinates(X[rows])
        report(0.5)
        place = place.reshape(found.shape)
        chunk = _CHUNK * self.project_every
        total = len(found) * self.epochs
        rng = np.random.default_rng(self.random_state)
        for epoch in range(self.epochs):
            for start in range(0, len(place), chunk):
                part = place[start : start + chunk]
                W, wrong = self._step(W, G, coordinates, part, self._largest_at_first())
                # The families' errors are counted on new triplets only.
                if epoch == 0:
                    errors, seen = errors + wrong, seen + len(part)
                report(0.5 + 0.4 * (epoch * len(place) + start + len(part)) / total)
            place = place[rng.permutation(len(place))]
        return (
            self._map_state(kernels)
            | {"covariances_": covariances, "W_": W, "G_": G, "errors_": errors, "seen_": seen}
            | self._solve(kernels, covariances, W, errors, seen)
        )

    def _move(self, samples: NDArray[Any], found: NDArray[np.intp], report: ProgressReport) -> dict[str, Any]:
        coordinates = self._family_kernels.coordinates(samples)
        report(0.3)
        W, wrong = self._step(self.W_, self.G_, coordinates, found, self.C2)
        report(0.6)
        errors, seen = self.errors_ + wrong, self.seen_ + len(found)
        moved = {"W_": W, "errors_": errors, "seen_": seen}
        return moved | self._solve(self._family_kernels, self.covariances_, W, errors, seen)

    def _largest_at_first(self) -> float:
        """Return the maximum step size in `fit`."""
        return self.C2

    def _step(
        self,
        W: tuple[NDArray[np.float64], ...],
        G: tuple[NDArray[np.float64], ...],
        coordinates: list[NDArray[np.float64]],
        found: NDArray[np.intp],
        largest: float,
    ) -> tuple[tuple[NDArray[np.float64], ...], NDArray[np.float64]]:
        i, j, k = found.T
        moved, wrong = lazy_steps(
            W,
            [Z[i] - Z[j] for Z in coordinates],
            [Z[i] - Z[k] for Z in coordinates],
            self.project_every,
            largest,
            self.C1,
            G,
            self.margin,
        )
        return tuple(moved), wrong

    def _regulariser(self, kernels: FamilyKernels, X: NDArray[Any]) -> tuple[NDArray[np.float64], ...]:
        """Return ``K L K`` in the coordinates of each family, scaled to spectral norm 1."""
        result = []
        rows = np.sort(np.random.default_rng(self.random_state).permutation(len(X))[: len(kernels.landmarks)])
        for K, Z in zip(kernels.matrices(X[rows]), kernels.coordinates(X[rows]), strict=True):
            L = neighbor_laplacian(K, self.neighbors)
            G = Z.T @ L @ Z
            result.append(G / (np.linalg.norm(G, 2) or 1.0))
        return tuple(result)

    def _solve(
        self,
        kernels: FamilyKernels,
        covariances: tuple[NDArray[np.float64], ...],
        W: tuple[NDArray[np.float64], ...],
        errors: NDArray[np.float64],
        seen: int,
    ) -> dict[str, Any]:
        return self._output(kernels, covariances, W, self._shares(errors, seen), self.euclidean_blend)

    def _shares(self, errors: NDArray[np.float64], seen: int) -> NDArray[np.float64]:
        """Return weights, with sum 1, from the errors of each family among all triplets seen."""
        share = (errors + self.credit / 2) / (seen + self.credit)
        weights = np.exp(-self.kappa * (share - share.min()))
        return np.asarray(weights / weights.sum())


class OmdlLowRank(OnlineMultiModal):
    """Online multi-modal distance learning in few coordinates (OMDL-LR): weights of feature families, and a metric.

    In the paper's form (`one_kernel` false), ``d(x, x') = sum_p mu_p (z_p - z_p')' W_p (z_p - z_p')`` with coordinates
    z_p of the kernel of family p. Each triplet changes every W_p by a passive-aggressive step, and lowers the weight
    mu_p of the families that order it wrongly. By default, the weights mix the kernels instead, and a single W acts in
    the coordinates z of ``sum_p mu_p k_p``, so that families complement each other in one metric, unlike in a sum of
    metrics.

    Parameters
    ----------
    families : tuple of FeatureFamily
        Feature families; empty: one of all columns.
    mode : {"kernel-pca", "nystroem", "random"}
        Coordinates: kernel principal components; the Nyström map of `components` landmarks; a Gaussian projection of
        kernel values, as printed in the paper.
    one_kernel : bool
        Whether the families are mixed into one kernel; otherwise each has a separate metric, as in the paper.
    unit : bool
        Whether to scale the embedding to rows of length 1, so that rankings depend on the angle; not in the paper.
    components : int
        Coordinates of each kernel; those of a single kernel are then reduced to at most `axes`.
    axes : int
        Maximum number of axes of a single kernel, along which the photos of a judged group are close together
        (`ratio_axes`).
    landmarks : int
        Maximum number of photos that define the kernels: all, or a sample.
    C1 : float
        Weight of the graph Laplacian, with ``K L K`` scaled to spectral norm 1; values from 0 to 1e-3 make no
        difference.
    C2 : float
        Maximum step size; with a metric per family, values from 0.3 to 10 make no difference. With a single kernel,
        `fit` uses a tenth of it, because the axes already contain the information of the triplets.
    margin : float
        Margin between the distances of the dissimilar and the similar photo, relative to the initial mean squared
        distance; 1 in the paper. As the axes already fit the judged groups, a small margin leaves correct triplets
        unchanged.
    kappa : float
        ``mu_p ~ exp(-kappa * share of triplets that p orders wrongly)``: the paper's ``eta = exp(-kappa / triplets)``.
    credit : float
        Virtual triplets that every family starts with, half of them wrong, so that the first focal images cannot
        silence a family; 0 as in the paper.
    neighbors : int
        Neighbours of a photo in the graph.
    per_photo : int
        Triplets drawn for each tagged photo.
    epochs, max_triplets : int
        Number of passes of `fit` over the triplets, and maximum number of triplets.
    project_every : int
        Triplets between two projections to positive semidefinite matrices; 1 in the paper.
    euclidean_blend : float
        Weight of the unlearned squared distance (equal families, W_p = I), relative to the learned one; 0 as in the
        paper. With a single kernel, the unlearned distance is that of the mixed kernel, which also contributes to the
        initial axes.
    output_components : int
        Maximum dimension of the embedding: the principal axes of all families with the largest variances.
    random_state : int

    Attributes
    ----------
    family_weights_ : dict of str to float
        mu_p by family name, with sum 1.
    W_ : tuple of ndarray of float64, shape (r, r)
    errors_ : ndarray of float64, shape (k,)
        Triplets that each of k kernels ordered wrongly when they were new, of all `seen_`; a single kernel, or one per
        family.
    families_, landmarks_, gammas_, projections_, offsets_, covariances_, mix_
        The coordinates, see `learners.families.family_kernels.FamilyKernels`.
    A_ : tuple of ndarray of float64, shape (r, q)
        Maps from the coordinates of each family to its part of the embedding.

    Notes
    -----
    Departures from the paper, measured in ALGORITHMS.md, 3.3 to 3.5: (1) Errors are counted before a step, not after
    it, when hardly any triplet is wrong and the weights would learn nothing (ERRATA.md, X2). (2) W is projected
    every 50 triplets instead of every one. (3) Kernel principal components replace the random projection. (4) Every
    family starts with `credit` triplets, half of them wrong. (5) Pairs without a counterpart form triplets, too
    (`learners.core.groups.triplets`). (6) Single kernel: the weights are computed from the triplets that each family's
    unlearned kernel orders wrongly and from its mean squared distance, and `partial_fit` does not change them; the
    metric starts from a closed form of the judged groups (tags, and chains of similar pairs), mixed with the unlearned
    distance, which is used alone if no two photos were judged similar. (7) Rows have length 1.

    The parameters `printed` undo (2), (3), (4), (6) and (7), with the 100 coordinates of the paper's retrieval. There
    remain (1), which the weights need, (5), which concerns feedback that the paper does not use, kernel values scaled
    to a mean squared distance of 1 in every family, and above 6,000 photos a sample that defines the kernels.

    Cost of `fit` with a single kernel, m landmarks and r components: 10 m^2 (d + r) + m^3 + r^3, then r is `axes`.
    Otherwise, for each family of d columns with m landmarks and r coordinates: 10 m^2 (d + m) + m^3 for the kernel. For
    t triplets, t r^2 and t / 50 eigendecompositions of size r per kernel. `partial_fit` of t triplets: m (d + r) and
    r^2 per triplet, and two eigendecompositions of size r per kernel (7 ms with 13 families and 1,000 landmarks, for
    any number of photos).

    References
    ----------
    .. [1] H. Xia, P. Wu, S. C. H. Hoi, "Online multi-modal distance learning for scalable multimedia retrieval", WSDM
       2013, equations 9-22, Algorithm 1 and section 4.4. doi:10.1145/2433396.2433453

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; only texture separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.core.feature_space import FeatureFamily, families_of
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.families.online_multi_modal import OmdlLowRank
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> families = FeatureFamily("colour", 0, 1, False), FeatureFamily("texture", 1, 2, False)
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> metric = OmdlLowRank(families).fit(X, tags)
    >>> metric.distances_from(X[0], X).round(2)
    array([0.  , 1.37, 1.46, 2.  ])
    >>> [round(weight, 2) for weight in metric.family_weights_.values()]
    [0.48, 0.52]
    """

    name: ClassVar[str] = "omdl-lr"
    title: ClassVar[str] = "Online multi-modal, low rank"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "A metric for each family of features, and how much each family counts"
    source: ClassVar[str] = "Xia et al. 2013"
    # Five times faster than with 1,500 landmarks, and as good; not for judgements, whose order it fits too well
    # (ALGORITHMS.md, 3.5).
    candidates: ClassVar[tuple[Candidate, ...]] = (
        at_least(40, NEVER[0], 3, epochs=1, max_triplets=8000, components=50, landmarks=600),
    )
    printed: ClassVar[Mapping[str, Any] | None] = _PRINTED | {
        "mode": "random",
        "one_kernel": False,
        "unit": False,
        "components": 100,
        "landmarks": MOST_EXACT,
    }

    def __init__(
        self,
        families: tuple[FeatureFamily, ...] = (),
        mode: Literal["kernel-pca", "nystroem", "random"] = "kernel-pca",
        one_kernel: bool = True,
        unit: bool = True,
        components: int = 1000,
        axes: int = 128,
        landmarks: int = 1500,
        C1: float = 0.0,
        C2: float = 0.1,
        margin: float = 0.1,
        kappa: float = 20.0,
        credit: float = 300.0,
        neighbors: int = 50,
        per_photo: int = 10,
        epochs: int = 2,
        max_triplets: int = 25_000,
        project_every: int = 50,
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        random_state: int = 0,
    ) -> None:
        self.families = families
        self.mode = mode
        self.one_kernel = one_kernel
        self.unit = unit
        self.axes = axes
        self.components = components
        self.landmarks = landmarks
        self.C1 = C1
        self.C2 = C2
        self.margin = margin
        self.kappa = kappa
        self.credit = credit
        self.neighbors = neighbors
        self.per_photo = per_photo
        self.epochs = epochs
        self.max_triplets = max_triplets
        self.project_every = project_every
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state

    def _map(
        self, X: NDArray[Any], side: SideInformation, found: NDArray[np.intp]
    ) -> tuple[FamilyKernels, tuple[NDArray[np.float64], ...]]:
        if not self.one_kernel:
            return FamilyKernels.fit(X, self.families, self.mode, self.components, self.landmarks, self.random_state)
        families = families_of(self.families, X.shape[1])
        # Without triplets, the families have their unlearned weights: their mean squared distances.
        widths = np.array([mean_distance(X[:, one.start : one.stop], self.random_state) for one in families])
        mix = self._shares(_wrong(X, families, found), len(found)) * widths**2
        mix = (mix / mix.sum())[None]
        kernels, (C,) = FamilyKernels.fit(
            X, families, self.mode, self.components, self.landmarks, self.random_state, mix
        )
        known = shared_groups(side.absolute(), len(X), self.random_state)
        (Z,) = kernels.coordinates(X[known.rows])
        L = ratio_axes(Z, known.groups, C, self.axes, self.euclidean_blend)
        (projection,), (offset,) = kernels.projections, kernels.offsets
        return replace(kernels, projections=(projection @ L,), offsets=(offset @ L,)), (L.T @ C @ L,)

    def _largest_at_first(self) -> float:
        # The axes already contain these triplets: full steps would cost .015 mAP on Corel-5k.
        return self.C2 * (_WARM_START_FACTOR if self.one_kernel else 1.0)

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        Z = super()._embed(X)
        if not self.unit:
            return Z
        length = np.sqrt(np.einsum("ij,ij->i", Z, Z))[:, None]
        return np.asarray(np.divide(Z, length, out=np.zeros_like(Z), where=length > 0))

    def _add_steps(self, steps: MapSteps, x: int) -> int:
        Z = super()._add_steps(steps, x)
        return steps.unit(Z) if self.unit else Z


class Omdl(OnlineMultiModal):
    """Online multi-modal distance learning in full kernels (Algorithm 1), for small collections.

    ``d(x, x') = sum_p mu_p (K_x - K_x')' W_p (K_x - K_x')`` with the kernel values K_x of family p at all training
    photos.

    Parameters
    ----------
    families
        See `OmdlLowRank`.
    C1, C2, margin, kappa, neighbors
        See `OmdlLowRank`.
    per_photo, epochs, max_triplets, project_every
        See `OmdlLowRank`.
    euclidean_blend, output_components, random_state
        See `OmdlLowRank`.
    limit : int
        Maximum number of photos.

    Attributes
    ----------
    family_weights_, W_, errors_, seen_, A_
        See `OmdlLowRank`, with W of shape (n, n).

    Notes
    -----
    Departures (1), (2), (4) and (5) of `OmdlLowRank`. In addition, kernel values are scaled to a mean squared distance
    of 1 in every family, so that one C2 suits all. The parameters `printed` undo (2) and (4).

    Cost for each family: n^2 d for the kernel, and t n^2 and t / 50 eigendecompositions of size n for t triplets;
    memory n^2.

    References
    ----------
    .. [1] H. Xia, P. Wu, S. C. H. Hoi, "Online multi-modal distance learning for scalable multimedia retrieval", WSDM
       2013, equations 9-22 and Algorithm 1. doi:10.1145/2433396.2433453

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; only texture separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.core.feature_space import FeatureFamily, families_of
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.families.online_multi_modal import Omdl
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> families = FeatureFamily("colour", 0, 1, False), FeatureFamily("texture", 1, 2, False)
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> metric = Omdl(families).fit(X, tags)
    >>> metric.distances_from(X[0], X).round(2)
    array([0.  , 0.63, 1.9 , 2.  ])
    >>> [round(weight, 2) for weight in metric.family_weights_.values()]
    [0.5, 0.5]
    """

    _full: ClassVar[bool] = True
    name: ClassVar[str] = "omdl"
    title: ClassVar[str] = "Online multi-modal, full kernels"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "The same in full kernels, from a few hundred photos"
    source: ClassVar[str] = "Xia et al. 2013"
    rows: ClassVar[int] = 500
    printed: ClassVar[Mapping[str, Any] | None] = _PRINTED

    def __init__(
        self,
        families: tuple[FeatureFamily, ...] = (),
        C1: float = 0.0,
        C2: float = 1.0,
        margin: float = 1.0,
        kappa: float = 5.0,
        credit: float = 300.0,
        neighbors: int = 5,
        per_photo: int = 10,
        epochs: int = 2,
        max_triplets: int = 25_000,
        project_every: int = 50,
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        random_state: int = 0,
        limit: int = 500,
    ) -> None:
        self.families = families
        self.C1 = C1
        self.C2 = C2
        self.margin = margin
        self.kappa = kappa
        self.credit = credit
        self.neighbors = neighbors
        self.per_photo = per_photo
        self.epochs = epochs
        self.max_triplets = max_triplets
        self.project_every = project_every
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state
        self.limit = limit

    def _map(
        self,
        X: NDArray[Any],
        side: SideInformation,  # noqa: ARG002
        found: NDArray[np.intp],  # noqa: ARG002
    ) -> tuple[FamilyKernels, tuple[NDArray[np.float64], ...]]:
        self._require_few(len(X), self.limit)
        return FamilyKernels.fit(X, self.families, "full", len(X), len(X), self.random_state)


def ratio_axes(
    Z: NDArray[np.float64], groups: scipy.sparse.csr_array, C: NDArray[np.float64], count: int, blend: float = 0.0
) -> NDArray[np.float64]:
    """Return axes (r, q) along which the photos of a group are close together, compared with all photos.

    The squared distance along them is the closed form ``S^{-1/2} (S^{-1/2} (C - S) S^{-1/2})_+^{1/2} S^{-1/2}`` of the
    scatter S within groups and the covariance C (r, r) of all photos, mixed with the unlearned distance, whose weight
    falls with the number of photos in groups. Z (k, r) holds the coordinates of these photos, `groups` (k, m) their
    membership, 0 or 1. The widest axes, at most `count`, are returned, scaled to a mean squared distance of 1.
    """
    members = np.asarray(groups.sum(axis=0)).ravel()
    free = len(Z) * (1 - len(members) / members.sum()) if len(members) else 0.0
    trust = free / (free + _EQUAL_WEIGHT_PHOTOS)
    plain = np.trace(C) or 1.0
    M = (1 - trust + blend) / plain * np.eye(len(C))
    if free > 0:
        means = (groups.T @ Z) / members[:, None]
        total = np.asarray(groups.sum(axis=1)).ravel()
        S = ((Z * total[:, None]).T @ Z - (means * members[:, None]).T @ means) / members.sum()
        w, V = np.linalg.eigh(S + (_RIDGE * np.trace(S) / len(S) + _ROUNDING * plain) * np.eye(len(S)))
        R = V / np.sqrt(w)
        b, Q = np.linalg.eigh(R.T @ (C - S) @ R)
        R = R @ Q
        learned = (R * np.sqrt(np.maximum(b, 0.0))) @ R.T
        size = float(np.sum(learned * C))
        M = M + trust / size * learned if size > 0 else M
    root, back = span_roots(C)
    variance, axes = np.linalg.eigh(root.T @ M @ root)
    variance, axes = variance[::-1][:count], axes[:, ::-1][:, :count]
    kept = variance > _ROUNDING * variance[0]
    kept[0] = True
    variance = np.maximum(variance[kept], 0.0)
    return np.asarray((back @ axes[:, kept]) * np.sqrt(variance / (2 * variance.sum() or 1.0)))


def _wrong(X: NDArray[Any], families: tuple[FeatureFamily, ...], found: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the number of triplets that each family's kernel, which falls with distance, orders wrongly."""
    wrong = np.zeros(len(families))
    for p, family in enumerate(families):
        values = X[:, family.start : family.stop]
        for part in blocks(len(found), _ROWS):
            i, j, k = (values[rows].astype(np.float64) for rows in found[part].T)
            wrong[p] += np.count_nonzero(np.square(i - j).sum(axis=1) > np.square(i - k).sum(axis=1))
    return wrong
