"""Log odds that photos are foreign: unlike all tagged kinds, and like untagged photos."""

from __future__ import annotations

from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import median_squared_distance, rbf
from focal_photos.learners.core.linalg import blocks, one_thread
from focal_photos.learners.tags.unlikeness import Unlikeness

FEWEST: Final = 5
"""Minimum number of tagged photos; with fewer, nothing is known about foreign ones."""

_LEVEL: Final = 0.07  # share of the tagged photos above the point at which log odds are 0
_SLOPE: Final = 5.0  # of log odds, per standard deviation of the tagged photos
_LEAST_MIDDLE: Final = 1.0  # standard deviations
_UNSURE: Final = 3.0  # relative error of a standard deviation, times the number of photos
_NEAR: Final = 0.01  # share of the median squared distance below which photos are copies
_LEAST_SPREAD: Final = (0.05, 1e-3)  # of log distances and contrasts
_ROWS: Final = 1024

Floats = NDArray[np.float64]


class ForeignOdds(Estimator):
    """Log odds of a photo for "foreign" against "of a tagged kind".

    Two features are added, each in leave-one-out standard deviations of the tagged photos: the log of the unlikeness
    (`Unlikeness`), and the negative contrast, which is the leave-one-out prediction of kernel ridge regression of 1 for
    tagged and 0 for untagged photos. Log odds increase by `_SLOPE` per standard deviation of the sum, and are 0 where
    7 % of the tagged photos are higher. Photos of tagged kinds are untagged by chance, so the contrast is low only
    where many untagged photos have no tagged photo nearby; a strong ridge makes it smooth. See ALGORITHMS.md, 5.13.

    Parameters
    ----------
    k : int
        Number of nearest tagged photos in the unlikeness.
    regularization : float
        > 0: ridge of the contrast.

    Attributes
    ----------
    unlikeness_ : Unlikeness
    left_out_ : ndarray of float64, shape (n,)
        Leave-one-out log odds of the tagged photos.
    untagged_ : ndarray of float64, shape (u,)
        Leave-one-out log odds of the untagged photos.

    Notes
    -----
    With fewer than `FEWEST` tagged photos all log odds are 0. Without untagged photos the unlikeness is the only
    feature. Cost: (n + u)^3 once, 2 q (n + u) d for q photos, in blocks of matrix products.

    References
    ----------
    .. [1] C. Elkan, K. Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008.
    .. [2] T. Kanamori, S. Hido, M. Sugiyama, "A least-squares approach to direct importance estimation", JMLR 10
       (2009): ratios of densities by ridge regression on kernels.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.foreign import ForeignOdds
    >>> tagged, others = np.arange(8.0)[:, None], np.array([[0.5], [5.5], [50.0], [51.0], [52.0]])
    >>> found = ForeignOdds().fit(tagged, others)
    >>> (found.log_odds([[2.5], [51.5]]) > 0).tolist()
    [False, True]
    """

    unlikeness_: Unlikeness
    left_out_: Floats
    untagged_: Floats

    def __init__(self, k: int = 3, regularization: float = 10.0) -> None:
        self.k = k
        self.regularization = regularization

    def fit(self, X: ArrayLike, untagged: ArrayLike | None = None) -> Self:
        """Fit to tagged and untagged photos.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
        untagged : array_like of float, shape (u, d), optional

        Raises
        ------
        LearnerError
            If X is empty or not finite, the columns differ, or a parameter is invalid.
        """
        if not self.regularization > 0:
            raise LearnerError(f"regularization must be above 0, it is {self.regularization}.")
        tagged = as_samples(X)
        self.unlikeness_ = Unlikeness(self.k).fit(tagged)
        others = np.empty((0, tagged.shape[1]), tagged.dtype)
        if untagged is not None and len(np.asarray(untagged)):
            others = as_samples(untagged, features=tagged.shape[1])
        self._near = _NEAR * median_squared_distance(tagged)
        signs = [self._log_distance(self.unlikeness_.left_out_)]
        of_others = [self._log_distance(self.unlikeness_.of(others) if len(others) else np.empty(0))]
        self._landmarks = np.empty((0, tagged.shape[1]), np.float32)
        if len(others):
            contrast = self._fit_contrast(np.concatenate([tagged, others]).astype(np.float32), len(tagged))
            signs.append(-contrast[: len(tagged)])
            of_others.append(-contrast[len(tagged) :])
        least = _LEAST_SPREAD[: len(signs)]
        self._centers = np.array([one.mean() for one in signs])
        self._spreads = np.array([max(float(one.std()), floor) for one, floor in zip(signs, least, strict=True)])
        self._middle, self._spread = 0.0, 1.0
        summed = self._summed(signs)
        self._spread = max(float(summed.std()), _LEAST_SPREAD[0]) * (1 + _UNSURE / len(tagged))
        self._middle = max(float(np.quantile(summed, 1 - _LEVEL)), _LEAST_MIDDLE * self._spread)
        self._speaks = len(tagged) >= FEWEST
        self.left_out_, self.untagged_ = self._odds(signs), self._odds(of_others)
        return self

    def log_odds(self, X: ArrayLike) -> Floats:
        """Return the log odds of new photos, float64 (q,), from array_like (q, d).

        Raises
        ------
        NotFittedError, LearnerError
        """
        return self.signs(X)[0]

    def signs(self, X: ArrayLike) -> tuple[Floats, Floats]:
        """Return `log_odds` and the conformal p-values of `Unlikeness`, both float64 (q,), from array_like (q, d).

        Raises
        ------
        NotFittedError, LearnerError
        """
        if "left_out_" not in vars(self):
            raise NotFittedError("ForeignOdds is not fitted yet: call fit first.")
        samples = as_samples(X, features=len(self.unlikeness_.center_))
        unlikeness = self.unlikeness_.of(samples)
        signs = [self._log_distance(unlikeness)]
        if len(self._landmarks):
            contrast = np.empty(len(samples))
            with one_thread():
                for part in blocks(len(samples), _ROWS):
                    kernel = rbf(samples[part].astype(np.float32), self._landmarks, self._gamma)
                    contrast[part] = kernel @ self._weights + self._intercept
            signs.append(-contrast)
        return self._odds(signs), self.unlikeness_.p_values(unlikeness)

    # ---------------------------------------------------------------------- inside
    def _log_distance(self, unlikeness: Floats) -> Floats:
        return np.log(unlikeness + self._near)

    def _fit_contrast(self, samples: NDArray[np.float32], tagged: int) -> Floats:
        """Return the leave-one-out prediction for each photo: near 1 if tagged, near 0 if untagged."""
        with one_thread():
            self._gamma = 1 / median_squared_distance(samples)
            self._landmarks = samples
            target = (np.arange(len(samples)) < tagged).astype(np.float32)
            system = np.asarray(rbf(samples, samples, self._gamma)) + np.float32(1)
            system[np.diag_indices(len(samples))] += np.float32(self.regularization)
            inverse = np.linalg.inv(system)
            self._weights = inverse @ target
            self._intercept = float(self._weights.sum())
            # As in `TagRidge`: the leave-one-out error of a photo is its weight divided by the inverse's diagonal
            # entry.
            return np.asarray(target - self._weights / np.diag(inverse), np.float64)

    def _summed(self, signs: list[Floats]) -> Floats:
        return np.asarray(((np.stack(signs, axis=1) - self._centers) / self._spreads).sum(axis=1), np.float64)

    def _odds(self, signs: list[Floats]) -> Floats:
        summed = self._summed(signs)
        return _SLOPE * (summed - self._middle) / self._spread if self._speaks else np.zeros(len(summed))
