"""A local distance function: one photo's own distance, a weighted sum over its patches (Frome, Singer and Malik)."""

from __future__ import annotations

from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from learners.core.errors import LearnerError
from learners.core.linalg import one_thread
from learners.local.calibration import Logistic, fit_probability
from learners.local.margin import maximum_margin
from learners.local.triplets import select_triplets

DEVIATION: Final = 0.1
"""Standard deviation of each elementary distance over the candidates, after rescaling (section 5.1)."""

_CONSTANT: Final = 1e-6
"""Columns that vary by less than this part of the most varied one, or of their size, are rounding."""

_ROWS: Final = 128


class LocalDistance(BaseEstimator):
    """The distance of one focal image: ``D(I) = sum over its patches of w_j f_j d_j(I)``, w >= 0.

    d_j(I) is the elementary distance of patch j to the nearest patch of its kind in photo I, f_j the factor that
    rescales it to standard deviation 0.1 over the candidates, and w the solution of a maximum-margin problem over
    triplets of the focal image, a dissimilar and a similar photo. A logistic fit makes the distances of different
    focal images comparable. It is no metric: photo I has another distance to the focal image, if any.

    Parameters
    ----------
    C : float
        Price of a triplet in the wrong order (the paper's 0.1 for all kinds of patches; 0.5 to 5 for one shape kind,
        50 for colour alone).
    K : int
        Nearest photos of each column that triplets are made of.
    tolerance : float
        Relative duality gap at which learning ends.

    Attributes
    ----------
    weights_ : ndarray of float32, shape (M,)
        Of the rescaled distances; most are 0.
    factors_ : ndarray of float32, shape (M,)
        > 0; 1 for a column without variation.
    slope_, offset_ : float
        Of the probability, `Logistic`.
    gap_ : float
        Relative duality gap reached.
    n_triplets_, steps_ : int
        Triplets learned from, and steps of the solver.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006:
    eq. 1 and 2, sections 4 and 5.1. Departures: the solver, see `maximum_margin`; judged triplets are added to those
    of section 5.1.
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
            Above 0 similar to the focal image, below 0 dissimilar, 0 not known. Photos of which nothing is known
            take part in the rescaling only.
        triplets : array_like of int, shape (T, 2), optional
            Rows (dissimilar, similar) that are learned from in any case, beside those that `relevance` gives.

        Returns
        -------
        self

        Raises
        ------
        LearnerError
            Distances are negative, not finite or of another shape, or there is no triplet to learn from.
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
                    "There is nothing to learn this photo's distance from: it needs photos known to be similar to it "
                    "and photos known to be dissimilar, at different distances."
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
        """Patches with a weight above 0, bool (M,): only these need to be compared."""
        self._check_fitted()
        return self.weights_ > 0

    def distances(self, distances: ArrayLike) -> NDArray[np.float64]:
        """Return the learned distances of photos with these elementary distances: (N, M) gives (N,), each >= 0."""
        self._check_fitted()
        D = as_distances(distances, len(self.weights_))
        return np.asarray(D @ (self.weights_ * self.factors_), np.float64)

    def probabilities(self, distances: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities that photos are similar to the focal image: (N, M) gives (N,)."""
        return Logistic(self.slope_, self.offset_)(self.distances(distances))

    def _check_fitted(self) -> None:
        if "weights_" not in vars(self):
            raise NotFittedError("This LocalDistance is not fitted yet: call fit first.")


def as_distances(distances: ArrayLike, patches: int | None = None) -> NDArray[Any]:
    """Return elementary distances as a float array (N, M), or say what is wrong with them.

    float32 and float64 pass through uncopied, float16 becomes float32 and other types float64.
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
    if D.size and not (D.min() >= 0 and D.max() < np.inf):  # NaN is neither
        raise LearnerError("Elementary distances must be finite and not negative.")
    return D


def rescaling(distances: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Return the factors (M,) that bring each column to standard deviation 0.1; 1 where it does not vary."""
    if not distances.size:
        return np.ones(distances.shape[1], np.float32)
    deviations = _deviations(distances)
    varied = deviations > _CONSTANT * np.maximum(deviations.max(), distances.max(axis=0))
    factors = np.ones(distances.shape[1], np.float32)
    factors[varied] = DEVIATION / deviations[varied]
    return factors


def _deviations(distances: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Return the standard deviation of each column, some rows at a time: the processor's cache holds those."""
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
