# SPDX-License-Identifier: MIT
"""DistBoost: a distance boosted from constrained mixture models (Hertz, Bar-Hillel, Weinshall 2004)."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.boosted.bdm import BLEND, BLEND_PAIRS, leading_axes
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import Auto
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport
from focal_photos.learners.core.learner.blend import auto_blend
from focal_photos.learners.core.learner.storage_layout import StorageLayout
from focal_photos.learners.core.linalg import blocks, one_thread
from focal_photos.learners.core.side_information import SideInformation

_FEWEST = 6
_MOST_OF_TAGS = 64
_MOST_OF_PAIRS = 30
_ITERATIONS = 8
_RIDGE = 0.3
_LARGEST_EDGE = 0.999
_SAMPLE = 2000
_TAGGED = 20_000
_ABSENT_LOG_WEIGHT = -1e30
"""Logarithm of the weight of an absent component."""


class MixtureCodes(NamedTuple):
    """Codes of photos from which `DistBoost` computes distances."""

    components: NDArray[np.uint8]
    """The most probable component of each round's mixture; shape (n, T)."""
    probabilities: NDArray[np.float32]
    """Probability of that component; shape (n, T)."""
    plain: NDArray[np.float32]
    """Coordinates of the Euclidean part; shape (n, r)."""


