# SPDX-License-Identifier: MIT
"""Fixed combinations of the kernels of feature families: the baselines of multi-modal learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.feature_space import FeatureFamily, families_of
from focal_photos.learners.core.groups import shared_groups
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport
from focal_photos.learners.core.learner.blend import check_blend
from focal_photos.learners.core.learner.needs import required_triplets
from focal_photos.learners.core.learner.storage_layout import StorageLayout
from focal_photos.learners.core.linalg import blocks, sqd
from focal_photos.learners.core.measures import average_precision
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.family_kernels import mean_distance

_PHOTOS = 500
_PAIRS = 1000


class KernelCombination(DistanceLearner):
    """Base of the combinations: ``d^2(x, x') = sum_p w_p (2 - 2 k_p(x, x'))``, ``k_p = exp(-|x - x'| / gamma_p)``."""

    printed: ClassVar[Mapping[str, Any] | None] = {"euclidean_blend": 0.0}

    families_: tuple[FeatureFamily, ...]
    scales_: NDArray[np.float64]
    means_: NDArray[np.float64]
    family_weights_: dict[str, float]

    def __init__(
        self, families: tuple[FeatureFamily, ...] = (), euclidean_blend: float = 1.0, random_state: int = 0
    ) -> None:
        self.families = families
        self.euclidean_blend = euclidean_blend
        self.random_state = random_state

    def _weights(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weights of the families, with sum 1, from the ranking score of each."""
        return np.full(len(scores), 1 / len(scores))

    def _prepared(
        self, X: NDArray[Any], side: SideInformation
    ) -> tuple[tuple[FeatureFamily, ...], NDArray[np.float64], NDArray[np.float64]]:
        """Return the families, the factor of each column (1 / gamma of its family), and the families' weights."""
        families = families_of(self.families, X.shape[1])
        scales = np.zeros(X.shape[1])
        for family in families:
            columns = slice(family.start, family.stop)
            scales[columns] = 1 / mean_distance(X[:, columns], self.random_state)
        scores = self._scores(X, scales, families, side) if self.needs else np.zeros(len(families))
        return families, scales, self._weights(scores)

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, 1)
        families, scales, weights = self._prepared(X, side_information)
        report(0.8)
        rng = np.random.default_rng(self.random_state)
        a, b = X[rng.integers(0, len(X), (2, _PAIRS))].astype(np.float64)
        means = np.array([_squared(a * scales, b * scales, families, weights).mean(), np.square(a - b).sum(1).mean()])
        return {
            "families_": families,
            "scales_": scales,
            "means_": np.where(means > 0, means, 1.0),
            "family_weights_": {family.name: float(w) for family, w in zip(families, weights, strict=True)},
        }

    def _scores(
        self,
        X: NDArray[Any],
        scales: NDArray[np.float64],
        families: tuple[FeatureFamily, ...],
        side: SideInformation,
    ) -> NDArray[np.float64]:
        """Return every family's mean average precision by tags, or without tags its share of correct triplets."""
        known = shared_groups(side, len(X), self.random_state)
        tagged = np.flatnonzero(np.diff(known.groups[:, : known.tags].indptr)) if known.tags else np.empty(0, np.intp)
        if len(tagged):
            chosen = np.random.default_rng(self.random_state).permutation(tagged)[:_PHOTOS]
            tags = known.groups[chosen][:, : known.tags]
            alike = (tags @ tags.T).toarray() > 0
            Y = X[known.rows[chosen]] * scales
            return np.array([_precision(Y[:, family.start : family.stop], alike) for family in families])
        found = required_triplets(self, side, len(X), seed=self.random_state)
        i, j, k = (X[rows] * scales for rows in found.T)
        nearer = np.square(i - j), np.square(i - k)
        return np.array(
            [np.mean(np.less(*(d[:, family.start : family.stop].sum(axis=1) for d in nearer))) for family in families]
        )

    def _pair_distance(self, A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
        weights = np.array([*self.family_weights_.values()])
        result = np.empty(len(B))
        for part in blocks(len(B)):
            x, y = (A if len(A) == 1 else A[part]).astype(np.float64), B[part].astype(np.float64)
            squared = _squared(x * self.scales_, y * self.scales_, self.families_, weights) / self.means_[0]
            if self.euclidean_blend:
                squared += self.euclidean_blend * np.square(x - y).sum(axis=1) / self.means_[1]
            result[part] = np.sqrt(squared / (1 + self.euclidean_blend))
        return result

    def _distances_from(self, query: NDArray[Any], gallery: NDArray[Any]) -> NDArray[np.float64]:
        return self._pair_distance(query, gallery)

    def storage_layout(self) -> StorageLayout:
        """Return the storage layout: the columns of the families with a weight; with a blend, all columns."""
        return _Families(self)


class KernelUniform(KernelCombination):
    """Kernel-U: the mean of the families' kernels. Only the widths of the kernels are fitted.

    Parameters
    ----------
    families : tuple of FeatureFamily
        Feature families; empty: one of all columns.
    euclidean_blend : float
        Weight of the squared Euclidean distance of all columns, relative to the combination. It is 0 in the paper,
        which weighs all families equally even if the feature space does not.
    random_state : int
        Seed of the samples for widths and scores.

    Attributes
    ----------
    family_weights_ : dict of str to float
        Weights of the kernels by family name, with sum 1.
    families_ : tuple of FeatureFamily
    scales_ : ndarray of float64, shape (d,)
        Factors of the columns, which scale each family's mean distance to 1.
    means_ : ndarray of float64, shape (2,)
        Mean squared distances of the combination and of all columns between training photos.

    Notes
    -----
    ``d^2(x, x') = sum_p w_p (2 - 2 exp(-|x_p - x_p'| / gamma_p))``, gamma_p the mean distance of the training photos in
    family p, here with ``w_p = 1 / families``. The unsquared distance in the exponent is the paper's (section 5.3.2).
    The distance is computed exactly; there is no embedding. With `printed`, which has no Euclidean share, it is the
    paper's.

    Cost of `fit`: 1,000^2 d for the widths; a ranking of N photos takes N d, and an exponential per family.

    References
    ----------
    .. [1] H. Xia, P. Wu, S. C. H. Hoi, "Online multi-modal distance learning for scalable multimedia retrieval", WSDM
       2013, sections 5.3 to 5.5 (ALGORITHMS.md, 3.7). doi:10.1145/2433396.2433453

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; only texture separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.core.feature_space import FeatureFamily, families_of
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.families.kernel_combinations import KernelUniform
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> families = FeatureFamily("colour", 0, 1, False), FeatureFamily("texture", 1, 2, False)
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> metric = KernelUniform(families, euclidean_blend=0).fit(X, tags)
    >>> metric.distances_from(X[0], X).round(2)
    array([0.  , 1.  , 1.  , 1.41])
    >>> [round(weight, 2) for weight in metric.family_weights_.values()]
    [0.5, 0.5]
    """

    name: ClassVar[str] = "kernel-uniform"
    title: ClassVar[str] = "Kernels of all families alike"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "Every family alike; nothing is learned from you"
    source: ClassVar[str] = "Xia et al. 2013"
    needs: ClassVar[str] = ""


class KernelBest(KernelCombination):
    """Kernel-Best: the kernel of the family that ranks best.

    Parameters
    ----------
    families, random_state
        See `KernelUniform`.
    euclidean_blend : float
        See `KernelUniform`; larger by default, because a single family lacks the information of the others.

    Attributes
    ----------
    family_weights_ : dict of str to float
        1 for the best family, 0 for the others.
    families_, scales_, means_
        See `KernelUniform`.

    Notes
    -----
    The best family has the highest mean average precision among up to 500 tagged photos, where photos that share a tag
    are relevant; without tags, the highest share of correct triplets. The paper uses a validation set, which makes no
    difference for a choice among a few untrained kernels; with `printed`, this departure remains.

    Cost: see `KernelUniform`, plus 500^2 d for the scores, or t d with t triplets.

    References
    ----------
    .. [1] See `KernelUniform`, section 5.4.1.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; only texture separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.core.feature_space import FeatureFamily, families_of
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.families.kernel_combinations import KernelBest
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> families = FeatureFamily("colour", 0, 1, False), FeatureFamily("texture", 1, 2, False)
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> metric = KernelBest(families, euclidean_blend=0).fit(X, tags)
    >>> metric.distances_from(X[0], X).round(2)
    array([0.  , 0.  , 1.39, 1.39])
    >>> [round(weight, 2) for weight in metric.family_weights_.values()]
    [0.0, 1.0]
    """

    name: ClassVar[str] = "kernel-best"
    title: ClassVar[str] = "Kernel of the best family"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "The one family of features that ranks best"
    source: ClassVar[str] = "Xia et al. 2013"
    takes_triplets: ClassVar[bool] = True

    def __init__(
        self, families: tuple[FeatureFamily, ...] = (), euclidean_blend: float = 4.0, random_state: int = 0
    ) -> None:
        super().__init__(families, euclidean_blend, random_state)

    def _weights(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.arange(len(scores)) == scores.argmax(), dtype=np.float64)


class KernelWeighted(KernelCombination):
    """Kernel-W: the families' kernels with weights ``exp(mAP_p)``.

    Parameters
    ----------
    families, euclidean_blend, random_state
        See `KernelUniform`.

    Attributes
    ----------
    family_weights_, families_, scales_, means_
        See `KernelUniform`.

    Notes
    -----
    For mAP_p and its cost see `KernelBest`. The weights of the best and of a useless family differ by a factor of at
    most e.

    References
    ----------
    .. [1] See `KernelUniform`, section 5.4.1.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; only texture separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.core.feature_space import FeatureFamily, families_of
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.families.kernel_combinations import KernelWeighted
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> families = FeatureFamily("colour", 0, 1, False), FeatureFamily("texture", 1, 2, False)
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> metric = KernelWeighted(families, euclidean_blend=0).fit(X, tags)
    >>> metric.distances_from(X[0], X).round(2)
    array([0.  , 0.84, 1.13, 1.41])
    >>> [round(weight, 2) for weight in metric.family_weights_.values()]
    [0.36, 0.64]
    """

    name: ClassVar[str] = "kernel-weighted"
    title: ClassVar[str] = "Kernels weighted by family"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "Every family, those that rank better a little more"
    source: ClassVar[str] = "Xia et al. 2013"
    takes_triplets: ClassVar[bool] = True

    def _weights(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = np.exp(scores)
        return np.asarray(weights / weights.sum())


class KernelConcatenated(KernelCombination):
    """Kernel-Con: one kernel of all families concatenated, each scaled to total variance 1.

    Parameters
    ----------
    families, euclidean_blend, random_state
        See `KernelUniform`.

    Attributes
    ----------
    family_weights_ : dict of str to float
        Equal for all families, as each has the same variance.
    families_ : tuple of FeatureFamily
        One family of all columns.
    scales_, means_
        See `KernelUniform`.

    Notes
    -----
    Cost: n d for the variances, otherwise see `KernelUniform`.

    References
    ----------
    .. [1] See `KernelUniform`, section 5.5.1.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; only texture separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.core.feature_space import FeatureFamily, families_of
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.families.kernel_combinations import KernelConcatenated
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> families = FeatureFamily("colour", 0, 1, False), FeatureFamily("texture", 1, 2, False)
    >>> tags = SideInformation.from_tags([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> metric = KernelConcatenated(families, euclidean_blend=0).fit(X, tags)
    >>> metric.distances_from(X[0], X).round(2)
    array([0.  , 1.12, 1.12, 1.23])
    >>> [round(weight, 2) for weight in metric.family_weights_.values()]
    [1.0]
    """

    name: ClassVar[str] = "kernel-concatenated"
    title: ClassVar[str] = "Kernel of all families side by side"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "One kernel of all families side by side; nothing is learned from you"
    source: ClassVar[str] = "Xia et al. 2013"
    needs: ClassVar[str] = ""

    def __init__(
        self, families: tuple[FeatureFamily, ...] = (), euclidean_blend: float = 4.0, random_state: int = 0
    ) -> None:
        super().__init__(families, euclidean_blend, random_state)

    def _prepared(
        self,
        X: NDArray[Any],
        side: SideInformation,  # noqa: ARG002  all families count the same
    ) -> tuple[tuple[FeatureFamily, ...], NDArray[np.float64], NDArray[np.float64]]:
        scales = np.zeros(X.shape[1])
        for family in families_of(self.families, X.shape[1]):
            columns = slice(family.start, family.stop)
            variance = float(X[:, columns].var(axis=0, dtype=np.float64).sum())
            scales[columns] = 1 / np.sqrt(variance) if variance > 0 else 1.0
        scales /= mean_distance(X * scales, self.random_state)
        return (FeatureFamily("features", 0, X.shape[1], False),), scales, np.ones(1)


class _Families(StorageLayout):
    """The columns of the families with a weight; with a blend, all columns."""

    def __init__(self, learner: KernelCombination) -> None:
        weights = np.array([*learner.family_weights_.values()])
        families, columns, start = [], [], 0
        for family, weight in zip(learner.families_, weights, strict=True):
            if weight > 0 or learner.euclidean_blend:
                families.append(FeatureFamily(family.name, start, start + family.stop - family.start, family.is_count))
                columns.append(np.arange(family.start, family.stop))
                start = families[-1].stop
        self._columns = np.concatenate(columns)
        # The same learner restricted to these columns.
        self.learner = type(learner)(**learner.get_params())
        self.learner.families_ = tuple(families)
        self.learner.scales_ = learner.scales_[self._columns]
        self.learner.means_ = learner.means_
        self.learner.family_weights_ = {family.name: learner.family_weights_[family.name] for family in families}
        self.learner.n_features_in_ = start

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        return X[:, self._columns]

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.learner.distances_from(query, rows)

    def rough(self, queries: NDArray[np.float32], rows: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
        own = self.learner
        center = rows.mean(axis=0, dtype=np.float64)
        q, x = queries - center, rows - center
        scores, slack = np.zeros((len(q), len(x))), 0.0
        for family in own.families_:
            columns = slice(family.start, family.stop)
            squared, error = _rough_squares(q[:, columns] * own.scales_[columns], x[:, columns] * own.scales_[columns])
            weight = 2 * own.family_weights_[family.name] / own.means_[0]
            scores -= weight * np.expm1(-np.sqrt(squared))
            # A square root magnifies the error of a square near 0, at most to the root of that error.
            slack += weight * np.sqrt(error)
        if own.euclidean_blend:
            squared, error = _rough_squares(q, x)
            scores += own.euclidean_blend * squared / own.means_[1]
            slack += own.euclidean_blend * error / own.means_[1]
        return scores, float(slack)


def _squared(
    a: NDArray[np.float64], b: NDArray[np.float64], families: tuple[FeatureFamily, ...], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the squared distances of rows in the combined kernel, from one row of a to all of b or row by row."""
    total = np.zeros(len(b))
    for family, weight in zip(families, weights, strict=True):
        if weight > 0:
            difference = a[:, family.start : family.stop] - b[:, family.start : family.stop]
            # expm1 computes 2 - 2 exp(-d) without cancellation for nearly equal photos.
            total -= 2 * weight * np.expm1(-np.sqrt(np.einsum("ij,ij->i", difference, difference)))
    return total


def _precision(Y: NDArray[np.float64], alike: NDArray[np.bool_]) -> float:
    """Return the mean average precision of the Euclidean ranking, each photo against all others."""
    relevant = []
    for i, y in enumerate(Y):
        order = np.argsort(np.square(Y - y).sum(axis=1), kind="stable")
        relevant.append(alike[i, order[order != i]])
    return average_precision(np.array(relevant)) if len(Y) > 1 else 0.0


def _rough_squares(q: NDArray[np.float64], x: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return squared distances (q, N) by a matrix product, and a bound of their rounding errors."""
    largest = max(float(np.einsum("ij,ij->i", rows, rows).max()) for rows in (q, x))
    error = 4 * (q.shape[1] + 4) * float(np.finfo(np.float64).eps) * largest
    return np.asarray(sqd(q, x), dtype=np.float64), error
