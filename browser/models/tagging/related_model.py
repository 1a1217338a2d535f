"""Tags that go with those of what is selected, learned in the background."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from browser.catalog.store.changes import ChangeSet, Kind
from browser.models.session import Session
from browser.operations.tagging.related import RelatedTag, TagNeighborhood, tag_neighborhood
from browser.tasks.runner import Outcome, TaskState

SHOWN: Final = 6
COMPARED: Final = 1000
"""At most so many tags are compared while a person works: half a second on one core."""


class RelatedModel(QObject):
    """The tags related to those of the selection, without what it has already.

    The metric of tags is learned when it is first needed, and again after tags have changed; meanwhile the last one
    answers. Nothing is learned for a library that cannot be written to: its photos take no tags.

    Signals
    -------
    changed : None
        `tags` are others now.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._learned: TagNeighborhood | None = None
        self._stale = True
        self._task: int | None = None
        self.tags: tuple[RelatedTag, ...] = ()
        if not session.read_only:
            session.target_tags_changed.connect(self._ask)
            session.editor.changed.connect(self._note)
            session.workshop.changed.connect(self._note)
            session.runner.task_changed.connect(self._task_changed)

    def _note(self, changes: ChangeSet) -> None:
        self._stale |= bool(changes.kinds & {Kind.TAGS, Kind.PHOTOS, Kind.ROOTS})

    def _ask(self) -> None:
        """Look up the tags of the selection, and learn anew if tags have changed since."""
        session, learned = self._session, self._learned
        carried = [name for name, _ in session.target_tags.counts]
        if not carried or learned is None:
            self._show([])
        else:
            session.runner.read("related", lambda: learned.related(carried, limit=SHOWN, together=True), self._show)
        if carried and self._stale and self._task is None:
            self._stale, library = False, session.library
            self._task = session.runner.start(
                self.tr("Comparing tags"),
                lambda: tag_neighborhood(library, limit=COMPARED),
                self._take,
                lane="related",
            )

    def _take(self, learned: TagNeighborhood) -> None:
        self._learned = learned
        self._ask()

    def _task_changed(self, state: TaskState) -> None:
        # After one that failed or was cancelled the next change of tags is a new attempt.
        if state.number == self._task and state.outcome not in (Outcome.WAITING, Outcome.RUNNING):
            self._task = None

    def _show(self, tags: list[RelatedTag]) -> None:
        if tuple(tags) != self.tags:
            self.tags = tuple(tags)
            self.changed.emit()
