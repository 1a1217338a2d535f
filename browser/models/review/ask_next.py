# SPDX-License-Identifier: MIT
"""Questions about the ten photos or boxes whose tags would be most informative, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.queries import by_region
from focal_photos.browser.operations.tagging.boxes import ask_boxes
from focal_photos.browser.operations.tagging.review import ask_next, question_scope
from focal_photos.browser.tasks.messages import in_words

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.boxes.ask_boxes import AskedBox

COUNT: Final = 10

REFUSED: Final = "\N{MULTIPLICATION SIGN}"
"""Answer that a box shows nothing to name."""


class _Found(NamedTuple):
    """The photos or boxes to ask about; for boxes also rotations of photos, and the boxes in the scope."""

    items: list[int]
    boxes: Mapping[int, AskedBox] = MappingProxyType({})
    quarters: Mapping[int, int] = MappingProxyType({})
    unnamed: int = 0
    drawn: int = 0


class AskNext(Model):
    """The photos or boxes to ask about."""

    changed = Signal()
    """The items, the current one, or their answers have changed."""
    finished = Signal()
    """All were answered or skipped."""

    def __init__(self, services: Services, scope: CurrentScope, editor: Editor) -> None:
        super().__init__(services)
        self._editor, self._current_scope = editor, scope
        self.photo_ids: tuple[int, ...] = ()
        """Photos or boxes (`catalog.facts.learning.items`)."""
        self.boxes: Mapping[int, AskedBox] = {}
        """The boxes; suggested ones have numbers that no drawn box has."""
        self.quarters: Mapping[int, int] = {}
        """Clockwise quarter turns by which the photos of the boxes are displayed, by photo."""
        self.at = 0
        self.given: dict[int, str] = {}
        """Tags given here, by photo or box; `REFUSED` for boxes that the user refused."""
        self.about_boxes = False
        """Whether the questions are about boxes."""
        self.drawn = 0
        """Number of drawn boxes in the scope."""
        self._unnamed = 0
        self.scope = Scope()
        """The photos to choose from; used by the next `ask`."""
        self.busy = False
        self._searched = self.scope
        self._waits = False
        self.obstacle = ""
        """Reason why there is no question."""
        self._feed.subscribe(self._take_changes, Kind.TAGS, Kind.BOXES)
        scope.changed.connect(lambda: self.limit(scope.scope))

    def limit(self, scope: Scope) -> None:
        """Choose from the photos of a scope at the next `ask`."""
        self.scope = scope

    @property
    def photo_id(self) -> int | None:
        """The current photo or box."""
        return self.photo_ids[self.at] if self.at < len(self.photo_ids) else None

    @property
    def boxes_left(self) -> int:
        """Number of drawn boxes in the scope that have no name."""
        return self._unnamed - sum(isinstance(self.boxes.get(item), Box) for item in self.given)

    @property
    def box(self) -> AskedBox | None:
        """The current box."""
        return None if self.photo_id is None else self.boxes.get(self.photo_id)

    @property
    def suggested(self) -> str:
        """The suggested name of the current box."""
        box = self.box
        return "" if box is None or isinstance(box, Box) else box.tag

    def photo_of(self, item: int) -> int:
        """Return the photo that shows an item."""
        return self.boxes[item].photo_id if item in self.boxes else item

    def shown_region(self, item: int | None) -> Region | None:
        """Return the region of a box in its photo as displayed; None for photos."""
        box = None if item is None else self.boxes.get(item)
        return None if box is None else rotated_region(box.region, self.quarters.get(box.photo_id, 0))

    def ask(self) -> None:
        """Find the photos or boxes to ask about."""
        if self.busy:  # `_found` searches again if the scope has changed
            return
        self._searched, self.about_boxes = self.scope, self._current_scope.boxes
        library, ranker, scope, about_boxes = self._library, self._ranker, self.scope, self.about_boxes

        def work() -> Job[_Found]:
            limits = question_scope.QuestionScope(scope.ids(library))
            if not about_boxes:
                return _Found((yield from ask_next.ask_next(library, ranker, COUNT, scope=limits)))
            found = yield from ask_boxes.ask_about_boxes(library, COUNT, scope=limits)
            quarters = library.rotations.of({box.photo_id for box in found.values()})
            drawn = library.boxes.all()
            here = set(limits.within(np.unique([box.photo_id for box in drawn])).tolist())
            names = [box.tag for box in drawn if box.photo_id in here]
            return _Found(list(found), found, quarters, names.count(None), len(names))

        self.photo_ids, self.at, self.given, self.busy, self.obstacle = (), 0, {}, True, ""
        self.boxes, self._waits, self._unnamed = {}, False, 0
        title = self.tr("Finding the next question")
        self._runner.start(title, work, self._found, self._failed, self._cancelled, lane="review")
        self.changed.emit()

    def ask_again(self) -> None:
        """Ask about boxes if photos had to be described first."""
        if self._waits:
            self.ask()
            self._waits = True

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
        box = self.box
        if self._is_settled(photo_id, box):
            return False
        try:
            tags = [normalise(each) for each in ([name] if box else name.split(",")) if each.strip()]
        except TagNameError as error:
            self._notices.post(in_words(str(error)), Severity.ERROR)
            return False
        if isinstance(box, Box):
            self._editor.name_boxes([box.id], tags[0])
        elif box is not None:
            self._editor.accept_box(box.photo_id, box.region, tags[0])
        else:
            self._editor.tag([photo_id], tags)
        self.given[photo_id] = ", ".join(tags)
        self.pass_over()
        return True

    def refuse(self) -> None:
        """Remove the current box, or reject the name of a suggested one, and go to the next."""
        item, box = self.photo_id, self.box
        if item is None or box is None or self._library.read_only or self._is_settled(item, box):
            return
        if isinstance(box, Box):
            self._editor.remove_boxes([box.id], self.ask)
        else:
            self._editor.reject_box(box.photo_id, box.region, box.tag)
        self.given[item] = REFUSED
        self.pass_over()

    def _is_settled(self, item: int, box: AskedBox | None) -> bool:
        """Return whether a suggested or removed box was answered before, and say so."""
        answer = self.given.get(item)
        if box is None or answer is None or (isinstance(box, Box) and answer != REFUSED):
            return False
        self._notices.post(self.tr("You answered this box. Undo the answer (Ctrl+Z) to change it."))
        return True

    def pass_over(self) -> None:
        """Go to the next photo, leaving the current one unchanged."""
        self.at += 1
        self.changed.emit()
        if self.photo_ids and self.at >= len(self.photo_ids):
            self.finished.emit()

    def _take_changes(self, changes: ChangeSet) -> None:
        """Follow changed tags: return to a photo whose tag was undone, and skip the current one if it was tagged."""
        changed = [item for item in self.photo_ids if self.photo_of(item) in changes.photo_ids]
        if not changed:
            return
        library, photo_ids, boxes = self._library, self.photo_ids, self.boxes

        def read() -> Mapping[int, Sequence[str]]:
            return _answers(library, {item: boxes[item] for item in changed}) if boxes else library.tags.of(changed)

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

        self._runner.read("asked photos", read, done)

    def _found(self, found: _Found) -> None:
        self.busy = self._waits = False
        if self.scope != self._searched or self.about_boxes != self._current_scope.boxes:
            self.ask()
            return
        self.boxes, self.quarters, self._unnamed, self.drawn = found.boxes, found.quarters, found.unnamed, found.drawn
        self.photo_ids, self.at = tuple(found.items), 0
        self.changed.emit()

    def _cancelled(self) -> None:
        self.busy, self.obstacle = False, self.tr("The search was stopped. Ask for photos again to continue.")
        self.changed.emit()

    def _failed(self, error: Exception) -> bool:
        self.busy = False
        self.obstacle = in_words(str(error)) if isinstance(error, OperationError) else ""
        if isinstance(error, by_region.NoWindowsError) and not self.read_only:
            if not self._waits:
                self._current_scope.windows_wanted.emit()
            self._waits = True
            self.obstacle = self.tr("Photos are being described for boxes. This takes a while the first time.")
        self.changed.emit()
        return bool(self.obstacle)


def _answers(library: Library, boxes: Mapping[int, AskedBox]) -> dict[int, list[str]]:
    """Return the names of boxes, at most one each; `REFUSED` for removed and rejected ones."""
    photos = {box.photo_id for box in boxes.values()}
    drawn = [box for of_photo in library.boxes.of(photos).values() for box in of_photo]
    by_id = {box.id: box.tag for box in drawn}
    by_place = {(box.photo_id, box.region): box.tag for box in drawn}
    refused = {(one.photo_id, one.region) for one in library.boxes.rejected()}
    found: dict[int, list[str]] = {}
    for item, box in boxes.items():
        place = box.photo_id, box.region
        tag = by_id.get(box.id, REFUSED) if isinstance(box, Box) else by_place.get(place)
        if tag is None and not isinstance(box, Box) and place in refused:
            tag = REFUSED
        found[item] = [tag] if tag else []
    return found
