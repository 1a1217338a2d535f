# SPDX-License-Identifier: MIT
"""The method that suggests tags, a setting of the library, and the accuracy of each method."""

from __future__ import annotations

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.work.jobs.suggesting import Suggesting
from focal_photos.browser.operations.describing.settings import SUGGEST_BY
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.recognition import suggestion_accuracy
from focal_photos.browser.tasks.runner import TaskState, TaskStatus


class SuggestionMethod(Model):
    """Reads and writes the setting, and measures the methods on request."""

    changed = Signal()
    """An attribute has changed."""

    def __init__(self, services: Services, overview: LibraryOverview, suggesting: Suggesting) -> None:
        super().__init__(services)
        self._overview, self._suggesting = overview, suggesting
        self.by = SUGGEST_BY.default
        """Value of the setting."""
        self.accuracy: suggestion_accuracy.SuggestionAccuracy | None = None
        """None if it has not been measured since tags or the metric in use changed."""
        self.obstacle = ""
        """Reason why it cannot be measured; empty if it can or was not requested."""
        self._task: int | None = None
        self._runner.task_changed.connect(self._task_changed)
        self._feed.subscribe(self._forget, Kind.TAGS, Kind.SUGGESTIONS, Kind.METRICS, Kind.PHOTOS)

    @property
    def measuring(self) -> bool:
        """Whether the methods are being measured."""
        return self._task is not None

    def read(self) -> None:
        """Read the setting."""
        library = self._library
        self._runner.read("suggestion method", lambda: SUGGEST_BY.get(library), self._take)

    def choose(self, by: str) -> None:
        """Save the setting, and renew the open suggestions."""

        def done(_: object) -> None:
            self._take(by)
            if self._overview.now.open_suggestions:
                self._suggesting.renew_suggestions()

        library = self._library
        self._runner.write(self.tr("Changing the settings"), lambda: SUGGEST_BY.set(library, by), done)

    def measure(self) -> None:
        """Measure the methods; the result of the same tags and metric is cached."""
        if self.measuring:
            return
        library, ranker = self._library, self._ranker

        def done(found: suggestion_accuracy.SuggestionAccuracy) -> None:
            self.accuracy, self.obstacle = found, ""
            self.changed.emit()

        def failed(error: Exception) -> bool:
            if isinstance(error, NothingToLearnError):
                self.obstacle = self.tr("To compare them, tag eight photos with tags that other photos share.")
                self.changed.emit()
            return isinstance(error, NothingToLearnError)

        def work() -> Job[suggestion_accuracy.SuggestionAccuracy]:
            return (yield from suggestion_accuracy.measure_suggestions(library, ranker))

        title = self.tr("Measuring the suggestions")
        self._task = self._runner.start(title, work, done, failed, lane="measure")
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel the measurement."""
        if self._task is not None:
            self._runner.cancel(self._task)

    def _take(self, by: str) -> None:
        self.by = by
        self.changed.emit()

    def _forget(self, _changes: ChangeSet) -> None:
        self.accuracy, self.obstacle = None, ""
        self.changed.emit()

    def _task_changed(self, state: TaskState) -> None:
        if state.number == self._task and state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._task = None
            self.changed.emit()
