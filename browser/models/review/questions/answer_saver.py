# SPDX-License-Identifier: MIT
"""Answers on their way to the library, and back by undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.models.review.questions.question_matching import regions_of, tags_of
from focal_photos.browser.models.review.questions.review_record import REMEMBERED, Moment, ReviewRecord
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.tagging.answer import answer
from focal_photos.browser.operations.tagging.boxes import box_questions

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.review import Question


@dataclass(frozen=True)
class GivenAnswer:
    """An answer, or a part of it that is saved at once; undo asks its question again."""

    question: Question
    answers: Answers
    tag: str
    """The tag of the question, or the name of the new kind."""
    before: Moment
    after: Moment
    """`before` and `after`: the record before and after the answer."""
    left: Answers | None = None
    """The unsaved answers after a box was drawn, which does not end the question; None after an answer."""

    @property
    def name(self) -> str:
        """Name that the user gave to a new kind."""
        return self.tag if self.question.tag is None else ""


class AnswerSaver(Model):
    """Saves answers, and keeps the record of Review consistent with undo and redo.

    Parameters
    ----------
    editor : Editor
        Announces written changes, undo and redo.
    """

    saved = Signal()
    undone = Signal(object, object)
    """A saved answer was undone ((GivenAnswer, ChangeSet))."""
    redone = Signal(object, object)
    """An undone answer was redone ((GivenAnswer, ChangeSet))."""

    def __init__(self, services: Services, editor: Editor, record: ReviewRecord) -> None:
        super().__init__(services)
        self._pending = 0
        self._editor = editor
        self._record = record
        self._saved: list[tuple[GivenAnswer, ChangeSet]] = []
        self._taken_back: list[tuple[GivenAnswer, ChangeSet]] = []
        editor.undone.connect(self._undo)
        editor.redone.connect(self._redo)

    @property
    def saving(self) -> bool:
        """Whether an answer is being saved."""
        return self._pending > 0

    @property
    def writable(self) -> bool:
        """Whether answers can be saved."""
        return not self._library.read_only

    def save(
        self,
        given: GivenAnswer,
        yes: Sequence[int],
        no: Sequence[int],
        failed: Callable[[], None],
        drawn: Mapping[int, Region] | None = None,
        named: Mapping[int, str | None] | None = None,
    ) -> None:
        """Save an answer in the background.

        Parameters
        ----------
        yes, no : sequence of int
            Photos that get the tag, and photos for which it is rejected.
        failed : callable
            Called if the answer could not be saved.
        drawn : mapping of int to Region, optional
            In a question about boxes: boxes to save instead of the suggested ones, by photo id.
        named : mapping of int to str, optional
            In a question about boxes of all tags: names of boxes instead of the suggested ones, by photo id; None: no
            name.
        """
        library, tag, question = self._library, given.tag, given.question

        def write() -> tuple[ChangeSet, list[str]]:
            if question.regions is not None:
                parts, names = {**regions_of(question), **(drawn or {})}, {**tags_of(question), **(named or {})}
                kept, refused = ([(each, parts[each], names[each]) for each in some] for some in (yes, no))
                new = library.tags.unknown([name for *_, name in kept if name])
                return box_questions.answer_boxes(library, kept, refused), new
            new = library.tags.unknown([tag])
            return answer(library, tag, yes, no, named=question.tag is None), new

        def done(written: tuple[ChangeSet, list[str]]) -> None:
            changes, new = written
            if changes:
                self._saved.append((given, changes))
                del self._saved[:-REMEMBERED]
                self._taken_back.clear()
            self._editor.publish(changes)
            if new and changes:
                self._editor.report_new(new)
            self._pending -= 1
            if given.left is None:
                self.saved.emit()

        def not_done(_error: Exception) -> bool:
            self._pending -= 1
            failed()
            return False

        self._pending += 1
        self._runner.write(self.tr("Saving the answers"), write, done, not_done)

    def name_last_box(self, photo_id: int, tag: str) -> None:
        """Name the box that was drawn last on a photo, in the background."""
        library = self._library

        def name() -> ChangeSet:
            boxes = library.boxes.of([photo_id]).get(photo_id, ())
            return library.boxes.name([box.id for box in boxes[-1:]], tag)

        self._name(tag, name)

    def name_drawn_box(self, photo_id: int, region: Region, tag: str) -> None:
        """Name the box in a place of a photo automatically, in the background, if it has no name yet."""
        library = self._library

        def name() -> ChangeSet:
            boxes = library.boxes.of([photo_id]).get(photo_id, ())
            drawn = [box.id for box in boxes if box.region == region and box.tag is None]
            return library.boxes.name(drawn, tag, by_itself=True)

        self._name(tag, name)

    def _name(self, tag: str, name: Callable[[], ChangeSet]) -> None:
        library = self._library

        def write() -> tuple[ChangeSet, list[str]]:
            new = library.tags.unknown([tag])
            return name(), new

        def done(written: tuple[ChangeSet, list[str]]) -> None:
            changes, new = written
            self._editor.publish(changes)
            if new and changes:
                self._editor.report_new(new)
            self._pending -= 1

        def not_done(_error: Exception) -> bool:
            self._pending -= 1
            return False

        self._pending += 1
        self._runner.write(self.tr("Naming a box"), write, done, not_done)

    def _undo(self, changes: ChangeSet) -> None:
        if _is_last(self._saved, changes):
            self._taken_back.append(self._saved.pop())
            given = self._taken_back[-1][0]
            self._record.undo(given.before, given.after)
            self.undone.emit(given, changes)

    def _redo(self, changes: ChangeSet) -> None:
        if _is_last(self._taken_back, changes):
            self._saved.append(self._taken_back.pop())
            given = self._saved[-1][0]
            self._record.redo(given.after)
            self.redone.emit(given, changes)


def _is_last(answers: list[tuple[GivenAnswer, ChangeSet]], changes: ChangeSet) -> bool:
    """Return whether the undone or redone changes are those of the last answer."""
    return bool(answers) and answers[-1][1].label == changes.label and answers[-1][1].photo_ids <= changes.photo_ids
