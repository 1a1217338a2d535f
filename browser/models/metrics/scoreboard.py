# SPDX-License-Identifier: MIT
"""The scoreboard of metrics: computed in the background on request, and cached while the library is open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, not_written
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.tagging import scoreboard
from focal_photos.browser.tasks.runner import TaskState, TaskStatus


class Scores(Model):
    """Computes the scoreboard."""

    changed = Signal()
    """`board`, `busy`, `share` or `obstacle` has changed."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.board: scoreboard.Scoreboard | None = None
        self.obstacle = ""
        """Reason why there is no board; empty if there is one or none was requested."""
        self.share = 0.0
        """Completed share of the computation, 0..1."""
        self._task: int | None = None
        self._runner.task_changed.connect(self._task_changed)

    @property
    def busy(self) -> bool:
        """Whether the board is being computed."""
        return self._task is not None

    def work_out(self) -> None:
        """Measure the metrics of the history."""
        if self.busy:
            return
        library, ranker = self._library, self._ranker

        def done(board: scoreboard.Scoreboard) -> None:
            self.board, self.obstacle = board, ""
            self.changed.emit()

        def failed(error: Exception) -> bool:
            if isinstance(error, NothingToLearnError):
                self.obstacle = self.tr("There is nothing to measure with yet: judge or tag a few photos first.")
                self.changed.emit()
            return isinstance(error, NothingToLearnError)

        def work() -> Job[scoreboard.Scoreboard]:
            return (yield from scoreboard.score(library, ranker))

        title = self.tr("Measuring the metrics")
        self.share = 0.0
        self._task = self._runner.start(title, work, done, failed, lane="measure")
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel the computation; the previous board stays."""
        if self._task is not None:
            self._runner.cancel(self._task)

    def save_csv(self, path: Path) -> None:
        """Write the board as a CSV file."""
        board = self.board
        if board is not None:
            self.save_picture(path, scoreboard.csv_of(board))

    def save_picture(self, path: Path, content: bytes) -> None:
        """Write the content of a file, such as a picture of the board."""
        text = self.tr("{0} was written.").format(shown(str(path)))

        def write() -> Job[None]:
            yield Meter(title).state()
            try:
                with replacing(path, follow_link=True) as part:
                    part.write_bytes(content)
            except OSError as error:
                raise not_written(path, error) from error

        title = self.tr("Saving the scoreboard")
        self._runner.start(title, write, lambda _none: self._notices.post(text), lane="export")

    def _task_changed(self, state: TaskState) -> None:
        if state.number != self._task:
            return
        if state.progress is not None and state.progress.total:
            self.share = state.progress.done / state.progress.total
        if state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._task = None
        self.changed.emit()
