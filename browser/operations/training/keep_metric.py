"""Take a trained metric into the library: its file, its rows and its place in the history."""

from __future__ import annotations

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.gallery import drop_old_rows, embedding, note_use
from focal_photos.browser.operations.ranking.learner_file import write_learners
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.training.training_set import TrainingSet
from focal_photos.learners.core.base import DistanceLearner
from focal_photos.learners.core.estimator import Estimator
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.persistence import PersistenceError


def keep_metric(
    library: Library,
    learner: str,
    title: str,
    space: FeatureSpace,
    estimator: DistanceLearner,
    taught: TrainingSet,
    by_itself: bool = False,
    **more: Estimator,
) -> Job[Metric]:
    """Write a metric's file, work out all photos' rows and make it the current metric, in one step of the journal.

    The file holds the feature space too, so that the metric means the same for ever. When this is cancelled or fails,
    nothing has changed.

    Parameters
    ----------
    library : Library
    learner, title : str
        In the table of learners, and for a person.
    space : FeatureSpace
    estimator : DistanceLearner
        Fitted on coordinates in the space.
    taught : TrainingSet
        What was learned from.
    by_itself : bool
        No person asked for it: it is undone with what was done before.
    **more : Estimator
        What else the file holds, by name.

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
    version = library.metrics.next_version(learner)
    file = f"{learner}-{version}.npz"
    library.metrics.folder.mkdir(parents=True, exist_ok=True)
    path = library.metrics.folder / file
    title = f"{title} (v{version})"
    try:
        write_learners(path, space=space, learner=estimator, **more)
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
