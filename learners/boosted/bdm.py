# SPDX-License-Identifier: MIT
"""Boosted bits: a weighted Hamming distance of learned binary codes (Yang et al. 2010).

Contains the three learners and the boosting rounds that find the bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.boosted.pair_objective import (
    ANCHORS,
    PairObjective,
    PairSelection,
    SplitSums,
    pair_objective,
)
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.kernels import MOST_EXACT, Auto, KernelPCA, check_gamma, fit_kernel_map
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, ProgressReport
from focal_photos.learners.core.learner.blend import UNLIMITED, auto_blend
from focal_photos.learners.core.learner.candidate import Candidate, at_least
from focal_photos.learners.core.learner.slider import BLEND_SLIDER, ROUNDS_SLIDER, Slider
from focal_photos.learners.core.linalg import blocks, principal_axes
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.core.side_information import SideInformation

Step = Literal["paper", "exact"]

BLEND = 0.25
BLEND_PAIRS = 600.0
"""Numerator of the automatic blend's excess over `BLEND`; the denominator is the number of judged pairs."""

_MIN_BLEND = 1e-4
"""Minimum share of Euclidean distance, which orders photos of equal code and hardly any others."""

_SAMPLE = 2000
"""Maximum number of photos used for means and deviations."""

_STEPS = 6
"""Lanczos iterations per round, starting from the direction of the previous round."""

_LARGEST_ALPHA = 1.0
SMOOTHING = 1e-3
"""Default of `BoostedMetric.smoothing`."""

_GAP = 1e-6
"""Relative gap of projections below which neighbours are equal in single precision."""

_PRINTED: Final[dict[str, Any]] = {
    "tolerance": 0.0,
    "smoothing": 0.0,
    "euclidean_blend": 0.0,
    "soft": 0.0,
    "prior": 0.0,
    "anchors": UNLIMITED,
}
"""Fig. 1 of the paper, which prints no number of rounds."""


