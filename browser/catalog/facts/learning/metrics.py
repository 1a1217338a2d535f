# SPDX-License-Identifier: MIT
"""The library's trained metrics, and the current one."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import LibraryError, reading_value
from focal_photos.browser.catalog.store.journal import CURRENT_METRIC, Journal
from focal_photos.browser.catalog.text import Text

_COLUMNS = "id, name, title, learner, version, file, at, judgements, tagged"
_SCORES = "SELECT metric_id, scores FROM metric_scores ORDER BY metric_id"
_MAX_NAME_LENGTH = 60  # characters of a name
_EUCLIDEAN = 1  # id, inserted by the first migration


class UnknownMetricError(LibraryError):
    """The library has no such metric."""


class MetricTitleError(LibraryError):
    """The name is invalid, or the metric cannot be deleted."""


class Metrics(JournaledFacts):
    """The library's history of metrics."""

    def __init__(self, database: Database, journal: Journal, folder: Path) -> None:
        super().__init__(database, journal)
        self.folder = folder
        """Folder of their files. The file of an undone metric is not removed, so that redo finds it."""

    def all(self) -> list[Metric]:
        """Return all metrics: the built-in Euclidean one first, then by creation."""
        return [_metric(row) for row in self._database.rows(f"SELECT {_COLUMNS} FROM metric ORDER BY id")]

    def get(self, metric_id: int) -> Metric:
        """Return one metric.

        Raises
        ------
        UnknownMetricError
        """
        row = self._database.row(f"SELECT {_COLUMNS} FROM metric WHERE id = ?", (int(metric_id),))
        if row is None:
            raise UnknownMetricError("The library has no metric with the id {0}: it may have been undone.", metric_id)
        return _metric(row)

    def by_name(self, name: str) -> Metric:
        """Return the metric of this name (``kernel-3``), or the latest one of this learner (``kernel``).

        Raises
        ------
        UnknownMetricError
        """
        row = self._database.row(
            f"SELECT {_COLUMNS} FROM metric WHERE name = ?1 OR learner = ?1 "
            "ORDER BY name = ?1 DESC, version DESC LIMIT 1",
            (name,),
        )
        if row is None:
            known = ", ".join(metric.name for metric in self.all())
            raise UnknownMetricError(
                "The library has no metric {0}: choose one of {1}, or train it first.", name, known
            )
        return _metric(row)

    def current(self) -> Metric:
        """Return the current metric: the Euclidean one until another is trained or chosen."""
        row = self._database.row(
            f"SELECT {_COLUMNS} FROM metric "
            "WHERE id IN (?, (SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?)) ORDER BY id DESC LIMIT 1",
            (_EUCLIDEAN, CURRENT_METRIC),
        )
        if row is None:
            raise LibraryError("The library has lost its Euclidean metric: run a check of the library.")
        return _metric(row)

    def set_current(self, metric_id: int, *, by_itself: bool = False) -> ChangeSet:
        """Make a metric the current one; journaled.

        Parameters
        ----------
        by_itself : bool
            True for an automatic change, which is undone with the user's previous step; see `Journal.action`.

        Raises
        ------
        UnknownMetricError
        """
        with self._journal.action("", by_itself=by_itself) as action:
            metric = self.get(metric_id)
            action.label = Text("Use metric: {0}", metric.text)
            if metric.id != self.current().id:
                action.put("setting", {"name": CURRENT_METRIC}, {"value": str(metric.id)})
        return action.changes

    def use_euclidean(self, *, by_itself: bool = False) -> ChangeSet:
        """Make the built-in Euclidean metric the current one; see `set_current`."""
        return self.set_current(_EUCLIDEAN, by_itself=by_itself)

    def rename(self, metric_id: int, title: str) -> ChangeSet:
        """Set the displayed name of a metric; journaled.

        Raises
        ------
        UnknownMetricError
        MetricTitleError
            If the name is empty, too long, unprintable or already used.
        """
        text = " ".join(unicodedata.normalize("NFC", title).split())
        if not text or len(text) > _MAX_NAME_LENGTH or not text.isprintable():
            raise MetricTitleError("A metric needs a name of 1 to {0} printable characters.", _MAX_NAME_LENGTH)
        with self._journal.action(Text("Rename metric: {0}", text)) as action:
            metric = self.get(metric_id)
            if any(one.title.casefold() == text.casefold() for one in self.all() if one.id != metric.id):
                raise MetricTitleError("There is a metric {0} already: choose another name.", text)
            if metric.title != text:
                action.put("metric", {"id": metric.id}, {"title": text})
        return action.changes

    def delete(self, metric_ids: Iterable[int]) -> ChangeSet:
        """Delete metrics from the history. If one is current, the Euclidean one becomes current. Journaled.

        The files are not removed, so that undo restores the metrics.

        Raises
        ------
        UnknownMetricError
        MetricTitleError
            If the Euclidean metric is among them.
        """
        wanted = list(dict.fromkeys(map(int, metric_ids)))
        if _EUCLIDEAN in wanted:
            raise MetricTitleError("The Euclidean metric is always there: it cannot be deleted.")
        metrics = [self.get(metric_id) for metric_id in wanted]
        if len(metrics) == 1:
            label = Text("Delete metric: {0}", metrics[0].text)
        else:
            label = Text("Delete {0} metrics", len(metrics))
        with self._journal.action(label) as action:
            if self.current().id in wanted:
                action.put("setting", {"name": CURRENT_METRIC}, {"value": str(_EUCLIDEAN)})
            for metric in metrics:
                action.put("metric_scores", {"metric_id": metric.id}, None)
                action.put("metric", {"id": metric.id}, None)
        return action.changes

    def scores(self) -> dict[int, dict[str, Any]]:
        """Return the latest evaluation results of metrics by id, as passed to `set_scores`."""
        rows = self._database.rows(_SCORES)
        with reading_value("the scores of a metric"):
            return {int(key): json.loads(text) for key, text in rows}

    def set_scores(self, metric_id: int, scores: Mapping[str, Any]) -> ChangeSet:
        """Store the evaluation results of a metric, as part of the user's last step (see `Journal.action`).

        Raises
        ------
        UnknownMetricError
        """
        with self._journal.action(Text("Measure metric"), by_itself=True) as action:
            key = {"metric_id": self.get(metric_id).id}
            values = {"scores": json.dumps(scores, allow_nan=False), "at": timestamps.to_text(timestamps.now())}
            action.put("metric_scores", key, values)
        return action.changes

    def next_version(self, learner: str) -> int:
        """Return the next version of a learner, not yet used even by an undone metric.

        A metric's file is named after its version (``kernel-3.npz``) and written before `add`, so files of undone
        metrics count too.
        """
        rows = self._database.rows("SELECT version FROM metric WHERE learner = ?", (learner,))
        versions = [version for (version,) in rows]
        pattern = re.compile(re.escape(learner) + r"-(\d+)(\..*)?")
        if self.folder.is_dir():
            matches = (pattern.fullmatch(path.name) for path in self.folder.iterdir())
            versions += [int(match[1]) for match in matches if match]
        return max(versions, default=0) + 1

    def path(self, metric: Metric) -> Path | None:
        """Return the file of a metric, or None if it has no file."""
        return None if metric.file is None else self.folder / metric.file

    def add(
        self,
        learner: str,
        title: str | None = None,
        file: str | None = None,
        *,
        version: int | None = None,
        at: datetime | None = None,
        judgements: int = 0,
        tagged: int = 0,
        by_itself: bool = False,
    ) -> tuple[Metric, ChangeSet]:
        """Add a trained metric and make it current, in one step of the journal.

        Parameters
        ----------
        title : str or None
            Displayed name; None: derive it from the learner's name.
        file : str or None
            Name of its file in `folder`, already written.
        version : int or None
            Version from `next_version`; None: the next one.
        at : datetime or None
            When its training data was read; None: now.
        judgements, tagged : int
            Number of judgements and tagged photos in the training data.
        by_itself : bool
            True for an automatic change, which is undone with the user's previous step; see `Journal.action`.
        """
        with self._journal.action("", by_itself=by_itself) as action:
            connection = action.connection
            number = self.next_version(learner) if version is None else version
            name = f"{learner}-{number}"
            title = title or f"{learner.capitalize()} (v{number})"
            if any(one.title.casefold() == title.casefold() for one in self.all()):  # the user renamed another to it
                title = f"{title} ({name})"
            if connection.execute("SELECT 1 FROM metric WHERE name = ?", (name,)).fetchone():
                raise LibraryError("The library has a metric {0} already: train again to get the next version.", name)
            (last,) = connection.execute(
                "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'metric'), 1)"
            ).fetchone()
            values: dict[str, Any] = {
                "name": name,
                "title": title,
                "learner": learner,
                "version": number,
                "file": file,
                "at": timestamps.to_text(at or timestamps.now()),
                "judgements": judgements,
                "tagged": tagged,
            }
            action.put("metric", {"id": last + 1}, values)
            action.put("setting", {"name": CURRENT_METRIC}, {"value": str(last + 1)})
            metric = self.get(last + 1)
            action.label = Text("Train metric: {0}", metric.text)
        return metric, action.changes


def _metric(row: tuple[Any, ...]) -> Metric:
    number, name, title, learner, version, file, at, judgements, tagged = row
    return Metric(number, name, title, learner, version, file, timestamps.from_text(at), judgements, tagged)
