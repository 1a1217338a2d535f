# SPDX-License-Identifier: MIT
"""Metrics from the scatters within and between groups: discriminant analysis and a closed-form ratio metric."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import together, without
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.groups import shared_groups
from focal_photos.learners.core.kernels import Auto, KernelPCA, fit_kernel_map
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import (
    BlendedLearner,
    LinearMap,
    Unit,
    auto_blend,
    check_blend,
    unless_tagged,
)
from focal_photos.learners.core.learner.candidate import Candidate, blends
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.scatters import BETWEEN, DISSIMILAR, SIMILAR, WITHIN, scatters, tag_scatters
from focal_photos.learners.core.side_information import SideInformation

_DIRECTIONS = 1e-10


class Lda(BlendedLearner):
    """Linear discriminant analysis: whitens the scatter within classes and retains what separates their means.

    Parameters
    ----------
    shrinkage : float
        0..1: the scatter within classes is ``(1 - shrinkage) S_W + shrinkage * mean(eigenvalues) I``.
    euclidean_blend : float or "auto"
        Weight of the unlearned squared distance, relative to the learned one; 0 as in the textbook. Auto: 1 + 160 /
        judged pairs, where a tagged photo counts as ten, because few directions separate the means of few groups.
    output_components : int
        Maximum dimension of the embedding: principal axes of the learned space.
    unit : bool or "auto"
        Whether to normalize the embedding to length 1; auto: from 16 dimensions on, without tags (see
        `learners.core.learner.blend`).

    Attributes
    ----------
    mean_ : ndarray of float64, shape (d,)
    axes_ : ndarray of float64, shape (d, r)
        The embedding is ``(x - mean_) @ axes_``, normalized to length 1 if `unit_`.

    Notes
    -----
    The distances equal those of scikit-learn's LinearDiscriminantAnalysis (``solver="eigen"``, classes weighted by
    their photos) up to a factor. numpy's linear algebra is used because scikit-learn's goes through scipy, which holds
    the interpreter lock during a decomposition and so freezes the window. Classes are the tags shared by several photos
    and the groups joined by judged similar pairs; a photo in none of them that was judged dissimilar to another or has
    unshared tags is a separate class. Departure from the textbook, which assumes one class per photo: for several
    classes, the mean of their means counts (Qi et al. 2009, eq. 1 and 2), which is equivalent for one class each.

    Cost: n d^2 + d^3 for principal components (n^2 d with fewer photos than features), k d^2 for k photos with a class,
    three eigendecompositions of size d.

    References
    ----------
    .. [1] R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7 (1936).
    .. [2] T. Hastie, R. Tibshirani, J. Friedman, "The elements of statistical learning", section 4.3.3.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; 0 is nearer to 2 in X, but not in the learned distance:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.ratio import Lda
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_labels(["sea", "sea", "wood", "wood"])
    >>> Lda(euclidean_blend=1).fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 1.34, 1.48, 2.  ])
    """

    name: ClassVar[str] = "lda"
    title: ClassVar[str] = "LDA"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "Linear discriminant analysis: what separates the groups' means"
    source: ClassVar[str] = "Fisher 1936"
    is_quick: ClassVar[bool] = True

    def __init__(
        self,
        shrinkage: float = 0.05,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        unit: Unit = "auto",
    ) -> None:
        self.unit = unit
        self.shrinkage = shrinkage
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components

    def _blend(self, side: SideInformation) -> float:
        return auto_blend(side, 1.0, 160.0) if self.euclidean_blend == "auto" else super()._blend(side)

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        if not 0 <= self.shrinkage <= 1:
            raise LearnerError(f"shrinkage must be in 0..1, it is {self.shrinkage}.")
        rows, groups = _classes(side_information, len(X))
        if not len(rows):
            raise self.nothing_to_learn("and two photos known to be similar")
        if groups.shape[1] < 2:
            raise self.nothing_to_learn("and photos of two kinds: all that are known are alike")
        start = LinearMap.fit(X)
        report(0.6)
        within, between = tag_scatters(start.transform(X[rows]), groups)
        within = (1 - self.shrinkage) * within + self.shrinkage * np.trace(within) / len(within) * np.eye(len(within))
        whitened = powm(within, -0.5)
        report(0.8)
        w, V = np.linalg.eigh(whitened @ between @ whitened)
        kept = w > max(_DIRECTIONS * w[-1], 0.0)
        A = whitened @ V[:, kept] if kept.any() else whitened
        return self._finish(start, A, side_information, unless_tagged(self.unit, side_information))


def _classes(side: SideInformation, n: int) -> tuple[NDArray[np.intp], scipy.sparse.csr_array]:
    """Return the photos with a class and their classes (k, m); lone photos known to differ get a class each."""
    rows, groups, _ = shared_groups(side, n)
    alone = without(together(side.dissimilar, side.tagged), rows)
    if not len(rows) or not len(alone):
        return rows, groups
    return np.concatenate([rows, alone]), scipy.sparse.csr_array(
        scipy.sparse.block_diag([groups, scipy.sparse.eye_array(len(alone))], format="csr")
    )


class RatioMetric(BlendedLearner):
    """Closed-form ratio of scatters: ``z = y S_W^{-1/2} S_B^{1/4}`` on principal or kernel principal components.

    Parameters
    ----------
    kernel : bool
        Use kernel principal components instead of principal components.
    n_components : int or "auto"
        Number of components; auto: 150, with a kernel 300.
    between_exponent : float
        Exponent of S_B; 0.25 is better by 1 to 4 points of precision than 0.5 with many classes.
    ridge : float
        Relative ridge on S_W.
    prior : float
        Weight of the scatter of all photos in S_W, in pairs, and, if only pairs were judged, in C_D with 2/3 of that
        per component: a few pairs do not determine 300 directions.
    gamma : float or "auto"
        Parameter of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    euclidean_blend : float
    output_components, unit
        See `Lda`; the unlearned distance is that of the components.
    exact, landmarks : int
        Kernel PCA is exact up to `exact` photos; above, it is a Nyström map with `landmarks` landmarks.
    random_state : int

    Attributes
    ----------
    mean_, axes_
        Without a kernel, the embedding is ``(x - mean_) @ axes_``.
    landmarks_, projection_, offset_, gamma_
        With a kernel, it is ``k(x, landmarks_) @ projection_ + offset_``.

    Notes
    -----
    S_W and S_B are the covariances of the residuals and of the predictions of a photo's position from its tags
    (`learners.core.scatters`); with one class per photo, those within and between classes. A similar pair adds half its
    outer difference to S_W. Dissimilar pairs have the exponent 0.5 of Chang & Yeung (2006): with S_B of trace 1, as all
    terms of the mean, weighted by photos and pairs, ``(S_B^{2 between_exponent} + C_D)^{1/2}`` replaces
    ``S_B^{between_exponent}``.

    Cost: the components (n d^2 + d^3; with a kernel n m d + n m^2 + m^3), (k + pairs) p^2 for the scatters of k tagged
    photos, three eigendecompositions of size p.

    References
    ----------
    .. [1] K. Fukunaga, "Introduction to statistical pattern recognition", chapter 10: criteria of two scatters. For the
       exponents see ALGORITHMS.md, 6.9.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; 0 is nearer to 2 in X, but not in the learned distance:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.ratio import RatioMetric
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_labels(["sea", "sea", "wood", "wood"])
    >>> RatioMetric().fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 1.09, 1.69, 1.98])
    """

    name: ClassVar[str] = "ratio"
    title: ClassVar[str] = "Ratio of scatters"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "Shrinks what varies within groups and stretches what varies between them"
    source: ClassVar[str] = "closed form of LDA's ratio"
    is_quick: ClassVar[bool] = True
    candidates: ClassVar[tuple[Candidate, ...]] = blends(0.5, 2.0)

    def __init__(
        self,
        kernel: bool = True,
        n_components: int | Literal["auto"] = "auto",
        between_exponent: float = 0.25,
        ridge: float = 0.03,
        prior: float = 3.0,
        gamma: float | Literal["auto"] = "auto",
        euclidean_blend: float = 0.5,
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        self.unit = unit
        self.kernel = kernel
        self.n_components = n_components
        self.between_exponent = between_exponent
        self.ridge = ridge
        self.prior = prior
        self.gamma = gamma
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        side = side_information
        start = self._start(X)
        report(0.6)

        def coordinates(rows: NDArray[np.intp]) -> NDArray[np.float64]:
            return np.asarray(start.transform(X[rows].astype(np.float64)))

        p = start.n_components
        sums, counts = scatters(coordinates, p, side, self.random_state)
        report(0.8)
        total = np.diag(start.variances)
        known = counts[SIMILAR] + counts[WITHIN] + self.prior
        within = sums[SIMILAR] / 2 + sums[WITHIN] + self.prior * total
        A = powm(within / known if known else total, -0.5, self.ridge)
        # The prior supplements S_B where pairs are few: the result is then close to the identity.
        prior = 0.0 if counts[BETWEEN] else 2.0 * p * self.prior / 3
        between, weight = np.zeros((p, p)), 0.0
        for scatter, count in (
            (powm(sums[BETWEEN], 2 * self.between_exponent), counts[BETWEEN]),
            (sums[DISSIMILAR], counts[DISSIMILAR]),
            (total, prior),
        ):
            if count and np.trace(scatter) > 0:
                between += scatter * (count / np.trace(scatter))
                weight += count
        if weight:
            A = A @ powm(between / weight, 0.5)
        return self._finish(start, A, side, unless_tagged(self.unit, side))

    def _start(self, X: NDArray[Any]) -> LinearMap | KernelPCA:
        if not self.kernel:
            return LinearMap.fit(X, 150 if self.n_components == "auto" else self.n_components)
        return fit_kernel_map(self, X, 300 if self.n_components == "auto" else self.n_components)
