# SPDX-License-Identifier: MIT
"""Log odds that photos are foreign: unlike all kinds that were tagged, and like photos that nobody tagged."""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import median_squared_distance, rbf
from focal_photos.learners.core.linalg import blocks, one_thread
from focal_photos.learners.tags.confidence.unlikeness import Unlikeness
from focal_photos.learners.tags.likelihood import OF_FOLDER, PRIOR, likeliest_shares, likeliest_shares_by_group

MIN_PHOTOS: Final = 5
"""Minimum number of tagged photos; with fewer, nothing is known about foreign ones."""

FOREIGN: Final = 0.05
"""Prior share of foreign photos among the untagged ones."""

_LEVEL: Final = 0.07  # share of the tagged photos with positive log odds by the first contrast
_SLOPE: Final = 5.0  # its log odds per standard deviation of the tagged photos
_LEAST_MIDDLE: Final = 1.0  # standard deviations
_TARGETS: Final = (
    0.05,
    20.0,
)  # for new targets, the share instead, and the number of tagged photos with half the slope
_STEPS: Final = 3  # regressions with new targets
_GAIN: Final = 3.0  # maximum increase of log odds by them
_SHARPER_RIDGE: Final = 0.03  # their ridge, as a share of the first
_CONTRAST: Final = 1.5  # weight of their contrast; that of the distance is 1
_FOLDS: Final = 5
_PRIOR_MEAN: Final = 3.0  # prior mean of foreign photos, in standard deviations of the tagged ones
_LEAST_APART: Final = 2.5  # minimum of that mean
_APART_WEIGHT: Final = 20.0  # photos that the prior mean counts for
_SPREAD_WEIGHT: Final = 5.0  # photos that the prior variance of 1 counts for, beside the tagged ones
_OUTLIERS: Final = (2.0, 38.0)  # beta prior of the share of known photos that look foreign
_ROUNDS: Final = 200
_MAX_LOG_ODDS: Final = 50.0  # maximum log odds
_DEVIATION_ERROR: Final = 3.0  # relative error of a standard deviation, times the number of photos
_COPY_DISTANCE_SHARE: Final = 0.01  # share of the median squared distance below which photos are copies
_LEAST_SPREAD: Final = (0.05, 1e-3)  # of log distances and contrasts
_ROWS: Final = 1024

Floats = NDArray[np.float64]


