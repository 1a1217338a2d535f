# SPDX-License-Identifier: MIT
"""The kernel metric of Chang & Yeung, and its stepwise variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.feature_space import FeatureFamily, families_of
from focal_photos.learners.core.kernels import MOST_EXACT, KernelPCA, shared
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import UNLIMITED, Unit, blended_root, is_unit
from focal_photos.learners.core.learner.candidate import Candidate, blends
from focal_photos.learners.core.learner.slider import BLEND_SLIDER, Slider
from focal_photos.learners.core.linalg import one_thread, root_of_rank, row_axes, symmetric_product
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.core.scatters import BETWEEN, DISSIMILAR, SIMILAR, WITHIN
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.kernel.answers import MOST_ANSWERS, JudgedPairs, PairInverse
from focal_photos.learners.kernel.judged_families import judged_weights
from focal_photos.learners.kernel.kernel_learner import NOTHING, Auto, KernelLearner, spreads, voices
from focal_photos.learners.kernel.rounds import COLUMNS, round_of

_EQUAL_WEIGHT_FEEDBACK: Final = 10.0
"""Similar pairs or tagged photos, per unit of `similar_prior`, at which the scatter of all photos has half the weight
in the prior of C_D."""

_MIN_FLOAT32_COMPONENTS: Final = 200
"""Components from which single precision saves time."""

_PRINTED: Final[dict[str, Any]] = {
    "similar_prior": 0.0,
    "dissimilar_prior": 0.0,
    "euclidean_blend": 0.0,
    "unit": False,
    "output_components": UNLIMITED,
    "exact": MOST_EXACT,
}
"""Parameters of both learners as printed."""

_ROOT: Final = 0.5
_ROUNDING: Final = 1e-12


class KernelMetric(KernelLearner):
    """Kernel metric learning from pairs and tags (Chang & Yeung 2006).

    Photos are mapped by kernel PCA (RBF kernel). In that space ``z = C_D^{1/2} C_S^{-1/2} y``, where ``C_S`` and
    ``C_D`` are the scatters of the differences of similar and of dissimilar pairs: directions in which similar photos
    differ shrink, and those in which dissimilar photos differ are stretched.

    Parameters
    ----------
    n_components : int or "auto"
        Number of kernel principal components p; auto: 600, or all if there are fewer.
    ridge : float or "auto"
        Relative ridge of the inverse square root; auto: 0.03, or without a prior 1 below 50 similar pairs (or tagged
        photos), 0.1 up to 500 and 0.03 above.
    gamma : float or "auto"
        Parameter of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    use_dissimilar : bool
        False: ignore dissimilar pairs. Without a prior this gives ``z = C_S^{-1/2} y``, the paper's variant; with a
        prior, ``C_D`` equals its prior.
    dissimilar_exponent : float
        0.5; -0.5 is printed in the paper and is wrong (see Notes).
    similar_prior : float
        Weight of the identity in ``C_S``, in judged pairs; 0 as in the paper.
    dissimilar_prior : float or "auto"
        Weight of the prior of ``C_D``, in pairs; 0 as in the paper. The prior is the scatter of all photos or, with few
        judgements, a scatter that leaves the photos in place (Notes). Auto: 2 p, and less if the judged dissimilar
        photos are nearer than random pairs: ``p max(2 r^6, 1/6)``, where r is the ratio of the mean squared distances.
    euclidean_blend : float
        Weight of the unlearned squared distance, relative to the learned one; 0 as in the paper.
    output_components : int
        Maximum dimension of the embedding: principal axes of the learned space.
    unit : bool or "auto"
        Whether to normalize the embedding to length 1; auto: from 16 dimensions on (see `core.learner.blend.is_unit`).
    exact : int
        Maximum number of photos for which kernel PCA is exact.
    landmarks : int
        Number of photos sampled for the Nyström map used above `exact`.
    random_state : int
        Seed of the landmarks and of the sample for gamma.
    weigh_answers : bool
        Similar pairs that the other judged pairs contradict count less (`learners.kernel.answers`); False: all have
        equal weight, as in the paper.
    families : tuple of FeatureFamily
        Families of the columns, weighted by the judged pairs (`learners.kernel.judged_families`) before the kernel;
        empty: the weights of the distance, as in the paper.

    Attributes
    ----------
    sums_ : ndarray of float64, shape (4, p, p)
    counts_ : ndarray of float64, shape (4,)
        All feedback, in the space of the map (`learners.core.scatters`), similar pairs by their weights. The sum of
        similar pairs includes those with fixed weights only; the others are in `differences_`. `partial_fit` adds to
        the sums, and the metric is always computed from all of them.
    A_ : ndarray of float64, shape (p, r)
        Map from kernel principal components to the embedding.
    similar_answers_, dissimilar_answers_ : ndarray of float64, shape (s, 2, q) and (t, 2, q)
    differences_ : ndarray of float64, shape (s, p)
        Judged pairs, stored while there are at most 1,000 (`learners.kernel.answers.JudgedPairs`): each further pair
        may change their weights.
    settled_ : float
        Total weight of the other similar pairs, which is fixed.
    similar_root_, within_root_ : ndarray of float64, shape (r, p) and (t, p)
    between_root_ : ndarray of float64, shape (p, p) or (0, p)
        Rows whose outer products sum to the scatters of these fixed pairs and within tags, and the square root of the
        scatter between tags; they make `partial_fit` fast.
    family_weights_ : dict of str to float
        Share of each family in the mean squared distance, if judgements changed it; empty otherwise.
    scale_ : ndarray of float64, shape (d,)
        Factors of the columns: square roots of the factors of their families.
    landmarks_, projection_, offset_, variances_, gamma_
        The map of the scaled photos, see `learners.core.kernels.KernelPCA`.

    Notes
    -----
    Equation 6 prints ``C_D^{-1/2}``, which shrinks what it should stretch and is worse than no learning; the sign here
    is + (ERRATA.md, C1; ALGORITHMS.md, 2.3, which also has the measured effect of each departure).

    Departures from the paper. (1) 300 judged pairs do not determine 600 directions: the prior of C_S is the identity,
    that of C_D the scatter T of all photos. The latter has the less weight, the nearer the judged dissimilar photos are
    to each other, because photos shown together, compared with random pairs, would teach that near means similar.
    Without similar pairs the photos must stay in place. With few of them, the prior of C_D is therefore
    ``T (w T + (1 - w + ridge) / p)^{-1}``, with T of trace 1, ``w = c / (c + s)``, c = 10 times `similar_prior`, and s
    similar pairs and tagged photos. (2) As similar pairs outnumber the directions, C_S is better determined, and its
    power changes from -1/2 to -1: ``-1/2 - s / (2 s + 4 p)`` with s pairs. (3) A share of Euclidean distance and
    embeddings of length 1 leave photos without judgements in place. (4) Tags contribute the scatters within and between
    them (ALGORITHMS.md, 5.5). With both kinds of feedback, the fewer of judged pairs and tagged photos count ten times,
    up to the weight of the others. (5) The embedding is rotated to its principal axes; beyond 256 nothing measurable
    remains. With only dissimilar pairs, ``C_S`` is the identity. (6) Answers may be wrong: `weigh_answers`. (7) The
    feature families are weighted: `families`.

    The parameters `printed` undo all of these except (4), which concerns feedback that the paper does not use. There
    remain the ridge, without which few pairs have no inverse root, and above 6,000 photos the Nyström map.

    Cost of `fit` with n photos, m landmarks, p components and s pairs: n m d + n m^2 + m^3 for the map (0.5 s for 5,000
    photos), (s + tagged photos) p^2 for the sums, an eigendecomposition of size p for the principal axes (with tags
    three more), and s p^2 + s^3 for the metric, because a power of the identity and s pairs differs from the identity
    only in their span. `partial_fit` costs the latter and a Cholesky decomposition of size p (ALGORITHMS.md, 2.5: 20 ms
    on one core after 300 + 300 pairs, two times more for the first judgement of a loaded metric that was not prepared).
    Its distances agree with those of `fit` to a relative 1e-5 if `output_components` truncates nothing; truncation at
    256 changes distances by .5 % on average and by up to 5 % at most.

    References
    ----------
    .. [1] H. Chang, D.-Y. Yeung, "Kernel-based distance metric learning for content-based image retrieval", Image and
       Vision Computing 25 (2007) 695-703, equations 4-6. doi:10.1016/j.imavis.2006.05.013

    Examples
    --------
    Photos 0 and 1 are similar, and so are 2 and 3, although they are farther apart than 0 and 2, which are dissimilar:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.kernel.kernel_metric import KernelMetric
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> KernelMetric(gamma=0.01).fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.04, 1.71, 2.  ])
    """

    name: ClassVar[str] = "kernel"
    title: ClassVar[str] = "Kernel metric"
    family: ClassVar[str] = "Kernel"
    summary: ClassVar[str] = "Pulls similar photos together and dissimilar ones apart, in the space of a kernel"
    source: ClassVar[str] = "Chang & Yeung 2006"
    sliders: ClassVar[tuple[Slider, ...]] = (BLEND_SLIDER,)
    is_quick: ClassVar[bool] = True
    follows_judgements: ClassVar[bool] = True
    printed: ClassVar[Mapping[str, Any] | None] = _PRINTED | {
        "weigh_answers": False,
        "families": (),
    }
    # For few judgements: directions that pull similar photos together, with a small weight next to Euclidean distance.
    candidates: ClassVar[tuple[Candidate, ...]] = blends(0.25, 1.0, 4.0)

    sums_: NDArray[np.float64]
    counts_: NDArray[np.float64]
    settled_: float
    similar_answers_: NDArray[np.float64]
    dissimilar_answers_: NDArray[np.float64]
    similar_root_: NDArray[np.float64]
    scale_: NDArray[np.float64]
    family_weights_: dict[str, float]
    differences_: NDArray[np.float64]
    _known_pairs: PairInverse | None = None

    def __init__(
        self,
        n_components: int | Auto = "auto",
        ridge: float | Auto = "auto",
        gamma: float | Auto = "auto",
        use_dissimilar: bool = True,
        dissimilar_exponent: float = 0.5,
        similar_prior: float = 1.0,
        dissimilar_prior: float | Auto = "auto",
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
        weigh_answers: bool = True,
        families: tuple[FeatureFamily, ...] = (),
    ) -> None:
        super().__init__(
            n_components,
            ridge,
            gamma,
            use_dissimilar,
            dissimilar_exponent,
            similar_prior,
            dissimilar_prior,
            euclidean_blend,
            output_components,
            exact,
            landmarks,
            random_state,
            unit,
        )
        self.weigh_answers = weigh_answers
        self.families = families

    @property
    def _weighs(self) -> bool:
        return self.weigh_answers and self.use_dissimilar

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        families = families_of(self.families, X.shape[1])
        factors, weights = judged_weights(X, families, side_information, self.random_state)
        scale = np.ones(X.shape[1])
        for family, factor in zip(families, factors, strict=True):
            scale[family.start : family.stop] = np.sqrt(factor)
        if len(weights):
            # One array for all candidates, which share its map.
            unscaled = X
            X = shared(("scaled", scale.tobytes()), (unscaled,), lambda: _scaled(unscaled, scale))
        kernel_map = self._fit_map(X)
        report(0.5)

        def heard() -> _Feedback:
            sums, counts = self._sums(kernel_map, X, SideInformation(tags=side_information.tags))
            answers, differences = JudgedPairs.of(kernel_map, X, side_information)
            sums[DISSIMILAR], counts[DISSIMILAR] = differences.T @ differences, len(differences)
            tags = 0 if side_information.tags is None else side_information.tags.shape[1]
            settled = _Roots.of(sums, np.empty((0, kernel_map.n_components)), tags)
            common = answers.inverse() if self._weighs else None
            return _Feedback.weighed(sums, counts, settled, 0.0, answers, self._weighs, common)

        key = ("feedback", self.n_components, self.gamma, self.exact, self.landmarks, self.random_state, self._weighs)
        feedback = shared(key, (X, side_information), heard)
        report(0.8)
        # For candidates that differ only in the weight of Euclidean distance, all but the last step is the same.
        others = (self.ridge, self.use_dissimilar, self.dissimilar_exponent, self.similar_prior, self.dissimilar_prior)
        M = shared(
            ("metric", *key, *others),
            (X, side_information),
            lambda: self._metric(kernel_map, feedback.sums, feedback.counts, feedback.roots),
        )
        A = self._output(M, kernel_map.variances)
        return {
            "landmarks_": kernel_map.landmarks,
            "projection_": kernel_map.projection,
            "offset_": kernel_map.offset,
            "variances_": kernel_map.variances,
            "gamma_": kernel_map.gamma,
            "scale_": scale,
            "family_weights_": {
                family.name: float(weight) for family, weight in zip(families, weights, strict=len(weights) > 0)
            },
            "A_": A,
            "unit_": is_unit(self.unit, A.shape[1]),
            **feedback.state(),
        }

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        return super()._embed(self._weighted(X))

    def _add_steps(self, steps: MapSteps, x: int) -> int:
        return super()._add_steps(steps, steps.times(x, self.scale_) if vars(self).get("family_weights_") else x)

    def _weighted(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return photos with weighted families; metrics of earlier versions have no weights."""
        return _scaled(X, self.scale_) if vars(self).get("family_weights_") else X

    def prepare(self) -> None:
        """Compute and cache the inverse of the judged pairs, which `fit` leaves here but no file contains."""
        answers = JudgedPairs.saved(vars(self), len(self.variances_))
        if self._weighs and self._common(answers) is None:
            with one_thread():
                self._known_pairs = answers.inverse()

    def _add(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        """Add feedback on the rows of X.

        The map remains that of `fit`. With the same X, judged pairs added in two calls have the same effect as in one;
        tags are compared with the tags of the same call only. All p axes of the embedding are retained, without
        rotation: `output_components` applies to `fit`.
        """
        samples, side = self._named(X, side_information.absolute())
        samples = self._weighted(samples)
        with one_thread():
            kernel_map, counts = self._map, self.counts_.copy()
            settled = _Roots.saved(vars(self)) or _Roots.of(self.sums_)
            before = JudgedPairs.saved(vars(self), kernel_map.n_components)
            similar_count = float(vars(self).get("settled_", counts[SIMILAR]))
            sums = np.zeros(self.sums_.shape)  # feedback that is missing touches no memory
            for kind in (SIMILAR, WITHIN, BETWEEN):
                if similar_count if kind == SIMILAR else counts[kind]:
                    sums[kind] = self.sums_[kind]
            if side.tags is not None:
                more, number = self._sums(kernel_map, samples, SideInformation(tags=side.tags))
                sums += more
                counts += number
                if number[WITHIN]:
                    settled = _Roots.of(sums, settled.similar)
            found, differences = JudgedPairs.of(kernel_map, samples, side)
            if len(differences) == 1:
                np.multiply(differences.T, differences, out=sums[DISSIMILAR])
            else:
                np.matmul(differences.T, differences, out=sums[DISSIMILAR])
            sums[DISSIMILAR] += self.sums_[DISSIMILAR]
            counts[DISSIMILAR] += len(differences)
            answers = before | found
            common = answers.inverse(self._common(before)) if self._weighs else None
            feedback = _Feedback.weighed(sums, counts, settled, similar_count, answers, self._weighs, common)
            report(0.5)
            # A share of Euclidean distance bounds the condition number, so single precision suffices.
            halved = self.euclidean_blend > 0 and kernel_map.n_components >= _MIN_FLOAT32_COMPONENTS
            precision = np.float32 if halved else np.float64
            M = self._metric(kernel_map, feedback.sums, feedback.counts, feedback.roots, precision)
            A = blended_root(M, kernel_map.variances, self.euclidean_blend).astype(np.float64)
        return {"A_": A, "_known_map": kernel_map, **feedback.state()}

    def _common(self, answers: JudgedPairs) -> PairInverse | None:
        """Return the cached inverse of these answers, which is not a fitted attribute; None if there is none."""
        cached = self._known_pairs
        if cached is None or cached.similar is not answers.similar or cached.dissimilar is not answers.dissimilar:
            return None
        return cached

    def _priors(
        self, counts: NDArray[np.float64], total: NDArray[np.float64], ridge: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the diagonals, (p,), of the priors: the identity, and the prior of C_D if C_S is unknown."""
        p, spread = len(total), float(total.sum())
        if not spread > 0:
            return total, total
        own = total / spread
        heard = float(counts[[SIMILAR, WITHIN]].sum())
        calm = _EQUAL_WEIGHT_FEEDBACK * self.similar_prior
        share = calm / (calm + heard) if calm + heard > 0 else 0.0
        level = own / (share * own + (1 - share + max(ridge, _ROUNDING)) / p)
        return np.full(p, spread / p), level * (spread / level.sum())

    def _metric(
        self,
        kernel_map: KernelPCA,
        sums: NDArray[np.float64],
        counts: NDArray[np.float64],
        known: _Roots,
        precision: type[np.floating] = np.float64,
    ) -> NDArray[Any]:
        """Return the metric (p, p), decomposing nothing larger than the number of similar pairs and tagged photos.

        C_S is a multiple of the identity outside the span of its pairs, and so is every power of it. Decompositions are
        in double precision, later products in `precision`.
        """
        total = kernel_map.variances  # diagonal of the scatter of all photos
        if self.dissimilar_exponent != _ROOT or self._ridged:
            return self._squared_factor(sums, counts, known, total)
        p, all_photos = len(total), float(total.sum())
        ridge, power = self._ridge(float(counts[[SIMILAR, WITHIN]].sum())), self._similar_exponent(counts, p)
        alike, apart = self._priors(counts, total, ridge)
        root = known.between if len(known.between) and spreads(sums[BETWEEN], total) else None
        C_D = self._between(sums, counts, total, apart, root if self.use_dissimilar else None, precision)
        judged, tagged = voices(float(counts[SIMILAR]), float(counts[WITHIN]))
        pairs = np.square(known.similar).sum() if known.products is None else np.trace(known.products)
        spread = pairs, np.trace(sums[WITHIN]) if tagged else 0.0
        weights = [
            weight / own if weight > 0 and own > NOTHING * all_photos else 0.0
            for own, weight in zip(spread, (judged, tagged), strict=True)
        ]
        prior = self.similar_prior if spreads(alike, total) else 0.0
        heard = prior + (weights[0] > 0) * judged + (weights[1] > 0) * tagged
        if not heard:
            prior = heard = 1.0
        shares = np.sqrt(weights[0] / heard), np.sqrt(weights[1] / heard)
        if len(known.similar) or not len(known.within):
            rows, factor = known.similar, shares[0] ** 2
            if len(known.within):
                rows, factor = np.concatenate([rows * shares[0], known.within * shares[1]]), 1.0
            size, axes = row_axes(rows, p, precision, known.products if rows is known.similar else None)
            size = size * factor
        else:  # these rows are orthogonal
            lengths = np.linalg.norm(known.within, axis=1)
            size, axes = (lengths * shares[1]) ** 2, (known.within / lengths[:, None]).T
        level = prior / heard / p + ridge / p
        if not level > 0 or not all_photos > 0:
            return self._squared_factor(sums, counts, known, total)
        # With full rank nothing is left outside the span; for a small level, its power would only lose precision.
        rest = float(level**power) if len(size) < p else 0.0
        change = (level + size) ** power - rest
        axes, change = axes.astype(precision, copy=False), change.astype(precision, copy=False)
        if C_D is None:
            M = (axes * ((rest + change) ** 2 - rest**2)) @ axes.T
            M[np.diag_indices(p)] += rest**2
            return np.asarray(M)
        # (rest I + V e V') C (rest I + V e V') by products as narrow as V.
        thin = C_D @ axes
        inner = symmetric_product(axes, thin) * (change / 2)
        thin *= rest * change
        thin += axes @ (change[:, None] * inner)
        half = thin @ axes.T
        C_D *= rest**2
        C_D += half
        C_D += half.T
        return np.asarray(C_D)

    def _squared_factor(
        self, sums: NDArray[np.float64], counts: NDArray[np.float64], known: _Roots, total: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the metric (p, p), decomposing matrices of all p components."""
        every = sums.copy()
        every[SIMILAR] = known.similar.T @ known.similar
        A = self._factor(every, counts, total)
        return np.asarray(A @ A.T)


def _scaled(X: NDArray[Any], scale: NDArray[np.float64]) -> NDArray[Any]:
    """Return photos with columns multiplied by a scale, in their precision."""
    return np.asarray(X * scale.astype(X.dtype if X.dtype == np.float32 else np.float64))


@dataclass(frozen=True)
class _Roots:
    """Roots of sums of feedback, stored with the sums because computing a root dominates the cost."""

    similar: NDArray[np.float64]
    within: NDArray[np.float64]
    """`similar` and `within`: rows y such that ``sum y y'`` is the scatter of similar pairs, and that within tags;
    shape (r, p)."""
    between: NDArray[np.float64]
    """Square root of the scatter between tags; shape (p, p) or (0, p)."""
    products: NDArray[np.float64] | None = None
    """Inner products of the rows of similar pairs, if known; shape (r, r)."""

    @classmethod
    def of(
        cls, sums: NDArray[np.float64], similar: NDArray[np.float64] | None = None, tags: int | None = None
    ) -> _Roots:
        """Compute the roots of the sums (4, p, p); `similar`, `tags`: their rows and the number of tags, if known."""
        between = sums[BETWEEN][:0]
        if sums[BETWEEN].any():
            between = root_of_rank(sums[BETWEEN], len(between.T) if tags is None else tags)
        return cls(_root_rows(sums[SIMILAR]) if similar is None else similar, _root_rows(sums[WITHIN]), between)

    @classmethod
    def saved(cls, state: Mapping[str, Any]) -> _Roots | None:
        """Return the roots of a fitted state; None for metrics of earlier versions, which have none."""
        if "similar_root_" not in state:
            return None
        return cls(state["similar_root_"], state["within_root_"], state["between_root_"])

    def state(self) -> dict[str, NDArray[np.float64]]:
        """Return the roots as fitted attributes."""
        return {"similar_root_": self.similar, "within_root_": self.within, "between_root_": self.between}

    def with_pairs(self, differences: NDArray[np.float64], products: NDArray[np.float64] | None = None) -> _Roots:
        """Add the differences (s, p) of similar pairs; `products`: their inner products (s, s), if known."""
        if not len(self.similar) and len(differences) <= differences.shape[1]:
            return replace(self, similar=differences, products=products)
        rows = np.concatenate([self.similar, differences])
        if len(rows) > rows.shape[1]:
            size, axes = row_axes(rows, rows.shape[1])
            rows = np.ascontiguousarray((axes * np.sqrt(size)).T)
        return replace(self, similar=rows, products=None)


def _root_rows(scatter: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows (r, p) whose outer products sum to a scatter (p, p)."""
    if not scatter.any():
        return np.empty((0, len(scatter)))
    w, V = np.linalg.eigh((scatter + scatter.T) / 2)
    large = w > _ROUNDING * w[-1]
    return np.ascontiguousarray((V[:, large] * np.sqrt(w[large])).T)


@dataclass(frozen=True)
class _Feedback:
    """All feedback."""

    sums: NDArray[np.float64]
    counts: NDArray[np.float64]
    """`sums` and `counts`: see `KernelMetric.sums_` and `counts_`."""
    roots: _Roots
    """Roots of these sums."""
    settled: _Roots
    similar_count: float
    """Rows of the similar pairs with fixed weights, and their total weight."""
    answers: JudgedPairs
    """The other pairs."""
    known: PairInverse | None
    """Inverse of the answers."""

    @classmethod
    def weighed(
        cls,
        sums: NDArray[np.float64],
        counts: NDArray[np.float64],
        settled: _Roots,
        similar_count: float,
        answers: JudgedPairs,
        weigh: bool,
        known: PairInverse | None = None,
    ) -> _Feedback:
        """Weigh the answers and count the similar pairs; more than `MOST_ANSWERS` get fixed weights."""
        weights = answers.weights(known) if weigh else np.ones(len(answers.similar))
        root = np.sqrt(weights)
        products = None if known is None else known.products * root * root[:, None]
        roots = settled.with_pairs(answers.differences * root[:, None], products)
        counts[SIMILAR] = similar_count + weights.sum()
        if len(answers) > MOST_ANSWERS:
            sums[SIMILAR] = roots.similar.T @ roots.similar
            settled, similar_count, answers = roots, float(counts[SIMILAR]), JudgedPairs.none(sums.shape[1])
        return cls(sums, counts, roots, settled, similar_count, answers, known)

    def state(self) -> dict[str, Any]:
        """Return the feedback as fitted attributes, with the cached inverse."""
        state = {"sums_": self.sums, "counts_": self.counts, "settled_": self.similar_count, "_known_pairs": self.known}
        return {**state, **self.settled.state(), **self.answers.state()}


_PAIRS: Final = ("batch_similar_", "batch_dissimilar_", "rounds_")


def _no_pairs(components: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return empty differences of similar and dissimilar pairs, and no rounds."""
    return np.empty((0, components)), np.empty((0, components)), np.empty((0, COLUMNS))


@dataclass(frozen=True)
class _Reached:
    """State of a stepwise metric; for the attributes see the fitted attributes of these names."""

    steps: NDArray[np.float64]
    sums: NDArray[np.float64]
    counts: NDArray[np.float64]
    sessions: int
    similar: NDArray[np.float64]
    dissimilar: NDArray[np.float64]
    rounds: NDArray[np.float64]


class StepwiseKernelMetric(KernelLearner):
    """Kernel metric learned in steps: after every `sessions` query sessions, that batch alone updates the metric.

    As in Fig. 6 of the paper, the batch is learned in the current space, ``A <- A T`` with ``T = C_S^{-1/2} C_D^{1/2}``
    of the batch, and then discarded.

    Parameters
    ----------
    sessions : int
        Batch size omega of the paper: query sessions per step. A session is a focal image with all its judgements.
    n_components, ridge, gamma, use_dissimilar, dissimilar_exponent
        See `KernelMetric`.
    similar_prior, dissimilar_prior, euclidean_blend, output_components, unit
        See `KernelMetric`.
    exact, landmarks, random_state
        See `KernelMetric`.

    Attributes
    ----------
    steps_ : ndarray of float64, shape (p, p)
        Product of all steps.
    batch_sums_, batch_counts_, batch_sessions_
        Feedback of the incomplete batch, in the space of the map.
    batch_similar_, batch_dissimilar_ : ndarray of float64, shape (s, p) and (t, p)
        Differences of its judged pairs.
    rounds_ : ndarray of float64, shape (k, 6)
        Effect of each step (`learners.kernel.rounds.Round`), those of `partial_fit` after those of `fit`.

    Notes
    -----
    Each step is scaled to ``|T|_F^2 = p``; tags, if any, form the first step. Departures from the paper: `fit` also
    learns from an incomplete last batch, so that no feedback is left unused (`partial_fit` waits, as printed); each
    step has the priors of `KernelMetric` in a more cautious form (30 similar pairs, at least p / 2 dissimilar ones),
    and the ridge on both scatters. Without these, a batch of few sessions, whose scatters are rank deficient, makes the
    metric worse with every step (ALGORITHMS.md, 2.4). `KernelMetric` learns better from the same feedback, because it
    discards nothing; this variant never needs more than a batch. With the parameters `printed` there are no priors, no
    Euclidean share, no length 1 and no limit of dimensions; the incomplete last batch of `fit` and the ridges remain,
    and above 6,000 photos the Nyström map.

    Cost of a step: three to five eigendecompositions of p components (0.2 s for p = 600). While a batch is incomplete,
    a judgement costs only its scatter (5 ms).

    References
    ----------
    .. [1] H. Chang, D.-Y. Yeung, "Kernel-based distance metric learning for content-based image retrieval", Image and
       Vision Computing 25 (2007) 695-703, section 4 and Fig. 6. doi:10.1016/j.imavis.2006.05.013

    Examples
    --------
    Photos 0 and 1 are similar, and so are 2 and 3, although they are farther apart than 0 and 2, which are dissimilar:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.kernel.kernel_metric import StepwiseKernelMetric
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> judged = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2], [1, 3]]))
    >>> metric = StepwiseKernelMetric(gamma=0.01, similar_prior=0, dissimilar_prior=0, euclidean_blend=0)
    >>> metric.fit(X, judged).distances_from(X[0], X).round(2)
    array([0.  , 1.22, 1.59, 1.99])
    """

    name: ClassVar[str] = "kernel-stepwise"
    title: ClassVar[str] = "Kernel metric, stepwise"
    family: ClassVar[str] = "Kernel"
    summary: ClassVar[str] = "Like Kernel metric, batch by batch: each batch continues in the space of those before it"
    source: ClassVar[str] = "Chang & Yeung 2006"
    sliders: ClassVar[tuple[Slider, ...]] = (
        Slider("sessions", "Focal images per round", "many rounds", "few rounds", (1, 5, 10, 20, 40, 80), 20, True),
        BLEND_SLIDER,
    )
    _stepwise: ClassVar[bool] = True
    printed: ClassVar[Mapping[str, Any] | None] = _PRINTED

    steps_: NDArray[np.float64]
    batch_sums_: NDArray[np.float64]
    batch_counts_: NDArray[np.float64]
    batch_sessions_: int
    batch_similar_: NDArray[np.float64]
    batch_dissimilar_: NDArray[np.float64]
    rounds_: NDArray[np.float64]

    def __init__(
        self,
        sessions: int = 20,
        n_components: int | Auto = "auto",
        ridge: float | Auto = "auto",
        gamma: float | Auto = "auto",
        use_dissimilar: bool = True,
        dissimilar_exponent: float = 0.5,
        similar_prior: float = 30.0,
        dissimilar_prior: float | Auto = "auto",
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        unit: Unit = "auto",
    ) -> None:
        super().__init__(
            n_components,
            ridge,
            gamma,
            use_dissimilar,
            dissimilar_exponent,
            similar_prior,
            dissimilar_prior,
            euclidean_blend,
            output_components,
            exact,
            landmarks,
            random_state,
            unit,
        )
        self.sessions = sessions

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        kernel_map = self._fit_map(X)
        report(0.4)
        p = kernel_map.n_components
        state = {
            "landmarks_": kernel_map.landmarks,
            "projection_": kernel_map.projection,
            "offset_": kernel_map.offset,
            "variances_": kernel_map.variances,
            "gamma_": kernel_map.gamma,
        }
        nothing = _Reached(np.eye(p), np.zeros((4, p, p)), np.zeros(4), 0, *_no_pairs(p))
        state |= self._take(
            kernel_map, X, side_information, nothing, lambda share: report(0.4 + 0.6 * share), to_the_end=True
        )
        return state | {"unit_": is_unit(self.unit, min(p, self.output_components))}

    def _add(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        """Add query sessions on the rows of X, and learn whenever a batch is complete.

        The sessions are ordered by the first occurrence of their focal images, those with similar photos before those
        without.
        """
        samples, side = self._named(X, side_information.absolute())
        known = vars(self)  # metrics of earlier versions have neither rounds nor pairs of an incomplete batch
        none = _no_pairs(len(self.steps_))
        reached = _Reached(
            self.steps_,
            self.batch_sums_,
            self.batch_counts_,
            self.batch_sessions_,
            *(known.get(name, empty) for name, empty in zip(_PAIRS, none, strict=True)),
        )
        with one_thread():
            return self._take(self._map, samples, side, reached, report, to_the_end=False)

    def _take(
        self,
        kernel_map: KernelPCA,
        X: NDArray[Any],
        side: SideInformation,
        reached: _Reached,
        report: ProgressReport,
        *,
        to_the_end: bool,
    ) -> dict[str, Any]:
        """Return the state after all sessions; `to_the_end`: also learn from an incomplete last batch."""
        steps, sums, counts, waiting = reached.steps, reached.sums, reached.counts, reached.sessions
        similar, dissimilar, rounds = reached.similar, reached.dissimilar, [*reached.rounds]
        none, _, _ = _no_pairs(len(steps))
        total = np.diag(kernel_map.variances)
        if side.tags is not None:
            tag_sums, tag_counts = self._sums(kernel_map, X, SideInformation(tags=side.tags))
            if tag_counts.any():
                before, steps = steps, self._step(steps, tag_sums, tag_counts, total)
                rounds.append(round_of(before, steps, tag_sums, tag_counts, total, none, none).row())
        focal = np.concatenate([side.similar[:, 0], side.dissimilar[:, 0]])
        _, first = np.unique(focal, return_index=True)
        sessions = focal[np.sort(first)]
        done = 0
        while done < len(sessions):
            batch = sessions[done : done + max(1, self.sessions - waiting)]
            similar_count = SideInformation(
                side.similar[np.isin(side.similar[:, 0], batch)],
                side.dissimilar[np.isin(side.dissimilar[:, 0], batch)],
            )
            more_sums, more_counts = self._sums(kernel_map, X, similar_count)
            answers, apart = JudgedPairs.of(kernel_map, X, similar_count)
            similar = np.concatenate([similar, answers.differences])
            dissimilar = np.concatenate([dissimilar, apart])
            sums, counts, waiting = sums + more_sums, counts + more_counts, waiting + len(batch)
            done += len(batch)
            if waiting >= self.sessions or to_the_end:
                before, steps = steps, self._step(steps, sums, counts, total)
                rounds.append(round_of(before, steps, sums, counts, total, similar, dissimilar).row())
                sums, counts, waiting = np.zeros_like(sums), np.zeros_like(counts), 0
                similar = dissimilar = none
            report(done / (len(sessions) + 1))
        state = {"steps_": steps, "batch_sums_": sums, "batch_counts_": counts, "batch_sessions_": waiting}
        state |= dict(zip(_PAIRS, (similar, dissimilar, np.array(rounds).reshape(-1, COLUMNS)), strict=True))
        if to_the_end or steps is not reached.steps:
            state["A_"] = self._output(steps @ steps.T, kernel_map.variances)
        return state

    def _step(
        self,
        steps: NDArray[np.float64],
        sums: NDArray[np.float64],
        counts: NDArray[np.float64],
        total: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return the metric after one batch, learned in the space of `steps`."""
        here = np.zeros_like(sums)
        for kind in np.flatnonzero(counts):
            here[kind] = steps.T @ sums[kind] @ steps
        T = self._factor(here, counts, steps.T @ total @ steps)
        return np.asarray(steps @ T * np.sqrt(len(T) / np.sum(T * T)))
