# SPDX-License-Identifier: MIT
"""Automatic: choose a learner and its parameters by cross-validation on this library, then train on all the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import RERANK
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.local.learner import LOCAL, TITLE
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.training.candidates import STANDARD, suitable
from focal_photos.browser.operations.training.evaluate import BASELINE, material
from focal_photos.browser.operations.training.held_out import figures, sentence
from focal_photos.browser.operations.training.keep_metric import Trained, keep_metric
from focal_photos.browser.operations.training.learner_table import AUTOMATIC
from focal_photos.browser.operations.training.local_train import train_local
from focal_photos.browser.operations.training.local_trial import LocalTrial, try_local
from focal_photos.browser.operations.training.on_cluster import examiner
from focal_photos.browser.operations.training.training_set import Use, described_in, read_training_set
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.kernels import shared_maps
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport, part_of
from focal_photos.learners.core.learner.plugin_check import foreign_errors
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.selection import Gained, HeldOut, Selection, select

_EUCLIDEAN: Final = "Euclidean"


@dataclass(frozen=True, kw_only=True)
class Choice(HeldOut):
    """The choice of Automatic and its gain on held-out data.

    Attributes
    ----------
    measure, k, score, euclidean, gain, error, questions
        As in `learners.evaluation.selection.HeldOut`, measured as a window ranks: held-out photos rank all tagged ones,
        by shared neighbours if the library does.
    """

    kept: Metric | None
    """The trained metric; None if it gained nothing and was discarded."""
    chosen: str
    """Name of the learner: the standard learner if none is better, ``euclidean`` if it is worse than that."""
    title: str
    parameters: Mapping[str, Any]
    """Parameters that differ from the learner's defaults."""
    best: str
    """Title of the learner with the highest score, chosen or not."""
    tried: int
    """Number of candidates."""
    sample: int = 0
    """Number of photos in the trial of local distances, if these were chosen."""
    trained: Trained | None = None
    """The training result, if it is not a metric of the library."""

    @property
    def metric(self) -> Metric:
        """The trained metric, which must not be None."""
        assert self.kept is not None, "it was not kept"
        return self.kept

    @property
    def sentence(self) -> Text:
        """The result in words for the user."""
        tried, title = Text("Automatic tried {0} ways of learning", self.tried), Text(self.title)
        if self.chosen == BASELINE:
            return Text(
                "{0}, and none improves on Euclidean, which is used. The best was {1}: {2}",
                tried,
                Text(self.best),
                figures(self),
            )
        if self.sample:
            return Text("Automatic chose {0} on a sample of {1} photos: {2}", title, self.sample, sentence(self))
        if self.chosen == STANDARD and self.tried > 1 and self.best != self.title:
            return Text("{0}, and none is clearly better than {1}: {2}", tried, title, sentence(self))
        return Text("Automatic chose {0}: {1}", title, sentence(self))


