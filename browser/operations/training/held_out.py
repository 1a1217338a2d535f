"""What a metric gains: its learner trained again on parts of what it was taught, and asked for the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.describing.settings import RERANK
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.training.training_set import read_training_set
from focal_photos.learners.core.estimator import LearnerError, clone
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner, ProgressReport
from focal_photos.learners.evaluation.cross_validation import Measure
from focal_photos.learners.evaluation.selection import Gained, HeldOut, hold_out

_NUMBERS: Final = ("score", "euclidean", "gain", "error")
_NAMES: Final = {"measure", "k", "questions", *_NUMBERS}

_SAID: Final = {
    Gained.TOO_FEW: "too few to measure improvement; ",
    Gained.NOTHING: "no measurable improvement; ",
    Gained.PERHAPS: "an improvement, perhaps by chance; ",
    Gained.SURELY: "",
}

_PHOTOS: Final = 1800  # that take part: two seconds with the kernel metric


def held_out(library: Library, metric: Metric) -> Job[HeldOut | None]:
    """Measure what the way in which a metric was learned gains on what is held out; nothing is changed.

    It does by cross-validation what Automatic does with what it has chosen (`learners.evaluation.selection.hold_out`),
    with at most 1,800 of the photos: the judged, then the tagged, then others.

    Parameters
    ----------
    library : Library
    metric : Metric
        A trained one.

    Yields
    ------
    Progress

    Returns
    -------
    HeldOut or None
        None where it cannot be told: too little was taught to hold any of it back, nothing was, or the learner is slow.

    Raises
    ------
    UnreadableMetricError, NothingIndexedError
    """
    if metric.file is None or metric.learner == LOCAL or not (metric.judgements or metric.tagged):
        return None
    loaded = load_metric(library, metric)
    if loaded.learner is None:
        return None
    measure = measuring(library, loaded.learner, loaded.space, metric.tagged > 0, metric.judgements > 0)
    if measure is None:
        return None
    return (yield from in_thread("Measuring the improvement", measure, keeps=False))


def measuring(
    library: Library, estimator: DistanceLearner, space: FeatureSpace, use_tags: bool, use_judgements: bool
) -> Callable[[ProgressReport], HeldOut | None] | None:
    """Return the computation that measures the same of a learner, fitted or not; None where it cannot be told.

    What it needs is read here, so that it can run in a thread of its own while the learner is trained. It returns None
    where the gain cannot be computed.
    """
    if not estimator.is_quick:
        return None
    learner = clone(estimator)
    try:
        taught = read_training_set(
            library, space, min(_PHOTOS, learner.rows), use_tags=use_tags, use_judgements=use_judgements
        )
        points, rerank = coordinates(library, space, taught.ids), RERANK.get(library)
    except (LearnerError, NothingToLearnError):
        return None

    def measure(report: ProgressReport) -> HeldOut | None:
        # Whatever else goes wrong: what is learned is there, which is what counts.
        with suppress(LearnerError, ArithmeticError, ValueError, MemoryError):
            return hold_out(learner, points, taught.side, rerank=rerank, progress=report)
        return None

    return measure


def keep_held_out(library: Library, metric: Metric, found: HeldOut) -> ChangeSet:
    """Keep in the history what a metric gains; a part of what the person did last."""
    numbers: dict[str, Any] = {"measure": found.measure, "k": found.k, "questions": found.questions}
    for name in _NUMBERS:
        value = float(getattr(found, name))
        numbers[name] = value if math.isfinite(value) else None
    return library.metrics.set_scores(metric.id, {"held_out": numbers})


def kept_held_out(library: Library) -> dict[int, HeldOut]:
    """Return what is known of metrics, by id; what cannot be read is left out."""
    found = {}
    for metric_id, scores in library.metrics.scores().items():
        numbers = scores.get("held_out")
        if not isinstance(numbers, dict) or numbers.keys() != _NAMES:
            continue
        measure: Measure = "order" if numbers["measure"] == "order" else "precision"
        score, euclidean, gain, error = (
            math.nan if numbers[name] is None else float(numbers[name]) for name in _NUMBERS
        )
        found[metric_id] = HeldOut(measure, int(numbers["k"]), score, euclidean, gain, error, int(numbers["questions"]))
    return found


def decimals(found: HeldOut) -> int:
    """Return how many decimals its percentages are told with: none, or one where a gain could not be seen otherwise."""
    hidden = round(100 * found.euclidean) == round(100 * found.score)
    return int(hidden and found.gained in {Gained.PERHAPS, Gained.SURELY})


def limits(found: HeldOut) -> str:
    """Return two standard errors of the gain in percent, e.g. "6"; empty where they are not known."""
    places = decimals(found)
    return f"{max(200 * found.error, 10**-places):.{places}f}" if math.isfinite(found.error) else ""


def figures(found: HeldOut) -> str:
    """Return the numbers alone, e.g. "right among the first 10, held out: 63 → 74 % (n = 214, ±6).".

    "±" are two standard errors of the gain.
    """
    before, after = (f"{100 * share:.{decimals(found)}f}" for share in (found.euclidean, found.score))
    what = f"right among the first {found.k}" if found.measure == "precision" else "judged pairs in order"
    numbers = f"n = {found.questions}"
    if around := limits(found):
        # Of the difference: what is asked for both is the same, so that the error of either would be too large.
        numbers += f", \N{PLUS-MINUS SIGN}{around}"
    return f"{what}, held out: {before} \N{RIGHTWARDS ARROW} {after} % ({numbers})."


def sentence(found: HeldOut) -> str:
    """Return what a person is told: what can be said of the gain, unless that is a sure one, and the figures.

    See `learners.evaluation.selection.HeldOut.gained`, e.g. "no measurable improvement; right among the first 10, held
    out: 63 → 64 % (n = 214, ±6).".
    """
    return f"{_SAID[found.gained]}{figures(found)}"
