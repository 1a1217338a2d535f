# SPDX-License-Identifier: MIT
"""Correction of stated confidences by the user's answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError
from focal_photos.learners.core.logistic import fit_logistic, sigmoid

_MIN_CONFIDENCE: Final = 0.002  # limits of a confidence, from 0 and from 1
_SHIFT: Final = 2.0  # prior standard deviation of the shift of log odds
_SLOPE: Final = 0.4  # prior standard deviation of the slope around 1
_FLATTEST: Final = 0.1  # minimum slope, which preserves the learned order
_LEAST_NONE: Final = 0.02  # minimum probability that none of the tags is right
_NOT_FOREIGN: Final = np.zeros(1)

Floats = NDArray[np.float64]


class Answered(NamedTuple):
    """The answers of the user to one question."""

    stated: NDArray[np.floating]
    """Stated confidence of each photo, 0..1, before any correction; at most ``1 - foreign``; shape (n,)."""
    right: NDArray[np.bool_]
    """Answers of the user; shape (n,)."""
    foreign: NDArray[np.floating] = _NOT_FOREIGN
    """Probability, 0..1, that each photo is foreign: an answer about such a photo is no evidence about others; shape
    (n,) or (1,)."""


class AnsweredConfidence(Estimator):
    """Log odds ``shift + slope logit(stated)``, fitted to the most recent answers.

    Confidence learned from tagged photos is calibrated if the tagged photos are a random sample. A user who answers the
    surest question first tags the easy photos and leaves the hard ones, for which the learned confidence is far off, in
    either direction. The answers show by how much.

    Parameters
    ----------
    half : float
        Number of questions after which the weight of an answer is halved.
    each : float
        Maximum weight of a question, in photos: the answers to a question are right or wrong together.

    Attributes
    ----------
    shift_ : float
        0 without answers.
    slope_ : float
        At least 0.1; 1 without answers.

    References
    ----------
    .. [1] D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45 (1958): slope and shift
       of log odds as measures of the calibration of stated probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.confidence.answered import Answered, AnsweredConfidence
    >>> shy = Answered(np.full(8, 0.2), np.ones(8, dtype=bool))
    >>> AnsweredConfidence().fit([shy, shy]).corrected(np.array([0.05, 0.2])).round(1)
    array([0.8, 0.9])
    """

    shift_: float
    slope_: float

    def __init__(self, half: float = 10.0, each: float = 6.0) -> None:
        self.half = half
        self.each = each

    def fit(self, answered: Sequence[Answered]) -> Self:
        """Fit to questions, the oldest first; questions without photos are skipped.

        Raises
        ------
        LearnerError
            If the shapes do not fit, or a parameter is not above 0.
        """
        if not self.half > 0 or not self.each > 0:
            raise LearnerError("half and each must be above 0.")
        if any(np.shape(one.stated) != np.shape(one.right) for one in answered):
            raise LearnerError("A question has as many answers as photos.")
        self.shift_, self.slope_ = 0.0, 1.0
        some = [one for one in answered if len(one.stated)]
        if some:
            age = np.arange(len(some))[::-1]
            counts = 0.5 ** (age / self.half) * np.minimum(1.0, self.each / np.array([len(one.right) for one in some]))
            odds = np.concatenate([_logit(_unless_foreign(one.stated, one.foreign)) for one in some])
            right = np.concatenate([one.right for one in some]).astype(np.float64)
            pull = 1 / np.square([_SHIFT, _SLOPE])
            design = np.column_stack([np.ones(len(odds)), odds])
            weights = np.repeat(counts, [len(one.right) for one in some])
            weights *= np.concatenate([np.broadcast_to(1 - one.foreign, np.shape(one.right)) for one in some])
            shift, slope = fit_logistic(design, right, np.array([0.0, 1.0]), pull=pull, weights=weights)
            self.shift_, self.slope_ = float(shift), max(float(slope), _FLATTEST)
        return self

    def corrected(self, stated: ArrayLike, foreign: ArrayLike = 0.0) -> Floats:
        """Return the corrected confidence: float64 of the same shape.

        Parameters
        ----------
        stated : array_like of float
            Confidence 0..1 before any correction.
        foreign : array_like of float
            Probability, 0..1, that each photo is foreign. Answers about other photos do not make a foreign photo more
            plausible, so the correction applies to the confidence given that the photo is not foreign.
        """
        given = np.asarray(stated, dtype=np.float64)
        if (self.shift_, self.slope_) == (0.0, 1.0):
            return given.copy()
        strange = np.asarray(foreign, dtype=np.float64)
        return sigmoid(self.shift_ + self.slope_ * _logit(_unless_foreign(given, strange))) * (1 - strange)


def after_answers(tags: ArrayLike, none: ArrayLike, foreign: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return the confidences of exclusive tags after some were ruled out: the rest and "none of these" share the sum.

    Parameters
    ----------
    tags : array_like of float, shape (n, m)
        Confidences, 0..1, and 0 for the tags that the user ruled out.
    none : array_like of float, shape (n,)
        Probability, 0..1, that no tag is right, before the answers.
    foreign : array_like of float, shape (n,)
        Probability, 0..1, that the photo is foreign, a part of `none`.

    Returns
    -------
    tags, none, foreign : ndarray of float64
        Of the same shapes. Each row of `tags` and its `none` sum to 1.
    """
    left, others = np.asarray(tags, np.float64), np.maximum(np.asarray(none, np.float64), _LEAST_NONE)
    whole = left.sum(axis=1) + others
    others = others / whole
    return left / whole[:, None], others, np.minimum(np.asarray(foreign, np.float64) / whole, others)


def _unless_foreign(stated: ArrayLike, foreign: ArrayLike) -> Floats:
    """Return the confidence given that a photo is not foreign."""
    return np.asarray(stated, np.float64) / np.maximum(1 - np.asarray(foreign, np.float64), _MIN_CONFIDENCE)


def _logit(stated: ArrayLike) -> Floats:
    share = np.clip(np.asarray(stated, dtype=np.float64), _MIN_CONFIDENCE, 1 - _MIN_CONFIDENCE)
    return np.asarray(np.log(share) - np.log1p(-share))