class BoostedMetric(EmbeddingMixin, DistanceLearner):
    """Boosted bits, learned from tags and judged pairs (Yang et al. 2010).

    A photo x becomes T bits, ``u_t'x > b_t``, and the distance of two photos is the sum of the weights of the bits in
    which they differ. Bits are learned one after another. Each separates many dissimilar and few similar pairs, with
    larger weights for pairs that the earlier bits get wrong.

    Parameters
    ----------
    rounds : int
        Maximum number of bits T. 64 bring 60 to 70 % of the possible gain over Euclidean distance, 128 about 90 %.
    step : {"paper", "exact"}
        Computation of the weight alpha of a bit: the minimum of the paper's bound (equation 11), or of the objective
        itself. The latter is at least two times larger, needs fewer rounds, and ranks slightly worse.
    learning_rate : float
        Factor of alpha.
    tolerance : float
        Learning stops when a round lowers the objective by a smaller share.
    euclidean_blend : float or "auto"
        Weight of the squared Euclidean distance relative to the learned one, each divided by its mean. Auto: 0.25 + 600
        / judged pairs, where a tagged photo counts as ten pairs.
    soft : float
        0: bits are 0 or 1. Above: a bit is ``tanh((u'x - b) / (soft s))``, with s the standard deviation of the
        training photos' projections; codes (`encode`) remain 0 or 1.
    output_components : int
        Number of principal axes of the Euclidean part.
    prior : float
        Used if photos are judged but none is tagged: pairs of neighbours join the similar pairs, and random pairs the
        dissimilar ones, with the total weight of this number of judged pairs. 0 as in the paper: no pairs join, and
        judged pairs are compared only with pairs of the same photo.
    dense : int
        Maximum number of training photos for which pairs are stored as matrices of the anchors with every photo. For
        more photos, pairs are sampled.
    pairs_per_photo : int
        Number of similar and of dissimilar pairs sampled for each photo in that case.
    random_state : int
        Seed of the samples and of the first direction.
    smoothing : float
        This share of a photo's part of the objective is added to both sides of the quotient that gives alpha, which
        would be infinite for photos that a bit separates completely; 0 as in the paper.
    anchors : int
        Number of anchors, at least ``16 sqrt(n)`` of n photos; all photos in the paper.

    Attributes
    ----------
    directions_ : ndarray of float64, shape (d, T)
    thresholds_ : ndarray of float64, shape (T,)
        Bit t of x is ``(x - center_) @ directions_[:, t] > thresholds_[t]``.
    center_ : ndarray of float64, shape (d,)
    code_weights_ : ndarray of float64, shape (T,)
        ``4 alpha_t``: the contribution of a differing bit to the distance.
    widths_ : ndarray of float64, shape (T,)
        Standard deviations of the training photos' projections.
    axes_ : ndarray of float64, shape (d, r)
        Axes of the Euclidean part, scaled to its share.
    log_objective_ : ndarray of float64, shape (T + 1,)
        Logarithm of the objective before the first round and after each; it never increases.

    Notes
    -----
    The embedding (`transform`) is ``2 sqrt(alpha_t) bit_t``, whose squared Euclidean distance is the weighted Hamming
    distance, followed by the Euclidean part. Photos with equal codes would tie; a share of Euclidean distance of at
    least 1e-4 of the mean learned distance orders them. It may also swap photos whose learned distances differ by less
    than that.

    Galleries store and rank that embedding, 1.7 kB per photo with 300 bits. Packed codes would need a third of the
    memory and slightly less time, a small part of a ranking by shared neighbours.

    Departures from the paper, derived and measured in ALGORITHMS.md, 1.3 and 1.4: (1) The sign in Fig. 1 is corrected
    (ERRATA.md, Y1), and so is the constant of equation 11, which has no effect (ERRATA.md, Y2). (2) Weights are
    smoothed, and at most 1. (3) A judgement counts for both of its photos. If pairs were judged, each similar pair is
    also compared with the dissimilar pairs of other photos, with weight 1/n: judged pairs seldom share a photo, and the
    objective compares only pairs that do. (4) The prior and the blend, because few judged pairs cannot determine many
    directions. (5) Above 512 photos, only the anchors are compared with all.

    The parameters `printed` undo these, except the corrections of (1). There remain the largest alpha of 1, which a bit
    reaches if it separates dissimilar pairs nine million times as much as similar ones; a share of 1e-4 of Euclidean
    distance; the end at 1e-10 of the first objective; that a judged pair counts more than the tags of two photos; and
    sampled pairs above `dense` photos.

    If no bit separates anything, as with a single class, the distance is Euclidean.

    Cost of `fit`: of n photos, ``a = max(anchors, 16 sqrt(n))`` are anchors (at most all). A round takes thirty passes
    over a float32 matrix (a, n) and 12 n d multiplications; memory is 12 a n bytes. With sampled pairs, all costs grow
    with their number. `transform` takes d (T + r) per photo.

    References
    ----------
    .. [1] L. Yang, R. Jin, L. Mummert, R. Sukthankar, A. Goode, B. Zheng, S. C. H. Hoi, M. Satyanarayanan, "A boosting
       framework for visuality-preserving distance metric learning and its application to medical image retrieval",
       IEEE TPAMI 32 (2010) 30-44, equations 2-18 and Fig. 1. doi:10.1109/TPAMI.2008.273

    Examples
    --------
    Only the first coordinate separates the tags.

    >>> import numpy as np
    >>> from focal_photos.learners.boosted.bdm import BoostedMetric
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0], [0, 8], [1, 0], [1, 8]])
    >>> metric = BoostedMetric(rounds=8, euclidean_blend=0).fit(X, SideInformation.from_labels([0, 0, 1, 1]))
    >>> metric.encode(X).ravel().tolist()
    [255, 255, 0, 0]
    >>> distances = metric.distances_from(X[0], X)
    >>> bool(distances[1] < distances[2])
    True
    """

    name: ClassVar[str] = "bdm"
    title: ClassVar[str] = "Boosted bits"
    family: ClassVar[str] = "Boosted"
    summary: ClassVar[str] = "Finds yes-or-no questions about photos whose answers agree where photos are similar"
    source: ClassVar[str] = "Yang et al. 2010"
    sliders: ClassVar[tuple[Slider, ...]] = (ROUNDS_SLIDER, BLEND_SLIDER)
    # Pairs are sampled, because all pairs would take minutes in large libraries.
    candidates: ClassVar[tuple[Candidate, ...]] = (at_least(40, 60, 2, rounds=128, dense=0),)
    printed: ClassVar[Mapping[str, Any] | None] = _PRINTED

    center_: NDArray[np.float64]
    directions_: NDArray[np.float64]
    thresholds_: NDArray[np.float64]
    code_weights_: NDArray[np.float64]
    widths_: NDArray[np.float64]
    axes_: NDArray[np.float64]
    log_objective_: NDArray[np.float64]

    def __init__(
        self,
        rounds: int = 300,
        step: Step = "paper",
        learning_rate: float = 1.0,
        tolerance: float = 1e-5,
        euclidean_blend: float | Auto = "auto",
        soft: float = 0.0,
        output_components: int = 128,
        prior: float = 30.0,
        dense: int = 4000,
        pairs_per_photo: int = 30,
        random_state: int = 0,
        smoothing: float = SMOOTHING,
        anchors: int = ANCHORS,
    ) -> None:
        self.rounds = rounds
        self.step = step
        self.learning_rate = learning_rate
        self.tolerance = tolerance
        self.euclidean_blend = euclidean_blend
        self.soft = soft
        self.output_components = output_components
        self.prior = prior
        self.dense = dense
        self.pairs_per_photo = pairs_per_photo
        self.random_state = random_state
        self.smoothing = smoothing
        self.anchors = anchors

    def encode(self, X: ArrayLike) -> NDArray[np.uint8]:
        """Return the bits, packed into bytes.

        Parameters
        ----------
        X : array_like of float, shape (n, d)

        Returns
        -------
        ndarray of uint8, shape (n, ceil(T / 8))
            Bit t is bit ``t % 8``, counted from the lowest, of byte ``t // 8``; the rest of the last byte is 0.
        """
        self.check_fitted()
        samples = as_samples(X, features=self.n_features_in_)
        codes = np.empty((len(samples), -(-len(self.thresholds_) // 8)), dtype=np.uint8)
        for part in blocks(len(samples)):
            bits = self._projections(samples[part]) > self.thresholds_
            codes[part] = np.packbits(bits, axis=1, bitorder="little")
        return codes

    def _coordinates(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return the centred coordinates (n, p) in which the bits are linear."""
        return X.astype(np.float64) - self.center_

    def _projections(self, X: NDArray[Any]) -> NDArray[np.float64]:
        projections: NDArray[np.float64] = self._coordinates(X) @ self.directions_
        return projections

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        T = len(self.thresholds_)
        Z = np.empty((len(X), T + self.axes_.shape[1]), dtype=np.float32)
        roots = np.sqrt(self.code_weights_)
        for part in blocks(len(X)):
            above = self._projections(X[part]) - self.thresholds_
            if self.soft > 0:
                Z[part, :T] = roots / 2 * np.tanh(above / (self.soft * self.widths_))
            else:
                Z[part, :T] = roots * (above > 0)
            Z[part, T:] = (X[part].astype(np.float64) - self.center_) @ self.axes_
        return Z

    def _add_steps(self, steps: MapSteps, x: int) -> int:
        above = self._add_projections(steps, x)
        roots = np.sqrt(self.code_weights_)
        if self.soft > 0:
            bits = steps.times(steps.tanh(steps.times(above, 1 / (self.soft * self.widths_))), roots / 2)
        else:
            bits = steps.times(steps.above(above), roots)
        return steps.beside([bits, steps.affine(x, self.axes_, centre=self.center_)])

    def _add_projections(self, steps: MapSteps, x: int) -> int:
        """Add the steps of `_projections` minus the thresholds."""
        return steps.affine(x, self.directions_, centre=self.center_, offset=-self.thresholds_)

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        self._check_parameters()
        side_information = self._feedback(side_information)
        sample = np.random.default_rng(self.random_state).permutation(len(X))[:_SAMPLE]
        center = X[np.sort(sample)].mean(axis=0, dtype=np.float64)
        state = self._prepare(X) | {"center_": center}
        prepared = self._with(state)
        selection = PairSelection(
            self.dense, self.pairs_per_photo, self._visual_neighbors(), self.prior, self.random_state, self.anchors
        )
        rows, pairs = pair_objective(X, side_information, selection)
        report(0.05)
        Y = prepared._coordinates(X[rows])
        size = float(Y.std(axis=0).max()) or 1.0
        bits = boost(
            (Y / size).astype(pairs.dtype),
            pairs,
            self.rounds,
            step=self.step,
            learning_rate=self.learning_rate,
            tolerance=self.tolerance,
            smoothing=self.smoothing,
            seed=self.random_state,
            report=lambda share: report(0.05 + 0.9 * share),
        )
        report(0.95)
        state |= {
            "directions_": bits.directions,
            "thresholds_": bits.thresholds * size,
            "code_weights_": 4 * bits.alphas,
            "log_objective_": bits.log_objective,
        }
        prepared = self._with(state)
        projections = prepared._projections(X[sample])
        widths = projections.std(axis=0)
        state["widths_"] = np.where(widths > 0, widths, 1.0)
        learned = _mean_distance(projections > state["thresholds_"], bits)
        state["axes_"] = self._axes(X[sample].astype(np.float64) - center, learned, side_information)
        return state

    def _check_parameters(self) -> None:
        if self.rounds < 1 or self.output_components < 1:
            raise LearnerError("rounds and output_components must be at least 1.")
        if self.step not in ("paper", "exact"):
            raise LearnerError(f"step must be 'paper' or 'exact', it is {self.step!r}.")
        if not self.learning_rate > 0 or not min(self.soft, self.prior, self.smoothing) >= 0:
            raise LearnerError("learning_rate must be above 0, soft, prior and smoothing at least 0.")
        if self.euclidean_blend != "auto" and not self.euclidean_blend >= 0:
            raise LearnerError(f"euclidean_blend must be at least 0, it is {self.euclidean_blend}.")

    def _visual_neighbors(self) -> int:
        """Return the number of nearest photos that count as similar."""
        return 0

    def _feedback(self, side: SideInformation) -> SideInformation:
        """Return the feedback to learn from."""
        return side

    def _prepare(self, X: NDArray[Any]) -> dict[str, Any]:  # noqa: ARG002  the kernel variant needs them
        """Return the state required by `_coordinates`."""
        return {}

    def _with(self, state: dict[str, Any]) -> BoostedMetric:
        """Return a learner with this state; the learner itself stays unfitted until the end."""
        learner = type(self)(**self.get_params())
        for attribute, value in state.items():
            setattr(learner, attribute, value)
        return learner

    def _blend(self, side: SideInformation) -> float:
        if self.euclidean_blend != "auto":
            return max(_MIN_BLEND, self.euclidean_blend)
        return auto_blend(side, BLEND, BLEND_PAIRS)

    def _axes(self, centred: NDArray[np.float64], learned: float, side: SideInformation) -> NDArray[np.float64]:
        """Return the axes of the Euclidean part, whose mean squared distance is its share, or 2 without bits."""
        axes = leading_axes(centred, self.output_components)
        plain = 2 * float((centred**2).mean(axis=0).sum())
        wanted = self._blend(side) * learned if learned > 0 else 2.0
        return axes * np.sqrt(wanted / plain) if plain > 0 else axes


class BoostedMetricVisual(BoostedMetric):
    """Boosted bits that also preserve visual similarity (BDM+V).

    Parameters
    ----------
    visual_neighbors : int
        Number of nearest photos, by Euclidean distance, that count as similar to a photo whether or not they share a
        tag: 1 follows the tags, 20 follows visual similarity. 0: only the visual pairs of the side information.
    rounds, step, learning_rate, tolerance, euclidean_blend, soft, output_components, prior, dense, pairs_per_photo
        See `BoostedMetric`; the default of `soft` is 0.5, which preserves more of the visual similarity. Without tags,
        visual neighbours weigh ``visual_neighbors / 5`` times the prior, or without a prior as much as judged pairs.
    random_state, smoothing, anchors

    Attributes
    ----------
    directions_, thresholds_, center_, code_weights_, widths_, axes_, log_objective_
        See `BoostedMetric`.

    Notes
    -----
    Remark 2 of the paper: photos are similar if they match in category or look alike. A visual neighbour is therefore
    never dissimilar, unless the user judged it so (ALGORITHMS.md, 1.6). Neighbours are found among the training photos
    with n^2 d multiplications for n photos. Visual pairs of the side information, which the user has set, are similar
    pairs in addition, even if their photos were judged dissimilar. For the parameters `printed` see `BoostedMetric`.

    References
    ----------
    .. [1] L. Yang et al., IEEE TPAMI 32 (2010) 30-44, section 3.5. doi:10.1109/TPAMI.2008.273

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.boosted.bdm import BoostedMetric, BoostedMetricVisual
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.array([[0.0, 0], [0, 8], [1, 0], [1, 8]])
    >>> labels = SideInformation.from_labels([0, 0, 1, 1])
    >>> by_tags = BoostedMetric(euclidean_blend=0).fit(X, labels).distances_from(X[0], X)
    >>> by_looks = BoostedMetricVisual(visual_neighbors=1, euclidean_blend=0).fit(X, labels).distances_from(X[0], X)

    Photo 1 has the tag of photo 0, and photo 2 looks like it.

    >>> bool(by_tags[1] < by_tags[2]), bool(by_looks[2] < by_looks[1])
    (True, True)
    """

    name: ClassVar[str] = "bdm-visual"
    title: ClassVar[str] = "Boosted bits, looks and meaning"
    family: ClassVar[str] = "Boosted"
    summary: ClassVar[str] = "Boosted bits that also keep together what looks alike"
    source: ClassVar[str] = "Yang et al. 2010"
    sliders: ClassVar[tuple[Slider, ...]] = (
        Slider("visual_neighbors", "Meaning of alike", "means alike", "looks alike", (1, 2, 5, 8, 12, 20), 5, True),
        ROUNDS_SLIDER,
        BLEND_SLIDER,
    )
    candidates: ClassVar[tuple[Candidate, ...]] = (at_least(40, 20, 2, rounds=128, dense=0),)

    def __init__(
        self,
        visual_neighbors: int = 5,
        rounds: int = 300,
        step: Step = "paper",
        learning_rate: float = 1.0,
        tolerance: float = 1e-5,
        euclidean_blend: float | Auto = "auto",
        soft: float = 0.5,
        output_components: int = 128,
        prior: float = 30.0,
        dense: int = 4000,
        pairs_per_photo: int = 30,
        random_state: int = 0,
        smoothing: float = SMOOTHING,
        anchors: int = ANCHORS,
    ) -> None:
        super().__init__(
            rounds,
            step,
            learning_rate,
            tolerance,
            euclidean_blend,
            soft,
            output_components,
            prior,
            dense,
            pairs_per_photo,
            random_state,
            smoothing,
            anchors,
        )
        self.visual_neighbors = visual_neighbors

    def _visual_neighbors(self) -> int:
        return self.visual_neighbors

    def _feedback(self, side: SideInformation) -> SideInformation:
        least = 0 if len(side.visual) else 1
        if self.visual_neighbors < least:
            raise LearnerError(f"visual_neighbors must be at least {least}, it is {self.visual_neighbors}.")
        return side.with_visual_as_similar()


class BoostedKernelMetric(BoostedMetric):
    """Boosted bits in the space of a kernel, with curved boundaries in the space of the photos.

    Parameters
    ----------
    n_components : int
        Number of kernel principal components (RBF kernel).
    gamma : float or "auto"
        Parameter of the kernel ``exp(-gamma |x - x'|^2)``; auto: 1 / median squared distance.
    rounds, step, learning_rate, tolerance, euclidean_blend, soft, output_components, prior, dense, pairs_per_photo
        See `BoostedMetric`.
    exact : int
        Maximum number of photos for which kernel PCA is exact.
    landmarks : int
        Number of photos sampled for the Nyström map used above `exact`.
    random_state, smoothing, anchors

    Attributes
    ----------
    landmarks_, projection_, offset_, variances_, gamma_
        The map, see `learners.core.kernels.KernelPCA`.
    directions_ : ndarray of float64, shape (p, T)
        Directions in the space of the map.
    thresholds_, center_, code_weights_, widths_, axes_, log_objective_
        See `BoostedMetric`.

    Notes
    -----
    The paper expands the functions in the kernel, ``f(x) = sum_i u_i k(x_i, x)`` (section 3.4). Kernel principal
    components span the same functions, and in their coordinates the eigenproblem is well conditioned
    (ALGORITHMS.md, 1.7). The parameters `printed` use all components; a direction then has length 1 in the space of the
    kernel, in the paper as a vector of coefficients. Above 6,000 photos the Nyström map remains. Cost: that of the map
    (see `KernelMetric`), then of `BoostedMetric` with `n_components` dimensions.

    References
    ----------
    .. [1] L. Yang et al., IEEE TPAMI 32 (2010) 30-44, section 3.4. doi:10.1109/TPAMI.2008.273

    Examples
    --------
    Photos on a line, with one tag in the middle and another at both ends: no boundary separates them there, but some do
    in the space of the kernel.

    >>> import numpy as np
    >>> from focal_photos.learners.boosted.bdm import BoostedKernelMetric
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> X = np.linspace(-1, 1, 9)[:, None]
    >>> side = SideInformation.from_labels([0, 0, 0, 1, 1, 1, 0, 0, 0])
    >>> distances = BoostedKernelMetric(euclidean_blend=0).fit(X, side).distances_from(X[0], X)
    >>> bool(distances[8] < distances[4])
    True
    """

    name: ClassVar[str] = "bdm-kernel"
    title: ClassVar[str] = "Boosted bits over a kernel"
    family: ClassVar[str] = "Boosted"
    summary: ClassVar[str] = "Boosted bits with curved borders, in the space of a kernel"
    source: ClassVar[str] = "Yang et al. 2010"
    candidates: ClassVar[tuple[Candidate, ...]] = (at_least(40, 60, 2, rounds=128, dense=0),)
    printed: ClassVar[Mapping[str, Any] | None] = _PRINTED | {"n_components": UNLIMITED, "exact": MOST_EXACT}

    landmarks_: NDArray[np.floating]
    projection_: NDArray[np.float64]
    offset_: NDArray[np.float64]
    variances_: NDArray[np.float64]
    gamma_: float

    def __init__(
        self,
        n_components: int = 150,
        gamma: float | Auto = "auto",
        rounds: int = 300,
        step: Step = "paper",
        learning_rate: float = 1.0,
        tolerance: float = 1e-5,
        euclidean_blend: float | Auto = "auto",
        soft: float = 0.0,
        output_components: int = 128,
        prior: float = 30.0,
        dense: int = 4000,
        pairs_per_photo: int = 30,
        exact: int = 2000,
        landmarks: int = 1000,
        random_state: int = 0,
        smoothing: float = SMOOTHING,
        anchors: int = ANCHORS,
    ) -> None:
        super().__init__(
            rounds,
            step,
            learning_rate,
            tolerance,
            euclidean_blend,
            soft,
            output_components,
            prior,
            dense,
            pairs_per_photo,
            random_state,
            smoothing,
            anchors,
        )
        self.n_components = n_components
        self.gamma = gamma
        self.exact = exact
        self.landmarks = landmarks

    @property
    def _kernel_map(self) -> KernelPCA:
        return KernelPCA(self.landmarks_, self.projection_, self.offset_, self.variances_, self.gamma_)

    def _coordinates(self, X: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(self._kernel_map.transform(X.astype(np.float64)))

    def _add_projections(self, steps: MapSteps, x: int) -> int:
        return steps.affine(self._kernel_map.add_steps(steps, x), self.directions_, offset=-self.thresholds_)

    def _prepare(self, X: NDArray[Any]) -> dict[str, Any]:
        if self.n_components < 1:
            raise LearnerError(f"n_components must be at least 1, it is {self.n_components}.")
        check_gamma(self.gamma)
        kernel_map = fit_kernel_map(self, X, self.n_components)
        return {
            "landmarks_": kernel_map.landmarks,
            "projection_": kernel_map.projection,
            "offset_": kernel_map.offset,
            "variances_": kernel_map.variances,
            "gamma_": kernel_map.gamma,
        }


class Bits(NamedTuple):
    """Binary functions ``u'z > b`` and their weights."""

    directions: NDArray[np.float64]
    """Directions u, of length 1; shape (d, T)."""
    thresholds: NDArray[np.float64]
    """Thresholds b; shape (T,)."""
    alphas: NDArray[np.float64]
    """Weights, > 0; shape (T,)."""
    log_objective: NDArray[np.float64]
    """log F before the first round and after each; shape (T + 1,)."""


def boost(
    Z: NDArray[np.floating],
    pairs: PairObjective,
    rounds: int,
    *,
    step: Step = "paper",
    learning_rate: float = 1.0,
    tolerance: float = 1e-5,
    smoothing: float = SMOOTHING,
    seed: int = 0,
    report: ProgressReport = lambda _share: None,
) -> Bits:
    """Learn binary functions whose weighted Hamming distance is small for similar pairs (ALGORITHMS.md, 1.3).

    Parameters
    ----------
    Z : ndarray of float, shape (n, d), of the objective's dtype
        Photos of the pairs, centred and scaled to about 1.
    pairs : PairObjective
        Objective, whose weights are updated in each round.
    rounds, step, learning_rate, tolerance, smoothing
        See `BoostedMetric`.
    seed : int
        Seed of the first direction.
    report : callable

    Returns
    -------
    Bits
        Empty if no split separates more dissimilar than similar pairs.
    """
    n, d = Z.shape
    rng = np.random.default_rng(seed)
    u: NDArray[np.floating] = rng.standard_normal((d,), dtype=np.float32).astype(Z.dtype)
    directions, thresholds, alphas, values = [], [], [], [pairs.log_value]

    def operator(v: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.asarray(pairs.apply(Z @ v) @ Z, dtype=Z.dtype)

    for t in range(rounds):
        report(t / rounds)
        if not np.isfinite(pairs.log_value):
            break
        found, u = largest_eigenvector(operator, u)
        if not found > 0:
            break
        projection = _project(Z, u)
        threshold = best_split(projection, pairs)
        if threshold is None:
            break
        side = projection.astype(np.float64) > threshold
        alpha = learning_rate * bit_weight(pairs.split(side), step, n, smoothing)
        if not alpha > 0:
            break
        pairs.update(side, alpha)
        directions.append(u.astype(np.float64))
        thresholds.append(threshold)
        alphas.append(alpha)
        values.append(pairs.log_value)
        if -np.expm1(values[-1] - values[-2]) < tolerance or values[-1] - values[0] < np.log(1e-10):
            break
    return Bits(np.array(directions).reshape(-1, d).T.copy(), np.array(thresholds), np.array(alphas), np.array(values))


# OpenBLAS reads beyond the end of small vectors and may therefore raise the flag of an invalid operation (its issues
# 171 and 1924); the result is correct.
_without_flags_of_others = np.errstate(invalid="ignore")


@_without_flags_of_others
def _project(Z: NDArray[np.floating], u: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the positions (n,) of rows along a direction."""
    return Z @ u


@_without_flags_of_others
def largest_eigenvector(
    operator: Callable[[NDArray[np.floating]], NDArray[np.floating]], start: NDArray[np.floating], steps: int = _STEPS
) -> tuple[float, NDArray[np.floating]]:
    """Approximate the largest eigenvalue of a symmetric operator, and its eigenvector (d,) of length 1.

    Each Lanczos step takes one product, with orthogonalization against all earlier vectors (two passes suffice).
    `start` (d,) must not be 0. The eigenvalue of a zero operator is 0.
    """
    d = len(start)
    steps = min(steps, d)
    Q = np.zeros((steps, d), dtype=start.dtype)
    diagonal, beside = np.zeros(steps), np.zeros(steps)
    q = start / np.linalg.norm(start)
    made = 0
    for k in range(steps):
        Q[k] = q
        made = k + 1
        r = operator(q)
        diagonal[k] = float(q @ r)
        known = Q[:made]
        r = r - known.T @ (known @ r)
        r = r - known.T @ (known @ r)
        beside[k] = float(np.linalg.norm(r))
        if beside[k] <= 1e-6 * (np.abs(diagonal[:made]).max() + beside[:made].max()):
            break
        q = r / float(beside[k])
    T = np.diag(diagonal[:made]) + np.diag(beside[: made - 1], 1) + np.diag(beside[: made - 1], -1)
    w, V = np.linalg.eigh(T)
    u = V[:, -1].astype(Q.dtype) @ Q[:made]
    return float(w[-1]), u / np.linalg.norm(u)


def best_split(projection: NDArray[np.floating], pairs: PairObjective) -> float | None:
    """Return the threshold that lowers the bound most; None if none does.

    Parameters
    ----------
    projection : ndarray of float, shape (n,)
        Projections of the photos of the pairs.
    pairs : PairObjective
    """
    order = np.argsort(projection, kind="stable")
    ascending = projection[order].astype(np.float64)
    gaps = np.diff(ascending)
    legal = gaps > _GAP * max(abs(ascending[0]), abs(ascending[-1]))
    if not legal.any():
        return None
    similar, dissimilar = pairs.cuts(order)
    gain = np.where(legal, np.sqrt(dissimilar) - np.sqrt(similar), -np.inf)
    k = int(gain.argmax())
    if not gain[k] > 0:
        return None
    return float(ascending[k] + gaps[k] / 2)


def bit_weight(sums: SplitSums, step: Step, n: int, smoothing: float = SMOOTHING) -> float:
    """Return alpha, at most 1; not positive if the split separates no more dissimilar than similar pairs.

    Parameters
    ----------
    sums : SplitSums
    step : "paper" or "exact"
        ``(log cut- - log cut+) / 16``, or ``log(sum A D / sum B C) / 8``; both have the same sign.
    n : int
        Number of photos.
    smoothing : float
        See `BoostedMetric`.
    """
    A, B, C, D = sums
    parts = float(A @ C), float(A @ D), float(B @ C), float(B @ D)
    added = smoothing * sum(parts) / n
    _, gained, lost, both = parts
    if not sum(parts) > 0:  # no photo has both similar and dissimilar partners
        return 0.0
    if step == "paper":
        gained, lost = gained + both, lost + both
    if not gained + added > 0:
        return 0.0
    if not lost + added > 0:
        return _LARGEST_ALPHA
    alpha = np.log((gained + added) / (lost + added)) / (8 if step == "exact" else 16)
    return float(min(alpha, _LARGEST_ALPHA))


def leading_axes(centred: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return the first principal axes (d, r) of centred rows (n, d), r at most `count`.

    They come from the smaller of the rows' scatter and Gram matrix; with at most `count` coordinates, they are the
    identity.
    """
    n, d = centred.shape
    if d <= count:
        return np.eye(d)
    if d <= n:
        _, axes = principal_axes(centred.T @ centred, count, 1e-12)
        return axes if axes.shape[1] else np.eye(d)[:, :count]
    values, V = principal_axes(centred @ centred.T, count, 1e-12)
    return centred.T @ (V / np.sqrt(values)) if len(values) else np.eye(d)[:, :count]


def _mean_distance(bits: NDArray[np.bool_], learned: Bits) -> float:
    """Return the mean weighted Hamming distance of two photos."""
    share = bits.mean(axis=0)
    return float(np.sum(4 * learned.alphas * 2 * share * (1 - share)))
