"""The kernel metric of Chang & Yeung, and its stepwise variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.kernels import KernelPCA, shared
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import Unit, blended_root, is_unit
from focal_photos.learners.core.learner.candidate import Candidate, blends
from focal_photos.learners.core.learner.slider import BLEND_SLIDER, Slider
from focal_photos.learners.core.linalg import one_thread, root_of_rank, row_axes, symmetric_product
from focal_photos.learners.core.scatters import BETWEEN, DISSIMILAR, SIMILAR, WITHIN
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.kernel.answers import MOST_ANSWERS, Answers, PairInverse
from focal_photos.learners.kernel.kernel_learner import NOTHING, Auto, KernelLearner, spreads, voices
from focal_photos.learners.kernel.rounds import COLUMNS, round_of

_CALM: Final = 10.0
"""At so many similar pairs or tagged photos, for a `similar_prior` of 1, C_D is half drawn to all photos' scatter."""

_MANY: Final = 200
"""Components from which on single precision saves time."""

_ROOT: Final = 0.5
_ROUNDING: Final = 1e-12


class KernelMetric(KernelLearner):
    """Kernel metric learning from pairs, and from tags (Chang & Yeung 2006).

    Photos are mapped by kernel PCA (RBF kernel). In that space ``z = C_D^{1/2} C_S^{-1/2} y``, where ``C_S`` and
    ``C_D`` are the scatters of the differences of similar and of dissimilar pairs: directions in which similar
    photos differ shrink, those in which dissimilar photos differ are stretched.

    Parameters
    ----------
    n_components : int or "auto"
        Kernel principal components p; auto: 600, or as many as there are.
    ridge : float or "auto"
        Relative ridge of the inverse square root; auto: 0.03, or without a prior 1 below 50 similar pairs (or tagged
        photos), 0.1 up to 500 and 0.03 above.
    gamma : float or "auto"
        Of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    use_dissimilar : bool
        False: dissimilar pairs say nothing. Without a prior ``z = C_S^{-1/2} y``, the paper's variant; with one
        ``C_D`` is what it is drawn to.
    dissimilar_exponent : float
        0.5; -0.5 is what the paper prints, and is wrong (see Notes).
    similar_prior : float
        The identity takes part in ``C_S`` as if it were this number of judged pairs; 0 is the paper.
    dissimilar_prior : float or "auto"
        ``C_D`` is drawn to the scatter of all photos, or to what keeps them in place where little was judged (Notes),
        as if that were this number of pairs; 0 is the paper. Auto: 2 p, and less where the judged dissimilar photos lie
        nearer than photos at random do: ``p max(2 r^6, 1/6)``, their mean squared distance being r times as large.
    euclidean_blend : float
        Weight of the squared distance without learning, relative to the learned one; 0 is the paper.
    output_components : int
        Largest dimension of the embedding: principal axes of the learned space.
    unit : bool or "auto"
        Bring the embedding to length 1; auto: where it has 16 dimensions or more (see `core.learner.blend.is_unit`).
    exact : int
        Largest number of photos for which kernel PCA is exact.
    landmarks : int
        Number of photos drawn for the Nyström map that takes its place above.
    random_state : int
        Seed of the landmarks and of the sample for gamma.
    weigh_answers : bool
        Similar pairs that the other judged pairs speak against count less (`learners.kernel.answers`); False: all count
        alike, as in the paper.

    Attributes
    ----------
    sums_ : ndarray of float64, shape (4, p, p)
    counts_ : ndarray of float64, shape (4,)
        All feedback so far, in the space of the map (`learners.core.scatters`), similar pairs as much as they count.
        The sum of similar pairs has those alone that count for good; the others are in `differences_`.
        `partial_fit` adds to it, and the metric always follows from the whole.
    A_ : ndarray of float64, shape (p, r)
        From kernel principal components to the embedding.
    similar_answers_, dissimilar_answers_ : ndarray of float64, shape (s, 2, q) and (t, 2, q)
    differences_ : ndarray of float64, shape (s, p)
        Judged pairs as long as there are at most 1,000 (`learners.kernel.answers.Answers`): each further one may change
        how much they count.
    settled_ : float
        How much the other similar pairs count, for good, all together.
    similar_root_, within_root_ : ndarray of float64, shape (r, p) and (t, p)
    between_root_ : ndarray of float64, shape (p, p) or (0, p)
        Rows whose outer products add up to the scatters of the latter and within tags, and the square root of that
        between tags: with them `partial_fit` is quick.
    landmarks_, projection_, offset_, variances_, gamma_
        The map, see `learners.core.kernels.KernelPCA`.

    Notes
    -----
    Equation 6 prints ``C_D^{-1/2}``, which shrinks what it should stretch and is worse than not learning: the sign here
    is + (ALGORITHMS.md, 2.3; what each departure brings was measured there).

    Departures from the paper. (1) 300 judged pairs say little about 600 directions: C_S is drawn to the identity, and
    C_D to the scatter T of all photos. The less so, the nearer the judged dissimilar photos lie to each other: against
    pairs at random, pairs that were shown together would teach that near is similar. Without any similar pair the
    photos must stay in place: with few of them C_D is drawn to ``T (w T + (1 - w + ridge) / p)^{-1}`` instead, T of
    trace 1, ``w = c / (c + s)`` with c = 10 times `similar_prior` and s similar pairs and tagged photos.
    (2) As similar pairs outnumber the directions, C_S is known better, and its power grows from -1/2 to -1:
    ``-1/2 - s / (2 s + 4 p)`` with s pairs. (3) A share of Euclidean distance, and embeddings of length 1, keep what
    was not judged in place. (4) Tags teach by the scatters within and between them (ALGORITHMS.md, 5.5). Where both are
    there, the fewer of judged pairs and tagged photos count ten times, up to the weight of the others. (5) The
    embedding is rotated to its principal axes; beyond 256 nothing measurable is left. With only dissimilar pairs
    ``C_S`` is the identity. (6) Answers may be wrong: `weigh_answers`.

    Cost of `fit` with n photos, m landmarks, p components and s pairs: n m d + n m^2 + m^3 for the map (0.5 s for
    5,000 photos), (s + tagged photos) p^2 for the sums, an eigendecomposition of p for the principal axes (tags: three
    more), and s p^2 + s^3 for the metric: a power of the identity and s pairs differs from the identity in their span
    alone. `partial_fit` costs the latter and a Cholesky decomposition of p (ALGORITHMS.md, 2.5: on one core
    20 ms after 300 + 300 pairs, the first judgement of a metric from a file twice that, unless it was prepared). Its
    distances are those of `fit` to 1e-5 of their size where `output_components` cuts nothing; the cut at 256 changes
    distances by .5 % in the mean, and single ones by up to 5.

    References
    ----------
    .. [1] H. Chang, D.-Y. Yeung, "Kernel-based distance metric learning for content-based image retrieval", Image and
       Vision Computing 25 (2007) 695-703, equations 4-6. doi:10.1016/j.imavis.2006.05.013

    Examples
    --------
    Photos 0 and 1 are alike, and so are 2 and 3, though they are farther from each other than 0 and 2, which are not:

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
    # A few judgements: directions that pull the similar together, little of them against much Euclidean distance.
    candidates: ClassVar[tuple[Candidate, ...]] = blends(0.25, 1.0, 4.0)

    sums_: NDArray[np.float64]
    counts_: NDArray[np.float64]
    settled_: float
    similar_answers_: NDArray[np.float64]
    dissimilar_answers_: NDArray[np.float64]
    similar_root_: NDArray[np.float64]
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

    @property
    def _weighs(self) -> bool:
        return self.weigh_answers and self.use_dissimilar

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        self._require(side_information)
        kernel_map = self._fit_map(X)
        report(0.5)

        def heard() -> _Feedback:
            sums, counts = self._sums(kernel_map, X, SideInformation(tags=side_information.tags))
            answers, differences = Answers.of(kernel_map, X, side_information)
            sums[DISSIMILAR], counts[DISSIMILAR] = differences.T @ differences, len(differences)
            tags = 0 if side_information.tags is None else side_information.tags.shape[1]
            settled = _Roots.of(sums, np.empty((0, kernel_map.n_components)), tags)
            common = answers.inverse() if self._weighs else None
            return _Feedback.weighed(sums, counts, settled, 0.0, answers, self._weighs, common)

        key = ("feedback", self.n_components, self.gamma, self.exact, self.landmarks, self.random_state, self._weighs)
        feedback = shared(key, (X, side_information), heard)
        report(0.8)
        # Of candidates that differ in how much of the Euclidean distance stays, all but the last step is the same.
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
            "A_": A,
            "unit_": is_unit(self.unit, A.shape[1]),
            **feedback.state(),
        }

    def prepare(self) -> None:
        """Work out and keep what the judged pairs have in common, which `fit` leaves here and no file holds."""
        answers = Answers.saved(vars(self), len(self.variances_))
        if self._weighs and self._common(answers) is None:
            with one_thread():
                self._known_pairs = answers.inverse()

    def _add(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        """Add feedback on the rows of X.

        The map stays that of `fit`. With the same X, judged pairs given in two calls teach exactly what they teach
        in one; tags are compared with the tags of the same call only. All p axes of the embedding are kept, and they
        are not turned: `output_components` is for `fit`.
        """
        samples, side = self._named(X, side_information.absolute())
        with one_thread():
            kernel_map, counts = self._map, self.counts_.copy()
            settled = _Roots.saved(vars(self)) or _Roots.of(self.sums_)
            before = Answers.saved(vars(self), kernel_map.n_components)
            told = float(vars(self).get("settled_", counts[SIMILAR]))
            sums = np.zeros(self.sums_.shape)  # no memory is touched for what was not told yet
            for kind in (SIMILAR, WITHIN, BETWEEN):
                if told if kind == SIMILAR else counts[kind]:
                    sums[kind] = self.sums_[kind]
            if side.tags is not None:
                more, number = self._sums(kernel_map, samples, SideInformation(tags=side.tags))
                sums += more
                counts += number
                if number[WITHIN]:
                    settled = _Roots.of(sums, settled.similar)
            found, differences = Answers.of(kernel_map, samples, side)
            if len(differences) == 1:
                np.multiply(differences.T, differences, out=sums[DISSIMILAR])
            else:
                np.matmul(differences.T, differences, out=sums[DISSIMILAR])
            sums[DISSIMILAR] += self.sums_[DISSIMILAR]
            counts[DISSIMILAR] += len(differences)
            answers = before | found
            common = answers.inverse(self._common(before)) if self._weighs else None
            feedback = _Feedback.weighed(sums, counts, settled, told, answers, self._weighs, common)
            report(0.5)
            # A share of Euclidean distance keeps what is decomposed far from singular: half the digits will do.
            halved = self.euclidean_blend > 0 and kernel_map.n_components >= _MANY
            precision = np.float32 if halved else np.float64
            M = self._metric(kernel_map, feedback.sums, feedback.counts, feedback.roots, precision)
            A = blended_root(M, kernel_map.variances, self.euclidean_blend).astype(np.float64)
        return {"A_": A, "_known_map": kernel_map, **feedback.state()}

    def _common(self, answers: Answers) -> PairInverse | None:
        """Return what was kept of the answers given so far; None where that was of others, or nothing was kept.

        It is no fitted attribute: of a metric from a file it is worked out by `prepare`, or the first judgement.
        """
        kept = self._known_pairs
        if kept is None or kept.similar is not answers.similar or kept.dissimilar is not answers.dissimilar:
            return None
        return kept

    def _priors(
        self, counts: NDArray[np.float64], total: NDArray[np.float64], ridge: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the identity, and what C_D must be where nothing is known of C_S: what is on their diagonals, (p,)."""
        p, spread = len(total), float(total.sum())
        if not spread > 0:
            return total, total
        own = total / spread
        heard = float(counts[[SIMILAR, WITHIN]].sum())
        calm = _CALM * self.similar_prior
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
        """Return the metric (p, p), without a decomposition larger than the number of similar pairs and tagged photos.

        C_S is a multiple of the identity but for the span of its pairs, and so is every power of it. Decomposed is in
        double precision, the products after that are taken in `precision`.
        """
        total = kernel_map.variances  # on the diagonal of the scatter of all photos
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
        else:  # their rows are orthogonal
            lengths = np.linalg.norm(known.within, axis=1)
            size, axes = (lengths * shares[1]) ** 2, (known.within / lengths[:, None]).T
        level = prior / heard / p + ridge / p
        if not level > 0 or not all_photos > 0:
            return self._squared_factor(sums, counts, known, total)
        # Of full rank nothing is left outside the span; where the level is small, its power would only cost precision.
        rest = float(level**power) if len(size) < p else 0.0
        change = (level + size) ** power - rest
        axes, change = axes.astype(precision, copy=False), change.astype(precision, copy=False)
        if C_D is None:
            M = (axes * ((rest + change) ** 2 - rest**2)) @ axes.T
            M[np.diag_indices(p)] += rest**2
            return np.asarray(M)
        # (rest I + V e V') C (rest I + V e V') by products as thin as V.
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
        """Return the metric (p, p) by decompositions of all p components."""
        every = sums.copy()
        every[SIMILAR] = known.similar.T @ known.similar
        A = self._factor(every, counts, total)
        return np.asarray(A @ A.T)


