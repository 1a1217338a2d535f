# SPDX-License-Identifier: MIT
"""Calibrated confidence that a photo shows a kind of thing, and that its suggested frame fits."""

from __future__ import annotations

from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.logistic import fit_logistic, platt_targets, sigmoid
from focal_photos.learners.tags.likelihood import likeliest_shares_by_group

_FITS: Final = np.array([0.5, 0.0])
"""Prior coefficients of the log odds "fits": of the log odds predicted by the frames, and 1."""

_FITS_UNSEEN: Final = np.array([0.0, np.log(0.2 / 0.8)])
"""Coefficients if no tagged photo was left out, so that no frame was compared with a true one: a fifth of them fit."""

_OF_SHOWN, _OF_FITS = 15.0, 4.0
"""Strength of the priors of `shown_` and `fits_`. The first is strong: users accept the best suggestions, so that
tagged photos have higher scores than the others that show the kind."""

_OF_SHARE: Final = 10.0
"""Weight, in photos, of the share of those that show a kind before any is seen."""

_UNSEEN_SHARE: Final = 0.2
"""Share of the photos that show a kind whose scores are like those of others: too small, or unlike the tagged ones."""

_BELOW, _BETWEEN = 0.5244, 0.7571
"""Standard deviations from the 30th percentile of a normal distribution to its middle, and to its 10th percentile."""

_HIGH_SCORE: Final = 8.0
"""Scores above this grow by their logarithm: where kinds are easily told apart, high scores say nothing about lower."""

_ROUNDS: Final = 5
_MAX_LOG_ODDS: Final = 30.0
_SURE: Final = 1e-3

Floats = NDArray[np.float64]


