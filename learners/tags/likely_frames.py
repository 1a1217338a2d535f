# SPDX-License-Identifier: MIT
"""Which rectangle of a photo frames a thing, learned from scores of rectangles and from the sizes of other frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError

FITS: Final = 0.5
"""Overlap (intersection over union) from which a frame fits."""

_START: Final = np.array([4.0, 2.0, 0.5])
"""Prior coefficients: of the score, of the logarithm of the area, and of the log density of the size."""

_PULL: Final = np.array([0.45, 0.45, 4.0])
_TARGET: Final = 12.0
"""Sharpness of the wanted probabilities: they are proportional to exp(12 overlap)."""

_PROBABILITY_POWER: Final = 2.0
"""Power of the probabilities in the mean of rectangles: without it, the mean of unlikely ones pulls every frame towards
the middle of the photo."""

_SIDE, _VARIANCE = np.log(0.4), 0.3
"""Mean logarithm of the sides, as shares of those of the photo, and its variance, before any frame is seen."""

_OF_SIDE, _OF_VARIANCE = 2.0, 3.0
"""Weights of these, in frames."""

_LEAST_VARIANCE: Final = 0.05

Floats = NDArray[np.float64]


class SizePrior(NamedTuple):
    """Normal distribution of the logarithms of width and height."""

    mean: Floats
    variance: Floats
    """`mean` and `variance`: shape (2,)."""


class Frames(NamedTuple):
    """The likeliest frames of photos."""

    rectangles: Floats
    """Left, top, right and bottom; shape (q, 4)."""
    fits: Floats
    """Probability that the true frame overlaps by `FITS`, given that there is one; shape (q,)."""


def size_prior(own: Floats, every: Floats) -> SizePrior:
    """Return the distribution of the sizes of one kind of thing.

    Parameters
    ----------
    own, every : ndarray of float64, shape (n, 4) and (m, 4)
        Frames of this kind and of all kinds. With few of this kind, all count.
    """
    sizes, others = (np.log(one[:, 2:] - one[:, :2]) for one in (own, every))
    common = others.mean(axis=0) if len(others) else np.full(2, _SIDE)
    mean = (sizes.sum(axis=0) + _OF_SIDE * common) / (len(sizes) + _OF_SIDE)
    squares = ((sizes - mean) ** 2).sum(axis=0)
    variance = (squares + _OF_VARIANCE * _VARIANCE) / (len(sizes) + _OF_VARIANCE)
    return SizePrior(mean, np.maximum(variance, _LEAST_VARIANCE))


class LikelyFrames(Estimator):
    """Conditional logit model of the rectangle that frames a thing in a photo that shows it.

    The probability of rectangle R is proportional to ``exp(a s(R) + b log area(R) + c log p(size(R)))``, with its score
    s and the distribution p of the sizes of such things. The frame is the mean of the rectangles, weighted by the
    square of their probabilities, and again by their overlap with that mean.

    Attributes
    ----------
    coefficients_ : ndarray of float64, shape (3,)
        a, b and c; a and c are at least 0.

    Notes
    -----
    The best score alone prefers small rectangles: there are more of them, and their scores vary more. With 3 to 12
    kinds and 2 to 20 frames of each, the best of 55 windows fits in 15 to 25 % of photos that show a thing, the mean in
    30 to 53 % (ALGORITHMS.md, 12.10).

    References
    ----------
    .. [1] D. McFadden, "Conditional logit analysis of qualitative choice behavior", Frontiers in Econometrics (1974).

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.tags.likely_frames import LikelyFrames, size_prior
    >>> places = np.array([[0, 0, 0.5, 0.5], [0.1, 0.1, 0.6, 0.6], [0.5, 0.5, 1, 1]])
    >>> prior = size_prior(places, places)
    >>> model = LikelyFrames().fit([], [], places, [])
    >>> model.frames(np.array([[2.0, 2.0, 0.0]]), places, prior).rectangles.round(2)
    array([[0.05, 0.05, 0.55, 0.55]])
    """

    coefficients_: Floats

    def fit(
        self,
        scores: Sequence[Floats],
        overlaps: Sequence[Floats],
        rectangles: Floats,
        priors: Sequence[SizePrior],
    ) -> Self:
        """Fit to photos whose frame is known; without any, the prior coefficients remain.

        Parameters
        ----------
        scores : sequence of n ndarrays of float64, shape (r,)
            Scores of the rectangles of each photo.
        overlaps : sequence of n ndarrays of float64, shape (r,)
            Overlaps of the rectangles with the true frame of the photo.
        rectangles : ndarray of float64, shape (r, 4)
        priors : sequence of n SizePrior

        Raises
        ------
        LearnerError
            If the numbers of photos differ.
        """
        if not len(scores) == len(overlaps) == len(priors):
            raise LearnerError(f"There are {len(scores)} scores, {len(overlaps)} overlaps and {len(priors)} priors.")
        self.coefficients_ = _START.copy()
        if not len(scores):
            return self
        designs = np.stack([_design(one, rectangles, prior) for one, prior in zip(scores, priors, strict=True)])
        wanted = np.stack([_softmax(_TARGET * one) for one in overlaps])
        # The gradient needs the designs only through their wanted means and those under the model.
        aims = np.einsum("nr,nrc->c", wanted, designs)

        def loss(b: Floats) -> tuple[float, Floats]:
            z = designs @ b
            top = z.max(axis=1, keepdims=True)
            parts = np.exp(z - top)
            sums = parts.sum(axis=1, keepdims=True)
            value = float((top + np.log(sums)).sum() - aims @ b + 0.5 * _PULL @ (b - _START) ** 2)
            return value, np.einsum("nr,nrc->c", parts / sums, designs) - aims + _PULL * (b - _START)

        bounds = [(0.0, None), (None, None), (0.0, None)]
        found = scipy.optimize.minimize(loss, _START, jac=True, method="L-BFGS-B", bounds=bounds)
        self.coefficients_ = np.asarray(found.x, np.float64)
        return self

    def frames(self, scores: Floats, rectangles: Floats, prior: SizePrior) -> Frames:
        """Return the likeliest frame of each photo.

        Parameters
        ----------
        scores : ndarray of float64, shape (q, r)
            -inf for rectangles that are excluded.
        rectangles : ndarray of float64, shape (r, 4)
        prior : SizePrior
            Of the sizes of this kind of thing.

        Raises
        ------
        NotFittedError
        """
        if "coefficients_" not in vars(self):
            raise NotFittedError("LikelyFrames is not fitted yet: call fit first.")
        a, b, c = self.coefficients_
        z = a * scores + _sizes(rectangles, prior) @ np.array([b, c])
        weights = _softmax(_PROBABILITY_POWER * z)
        found = weights @ rectangles
        weights = weights * overlaps_of(found, rectangles)
        found = weights @ rectangles / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
        fits = (_softmax(z) * (overlaps_of(found, rectangles) >= FITS)).sum(axis=1)
        return Frames(found, fits)


def overlaps_of(some: Floats, others: Floats) -> Floats:
    """Return the intersections of rectangles (n, 4) and (m, 4) over their unions: float64 (n, m)."""
    low, high = np.maximum(some[:, None, :2], others[:, :2]), np.minimum(some[:, None, 2:], others[:, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=2)
    areas = [(one[:, 2:] - one[:, :2]).prod(axis=1) for one in (some, others)]
    return np.asarray(shared / (areas[0][:, None] + areas[1] - shared), np.float64)


def _design(scores: Floats, rectangles: Floats, prior: SizePrior) -> Floats:
    return np.column_stack([scores, _sizes(rectangles, prior)])


def _sizes(rectangles: Floats, prior: SizePrior) -> Floats:
    """Return the logarithm of the area and the log density of the size of rectangles (r, 4): float64 (r, 2)."""
    sides = np.log(rectangles[:, 2:] - rectangles[:, :2])
    density = -0.5 * ((sides - prior.mean) ** 2 / prior.variance).sum(axis=1)
    return np.column_stack([sides.sum(axis=1), density])


def _softmax(z: Floats) -> Floats:
    parts = np.exp(z - z.max(axis=-1, keepdims=True))
    return np.asarray(parts / parts.sum(axis=-1, keepdims=True), np.float64)