@dataclass(frozen=True)
class _Roots:
    """Roots of sums of feedback, kept with them since to take one costs more than all else.

    Attributes
    ----------
    similar, within : ndarray of float64, shape (r, p)
        Rows y with ``sum y y'`` the scatter of similar pairs, and that within tags.
    between : ndarray of float64, shape (p, p) or (0, p)
        The square root of the scatter between tags.
    products : ndarray of float64, shape (r, r), optional
        Inner products of the rows of similar pairs, where they are known.
    """

    similar: NDArray[np.float64]
    within: NDArray[np.float64]
    between: NDArray[np.float64]
    products: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls, sums: NDArray[np.float64], similar: NDArray[np.float64] | None = None, tags: int | None = None
    ) -> _Roots:
        """Take them from the sums (4, p, p); `similar`: where it is known; `tags`: how many there are, if it is."""
        between = sums[BETWEEN][:0]
        if sums[BETWEEN].any():
            between = root_of_rank(sums[BETWEEN], len(between.T) if tags is None else tags)
        return cls(_root_rows(sums[SIMILAR]) if similar is None else similar, _root_rows(sums[WITHIN]), between)

    @classmethod
    def saved(cls, state: Mapping[str, Any]) -> _Roots | None:
        """Return those of a fitted state; None of metrics of before, which have none."""
        if "similar_root_" not in state:
            return None
        return cls(state["similar_root_"], state["within_root_"], state["between_root_"])

    def state(self) -> dict[str, NDArray[np.float64]]:
        """Return them as fitted attributes."""
        return {"similar_root_": self.similar, "within_root_": self.within, "between_root_": self.between}

    def with_pairs(self, differences: NDArray[np.float64], products: NDArray[np.float64] | None = None) -> _Roots:
        """Return them with the differences (s, p) of more similar pairs; `products`: of these (s, s), if known."""
        if not len(self.similar) and len(differences) <= differences.shape[1]:
            return replace(self, similar=differences, products=products)
        rows = np.concatenate([self.similar, differences])
        if len(rows) > rows.shape[1]:
            size, axes = row_axes(rows, rows.shape[1])
            rows = np.ascontiguousarray((axes * np.sqrt(size)).T)
        return replace(self, similar=rows, products=None)