def train_automatic(
    library: Library,
    *,
    by_itself: bool = False,
    keep_all: bool = True,
    scheduler: str | None = None,
    **use: Unpack[Use],
) -> Job[Choice]:
    """Choose a learner by cross-validation, train it on all the data and make it the current metric.

    The candidates depend on the amount of training data (`browser.operations.training.candidates`); at most 5,000
    photos are used for the choice. A candidate must gain twice the standard error over the standard learner, because
    the best of several is picked. Otherwise the standard learner is chosen, or Euclidean distance if that gains as much
    over the standard learner. Whether the metric is kept is decided as after any training, which compares it only
    with Euclidean distance. If photos have patches, local distances are tried beside the choice on 120 of them and must
    gain twice the error over it (`browser.operations.training.local_trial`). As training them takes minutes, they are
    left out of automatic trainings.

    The file contains the chosen learner as usual. The learner in the record is ``automatic``, or ``local`` if local
    distances were chosen, so that the next training updates them. If the job is cancelled or fails, nothing changes.

    Parameters
    ----------
    by_itself : bool
        As in `train.train`.
    keep_all : bool
        Whether to keep a metric that gains nothing (`learners.evaluation.selection.HeldOut.gained`). If False, the
        library then stays unchanged, except that Euclidean distance becomes current if it was chosen.
    scheduler : str, optional
        Address of a Dask cluster that tries the candidates instead of this process.
    use_tags, use_judgements : bool
        As in `train.train`.

    Raises
    ------
    NothingToLearnError
        If there are no judgements or tags, or too few to hold any out.
    NothingIndexedError
    OperationError
        If the metric's file cannot be written.
    """
    found = yield from material(library, **use)
    candidates = {one.name: one for one in suitable(found.training.tagged, found.training.judgements)}
    made = {name: found.learner(one.learner, one.parameters) for name, one in candidates.items()}
    everything = len(found.training.ids) == len(described_in(library, found.space))

    rerank = RERANK.get(library)

    def choose(report: ProgressReport) -> tuple[Selection, DistanceLearner]:
        # The training uses the same map of all photos as the choice.
        with shared_maps(), examiner(scheduler) as remote:
            selection = select(
                made,
                found.points,
                found.training.side,
                fallback=next((name for name, one in candidates.items() if one.learner == STANDARD), None),
                rerank=rerank,
                examiner=remote,
                progress=part_of(report, 0.0, 0.95),
            )
            one = candidates[selection.chosen] if selection.chosen is not None else None
            estimator = found.learner(one.learner if one else BASELINE, one.parameters if one else {})
            if everything:
                _fit(estimator, found.points, found.training.side, part_of(report, 0.95, 0.05))
        return selection, estimator

    try:
        selection, estimator = yield from in_thread(Text("Choosing a learner"), choose, keeps=False)
        chosen, parameters = BASELINE, dict[str, Any]()
        if selection.chosen is not None:
            one = candidates[selection.chosen]
            chosen, parameters = one.learner, dict(one.parameters)
        training = found.training
        if not everything:
            training = read_training_set(library, found.space, estimator.rows, **use)
            points = coordinates(library, found.space, training.ids)
            yield from in_thread(Text("Learning"), partial(_fit, estimator, points, training.side), keeps=False)
    except LearnerError as error:
        raise NothingToLearnError(str(error)) from error
    if not by_itself:
        trial = yield from try_local(
            library, found, found.learner(chosen, parameters), selection.measure, rerank=rerank
        )
        if trial is not None and trial.wins:
            metric = yield from train_local(library, {}, scheduler=scheduler, **use)
            return _local_choice(metric, trial, selection.tried + 1)
    title = _title(chosen)
    trained = Trained(AUTOMATIC.name, f"{AUTOMATIC.title}: {title}", found.space, estimator, training)
    choice = Choice(
        *selection.values,
        kept=None,
        chosen=chosen,
        title=title,
        parameters=parameters,
        best=_title(candidates[selection.best].learner),
        tried=selection.tried,
        trained=trained,
    )
    if not keep_all and chosen == BASELINE:
        library.metrics.use_euclidean(by_itself=by_itself)
        return choice
    if not keep_all and choice.gained is Gained.NOTHING:
        return choice
    metric = yield from keep_metric(library, trained, by_itself=by_itself)
    return replace(choice, kept=metric, trained=None)


def _local_choice(metric: Metric, trial: LocalTrial, tried: int) -> Choice:
    return Choice(
        *trial.values,
        kept=metric,
        chosen=LOCAL,
        title=TITLE,
        parameters={},
        best=TITLE,
        tried=tried,
        sample=trial.photos,
    )


def _fit(
    estimator: DistanceLearner, points: NDArray[np.float32], side: SideInformation, report: ProgressReport
) -> None:
    with foreign_errors(estimator):
        estimator.fit(points, side, progress=report)


def _title(learner: str) -> str:
    return _EUCLIDEAN if learner == BASELINE else LEARNERS[learner].title
