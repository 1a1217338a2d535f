# SPDX-License-Identifier: MIT
"""Measure how well learners rank this library, by cross-validation on its tags and judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import RERANK
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.space import coordinates, prepare_space
from focal_photos.browser.operations.training.candidates import suited
from focal_photos.browser.operations.training.on_cluster import examiner
from focal_photos.browser.operations.training.parameters import checked
from focal_photos.browser.operations.training.training_set import TrainingSet, Use, families, read_training_set
from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport
from focal_photos.learners.core.measures import wilson_interval
from focal_photos.learners.evaluation.cross_validation import chance, cross_validate, fitting_k
from focal_photos.learners.evaluation.protocols import GalleryKind, Protocol, make_protocol
from focal_photos.learners.evaluation.results import Gain, LearnerResult, Spread, compare, compare_order, spread

MAX_PHOTOS: Final = 5000
"""Maximum number of photos used: all judged photos, then a seeded sample of the tagged and of the other photos."""

BASELINE: Final = "euclidean"


@dataclass(frozen=True)
class Score:
    """Cross-validation results of one learner; None where nothing could be measured."""

    learner: str
    title: str
    parameters: Mapping[str, Any]
    """Parameters that were set."""
    reason: str
    """Why the learner could not be trained; empty if it could. Otherwise no other result is set."""
    precision: Spread | None
    average_precision: Spread | None
    ndcg: Spread | None
    auc: Spread | None
    """`precision`, `average_precision`, `ndcg` and `auc`: mean and standard deviation over folds; see
    `learners.evaluation.results.LearnerResult`."""
    gain: Gain | None
    """Gain in precision over Euclidean distance, paired by query, with its standard error."""
    order: float | None
    """Share of cases in which a pair judged similar is nearer than one judged dissimilar."""
    order_gain: Gain | None
    right: int
    judged: int
    """`right` and `judged`: number of held-out judgements on the right side of the threshold, and of all held-out
    judgements."""
    interval: tuple[float, float] | None
    """Wilson's 95 % interval of their share."""
    curve: NDArray[np.float64]
    curve_sd: NDArray[np.float64]
    """`curve` and `curve_sd`: precision among the first 1..r results, mean and standard deviation over folds; empty
    without queries; shape (r,)."""
    recall: NDArray[np.float64]
    recall_sd: NDArray[np.float64]
    """`recall` and `recall_sd`: precision at the recalls 0, .1, ..., 1; empty without queries; shape (11,)."""
    seconds: float
    """Mean processor time of one training."""


@dataclass(frozen=True)
class Evaluation:
    """Scores of learners on the same folds."""

    scores: tuple[Score, ...]
    """Euclidean distance first."""
    k: int
    """Cutoff of precision and NDCG: as requested, or a quarter of the smallest gallery if that is less."""
    folds: int
    gallery: str
    photos: int
    tagged: int
    judgements: int
    """`tagged` and `judgements`: numbers of tagged photos and of judgements among these."""
    queries: int
    """Number of held-out photos used as queries."""
    chance: float | None
    """Precision of a random order."""
    majority: float | None
    """Share of the more frequent verdict: the share right by always giving that verdict."""
    by_focal: bool
    """Whether judgements were held out by focal image."""
    reranked: bool
    """Whether photos were ranked by shared neighbours."""


@dataclass(frozen=True)
class Material:
    """Data on which learners are tried."""

    space: FeatureSpace
    training: TrainingSet
    points: NDArray[np.float32]
    """Coordinates of the photos; shape (n, p)."""

    def learner(self, name: str, parameters: Mapping[str, Any]) -> DistanceLearner:
        """Return a new learner that knows the families of the space, if it uses families."""
        made = create(name, **parameters)
        if "families" in made.get_params():
            made.set_params(families=families(self.space))
        return made


def material(library: Library, **use: Unpack[Use]) -> Job[Material]:
    """Read the data for trying learners, at most `MAX_PHOTOS` photos.

    Raises
    ------
    NothingToLearnError, NothingIndexedError
    """
    space = yield from prepare_space(library)
    training = read_training_set(library, space, MAX_PHOTOS, **use)
    return Material(space, training, coordinates(library, space, training.ids))


def protocol_of(found: Material, folds: int, gallery: GalleryKind = "held-out", seed: int = 0) -> Protocol:
    """Return the folds for some data.

    Raises
    ------
    NothingToLearnError
        If there is too little data to hold any out.
    """
    try:
        return make_protocol(len(found.points), found.training.side, folds, gallery=gallery, seed=seed)
    except LearnerError as error:
        raise NothingToLearnError(str(error)) from error


