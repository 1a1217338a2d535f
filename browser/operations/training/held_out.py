# SPDX-License-Identifier: MIT
"""Measure the gain of a metric: train its learner on parts of the training data and test it on the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text
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

_PHOTOS: Final = 1800  # maximum number of photos used: two seconds with the kernel metric


def held_out(library: Library, metric: Metric) -> Job[HeldOut | None]:
    """Measure the gain of a metric's learner on held-out data, without changing anything.

    The cross-validation is the same as that of the learner chosen by Automatic
    (`learners.evaluation.selection.hold_out`), with at most 1,800 photos: the judged ones, then tagged ones, then
    others.

    Returns
    -------
    HeldOut or None
        None if the gain cannot be measured: there is no or too little training data, or the learner is slow.

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
    return (yield from in_thread(Text("Measuring the improvement"), measure, keeps=False))


def measuring(
    library: Library, estimator: DistanceLearner, space: FeatureSpace, use_tags: bool, use_judgements: bool
) -> Callable[[ProgressReport], HeldOut | None] | None:
    """Return a function that measures the gain of a learner, fitted or not; None if it cannot be measured.

    The data are read here, so that the function can run in a separate thread while the learner is trained. It returns
    None if the gain cannot be computed.
    """
    if not estimator.is_quick:
        return None
    learner = clone(estimator)
    try:
        training = read_training_set(
            library, space, min(_PHOTOS, learner.rows), use_tags=use_tags, use_judgements=use_judgements
        )
        points, rerank = coordinates(library, space, training.ids), RERANK.get(library)
    except (LearnerError, NothingToLearnError):
        return None

    def measure(report: ProgressReport) -> HeldOut | None:
        # A failed measurement must not affect the training.
        with suppress(LearnerError, ArithmeticError, ValueError, MemoryError):
            return hold_out(learner, points, training.side, rerank=rerank, progress=report)
        return None

    return measure


def keep_held_out(library: Library, metric: Metric, found: HeldOut) -> ChangeSet:
    """Store the gain of a metric in the history, as a part of the user's last action."""
    numbers: dict[str, Any] = {"measure": found.measure, "k": found.k, "questions": found.questions}
    for name in _NUMBERS:
        value = float(getattr(found, name))
        numbers[name] = value if math.isfinite(value) else None
    return library.metrics.set_scores(metric.id, {"held_out": numbers})


def saved_held_out(library: Library) -> dict[int, HeldOut]:
    """Return the stored gains by metric id, without unreadable ones."""
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
    """Return the number of decimals of its percentages: 0, or 1 if the gain would otherwise be invisible."""
    hidden = round(100 * found.euclidean) == round(100 * found.score)
    return int(hidden and found.gained in {Gained.PERHAPS, Gained.SURELY})


def limits(found: HeldOut) -> str:
    """Return two standard errors of the gain in percent, e.g. "6"; empty if unknown."""
    places = decimals(found)
    return f"{max(200 * found.error, 10**-places):.{places}f}" if math.isfinite(found.error) else ""


def figures(found: HeldOut) -> Text:
    """Return the figures, e.g. "right among the first 10, held out: 63 → 74 % (n = 214, ±6).".

    "±" is followed by two standard errors of the gain.
    """
    places = decimals(found) or None  # None rounds to an integer
    before, after = (round(100 * share, places) for share in (found.euclidean, found.score))
    precision = found.measure == "precision"
    what = Text("right among the first {0}", found.k) if precision else Text("judged pairs in order")
    numbers = Text("n = {0}", found.questions)
    if around := limits(found):
        # Error of the difference: both use the same queries, so the error of either value would be too large.
        numbers = Text("n = {0}, \N{PLUS-MINUS SIGN}{1}", found.questions, round(float(around), places))
    return Text("{0}, held out: {1} \N{RIGHTWARDS ARROW} {2} % ({3}).", what, before, after, numbers)


def sentence(found: HeldOut) -> Text:
    """Return the gain in words for the user: a remark, unless the gain is certain, and the figures if they are known.

    Example: "no measurable improvement; right among the first 10, held out: 63 → 64 % (n = 214, ±6).". See
    `learners.evaluation.selection.HeldOut.gained`.
    """
    match found.gained:
        case Gained.TOO_FEW:
            return Text("too little data to measure improvement (n = {0}).", found.questions)
        case Gained.NOTHING:
            return Text("no measurable improvement; {0}", figures(found))
        case Gained.PERHAPS:
            return Text("an improvement, perhaps by chance; {0}", figures(found))
    return figures(found)
