# SPDX-License-Identifier: MIT
"""Unlikeness of photos: distances to the nearest tagged and untagged photos, and conformal p-values."""

from __future__ import annotations

from typing import Final, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import median_squared_distance
from focal_photos.learners.core.linalg import blocks, one_thread, sqd

_ROWS: Final = 1024
_ADDED_SHARE: Final = 0.01  # share of the median squared distance that is added, so that copies are not infinitely near


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
    >>> from focal_photos.learners.tags.confidence.unlikeness import Unlikeness
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


class Nearness(Estimator):
    """Log distances of photos to the nearest untagged photos, minus those to the nearest tagged ones.

    Distances are mean squared distances to the `k` nearest. Around a photo of a tagged kind, the tagged photos are a
    part of the kind, as untagged ones are. A photo of a new kind that resembles a tagged kind may be as near to its
    tagged photos as these are to each other, but it is nearer to the untagged photos of its own kind. ALGORITHMS.md,
    5.13.

    Parameters
    ----------
    k : int
        Number of nearest photos, at least 1; all of them if there are fewer.

    Attributes
    ----------
    tagged_, untagged_ : ndarray of float32, shape (n, d) and (u, d)
        The photos minus `center_`.
    center_ : ndarray of float64, shape (d,)
        Mean of the tagged photos.
    left_out_ : ndarray of float64, shape (n,)
        Of each tagged photo among the others.
    kind_left_out_ : ndarray of float64, shape (n,)
        The same if all photos with a tag of the photo are untagged, as for a kind that has no tag yet; NaN if no photo
        has another tag.
    of_untagged_ : ndarray of float64, shape (u,)
        Of each untagged photo among the others.

    Notes
    -----
    Without tagged or untagged photos, other than the photo itself, the result is 0. Cost of q photos: 2 q (n + u) d, as
    blocks of matrix products.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from focal_photos.learners.tags.confidence.unlikeness import Nearness
    >>> tags = sp.csr_array(np.array([[1, 0], [1, 0], [0, 1], [0, 1]]))
    >>> learned = Nearness(k=1).fit([[0.0], [1.0], [8.0], [9.0]], tags, [[2.0], [11.0], [11.1]])
    >>> (learned.of([[0.5], [10.8]]) > 0).tolist()
    [True, False]
    """

    center_: NDArray[np.float64]
    tagged_: NDArray[np.float32]
    untagged_: NDArray[np.float32]
    left_out_: NDArray[np.float64]
    kind_left_out_: NDArray[np.float64]
    of_untagged_: NDArray[np.float64]

    def __init__(self, k: int = 10) -> None:
        self.k = k

    def fit(self, X: ArrayLike, tags: scipy.sparse.csr_array, untagged: ArrayLike) -> Self:
        """Compare tagged photos (n, d), with tags (n, m), and untagged photos (u, d) with each other.

        Raises
        ------
        LearnerError
            X is empty or not finite, shapes do not fit, or k is below 1.
        """
        if self.k < 1:
            raise LearnerError(f"k must be at least 1, it is {self.k}.")
        samples = as_samples(X)
        if tags.shape[0] != len(samples):
            raise LearnerError(f"The tags are of {tags.shape[0]} photos, the samples of {len(samples)}.")
        others = np.empty((0, samples.shape[1]), samples.dtype)
        if len(np.asarray(untagged)):
            others = as_samples(untagged, features=samples.shape[1])
        self._near = _ADDED_SHARE * median_squared_distance(samples)
        self.center_ = samples.mean(axis=0, dtype=np.float64)
        self.tagged_, self.untagged_ = self._centered(samples), self._centered(others)
        with one_thread():
            among, across = _without_itself(self.tagged_), sqd(self.tagged_, self.untagged_)
            same = np.asarray((tags @ tags.T).toarray()) > 0
            self.left_out_ = self._compared(among, across)
            other, own = np.where(same, np.inf, among), np.where(same, among, np.inf)
            self.kind_left_out_ = self._compared(other, np.concatenate([across, own], axis=1))
            self.kind_left_out_[same.all(axis=1)] = np.nan
            self.of_untagged_ = self._compared(across.T, _without_itself(self.untagged_))
        return self

    def of(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the values of photos that were not learned from: array_like (q, d) gives float64 (q,).

        Raises
        ------
        NotFittedError, LearnerError
        """
        if "left_out_" not in vars(self):
            raise NotFittedError("Nearness is not fitted yet: call fit first.")
        samples = self._centered(as_samples(X, features=len(self.center_)))
        found = np.empty(len(samples))
        with one_thread():
            for part in blocks(len(samples), _ROWS):
                found[part] = self._compared(sqd(samples[part], self.tagged_), sqd(samples[part], self.untagged_))
        return found

    def _centered(self, samples: NDArray[np.floating]) -> NDArray[np.float32]:
        return np.ascontiguousarray(samples - self.center_, dtype=np.float32)

    def _compared(self, tagged: NDArray[np.floating], untagged: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the values from squared distances (q, n) and (q, u); infinite ones are left out."""
        near, far = self._log_distance(untagged), self._log_distance(tagged)
        return np.where(np.isfinite(near) & np.isfinite(far), near - far, 0.0)

    def _log_distance(self, squares: NDArray[np.floating]) -> NDArray[np.float64]:
        count = min(self.k, squares.shape[1])
        if not count:
            return np.full(len(squares), np.inf)
        nearest = np.partition(squares, count - 1, axis=1)[:, :count].astype(np.float64)
        here = np.isfinite(nearest)
        sums = np.where(here, nearest, 0.0).sum(axis=1)
        mean = np.where(here.any(axis=1), sums / np.maximum(here.sum(axis=1), 1), np.inf)
        return np.asarray(np.log(mean + self._near))


def _without_itself(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return squared distances (n, n), infinite between a photo and itself."""
    squares = sqd(samples, samples)
    np.fill_diagonal(squares, np.inf)
    return squares
