"""How good metrics are on what they were not taught, and whether suggestions are as sure as they say."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.browser.operations.training.evaluate import BASELINE, Evaluation, evaluate
from focal_photos.learners import LEARNERS

MOST: Final = 5
"""Metrics beside the Euclidean one: each is trained again for every fold."""

SHOWN: Final = 5
"""Tags that are suggested to a photo at most."""

_LEAST: Final = 0.05
_BINS: Final = 10


@dataclass(frozen=True)
class Line:
    """What is known of one metric's way of learning.

    Attributes
    ----------
    title : str
    precision : tuple of float
        Among the first 1, 2, ... results, 0..1; empty: no photo could be asked for.
    deviation : tuple of float
        Standard deviation of each over the folds.
    right, judged : int
        Held-out judgements that are right, of how many.
    interval : tuple of float, or None
        Their share's 95 % interval.
    reason : str
        Why it could not be measured; empty if it could.
    """

    title: str
    precision: tuple[float, ...] = ()
    deviation: tuple[float, ...] = ()
    right: int = 0
    judged: int = 0
    interval: tuple[float, float] | None = None
    reason: str = ""


@dataclass(frozen=True)
class Scoreboard:
    """Scores of metrics on the same photos, and the reliability of suggestions.

    Attributes
    ----------
    lines : tuple of Line
        Euclidean distance first.
    chance : float or None
        Precision of a random order.
    majority : float or None
        Share of judgements that are of the more frequent kind.
    queries, folds : int
    reliability : tuple of (float, float, int)
        Of the suggestions in each tenth of confidence: the mean confidence, the share that is right, and how many.
    """

    lines: tuple[Line, ...]
    chance: float | None
    majority: float | None
    queries: int
    folds: int
    reliability: tuple[tuple[float, float, int], ...]


def score(library: Library, ranker: Ranker, metrics: Sequence[Metric] = ()) -> Job[Scoreboard]:
    """Measure how the metrics of a library were learned, by cross-validation; nothing is changed.

    Of each metric the way of learning is measured, its learner with its parameters: the metric itself has seen what it
    would be asked for. Two metrics that were learned the same way have one line.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    metrics : sequence of Metric
        Of none the newest, at most `MOST` ways of learning.

    Yields
    ------
    Progress

    Returns
    -------
    Scoreboard

    Raises
    ------
    NothingToLearnError
        There are no judgements or tags, or too few to hold any back.
    OperationError
    """
    ways = _ways(library, metrics or library.metrics.all()[::-1])
    found = yield from evaluate(
        library, list(ways) or [BASELINE], parameters={name: parameters for name, (_, parameters) in ways.items()}
    )
    reliability = yield from _reliability(library, ranker)
    titles = {name: title for name, (title, _) in ways.items()}
    return Scoreboard(_lines(found, titles), found.chance, found.majority, found.queries, found.folds, reliability)


def csv_of(board: Scoreboard) -> bytes:
    """Return a scoreboard as a table, a row a number: UTF-8."""
    rows: list[tuple[str, str, str, str]] = [("what", "metric", "at", "value")]
    for line in board.lines:
        for rank, value in enumerate(line.precision, start=1):
            rows.append(("precision", line.title, str(rank), f"{value:.6f}"))
        if line.judged:
            rows.append(("judgements right", line.title, str(line.judged), f"{line.right / line.judged:.6f}"))
    for confidence, right, count in board.reliability:
        rows.append((f"suggestions right of {count}", "", f"{confidence:.6f}", f"{right:.6f}"))
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(rows)
    return stream.getvalue().encode()


def _ways(library: Library, metrics: Sequence[Metric]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return learners by name with the title of their newest metric and their parameters."""
    ways: dict[str, tuple[str, dict[str, Any]]] = {}
    for metric in metrics:
        if metric.file is None or is_local(metric) or len(ways) >= MOST:
            continue
        try:
            learner = load_metric(library, metric).learner
        except UnreadableMetricError:
            continue
        name = next((one for one, kind in LEARNERS.items() if type(learner) is kind), None)
        if learner is not None and name is not None and name != BASELINE and name not in ways:
            known = type(learner)().get_params()
            changed = {
                key: value
                for key, value in learner.get_params().items()
                if key != "families" and not np.array_equal(value, known[key])
            }
            ways[name] = metric.title, changed
    return ways


def _lines(found: Evaluation, titles: dict[str, str]) -> tuple[Line, ...]:
    return tuple(
        Line(
            titles.get(one.learner, one.title),
            tuple(one.curve.tolist()),
            tuple(one.curve_sd.tolist()),
            one.right,
            one.judged,
            one.interval,
            one.reason,
        )
        for one in found.scores
    )


def _reliability(library: Library, ranker: Ranker) -> Job[tuple[tuple[float, float, int], ...]]:
    """Return what `Scoreboard.reliability` says, of tagged photos whose own tags are left out."""
    gallery = ranker.gallery()
    try:
        annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    except NothingToLearnError:
        return ()
    learned = yield from learn_tags(library, looks_for_tags(ranker, gallery), annotated)
    best = learned.confidence.confidences(learned.learner.left_out_).best(SHOWN, minimum=_LEAST)
    carried = learned.tags.toarray() > 0
    sure = [(confidence, bool(carried[row, tag])) for row, tags in enumerate(best) for tag, confidence in tags]
    if not sure:
        return ()
    confidence, right = (np.array(column, dtype=np.float64) for column in zip(*sure, strict=True))
    tenth = np.minimum((confidence * _BINS).astype(int), _BINS - 1)
    return tuple(
        (float(confidence[tenth == one].mean()), float(right[tenth == one].mean()), int((tenth == one).sum()))
        for one in np.unique(tenth).tolist()
    )
