# SPDX-License-Identifier: MIT
"""Likely label errors: tags and judgements that are probably wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.logistic import fit_logistic, sigmoid
from focal_photos.learners.galleries.relevance_feedback import NOISE
from focal_photos.learners.tags.confidence.tag_confidence import softmax

MIN_PROBABILITY: Final = 0.5
"""Probability above which a tag or judgement is reported."""

_MIN_CONFIDENCE: Final = 1e-12  # confidences are clipped to this
_MAX_ERROR_SHARE: Final = 0.3  # largest share of errors in a fit
_CREDIBLE: Final = 0.1  # a larger share indicates a misfit of the model rather than label errors
_START: Final = 0.02  # share of errors with which the fit starts
_ODDS: Final = np.log(_START / (_MAX_ERROR_SHARE - _START))
_OUTLIER_DEVIATIONS: Final = 2.0  # standard deviations
_BINS: Final = 400  # of the log odds of tags that photos lack
_SAMPLE: Final = 2000  # tags that the share of errors is fitted to
_LEAST_LIKELIHOOD: Final = 1e-300
_ROUNDS: Final = 200
_SETTLED: Final = 1e-7
_SMOOTHING: Final = np.array([2.0, 1.0, 0.0])  # coefficients of `judgement_errors` without data
_MIN_JUDGEMENTS: Final = 20  # judgements from which errors among them can be found

Floats = NDArray[np.float64]


class LabelErrors(NamedTuple):
    """Tags that are probably wrong."""

    photo: NDArray[np.intp]
    tag: NDArray[np.intp]
    """`photo` and `tag`: rows and columns, by descending probability; shape (c,)."""
    probability: Floats
    """Probability that the tag is wrong, above `MIN_PROBABILITY`; shape (c,)."""
    instead: NDArray[np.intp]
    """The most probable other tag; -1 if tags are not exclusive, or if another tag of the photo is more probable; shape
    (c,)."""
    share: float
    """Estimated share of wrong tags among all tags checked; 0 if there is no evidence of errors."""


def label_errors(
    confidences: ArrayLike,
    none: ArrayLike,
    tags: ArrayLike,
    *,
    exclusive: bool,
    confirmed: ArrayLike | None = None,
) -> LabelErrors:
    """Find tags that are probably wrong.

    A model with errors is compared with one without. With errors, a share of the tags is drawn at random instead of by
    the content of the photo. Share and model are fitted by maximum likelihood, and no tag is reported unless the share
    raises the log-likelihood by half the logarithm of the number of tags (the Bayesian information criterion), so that
    libraries without errors produce almost no false alarms. If tags are exclusive, the larger probability of two models
    counts: confidences of adjustable sharpness, and normally distributed margins between a tag and the best other one,
    which errors reverse. ALGORITHMS.md, 5.9.

    Parameters
    ----------
    confidences : array_like of float, shape (n, m)
        Confidence of each tag, 0..1, estimated without the photo's own tags.
    none : array_like of float, shape (n,)
        Probability that the photo is unlike all other tagged photos, 0..1. The tags of such a photo are not judged:
        they are equally probable with and without an error.
    tags : array_like, shape (n, m)
        Non-zero if the photo has the tag.
    exclusive : bool
        Whether each photo has one tag.
    confirmed : array_like of bool, shape (n, m), optional
        Tags confirmed by the user; they are not reported.

    Returns
    -------
    LabelErrors
        Tags of a single photo are skipped: without it nothing can be learned about them.

    Raises
    ------
    LearnerError
        If shapes differ, or a confidence is not finite.

    References
    ----------
    .. [1] D. Angluin and P. Laird, "Learning from noisy examples", Machine Learning 2 (1988): random classification
       noise.
    .. [2] C. G. Northcutt, L. Jiang and I. L. Chuang, "Confident learning: estimating uncertainty in dataset labels",
       JAIR 70 (2021): confidences estimated without the label in question. Its thresholds per class give more alarms.
    .. [3] G. Schwarz, "Estimating the dimension of a model", Annals of Statistics 6 (1978).

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.label_errors import label_errors
    >>> tags = np.repeat(np.eye(2), 20, axis=0)
    >>> confidences = np.where(tags > 0, 0.99, 0.01)
    >>> tags[0] = [0, 1]  # the first photo gets the tag of the others
    >>> found = label_errors(confidences, np.zeros(40), tags, exclusive=True)
    >>> found.photo.tolist(), found.tag.tolist(), found.instead.tolist()
    ([0], [1], [0])
    """
    P, given = np.asarray(confidences, dtype=np.float64), np.asarray(tags) != 0
    unlike = np.asarray(none, dtype=np.float64)
    if P.shape != given.shape or P.ndim != 2 or unlike.shape != P.shape[:1]:
        raise LearnerError(f"Confidences and tags differ in shape: {P.shape} and {given.shape}.")
    if not np.isfinite(P).all() or not np.isfinite(unlike).all():
        raise LearnerError("A confidence is NaN or infinite.")
    known = given & (given.sum(axis=0) > 1)
    settled = np.zeros_like(given) if confirmed is None else np.asarray(confirmed, dtype=bool)
    photo, tag = np.nonzero(known & ~settled)
    if len(photo) < 2 or P.shape[1] < 2:
        return LabelErrors(photo[:0], tag[:0], np.empty(0), photo[:0], 0.0)
    if exclusive:
        share, probability = _exclusive(P, np.clip(unlike, 0.0, 1 - _MIN_CONFIDENCE), photo, tag)
        instead = _instead(P, given, photo, tag)
    else:
        share, probability = _several(P, given, photo, tag)
        instead = np.full(len(photo), -1, dtype=np.intp)
    listed = np.flatnonzero(probability > MIN_PROBABILITY)
    listed = listed[np.lexsort((tag[listed], photo[listed], -probability[listed]))]
    return LabelErrors(photo[listed], tag[listed], probability[listed], instead[listed], share)


def _exclusive(P: Floats, none: Floats, photo: NDArray[np.intp], tag: NDArray[np.intp]) -> tuple[float, Floats]:
    """Return the share of errors and the probability of each, for exclusive tags: the larger of two models."""
    m = P.shape[1]
    unlike = none[photo]
    log_confidence = np.log(np.maximum(P, _MIN_CONFIDENCE))
    others = log_confidence[photo]
    others[np.arange(len(photo)), tag] = -np.inf
    margin = log_confidence[photo, tag] - others.max(axis=1)

    def by_confidence(parameters: Floats, some: NDArray[np.intp]) -> tuple[Floats, Floats]:
        own = softmax(np.exp(parameters[0]) * log_confidence[photo[some]], 1.0)[np.arange(len(some)), tag[some]]
        return own, (1 - own) / (m - 1)

    share, probability = 0.0, np.zeros(len(photo))
    for found, wrong in (
        _fit(by_confidence, (np.zeros(1), np.ones(1)), len(photo)),
        _reversed(margin),
    ):
        share = max(share, found)
        # For a photo unlike all others, its tag is as probable as any other, right or wrong.
        probability = np.maximum(probability, (1 - unlike) * wrong + unlike * min(found, MIN_PROBABILITY))
    return share, probability


def _reversed(margin: Floats) -> tuple[float, Floats]:
    """Return the share of normally distributed margins that errors have reversed, and the probability of each.

    It is 0 if the reversed margin would be unusually small: such a photo is unclear rather than wrong. All are 0 unless
    the mean is at least two standard deviations: otherwise reversed margins cannot be distinguished from others.
    """
    middle = float(np.median(margin))
    start = np.array([middle, np.log(np.median(np.abs(margin - middle)) + _MIN_CONFIDENCE)])

    def likelihoods(parameters: Floats, some: NDArray[np.intp]) -> tuple[Floats, Floats]:
        mean, deviation = parameters[0], np.exp(parameters[1]) + _MIN_CONFIDENCE
        right, wrong = (np.exp(-0.5 * np.square((one - mean) / deviation)) for one in (margin[some], -margin[some]))
        least = _OUTLIER_DEVIATIONS * deviation
        usual = (-margin[some] >= mean - least) & (mean >= least)
        return right / deviation, np.where(usual, wrong, 0.0) / deviation

    return _fit(likelihoods, (start, np.array([middle, start[1] + 1])), len(margin))


def _several(
    P: Floats, given: NDArray[np.bool_], photo: NDArray[np.intp], tag: NDArray[np.intp]
) -> tuple[float, Floats]:
    """Return the share of errors among the tags and the probability of each, for photos with several tags."""
    clipped = np.clip(P, _MIN_CONFIDENCE, 1 - _MIN_CONFIDENCE)
    odds = np.log(clipped) - np.log1p(-clipped)
    # The tags that photos lack enter as a histogram, because they are too many to be fitted individually.
    counts, edges = np.histogram(odds[~given], bins=_BINS)
    centers = (edges[1:] + edges[:-1]) / 2
    odds, frequency = odds[photo, tag], given.mean(axis=0)[tag]

    def likelihoods(parameters: Floats, some: NDArray[np.intp]) -> tuple[Floats, Floats]:
        z = np.exp(parameters[0]) * odds[some] + parameters[1]
        return sigmoid(z), frequency[some] * sigmoid(-z)

    def lacking(parameters: Floats) -> float:
        return -float(counts @ np.logaddexp(0, np.exp(parameters[0]) * centers + parameters[1]))

    return _fit(likelihoods, (np.zeros(2), np.array([1.0, 0.0])), len(photo), lacking)


def _fit(
    likelihoods: Callable[[Floats, NDArray[np.intp]], tuple[Floats, Floats]],
    starts: Sequence[Floats],
    count: int,
    constant: Callable[[Floats], float] = lambda _parameters: 0.0,
) -> tuple[float, Floats]:
    """Fit the share of errors by maximum likelihood; return it and the probability of each error.

    ``likelihoods`` returns those of some tags without and with an error, ``constant`` a further log-likelihood.
    """
    some = np.sort(np.random.default_rng(0).permutation(count)[:_SAMPLE])

    def loss(parameters: Floats, share: float) -> float:
        right, wrong = likelihoods(parameters, some)
        each = np.log((1 - share) * right + share * wrong + _LEAST_LIKELIHOOD)
        return -float(each.sum()) * count / len(some) - constant(parameters)

    def share_of(parameters: Floats) -> float:
        return _MAX_ERROR_SHARE * float(sigmoid(parameters[-1:])[0])

    minimize = scipy.optimize.minimize
    plain = minimize(lambda parameters: loss(parameters, 0.0), starts[0], method="Nelder-Mead")
    # Errors blur the model that fits without them, so the search also starts from sharper ones.
    with_errors = min(
        (
            minimize(lambda all_: loss(all_[:-1], share_of(all_)), np.append(start, _ODDS), method="Nelder-Mead")
            for start in (plain.x, *starts)
        ),
        key=lambda found: float(found.fun),
    )
    share = share_of(with_errors.x)
    if share > _CREDIBLE or plain.fun - with_errors.fun <= 0.5 * np.log(count):
        return 0.0, np.zeros(count)
    right, wrong = likelihoods(with_errors.x[:-1], np.arange(count))
    return share, np.asarray(share * wrong / ((1 - share) * right + share * wrong + _LEAST_LIKELIHOOD))


def _instead(P: Floats, given: NDArray[np.bool_], photo: NDArray[np.intp], tag: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the most probable tag that a photo lacks, or -1 if another tag of the photo is more probable."""
    others = np.where(given, -1.0, P)
    best = others.argmax(axis=1)[photo]
    kept = np.where(given, P, -1.0)[photo]
    kept[np.arange(len(photo)), tag] = -1.0
    return np.where((others[photo, best] > 0) & (others[photo, best] > kept.max(axis=1)), best, -1)


