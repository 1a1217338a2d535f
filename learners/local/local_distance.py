# SPDX-License-Identifier: MIT
"""The local distance of one focal image: a weighted sum over its patches (Frome, Singer and Malik 2006).

Contains the learner, its triplets, and the scaling of elementary distances.
"""

from __future__ import annotations

from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.calibration import Logistic, fit_probability
from focal_photos.learners.local.margin import maximum_margin

DEVIATION: Final = 0.1
"""Standard deviation of each elementary distance over the candidates, after rescaling (section 5.1)."""

MOST_JUDGED: Final = 2000
"""Maximum number of triplets from the judgements on one focal image; of more, evenly spaced ones are used."""

_CONSTANT: Final = 1e-6
"""Columns whose deviation is below this share of the largest one, or of their values, are considered constant."""

_ROWS: Final = 128
_COLUMNS: Final = 64
"""Rows and columns of elementary distances processed at once, to stay in the processor's cache."""


class LocalDistance(Estimator):
    """The distance of one focal image: ``D(I) = sum over its patches of w_j f_j d_j(I)``, w >= 0.

    d_j(I) is the elementary distance of patch j to the nearest patch of its kind in photo I, f_j the factor that scales
    it to standard deviation 0.1 over the candidates, and w the solution of a maximum-margin problem over triplets of
    the focal image, a dissimilar and a similar photo. A logistic fit makes the distances of different focal images
    comparable. It is not a metric: the distance from photo I to the focal image differs, if it exists.

    Parameters
    ----------
    C : float
        Price of a triplet in the wrong order (0.1 in the paper for all kinds of patches; 0.5 to 5 for one shape kind,
        50 for colour alone).
    K : int
        Number of nearest photos per column from which triplets are formed.
    tolerance : float
        Relative duality gap at which learning ends.

    Attributes
    ----------
    weights_ : ndarray of float32, shape (M,)
        Weights of the scaled distances; most are 0.
    factors_ : ndarray of float32, shape (M,)
        > 0; 1 for a constant column.
    slope_, offset_ : float
        Parameters of the probability, see `Logistic`.
    gap_ : float
        Relative duality gap reached.
    n_triplets_, steps_ : int
        Numbers of training triplets and of solver steps.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006:
    eq. 1 and 2, sections 4 and 5.1. The defaults are the paper's values. Departures: the solver, see `maximum_margin`;
    judged triplets are added to those of section 5.1. The program also compares positions of patches, and of more than
    600 photos a choice. Derivations: ALGORITHMS.md, 4.1 to 4.4; ablations: 4.3.

    Examples
    --------
    Elementary distances of four photos from two patches. The first patch ranks the two similar photos first; the second
    is uninformative.

    >>> import numpy as np
    >>> from focal_photos.learners.local.local_distance import LocalDistance
    >>> D = np.array([[0.1, 0.5], [0.2, 0.9], [0.8, 0.6], [0.9, 0.4]])
    >>> local = LocalDistance().fit(D, [1, 1, -1, -1])
    >>> bool(local.weights_[0] > local.weights_[1])
    True
    >>> np.argsort(local.distances(D)).tolist()
    [0, 1, 2, 3]
    """

    weights_: NDArray[np.float32]
    factors_: NDArray[np.float32]
    slope_: float
    offset_: float
    gap_: float
    n_triplets_: int
    steps_: int

    def __init__(self, C: float = 0.1, K: int = 5, tolerance: float = 1e-3) -> None:
        self.C = C
        self.K = K
        self.tolerance = tolerance

    def fit(self, distances: ArrayLike, relevance: ArrayLike, *, triplets: ArrayLike | None = None) -> Self:
        """Learn the weights and the probability.

        Parameters
        ----------
        distances : array_like of float, shape (N, M)
            Elementary distances of the candidates, without the focal image itself.
        relevance : array_like of int, shape (N,)
            Above 0 similar to the focal image, below 0 dissimilar, 0 unknown. Unknown photos only take part in the
            scaling.
        triplets : array_like of int, shape (T, 2), optional
            Additional training triplets as rows (dissimilar, similar).

        Returns
        -------
        self

        Raises
        ------
        LearnerError
            If distances are negative, not finite or of another shape, or there is no triplet.
        """
        for attribute in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, attribute)
        D = as_distances(distances)
        with one_thread():
            pairs = select_triplets(D, relevance, self.K)
            if triplets is not None:
                pairs = np.unique(np.concatenate([pairs, _as_triplets(triplets, len(D))]), axis=0)
            if not len(pairs):
                raise LearnerError(
                    "There is no training data for this photo's distance: it needs similar and dissimilar "
                    "photos at different distances."
                )
            factors = rescaling(D)
            named = np.zeros(len(D), bool)
            named[pairs] = True
            scaled = D[named]
            scaled *= factors
            solution = maximum_margin(scaled, (np.cumsum(named) - 1)[pairs], C=self.C, tolerance=self.tolerance)
            weights = solution.weights.astype(np.float32)
            known = np.flatnonzero(relevance)
            learned = D @ (weights * factors)
            similar = np.asarray(relevance)[known] > 0
            logistic = fit_probability(learned[known], similar) if len(known) else Logistic(0.0, 0.0)
        self.weights_, self.factors_ = weights, factors
        self.slope_, self.offset_ = logistic
        self.gap_, self.n_triplets_, self.steps_ = solution.gap, len(pairs), solution.steps
        return self

    @property
    def used(self) -> NDArray[np.bool_]:
        """Patches with a weight above 0, bool (M,); only these need to be compared."""
        self._check_fitted()
        return self.weights_ > 0

    def distances(self, distances: ArrayLike) -> NDArray[np.float64]:
        """Return the learned distances of photos, float64 (N,), each >= 0, from elementary ones, float (N, M)."""
        self._check_fitted()
        D = as_distances(distances, len(self.weights_))
        return np.asarray(D @ (self.weights_ * self.factors_), np.float64)

    def probabilities(self, distances: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities, float64 (N,), of similarity to the focal image, from distances, float (N, M)."""
        return Logistic(self.slope_, self.offset_)(self.distances(distances))

    def _check_fitted(self) -> None:
        if "weights_" not in vars(self):
            raise NotFittedError("This LocalDistance is not fitted yet: call fit first.")


def relevance_to(focal: int, side_information: SideInformation, n: int) -> NDArray[np.int8]:
    """Return the known relevance of n photos to the focal image.

    Parameters
    ----------
    focal : int
        Row of the focal image.
    side_information : SideInformation
        A photo is similar if it shares a tag, dissimilar if both are tagged and share none. A judged pair whose first
        photo is the focal image overrides tags; photos judged both ways are unknown.
    n : int
        Number of photos.

    Returns
    -------
    ndarray of int8, shape (n,)
        1 similar, -1 dissimilar, 0 unknown; 0 for the focal image.
    """
    relevance = np.zeros(n, np.int8)
    tags = side_information.tags
    if tags is not None and tags.indptr[focal] < tags.indptr[focal + 1]:
        relevance[side_information.tagged] = -1
        relevance[(tags @ tags[[focal]].T).nonzero()[0]] = 1
    similar, dissimilar = judged_about(focal, side_information)
    relevance[similar] = 1
    relevance[dissimilar] = -1
    relevance[np.intersect1d(similar, dissimilar)] = 0
    relevance[focal] = 0
    return relevance


def judged_about(focal: int, side_information: SideInformation) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the photos judged similar and dissimilar to the focal image, ascending rows: intp (s,) and (t,)."""
    similar, dissimilar = (
        np.unique(pairs[pairs[:, 0] == focal, 1]).astype(np.intp)
        for pairs in (side_information.similar, side_information.dissimilar)
    )
    return similar, dissimilar


def judged_triplets(similar: NDArray[np.integer[Any]], dissimilar: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Return all pairs (dissimilar, similar) of judged photos.

    Parameters
    ----------
    similar, dissimilar : ndarray of int, shape (s,) and (t,)
        Photos in both are skipped.

    Returns
    -------
    ndarray of intp, shape (T, 2)
        At most `MOST_JUDGED`.
    """
    both = np.intersect1d(similar, dissimilar)
    near, far = np.setdiff1d(similar, both), np.setdiff1d(dissimilar, both)
    pairs = np.stack(np.meshgrid(far, near, indexing="ij"), axis=-1).reshape(-1, 2).astype(np.intp)
    if len(pairs) > MOST_JUDGED:
        pairs = pairs[np.linspace(0, len(pairs) - 1, MOST_JUDGED).astype(np.intp)]
    return pairs


def select_triplets(distances: NDArray[np.floating[Any]], relevance: ArrayLike, K: int = 5) -> NDArray[np.intp]:
    """Return the triplets of the K nearest photos under each elementary distance.

    If similar and dissimilar photos are among the K nearest of a column, all their combinations; if all are similar,
    the nearest dissimilar photo with each; if all are dissimilar, each with the nearest similar one. Equal distances
    are ordered by row number. Constant columns are skipped.

    Parameters
    ----------
    distances : ndarray of float32 or float64, shape (N, M)
        Elementary distances of the candidates; scaling a column has no effect.
    relevance : array_like of int, shape (N,)
        Above 0 similar, below 0 dissimilar, 0 unknown and skipped.
    K : int
        At least 1.

    Returns
    -------
    ndarray of intp, shape (T, 2)
        Rows (dissimilar, similar), ascending, distinct; empty if one of the two kinds is missing.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006,
    section 5.1.
    """
    known, kind = _known(distances, relevance, K)
    if (kind > 0).all() or (kind < 0).all():
        return np.empty((0, 2), np.intp)
    D = distances if len(known) == len(distances) else distances[known]
    near, varied = _nearest(D, min(K, len(known)))
    if not varied.all():
        near, D = near[varied], D[:, varied]
    similar = kind[near] > 0
    # A triplet encoded as one number: dissimilar n + similar.
    n, count = len(known), similar.sum(axis=1)
    found = [(near[:, :, None] * n + near[:, None, :])[~similar[:, :, None] & similar[:, None, :]]]
    for lonely, sign in ((count == near.shape[1], -1), (count == 0, 1)):
        others = np.flatnonzero(kind == sign)
        other = others[D[np.ix_(others, np.flatnonzero(lonely))].argmin(axis=0)][:, None]
        found.append((other * n + near[lonely] if sign < 0 else near[lonely] * n + other).ravel())
    triplets: NDArray[np.intp] = known[np.column_stack(np.divmod(np.unique(np.concatenate(found)), n))]
    return triplets


def _nearest(D: NDArray[np.floating[Any]], K: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the rows of the K smallest entries of each column, (M, K), ties by row, and which columns vary, (M,)."""
    near = np.empty((D.shape[1], K), np.intp)
    varied = np.empty(D.shape[1], bool)
    for start in range(0, D.shape[1], _COLUMNS):
        part = slice(start, start + _COLUMNS)
        columns = np.ascontiguousarray(D[:, part].T)
        varied[part] = columns.min(axis=1) < columns.max(axis=1)
        near[part] = _smallest(columns, K)
    return near, varied


def _smallest(columns: NDArray[np.floating[Any]], K: int) -> NDArray[np.intp]:
    """Return the positions of the K smallest entries of each row, unordered, ties by position: (M, K)."""
    # A vectorized partition of the values and a comparison take half the time of a partition of positions.
    bound = np.partition(columns, K - 1, axis=1)[:, K - 1]
    row, place = np.divmod(np.flatnonzero(columns <= bound[:, None]), columns.shape[1])
    if len(place) == K * len(columns):
        return place.reshape(-1, K)
    order = np.lexsort((place, columns[row, place], row))
    row, place = row[order], place[order]
    start = np.searchsorted(row, np.arange(len(columns)))
    result: NDArray[np.intp] = place[start[:, None] + np.arange(K)]
    return result


def _known(
    distances: NDArray[np.floating[Any]], relevance: ArrayLike, K: int
) -> tuple[NDArray[np.intp], NDArray[np.integer[Any]]]:
    kind = np.asarray(relevance)
    if K < 1:
        raise LearnerError(f"K must be at least 1, not {K}.")
    if kind.shape != (len(distances),):
        raise LearnerError(f"relevance has shape {kind.shape}, it needs one value for each of {len(distances)} photos.")
    known = np.flatnonzero(kind)
    return known, kind[known]


def as_distances(distances: ArrayLike, patches: int | None = None) -> NDArray[Any]:
    """Return elementary distances as a validated float array (N, M).

    float32 and float64 are not copied; float16 becomes float32, other types float64.
    """
    D = np.asarray(distances)
    if D.dtype == np.float16:
        D = D.astype(np.float32)
    elif D.dtype not in (np.float32, np.float64):
        D = D.astype(np.float64)
    if D.ndim != 2:
        raise LearnerError(f"Elementary distances have two dimensions (photos, patches), these have {D.ndim}.")
    if patches is not None and D.shape[1] != patches:
        raise LearnerError(
            f"There are {D.shape[1]} elementary distances a photo, the focal image has {patches} patches."
        )
    if D.size and not (D.min() >= 0 and D.max() < np.inf):  # false for NaN
        raise LearnerError("Elementary distances must be finite and not negative.")
    return D


def rescaling(distances: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Return the factors that scale each column to standard deviation 0.1.

    Parameters
    ----------
    distances : ndarray of float, shape (N, M)

    Returns
    -------
    ndarray of float32, shape (M,)
        1 for a constant column.
    """
    if not distances.size:
        return np.ones(distances.shape[1], np.float32)
    deviations = _deviations(distances)
    varied = deviations > _CONSTANT * np.maximum(deviations.max(), distances.max(axis=0))
    factors = np.ones(distances.shape[1], np.float32)
    factors[varied] = DEVIATION / deviations[varied]
    return factors


def _deviations(distances: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Return the standard deviation of each column, in groups of rows that fit the processor's cache."""
    mean = distances.mean(axis=0)
    squares = np.zeros(distances.shape[1], distances.dtype)
    for start in range(0, len(distances), _ROWS):
        part = distances[start : start + _ROWS] - mean
        squares += np.einsum("ij,ij->j", part, part)
    deviations: NDArray[np.floating[Any]] = np.sqrt(squares / len(distances))
    return deviations


def _as_triplets(triplets: ArrayLike, n: int) -> NDArray[np.intp]:
    pairs = np.asarray(triplets)
    if not pairs.size:
        return np.empty((0, 2), np.intp)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise LearnerError(f"Triplets are rows (dissimilar, similar) of integers, not of shape {pairs.shape}.")
    if pairs.min() < 0 or pairs.max() >= n:
        raise LearnerError(f"A triplet names a photo outside 0..{n - 1}.")
    return pairs.astype(np.intp)
