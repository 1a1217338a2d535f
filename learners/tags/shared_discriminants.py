# SPDX-License-Identifier: MIT
"""Linear discriminants of several kinds against one background, learned from few examples."""

from __future__ import annotations

from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError

_MIN_VARIANCE: Final = 1e-12
_LOW_PERCENTILE: Final = 15.865  # percentile of a normal distribution one standard deviation below its middle
_SAMPLE: Final = 5000


class SharedDiscriminants(Estimator):
    """Linear discriminants that share the mean and the covariance of a background.

    The weights of a kind are ``w = (C + r tr(C) / d I)^-1 (m - b)``, with the mean m of its examples and the mean b and
    covariance C of the background. The score of x is ``(w x - q50) / (q50 - q16)``, with percentiles of w x over the
    background: standard deviations above its middle, as its lower half shows them. Objects of the kind in the
    background raise C and b, but hardly change the direction of w, and not the lower half of the scores.

    Parameters
    ----------
    regularization : float
        r > 0.

    Attributes
    ----------
    background_ : ndarray of float64, shape (d,)
        b.
    inverse_ : ndarray of float64, shape (d, d)
        Inverse of the regularized covariance.
    sample_ : ndarray of float, shape (at most 5000, d)
        Samples of the background that give the percentiles.
    weights_ : ndarray of float64, shape (m, d)
        ``w / (q50 - q16)``.
    offsets_ : ndarray of float64, shape (m,)
        ``q50 / (q50 - q16)``.

    Notes
    -----
    No negative examples have to be chosen, and a kind is learned from its mean alone: the scores of an example that was
    left out cost little more than other scores.

    Cost: n d^2 for a background of n samples, once, and d^2 for each kind.

    References
    ----------
    .. [1] B. Hariharan, J. Malik, D. Ramanan, "Discriminative decorrelation for clustering and classification", ECCV
       2012. They use Gaussian noise of a fixed variance as regularization.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.shared_discriminants import SharedDiscriminants
    >>> background = np.random.default_rng(0).normal(size=(500, 3))
    >>> learned = SharedDiscriminants().fit(background, np.array([[3.0, 0, 0], [0, 3.0, 0]]), np.array([0, 1]))
    >>> learned.scores(np.array([[2.0, 0, 0]])).round() + 0
    array([[2., 0.]])
    """

    background_: NDArray[np.float64]
    inverse_: NDArray[np.float64]
    sample_: NDArray[Any]
    weights_: NDArray[np.float64]
    offsets_: NDArray[np.float64]

    def __init__(self, regularization: float = 1.0) -> None:
        self.regularization = regularization

    def fit(self, background: NDArray[Any], X: NDArray[Any], kinds: NDArray[np.intp]) -> Self:
        """Learn the discriminants.

        Parameters
        ----------
        background : ndarray of float, shape (n, d)
            At least two samples.
        X : ndarray of float, shape (s, d)
            Examples.
        kinds : ndarray of intp, shape (s,)
            Kind of each example, 0 to m - 1; every kind has an example.

        Raises
        ------
        LearnerError
            If the shapes do not fit, a kind has no example, or the background has no variance.
        """
        if not self.regularization > 0:
            raise LearnerError(f"regularization must be above 0, it is {self.regularization}.")
        if X.ndim != 2 or background.shape[1:] != X.shape[1:] or kinds.shape != X.shape[:1]:
            raise LearnerError(f"Shapes do not fit: background {background.shape}, X {X.shape}, kinds {kinds.shape}.")
        if not len(X) or len(np.unique(kinds)) != int(kinds.max()) + 1:
            raise LearnerError("Every kind needs an example.")
        self.background_ = np.asarray(background.mean(axis=0), np.float64)
        centered = background - self.background_.astype(background.dtype)
        covariance = np.asarray(centered.T @ centered, np.float64) / max(len(background) - 1, 1)
        variance = float(np.trace(covariance)) / X.shape[1]
        if not variance > _MIN_VARIANCE:
            raise LearnerError("The background has no variance.")
        self.inverse_ = np.linalg.inv(covariance + self.regularization * variance * np.eye(X.shape[1]))
        self.sample_ = background[:: -(-len(background) // _SAMPLE)]
        means = np.stack([X[kinds == kind].mean(axis=0) for kind in range(kinds.max() + 1)])
        self.weights_, self.offsets_ = self._weights(means)
        return self

    def scores(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the scores of samples (n, d) for all kinds: float (n, m).

        Raises
        ------
        NotFittedError
        """
        if "weights_" not in vars(self):
            raise NotFittedError("SharedDiscriminants is not fitted yet: call fit first.")
        return _scores(X, self.weights_, self.offsets_)

    def scores_like(self, X: NDArray[Any], examples: NDArray[Any]) -> NDArray[Any]:
        """Return the scores of samples (n, d) for a kind with other examples (s, d), s >= 1: float (n,).

        Raises
        ------
        NotFittedError
        """
        weights, offset = self.weights_like(examples)
        found: NDArray[Any] = _scores(X, weights[None], np.array([offset]))[:, 0]
        return found

    def weights_like(self, examples: NDArray[Any]) -> tuple[NDArray[np.float64], float]:
        """Return the weights (d,) and the offset of a kind with other examples (s, d), s >= 1.

        Raises
        ------
        NotFittedError
        """
        if "weights_" not in vars(self):
            raise NotFittedError("SharedDiscriminants is not fitted yet: call fit first.")
        weights, offsets = self._weights(examples.mean(axis=0)[None])
        return weights[0], float(offsets[0])

    def _weights(self, means: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the weights (k, d) and offsets (k,) of kinds with means (k, d)."""
        weights = (means - self.background_) @ self.inverse_
        low, middle = np.percentile(self.sample_ @ weights.T.astype(self.sample_.dtype), [_LOW_PERCENTILE, 50], axis=0)
        spread = np.maximum(middle - low, _MIN_VARIANCE)
        return weights / spread[:, None], middle / spread


def _scores(X: NDArray[Any], weights: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[Any]:
    return np.asarray(X @ weights.T.astype(X.dtype) - offsets.astype(X.dtype))
