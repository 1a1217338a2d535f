"""Unlikeness of photos: distances to the nearest tagged photos, and conformal p-values."""

from __future__ import annotations

from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.linalg import blocks, one_thread, sqd

_ROWS: Final = 1024


class Unlikeness(Estimator):
    """Distances of photos to the nearest tagged photos, compared with those of the tagged photos themselves.

    The unlikeness ``a(x)`` of a photo is its mean squared distance to the `k` nearest tagged photos; ``a_i`` is that of
    tagged photo i among the other tagged ones. If photo x and the tagged ones are exchangeable, as when tagged photos
    are drawn at random from photos of the same kinds, then ``p(x) = (1 + #{i : a_i >= a(x)}) / (n + 1)`` is at most e
    with probability at most e. ALGORITHMS.md, 5.13.

    Parameters
    ----------
    k : int
        Number of nearest tagged photos, at least 1; all of them if there are fewer.

    Attributes
    ----------
    center_ : ndarray of float64, shape (d,)
        Mean of the tagged photos.
    tagged_ : ndarray of float32, shape (n, d)
        The tagged photos minus the mean, so that rounding errors do not grow with the distance to the origin.
    left_out_ : ndarray of float64, shape (n,)
        ``a_i``; 0 if there is only one tagged photo.

    Notes
    -----
    Cost of q photos: 2 q n d, as blocks of matrix products.

    References
    ----------
    .. [1] V. Vovk, A. Gammerman, G. Shafer, "Algorithmic Learning in a Random World", Springer 2005, section 2.2.
    .. [2] R. Laxhammar, G. Falkman, "Conformal prediction for distribution-independent anomaly detection in streaming
       vessel data", StreamKDD 2010 (nearest neighbours as nonconformity).

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.unlikeness import Unlikeness
    >>> tagged = Unlikeness(k=1).fit([[0.0], [1.0], [3.0]])
    >>> tagged.left_out_.round(3).tolist()
    [1.0, 1.0, 4.0]
    >>> tagged.p_values(tagged.of([[0.5], [5.0], [9.0]])).tolist()
    [1.0, 0.5, 0.25]
    """

    center_: NDArray[np.float64]
    tagged_: NDArray[np.float32]
    left_out_: NDArray[np.float64]

    def __init__(self, k: int = 3) -> None:
        self.k = k

    def fit(self, X: ArrayLike) -> Self:
        """Compare the tagged photos with each other.

        Parameters
        ----------
        X : array_like of float, shape (n, d)

        Raises
        ------
        LearnerError
            If X is empty or not finite, or k is below 1.
        """
        if self.k < 1:
            raise LearnerError(f"k must be at least 1, it is {self.k}.")
        samples = as_samples(X)
        self.center_ = samples.mean(axis=0, dtype=np.float64)
        self.tagged_ = self._centered(samples)
        self.left_out_ = self._nearest(self.tagged_, itself=True)
        return self

    def of(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the unlikeness of photos, float64 (q,), at least 0, from array_like (q, d).

        Raises
        ------
        NotFittedError, LearnerError
        """
        self._check_fitted()
        return self._nearest(self._centered(as_samples(X, features=len(self.center_))), itself=False)

    def p_values(self, unlikeness: ArrayLike) -> NDArray[np.float64]:
        """Return the p-values of new photos from the result of `of`: float64 of the same shape.

        Raises
        ------
        NotFittedError
        """
        self._check_fitted()
        ascending = np.sort(self.left_out_)
        below = np.searchsorted(ascending, np.asarray(unlikeness, np.float64))
        return np.asarray((1 + len(ascending) - below) / (len(ascending) + 1), np.float64)

    @property
    def own_p_values(self) -> NDArray[np.float64]:
        """p-values of the tagged photos, each compared with the others: float64 (n,)."""
        self._check_fitted()
        ascending = np.sort(self.left_out_)
        # Each photo is at least as unlike as itself, which replaces the added 1.
        return np.asarray((len(ascending) - np.searchsorted(ascending, self.left_out_)) / len(ascending), np.float64)

    def _check_fitted(self) -> None:
        if "left_out_" not in vars(self):
            raise NotFittedError("Unlikeness is not fitted yet: call fit first.")

    def _centered(self, samples: NDArray[np.floating]) -> NDArray[np.float32]:
        return np.ascontiguousarray(samples - self.center_, dtype=np.float32)

    def _nearest(self, samples: NDArray[np.float32], *, itself: bool) -> NDArray[np.float64]:
        """Return mean squared distances to the nearest tagged photos; `itself`: the samples are the tagged photos."""
        count = min(self.k, len(self.tagged_) - itself)
        found = np.zeros(len(samples))
        if not count:
            return found
        with one_thread():
            for part in blocks(len(samples), _ROWS):
                squares = sqd(samples[part], self.tagged_)
                if itself:
                    rows = np.arange(len(squares))
                    squares[rows, rows + part.start] = np.inf
                found[part] = np.partition(squares, count - 1, axis=1)[:, :count].mean(axis=1, dtype=np.float64)
        return found
