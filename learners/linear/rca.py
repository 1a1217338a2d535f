# SPDX-License-Identifier: MIT
"""Relevant component analysis, also with kernels, and discriminative component analysis."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import without
from focal_photos.learners.core.groups import Groups, shared_groups
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
from focal_photos.learners.core.learner.candidate import NEVER, Candidate, blends
from focal_photos.learners.core.learner.slider import BLEND_SLIDER, Slider
from focal_photos.learners.core.linalg import powm
from focal_photos.learners.core.scatters import tag_scatters
from focal_photos.learners.core.side_information import SideInformation

_DIRECTIONS = 1e-6


class Rca(BlendedLearner):
    """Relevant component analysis (Bar-Hillel et al. 2003): shrinks directions in which similar photos differ.

    With the scatter C within chunklets (groups known to belong together) the map is ``z = x C^{-1/2}``.

    Parameters
    ----------
    ridge : float
        Relative ridge of the inverse square root, 0.1 to 1.
    euclidean_blend : float
        Weight of the unlearned squared distance, relative to the learned one; 0 as in the paper.
    output_components : int
        Maximum dimension of the embedding: principal axes of the learned space.
    unit : bool or "auto"
        Whether to normalize the embedding to length 1; auto: from 16 dimensions on (see `core.learner.blend.is_unit`).

    Attributes
    ----------
    mean_ : ndarray of float64, shape (d,)
    axes_ : ndarray of float64, shape (d, r)
        The embedding is ``(x - mean_) @ axes_``, normalized to length 1 if `unit_`.

    Notes
    -----
    Chunklets are the tags shared by several photos and the groups joined by judged similar pairs. Departure from the
    paper, which assumes one chunklet per photo: a photo in several is compared with the mean of their means (Qi et al.
    2009), which is equivalent for one chunklet each. Dissimilar pairs are ignored.

    Cost: n d^2 + d^3 for principal components (n^2 d with fewer photos than features), k d^2 for k photos in chunklets,
    two eigendecompositions of size d; the cost of pairs and tags grows with the photos that they name.

    References
    ----------
    .. [1] A. Bar-Hillel, T. Hertz, N. Shental, D. Weinshall, "Learning distance functions using equivalence relations",
       ICML 2003, section 2 (ALGORITHMS.md, 6.1).

    Examples
    --------
    Photos 0 and 1 are similar, and so are 2 and 3, although they are farther apart than 0 and 2:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.rca import Rca
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]))
    >>> Rca().fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.3 , 1.52, 2.  ])
    """

    name: ClassVar[str] = "rca"
    title: ClassVar[str] = "RCA"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "Relevant component analysis: shrinks what varies among similar photos"
    source: ClassVar[str] = "Bar-Hillel et al. 2003"
    sliders: ClassVar[tuple[Slider, ...]] = (
        BLEND_SLIDER,
        Slider("ridge", "Caution with few examples", "bold", "cautious", (0.01, 0.1, 0.3, 1, 3), 0.1),
    )
    is_quick: ClassVar[bool] = True
    candidates: ClassVar[tuple[Candidate, ...]] = blends(1.0, 4.0, tagged=NEVER)

    def __init__(
        self,
        ridge: float = 0.1,
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        unit: Unit = "auto",
    ) -> None:
        self.unit = unit
        self.ridge = ridge
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        rows, groups, _ = shared_groups(side_information, len(X))
        if not len(rows):
            raise self.nothing_to_learn("and two photos known to be similar")
        start = self._start(X)
        report(0.6)
        within, _ = tag_scatters(start.transform(X[rows].astype(np.float64)).astype(np.float64), groups)
        report(0.8)
        return self._finish(start, _whitened(within, self.ridge), side_information)

    def _start(self, X: NDArray[Any]) -> LinearMap | KernelPCA:
        return LinearMap.fit(X)


class KernelRca(Rca):
    """Kernel relevant component analysis (Tsang et al. 2005): RCA on kernel principal components.

    Parameters
    ----------
    n_components : int
        Number of kernel principal components p.
    gamma : float or "auto"
        Parameter of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    ridge, euclidean_blend, output_components, unit
        See `Rca`; the unlearned distance is that of the kernel principal components.
    exact, landmarks : int
        Kernel PCA is exact up to `exact` photos; above, it is a Nyström map with `landmarks` landmarks.
    random_state : int

    Attributes
    ----------
    landmarks_, projection_, offset_, gamma_
        The embedding is ``k(x, landmarks_) @ projection_ + offset_``.

    Notes
    -----
    Departure from the paper, which solves the dual problem: on the components it is RCA in p dimensions, with the same
    function class.

    Cost: n m d + n m^2 + m^3 for the map with m landmarks, k p^2 for k photos in chunklets, two eigendecompositions of
    size p.

    References
    ----------
    .. [1] I. W. Tsang, P.-M. Cheung, J. T. Kwok, "Kernel relevant component analysis for distance metric learning",
       IJCNN 2005 (ALGORITHMS.md, 6.2).

    Examples
    --------
    Photos 0 and 1 are similar, and so are 2 and 3, although they are farther apart than 0 and 2:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.rca import KernelRca
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]))
    >>> KernelRca().fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.32, 1.64, 1.89])
    """

    name: ClassVar[str] = "krca"
    title: ClassVar[str] = "Kernel RCA"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "Relevant component analysis in the space of a kernel"
    source: ClassVar[str] = "Tsang et al. 2005"
    is_quick: ClassVar[bool] = True
    candidates: ClassVar[tuple[Candidate, ...]] = ()

    def __init__(
        self,
        n_components: int = 150,
        gamma: float | Literal["auto"] = "auto",
        ridge: float = 0.1,
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(ridge, euclidean_blend, output_components, unit)
        self.n_components = n_components
        self.gamma = gamma
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state

    def _start(self, X: NDArray[Any]) -> LinearMap | KernelPCA:
        return fit_kernel_map(self, X, self.n_components)


class Dca(BlendedLearner):
    """Discriminative component analysis (Hoi et al. 2006): also separates groups known to differ.

    The scatter between the means of discriminative pairs of chunklets is whitened, then the scatter within chunklets in
    that space; directions without any difference between chunklets are dropped.

    Parameters
    ----------
    ridge : float
        Relative ridge on the scatter within chunklets, in the space of the scatter between them.
    euclidean_blend : float or "auto"
        See `learners.linear.ratio.Lda`; auto: 1 + 600 / judged pairs, where a tagged photo counts as ten.
    output_components
        See `Rca`.
    unit : bool or "auto"
        See `learners.linear.ratio.Lda`.

    Attributes
    ----------
    mean_, axes_
        See `Rca`.

    Notes
    -----
    For chunklets see `Rca`. Two chunklets are discriminative if a dissimilar pair joins them, and two tags if no photo
    carries both; a photo of a dissimilar pair that is in no chunklet is a separate one. Departures from the paper: the
    ridge (with fewer photos than directions the paper divides by 0); and the scatter of all photos replaces a missing
    one, if there are no discriminative pairs (which gives RCA) or no chunklets.

    Cost: principal components as in `Rca`, k d^2 for k photos in chunklets, m^2 d for m chunklets, three
    eigendecompositions of size d. The embedding has fewer learned directions than there are chunklets.

    References
    ----------
    .. [1] S. C. H. Hoi, W. Liu, M. R. Lyu, W.-Y. Ma, "Learning distance metrics with contextual constraints for image
       retrieval", CVPR 2006, section 3 (ALGORITHMS.md, 6.3).

    Examples
    --------
    Photos 0 and 1 are similar, and 0 and 2 are not, although they are nearer to each other:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.rca import Dca
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> Dca(euclidean_blend=1).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.34, 1.48, 2.  ])
    """

    name: ClassVar[str] = "dca"
    title: ClassVar[str] = "DCA"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "Discriminative component analysis: also pulls groups known to differ apart"
    source: ClassVar[str] = "Hoi et al. 2006"
    is_quick: ClassVar[bool] = True

    def __init__(
        self,
        ridge: float = 0.03,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        unit: Unit = "auto",
    ) -> None:
        self.unit = unit
        self.ridge = ridge
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components

    def _blend(self, side: SideInformation) -> float:
        return auto_blend(side, 1.0, 600.0) if self.euclidean_blend == "auto" else super()._blend(side)

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.output_components)
        side = side_information
        known = shared_groups(side, len(X))
        rows, groups = known.rows, known.groups
        start = LinearMap.fit(X)
        report(0.5)
        within, between = np.diag(start.variances), np.zeros((start.n_components, start.n_components))
        Y = start.transform(X[rows]) if len(rows) else np.empty((0, start.n_components))
        if len(rows):
            within = tag_scatters(Y, groups)[0] / len(rows)
        alone = without(side.dissimilar, rows)
        means = start.transform(X[alone])
        if len(rows):
            means = np.concatenate([(groups.T @ Y) / np.asarray(groups.sum(axis=0)).reshape(-1, 1), means])
        differ = _discriminative(side, known, alone)
        degree = differ.sum(axis=1)
        if degree.any():
            # The sum over pairs of (m_i - m_j)(m_i - m_j)' is M' (diag(degree) - differ) M.
            between = ((means * degree[:, None]).T @ means - means.T @ (differ @ means)) / degree.sum() * 2
        report(0.8)
        return self._finish(start, _dca(within, between, self.ridge), side, unless_tagged(self.unit, side))


def _whitened(scatter: NDArray[np.float64], ridge: float) -> NDArray[np.float64]:
    """Return ``scatter^{-1/2}``; a zero scatter gives the identity."""
    return powm(scatter, -0.5, ridge)


def _discriminative(side: SideInformation, known: Groups, alone: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return which chunklets, then which lone photos, are known to differ: symmetric 0/1 (m + a, m + a)."""
    rows, groups, tags = known
    m = groups.shape[1]
    differ = np.zeros((m + len(alone), m + len(alone)))
    carried = scipy.sparse.csr_array(groups[:, :tags])
    differ[:tags, :tags] = (carried.T @ carried).toarray() == 0
    place = {int(photo): [m + at] for at, photo in enumerate(alone)}
    for at, photo in enumerate(rows):
        place[int(photo)] = groups.indices[groups.indptr[at] : groups.indptr[at + 1]].tolist()
    for i, j in side.dissimilar:
        for a in place.get(int(i), []):
            for b in place.get(int(j), []):
                if a != b:
                    differ[a, b] = differ[b, a] = 1.0
    return differ


def _dca(within: NDArray[np.float64], between: NDArray[np.float64], ridge: float) -> NDArray[np.float64]:
    """Return the map (p, r) from the two scatters (ALGORITHMS.md, 6.3)."""
    w, U = np.linalg.eigh((between + between.T) / 2)
    large = w > max(_DIRECTIONS * w[-1], 0.0)
    if not large.any():
        return _whitened(within, ridge)
    Zb = U[:, large] / np.sqrt(w[large])
    inner = Zb.T @ within @ Zb
    return np.asarray(Zb @ _whitened(inner, ridge))
