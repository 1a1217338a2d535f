"""Calibrated confidence that a photo shows a kind of thing where its best window is."""

from __future__ import annotations

from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.logistic import calibrate, platt_targets, sigmoid
from focal_photos.learners.tags.likelihood import likeliest_shares

_START: Final = np.array([1.5, -6.0])
"""Prior coefficients of the log odds "shown" against "not shown": of the best score, and 1."""

_RISING: Final = np.array([True, False])
_SHARE: Final = 0.05
"""Share of the photos that show a kind, before any is seen."""

_MOST: Final = 50.0
_FITS, _OF_FITS = 1.0, 4.0
"""Frames that fit, of how many, before any is seen."""

Floats = NDArray[np.float64]


class PartConfidence(Estimator):
    """Confidence that a thing is in a photo and that its frame fits.

    It is ``P(shown) P(fits | shown)``. The odds of the first are those of a logistic regression on the best score of a
    photo's windows, fitted to tagged photos left out, of all kinds together, at equal frequencies. They are multiplied
    by the odds of the share of photos that show the kind, which maximizes the likelihood of the other photos.

    Attributes
    ----------
    coefficients_ : ndarray of float64, shape (2,)
        Of the best score, and 1.
    shares_ : ndarray of float64, shape (m,)
        Share of the photos that show each kind.
    fits_ : float
        P(fits | shown).

    References
    ----------
    .. [1] M. Saerens, P. Latinne, C. Decaestecker, "Adjusting the outputs of a classifier to new a priori
       probabilities", Neural Computation 14 (2002), eq. 2.9 and 2.10.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.confidence.part_confidence import PartConfidence
    >>> rng = np.random.default_rng(0)
    >>> shown, absent = rng.normal(6, 1, 20), rng.normal(3, 1, 60)
    >>> others = np.concatenate([rng.normal(6, 1, (10, 1)), rng.normal(3, 1, (90, 1))])
    >>> learned = PartConfidence().fit(shown, absent, np.ones(20, bool), others)
    >>> learned.confidences(np.array([[7.0], [3.0]])).round(1)
    array([[0.9],
           [0. ]])
    """

    coefficients_: Floats
    shares_: Floats
    fits_: float

    def fit(self, shown: Floats, absent: Floats, fits: NDArray[np.bool_], others: Floats) -> Self:
        """Fit to tagged photos that were left out.

        Parameters
        ----------
        shown : ndarray of float64, shape (s,)
            Best scores of photos for the kinds that they show; may be empty.
        absent : ndarray of float64, shape (a,)
            Best scores for kinds that photos do not show; may be empty.
        fits : ndarray of bool, shape (s,)
            Whether the frame of the best window fits.
        others : ndarray of float64, shape (u, m)
            Best scores of other photos for all kinds.

        Raises
        ------
        LearnerError
            If `shown` and `fits` differ in length.
        """
        if len(shown) != len(fits):
            raise LearnerError(f"There are {len(shown)} scores, but {len(fits)} frames.")
        self.coefficients_ = _START.copy()
        if len(shown) and len(absent):
            scores = np.concatenate([shown, absent])
            right = np.arange(len(scores)) < len(shown)
            design = np.column_stack([scores, np.ones(len(scores))])
            self.coefficients_ = calibrate(design, platt_targets(right), _START, _RISING)
            self.coefficients_[1] -= np.log(len(shown) / len(absent))
        self.fits_ = float((fits.sum() + _FITS) / (len(fits) + _OF_FITS))
        odds = self._odds(others)
        first = np.array([_SHARE])
        self.shares_ = np.array(
            [likeliest_shares(column[:, None], first)[0] if len(column) else _SHARE for column in odds.T]
        )
        return self

    def confidences(self, scores: Floats) -> Floats:
        """Return the confidences of photos' best scores (q, m): float64 (q, m), 0..1.

        Raises
        ------
        NotFittedError
        """
        if "shares_" not in vars(self):
            raise NotFittedError("PartConfidence is not fitted yet: call fit first.")
        prior = np.log(self.shares_ / (1 - self.shares_))
        return self.fits_ * sigmoid(np.log(self._odds(scores)) + prior)

    def _odds(self, scores: Floats) -> Floats:
        of_score, constant = self.coefficients_
        return np.asarray(np.exp(np.clip(of_score * scores + constant, -_MOST, _MOST)), np.float64)