class PartConfidence(Estimator):
    """Confidence that a thing is in a photo and that its frame fits.

    Scores are those of `lower_half`: in standard deviations of photos that do not show the kind.

    It is ``P(shown) P(fits | shown)``. The odds of the first are those of a logistic regression on the score of the
    photo, at equal frequencies, multiplied by the odds of the share of photos that show the kind. Positive samples are
    the tagged photos left out, of all kinds together. Negative ones are tagged photos for kinds that they do not show,
    and the untagged photos, each weighted by the probability that it does not show the kind. The share maximizes the
    likelihood of the untagged photos. Both are found in turn.

    Parameters
    ----------
    share : float
        Share of the photos that show a kind, before any is seen, 0..1.
    middle : float
        Score, before any is seen, at which photos that show a kind are as frequent as others, at equal shares.

    Attributes
    ----------
    shown_ : ndarray of float64, shape (2,)
        Coefficients of the log odds "shown" against "not shown": of the score, at least 0, and 1.
    shares_ : ndarray of float64, shape (m,)
        Share of the untagged photos that show each kind.
    fits_ : ndarray of float64, shape (2,)
        Coefficients of the log odds "fits": of the log odds that the frames predict, at least 0, and 1.

    References
    ----------
    .. [1] M. Saerens, P. Latinne, C. Decaestecker, "Adjusting the outputs of a classifier to new a priori
       probabilities", Neural Computation 14 (2002), eq. 2.9 and 2.10 (the shares).
    .. [2] C. Elkan, K. Noto, "Learning classifiers from only positive and unlabeled data", KDD 2008: untagged photos as
       weighted negative samples.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.confidence.part_confidence import PartConfidence
    >>> rng = np.random.default_rng(0)
    >>> shown, absent = rng.normal(5, 1, 40), rng.normal(0, 1, 60)
    >>> untagged = np.concatenate([rng.normal(5, 1, (40, 1)), rng.normal(0, 1, (60, 1))])
    >>> learned = PartConfidence().fit(shown, absent, np.full(40, 0.9), np.ones(40, bool), untagged)
    >>> learned.confidences(np.array([[7.0], [-1.0]]), np.array([[0.9], [0.9]])).round(1)
    array([[0.9],
           [0.1]])
    """

    shown_: Floats
    shares_: Floats
    fits_: Floats

    def __init__(self, share: float = 0.1, middle: float = 2.8) -> None:
        self.share, self.middle = share, middle

    def fit(self, shown: Floats, absent: Floats, predicted: Floats, fits: NDArray[np.bool_], untagged: Floats) -> Self:
        """Fit to tagged photos that were left out, and to untagged ones.

        Parameters
        ----------
        shown : ndarray of float64, shape (s,)
            Scores of photos for kinds that they show; may be empty.
        absent : ndarray of float64, shape (a,)
            Scores for kinds that photos do not show; may be empty.
        predicted : ndarray of float64, shape (s,)
            Probabilities that the frames in the photos `shown` fit, as predicted by the frames.
        fits : ndarray of bool, shape (s,)
            Whether they do.
        untagged : ndarray of float64, shape (u, m)
            Scores of untagged photos for all kinds; NaN: unknown.

        Raises
        ------
        LearnerError
            If the shapes do not fit.
        """
        if not len(shown) == len(predicted) == len(fits) or untagged.ndim != 2:
            raise LearnerError(
                f"Shapes do not fit: shown {shown.shape}, predicted {predicted.shape}, fits {fits.shape}, untagged "
                f"{untagged.shape}."
            )
        prior_shown = np.array([1.0, -self.middle])
        self.shown_, self.fits_ = prior_shown.copy(), _FITS_UNSEEN.copy()
        self.shares_ = np.full(untagged.shape[1], self.share)
        if len(fits):
            self.fits_ = _logistic(_log_odds(predicted), platt_targets(fits), np.ones(len(fits)), _FITS, _OF_FITS)
        for _ in range(_ROUNDS):
            if len(untagged):
                self.shares_ = self._likeliest_shares(untagged)
            if not len(shown) or not len(absent) + len(untagged):
                break
            known = np.isfinite(untagged)
            sure, others = self.shown(untagged)[known], untagged[known]
            score = _bounded(np.concatenate([shown, absent, others, others]))
            target = np.concatenate([platt_targets(np.ones(len(shown), np.bool_)), np.zeros(len(absent))])
            target = np.concatenate([target, np.ones(len(sure)), np.zeros(len(sure))])
            weights = np.concatenate([np.ones(len(shown) + len(absent)), sure, 1 - sure])
            positive = len(shown) + float(sure.sum())
            odds = positive / max(float(weights.sum()) - positive, _SURE)
            prior = np.array([0.0, np.log(odds)])
            self.shown_ = _logistic(score, target, weights, prior_shown + prior, _OF_SHOWN) - prior
        return self

    def confidences(self, scores: Floats, predicted: Floats) -> Floats:
        """Return the confidences of photos' scores and frames, both (q, m): float64 (q, m), 0..1.

        Raises
        ------
        NotFittedError
        """
        return self.shown(scores) * self.fitting(predicted)

    def shown(self, scores: Floats, shares: Floats | None = None) -> Floats:
        """Return P(shown) of photos' scores (q, m): float64 (q, m), 0..1.

        Parameters
        ----------
        scores : ndarray of float64
        shares : ndarray of float64, optional
            Shares of photos that show the kind, of a shape that fits to that of the scores; default: `shares_`.

        Raises
        ------
        NotFittedError
        """
        if "shares_" not in vars(self):
            raise NotFittedError("PartConfidence is not fitted yet: call fit first.")
        used = self.shares_ if shares is None else shares
        return sigmoid(np.log(self._odds(scores)) + np.log(used / (1 - used)))

    def fitting(self, predicted: Floats) -> Floats:
        """Return P(fits | shown) of frames: float64, 0..1, of the shape of `predicted`.

        Raises
        ------
        NotFittedError
        """
        if "fits_" not in vars(self):
            raise NotFittedError("PartConfidence is not fitted yet: call fit first.")
        slope, constant = self.fits_
        return sigmoid(slope * _log_odds(predicted) + constant)

    def _likeliest_shares(self, scores: Floats) -> Floats:
        """Return the likeliest shares (m,) of the photos (u, m) that show each kind."""
        first, shares = np.array([self.share]), []
        for each in scores.T:
            odds = self._odds(each[np.isfinite(each)])
            one = np.zeros(len(odds), np.intp)
            shares.append(likeliest_shares_by_group(odds[:, None], one, 1, first, _OF_SHARE)[0, 0])
        return np.array(shares, np.float64)

    def _odds(self, scores: Floats) -> Floats:
        slope, constant = self.shown_
        odds = np.exp(np.clip(slope * _bounded(scores) + constant, -_MAX_LOG_ODDS, _MAX_LOG_ODDS))
        return np.asarray(_UNSEEN_SHARE + (1 - _UNSEEN_SHARE) * odds, np.float64)


def lower_half(scores: Floats) -> tuple[Floats, Floats]:
    """Return the middle and the standard deviation of the photos that do not show a kind, from scores (n, m): (m,).

    They follow from two low percentiles, as if the scores were normal, so that up to a third of the photos may show it.
    """
    lowest, low = np.percentile(scores, [10, 30], axis=0)
    spread = np.maximum((low - lowest) / _BETWEEN, _SURE)
    return low + _BELOW * spread, spread


def _logistic(x: Floats, y: Floats, weights: Floats, start: Floats, pull: float) -> Floats:
    """Return slope, at least 0, and constant of a logistic regression on one variable."""
    found = fit_logistic(np.column_stack([x, np.ones(len(x))]), y, start, pull=pull, weights=weights)
    if found[0] >= 0:
        return found
    constant = fit_logistic(np.ones((len(x), 1)), y, start[1:], pull=pull, weights=weights)
    return np.array([0.0, constant[0]])


def _bounded(scores: Floats) -> Floats:
    return np.asarray(np.minimum(scores, _HIGH_SCORE) + np.log1p(np.maximum(scores - _HIGH_SCORE, 0.0)), np.float64)


def _log_odds(p: Floats) -> Floats:
    bounded = np.clip(p, _SURE, 1 - _SURE)
    return np.asarray(np.log(bounded / (1 - bounded)), np.float64)
