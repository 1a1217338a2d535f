# SPDX-License-Identifier: MIT
"""Scoreboard of metrics: precision on held-out data, and reliability of the confidences of suggestions."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import SUGGEST_BY
from focal_photos.browser.operations.jobs.errors import OperationError, UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import LearnedTags, learn_tags, looks_for_tags
from focal_photos.browser.operations.training.evaluate import BASELINE, Evaluation, evaluate
from focal_photos.learners import LEARNERS

MAX_METRICS: Final = 5
"""Maximum number of metrics besides the Euclidean one: each is trained again for every fold."""

MAX_SUGGESTED: Final = 5
"""Maximum number of tags suggested for a photo."""

Reliability = tuple[tuple[float, float, int], ...]

_LEAST: Final = 0.05
_BINS: Final = 10


@dataclass(frozen=True)
class Line:
    """Results for the learner of one metric."""

    title: str
    precision: tuple[float, ...] = ()
    """Precision among the first 1, 2, ... results, 0..1; empty without queries."""
    deviation: tuple[float, ...] = ()
    """Standard deviation of each over the folds."""
    right: int = 0
    judged: int = 0
    """`right` and `judged`: numbers of right and of all held-out judgements."""
    interval: tuple[float, float] | None = None
    """95 % interval of their share."""
    reason: str = ""
    """Why it could not be measured; empty if it could."""
    reliability: Reliability = ()
    """For the suggestions under the metric in each tenth of confidence: mean confidence, share of right ones, and
    number. Empty if there is no tag to suggest or the metric is unreadable."""

    @property
    def unreliability(self) -> float:
        """Mean difference between confidence and share of right suggestions, 0..1."""
        count = sum(number for _, _, number in self.reliability)
        return sum(abs(said - right) * number for said, right, number in self.reliability) / max(count, 1)


@dataclass(frozen=True)
class Scoreboard:
    """Scores of metrics on the same photos, with the reliability of suggestions."""

    lines: tuple[Line, ...]
    """Euclidean distance first."""
    chance: float | None
    """Precision of a random order."""
    majority: float | None
    """Share of the more frequent verdict."""
    queries: int
    folds: int


def score(library: Library, ranker: Ranker, metrics: Sequence[Metric] = ()) -> Job[Scoreboard]:
    """Measure the learners of a library's metrics by cross-validation, without changing anything.

    Learners are measured with their parameters, because the metrics themselves have seen the test data. Two metrics
    trained in the same way share a line. Suggestions are those for tagged photos whose own tags are left out; for a
    metric trained on tags, they use the untrained metric, as everywhere.

    Parameters
    ----------
    metrics : sequence of Metric
        Default: the newest ones with distinct learners, at most `MAX_METRICS`.

    Raises
    ------
    NothingToLearnError
        If there are no judgements or tags, or too few to hold any out.
    OperationError
    """
    ways = _ways(library, metrics or library.metrics.all()[::-1])
    found = yield from evaluate(
        library, list(ways) or [BASELINE], parameters={name: parameters for name, (_, parameters) in ways.items()}
    )
    measured = {name: metric for name, (metric, _) in ways.items()}
    reliability = yield from _reliabilities(library, ranker, measured)
    return Scoreboard(_lines(found, measured, reliability), found.chance, found.majority, found.queries, found.folds)


def csv_of(board: Scoreboard) -> bytes:
    """Return a scoreboard as a table with one number per row, in UTF-8."""
    rows: list[tuple[str, str, str, str]] = [("what", "metric", "at", "value")]
    for line in board.lines:
        for rank, value in enumerate(line.precision, start=1):
            rows.append(("precision", line.title, str(rank), f"{value:.6f}"))
        if line.judged:
            rows.append(("judgements right", line.title, str(line.judged), f"{line.right / line.judged:.6f}"))
        for confidence, right, count in line.reliability:
            rows.append((f"suggestions right of {count}", line.title, f"{confidence:.6f}", f"{right:.6f}"))
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(rows)
    return stream.getvalue().encode()


def _ways(library: Library, metrics: Sequence[Metric]) -> dict[str, tuple[Metric, dict[str, Any]]]:
    """Return learners by name, with their newest metric and their parameters."""
    ways: dict[str, tuple[Metric, dict[str, Any]]] = {}
    for metric in metrics:
        if metric.file is None or is_local(metric) or len(ways) >= MAX_METRICS:
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
            ways[name] = metric, changed
    return ways


def _lines(
    found: Evaluation, measured: Mapping[str, Metric], reliability: Mapping[str, Reliability]
) -> tuple[Line, ...]:
    return tuple(
        Line(
            measured[one.learner].title if one.learner in measured else one.title,
            tuple(one.curve.tolist()),
            tuple(one.curve_sd.tolist()),
            one.right,
            one.judged,
            one.interval,
            one.reason,
            reliability.get(one.learner, ()),
        )
        for one in found.scores
    )


def _reliabilities(library: Library, ranker: Ranker, measured: Mapping[str, Metric]) -> Job[dict[str, Reliability]]:
    """Return `Line.reliability` by learner; learners whose suggestions use the same coordinates share one."""
    by, current = SUGGEST_BY.get(library), library.metrics.current().id
    names = {BASELINE: "euclidean"}
    # The metric in use comes last: its model is cached for the next suggestions.
    names |= {name: one.name for name, one in sorted(measured.items(), key=lambda item: item[1].id == current)}
    shared: dict[int, Reliability] = {}
    found: dict[str, Reliability] = {}
    for learner, metric in names.items():
        try:
            looks = looks_for_tags(ranker, ranker.gallery(metric), by=by)
            number = looks.loaded.metric.id
            if number not in shared:
                annotated = read_annotated(library, looks, library.suggestions.rejected_pairs())
                shared[number] = _reliability((yield from learn_tags(library, looks, annotated, by=by)))
            found[learner] = shared[number]
        except OperationError:  # no tags, or a missing file: no result
            continue
    return found


def _reliability(learned: LearnedTags) -> Reliability:
    """Return confidence and accuracy of suggestions for tagged photos, with each photo's own tags left out."""
    best = learned.confidences(learned.ids, tagged=True).best(MAX_SUGGESTED, minimum=_LEAST)
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