def _root_rows(scatter: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows (r, p) whose outer products add up to a scatter (p, p)."""
    if not scatter.any():
        return np.empty((0, len(scatter)))
    w, V = np.linalg.eigh((scatter + scatter.T) / 2)
    kept = w > _ROUNDING * w[-1]
    return np.ascontiguousarray((V[:, kept] * np.sqrt(w[kept])).T)


@dataclass(frozen=True)
class _Feedback:
    """All that was said so far.

    Attributes
    ----------
    sums, counts
        As `KernelMetric.sums_` and `counts_`.
    roots : _Roots
        Of these sums.
    settled : _Roots
    told : float
        Rows of the similar pairs that are weighed no more, and how much these count.
    answers : Answers
        The others.
    known : PairInverse, optional
        Of the answers.
    """

    sums: NDArray[np.float64]
    counts: NDArray[np.float64]
    roots: _Roots
    settled: _Roots
    told: float
    answers: Answers
    known: PairInverse | None

    @classmethod
    def weighed(
        cls,
        sums: NDArray[np.float64],
        counts: NDArray[np.float64],
        settled: _Roots,
        told: float,
        answers: Answers,
        weigh: bool,
        known: PairInverse | None = None,
    ) -> _Feedback:
        """Weigh the answers; how much similar pairs count is worked out here.

        Of more than `MOST_ANSWERS` the weights are settled with this.
        """
        weights = answers.weights(known) if weigh else np.ones(len(answers.similar))
        root = np.sqrt(weights)
        products = None if known is None else known.products * root * root[:, None]
        roots = settled.with_pairs(answers.differences * root[:, None], products)
        counts[SIMILAR] = told + weights.sum()
        if len(answers) > MOST_ANSWERS:
            sums[SIMILAR] = roots.similar.T @ roots.similar
            settled, told, answers = roots, float(counts[SIMILAR]), Answers.none(sums.shape[1])
        return cls(sums, counts, roots, settled, told, answers, known)

    def state(self) -> dict[str, Any]:
        """Return it as fitted attributes, and what is kept beside them."""
        state = {"sums_": self.sums, "counts_": self.counts, "settled_": self.told, "_known_pairs": self.known}
        return {**state, **self.settled.state(), **self.answers.state()}


_PAIRS: Final = ("batch_similar_", "batch_dissimilar_", "rounds_")


def _no_pairs(components: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return no differences of similar and dissimilar pairs, and no rounds."""
    return np.empty((0, components)), np.empty((0, components)), np.empty((0, COLUMNS))


@dataclass(frozen=True)
class _Reached:
    """What a stepwise metric has reached: its fitted attributes by these names."""

    steps: NDArray[np.float64]
    sums: NDArray[np.float64]
    counts: NDArray[np.float64]
    sessions: int
    similar: NDArray[np.float64]
    dissimilar: NDArray[np.float64]
    rounds: NDArray[np.float64]


class StepwiseKernelMetric(KernelLearner):
    """Kernel metric learned in steps: every `sessions` query sessions the metric is changed by that batch alone.

    As in Fig. 6 of the paper: the batch is learned in the space the metric has reached, ``A <- A T`` with
    ``T = C_S^{-1/2} C_D^{1/2}`` of the batch, and discarded.

    Parameters
    ----------
    sessions : int
        Batch size omega of the paper: query sessions before a step. A session is a focal image with all its
        judgements.
    n_components, ridge, gamma, use_dissimilar, dissimilar_exponent
        As in `KernelMetric`.
    similar_prior, dissimilar_prior, euclidean_blend, output_components, unit
        As in `KernelMetric`.
    exact, landmarks, random_state
        As in `KernelMetric`.

    Attributes
    ----------
    steps_ : ndarray of float64, shape (p, p)
        The product of the steps so far.
    batch_sums_, batch_counts_, batch_sessions_
        Feedback that waits for the batch to be full, in the space of the map.
    batch_similar_, batch_dissimilar_ : ndarray of float64, shape (s, p) and (t, p)
        Differences of its judged pairs.
    rounds_ : ndarray of float64, shape (k, 6)
        What each step did (`learners.kernel.rounds.Round`), those of `partial_fit` after those of `fit`.

    Notes
    -----
    Each step is rescaled to ``|T|_F^2 = p``; tags, if any, make the first step. Departures from the paper: `fit`
    learns from the last batch even if it is not full, so that nothing that was said is left unused (`partial_fit`
    waits, as printed); and each step has the priors of `KernelMetric`, more cautious ones (30 similar pairs, never less
    than p / 2 dissimilar ones), and the ridge on both scatters, without which a batch of few sessions, whose scatters
    are rank deficient, makes the metric worse with every step (ALGORITHMS.md, 2.4). `KernelMetric` learns better from
    the same feedback, for it discards nothing; this variant never needs more than a batch.

    Cost of a step: three to five eigendecompositions of p components (0.2 s at p = 600). While a batch waits, a
    judgement costs the sum of its scatter alone (5 ms).

    References
    ----------
    .. [1] H. Chang, D.-Y. Yeung, "Kernel-based distance metric learning for content-based image retrieval", Image and
       Vision Computing 25 (2007) 695-703, section 4 and Fig. 6. doi:10.1016/j.imavis.2006.05.013

    Examples
    --------
    Photos 0 and 1 are alike, and so are 2 and 3, though they are farther from each other than 0 and 2, which are not:

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
    summary: ClassVar[str] = "The same batch by batch: each learns in the space that the ones before have reached"
    source: ClassVar[str] = "Chang & Yeung 2006"
    sliders: ClassVar[tuple[Slider, ...]] = (
        Slider("sessions", "Focal images per round", "many rounds", "few rounds", (1, 5, 10, 20, 40, 80), 20, True),
        BLEND_SLIDER,
    )
    _stepwise: ClassVar[bool] = True

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
        self._require(side_information)
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
        """Add query sessions on the rows of X, and learn whenever a batch is full.

        The sessions come in the order in which their focal images occur first, those with similar photos before those
        without.
        """
        samples, side = self._named(X, side_information.absolute())
        known = vars(self)  # metrics of before have neither rounds nor the pairs that wait
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
        """Return the state after all sessions; `to_the_end`: the last batch need not be full."""
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
            told = SideInformation(
                side.similar[np.isin(side.similar[:, 0], batch)],
                side.dissimilar[np.isin(side.dissimilar[:, 0], batch)],
            )
            more_sums, more_counts = self._sums(kernel_map, X, told)
            answers, apart = Answers.of(kernel_map, X, told)
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
        """Return the metric after one batch, learned in the space that `steps` has reached."""
        here = np.zeros_like(sums)
        for kind in np.flatnonzero(counts):
            here[kind] = steps.T @ sums[kind] @ steps
        T = self._factor(here, counts, steps.T @ total @ steps)
        return np.asarray(steps @ T * np.sqrt(len(T) / np.sum(T * T)))
