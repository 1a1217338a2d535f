# SPDX-License-Identifier: MIT
"""The search of all photos' neighbourhoods in the background."""

from __future__ import annotations

from functools import partial

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.models.work.jobs.training import Training
from focal_photos.browser.tasks.runner import TaskState, TaskStatus


class NeighborSearch(Model):
    """Finds the neighbourhoods of all photos under the current metric once a ranking would improve by them."""

    def __init__(self, services: Services, navigator: Navigator, indexing: Indexing, training: Training) -> None:
        super().__init__(services)
        self._navigator = navigator
        self._indexing = indexing
        self._comparing: int | None = None
        self._compare = True
        for ended in (indexing.ended, training.ended):
            ended.connect(self._allow)
        self._runner.task_changed.connect(self._task_changed)
        navigator.arranger.ranked_provisionally.connect(self._start)

    def _start(self) -> None:
        """Find the neighbourhoods, unless indexing is running.

        After a cancellation or a failure, this starts again only once photos or the metric have changed.
        """
        if self._comparing is not None or self._indexing.running or not self._compare:
            return

        def done(better: bool) -> None:
            if better and self._navigator.ranked:
                self._navigator.again()

        work = partial(self._ranker.find_neighbors, in_subprocess=True)
        self._comparing = self._runner.start(self.tr("Comparing neighbourhoods"), work, done, lane="neighbors")

    def _allow(self) -> None:
        self._compare = True

    def _task_changed(self, state: TaskState) -> None:
        if state.number == self._comparing and state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._comparing = None
            self._compare = state.status is TaskStatus.DONE
