# SPDX-License-Identifier: MIT
"""Add a trained metric to the library: file, rows and history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.galleries.gallery import drop_old_rows, embedding, note_use
from focal_photos.browser.operations.ranking.learner_file import write_learners
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.training.training_set import TrainingSet
from focal_photos.learners.core.estimator import Estimator
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.persistence import PersistenceError


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained metric in memory, not yet in the library."""

    learner: str
    title: str
    space: FeatureSpace
    estimator: DistanceLearner
    """Fitted on coordinates in the space."""
    training: TrainingSet
    """Training data."""
    more: Mapping[str, Estimator] = field(default_factory=dict)
    """Other estimators for the metric's file, by name."""


def keep_metric(library: Library, trained: Trained, *, by_itself: bool = False) -> Job[Metric]:
    """Write a metric's file, compute the rows of all photos and make it the current metric, in one journal step.

    The file also contains the feature space, so that the metric never changes its meaning. If the job is cancelled or
    fails, nothing changes.

    Parameters
    ----------
    by_itself : bool
        As in `train.train`.

    Raises
    ------
    OperationError
        If the file cannot be written.
    """
    learner, training = trained.learner, trained.training
    version = library.metrics.next_version(learner)
    file = f"{learner}-{version}.npz"
    library.metrics.folder.mkdir(parents=True, exist_ok=True)
    path = library.metrics.folder / file
    title = f"{trained.title} (v{version})"
    try:
        write_learners(path, space=trained.space, learner=trained.estimator, **trained.more)
    except PersistenceError as error:
        raise OperationError("The metric cannot be saved: {0}", error) from error
    added = False
    try:
        at, judgements, tagged = training.at, training.judgements, training.tagged
        draft = Metric(0, f"{learner}-{version}", title, learner, version, file, at, judgements, tagged)
        loaded = load_metric(library, draft)
        yield from embedding(library, loaded)
        note_use(library, loaded)
        metric, _ = library.metrics.add(
            learner,
            title,
            file,
            version=version,
            at=at,
            judgements=judgements,
            tagged=tagged,
            by_itself=by_itself,
        )
        added = True
    finally:
        if not added:
            path.unlink(missing_ok=True)
    drop_old_rows(library)
    return metric
