# SPDX-License-Identifier: MIT
"""Check tags: likely label errors one by one, each kept or corrected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging import label_errors
from focal_photos.browser.operations.tagging.boxes import box_errors
from focal_photos.browser.tasks.runner import TaskState, TaskStatus
from focal_photos.browser.tasks.thumbnail_loader import PixelSize

PICTURE: Final = PixelSize(256, 192)
"""Size of the pictures, in device pixels."""


class CheckTags(Model):
    """Likely label errors within the scope."""

    changed = Signal()
    """`found`, `at` or `busy` has changed."""

    def __init__(self, services: Services, scope: CurrentScope, editor: Editor) -> None:
        super().__init__(services)
        self._editor, self._items = editor, scope
        self.found: tuple[label_errors.LabelError, ...] = ()
        self.cards: dict[int, PhotoCard] = {}
        """Cards of all photos or boxes in the list, and of those that contradict them."""
        self.at = 0
        """Index of the current label error."""
        self.searched = False
        """Whether the list has been made."""
        self.boxes = False
        """Whether the list is one of boxes."""
        self._task: int | None = None
        self._stale = False
        self._scope = Scope()
        self._runner.task_changed.connect(self._task_changed)
        self._feed.subscribe(self._take_changes, Kind.TAGS, Kind.JUDGEMENTS, Kind.MARKS, Kind.PHOTOS, Kind.BOXES)
        scope.changed.connect(lambda: self.limit(scope.scope))
        scope.items_changed.connect(self._follow_items)

    @property
    def busy(self) -> bool:
        """Whether the list is being made."""
        return self._task is not None

    @property
    def current(self) -> label_errors.LabelError | None:
        """The current label error, or None."""
        return self.found[self.at] if self.at < len(self.found) else None

    def look(self) -> None:
        """Make the list of likely label errors."""
        if self.busy:
            return
        library, ranker, scope, boxes = self._library, self._ranker, self._scope, self.boxes

        def work() -> Job[tuple[tuple[label_errors.LabelError, ...], dict[int, PhotoCard]]]:
            if boxes:
                found = yield from box_errors.find_box_errors(library)
            else:
                found = yield from label_errors.find_label_errors(library, ranker)
            shown = {one.photo_id for one in found} | {item for one in found for item in one.supporters}
            shown |= {one.focal_id for one in found if one.focal_id is not None}
            cards = fetch_cards(library, sorted(shown))
            ids = scope.ids(library)
            if ids is not None:
                here = frozenset(ids.tolist())
                found = tuple(one for one in found if cards[one.photo_id].photo.id in here)
            return found, cards

        def done(result: tuple[tuple[label_errors.LabelError, ...], dict[int, PhotoCard]]) -> None:
            self.found, self.cards = result
            self.at, self.searched, self._stale = min(self.at, max(len(self.found) - 1, 0)), True, False
            self.changed.emit()
            if scope != self._scope or boxes != self.boxes:
                self.look()

        self._task = self._runner.start(self.tr("Checking tags"), work, done, lane="check")
        self.changed.emit()

    def look_again(self) -> None:
        """Make the list if it was never made or is outdated."""
        if not self.searched or self._stale:
            self.look()

    def _follow_items(self) -> None:
        """Forget the list of photos if boxes are shown instead, or the other way round."""
        if self._items.boxes != self.boxes:
            self.boxes, self.found, self.at, self.searched = self._items.boxes, (), 0, False
            self.changed.emit()

    def limit(self, scope: Scope) -> None:
        """List only photos of a scope; the whole library still determines which labels are likely wrong."""
        if scope != self._scope:
            self._scope, self._stale = scope, True

    def _take_changes(self, changes: ChangeSet) -> None:
        self._stale = True

    def go_to(self, number: int) -> None:
        """Make another label error the current one."""
        number = max(0, min(number, len(self.found) - 1))
        if number != self.at:
            self.at = number
            self.changed.emit()

    def correct_current(self) -> None:
        """Correct the current label error."""
        library, one = self._library, self.current
        if one is not None:
            self._answer(self.tr("Correcting a tag"), lambda: label_errors.correct(library, one), one)

    def keep_current(self) -> None:
        """Confirm the current label, so that it is not listed again."""
        library, one = self._library, self.current
        if one is not None:
            self._answer(self.tr("Keeping a tag"), lambda: label_errors.keep(library, one), one)

    def delete_current(self) -> None:
        """Delete the current box."""
        one = self.current
        if one is not None and one.photo_id < 0:
            self._drop(one)
            self._editor.remove_boxes(box_ids_of([one.photo_id]), self.look)

    def _answer(self, attempt: str, write: Callable[[], ChangeSet], one: label_errors.LabelError) -> None:
        self._drop(one)
        self._runner.write(attempt, write, self._editor.publish)

    def _drop(self, one: label_errors.LabelError) -> None:
        self.found = tuple(other for other in self.found if other != one)
        self.at = min(self.at, max(len(self.found) - 1, 0))
        self.changed.emit()

    def _task_changed(self, state: TaskState) -> None:
        if state.number == self._task and state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._task = None
            self.changed.emit()

    # ------------------------------------------------------------------ texts
    def question(self, one: label_errors.LabelError) -> str:
        """Return the sentence that describes a label error."""
        name = self.cards[one.photo_id].name if one.photo_id in self.cards else ""
        percent = f"{100 * one.probability:.0f}"
        if one.photo_id < 0:
            if one.instead:
                text = self.tr("A box in {0} is named {1}. It looks like {2} (probably wrong: {3} %).")
                return text.format(name, one.tag, one.instead, percent)
            text = self.tr("A box in {0} is named {1}. Similar boxes are not (probably wrong: {2} %).")
            return text.format(name, one.tag, percent)
        if one.kind is label_errors.LabelErrorKind.TAG:
            if one.instead:
                text = self.tr("{0} is tagged {1}. It looks like {2} (probably wrong: {3} %).")
                return text.format(name, one.tag, one.instead, percent)
            text = self.tr("{0} is tagged {1}. Similar photos are not (probably wrong: {2} %).")
            return text.format(name, one.tag, percent)
        focal = self.cards[one.focal_id].name if one.focal_id in self.cards else ""
        if one.verdict is Verdict.SIMILAR:
            text = self.tr("{0} was judged similar to {1}. Your other judgements say it is not ({2} %).")
        else:
            text = self.tr("{0} was judged not similar to {1}. Your other judgements say it is ({2} %).")
        return text.format(name, focal, percent)

    def keeping(self, one: label_errors.LabelError) -> str:
        """Return the text of the default button."""
        return (
            self.tr("Keep {0}").format(one.tag)
            if one.kind is label_errors.LabelErrorKind.TAG
            else self.tr("Keep the judgement")
        )

    def correction(self, one: label_errors.LabelError) -> str:
        """Return the text of the button that changes the tag or judgement."""
        if one.kind is label_errors.LabelErrorKind.TAG:
            if one.instead:
                return self.tr("Change to {0}").format(one.instead)
            text = self.tr("Remove the name {0}") if one.photo_id < 0 else self.tr("Remove {0}")
            return text.format(one.tag)
        return self.tr("Not similar") if one.verdict is Verdict.SIMILAR else self.tr("Similar")
