# SPDX-License-Identifier: MIT
"""Try a lens before it is opened: its gain over the metric in use, on the user's own tags and judgements."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import fitted_states_of
from focal_photos.browser.operations.describing.extraction.describe_lacking import describe_lacking
from focal_photos.browser.operations.exchange.lenses.lens_file import Lens, LensError, read_lens
from focal_photos.browser.operations.exchange.lenses.open_lens import bring_states, require_learner, require_metric
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.loaded_metric import LoadedMetric, load_metric
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.space import coordinates, described, stores
from focal_photos.browser.operations.training.training_set import TrainingSet, read_training_set
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.evaluation.protocols import restrict
from focal_photos.learners.evaluation.trial import (
    Block,
    MetricTrial,
    distances_among,
    held_out_blocks,
    known_similarity,
    one_block,
    try_metric,
)
from focal_photos.learners.persistence import load

WANTED_PHOTOS: Final = 30
"""Number of tagged or judged photos that a trial should have."""

MIN_PHOTOS: Final = 5
"""Number of photos with a similar and a dissimilar one below which nothing is measured."""

_MAX_COMPARED: Final = 300  # photos compared: the cost grows with the third power
_TRAINING: Final = 1800  # photos used to train the metric in use again, as in `training.held_out`


@dataclass(frozen=True)
class LensTrial:
    """Result of trying a lens."""

    title: str
    """Title of the lens."""
    against: str
    """Title of the metric in use."""
    tagged: int
    judgements: int
    """`tagged` and `judgements`: number of tagged photos and of judgements in the library that were considered."""
    found: MetricTrial | None
    """None if there are too few tags and judgements."""
    is_fair: bool = True
    """False if the metric in use was trained on the same tags and judgements and takes too long to be trained again
    without them: its advantage is then overestimated."""


def try_lens(library: Library, path: Path) -> Job[LensTrial]:
    """Measure the gain of a lens over the metric in use.

    The user's judged and tagged photos are the test, at most 300 of them. They are described as the lens requires;
    nothing else is stored, and the metric in use stays. A metric that was trained in this library is trained again
    without a part of these photos at a time, so that it does not profit from knowing them.

    Raises
    ------
    LensError
        As `open_lens.open_lens`.
    OperationError
        If the metric in use is of local distances, or the lens is a metric of this library.
    UnreadableMetricError, NothingIndexedError
    """
    yield Meter(Text("Trying a lens")).state()
    lens = read_lens(path)
    require_learner(path, lens)
    metric = library.metrics.current()
    if metric.learner == LOCAL:
        raise OperationError("A lens cannot be compared with local distances: use another metric, then try it again.")
    if lens.metric in _contents(library):
        raise OperationError(
            "The lens {0} was trained in this library, on the photos on which it would be tried: use Measure instead.",
            path,
        )
    current = load_metric(library, metric)
    try:
        most = _TRAINING if current.learner is None else min(_TRAINING, current.learner.rows)
        training = read_training_set(library, current.space, most)
    except NothingToLearnError:
        return LensTrial(lens.title, metric.title, 0, 0, None)
    rows = _asked(training)
    states = fitted_states_of(library)
    before = {state.key for state in states.all()}
    try:
        own = yield from _lens_distances(library, lens, path, training.ids[rows])
    finally:
        brought = {part.key for part in lens.fitted} - before
        states.vacuum({state.key for state in states.all()} - brought)  # as if the lens had never been here
    kept, theirs = own
    rows = rows[kept]
    similar, dissimilar = known_similarity(restrict(training.side, rows), len(rows))
    asked = int((similar.any(axis=1) & dissimilar.any(axis=1)).sum())
    nothing = LensTrial(lens.title, metric.title, training.tagged, training.judgements, None)
    if asked < MIN_PHOTOS:
        return nothing
    is_fair, work = _current_distances(library, current, training, rows)
    try:
        ours = yield from in_thread(Text("Measuring the metric in use"), work, keeps=False)
        found = try_metric(theirs, ours, similar, dissimilar)
    except LearnerError:
        return nothing
    return LensTrial(lens.title, metric.title, training.tagged, training.judgements, found, is_fair)


def sentence(trial: LensTrial) -> Text:
    """Return the result in words for the user."""
    found = trial.found
    if found is None:
        return Text(
            "There are too few tags and judgements to try {0}: tag or judge about {1} photos, then try it again.",
            trial.title,
            WANTED_PHOTOS,
        )
    verdict = {
        1: Text("The lens {0} ranks your photos better than the metric in use, {1}", trial.title, trial.against),
        -1: Text("The lens {0} ranks your photos worse than the metric in use, {1}", trial.title, trial.against),
        0: Text(
            "Too close to tell whether the lens {0} ranks your photos better than the metric in use, {1}",
            trial.title,
            trial.against,
        ),
    }[found.decided]
    numbers = (round(100 * share, 1) for share in (found.other, found.score, found.gain, found.low, found.high))
    text = Text(
        "{0}: of a similar and a dissimilar photo, the similar one is nearer in {1} \N{RIGHTWARDS ARROW} {2} % of "
        "cases (difference {3}, 95 % interval {4} to {5}, {6} photos).",
        verdict,
        *numbers,
        found.photos,
    )
    if trial.is_fair:
        return text
    return Text(
        "{0} The metric in use was trained on these photos and takes too long to be trained without them, so it looks "
        "better here than it is.",
        text,
    )


def _contents(library: Library) -> Iterator[bytes]:
    """Yield the contents of the metrics that were trained in a library."""
    for metric in library.metrics.all():
        file = library.metrics.path(metric)
        if file is not None and not file.with_suffix(".lens").exists():
            with suppress(OSError):
                yield file.read_bytes()


def _asked(training: TrainingSet) -> NDArray[np.intp]:
    """Return the rows of judged photos, then of a seeded sample of tagged ones, ascending."""
    side = training.side
    judged = np.unique(np.concatenate([side.similar.ravel(), side.dissimilar.ravel()]))
    tagged = np.setdiff1d(side.tagged, judged)
    rng = np.random.default_rng(0)
    return np.sort(np.concatenate([rng.permutation(judged), rng.permutation(tagged)])[:_MAX_COMPARED]).astype(np.intp)


def _lens_distances(
    library: Library, lens: Lens, path: Path, ids: NDArray[np.int64]
) -> Job[tuple[NDArray[np.bool_], NDArray[np.float64]]]:
    """Return which photos, int64 (n,), could be described for a lens, bool (n,), and the distances among these."""
    with tempfile.TemporaryDirectory(prefix="focal-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "metric.npz"
        try:
            file.write_bytes(lens.metric)
        except OSError as error:
            raise LensError("The lens {0} cannot be saved: {1}.", path, error.strerror or error) from error
        require_metric(path, lens, file)
        parts = load(file)
    bring_states(library, lens, path)
    yield from describe_lacking(library, lens.keys, ids=ids)
    kept = np.isin(ids, described(library, lens.keys))
    if not kept.any():
        raise LensError("No tagged or judged photo can be described as the lens {0} requires.", path)

    def work(report: ProgressReport) -> NDArray[np.float64]:
        vectors = library.vectors.matrix(stores(library, lens.keys), ids[kept])
        points = parts["space"].transform(vectors)
        report(0.5)
        return distances_among(parts["learner"], points, np.arange(len(points)))

    return kept, (yield from in_thread(Text("Trying a lens"), work, keeps=False))


def _current_distances(
    library: Library, current: LoadedMetric, training: TrainingSet, rows: NDArray[np.intp]
) -> tuple[bool, Callable[[ProgressReport], tuple[Block, ...]]]:
    """Return whether the distances of the metric in use are fair, and a function that computes them."""
    learner, metric = current.learner, current.metric
    points = coordinates(library, current.space, training.ids)
    file = library.metrics.path(metric)
    is_opened = file is not None and file.with_suffix(".lens").exists()
    knows = learner is not None and not is_opened and bool(metric.judgements or metric.tagged)
    if knows and learner is not None and learner.is_quick:
        return True, lambda report: held_out_blocks(learner, points, training.side, rows, progress=report)
    return not knows, lambda _: one_block(distances_among(learner, points, rows))
