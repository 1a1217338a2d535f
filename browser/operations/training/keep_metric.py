"""Take a trained metric into the library: its file, its rows and its place in the history."""

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
    """What was learned, in memory: no metric of the library yet.

    Attributes
    ----------
    learner, title : str
        In the table of learners, and for a person.
    space : FeatureSpace
    estimator : DistanceLearner
        Fitted on coordinates in the space.
    taught : TrainingSet
        What was learned from.
    more : mapping of str to Estimator
        What else its file will hold, by name.
    """

    learner: str
    title: str
    space: FeatureSpace
    estimator: DistanceLearner
    taught: TrainingSet
    more: Mapping[str, Estimator] = field(default_factory=dict)


def keep_metric(library: Library, trained: Trained, *, by_itself: bool = False) -> Job[Metric]:
    """Write a metric's file, work out all photos' rows and make it the current metric, in one step of the journal.

    The file holds the feature space too, so that the metric means the same for ever. When this is cancelled or fails,
    nothing has changed.

    Parameters
    ----------
    library : Library
    trained : Trained
    by_itself : bool
        No person asked for it: it is undone with what was done before.

    Yields
    ------
    Progress

    Returns
    -------
    Metric

    Raises
    ------
    OperationError
        The file cannot be written.
    """
    learner, taught = trained.learner, trained.taught
    version = library.metrics.next_version(learner)
    file = f"{learner}-{version}.npz"
    library.metrics.folder.mkdir(parents=True, exist_ok=True)
    path = library.metrics.folder / file
    title = f"{trained.title} (v{version})"
    try:
        write_learners(path, space=trained.space, learner=trained.estimator, **trained.more)
    except PersistenceError as error:
        raise OperationError(f"The metric cannot be kept: {error}") from error
    added = False
    try:
        at, judgements, tagged = taught.at, taught.judgements, taught.tagged
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
