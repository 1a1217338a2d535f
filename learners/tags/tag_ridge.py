"""Evidence for tags from what photos look like: kernel ridge regression of all tags at once."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from learners.core.base import ProgressReport, as_samples, no_report
from learners.core.errors import LearnerError
from learners.core.feature_space import FeatureFamily
from learners.core.kernels import median_squared_distance, rbf
from learners.core.linalg import blocks, one_thread, principal_axes, sqd
from learners.families.family_kernels import families_of, mean_distance

_EXACT = 8000
_ROUGH = 1000  # photos from which float32 will do
_ROWS = 1024
_NYSTROEM = 1e-6
_Solution = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]


class TagRidge(BaseEstimator):
    """Kernel ridge regression of every tag, with the predictions that a photo left out would have got.

    All tagged photos count here, not only the nearest: evidence beside the votes of
    `learners.tags.weighted_tag_propagation.WeightedTagPropagation`.

    Parameters
    ----------
    regularization : float
        > 0: lambda of ridge regression, where the kernel is 1 between equal photos.
    gamma : float or "auto"
        Of the kernel ``exp(-gamma |x - x'|^2)`` without families; auto: 1 / median squared distance.
    families : tuple of FeatureFamily
        Families of features among the columns; with them the kernel is the mean over families of
        ``exp(-|x - x'|_f / mean distance_f)``.
    exact : int
        Largest number of tagged photos for which the regression is exact.
    landmarks : int
        Landmarks of the Nyström map that is regressed on above.
    random_state : int

    Attributes
    ----------
    landmarks_ : ndarray of float, shape (l, d)
    widths_ : ndarray of float64, shape (1,) or (families,)
        Of the kernel: gamma, or the mean distances.
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

    With families, a family that lies far from all photos takes its own kernel to 0; one kernel of all columns would
    take the others with it (ALGORITHMS.md, 5.7).

    Cost: n^2 (d + m) + n^3 and two matrices of n^2 up to `exact` photos with m tags (at most 8,000: 1 GB), above
    n l (d + l + m) + l^3 for l landmarks. From 1,000 photos on in float32.

    References
    ----------
    .. [1] C. Saunders, A. Gammerman, V. Vovk, "Ridge regression learning algorithm in dual variables", ICML 1998.
    .. [2] D. M. Allen, "The relationship between variable selection and data augmentation", Technometrics 16 (1974).

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from learners.tags.tag_ridge import TagRidge
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> tags = sp.csr_array(np.array([[1, 0], [1, 0], [0, 1], [0, 1]]))
    >>> TagRidge().fit(X, tags).scores(np.array([[0.05]])).round(1)
    array([[1., 0.]])
    """

    landmarks_: NDArray[np.floating]
    widths_: NDArray[np.float64]
    coefficients_: NDArray[np.float64]
    intercept_: NDArray[np.float64]
    left_out_: NDArray[np.float32]

    def __init__(
        self,
        regularization: float = 0.1,
        gamma: float | Literal["auto"] = "auto",
        families: tuple[FeatureFamily, ...] = (),
        exact: int = 3000,
        landmarks: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.regularization = regularization
        self.gamma = gamma
        self.families = families
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
            precise = np.dtype(np.float64 if len(samples) < _ROUGH else np.float32)
            truth = sp.csr_array(tags != 0).astype(precise).toarray()
            widths = self._widths(samples)
            solve = self._dual if len(samples) <= self.exact else self._primal
            landmarks, coefficients, intercept, left_out = solve(samples, truth, widths, report)
        self.landmarks_, self.widths_ = landmarks, widths
        self.coefficients_, self.intercept_ = coefficients.astype(np.float64), intercept.astype(np.float64)
        self.left_out_ = left_out.astype(np.float32)
        report(1.0)
        return self

    def _widths(self, X: NDArray[Any]) -> NDArray[np.float64]:
        if not self.families:
            auto = self.gamma == "auto"
            return np.array([1 / median_squared_distance(X, self.random_state) if auto else self.gamma])
        return np.array([mean_distance(X[:, g.start : g.stop], self.random_state) for g in self._families(X)])

    def _families(self, X: NDArray[Any]) -> tuple[FeatureFamily, ...]:
        return families_of(self.families, X.shape[1])

    def _kernel(self, A: NDArray[Any], B: NDArray[Any], widths: NDArray[np.float64]) -> NDArray[Any]:
        """Return the kernel between rows, (a, b), in the precision of A."""
        if not self.families:
            return rbf(A, B, float(widths[0]))
        kernel = np.zeros((len(A), len(B)), dtype=A.dtype)
        for family, width in zip(self._families(A), widths, strict=True):
            columns = slice(family.start, family.stop)
            centre = B[:, columns].mean(axis=0)
            far = sqd(A[:, columns] - centre, B[:, columns] - centre)
            np.sqrt(far, out=far)
            far *= -1 / width
            kernel += np.exp(far, out=far)
        kernel /= len(widths)
        return kernel

    def _dual(
        self, X: NDArray[Any], truth: NDArray[Any], widths: NDArray[np.float64], report: ProgressReport
    ) -> _Solution:
        """Solve for a weight a photo; the intercept is a constant added to the kernel."""
        samples = X.astype(truth.dtype)
        kernel = np.empty((len(X), len(X)), dtype=truth.dtype)
        for part in blocks(len(X), _ROWS):
            kernel[part] = self._kernel(samples[part], samples, widths)
            report(0.5 * part.stop / len(X))
        kernel += 1.0
        kernel[np.diag_indices(len(kernel))] += self.regularization
        inverse = np.linalg.inv(kernel)
        report(0.9)
        weights = inverse @ truth
        # A photo's error when it is left out is its weight by its entry on the inverse's diagonal.
        return X, weights, weights.sum(axis=0), truth - weights / np.diag(inverse)[:, None]

    def _primal(
        self, X: NDArray[Any], truth: NDArray[Any], widths: NDArray[np.float64], report: ProgressReport
    ) -> _Solution:
        """Solve for a weight a coordinate of the Nyström map, in which the landmarks' kernel is exact."""
        drawn = np.sort(np.random.default_rng(self.random_state).permutation(len(X))[: self.landmarks])
        landmarks = X[drawn].astype(np.float64)
        values, axes = principal_axes(self._kernel(landmarks, landmarks, widths), len(drawn), _NYSTROEM)
        root = axes / np.sqrt(values)
        p = root.shape[1] + 1
        scatter, products = self.regularization * np.eye(p), np.zeros((p, truth.shape[1]))

        def coordinates(part: slice) -> NDArray[np.float64]:
            Y = self._kernel(X[part].astype(np.float64), landmarks, widths) @ root
            return np.column_stack([Y, np.ones(len(Y))])

        for part in blocks(len(X), _ROWS):
            Y = coordinates(part)
            scatter += Y.T @ Y
            products += Y.T @ truth[part]
            report(0.5 * part.stop / len(X))
        inverse = np.linalg.inv(scatter)
        weights = inverse @ products
        left_out = np.empty(truth.shape)
        for part in blocks(len(X), _ROWS):
            Y = coordinates(part)
            leverage = np.einsum("ij,ij->i", Y @ inverse, Y)
            left_out[part] = truth[part] - (truth[part] - Y @ weights) / (1 - leverage)[:, None]
        return X[drawn], root @ weights[:-1], weights[-1], left_out

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
        samples = as_samples(X, features=self.landmarks_.shape[1])
        precise = np.dtype(np.float64 if len(self.landmarks_) < _ROUGH else np.float32)
        landmarks, coefficients = self.landmarks_.astype(precise), self.coefficients_.astype(precise)
        found = np.empty((len(samples), coefficients.shape[1]))
        with one_thread():
            for part in blocks(len(samples), _ROWS):
                found[part] = self._kernel(samples[part].astype(precise), landmarks, self.widths_) @ coefficients
        return np.asarray(found + self.intercept_)