class DistBoost(DistanceLearner):
    """DistBoost: boosting over pairs of photos, with Gaussian mixtures as weak learners.

    Each round fits a mixture in which the photos of a chunklet share their component, to photos weighted by the errors
    of their pairs. The similarity of two photos is ``h = +-p(x) p(x')`` with the probabilities of their most probable
    components, + if the component is the same. The distance is the weighted mean of ``(1 - h) / 2`` over the rounds.

    Not a metric: the triangle inequality need not hold, and the distance of a photo to itself is above 0 if its
    component is uncertain, so a focal image need not be first in its own ranking.

    Parameters
    ----------
    rounds : int
        T; a round whose mixture is no better than chance is skipped.
    components : int or None
        Components of each mixture, at most 255; None: the number of different tags, at least 6 and at most 64, or
        without tags ``2 sqrt(judged pairs)``, at least 6 and at most 30.
    n_components : int
        Principal axes on which the mixtures are fitted.
    euclidean_blend : float or "auto"
        Weight of the squared Euclidean distance relative to the learned one, both divided by their means; 0: none.
        Auto: see `learners.boosted.bdm.BoostedMetric`.
    output_components : int
        Principal axes of the Euclidean part.
    dense : int
        Maximum number of tagged photos for which all pairs are used; for more, pairs are sampled.
    pairs_per_photo : int
        Number of similar and of dissimilar pairs sampled for each photo in that case.
    random_state : int
        Seed of the samples and of the mixtures' first centres.

    Attributes
    ----------
    coefficients_ : ndarray of float64, shape (d, T k)
    intercepts_ : ndarray of float64, shape (T, k)
        With one covariance for all components of a mixture, the logarithms of their probabilities are, up to a common
        term, linear in x: ``(x - center_) @ coefficients_ + intercepts_``.
    alphas_ : ndarray of float64, shape (T,)
        Weights of the rounds, with sum 1.
    axes_ : ndarray of float64, shape (d, r)
        Axes of the Euclidean part, scaled to its share.

    Notes
    -----
    AdaBoost with weights that are uniform within similar and within dissimilar pairs, eight iterations of EM, and a
    ridge of 0.3 of the mean variance (ALGORITHMS.md, 6.4). If no round helps, or no pair is dissimilar and
    `euclidean_blend` is auto, the distance is the squared Euclidean one.

    Cost of `fit`: per round n p^2 + 8 n p k for the mixture with n photos on p axes, plus the number of pairs. Ranking
    N photos takes N T with stored codes (`codes`), without evaluating pairs.

    References
    ----------
    .. [1] T. Hertz, A. Bar-Hillel, D. Weinshall, "Boosting margin based distance functions for clustering", ICML 2004.
       doi:10.1145/1015330.1015389

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.boosted.dist_boost import DistBoost
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0], [0, 8], [1, 0], [1, 8]])
    >>> metric = DistBoost(euclidean_blend=0).fit(X, SideInformation.from_labels([0, 0, 1, 1]))
    >>> metric.distances_from(X[0], X).round(2)
    array([0.47, 0.47, 0.53, 0.53])
    """

    name: ClassVar[str] = "dist-boost"
    title: ClassVar[str] = "DistBoost"
    family: ClassVar[str] = "Boosted"
    summary: ClassVar[str] = "Votes of many mixture models on whether two photos belong together"
    source: ClassVar[str] = "Hertz et al. 2004"
    is_metric: ClassVar[bool] = False
    gains_by_neighbors: ClassVar[bool] = False  # the mixtures already group the photos

    center_: NDArray[np.float64]
    coefficients_: NDArray[np.float64]
    intercepts_: NDArray[np.float64]
    alphas_: NDArray[np.float64]
    axes_: NDArray[np.float64]

    def __init__(
        self,
        rounds: int = 50,
        components: int | None = None,
        n_components: int = 60,
        euclidean_blend: float | Auto = "auto",
        output_components: int = 64,
        dense: int = 1500,
        pairs_per_photo: int = 50,
        random_state: int = 0,
    ) -> None:
        self.rounds = rounds
        self.components = components
        self.n_components = n_components
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.dense = dense
        self.pairs_per_photo = pairs_per_photo
        self.random_state = random_state

    # ---------------------------------------------------------------- distances

    def codes(self, X: ArrayLike) -> MixtureCodes:
        """Return the codes of photos, float (n, d): 5 bytes per round and photo, and the Euclidean part."""
        self.check_fitted()
        return self._codes(self._rows(X))

    def _codes(self, samples: NDArray[Any]) -> MixtureCodes:
        T, k = self.intercepts_.shape
        components = np.empty((len(samples), T), dtype=np.uint8)
        probabilities = np.empty((len(samples), T), dtype=np.float32)
        plain = np.empty((len(samples), self.axes_.shape[1]), dtype=np.float32)
        for part in blocks(len(samples), 2048):
            centred = samples[part].astype(np.float64) - self.center_
            plain[part] = centred @ self.axes_
            if T:
                logits = (centred @ self.coefficients_).reshape(-1, T, k) + self.intercepts_
                components[part], probabilities[part] = _most_probable(logits)
        return MixtureCodes(components, probabilities, plain)

    def code_distances(self, query: MixtureCodes, gallery: MixtureCodes) -> NDArray[np.float64]:
        """Return the distances (N,), each >= 0, of N photos of a gallery to one query, or to N queries row by row."""
        distances = np.empty(len(gallery.components))
        for part in blocks(len(distances)):
            own = slice(0, 1) if len(query.components) == 1 else part
            same = gallery.components[part] == query.components[own]
            h = np.where(same, gallery.probabilities[part], -gallery.probabilities[part])
            h *= query.probabilities[own]
            delta = gallery.plain[part].astype(np.float64) - query.plain[own]
            euclidean = np.einsum("ij,ij->i", delta, delta)
            learned = (1.0 - np.einsum("ij,j->i", h, self.alphas_)) / 2 if len(self.alphas_) else 0.0
            distances[part] = np.maximum(learned, 0.0) + euclidean
        return distances

    def storage_layout(self) -> StorageLayout:
        """Return the storage layout: each round's component and probability, then the Euclidean part."""
        return _Mixtures(self)

    def _pair_distance(self, A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
        return self.code_distances(self._codes(A), self._codes(B))

    def _distances_from(self, query: NDArray[Any], gallery: NDArray[Any]) -> NDArray[np.float64]:
        with one_thread():
            return self.code_distances(self._codes(query), self._codes(gallery))

    # ---------------------------------------------------------------- learning

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        self._check_parameters()
        rng = np.random.default_rng(self.random_state)
        rows, pairs, signs, weights = self._pairs(side_information)
        sample = X[np.sort(rng.permutation(len(X))[:_SAMPLE])].astype(np.float64)
        center = sample.mean(axis=0)
        sample -= center
        axes = leading_axes(sample, self.n_components)
        size = float((sample @ axes).std(axis=0).max()) or 1.0
        axes = axes / size
        Y = (X[rows].astype(np.float64) - center) @ axes
        chunklets = chunklets_of(side_information, len(X), rows)
        k = self._count(side_information)
        coefficients, intercepts, alphas = [], [], []
        # Without dissimilar pairs, a single component gets every pair right, and mixtures are worse than the unlearned
        # distance; they are fitted only if the user chose the blend.
        worthwhile = bool((signs < 0).any()) or self.euclidean_blend != "auto"
        for t in range(self.rounds if worthwhile else 0):
            report(0.05 + 0.9 * t / self.rounds)
            point_weights: NDArray[np.float64] = np.zeros(len(Y))
            for end in pairs.T:
                point_weights += np.bincount(end, weights, len(Y))
            linear, constant = fit_mixture(Y, point_weights, chunklets, k, rng)
            components, probabilities = _most_probable((Y @ linear)[:, None] + constant)
            component, probability = components[:, 0], probabilities[:, 0].astype(np.float64)
            i, j = pairs.T
            h = np.where(component[i] == component[j], 1.0, -1.0) * probability[i] * probability[j]
            edge = float(weights @ (signs * h))
            if not edge > 1e-6:
                continue
            edge = min(edge, _LARGEST_EDGE)
            alpha = np.log((1 + edge) / (1 - edge)) / 2
            weights = weights * np.exp(-alpha * signs * h)
            weights /= weights.sum()
            coefficients.append(axes @ linear)
            intercepts.append(constant)
            alphas.append(alpha)
        report(0.95)
        state = {
            "center_": center,
            "coefficients_": np.hstack([np.empty((X.shape[1], 0)), *coefficients]),
            "intercepts_": np.array(intercepts).reshape(-1, k),
            "alphas_": np.array(alphas) / max(sum(alphas), 1e-300),
            "n_features_in_": X.shape[1],
        }
        blend = self.euclidean_blend
        if blend == "auto":
            blend = auto_blend(side_information, BLEND, BLEND_PAIRS)
        state["axes_"] = self._axes(sample, state, blend, rng)
        return state

    def _check_parameters(self) -> None:
        if min(self.rounds, self.n_components, self.output_components) < 1:
            raise LearnerError("rounds, n_components and output_components must be at least 1.")
        if self.components is not None and not 2 <= self.components <= 255:
            raise LearnerError(f"components must lie in 2..255, it is {self.components}.")
        if self.euclidean_blend != "auto" and not self.euclidean_blend >= 0:
            raise LearnerError(f"euclidean_blend must be at least 0, it is {self.euclidean_blend}.")

    def _count(self, side: SideInformation) -> int:
        if self.components is not None:
            return self.components
        if len(side.tagged) and side.tags is not None:
            used = int((np.bincount(side.tags.indices) > 1).sum())
            return min(max(_FEWEST, used), _MOST_OF_TAGS)
        judged = len(side.similar) + len(side.dissimilar)
        return min(max(_FEWEST, round(2 * float(np.sqrt(judged)))), _MOST_OF_PAIRS)

    def _pairs(
        self, side: SideInformation
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
        """Return the training rows, pairs of positions among them (m, 2), signs +1 or -1, and weights of sum 1."""
        tagged = side.tagged
        if len(tagged) > _TAGGED:
            tagged = np.sort(np.random.default_rng(self.random_state).choice(tagged, _TAGGED, replace=False))
        if 1 < len(tagged) <= self.dense and side.tags is not None:
            carried = (side.tags[tagged] != 0).astype(np.float64)
            i, j = np.triu_indices(len(tagged), 1)
            shares = (carried @ carried.T).toarray()[i, j] > 0
            every = np.column_stack([tagged[i], tagged[j]]).astype(np.intp)
            drawn = SideInformation(side.similar, side.dissimilar)
            lists = [(drawn.similar, every[shares]), (drawn.dissimilar, every[~shares])]
        else:
            pairs = side.pairs(self.pairs_per_photo, self.random_state)
            keep = [
                np.isin(some, tagged).all(axis=1) | (np.arange(len(some)) < judged)
                for some, judged in ((pairs.similar, len(side.similar)), (pairs.dissimilar, len(side.dissimilar)))
            ]
            lists = [
                (side.similar, pairs.similar[keep[0]][len(side.similar) :]),
                (side.dissimilar, pairs.dissimilar[keep[1]][len(side.dissimilar) :]),
            ]
        parts, signs, weights = [], [], []
        for (judged, from_tags), sign in zip(lists, (1.0, -1.0), strict=True):
            voices = [some for some in (judged, from_tags) if len(some)]
            for some in voices:
                parts.append(some)
                signs.append(np.full(len(some), sign))
                weights.append(np.full(len(some), 1 / len(some) / len(voices)))
        joined = np.concatenate(parts)
        rows, places = np.unique(joined, return_inverse=True)
        weight = np.concatenate(weights)
        return rows.astype(np.intp), places.reshape(joined.shape), np.concatenate(signs), weight / weight.sum()

    def _axes(
        self, centred: NDArray[np.float64], state: dict[str, Any], blend: float, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the axes of the Euclidean part, scaled so that its mean squared distance is its share."""
        axes: NDArray[np.float64] = leading_axes(centred, self.output_components)
        plain = 2 * float((centred**2).mean(axis=0).sum())
        if not plain > 0:
            return axes
        if not len(state["alphas_"]):
            return np.asarray(axes * np.sqrt(2.0 / plain))
        learned = type(self)(**self.get_params())
        for attribute, value in (state | {"axes_": np.zeros((len(axes), 1))}).items():
            setattr(learned, attribute, value)
        other = rng.permutation(len(centred))
        mean = float(learned.pair_distance(centred + learned.center_, centred[other] + learned.center_).mean())
        return np.asarray(axes * np.sqrt(blend * mean / plain))


class _Mixtures(StorageLayout):
    """Component and probability of each round, then the Euclidean part."""

    def __init__(self, learner: DistBoost) -> None:
        self.learner = learner
        self._rounds = len(learner.alphas_)

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        codes = self.learner.codes(X)
        return np.hstack([codes.components.astype(np.float32), codes.probabilities, codes.plain])

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.learner.code_distances(self._codes(query[None]), self._codes(rows))

    def _codes(self, rows: NDArray[np.float32]) -> MixtureCodes:
        T = self._rounds
        return MixtureCodes(rows[:, :T].astype(np.uint8), rows[:, T : 2 * T], rows[:, 2 * T :])


def chunklets_of(side: SideInformation, n: int, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the chunklets (m,) of some of n photos, numbered from 0; a photo without similar ones forms its own."""
    numbers = side.chunklets(n)[rows]
    alone = numbers < 0
    numbers[alone] = numbers.max(initial=-1) + 1 + np.arange(int(alone.sum()))
    return np.unique(numbers, return_inverse=True)[1]


def fit_mixture(
    Y: NDArray[np.float64],
    weights: NDArray[np.float64],
    chunklets: NDArray[np.intp],
    k: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit a Gaussian mixture with one covariance by EM; the photos of a chunklet share their component.

    Parameters
    ----------
    Y : ndarray of float64, shape (n, p)
    weights : ndarray of float64, shape (n,)
        >= 0, not all 0.
    chunklets : ndarray of intp, shape (n,)
        Chunklet numbers 0, 1, ...
    k : int
        Number of components; reduced if fewer photos have a weight.
    rng : Generator
        Draws the first centres, by weight.

    Returns
    -------
    linear : ndarray of float64, shape (p, k)
    constant : ndarray of float64, shape (k,)
        ``Y @ linear + constant`` are the logarithms of the components' probabilities, up to a common term.
    """
    n, p = Y.shape
    w = weights * (n / weights.sum())
    usable = int((w > 0).sum())
    count = min(k, usable)
    means = Y[rng.choice(n, count, replace=False, p=w / w.sum())]
    shares = np.full(count, 1 / count)
    mean = w @ Y / n
    second = (Y * w[:, None]).T @ Y / n
    covariance = second - np.outer(mean, mean)
    linear, constant = _linear(means, shares, covariance, p)
    groups = int(chunklets.max()) + 1
    order = np.argsort(chunklets, kind="stable")
    starts = np.searchsorted(chunklets[order], np.arange(groups))
    for _ in range(_ITERATIONS):
        together = np.add.reduceat(((Y @ linear + constant) * w[:, None])[order], starts, axis=0)
        responsibilities = _softmax(together)[chunklets] * w[:, None]
        mass = responsibilities.sum(axis=0)
        alive = mass > 1e-9 * n
        if not alive.any():
            break
        responsibilities, mass = responsibilities[:, alive], mass[alive]
        means = responsibilities.T @ Y / mass[:, None]
        shares = mass / mass.sum()
        linear, constant = _linear(means, shares, second - (means * shares[:, None]).T @ means, p)
    found = linear.shape[1]
    all_linear, all_constant = np.zeros((p, k)), np.full(k, _ABSENT_LOG_WEIGHT)
    all_linear[:, :found], all_constant[:found] = linear, constant
    return all_linear, all_constant


def _linear(
    means: NDArray[np.float64], shares: NDArray[np.float64], covariance: NDArray[np.float64], p: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the linear form of the components' log probabilities."""
    spread = max(float(np.trace(covariance)) / p, 1e-12)
    # The ridge also compensates negative values due to rounding.
    linear = np.asarray(np.linalg.solve(covariance + _RIDGE * spread * np.eye(p), means.T), dtype=np.float64)
    return linear, np.asarray(np.log(shares) - np.einsum("kp,pk->k", means, linear) / 2)


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _most_probable(logits: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the most probable component and its probability, both (n, T), from logits (n, T, k)."""
    best = logits.max(axis=-1, keepdims=True)
    probabilities = 1.0 / np.exp(logits - best).sum(axis=-1)
    return logits.argmax(axis=-1).astype(np.uint8), probabilities.astype(np.float32)
