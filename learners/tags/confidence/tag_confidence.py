# SPDX-License-Identifier: MIT
"""Calibrated confidences from scores of tags, including the probability of "none of these"."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.logistic import calibrate, platt_targets, sigmoid
from focal_photos.learners.tags.confidence.foreign import FOREIGN, likeliest_share
from focal_photos.learners.tags.likelihood import (
    OF_FOLDER,
    likeliest_shares,
    likeliest_shares_by_group,
    tags_of_several,
)
from focal_photos.learners.tags.tag_ridge import MAX_MULTIPLE_SHARE, SIGNS, TagRidge, TagScores

_TEMPERATURES: Final = np.geomspace(0.02, 4.0, 40)
TYPICAL_TEMPERATURE: Final = 0.085
"""Typical temperature of ridge regression scores, used if nothing can be left out."""

TYPICAL_WITH_SIGNS: Final = 0.06
"""The same if codes are half of the kernel: photos are less similar in them, and scores are closer together."""

_WEIGHT: Final = 80.0
"""Weight of the typical temperature if tags have one photo each, in nats at e times that temperature; a quarter with
two photos."""

_MAX_LOG_ODDS: Final = 50.0
"""Maximum absolute log odds."""

_MIN_PROBABILITY: Final = 1e-300
_OUTLIERS: Final = 0.03
"""Share of the photos of tagged kinds that look foreign: the odds of a foreign photo are at most its inverse."""

_LIKE_FOREIGN: Final = 0.1
"""Share of the posterior log odds of a foreign photo, above `_OF_KNOWN`, that also counts for a new kind."""

_OF_KNOWN: Final = -4.0
"""Log odds of tagged photos that are rather far from the others; see `_LIKE_FOREIGN`."""

_MIN_POSTERIOR_ODDS: Final = -9.0
"""Minimum of the posterior log odds in `_LIKE_FOREIGN`. Those of photos near tagged ones decrease as foreign photos are
added to the library, which says nothing about new kinds."""

_UNNAMED: Final = 30.0
"""Number of kinds without a tag that is assumed if each tag is on one photo: leaving that out does not show which share
of the untagged photos is of the tagged kinds."""

_FEW: Final = 1e-6
_MIN_SCORE: Final = 0.02
"""Scores below this are raised to it."""

_FITTED_TAGS: Final = 20
"""Number of tags per photo, those farthest above their thresholds, to which the sigmoid is fitted. The others are
hardly ever shown, and would dominate the fit."""

_USUALLY, _OF_USUAL = 0.95, 1.5
"""Share of the photos without a usual tag that its own photos precede by its score, and its weight in the mean of all
tags, in photos per tag."""

_OF_PHOTO: Final = 0.1
"""Standard error of this share if it is estimated from one photo."""

_LEAST_OF_ONE, _LEAST_OF_SEVERAL = 0.78, 0.84
"""This share if a tag is as probably visible as not, if photos have one tag or several: then untagged photos of other
tags are easily preceded."""

_OF_OTHERS, _OF_SEVERAL = 10.0, 4.0
"""Weights in photos: of the mean of all tags in a tag if photos have one tag, of a usual tag if they have several."""

_MAX_UNTAGGED_SHARE: Final = 0.95
"""Maximum share of the untagged photos that are assumed to have a tag."""

_PASSES: Final = 3
"""Passes to find `visible_`: tags that do not show have fewer untagged photos than their confidences first imply."""

_START: Final = np.array([1.0, 0.0, 0.0, 0.0])
_RISING: Final = np.array([True, True, False, False])

Floats = NDArray[np.float64]


def typical_temperature(ridge: TagRidge) -> float:
    """Return the typical temperature of the scores of a regression, by the weight of codes in its kernel.

    If shared neighbours have most of the weight, as with one photo per tag, codes hardly affect the scores.
    """
    share = (1 - ridge.neighbors_) * ridge.signs_ / SIGNS[0]
    return TYPICAL_TEMPERATURE + min(share, 1.0) * (TYPICAL_WITH_SIGNS - TYPICAL_TEMPERATURE)


class Confidences(NamedTuple):
    """Confidences of tags."""

    tags: Floats
    """0..1; shape (q, m)."""
    none: Floats
    """0..1, probability that none of the tags is right: that the photo is foreign, or of a new kind that resembles the
    tagged ones. New kinds are estimated only if tags are exclusive; shape (q,)."""
    order: Floats
    """Scores by which the best tags of a photo are chosen; shape (q, m)."""
    foreign: Floats
    """0..1, probability that the photo is foreign (`foreign`), a part of `none`; shape (q,)."""
    p_values: Floats
    """Conformal p-values of "as similar to the tagged photos as these are to each other" (`unlikeness`), 0..1; 1 if
    they were not passed in; shape (q,)."""

    @property
    def unless_foreign(self) -> Floats:
        """Confidences of the tags given that the photo is not foreign: float64 (q, m), 0..1."""
        return np.asarray(self.tags / np.maximum(1 - self.foreign, _FEW)[:, None], np.float64)

    def best(
        self, per_photo: int = 5, *, minimum: float = 0.0, exclude: scipy.sparse.csr_array | None = None
    ) -> list[list[tuple[int, float]]]:
        """Return the best tags of each photo.

        Parameters
        ----------
        per_photo : int
            Maximum number of tags per photo.
        minimum : float
            Minimum confidence.
        exclude : csr_array, shape (q, m), optional
            Non-zero for tags that must not be suggested, because the photo has the tag or the user rejected it.

        Returns
        -------
        list of list of (int, float)
            For each photo the chosen tags and their confidences, in descending order.
        """
        order = np.where(self.tags >= max(minimum, _FEW), self.order, -np.inf)
        if exclude is not None:
            order[exclude.nonzero()] = -np.inf
        count = min(per_photo, order.shape[1])
        if not count:
            return [[] for _ in order]
        least = -np.partition(-order, count - 1, axis=1)[:, count - 1]
        rows, columns = np.nonzero((order >= least[:, None]) & np.isfinite(order))
        first = np.lexsort((columns, -order[rows, columns], rows))
        rows, columns = rows[first], columns[first]
        kept = np.arange(len(rows)) - np.searchsorted(rows, rows) < count  # ties go to the first columns
        rows, columns = rows[kept], columns[kept]
        surest = np.lexsort((columns, -self.tags[rows, columns], rows))
        rows, columns = rows[surest], columns[surest]
        pairs = list(zip(columns.tolist(), self.tags[rows, columns].tolist(), strict=True))
        cuts = np.searchsorted(rows, np.arange(len(order) + 1)).tolist()
        return [pairs[start:stop] for start, stop in pairwise(cuts)]


class TagConfidence(Estimator):
    """Calibration of tag scores by photos that were left out.

    If tags exclude each other, the confidence is ``(1 - none) softmax(scores / T)``, otherwise a sigmoid for each photo
    and tag. The temperature T maximizes the likelihood of the tags of photos left out.

    "None of these" has two causes. A photo of a *new kind* has a low best score, is less similar to any tagged photo,
    and may be nearer to untagged photos than to tagged ones. The tagged photos themselves show how low: the leave-one-
    out scores of each are those of a known kind, and its scores when all photos of its tag are left out are those of a
    new kind. The scores of a photo without tags whose best one the user rejected also count as those of a new kind. A
    *foreign* photo is unlike all tagged photos, which `foreign` detects, also if photos have several
    tags. The shares of new kinds and of foreign photos among the untagged ones maximize the likelihood of their scores.

    All this compares tagged photos with each other, and assumes that a tag shows in the whole photo. The tag of a small
    thing does not: its photos look like all others. Therefore the left-out photos of a tag are also compared with the
    untagged photos. If they do not precede these by the score of the tag, then the tag is not visible, and untagged
    photos have it as often as all photos do. The confidence is the mean of this and the above by the probability that
    the tag is visible. With several tags per photo, log odds are shifted by as much on average.
    ALGORITHMS.md, 5.13.

    Parameters
    ----------
    typical : float
        > 0: the prior of the temperature, which is used if few photos are tagged.

    Attributes
    ----------
    exclusive_ : bool
        Whether tags exclude each other.
    thresholds_ : ndarray of float64, shape (m,)
        Score above which a tag is predicted as often as it occurs.
    temperature_ : float
        Unused if tags do not exclude each other, and then the typical one.
    center_, spread_ : ndarray of float64, shape (2,) or (3,)
        Means and standard deviations of the best score, of the similarity to the nearest tagged photo and, if known, of
        how much nearer tagged photos are than untagged ones.
    none_ : ndarray of float64, shape (3,) or (4,)
        Coefficients of the log odds of a new kind against a known one, at equal frequencies: of these, standardized
        with reversed sign, and 1. All but the last are at least 0.
    visible_ : ndarray of float64, shape (m,)
        Probability, 0..1, that a tag is visible in whole photos.
    shift_ : ndarray of float64, shape (m,)
        Sum to the log odds of a tag that is not visible, at most 0; 0 if tags exclude each other.
    prevalence_ : ndarray of float64, shape (m,)
        Share of all photos, tagged and untagged, that have the tag, without foreign ones: 0..1.
    none_share_, foreign_share_ : float
        Shares of new kinds and of foreign photos among the untagged ones, 0..1.
    outliers_ : float
        Share of the photos of tagged kinds that look foreign; 0 if `fit` was given no foreign or known ones.
    coefficients_ : ndarray of float64, shape (4,)
        Coefficients of the sigmoid: log score, score minus threshold, log frequency, 1. The first two are at least 0.
    frequency_ : ndarray of float64, shape (m,)

    Notes
    -----
    Photos with a tag that no other photo has are skipped, because nothing predicts them when they are left out. The
    share of new kinds starts at 1 / (m + 1), as if there were one more kind than tags, that of foreign photos at .05,
    and both have the prior weight of 50 photos. If every tag is on one photo, the share of new kinds among
    photos that are not foreign is 30 / (m + 30).

    References
    ----------
    .. [1] C. Guo et al., "On calibration of modern neural networks", ICML 2017 (temperature).
    .. [2] M. Saerens, P. Latinne, C. Decaestecker, "Adjusting the outputs of a classifier to new a priori
       probabilities", Neural Computation 14 (2002), eq. 2.9 and 2.10 (the share of new kinds).
    .. [3] P. Mendes Júnior et al., "Nearest neighbors distance ratio open-set classifier", Machine Learning 106 (2017):
       known kinds are left out to learn the appearance of a new one.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence
    >>> from focal_photos.learners.tags.tag_ridge import TagRidge
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> tags = sp.csr_array(np.repeat(np.eye(2), 3, axis=0))
    >>> ridge = TagRidge().fit(X, tags)
    >>> learned = TagConfidence().fit(ridge.left_out_, tags, kinds=ridge.kind_left_out_)
    >>> found = learned.confidences(ridge.scores(np.array([[0.05], [90.0]])))
    >>> bool(found.tags[0, 0] > 0.8), bool(found.none[1] > 0.8)
    (True, True)
    """

    exclusive_: bool
    thresholds_: Floats
    temperature_: float
    center_: Floats
    spread_: Floats
    none_: Floats
    visible_: Floats
    shift_: Floats
    prevalence_: Floats
    none_share_: float
    foreign_share_: float
    outliers_: float
    coefficients_: Floats
    frequency_: Floats

    def __init__(self, typical: float = TYPICAL_TEMPERATURE) -> None:
        self.typical = typical

    def fit(
        self,
        left_out: TagScores,
        tags: scipy.sparse.csr_array,
        *,
        rejected: scipy.sparse.csr_array | None = None,
        kinds: TagScores | None = None,
        untagged: TagScores | None = None,
        foreign: Floats | None = None,
    ) -> Self:
        """Fit to the training photos of the scores.

        Parameters
        ----------
        left_out : TagScores
            Leave-one-out scores of the n photos.
        tags : csr_array, shape (n, m)
        rejected : csr_array, shape (n, m), optional
            Non-zero if the user rejected tag j for photo i.
        kinds : TagScores, optional
            Scores of the photos, each left out with all photos that carry its tag; NaN for photos to skip.
        untagged : TagScores, optional
            Scores of a sample of untagged photos, for the share of new kinds and for `visible_`.
        foreign : ndarray of float64, shape (u,), optional
            Log odds that these photos are foreign, with the same u as in `untagged` if that is given. Default: no photo
            is foreign.

        Raises
        ------
        LearnerError
            If the shapes do not fit.
        """
        if not self.typical > 0:
            raise LearnerError(f"typical must be above 0, it is {self.typical}.")
        truth = (tags != 0).toarray()
        if left_out.tags.shape != truth.shape:
            raise LearnerError(f"Scores and tags differ in shape: {left_out.tags.shape} and {truth.shape}.")
        if untagged is not None and foreign is not None and len(untagged.tags) != len(foreign):
            raise LearnerError(
                f"There are scores of {len(untagged.tags)} untagged photos, but log odds of {len(foreign)}."
            )
        refused = np.zeros_like(truth) if rejected is None else (rejected != 0).toarray() & ~truth
        tagged, several = (int(np.count_nonzero(truth.sum(axis=1) >= least)) for least in (1, 2))
        scores = left_out.tags.astype(np.float64)
        known = tags_of_several(truth)
        self.exclusive_ = several <= MAX_MULTIPLE_SHARE * max(tagged, 1)
        self.frequency_ = np.maximum(truth.sum(axis=0), 0.5) / max(tagged, 1)
        self.thresholds_ = _thresholds(scores, truth)
        self.temperature_ = self.typical
        if self.exclusive_:
            self.temperature_ = _temperature(scores, truth, refused, known, self.typical)
        # The tag of the most similar photos was rejected, so the photo counts as a new kind.
        doubted = ~truth.any(axis=1) & refused[np.arange(len(truth)), scores.argmax(axis=1)]
        pool = self._fit_none(left_out, truth, known, doubted, kinds, untagged)
        self._fit_shares(pool, foreign)
        self.coefficients_ = self._fit_sigmoid(scores, truth, refused, known)
        self.visible_, self.shift_ = np.ones(truth.shape[1]), np.zeros(truth.shape[1])
        self.prevalence_ = truth.sum(axis=0) / max(tagged, 1)
        if untagged is not None and len(untagged.tags):
            self._fit_visible(left_out, truth, untagged, foreign)
        return self

    def _fit_visible(
        self, left_out: TagScores, truth: NDArray[np.bool_], untagged: TagScores, foreign: Floats | None
    ) -> None:
        """Fit the probability that the photos of a tag look unlike the untagged ones, and what depends on it."""
        pool = self.confidences(untagged, foreign=foreign)
        own, others, known = left_out.tags, untagged.tags, 1 - pool.foreign
        m, counts, beside = truth.shape[1], truth.sum(axis=0), max(float(known.sum()), _FEW)
        if m == 1:  # the scores of the only tag are all alike
            own, others = self.confidences(left_out).tags, pool.unless_foreign
        several = np.flatnonzero(counts > 1)
        precede, photos = np.full(m, _USUALLY), np.zeros(m)
        precede[several] = [_precede(own[truth[:, j], j], others[:, j], known) for j in several]
        # As in `_temperature`, a tag with few photos loses much when one of them is left out.
        photos[several] = 1 / (counts[several] / (counts[several] - 1) ** 2 + 1 / beside)
        if not self.exclusive_:  # nothing contradicts a tag of most photos
            photos *= np.maximum(1 - 2 * self.frequency_, 0)
        self.prevalence_ = counts / (np.count_nonzero(truth.any(axis=1)) + beside)
        stated = pool.tags.sum(axis=0) / beside
        for _ in range(_PASSES):
            # Untagged photos with the tag, as many as its confidences imply, are level with the tagged ones.
            alike = np.minimum(self.visible_ * stated + (1 - self.visible_) * self.prevalence_, _MAX_UNTAGGED_SHARE)
            self.visible_ = self._visible((precede - alike / 2) / (1 - alike), (1 - alike) * photos)
        if not self.exclusive_:
            usual = self.prevalence_ / np.maximum(stated, _FEW)
            self.shift_ = np.minimum(np.log(self.visible_ + (1 - self.visible_) * usual), 0.0)

    def _visible(self, ahead: Floats, weights: Floats) -> Floats:
        """Return the probability that tags are visible, from the share of photos that each precedes, and its weight."""
        mean, least, of_mean = _USUALLY, _LEAST_OF_SEVERAL, _OF_SEVERAL
        if self.exclusive_:  # else tags may be of different sorts: places, things, keywords
            usual = _OF_USUAL * len(ahead)
            mean = float((ahead @ weights + _USUALLY * usual) / (weights.sum() + usual))
            least, of_mean = _LEAST_OF_ONE, _OF_OTHERS
        photos = weights + of_mean
        ahead = (ahead * weights + mean * of_mean) / photos
        return np.asarray(scipy.special.ndtr((ahead - least) * np.sqrt(photos) / _OF_PHOTO), np.float64)

    def _fit_none(
        self,
        left_out: TagScores,
        truth: NDArray[np.bool_],
        known: NDArray[np.bool_],
        doubted: NDArray[np.bool_],
        kinds: TagScores | None,
        untagged: TagScores | None,
    ) -> Floats:
        """Fit the model of new kinds; return the log odds of the untagged photos, empty if unknown."""
        m, known_signs = truth.shape[1], _signs(left_out)
        count = known_signs.shape[1]
        start, rising = np.append(np.ones(count), 0.0), np.append(np.ones(count, bool), False)
        self.none_, self.none_share_ = start, 1 / (m + 1)
        self.center_, self.spread_ = np.zeros(count), np.ones(count)
        if not self.exclusive_ or kinds is None:
            self.none_share_ = 0.0
            return np.empty(0)
        finite = np.isfinite(known_signs).all(axis=1)
        old = known_signs[known & (truth.sum(axis=1) == 1) & finite]
        others = _signs(kinds)
        others = others[np.isfinite(kinds.tags).all(axis=1) & np.isfinite(others).all(axis=1)]
        pool = np.empty((0, count)) if untagged is None else _signs(untagged)
        # With a single tag on several photos, leaving it out leaves next to nothing to resemble; untagged photos are
        # mostly new then.
        several = np.count_nonzero(truth.sum(axis=0) > 1)
        new = np.concatenate([others if several > 1 else pool, known_signs[doubted & finite]])
        if not len(old):
            self.none_share_ = _UNNAMED / (m + _UNNAMED)
        scale = np.concatenate([old, new if len(old) else pool])
        if len(scale) < 2:
            return np.empty(0)
        self.center_, self.spread_ = scale.mean(axis=0), np.maximum(scale.std(axis=0), _FEW)
        if len(old) and len(new):
            design = self._design(np.concatenate([old, new]))
            is_new = np.arange(len(design)) >= len(old)
            start[-1] = np.log(len(new) / len(old))  # even odds if they were equally frequent
            self.none_ = calibrate(design, is_new.astype(np.float64), start, rising)
            self.none_[-1] -= start[-1]
        return self._design(pool) @ self.none_ if len(old) else np.empty(0)

    def _fit_shares(self, new: Floats, foreign: Floats | None) -> None:
        """Fit the shares of new kinds and of foreign photos among the untagged ones, from their log odds."""
        self.foreign_share_ = 0.0 if foreign is None else FOREIGN
        self.outliers_ = _OUTLIERS if foreign is not None and len(foreign) else 0.0
        count = max(len(new), 0 if foreign is None else len(foreign))
        if not count:
            self.none_share_ *= 1 - self.foreign_share_
            return
        first = np.array([self.none_share_ if len(new) else 0.0, self.foreign_share_])
        known = foreign if foreign is not None and len(foreign) == count else None
        if known is not None:
            self.foreign_share_ = likeliest_share(known, self.foreign_share_)
        odds = _odds_of(new if len(new) else np.full(count, -np.inf), known, self.foreign_share_)
        shares = likeliest_shares(odds, first)
        self.foreign_share_ = float(shares[1])
        # Without log odds of new kinds, their share is that of the photos that are not foreign.
        self.none_share_ = float(shares[0]) if len(new) else self.none_share_ * (1 - self.foreign_share_)

    def _check_fitted(self) -> None:
        if "exclusive_" not in vars(self):
            raise NotFittedError("TagConfidence is not fitted yet: call fit first.")

    def _odds(self, scores: TagScores | None, foreign: Floats | None, count: int) -> Floats:
        """Return the odds (n, 2) of "new kind" and "foreign" against "known"."""
        new = np.full(count, -np.inf)
        if scores is not None and self.none_share_ > 0:
            new = self._design(_signs(scores)) @ self.none_
        return _odds_of(new, foreign, self.foreign_share_)

    def _design(self, signs: Floats) -> Floats:
        return np.column_stack([-(signs - self.center_) / self.spread_, np.ones(len(signs))])

    def _fit_sigmoid(
        self, scores: Floats, truth: NDArray[np.bool_], refused: NDArray[np.bool_], known: NDArray[np.bool_]
    ) -> Floats:
        """Fit the sigmoid to all photos and tags; for untagged photos only rejections are known."""
        above = scores - self.thresholds_
        last = min(_FITTED_TAGS, above.shape[1]) - 1
        best = above >= -np.partition(-above, last, axis=1)[:, [last]]
        row, column = np.nonzero((known[:, None] & best) | refused)
        if not len(row) or self.exclusive_:
            return _START.copy()
        right = truth[row, column]
        design = _columns(scores[row, column], self.thresholds_[column], self.frequency_[column])
        # The tags of a photo are right or wrong together.
        targets = platt_targets(right, len(np.unique(row[right])))
        return calibrate(design, targets, _START, _RISING)

    def shares_by_folder(
        self, scores: TagScores | None, foreign: Floats, folders: NDArray[np.intp], count: int
    ) -> Floats:
        """Return the shares of new kinds and of foreign photos among the untagged photos of each folder.

        Photos of one folder were often taken on one occasion, so that the others tell whether a photo is of a tagged
        kind. The shares maximize the likelihood; those of the library count for ten photos.

        Parameters
        ----------
        scores : TagScores or None
            Scores of the q photos; None if new kinds are not estimated.
        foreign : ndarray of float64, shape (q,)
            Log odds that they are foreign.
        folders : ndarray of intp, shape (q,)
            Their folders, 0 to count - 1.
        count : int

        Returns
        -------
        ndarray of float64, shape (count, 2)

        Raises
        ------
        NotFittedError
        """
        self._check_fitted()
        shares = np.array([self.none_share_, self.foreign_share_])
        odds = self._odds(scores, foreign, len(foreign))
        return likeliest_shares_by_group(odds, folders, count, shares, OF_FOLDER)

    def confidences(
        self,
        scores: TagScores,
        *,
        foreign: Floats | None = None,
        p_values: Floats | None = None,
        shares: Floats | None = None,
        tagged: bool = False,
    ) -> Confidences:
        """Return calibrated confidences.

        Parameters
        ----------
        scores : TagScores
            Scores of q photos.
        foreign : ndarray of float64, shape (q,), optional
            Log odds that they are foreign; default: they are not.
        p_values : ndarray of float64, shape (q,), optional
            Value of `Confidences.p_values`.
        shares : ndarray of float64, shape (q, 2), optional
            Shares of new kinds and of foreign photos in the folders of the photos; default: those of the library.
        tagged : bool
            Whether the photos are known to have tags: it then does not matter whether other photos show them.

        Raises
        ------
        NotFittedError
        """
        self._check_fitted()
        z = scores.tags.astype(np.float64)
        odds = self._odds(scores, foreign, len(z))
        if shares is None:
            shares = np.array([[self.none_share_, self.foreign_share_]])
        parts = odds * shares
        bounded = parts[:, 0] + parts[:, 1] / (1 - self.outliers_ + self.outliers_ * odds[:, 1])
        none = bounded / (1 - shares.sum(axis=1) + bounded)
        strange = none * parts[:, 1] / np.maximum(parts.sum(axis=1), _MIN_PROBABILITY)
        p = np.ones(len(z)) if p_values is None else p_values
        if self.exclusive_:
            visible = np.ones(len(self.visible_)) if tagged else self.visible_
            tags = softmax(z, self.temperature_) * (1 - none)[:, None] * visible
            rest = 1 - tags.sum(axis=1, keepdims=True) - strange[:, None]
            tags += (1 - visible) * self.prevalence_ * np.maximum(rest, 0)
            return Confidences(tags, 1 - tags.sum(axis=1), tags, strange, p)
        above = z - self.thresholds_
        of_score, of_above, of_frequency, constant = self.coefficients_
        log_odds = of_score * np.log(np.maximum(z, _MIN_SCORE)) + of_above * above
        log_odds += of_frequency * np.log(self.frequency_) + constant
        if not tagged:
            log_odds += self.shift_
        return Confidences(sigmoid(log_odds) * (1 - none)[:, None], none, above, strange, p)


def softmax(scores: Floats, temperature: float) -> Floats:
    """Return ``exp(scores / T)`` divided by their sum over a row: float64 (q, m), rows of sum 1."""
    z = scores / temperature
    found = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _precede(own: NDArray[np.floating], others: NDArray[np.floating], weights: Floats) -> float:
    """Return the share of pairs, by weights (q,), in which the first score exceeds the second; ties count half."""
    order = np.argsort(others)
    sums = np.append(0.0, np.cumsum(weights[order]))
    below, upto = (sums[np.searchsorted(others, own, side, sorter=order)] for side in ("left", "right"))
    return float((below + upto).mean() / (2 * max(sums[-1], _MIN_PROBABILITY)))


def _signs(scores: TagScores) -> Floats:
    """Return the features of new kinds, float64 (q, 2) or (q, 3), which are lower for these."""
    signs = [scores.tags.max(axis=1), scores.nearest]
    return np.column_stack(signs if scores.nearer is None else [*signs, scores.nearer]).astype(np.float64)


def _columns(score: Any, threshold: Any, frequency: Any) -> Floats:
    shape = np.broadcast_shapes(np.shape(score), np.shape(threshold), np.shape(frequency))
    columns = [np.log(np.maximum(score, _MIN_SCORE)), score - threshold, np.log(frequency), 1.0]
    return np.stack([np.broadcast_to(np.asarray(one, np.float64), shape) for one in columns], axis=-1)


def _thresholds(scores: Floats, truth: NDArray[np.bool_]) -> Floats:
    """Return thresholds above which as many photos are predicted as carry the tag, half way to the next score."""
    n = len(scores)
    falling = -np.sort(-scores, axis=0)
    count = np.clip(truth.sum(axis=0), 1, n)
    column = np.arange(scores.shape[1])
    return np.asarray((falling[count - 1, column] + falling[np.minimum(count, n - 1), column]) / 2)


def _temperature(
    scores: Floats, truth: NDArray[np.bool_], refused: NDArray[np.bool_], known: NDArray[np.bool_], typical: float
) -> float:
    """Return the temperature with the highest likelihood of photos left out, with the typical one as prior."""
    rows, columns = np.nonzero(refused)
    # Leaving out one of two photos hides half of what is known about the tag, one of ten a tenth.
    weight = _WEIGHT / max(float(np.median(truth.sum(axis=0))), 1.0) ** 2
    losses = []
    for temperature in _TEMPERATURES:
        share = softmax(scores, float(temperature))
        right = (share * truth).sum(axis=1)[known]
        wrong = 1 - share[rows, columns]
        prior = weight * np.log(temperature / typical) ** 2
        losses.append(prior - np.log(np.maximum(np.concatenate([right, wrong]), _FEW)).sum())
    return float(_TEMPERATURES[int(np.argmin(losses))])


def _odds_of(new: Floats, foreign: Floats | None, share: float) -> Floats:
    """Return the odds (n, 2) of "new kind" and "foreign" against "known", from their log odds (n,).

    `share` is that of foreign photos: with more of them, log odds differ more between photos, and less is needed for a
    photo to be foreign. Their sum with the log odds of the share is comparable between libraries.
    """
    if foreign is None or not share:
        return np.column_stack([_limited(new), np.zeros(len(new))])
    like = np.maximum(foreign + np.log(share / (1 - share)), _MIN_POSTERIOR_ODDS) - _OF_KNOWN
    return np.column_stack([_limited(new + _LIKE_FOREIGN * like), _limited(foreign)])


def _limited(log_odds: Floats) -> Floats:
    return np.asarray(np.exp(np.clip(log_odds, -_MAX_LOG_ODDS, _MAX_LOG_ODDS)), np.float64)