def left_out_relevance(similarities: ArrayLike, similar: ArrayLike) -> Floats:
    """Return the relevance of each judged photo, estimated from the other judgements of the same focal image.

    The leave-one-out mean of a Gaussian process, ``t_i - [K^-1 t]_i / [K^-1]_ii``, with targets 1 and -1.

    Parameters
    ----------
    similarities : array_like of float, shape (c, c)
        Similarities of the focal image, which comes first, and the judged photos; 1 on the diagonal.
    similar : array_like of bool, shape (c,)
        Whether each photo was judged similar; True for the focal image.

    Returns
    -------
    ndarray of float64, shape (c - 1,)
        For each judged photo; above 0 if the other judgements indicate similarity.

    Raises
    ------
    LearnerError
        If the similarities are not square.

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
    found: Floats = targets - (inverse @ targets) / np.diag(inverse)
    return found[1:]


def judgement_errors(relevance: ArrayLike, shared_tags: ArrayLike, similar: ArrayLike) -> Floats:
    """Return the probability that each judgement is wrong.

    Logistic regression of the verdicts on the other judgements and on the tags of both photos, with a share of reversed
    verdicts. The share is fitted by expectation-maximization; all probabilities are 0 unless it raises the
    log-likelihood by half the logarithm of the number of judgements, as in `label_errors`. The result is the larger of
    this probability and that of the model of reversed margins, applied to the log odds without errors.

    Parameters
    ----------
    relevance : array_like of float, shape (c,)
        Result of `left_out_relevance`.
    shared_tags : array_like of float, shape (c,)
        1 if both photos share a tag, -1 if both are tagged and share none, otherwise 0.
    similar : array_like of bool, shape (c,)
        The verdicts.

    Returns
    -------
    ndarray of float64, shape (c,)
        0..1; 0 if there are fewer than 20 judgements.

    References
    ----------
    .. [1] J. Bootkrajang and A. Kabán, "Label-noise robust logistic regression and its applications", ECML 2012.
    """
    alike = np.asarray(similar, dtype=bool)
    n = len(alike)
    if n < _MIN_JUDGEMENTS:
        return np.zeros(n)
    features = np.column_stack([np.asarray(relevance, np.float64), np.asarray(shared_tags, np.float64), np.ones(n)])

    def likelihood(b: Floats) -> Floats:
        return np.where(alike, sigmoid(features @ b), sigmoid(-(features @ b)))

    def penalty(b: Floats) -> float:
        return 0.5 * float(np.square(b - _SMOOTHING).sum())

    plain = fit_logistic(features, alike.astype(np.float64), _SMOOTHING)
    coefficients, share, wrong = plain, _START, np.zeros(n)
    for _ in range(_ROUNDS):
        right = likelihood(coefficients)
        updated = share * (1 - right) / (share * (1 - right) + (1 - share) * right + _LEAST_LIKELIHOOD)
        moved = float(np.abs(updated - wrong).max())
        wrong = updated
        share = min(float(wrong.mean()), _MAX_ERROR_SHARE)
        coefficients = fit_logistic(features, np.where(alike, 1 - wrong, wrong), _SMOOTHING)
        if moved < _SETTLED:
            break
    right, before = likelihood(coefficients), likelihood(plain)
    gain = float(np.log((1 - share) * right + share * (1 - right) + _LEAST_LIKELIHOOD).sum()) - penalty(coefficients)
    gain -= float(np.log(before + _LEAST_LIKELIHOOD).sum()) - penalty(plain)
    by_verdict = wrong if gain > 0.5 * np.log(n) else np.zeros(n)
    odds = features @ plain
    _, by_margin = _reversed(np.where(alike, odds, -odds))
    return np.maximum(by_verdict, by_margin)
