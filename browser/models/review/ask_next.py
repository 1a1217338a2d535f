# SPDX-License-Identifier: MIT
"""Questions about the ten photos whose tags would be most informative, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging.review import ask_next, question_scope
from focal_photos.browser.tasks.messages import in_words

COUNT: Final = 10


class AskNext(Model):
    """The photos to ask about.

    Signals
    -------
    changed : None
        The photos, the current one, or their answers have changed.
    finished : None
        All were answered or skipped.
    """

    changed = Signal()
    finished = Signal()

    def __init__(self, services: Services, scope: CurrentScope, editor: Editor) -> None:
        super().__init__(services)
        self._editor = editor
        self.photo_ids: tuple[int, ...] = ()
        self.at = 0
        self.given: dict[int, str] = {}
        """Tags given here, by photo."""
        self.scope = Scope()
        """The photos to choose from; used by the next `ask`."""
        self.busy = False
        self._searched = self.scope
        self.obstacle = ""
        """Reason why there is no question."""
        self._feed.subscribe(self._take_changes, Kind.TAGS)
        scope.changed.connect(lambda: self.limit(scope.scope))

    def limit(self, scope: Scope) -> None:
        """Choose from the photos of a scope at the next `ask`."""
        self.scope = scope

    @property
    def photo_id(self) -> int | None:
        """The current photo."""
        return self.photo_ids[self.at] if self.at < len(self.photo_ids) else None

    def ask(self) -> None:
        """Find the photos to ask about."""
        if self.busy:  # `_found` searches again if the scope has changed
            return
        self._searched = self.scope
        library, ranker, scope = self._library, self._ranker, self.scope

        def work() -> Job[list[int]]:
            return (
                yield from ask_next.ask_next(
                    library, ranker, COUNT, scope=question_scope.QuestionScope(scope.ids(library))
                )
            )

        self.photo_ids, self.at, self.given, self.busy, self.obstacle = (), 0, {}, True, ""
        title = self.tr("Finding the next question")
        self._runner.start(title, work, self._found, self._failed, self._cancelled, lane="review")
        self.changed.emit()

    def go_to(self, at: int) -> None:
        """Make another photo the current one."""
        if 0 <= at < len(self.photo_ids):
            self.at = at
            self.changed.emit()

    def give(self, name: str) -> bool:
        """Tag the current photo and go to the next; return whether the name is a valid tag."""
        photo_id = self.photo_id
        if photo_id is None or not name.strip() or self._library.read_only:
            return False
        try:
            tags = [normalise(each) for each in name.split(",") if each.strip()]
        except TagNameError as error:
            self._notices.post(in_words(str(error)), Severity.ERROR)
            return False
        self._editor.tag([photo_id], tags)
        self.given[photo_id] = ", ".join(tags)
        self.pass_over()
        return True

    def pass_over(self) -> None:
        """Go to the next photo, leaving the current one unchanged."""
        self.at += 1
        self.changed.emit()
        if self.photo_ids and self.at >= len(self.photo_ids):
            self.finished.emit()

    def _take_changes(self, changes: ChangeSet) -> None:
        """Follow changed tags: return to a photo whose tag was undone, and skip the current one if it was tagged."""
        changed = changes.photo_ids & set(self.photo_ids)
        if not changed:
            return
        library, photo_ids = self._library, self.photo_ids

        def done(found: Mapping[int, Sequence[str]]) -> None:
            if self.photo_ids != photo_ids:
                return  # other photos are asked about now
            before = dict(self.given)
            for photo_id, tags in found.items():
                if tags:
                    self.given[photo_id] = ", ".join(tags)
                else:
                    self.given.pop(photo_id, None)
            undone = [at for at, photo_id in enumerate(photo_ids) if photo_id in before and photo_id not in self.given]
            if undone:
                self.go_to(undone[0])
            elif self.photo_id in self.given and self.photo_id not in before:
                self.pass_over()
            elif self.given != before:
                self.changed.emit()

        self._runner.read("asked photos", lambda: library.tags.of(changed), done)

    def _found(self, photo_ids: list[int]) -> None:
        self.busy = False
        if self.scope != self._searched:
            self.ask()
            return
        self.photo_ids, self.at = tuple(photo_ids), 0
        self.changed.emit()

    def _cancelled(self) -> None:
        self.busy, self.obstacle = False, self.tr("The search was stopped. Ask for photos again to continue.")
        self.changed.emit()

    def _failed(self, error: Exception) -> bool:
        self.busy = False
        self.obstacle = in_words(str(error)) if isinstance(error, OperationError) else ""
        self.changed.emit()
        return bool(self.obstacle)
