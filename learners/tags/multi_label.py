# SPDX-License-Identifier: MIT
"""Metrics from multiple tags per photo: residuals of tag means shrink, and the predictions of tags are stretched.

`KernelTagScores` compares predicted tags instead.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import MOST_EXACT, Auto, KernelPCA, check_gamma, fit_kernel_map, shared
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import UNLIMITED, BlendedLearner, LinearMap, Unit, auto_blend, check_blend
from focal_photos.learners.core.learner.candidate import NEVER, Candidate, blends
from focal_photos.learners.core.scatters import Axes, shared_tags, tag_axes, tag_scatters
from focal_photos.learners.core.side_information import SideInformation

_NEEDS = "tags that several photos share"


class TagLearner(BlendedLearner):
    """Base of the metrics that require tags; judged similar pairs are used in addition."""

    needs: ClassVar[str] = _NEEDS

    random_state: int = 0
    """Seed of the sample of tagged photos, if there are too many; a parameter of the kernel metrics."""

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        self._check()
        rows, tags = shared_tags(side_information, self.random_state)
        if not len(rows):
            raise self.nothing_to_learn("judged pairs alone are not enough")
        start = self._start(X)
        report(0.5)
        A = self._factor(start, X, side_information, rows, tags)
        report(0.7)
        return self._finish(start, A, side_information)

    def _check(self) -> None:
        """Raise LearnerError unless the parameters are valid."""
        check_blend(self.euclidean_blend, self.output_components)

    def _start(self, X: NDArray[Any]) -> LinearMap | KernelPCA:
        """Return the coordinates used for learning."""
        return LinearMap.fit(X)

    @abstractmethod
    def _factor(
        self,
        start: LinearMap | KernelPCA,
        X: NDArray[Any],
        side: SideInformation,
        rows: NDArray[np.intp],
        tags: scipy.sparse.csr_array,
    ) -> NDArray[np.float64]:
        """Return the learned map (p, q) of the coordinates of `start`; `rows`, `tags`: the tagged photos."""


class MultiLabelMetric(TagLearner):
    """Multi-label metric (Qi et al. 2009): ``M = (I + S_R / lambda)^{-1}`` of the residuals' scatter.

    The tags of a photo predict its position, the mean over its tags of the mean position of the photos with that tag;
    S_R is the scatter of the residuals. Directions in which photos with the same tags differ shrink.

    Parameters
    ----------
    regularization : float
        > 0: lambda as a multiple of the mean eigenvalue of S_R. Large values give the unlearned distance.
    euclidean_blend : float
        Weight of the unlearned squared distance, relative to the learned one; 0 as in the paper.
    output_components : int
        Maximum dimension of the embedding: principal axes of the learned space.

    Attributes
    ----------
    mean_ : ndarray of float64, shape (d,)
    axes_ : ndarray of float64, shape (d, r)
        The embedding is ``(x - mean_) @ axes_``.

    Notes
    -----
    A tag that was given several times counts as often, in the tags of its photo (eq. 1) and among the photos of the tag
    (eq. 2): see `SideInformation.from_tags`. With one tag per photo this is RCA with a ridge of lambda. The paper gives
    no lambda; its scatter is a sum over photos, so lambda must grow with their number. Judged similar pairs add half
    their outer differences to S_R, like two photos that share a separate tag; dissimilar pairs are ignored, and so is a
    tag of a single photo (in the paper, it improves the prediction of that photo). If there are more than 20,000 tagged
    photos, a sample of 20,000 is used. With `printed`, the distance has neither a Euclidean share nor a limit of
    dimensions; the other differences remain.

    Cost: n d^2 + d^3 for principal components (n^2 d with fewer photos than features), k d (d + t) for k tagged photos
    with t tags each, s d^2 for s pairs, a decomposition of size d. The matrix of all photos against all is never
    formed.

    References
    ----------
    .. [1] G.-J. Qi, X.-S. Hua, H.-J. Zhang, "Learning semantic distance from community-tagged media collection", ACM
       Multimedia 2009, eq. 13-16 (ALGORITHMS.md, 5.2).

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3, although they are farther apart than 0 and 2:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.tags.multi_label import MultiLabelMetric
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> MultiLabelMetric(regularization=0.1).fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 1.3 , 1.52, 2.  ])
    """

    name: ClassVar[str] = "ml-dml"
    title: ClassVar[str] = "Multi-label metric"
    family: ClassVar[str] = "Tags"
    summary: ClassVar[str] = "Shrinks the directions in which photos with the same tags differ"
    source: ClassVar[str] = "Qi et al. 2009"
    is_quick: ClassVar[bool] = True
    printed: ClassVar[Mapping[str, Any] | None] = {"euclidean_blend": 0.0, "output_components": UNLIMITED}

    def __init__(
        self, regularization: float = 10.0, euclidean_blend: float = 0.25, output_components: int = 256
    ) -> None:
        self.regularization = regularization
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components

    def _check(self) -> None:
        super()._check()
        if not self.regularization > 0:
            raise LearnerError(f"regularization must be above 0, it is {self.regularization}.")

    def transform_tagged(
        self, X: ArrayLike, tags: ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix
    ) -> NDArray[np.float32]:
        """Return the positions of a gallery whose tags are known: a possible reading of equations 1 to 5.

        A photo with tags is reconstructed from them (``U = W X A_C A_R'``): it is placed at the mean of the positions
        of its tags, each of which is the mean of the photos with that tag. Queries, which have no tags, are placed by
        `transform`. The paper does not state whether it ranks photos by ``W x`` or by the reconstruction.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
            The gallery.
        tags : array_like or sparse, shape (n, m)
            How often photo i was given tag j; 0 or 1 if only the presence is known.

        Returns
        -------
        ndarray of float32, shape (n, r)
            Photos without tags as by `transform`.

        Raises
        ------
        NotFittedError
        LearnerError
            If the tags are those of another number of photos, or below 0 or not finite.
        """
        self.check_fitted()
        side = SideInformation.from_tags(tags)
        rows = self._rows(X)
        side.check(len(rows))
        assert side.tags is not None
        Z, tagged = self._coordinates_of(rows), side.tagged
        given = scipy.sparse.csr_array(side.tags[tagged])
        share = scipy.sparse.diags_array(1 / np.asarray(given.sum(axis=1)).ravel()) @ given
        count = np.asarray(given.sum(axis=0)).reshape(-1, 1)
        Z[tagged] = share @ ((given.T @ Z[tagged].astype(np.float64)) / np.where(count > 0, count, 1.0))
        return Z

    def _factor(
        self,
        start: LinearMap | KernelPCA,
        X: NDArray[Any],
        side: SideInformation,
        rows: NDArray[np.intp],
        tags: scipy.sparse.csr_array,
    ) -> NDArray[np.float64]:
        # The paper's objective contains the residuals only.
        within, _ = tag_scatters(_coordinates(start, X[rows]), tags)
        differences = _differences(start, X, side)
        within += differences.T @ differences
        scale = self.regularization * float(np.trace(within)) / len(within)
        if not scale > 0:
            return np.eye(len(within))
        # M = A A' with A = inv(L)' of I + S_R / lambda = L L', ten times faster than an eigendecomposition.
        return np.ascontiguousarray(np.linalg.inv(np.linalg.cholesky(np.eye(len(within)) + within / scale)).T)


class KernelMultiLabelMetric(MultiLabelMetric):
    """Kernel multi-label metric (Qi et al. 2009) on images: `MultiLabelMetric` in the space of an RBF kernel.

    Parameters
    ----------
    regularization : float
        > 0: lambda as a multiple of the mean eigenvalue of S_R.
    gamma : float or "auto"
        Parameter of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    euclidean_blend, output_components
        See `MultiLabelMetric`; the unlearned distance is that of the kernel's space.
    exact : int
        Maximum number of photos for which the kernel form is exact; at most 6,000.
    landmarks : int
        Number of landmarks of the Nyström map used above `exact`.
    random_state : int

    Attributes
    ----------
    landmarks_, projection_, offset_, gamma_
        The embedding is ``k(x, landmarks_) @ projection_ + offset_``.

    Notes
    -----
    With the kernel matrix K of the photos, ``R_n = I - B`` and ``H = R_n (lambda I + R_n' K R_n)^{-1} R_n'``, the
    paper's distance is ``|phi - phi'|^2 - (k - k')' H (k - k')``. M is the identity outside the span of the photos, so
    on all kernel principal components (as many as photos) the linear form gives the same distance between the photos.
    Departure: the part of a new photo outside that span is dropped. It contributes equally to the distances from that
    photo to all training photos; between new photos it would dominate the learned part. With `printed`, this departure
    and those of `MultiLabelMetric` remain, and above 6,000 photos the Nyström map.

    A small `regularization` makes the residuals of the training photos almost vanish, so it retrieves most if the
    gallery consists of these photos; among other photos it does no harm in this form. But the neighbours of a new photo
    among the training photos are less similar than under `KernelTagRatioMetric`, which is better for suggesting tags.
    Measurements: ALGORITHMS.md, 5.3.

    Cost: n^2 d + n^3 up to `exact` photos and five matrices of n^2 (2 eigendecompositions; 2,000 photos: 10 s, 4,500: 3
    to 5 minutes on a busy core), above it n m d + n m^2 + m^3 for m landmarks; k p (p + t) for k tagged photos with t
    tags each and p components.

    References
    ----------
    .. [1] G.-J. Qi, X.-S. Hua, H.-J. Zhang, "Learning semantic distance from community-tagged media collection", ACM
       Multimedia 2009, eq. 19-20 (ALGORITHMS.md, 5.3).

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3, although they are farther apart than 0 and 2:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.tags.multi_label import KernelMultiLabelMetric
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> KernelMultiLabelMetric().fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 0.84, 1.88, 1.94])
    """

    name: ClassVar[str] = "kml-dml"
    title: ClassVar[str] = "Kernel multi-label metric"
    family: ClassVar[str] = "Tags"
    summary: ClassVar[str] = "The multi-label metric in the space of a kernel"
    source: ClassVar[str] = "Qi et al. 2009"
    is_quick: ClassVar[bool] = False
    printed: ClassVar[Mapping[str, Any] | None] = {
        "euclidean_blend": 0.0,
        "output_components": UNLIMITED,
        "exact": MOST_EXACT,
    }

    def __init__(
        self,
        regularization: float = 0.03,
        gamma: float | Literal["auto"] = "auto",
        euclidean_blend: float = 0.05,
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
    ) -> None:
        super().__init__(regularization, euclidean_blend, output_components)
        self.gamma = gamma
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state

    def _check(self) -> None:
        super()._check()
        if self.exact > MOST_EXACT:
            raise LearnerError(
                f"exact must be at most {MOST_EXACT}, it is {self.exact}: the memory grows with its square. Above "
                "it, landmarks replace the photos."
            )

    def _start(self, X: NDArray[Any]) -> LinearMap | KernelPCA:
        return _kernel_map(self, X, len(X) if len(X) <= self.exact else self.landmarks)


class TagRatioMetric(TagLearner):
    """Ratio of scatters for tags: ``z = x S_R^{-1/2} S_B^{s/2}``, predictions of the tags against residuals.

    S_R is the scatter of the residuals (see `MultiLabelMetric`), S_B that of the predictions.

    Parameters
    ----------
    between_exponent : float
        s: 0 only whitens the residuals, 1 is the full ratio.
    ridge : float
        Relative ridge on S_R.
    euclidean_blend : float or "auto"
        Weight of the unlearned squared distance, relative to the learned one; auto: falls with the amount of feedback,
        ``0.1 + 1000 / (similar pairs + 10 tagged photos)``.
    output_components : int
        See `MultiLabelMetric`.
    unit : bool or "auto"
        Whether to normalize the embedding to length 1; auto: from 16 dimensions on (see `core.learner.blend.is_unit`).

    Attributes
    ----------
    mean_, axes_
        See `MultiLabelMetric`.

    Notes
    -----
    Not in the paper, whose residuals are four fifths of the total scatter, so that shrinking them has little effect.
    Giving the predictions more weight retrieves more, also among new photos (ALGORITHMS.md, 5.5, which has the choice
    of exponent and ridge). Directions are compared, not lengths, and with few tagged photos most of the distance is the
    unlearned one: both preserve classes without tags. For judged pairs see `MultiLabelMetric`; `RatioMetric` uses both
    kinds, and pairs without tags.

    Cost: see `MultiLabelMetric`, with three eigendecompositions of size d.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3, although they are farther apart than 0 and 2:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.tags.multi_label import TagRatioMetric
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> TagRatioMetric(euclidean_blend=0.1).fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 0.57, 1.92, 2.  ])
    """

    name: ClassVar[str] = "tag-ratio"
    title: ClassVar[str] = "Tag ratio"
    family: ClassVar[str] = "Tags"
    summary: ClassVar[str] = "Stretches what tags predict and shrinks what they leave open"
    source: ClassVar[str] = "after Qi et al. 2009"
    is_quick: ClassVar[bool] = True
    candidates: ClassVar[tuple[Candidate, ...]] = (
        *blends(1.0, between_exponent=0.25, judgements=NEVER, turn=1),
        *blends(1.0, 0.3, between_exponent=0.5, judgements=NEVER, turn=1),
    )

    def __init__(
        self,
        between_exponent: float = 0.5,
        ridge: float = 0.03,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        unit: Unit = "auto",
    ) -> None:
        self.unit = unit
        self.between_exponent = between_exponent
        self.ridge = ridge
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components

    def _blend(self, side: SideInformation) -> float:
        return _blend_of_tags(self.euclidean_blend, side)

    def _check(self) -> None:
        super()._check()
        if not self.ridge >= 0 or not self.between_exponent >= 0:
            raise LearnerError("ridge and between_exponent must be at least 0.")

    def _factor(
        self,
        start: LinearMap | KernelPCA,
        X: NDArray[Any],
        side: SideInformation,
        rows: NDArray[np.intp],
        tags: scipy.sparse.csr_array,
    ) -> NDArray[np.float64]:
        p = start.n_components
        (narrow, residual), (wide, predicted) = self._axes(start, X, side, rows, tags)
        level = self.ridge * float(narrow.sum()) / p
        # A single tag on all photos predicts the same position for all: there is nothing to stretch.
        stretched = wide.sum() > _NOTHING * narrow.sum()
        directions = predicted * wide ** (self.between_exponent / 2) if stretched else np.eye(p)
        if not len(narrow):
            return directions
        # Outside the span of the residuals, their scatter is the ridge; without a ridge these directions are dropped.
        outside = level**-0.5 if level > 0 else 0.0
        inside = (narrow + level) ** -0.5 - outside
        return np.asarray(outside * directions + (residual * inside) @ (residual.T @ directions))

    def _axes(
        self,
        start: LinearMap | KernelPCA,
        X: NDArray[Any],
        side: SideInformation,
        rows: NDArray[np.intp],
        tags: scipy.sparse.csr_array,
    ) -> tuple[Axes, Axes]:
        """Return the eigenvectors of both scatters."""
        return tag_axes(_coordinates(start, X[rows]), tags, _differences(start, X, side))


class KernelTagRatioMetric(TagRatioMetric):
    """`TagRatioMetric` on kernel principal components, or a Nyström approximation of them.

    Parameters
    ----------
    n_components : int
        Number of kernel principal components p.
    gamma : float or "auto"
        Parameter of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    between_exponent, ridge, euclidean_blend, output_components, unit
        See `TagRatioMetric`; the unlearned distance is that of the kernel principal components.
    exact : int
        Maximum number of photos for which kernel PCA is exact.
    landmarks : int
        Number of photos sampled for the Nyström map used above `exact`.
    random_state : int

    Attributes
    ----------
    landmarks_, projection_, offset_, gamma_
        The embedding is ``k(x, landmarks_) @ projection_ + offset_``.

    Notes
    -----
    Cost: n m d + n m^2 + m^3 for the map with m landmarks, k p (p + t) for k tagged photos with t tags each, three
    eigendecompositions of size p.

    References
    ----------
    .. [1] ALGORITHMS.md, 5.5.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3, although they are farther apart than 0 and 2:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.tags.multi_label import KernelTagRatioMetric
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> KernelTagRatioMetric(euclidean_blend=0.1).fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 0.57, 1.92, 2.  ])
    """

    name: ClassVar[str] = "tag-ratio-kernel"
    title: ClassVar[str] = "Tag ratio, kernel"
    family: ClassVar[str] = "Tags"
    summary: ClassVar[str] = "The tag ratio in the space of a kernel"
    source: ClassVar[str] = "after Qi et al. 2009"
    is_quick: ClassVar[bool] = True
    candidates: ClassVar[tuple[Candidate, ...]] = (
        *blends(1.0, 0.3, between_exponent=0.25, judgements=NEVER, turn=1),
        *blends(1.0, 0.3, between_exponent=0.5, judgements=NEVER, turn=1),
    )

    def __init__(
        self,
        n_components: int = 1000,
        gamma: float | Literal["auto"] = "auto",
        between_exponent: float = 0.5,
        ridge: float = 0.03,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(between_exponent, ridge, euclidean_blend, output_components, unit)
        self.n_components = n_components
        self.gamma = gamma
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state

    def _start(self, X: NDArray[Any]) -> LinearMap | KernelPCA:
        return _kernel_map(self, X, self.n_components)

    def _axes(
        self,
        start: LinearMap | KernelPCA,
        X: NDArray[Any],
        side: SideInformation,
        rows: NDArray[np.intp],
        tags: scipy.sparse.csr_array,
    ) -> tuple[Axes, Axes]:
        made = super()._axes
        key = ("tag axes", self.n_components, self.gamma, self.exact, self.landmarks, self.random_state)
        return shared(key, (X, side), lambda: made(start, X, side, rows, tags))


class KernelTagScores(TagLearner):
    """Tag scores as a metric: photos are near if a kernel ridge regression predicts similar tags for them.

    With the kernel principal components Y of the tagged photos and their tags T (0/1 or counts), both centred, the
    coordinates of a photo are its scores ``y W`` with ``W = (Y'Y + lambda I)^{-1} Y'T``, on their principal axes.

    Parameters
    ----------
    regularization : float
        > 0: lambda of the regression.
    n_components, gamma, euclidean_blend, output_components, exact, landmarks, random_state, unit
        See `KernelTagRatioMetric`.

    Attributes
    ----------
    landmarks_, projection_, offset_, gamma_
        The embedding is ``k(x, landmarks_) @ projection_ + offset_``.

    Notes
    -----
    Not in the paper. With `unit`, the distance is that of the cosine of scores, which ranks photos with the tags of the
    query higher than `KernelTagRatioMetric` does, among training photos and among others (ALGORITHMS.md, 5.16). Judged
    similar pairs add half their outer differences to Y'Y, so that their scores become similar; dissimilar pairs are
    ignored.

    Cost: n m d + n m^2 + m^3 for the map with m landmarks, k p (p + t) for k tagged photos with t tags each, a solution
    and an eigendecomposition of size p.

    References
    ----------
    .. [1] C. Saunders, A. Gammerman, V. Vovk, "Ridge regression learning algorithm in dual variables", ICML 1998.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3, although they are farther apart than 0 and 2:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.tags.multi_label import KernelTagScores
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> KernelTagScores(euclidean_blend=0.1).fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 0.57, 1.92, 2.  ])
    """

    name: ClassVar[str] = "tag-scores"
    title: ClassVar[str] = "Tag scores"
    family: ClassVar[str] = "Tags"
    summary: ClassVar[str] = "Photos are near if a regression predicts similar tags for them"
    source: ClassVar[str] = "after Saunders et al. 1998"
    is_quick: ClassVar[bool] = True

    def __init__(
        self,
        regularization: float = 0.1,
        n_components: int = 1000,
        gamma: float | Literal["auto"] = "auto",
        euclidean_blend: float | Auto = "auto",
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        self.regularization = regularization
        self.n_components = n_components
        self.gamma = gamma
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state
        self.unit = unit

    def _check(self) -> None:
        super()._check()
        if not self.regularization > 0:
            raise LearnerError(f"regularization must be above 0, it is {self.regularization}.")

    def _blend(self, side: SideInformation) -> float:
        return _blend_of_tags(self.euclidean_blend, side)

    def _start(self, X: NDArray[Any]) -> LinearMap | KernelPCA:
        return _kernel_map(self, X, self.n_components)

    def _factor(
        self,
        start: LinearMap | KernelPCA,
        X: NDArray[Any],
        side: SideInformation,
        rows: NDArray[np.intp],
        tags: scipy.sparse.csr_array,
    ) -> NDArray[np.float64]:
        Y, differences = _coordinates(start, X[rows]), _differences(start, X, side)
        Y -= Y.mean(axis=0)
        # The columns of Y are centred, so the mean of the tags has no effect on Y'T.
        towards = np.asarray(tags.T @ Y).T
        among = Y.T @ Y + differences.T @ differences + self.regularization * np.eye(Y.shape[1])
        scores = np.asarray(scipy.linalg.solve(among, towards, assume_a="pos"))
        # A single tag on all photos predicts the same scores for all.
        return scores if np.abs(scores).max() > _NOTHING else np.eye(len(scores))


_NOTHING = 1e-10


def _blend_of_tags(euclidean_blend: float | Auto, side: SideInformation) -> float:
    """Return the weight of the unlearned distance; automatic ones fall with the tags and similar pairs."""
    if euclidean_blend != "auto":
        return euclidean_blend
    return auto_blend(SideInformation(side.similar, tags=side.tags), 0.1, 1000.0)  # dissimilar pairs are ignored


def _coordinates(start: LinearMap | KernelPCA, X: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(start.transform(X.astype(np.float64)), dtype=np.float64)


def _differences(start: LinearMap | KernelPCA, X: NDArray[Any], side: SideInformation) -> NDArray[np.float64]:
    """Return the differences (s, p) of similar pairs over the root of 2, so each adds half its outer product."""
    if not len(side.similar):
        return np.empty((0, start.n_components))
    judged, place = np.unique(side.similar, return_inverse=True)
    near, far = place.reshape(side.similar.shape).T
    Y = _coordinates(start, X[judged])
    return np.asarray((Y[near] - Y[far]) / np.sqrt(2))


def _kernel_map(
    learner: KernelMultiLabelMetric | KernelTagRatioMetric | KernelTagScores, X: NDArray[Any], components: int
) -> KernelPCA:
    check_gamma(learner.gamma)
    if components < 1 or learner.landmarks < 1:
        raise LearnerError("n_components and landmarks must be at least 1.")
    return fit_kernel_map(learner, X, components)
