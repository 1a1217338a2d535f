"""Confidence that follows a person's answers: how often what was shown so sure turned out to be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError
from focal_photos.learners.core.logistic import fit_logistic, sigmoid

_LEAST: Final = 0.002  # surer than this, or less sure than the rest of it, nothing is taken to be
_SHIFT: Final = 2.0  # how far off log odds may well be: standard deviation
_SLOPE: Final = 0.4  # how far off 1 the slope may well be
_FLATTEST: Final = 0.1  # slope: the order of what is shown stays that of what was learned


_NOT_FOREIGN: Final = np.zeros(1)


class Answered(NamedTuple):
    """One question that a person has answered.

    Attributes
    ----------
    stated : ndarray of float, shape (n,)
        How sure each photo was said to be, 0..1, before any correction; at most ``1 - foreign``.
    right : ndarray of bool, shape (n,)
        What the user said.
    foreign : ndarray of float, shape (n,) or (1,)
        0..1, how likely each photo was foreign: an answer about such a photo is no evidence about others.
    """

    stated: NDArray[np.floating]
    right: NDArray[np.bool_]
    foreign: NDArray[np.floating] = _NOT_FOREIGN


class AnsweredConfidence(Estimator):
    """Log odds ``shift + slope logit(stated)``, from the last answers.

    Confidence that is learned from tagged photos is at its word where the tagged ones are drawn at random. A person who
    answers the surest question first tags photos that are easy to know, and leaves those that are not: what is learned
    of the former is far off for the latter, in either direction. The answers themselves say how far.

    Parameters
    ----------
    half : float
        Questions after which an answer counts for half.
    each : float
        Photos that one question counts for, at most: the answers to one are right or wrong together.

    Attributes
    ----------
    shift_ : float
        0 without any answer.
    slope_ : float
        At least 0.1; 1 without any answer.

    References
    ----------
    .. [1] D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45 (1958): the slope and
       the shift of log odds as the measure of how well probabilities were stated.

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.answered import Answered, AnsweredConfidence
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
        """Learn from answers, the oldest first; those without photos say nothing.

        Raises
        ------
        LearnerError
            Shapes that do not fit, or a parameter that is not above 0.
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

    def corrected(self, stated: ArrayLike, foreign: ArrayLike = 0.0) -> NDArray[np.float64]:
        """Return the confidence corrected by the answers: float64 of the same shape.

        Parameters
        ----------
        stated : array_like of float
            0..1, before any correction.
        foreign : array_like of float
            0..1, how likely each photo is foreign. Answers about other photos do not make these more plausible: what
            is corrected is how sure the photo would be if it were not foreign.
        """
        given = np.asarray(stated, dtype=np.float64)
        if (self.shift_, self.slope_) == (0.0, 1.0):
            return given.copy()
        strange = np.asarray(foreign, dtype=np.float64)
        return sigmoid(self.shift_ + self.slope_ * _logit(_unless_foreign(given, strange))) * (1 - strange)


def _unless_foreign(stated: ArrayLike, foreign: ArrayLike) -> NDArray[np.float64]:
    """Return how sure a photo would be if it were not foreign."""
    return np.asarray(stated, np.float64) / np.maximum(1 - np.asarray(foreign, np.float64), _LEAST)


def _logit(stated: ArrayLike) -> NDArray[np.float64]:
    share = np.clip(np.asarray(stated, dtype=np.float64), _LEAST, 1 - _LEAST)
    return np.asarray(np.log(share) - np.log1p(-share))
