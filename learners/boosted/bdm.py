"""Boosted bits: a distance that is a weighted Hamming distance of learned binary codes (Yang et al. 2010)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.boosted.pairs import TAGGED, Choice, gather
from learners.boosted.rounds import Bits, Step, boost
from learners.core.base import DistanceLearner, EmbeddingMixin, ProgressReport, as_samples
from learners.core.candidate import Candidate, at_least
from learners.core.errors import LearnerError
from learners.core.kernel_map import Auto
from learners.core.linalg import blocks, principal_axes
from learners.core.needs import PAIRS_OR_TAGS, require_feedback
from learners.core.side_information import SideInformation

_BLEND = 0.25
_BLEND_PAIRS = 600.0
"""Judged pairs at which one more share of Euclidean distance is added to the blend; fewer add more."""

_TAGGED_PAIRS = 10.0
_TIES = 1e-4
"""The least share of Euclidean distance: it orders photos of one code, and next to nothing else."""

_SAMPLE = 2000


class BoostedMetric(EmbeddingMixin, DistanceLearner):
    """Boosted bits from tags, classes and judged pairs (Yang et al. 2010).

    T binary functions ``u_t'x > b_t`` with weights ``alpha_t``; the distance of two photos is the sum of
    ``4 alpha_t`` over the bits that differ. Each round finds the direction and the threshold that separate most
    dissimilar and fewest similar pairs, with weights on the pairs that are still wrong.

    Parameters
    ----------
    rounds : int
        Largest number of bits T. 64 bring 60-70 % of what can be gained over Euclidean distance, 128 some 90 %.
    step : "paper" or "exact"
        Weight of a bit: minimum of the paper's bound (equation 14), or of the objective along the bit, which is at
        least twice as large, converges faster and generalises slightly worse.
    learning_rate : float
        Factor of that weight.
    tolerance : float
        Stop when a round lowers the objective by a smaller share.
    euclidean_blend : float or "auto"
        Weight of the squared Euclidean distance relative to the learned one, both divided by their means; auto: 0.25
        and 600 / judged pairs, a tagged photo counting as ten pairs. 0: next to nothing, see Notes.
    soft : float
        0: bits. Above: ``tanh((u'x - b) / (soft s))`` with the standard deviation s of the projections in the place
        of a bit; the codes stay bits.
    output_components : int
        Principal axes that the Euclidean part keeps.
    prior : float
        Where there are judged pairs but no tags, what looks alike takes part as if so many more pairs had been judged.
    dense, pairs_per_photo : int
        Up to so many photos with tags the pairs of all (of more than 512: of some drawn ones) with all others teach,
        above so many similar and dissimilar ones drawn for each.
    random_state : int
        Seed of the draws and of the first direction.

    Attributes
    ----------
    directions_ : ndarray of float64, shape (d, T)
    thresholds_ : ndarray of float64, shape (T,)
        Bit t of x is ``(x - center_) @ directions_[:, t] > thresholds_[t]``.
    code_weights_ : ndarray of float64, shape (T,)
        ``4 alpha_t``, what a differing bit adds to the distance.
    widths_ : ndarray of float64, shape (T,)
        Standard deviations of the training photos' projections.
    axes_ : ndarray of float64, shape (d, r)
        Of the Euclidean part, scaled to its share.
    log_objective_ : ndarray of float64, shape (T + 1,)
        log F before the first round and after each; never rises.

    Notes
    -----
    `transform` gives ``2 sqrt(alpha_t) bit_t``, whose squared Euclidean distance is the weighted Hamming distance,
    and appends the Euclidean part. Hamming distances of equal codes tie: a Euclidean share of at least 1e-4 of
    the mean learned distance is always there and orders them, at the price that photos whose learned distances
    differ by less than that may change places. `encode` gives the bits alone, packed.

    Departures from the paper. (1) Fig. 1 prints the matrix of the eigenproblem with the wrong sign; the constant of
    equation 11 is 1/4, which changes nothing (ALGORITHMS.md, 1.3). (2) Weights are smoothed and at most 1. (3) A
    judgement counts at both its photos, and with judged pairs every similar pair is also compared, with 1/n of the
    weight, with the dissimilar pairs of other photos: random pairs share no photo, and would teach nothing.
    (4) Few judged pairs say little about many directions, hence the prior and the blend: with 300 + 300 pairs,
    precision@20 on Corel-5k (50 classes, 3 draws) is .277 (Euclidean .265, the bits alone .244, and .185 without the
    prior), with 10 + 10 pairs .258 (Euclidean .256, the bits alone .189). With tags of half of the classes the others
    do not lose: .342 and .317 in two splits (Euclidean .328 and .303; without blend .320 and .285).
    Where nothing can be separated (one class), there are no bits and the distance is Euclidean.

    Cost of `fit`: of n tagged photos up to `dense` a = max(512, 16 sqrt(n)), at most n, are compared with all; a round
    costs thirty passes over (a, n) float32 and 12 n d multiplications (no d x d matrix is formed), memory is 12 a n
    bytes. For lists everything is in proportion to the number of pairs. `transform`: d (T + r) a photo.

    References
    ----------
    .. [1] L. Yang, R. Jin, L. Mummert, R. Sukthankar, A. Goode, B. Zheng, S. C. H. Hoi, M. Satyanarayanan, "A boosting
       framework for visuality-preserving distance metric learning and its application to medical image retrieval",
       IEEE TPAMI 32 (2010) 30-44, equations 5-18 and Fig. 1. doi:10.1109/TPAMI.2008.273
    """

    name: ClassVar[str] = "bdm"
    title: ClassVar[str] = "Boosted bits"
    family: ClassVar[str] = "Boosted"
    summary: ClassVar[str] = "Finds yes-or-no questions about photos whose answers agree where photos are similar"
    source: ClassVar[str] = "Yang et al. 2010"
    # Pairs are drawn, since all of them would take minutes in large libraries.
    candidates: ClassVar[tuple[Candidate, ...]] = (at_least(40, 60, 2, rounds=128, dense=0),)
    needs: ClassVar[str] = PAIRS_OR_TAGS

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

    def encode(self, X: ArrayLike) -> NDArray[np.uint8]:
        """Return the codes.

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

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        self._check_parameters()
        require_feedback(self, side_information, self.random_state)
        sample = np.random.default_rng(self.random_state).permutation(len(X))[:_SAMPLE]
        center = X[np.sort(sample)].mean(axis=0, dtype=np.float64)
        state = self._prepare(X) | {"center_": center}
        prepared = self._with(state)
        choice = Choice(self.dense, self.pairs_per_photo, self._visual_neighbors(), self.prior, self.random_state)
        rows, pairs = gather(X, side_information, choice)
        report(0.05)
        Y = prepared._coordinates(X[rows])
        size = float(Y.std(axis=0).max()) or 1.0
        bits = boost(
            (Y / size).astype(np.float32),
            pairs,
            self.rounds,
            step=self.step,
            learning_rate=self.learning_rate,
            tolerance=self.tolerance,
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
        if not self.learning_rate > 0 or self.soft < 0 or not self.prior > 0:
            raise LearnerError("learning_rate and prior must be above 0, soft at least 0.")
        if self.euclidean_blend != "auto" and not self.euclidean_blend >= 0:
            raise LearnerError(f"euclidean_blend must be at least 0, it is {self.euclidean_blend}.")

    def _visual_neighbors(self) -> int:
        return 0

    def _prepare(self, X: NDArray[Any]) -> dict[str, Any]:  # noqa: ARG002  the kernel variant needs them
        """Return what `_coordinates` needs."""
        return {}

    def _with(self, state: dict[str, Any]) -> BoostedMetric:
        """Return a learner with this state; the learner itself stays unfitted until all is done."""
        learner = type(self)(**self.get_params())
        for attribute, value in state.items():
            setattr(learner, attribute, value)
        return learner

    def _blend(self, side: SideInformation) -> float:
        if self.euclidean_blend != "auto":
            return max(_TIES, self.euclidean_blend)
        judged = len(side.similar) + len(side.dissimilar) + _TAGGED_PAIRS * min(len(side.tagged), TAGGED)
        return _BLEND + _BLEND_PAIRS / judged

    def _axes(self, centred: NDArray[np.float64], learned: float, side: SideInformation) -> NDArray[np.float64]:
        """Return the axes of the Euclidean part: their mean squared distance is its share of the learned one.

        Without any bits it is 2.
        """
        axes = leading_axes(centred, self.output_components)
        plain = 2 * float((centred**2).mean(axis=0).sum())
        wanted = self._blend(side) * learned if learned > 0 else 2.0
        return axes * np.sqrt(wanted / plain) if plain > 0 else axes


class BoostedMetricVisual(BoostedMetric):
    """Boosted bits that keep what looks alike together (BDM+V): the nearest by appearance count as similar.

    Parameters
    ----------
    visual_neighbors : int
        So many nearest photos by Euclidean distance are similar to each photo, whether or not they share a tag: from
        "means alike" (1) to "looks alike" (20).
    rounds, step, learning_rate, tolerance, euclidean_blend, soft, output_components, prior, dense, pairs_per_photo
        As in `BoostedMetric`, but `soft` is 0.5, which keeps more of the looks. Where there are only judged pairs,
        visual neighbours weigh ``visual_neighbors / 5`` times the prior.
    random_state : int

    Notes
    -----
    Remark 2 of the paper: photos are similar if they match in category or look alike, so that a visual neighbour is
    never a dissimilar photo, unless a person judged it to be one. Neighbours are found among the photos that take
    part in training, for n photos with n^2 d multiplications. Otherwise as `BoostedMetric`.

    References
    ----------
    .. [1] L. Yang et al., IEEE TPAMI 32 (2010) 30-44, section 4.4. doi:10.1109/TPAMI.2008.273
    """

    name: ClassVar[str] = "bdm-visual"
    title: ClassVar[str] = "Boosted bits, looks and meaning"
    family: ClassVar[str] = "Boosted"
    summary: ClassVar[str] = "Boosted bits that also keep together what looks alike"
    source: ClassVar[str] = "Yang et al. 2010"
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
        )
        self.visual_neighbors = visual_neighbors

    def _visual_neighbors(self) -> int:
        if self.visual_neighbors < 1:
            raise LearnerError(f"visual_neighbors must be at least 1, it is {self.visual_neighbors}.")
        return self.visual_neighbors


def leading_axes(centred: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return at most `count` principal axes (d, r) of centred rows (n, d); all d coordinates, if they are not more.

    From the smaller of the scatter matrix and the matrix of inner products.
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
    """Return the mean weighted Hamming distance of two of the photos."""
    share = bits.mean(axis=0)
    return float(np.sum(4 * learned.alphas * 2 * share * (1 - share)))