class ForeignOdds(Estimator):
    """Log odds of a photo for "foreign" against "of a tagged kind".

    Two features are added, each in standard deviations of the tagged photos: the log of the unlikeness (`Unlikeness`),
    and the negative contrast, which is the leave-one-out prediction of kernel ridge regression of 1 for tagged and 0
    for untagged photos. Untagged photos of tagged kinds are not foreign, so their targets are replaced by the
    probability that they are known, and the regression is repeated (three times, with a weaker ridge). The last
    contrast of tagged photos is made comparable by cross-fitting: in each of five folds, the fold's tagged photos are
    treated as untagged.

    The sum of the features is normally distributed with mean 0 for known photos and with a higher mean for foreign
    ones, with the same variance; a share of the known photos has the distribution of foreign ones. Mean, variance and
    shares are estimated by expectation maximisation, and give the log odds. These exceed by at most 3 those by the
    first contrast, which increase by 5 per standard deviation and are positive for 7 % of the tagged photos: new
    targets do not make photos foreign that were like tagged ones before. See ALGORITHMS.md, 5.13.

    Parameters
    ----------
    k : int
        Number of nearest tagged photos in the unlikeness.
    regularization : float
        > 0: ridge of the first contrast; that of the others is 3 % of it.

    Attributes
    ----------
    unlikeness_ : Unlikeness
    left_out_ : ndarray of float64, shape (n,)
        Log odds of the tagged photos, from the folds in which they are treated as untagged.
    untagged_ : ndarray of float64, shape (u,)
        Leave-one-out log odds of the untagged photos.
    share_ : float
        Share of foreign photos among the untagged ones that makes their log odds likeliest; .05 counts for 50 photos.

    Notes
    -----
    With fewer than `MIN_PHOTOS` tagged photos all log odds are 0. Without untagged photos the unlikeness is the only
    feature, and log odds are linear in it: 7 % of the tagged photos are above 0. Cost: two inverses of order n + u
    once, 2 q (n + u) d for q photos, in blocks of matrix products.

    References
    ----------
    .. [1] C. Elkan, K. Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008.
    .. [2] T. Kanamori, S. Hido, M. Sugiyama, "A least-squares approach to direct importance estimation", JMLR 10
       (2009): ratios of densities by ridge regression on kernels.
    .. [3] G. Blanchard, G. Lee, C. Scott, "Semi-supervised novelty detection", JMLR 11 (2010): known photos and a
       mixture of known and foreign ones.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.confidence.foreign import ForeignOdds
    >>> tagged, others = np.arange(8.0)[:, None], np.array([[0.5], [5.5], [50.0], [51.0], [52.0]])
    >>> found = ForeignOdds().fit(tagged, others)
    >>> (found.log_odds([[2.5], [51.5]]) > 0).tolist()
    [False, True]
    """

    unlikeness_: Unlikeness
    left_out_: Floats
    untagged_: Floats
    share_: float

    def __init__(self, k: int = 3, regularization: float = 10.0) -> None:
        self.k = k
        self.regularization = regularization

    def fit(self, X: ArrayLike, untagged: ArrayLike | None = None) -> Self:
        """Learn from tagged photos and from photos that nobody tagged.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
        untagged : array_like of float, shape (u, d), optional

        Raises
        ------
        LearnerError
            X is empty or not finite, the columns differ, or a parameter makes no sense.
        """
        if not self.regularization > 0:
            raise LearnerError(f"regularization must be above 0, it is {self.regularization}.")
        tagged = as_samples(X)
        n = len(tagged)
        self.unlikeness_ = Unlikeness(self.k).fit(tagged)
        self._near = _COPY_DISTANCE_SHARE * median_squared_distance(tagged)
        self._speaks = n >= MIN_PHOTOS
        others = np.empty((0, tagged.shape[1]), tagged.dtype)
        if untagged is not None and len(np.asarray(untagged)):
            others = as_samples(untagged, features=tagged.shape[1])
        of_others = self.unlikeness_.of(others) if len(others) else np.empty(0)
        signs = self._log_distance(np.concatenate([self.unlikeness_.left_out_, of_others]))[None]
        self._landmarks = np.empty((0, tagged.shape[1]), np.float32)
        self._scales = [_Scale.of(signs, 0.0)]
        if len(others):
            signs = self._fit_contrasts(np.concatenate([tagged, others]).astype(np.float32), signs[0], n)
            self._scales = [_Scale.of(signs[[0, 1], :n], 1.0), _Scale.of(signs[[0, 2], :n], _CONTRAST)]
            summed = self._scales[1].summed(signs[[0, 2]])
            self._scales[1] = self._scales[1]._replace(odds=_mixture(summed[:n], summed[n:]))
        odds = self._odds(signs)
        self.left_out_, self.untagged_ = odds[:n], odds[n:]
        self.share_ = likeliest_share(self.untagged_)
        return self

    def are_foreign(self, log_odds: ArrayLike, shares: ArrayLike | None = None) -> NDArray[np.bool_]:
        """Return whether photos with log odds (q,) are likelier foreign than of a tagged kind.

        The shares (q,) of foreign photos in their folders are `share_` by default.
        """
        before = np.asarray(self.share_ if shares is None else shares, np.float64)
        return np.asarray(np.asarray(log_odds, np.float64) + np.log(before / (1 - before)) > 0)

    def shares_by_folder(self, log_odds: Floats, folders: NDArray[np.intp], count: int) -> Floats:
        """Return the likeliest shares of foreign photos in folders 0 to count - 1, float64 (count,).

        `log_odds` and `folders` (q,) are those of untagged photos; `share_` counts for ten photos of each folder.
        """
        shares = likeliest_shares_by_group(_odds(log_odds), folders, count, np.array([self.share_]), OF_FOLDER)
        return np.asarray(shares[:, 0], np.float64)

    def log_odds(self, X: ArrayLike) -> Floats:
        """Return the log odds of photos that were not learned from: array_like (q, d) gives float64 (q,).

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
        signs = self._log_distance(unlikeness)[None]
        if len(self._landmarks):
            contrasts = np.empty((2, len(samples)))
            with one_thread():
                for part in blocks(len(samples), _ROWS):
                    kernel = rbf(samples[part].astype(np.float32), self._landmarks, self._gamma)
                    contrasts[:, part] = self._weights @ kernel.T + self._weights.sum(axis=1, keepdims=True)
            signs = np.concatenate([signs, -contrasts])
        return self._odds(signs), self.unlikeness_.p_values(unlikeness)

    # ---------------------------------------------------------------------- inside
    def _log_distance(self, unlikeness: Floats) -> Floats:
        return np.log(unlikeness + self._near)

    def _fit_contrasts(self, samples: NDArray[np.float32], distance: Floats, n: int) -> Floats:
        """Return the features (3, n + u): log distance, and the first and the last negative contrast."""
        with one_thread():
            self._gamma = 1 / median_squared_distance(samples)
            self._landmarks = samples
            kernel = np.asarray(rbf(samples, samples, self._gamma)) + np.float32(1)
            first, second = (_Ridge.of(kernel, self.regularization * share) for share in (1.0, _SHARPER_RIDGE))
            tagged = np.arange(len(samples)) < n
            by_first, contrast = first.fit(tagged.astype(np.float64))
            by_last, last = _relabelled(first, second, distance, n, tagged)
            self._weights = np.stack([by_first, by_last])
            signs = np.stack([distance, -contrast, -last])
            fold = np.random.default_rng(0).permutation(n) % _FOLDS
            for part in range(min(_FOLDS, n) if n > 1 else 0):
                own = np.flatnonzero(fold == part)
                without = tagged.copy()
                without[own] = False
                signs[2, own] = -_relabelled(first, second, distance, n, without)[1][own]
        return signs

    def _odds(self, signs: Floats) -> Floats:
        found = self._scales[0].log_odds(signs[:2])
        if len(self._scales) > 1:
            found = np.minimum(found + _GAIN, self._scales[1].log_odds(signs[[0, 2]]))
        return found if self._speaks else np.zeros(len(found))


def likeliest_share(log_odds: Floats, first: float = FOREIGN) -> float:
    """Return the likeliest share of foreign photos, 0..1, from the log odds of photos (u,), starting with `first`."""
    return float(likeliest_shares(_odds(log_odds), np.array([first]))[0])


def _odds(log_odds: Floats) -> Floats:
    """Return bounded odds as a column, float64 (u, 1)."""
    return np.asarray(np.exp(np.clip(log_odds, -_MAX_LOG_ODDS, _MAX_LOG_ODDS))[:, None], np.float64)


class _Odds(NamedTuple):
    """Log odds ``slope (s - middle)`` of a sum of features.

    With a share `unseen` of foreign photos that are unlike those found, the odds are a mean of these and of the prior
    ones.
    """

    slope: float
    middle: float
    unseen: float = 0.0

    def of(self, summed: Floats) -> Floats:
        found = self.slope * np.clip(summed - self.middle, -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
        if not self.unseen:
            return np.asarray(found)
        expected = np.log(self.unseen) + _EXPECTED.of(summed)
        seen = max(1 - self.unseen, np.finfo(np.float64).tiny)  # if none looks foreign, all are unseen
        return np.asarray(np.logaddexp(np.log(seen) + found, expected))


_EXPECTED: Final = _Odds(_LEAST_APART, _LEAST_APART / 2)


class _Scale(NamedTuple):
    """Weights of the features, such that the sum for tagged photos has mean 0 and variance 1, and its log odds."""

    centers: Floats
    weights: Floats
    spread: float
    odds: _Odds

    @classmethod
    def of(cls, signs: Floats, contrast: float, level: float = _LEVEL, half: float = 0.0) -> _Scale:
        """Return the scale, with log odds by the tagged photos alone, from their features (c, n)."""
        n = signs.shape[1]
        spreads = np.maximum(signs.std(axis=1), _LEAST_SPREAD[: len(signs)])
        scale = cls(signs.mean(axis=1), np.array([1.0, contrast])[: len(signs)] / spreads, 1.0, _Odds(0.0, 0.0))
        summed = scale.summed(signs)
        scale = scale._replace(spread=max(float(summed.std()), _LEAST_SPREAD[0]) * (1 + _DEVIATION_ERROR / n))
        middle = max(float(np.quantile(scale.summed(signs), 1 - level)), _LEAST_MIDDLE)
        return scale._replace(odds=_Odds(_SLOPE * n / (n + half), middle))

    def summed(self, signs: Floats) -> Floats:
        return np.asarray(self.weights @ (signs - self.centers[:, None]) / self.spread, np.float64)

    def log_odds(self, signs: Floats) -> Floats:
        return self.odds.of(self.summed(signs))


class _Ridge(NamedTuple):
    """Ridge regression of several targets on the same photos: the inverse of the kernel plus the ridge."""

    inverse: NDArray[np.float32]

    @classmethod
    def of(cls, kernel: NDArray[np.float32], ridge: float) -> _Ridge:
        system = kernel.copy()
        system[np.diag_indices(len(system))] += np.float32(ridge)
        return cls(np.linalg.inv(system))

    def fit(self, target: Floats) -> tuple[Floats, Floats]:
        """Return the dual weights and the leave-one-out predictions."""
        weights = np.asarray(self.inverse @ target.astype(np.float32), np.float64)
        # As in `TagRidge`: the leave-one-out error is the weight divided by the inverse's diagonal entry.
        return weights, target - weights / np.diag(self.inverse)


def _relabelled(
    first: _Ridge, second: _Ridge, distance: Floats, n: int, tagged: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return dual weights and leave-one-out contrasts after the last step; photos not in `tagged` get new targets."""
    weights, contrast = first.fit(tagged.astype(np.float64))
    weight, share = 1.0, 1.0
    for _ in range(_STEPS):
        signs = np.stack([distance, -contrast])
        log_odds = _Scale.of(signs[:, :n], weight, *_TARGETS).log_odds(signs[:, ~tagged])
        odds = np.exp(np.clip(log_odds, -_MAX_LOG_ODDS, _MAX_LOG_ODDS))
        share = min(share, likeliest_share(log_odds))  # else it may grow with each step
        target = np.ones(len(tagged))
        target[~tagged] = (1 - share) / (1 - share + share * odds)
        weights, contrast = second.fit(target)
        weight = _CONTRAST
    return weights, contrast


