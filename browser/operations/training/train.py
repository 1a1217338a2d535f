# SPDX-License-Identifier: MIT
"""Train a metric from the user's judgements and tags, and make it the current one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import (
    NothingIndexedError,
    NothingToLearnError,
    OperationError,
    OutdatedMetricError,
    UnreadableMetricError,
)
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.learner import LOCAL, TITLE
from focal_photos.browser.operations.ranking.space import coordinates, prepare_space
from focal_photos.browser.operations.training.automatic import train_automatic
from focal_photos.browser.operations.training.candidates import STANDARD
from focal_photos.browser.operations.training.evaluate import BASELINE
from focal_photos.browser.operations.training.held_out import keep_held_out, measuring
from focal_photos.browser.operations.training.keep_metric import Trained, keep_metric
from focal_photos.browser.operations.training.learner_table import AUTOMATIC
from focal_photos.browser.operations.training.local_train import train_local
from focal_photos.browser.operations.training.parameters import checked
from focal_photos.browser.operations.training.training_set import (
    Use,
    families,
    read_training_set,
    read_without_feedback,
)
from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport
from focal_photos.learners.core.learner.plugin_check import foreign_errors
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.selection import Gained, HeldOut


def trainable() -> dict[str, str]:
    """Return the learners that can be trained, as titles by name, in table order."""
    learners = {name: kind.title for name, kind in LEARNERS.items() if kind.family}
    return {**learners, LOCAL: TITLE}


_UNKEPT_SETTING: Final = "training.unkept"
"""Setting: learner of the last training if its metric was not kept, and the metric in use at that time."""


def same_again(library: Library) -> str:
    """Return the learner to train again: that of the last training, if the metric in use is still the same.

    This is the learner of the current metric, or of a later training whose metric was not kept, including Automatic
    when it chose Euclidean distance. Without any training it is the standard learner. The setting is saved in the
    library.
    """
    current = library.metrics.current()
    unkept = library.settings.get(_UNKEPT_SETTING, {})
    if unkept.get("metric") == current.id and _can_be_trained(str(unkept.get("learner"))):
        return str(unkept["learner"])
    return current.learner if _can_be_trained(current.learner) else STANDARD


def is_outdated(library: Library) -> bool:
    """Return whether the current metric was trained on descriptions that this version of Focal no longer makes."""
    metric = library.metrics.current()
    if metric.learner == LOCAL:
        return False
    try:
        load_metric(library, metric)
    except OutdatedMetricError:
        return True
    except (UnreadableMetricError, NothingIndexedError):
        return False
    return False


def _can_be_trained(learner: str) -> bool:
    """Return whether there is such a learner to train; only its own module is loaded."""
    kind = LEARNERS.get(learner)
    return learner in (AUTOMATIC.name, LOCAL) or (kind is not None and bool(kind.family))


def train(
    library: Library,
    learner: str = STANDARD,
    *,
    parameters: Mapping[str, Any] | None = None,
    paper: bool = False,
    by_itself: bool = False,
    scheduler: str | None = None,
    **use: Unpack[Use],
) -> Job[Metric]:
    """Train a metric, embed all photos and make it the current one, in one journal step.

    The learner gets the judged and tagged photos and a sample of all others, and the families of the library's space if
    it distinguishes families. The metric's file also contains the feature space, so that the metric never changes its
    meaning. If the job is cancelled or fails, nothing changes.

    Parameters
    ----------
    learner : str
        Name in the table of learners, or ``automatic`` (see `browser.operations.training.automatic`).
    parameters : mapping, optional
        Parameters of the learner, each of the type of its default (see `browser.operations.training.parameters`).
    paper : bool
        Whether the other parameters are those of the learner as printed in its paper, instead of the defaults.
    by_itself : bool
        Whether the training started automatically: it is then undone together with the action before it.
    scheduler : str, optional
        Address of a Dask cluster, for automatic and local distances.
    use_tags, use_judgements : bool
        Training data; both by default.

    Raises
    ------
    NothingToLearnError
        If the indexed photos have no judgements or tags that the learner could use, or too many for it.
    NothingIndexedError
        If no photo is indexed.
    OperationError
        If the learner or a parameter is unknown, a value is invalid, the learner has no parameters of a paper, or the
        metric's file cannot be written.
    """
    if learner == AUTOMATIC.name:
        _without_parameters(parameters, paper)
        return (yield from train_automatic(library, by_itself=by_itself, scheduler=scheduler, **use)).metric
    if learner == LOCAL:
        given = checked(learner, parameters or {}, paper)
        return (yield from train_local(library, given, by_itself=by_itself, scheduler=scheduler, **use))
    trained, _ = yield from _trained(library, learner, parameters or {}, paper, scheduler, **use)
    return (yield from keep_metric(library, trained, by_itself=by_itself))


@dataclass(frozen=True, eq=False)
class Outcome:
    """Result of `train_for_gain`."""

    metric: Metric | None
    """The new current metric; None if it gained nothing and was not kept."""
    found: HeldOut | None = None
    """Gain on held-out data, for Automatic a `Choice`; None if not measured."""
    trained: Trained | None = None
    """A metric without gain, for `keep_nevertheless`; None also if Automatic chose Euclidean distance."""


def train_for_gain(
    library: Library,
    learner: str = STANDARD,
    *,
    parameters: Mapping[str, Any] | None = None,
    paper: bool = False,
    by_itself: bool = False,
    keep_all: bool = False,
    scheduler: str | None = None,
    **use: Unpack[Use],
) -> Job[Outcome]:
    """Train a metric as `train` does, and make it the current one unless it gains nothing on held-out data.

    It gains nothing if the gain over Euclidean distance in at least 30 queries is at most its standard error
    (`learners.evaluation.selection.HeldOut.gained`). The library is then unchanged. The gain is stored with the metric.
    Metrics become current if their gain is not measured: with slow learners, local distances, or too little training
    data to hold any out.

    Parameters
    ----------
    library, learner, parameters, paper, use_tags, use_judgements, by_itself, scheduler
        As in `train`.
    keep_all : bool
        Whether to keep the metric regardless of its gain.

    Raises
    ------
    NothingToLearnError, NothingIndexedError, OperationError
        As in `train`.
    """
    outcome = yield from _outcome(library, learner, parameters, paper, by_itself, keep_all, scheduler, use)
    if not by_itself:
        unkept = {"learner": learner, "metric": library.metrics.current().id} if outcome.metric is None else None
        library.settings.set(_UNKEPT_SETTING, unkept)
    return outcome


def _outcome(
    library: Library,
    learner: str,
    parameters: Mapping[str, Any] | None,
    paper: bool,
    by_itself: bool,
    keep_all: bool,
    scheduler: str | None,
    use: Use,
) -> Job[Outcome]:
    """Train as `train_for_gain` does, without recording the learner for `same_again`."""
    if learner == AUTOMATIC.name:
        _without_parameters(parameters, paper)
        choice = yield from train_automatic(library, by_itself=by_itself, keep_all=keep_all, scheduler=scheduler, **use)
        if choice.kept is not None:
            keep_held_out(library, choice.kept, choice)
        return Outcome(choice.kept, choice, None if choice.chosen == BASELINE else choice.trained)
    if learner == LOCAL:
        job = train(
            library, learner, parameters=parameters, paper=paper, by_itself=by_itself, scheduler=scheduler, **use
        )
        return Outcome((yield from job))
    trained, found = yield from _trained(library, learner, parameters or {}, paper, scheduler, is_measured=True, **use)
    outcome = Outcome(None, found, trained)
    if found is not None and found.gained is Gained.NOTHING and not keep_all:
        return outcome
    return Outcome((yield from keep_nevertheless(library, outcome, by_itself=by_itself)), found)


def keep_nevertheless(library: Library, outcome: Outcome, *, by_itself: bool = False) -> Job[Metric]:
    """Add a trained metric to the library and make it the current one, in one journal step.

    Parameters
    ----------
    outcome : Outcome
        Must contain `trained`.
    by_itself : bool
        As in `train`.

    Raises
    ------
    OperationError
        If the metric's file cannot be written.
    """
    assert outcome.trained is not None, "there is something to keep"
    metric = yield from keep_metric(library, outcome.trained, by_itself=by_itself)
    if outcome.found is not None:
        keep_held_out(library, metric, outcome.found)
    return metric


def _without_parameters(parameters: Mapping[str, Any] | None, paper: bool) -> None:
    if parameters or paper:
        raise OperationError("Automatic chooses its own parameters: omit them, or name a learner.")


def _trained(
    library: Library,
    learner: str,
    parameters: Mapping[str, Any],
    paper: bool,
    scheduler: str | None,
    *,
    is_measured: bool = False,
    **use: Unpack[Use],
) -> Job[tuple[Trained, HeldOut | None]]:
    """Train a metric, and measure its gain if `is_measured`; nothing is stored."""
    if learner not in LEARNERS or not LEARNERS[learner].family:
        raise OperationError("There is nothing to train for {0!r}: choose one of {1}.", learner, ", ".join(trainable()))
    given = checked(learner, parameters, paper)
    if scheduler is not None:
        raise OperationError(
            "{0} trains in seconds on this computer: a cluster is only for automatic and {1}.", learner, LOCAL
        )
    estimator = create(learner, paper, **given)
    kind = type(estimator)
    space = yield from prepare_space(library)
    if "families" in estimator.get_params() and not (paper and "families" in (kind.printed or ())):
        estimator.set_params(families=families(space))
    if kind.needs:
        training = read_training_set(library, space, kind.rows, **use)
    else:
        training = read_without_feedback(library, space, kind.rows)
    measure = None
    if is_measured and (training.judgements or training.tagged):
        measure = measuring(library, estimator, space, training.tagged > 0, training.judgements > 0)
    points = coordinates(library, space, training.ids)
    found = yield from _learn(estimator, points, training.side, parameters, measure)
    return Trained(learner, kind.title, space, estimator, training), found


def _learn(
    estimator: DistanceLearner,
    points: NDArray[np.float32],
    side: SideInformation,
    parameters: Mapping[str, Any],
    measure: Callable[[ProgressReport], HeldOut | None] | None,
) -> Job[HeldOut | None]:
    """Fit a learner to coordinates (n, p) and measure it concurrently; errors name its parameters."""

    def work(report: ProgressReport) -> HeldOut | None:
        if measure is None:
            with foreign_errors(estimator):
                estimator.fit(points, side, progress=report)
            return None
        shares, failed = [0.0, 0.0], threading.Event()

        def report_part(which: int, share: float) -> None:
            if failed.is_set():
                raise LearnerError("It was not trained.")
            shares[which] = share
            report(min(shares))

        def measured_beside() -> HeldOut | None:
            found = measure(partial(report_part, 1))
            shares[1] = 1.0  # the measurement may have ended early without a result
            return found

        with ThreadPoolExecutor(1, thread_name_prefix="Measuring") as beside:
            measured = beside.submit(measured_beside)
            try:
                with foreign_errors(estimator):
                    estimator.fit(points, side, progress=partial(report_part, 0))
            except BaseException:
                failed.set()
                raise
            shares[0] = 1.0
            return measured.result()

    try:
        return (yield from in_thread(Text("Learning"), work, keeps=False))
    except LearnerError as error:
        raise NothingToLearnError(str(error)) from error
    except (TypeError, ValueError, ArithmeticError, MemoryError) as error:
        if not parameters:
            raise
        # Invalid numbers of the right type that the learner does not check.
        values = ", ".join(f"{name}={value}" for name, value in parameters.items())
        raise OperationError("{0} cannot be trained with {1}: {2}", estimator.title, values, error) from error
