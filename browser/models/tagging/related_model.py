# SPDX-License-Identifier: MIT
"""Tags related to those of the selection, learned in the background."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.operations.tagging import related
from focal_photos.browser.tasks.runner import TaskState, TaskStatus

if TYPE_CHECKING:
    from focal_photos.browser.operations.jobs.progress import Job

MAX_SHOWN: Final = 6
COMPARED: Final = 1000
"""Largest number of tags compared while the user works: half a second on one core."""


class RelatedModel(Model):
    """The tags related to those of the selection, except those it already has.

    The metric of tags is learned when it is first needed, and again after tags have changed; until then the former one
    is used. It is not learned for a read-only library, whose photos cannot be tagged.
    """

    changed = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._learned: related.TagNeighborhood | None = None
        self._stale = True
        self._task: int | None = None
        self._carried: list[str] = []
        self.tags: tuple[related.RelatedTag, ...] = ()
        self._runner.task_changed.connect(self._task_changed)
        self._feed.subscribe(self._take_changes, Kind.TAGS, Kind.PHOTOS, Kind.ROOTS)

    def _take_changes(self, _changes: ChangeSet) -> None:
        """Mark the metric of tags as outdated."""
        self._stale = True

    def find_related(self, carried: Iterable[str]) -> None:
        """Find the tags related to those of the selected photos; learn the metric first if tags have changed."""
        self._carried = list(carried)
        if not self._library.read_only:
            self._ask()

    def _ask(self) -> None:
        carried, learned = self._carried, self._learned
        if not carried or learned is None:
            self._show([])
        else:
            find = partial(learned.related, carried, limit=MAX_SHOWN, together=True)
            self._runner.read("related", find, self._show, aside=True)
        if carried and self._stale and self._task is None:
            self._stale, library = False, self._library

            def work() -> Job[related.TagNeighborhood]:
                return related.tag_neighborhood(library, limit=COMPARED)

            self._task = self._runner.start(self.tr("Comparing tags"), work, self._take, lane="related")

    def _take(self, learned: related.TagNeighborhood) -> None:
        self._learned = learned
        self._ask()

    def _task_changed(self, state: TaskState) -> None:
        # after a failure or cancellation, the next change of tags starts a new attempt
        if state.number == self._task and state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._task = None

    def _show(self, tags: list[related.RelatedTag]) -> None:
        if tuple(tags) != self.tags:
            self.tags = tuple(tags)
            self.changed.emit()