def evaluate(
    library: Library,
    learners: Sequence[str] = (),
    *,
    folds: int = 3,
    k: int = 10,
    gallery: GalleryKind = "held-out",
    seed: int = 0,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    rerank: bool | None = None,
    scheduler: str | None = None,
) -> Job[Evaluation]:
    """Cross-validate learners on a library's tags and judgements, without changing anything.

    For the contents of a fold see `learners.evaluation.protocols.make_protocol`. All learners, including Euclidean
    distance, use the same folds. At most `MAX_PHOTOS` photos are used.

    Parameters
    ----------
    learners : sequence of str
        Names in the table of learners; default: those that suit the data (`browser.operations.training.candidates`).
    folds : int
        At least 2.
    k : int
        At least 1; reduced if galleries are small (`learners.evaluation.cross_validation.fitting_k`).
    gallery : "held-out" or "tagged"
    parameters : mapping of str to mapping, optional
        Parameters by learner.
    rerank : bool, optional
        Whether photos are ranked by shared neighbours; default: as in the library's settings.
    scheduler : str, optional
        Address of a Dask cluster that examines learners instead of this process.

    Raises
    ------
    NothingToLearnError
        If there are no judgements or tags, or too few to hold any out.
    NothingIndexedError
    OperationError
        If a learner or parameter is unknown, or a number is invalid.
    """
    if k < 1 or folds < 2:
        raise OperationError("k must be at least 1 and folds at least 2, not {0} and {1}.", k, folds)
    given = {name: checked(name, some) for name, some in (parameters or {}).items()}
    _check_known(learners)
    found = yield from material(library)
    training = found.training
    protocol = protocol_of(found, folds, gallery, seed)
    names = list(dict.fromkeys([BASELINE, *(learners or suited(training.tagged, training.judgements))]))
    made = {name: found.learner(name, given.get(name, {})) for name in names}
    shortest = fitting_k(protocol, k)

    again = RERANK.get(library) if rerank is None else rerank

    def work(report: ProgressReport) -> dict[str, LearnerResult]:
        with examiner(scheduler) as remote:
            return cross_validate(
                made, found.points, protocol, k=shortest, rerank=again, examiner=remote, progress=report
            )

    results = yield from in_thread(Text("Evaluating"), work, keeps=False)
    score = partial(_score, baseline=results[BASELINE], protocol=protocol)
    return Evaluation(
        tuple(score(result, parameters=given.get(name, {})) for name, result in results.items()),
        shortest,
        len(protocol.folds),
        protocol.gallery,
        len(found.points),
        training.tagged,
        training.judgements,
        protocol.queries,
        chance(protocol),
        _majority(protocol),
        protocol.by_focal,
        again,
    )


def _check_known(learners: Sequence[str]) -> None:
    unknown = [name for name in learners if name not in LEARNERS]
    if unknown:
        raise OperationError("There is no learner {0!r}: choose from {1}.", unknown[0], ", ".join(LEARNERS))


def _majority(protocol: Protocol) -> float | None:
    """Return the share of the more frequent verdict among the held-out judgements."""
    counts = [sum(len(getattr(fold, kind)) for fold in protocol.folds) for kind in ("similar", "dissimilar")]
    return max(counts) / sum(counts) if sum(counts) else None


def _score(result: LearnerResult, parameters: Mapping[str, Any], baseline: LearnerResult, protocol: Protocol) -> Score:
    right, judged = result.judged_right
    precision, average, ndcg, auc = (result.spread(name) for name in ("precision", "average_precision", "ndcg", "auc"))
    curve, curve_sd = _curve(result.curves)
    recall, recall_sd = _curve(result.recalls)
    learner = result.name
    return Score(
        learner,
        LEARNERS[learner].title,
        parameters,
        result.reason,
        precision,
        average,
        ndcg,
        auc,
        None if learner == BASELINE else compare(result, baseline, "precision"),
        result.order,
        None if learner == BASELINE else compare_order(result, baseline, protocol),
        right,
        judged,
        wilson_interval(right, judged) if judged else None,
        curve,
        curve_sd,
        recall,
        recall_sd,
        result.seconds / len(protocol.folds),
    )


def _curve(curves: Sequence[NDArray[np.float64]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and standard deviation over folds, up to the length of the shortest curve."""
    if not curves:
        return np.empty(0), np.empty(0)
    shortest = min(len(curve) for curve in curves)
    points = [spread([float(curve[i]) for curve in curves]) or Spread(0.0, 0.0) for i in range(shortest)]
    return np.array([point.mean for point in points]), np.array([point.sd for point in points])
