"""Which of the tags and judgements that were given disagree with all others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.logistic import calibrate, platt_targets, sigmoid
from focal_photos.learners.galleries.relevance_feedback import NOISE

_LEAST = 1e-12


class TagDoubts(NamedTuple):
    """How much is against each tag that was given.

    Attributes
    ----------
    photo, tag : ndarray of intp, shape (c,)
        Rows and columns of what was given; the most doubtful first.
    doubt : ndarray of float64, shape (c,)
        0..1; above .5 more speaks for something else.
    instead : ndarray of intp, shape (c,)
        The tag that the others would give; -1: none, or one that the photo has, or tags do not exclude each other.
    """

    photo: NDArray[np.intp]
    tag: NDArray[np.intp]
    doubt: NDArray[np.float64]
    instead: NDArray[np.intp]


def tag_doubts(confidences: ArrayLike, tags: ArrayLike, *, exclusive: bool) -> TagDoubts:
    """Return how doubtful given tags are, by how sure they would be if the photo's own tags were not known.

    Where tags exclude each other, ``doubt = c_other / (c_other + c_own)``, with the surest tag that was not given;
    otherwise ``1 - c_own``, for another tag that is sure is none against this one. A tag that one photo alone carries
    is left out: without it there is nothing to go by. Measured: ALGORITHMS.md, 5.9.

    Parameters
    ----------
    confidences : array_like of float, shape (n, m)
        0..1, each photo as the others see it.
    tags : array_like, shape (n, m)
        Non-zero: given.
    exclusive : bool
        Whether tags exclude each other.

    Raises
    ------
    LearnerError
        The shapes differ, or a confidence is not finite.

    References
    ----------
    C. G. Northcutt, L. Jiang and I. L. Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR
    2021: out-of-sample confidence of the given label; the thresholds by class lose here.

    Examples
    --------
    >>> found = tag_doubts([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.9, 0.1]], [[1, 0], [1, 0], [0, 1], [0, 1]],
    ...                    exclusive=True)
    >>> found.photo.tolist(), found.doubt.round(1).tolist()
    ([3, 2, 1, 0], [0.9, 0.3, 0.2, 0.1])
    """
    sure, given = np.asarray(confidences, dtype=np.float64), np.asarray(tags) != 0
    if sure.shape != given.shape or sure.ndim != 2:
        raise LearnerError(f"Confidences and tags differ in shape: {sure.shape} and {given.shape}.")
    if not np.isfinite(sure).all():
        raise LearnerError("A confidence is NaN or infinite.")
    photo, tag = np.nonzero(given & (given.sum(axis=0) > 1))
    own = sure[photo, tag]
    others = np.where(given, -1.0, sure)
    instead = np.full(len(photo), -1, dtype=np.intp)
    if exclusive and len(photo):
        best = others.argmax(axis=1)[photo]
        rival = np.maximum(others[photo, best], 0)
        doubt = rival / np.maximum(rival + own, _LEAST)
        kept = np.where(given, sure, -1.0)[photo]  # the other tags of the photo, which stay
        kept[np.arange(len(photo)), tag] = -1.0
        instead = np.where((others[photo, best] > 0) & (others[photo, best] > kept.max(axis=1)), best, -1)
    else:
        doubt = 1 - own
    order = np.lexsort((tag, photo, -doubt))
    return TagDoubts(photo[order], tag[order], doubt[order], instead[order])


def left_out_relevance(similarities: ArrayLike, similar: ArrayLike) -> NDArray[np.float64]:
    """Return how relevant each judged photo is by the other judgements against the same focal image.

    The mean that a Gaussian process gives at one of its own points when that is left out, ``t_i - [K^-1 t]_i /
    [K^-1]_ii``, with targets 1 and -1.

    Parameters
    ----------
    similarities : array_like of float, shape (c, c)
        Between the focal image, which is the first, and the judged photos; 1 on the diagonal.
    similar : array_like of bool, shape (c,)
        Of each; that of the focal image is True.

    Returns
    -------
    ndarray of float64, shape (c - 1,)
        Of the judged photos: above 0 the others say similar.

    References
    ----------
    C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, eq. 5.12.

    Examples
    --------
    >>> left_out_relevance([[1, 0.5], [0.5, 1]], [True, False]).round(2).tolist()
    [0.45]
    """
    K = np.asarray(similarities, dtype=np.float64)
    alike = np.asarray(similar, dtype=bool)
    if alike.ndim != 1 or K.shape != (len(alike), len(alike)) or not len(alike):
        raise LearnerError(f"{alike.size} judged photos need a square of similarities, not {K.shape}.")
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    inverse = (vectors / (np.maximum(values, 0) + NOISE)) @ vectors.T
    targets = np.where(alike, 1.0, -1.0)
    found: NDArray[np.float64] = targets - (inverse @ targets) / np.diag(inverse)
    return found[1:]


def judgement_doubts(relevance: ArrayLike, shared_tags: ArrayLike, similar: ArrayLike) -> NDArray[np.float64]:
    """Return how doubtful judgements are: the probability of the other verdict.

    A logistic regression of the verdicts on what the other judgements say of each and on the tags of the two photos:
    what is known of all judgements says how much each of the two tells.

    Parameters
    ----------
    relevance : array_like of float, shape (c,)
        As `left_out_relevance` gives it.
    shared_tags : array_like of float, shape (c,)
        1: the two photos share a tag; -1: both are tagged, and share none; 0: it cannot be told.
    similar : array_like of bool, shape (c,)

    Returns
    -------
    ndarray of float64, shape (c,)
        0..1.
    """
    alike = np.asarray(similar, dtype=bool)
    told = np.column_stack([np.asarray(relevance, np.float64), np.asarray(shared_tags, np.float64)])
    if not len(alike):
        return np.empty(0)
    design: NDArray[Any] = np.column_stack([told, np.ones(len(alike))])
    start = np.array([2.0, 1.0, 0.0])
    found = calibrate(design, platt_targets(alike), start, np.array([True, True, False]))
    probability = sigmoid(design @ found)
    return np.where(alike, 1 - probability, probability)
