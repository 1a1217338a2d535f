"""Evidence for tags from what photos look like: kernel ridge regression of all tags at once."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from learners.base import ProgressReport, as_samples, no_report
from learners.errors import LearnerError
from learners.kernels import KernelPCA, median_squared_distance, rbf
from learners.linalg import blocks, one_thread

_EXACT = 8000
_ROWS = 2048
_Solution = tuple[NDArray[np.floating], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


class TagRidge(BaseEstimator):
    """Kernel ridge regression of every tag, with the predictions that a photo left out would have got.

    Where neighbours vote, all tagged photos speak here, for and against: the second voice beside
    `learners.tag_prop.WeightedTagPropagation`.

    Parameters
    ----------
    regularization : float
        > 0: lambda of ridge regression, where the kernel is 1 between equal photos.
    gamma : float or "auto"
        Of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    exact, landmarks : int
        Up to `exact` tagged photos the regression is exact, above it is one on a Nyström map of so many `landmarks`.
    random_state : int

    Attributes
    ----------
    landmarks_, gamma_
        Of the kernel.
    coefficients_ : ndarray of float64, shape (l, m)
    intercept_ : ndarray of float64, shape (m,)
        Scores are ``k(x, landmarks_) @ coefficients_ + intercept_``.
    left_out_ : ndarray of float32, shape (n, m)
        Scores of the tagged photos, each under the regression without it.

    Notes
    -----
    The scores of photos left out have a closed form: ``t - (t - s) / (1 - h)`` with the leverage h of the photo. The
    Nyström map is all that a left-out photo took part in; it knows no tags. Landmarks cost rare tags their photos:
    exact regression is worth its time up to some thousand photos.

    Cost: n^2 (d + m) + n^3 and two matrices of n^2 up to `exact` photos with m tags (at most 8,000: 1 GB), above
    n l (d + l + m) + l^3 for l landmarks.

    References
    ----------
    .. [1] C. Saunders, A. Gammerman, V. Vovk, "Ridge regression learning algorithm in dual variables", ICML 1998.
    .. [2] D. M. Allen, "The relationship between variable selection and data augmentation", Technometrics 16 (1974).
    """

    landmarks_: NDArray[np.floating]
    gamma_: float
    coefficients_: NDArray[np.float64]
    intercept_: NDArray[np.float64]
    left_out_: NDArray[np.float32]

    def __init__(
        self,
        regularization: float = 0.1,
        gamma: float | Literal["auto"] = "auto",
        exact: int = 3000,
        landmarks: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.regularization = regularization
        self.gamma = gamma
        self.exact = exact
        self.landmarks = landmarks
        self.random_state = random_state

    def fit(self, X: ArrayLike, tags: sp.csr_array, *, progress: ProgressReport | None = None) -> Self:
        """Learn all tags.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
            Tagged photos.
        tags : csr_array, shape (n, m)
            Non-zero where photo i carries tag j.
        progress : callable, optional
            Called with the share done, 0..1; raise in it to cancel.

        Raises
        ------
        LearnerError
            X is empty or not finite, shapes that do not fit, or a parameter that makes no sense.
        """
        samples = as_samples(X)
        report: ProgressReport = no_report if progress is None else progress
        if not self.regularization > 0 or (self.gamma != "auto" and not self.gamma > 0):
            raise LearnerError("regularization and gamma must be above 0.")
        if tags.shape[0] != len(samples):
            raise LearnerError(f"The tags are of {tags.shape[0]} photos, the samples of {len(samples)}.")
        if self.exact > _EXACT or self.landmarks < 1:
            raise LearnerError(f"exact must be at most {_EXACT} (memory grows with its square), landmarks at least 1.")
        report(0.0)
        with one_thread():
            truth = sp.csr_array(tags != 0).astype(np.float64).toarray()
            gamma = 1 / median_squared_distance(samples, self.random_state) if self.gamma == "auto" else self.gamma
            solve = self._dual if len(samples) <= self.exact else self._primal
            landmarks, coefficients, intercept, left_out = solve(samples, truth, gamma)
        self.landmarks_, self.gamma_ = landmarks, gamma
        self.coefficients_, self.intercept_ = coefficients, intercept
        self.left_out_ = left_out.astype(np.float32)
        report(1.0)
        return self

    def _dual(self, X: NDArray[Any], truth: NDArray[np.float64], gamma: float) -> _Solution:
        """Solve for a weight a photo; the intercept is a constant added to the kernel."""
        samples = X.astype(np.float64)
        kernel = rbf(samples, samples, gamma)
        kernel += 1.0
        kernel[np.diag_indices(len(kernel))] += self.regularization
        inverse = np.linalg.inv(kernel)
        weights = inverse @ truth
        # A photo's error when it is left out is its weight by its entry on the inverse's diagonal.
        return X, weights, weights.sum(axis=0), truth - weights / np.diag(inverse)[:, None]

    def _primal(self, X: NDArray[Any], truth: NDArray[np.float64], gamma: float) -> _Solution:
        """Solve for a weight a coordinate of the Nyström map."""
        kernel_map = KernelPCA.fit(
            X, self.landmarks, gamma=gamma, exact=self.exact, landmarks=self.landmarks, seed=self.random_state
        )
        p = kernel_map.n_components + 1
        scatter, products = self.regularization * np.eye(p), np.zeros((p, truth.shape[1]))

        def coordinates(part: slice) -> NDArray[np.float64]:
            Y = np.asarray(kernel_map.transform(X[part].astype(np.float64)))
            return np.column_stack([Y, np.ones(len(Y))])

        for part in blocks(len(X), _ROWS):
            Y = coordinates(part)
            scatter += Y.T @ Y
            products += Y.T @ truth[part]
        inverse = np.linalg.inv(scatter)
        weights = inverse @ products
        left_out = np.empty_like(truth)
        for part in blocks(len(X), _ROWS):
            Y = coordinates(part)
            leverage = np.einsum("ij,ij->i", Y @ inverse, Y)
            left_out[part] = truth[part] - (truth[part] - Y @ weights) / (1 - leverage)[:, None]
        intercept = weights[-1] + kernel_map.offset @ weights[:-1]
        return kernel_map.landmarks, kernel_map.projection @ weights[:-1], intercept, left_out

    def scores(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return what speaks for each tag, (q, m): near 1 where it is sure, near 0 where it is not there.

        Parameters
        ----------
        X : array_like of float, shape (q, d)

        Raises
        ------
        NotFittedError, LearnerError
        """
        if "coefficients_" not in vars(self):
            raise NotFittedError("TagRidge is not fitted yet: call fit first.")
        samples = as_samples(X, features=self.landmarks_.shape[1]).astype(np.float64)
        start = KernelPCA(self.landmarks_, self.coefficients_, self.intercept_, np.zeros(0), self.gamma_)
        return np.asarray(start.transform(samples))