def _mixture(tagged: Floats, untagged: Floats) -> _Odds:
    """Return log odds from a mixture fitted to the sums of features of tagged and untagged photos."""
    n, u = len(tagged), len(untagged)
    wrong, right = _OUTLIERS
    mean, variance, share, outliers = _PRIOR_MEAN, 1.0, FOREIGN, wrong / (wrong + right)
    for _ in range(_ROUNDS):
        ratio = _Odds(mean / variance, mean / 2)
        of_tagged, of_untagged = (
            np.exp(np.clip(ratio.of(one), -_MAX_LOG_ODDS, _MAX_LOG_ODDS)) for one in (tagged, untagged)
        )
        strange = share + (1 - share) * outliers  # share of photos that look foreign
        part = strange * of_untagged / (1 - strange + strange * of_untagged)
        of_known = outliers * of_tagged / (1 - outliers + outliers * of_tagged)
        outliers = float((wrong + of_known.sum()) / (wrong + right + n))
        share = float((part.sum() * share / strange + PRIOR * FOREIGN) / (u + PRIOR))
        mean = max(float((part @ untagged + _APART_WEIGHT * _PRIOR_MEAN) / (part.sum() + _APART_WEIGHT)), _LEAST_APART)
        variance = (n + _SPREAD_WEIGHT + part @ np.square(untagged - mean)) / (n + _SPREAD_WEIGHT + part.sum())
    expected = PRIOR * FOREIGN
    return _Odds(mean / variance, mean / 2, expected / (expected + float(part.sum())))
