# SPDX-License-Identifier: MIT
"""The groups of duplicate photos or boxes, found in the background."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.operations.describing.settings import FOLD
from focal_photos.browser.operations.duplicates import box_duplicates, find_duplicates, keeper
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.tasks.messages import in_words


class DuplicateGroups(Model):
    """The groups, the current one among them, and the actions on it.

    Rankings and culling use the groups of photos, also while those of boxes are shown.
    """

    changed = Signal()
    """`boxes`, `groups`, `rejected`, `busy` or `obstacle` has changed."""
    current_changed = Signal()
    """`current` or `keep` has changed."""
    folds_changed = Signal()
    """Rankings fold other photos now."""

    def __init__(self, services: Services, scope: CurrentScope, editor: Editor, indexing: Indexing) -> None:
        super().__init__(services)
        self._editor, self._indexing, self._items = editor, indexing, scope
        self.boxes = scope.boxes
        """Whether the groups are of boxes."""
        self.groups: list[find_duplicates.Group] = []
        """Groups within the scope."""
        self._everywhere: dict[bool, list[find_duplicates.Group]] = {}
        """Finished searches: groups of photos (False) and of boxes (True) in the whole library."""
        self._scope = Scope()
        self.rejected: frozenset[int] = frozenset()
        """Photos of the groups that are rated as rejected."""
        self.current = 0
        """Index of the current group."""
        self.keep: int | None = None
        """The photo or box of the current group to keep: the proposed one, or the user's choice."""
        self.obstacle = ""
        """Reason why nothing can be found."""
        self._job: int | None = None
        self._searching = False
        """Whether the running search is for boxes."""
        self._again: set[bool] = set()
        indexing.running_changed.connect(self._look_after_indexing)
        editor.undone.connect(self._return_to)
        self._was_indexing = False
        self._feed.subscribe(self._take_changes, Kind.PHOTOS, Kind.ROOTS, Kind.MARKS, Kind.DUPLICATES, Kind.BOXES)
        scope.changed.connect(lambda: self.limit(scope.scope))
        scope.items_changed.connect(self._follow_items)

    # ------------------------------------------------------------------ search
    @property
    def busy(self) -> bool:
        """Whether duplicates are being searched for."""
        return self._job is not None

    @property
    def group(self) -> find_duplicates.Group | None:
        """The current group."""
        return self.groups[self.current] if self.current < len(self.groups) else None

    @property
    def found(self) -> bool:
        """Whether a search has finished."""
        return self.boxes in self._everywhere

    def find(self, *, boxes: bool = False) -> None:
        """Search for duplicates in the background; during a search, search once more afterwards."""
        if self._job is not None:
            self._again.add(boxes)
            return
        library, ranker = self._library, self._ranker

        def work() -> Job[list[find_duplicates.Group]]:
            if boxes:
                return (yield from box_duplicates.find_duplicate_boxes(library))
            return (yield from find_duplicates.find_duplicates(library, ranker)).groups

        self._searching = boxes
        self._job = self._runner.start(
            self.tr("Looking for duplicates"),
            work,
            lambda groups: self._found(groups, boxes=boxes),
            lambda error: self._failed(error, boxes=boxes),
            self._cancelled,
            lane="duplicates",
        )
        self.changed.emit()

    def find_once(self, *, boxes: bool = False) -> None:
        """Search for duplicates if that has not been done yet."""
        searching = self._job is not None and self._searching == boxes
        if boxes not in self._everywhere and not searching and not self._indexing.running:
            self.find(boxes=boxes)

    def limit(self, scope: Scope) -> None:
        """Show the groups within a scope; the search covers the whole library."""
        self._scope = scope
        if self.found:
            self._show_scope()

    @property
    def limited(self) -> bool:
        """Whether the scope hides groups or photos of groups."""
        everywhere = self._everywhere.get(self.boxes, ())
        return sum(len(group.members) for group in self.groups) < sum(len(one.members) for one in everywhere)

    def _follow_items(self) -> None:
        """Switch between photos and boxes."""
        if self._items.boxes != self.boxes:
            self.boxes, self.obstacle = self._items.boxes, ""
            self._show_scope()

    def _take_changes(self, changes: ChangeSet) -> None:
        """Search again after photos were added or removed; update the finished groups after ratings."""
        if self.found and Kind.MARKS in changes.kinds:
            self._read_rejected()
        if self._indexing.running:
            return
        about = {Kind.PHOTOS, Kind.ROOTS, Kind.DUPLICATES}
        if False in self._everywhere and changes.kinds & about:
            self.find()
        if True in self._everywhere and changes.kinds & (about | {Kind.BOXES}):
            if self.boxes:
                self.find(boxes=True)
            else:
                del self._everywhere[True]  # they are searched for when they are shown

    def _look_after_indexing(self) -> None:
        ended = self._was_indexing and not self._indexing.running
        self._was_indexing = self._indexing.running
        for boxes in sorted(self._everywhere) if ended else ():
            self.find(boxes=boxes)

    def _found(self, groups: list[find_duplicates.Group], *, boxes: bool) -> None:
        before = self._everywhere.get(boxes, [])
        self._job, self._everywhere[boxes] = None, groups
        if boxes == self.boxes:
            self.obstacle = ""
            self._show_scope()
        if not boxes and [group.photo_ids for group in groups] != [group.photo_ids for group in before]:
            self.folds_changed.emit()
        if self._again:
            self.find(boxes=self._again.pop())

    def _show_scope(self) -> None:
        """Read the photos of the scope and show its groups."""
        library, scope, groups = self._library, self._scope, self._everywhere.get(self.boxes, [])

        def read() -> list[find_duplicates.Group]:
            ids = scope.ids(library)
            return groups if ids is None else find_duplicates.groups_within(groups, ids)

        def done(found: list[find_duplicates.Group]) -> None:
            # otherwise the groups or the scope have changed since
            if scope is self._scope and groups is self._everywhere.get(self.boxes):
                self._take_groups(found)

        if scope.whole or not groups:
            self._take_groups(groups)
        else:
            self._runner.read("duplicates of the scope", read, done)

    def _take_groups(self, groups: list[find_duplicates.Group]) -> None:
        before, self.groups = self.group, groups
        places = {group.photo_ids: place for place, group in enumerate(self.groups)}
        beside = min(self.current, max(len(groups) - 1, 0))  # if the group no longer exists
        self._show(places.get(before.photo_ids, beside) if before is not None else 0, self.keep)
        self.changed.emit()
        self._read_rejected()

    def _cancelled(self) -> None:
        """Retain the previous groups; if there are none, opening the page searches again."""
        self._job, self._again = None, set()
        self.obstacle = "" if self.found else self.tr("The search was stopped. Open this page again to continue.")
        self.changed.emit()

    def _failed(self, error: Exception, *, boxes: bool) -> bool:
        self._job, self._again = None, set()
        self._everywhere.setdefault(boxes, [])
        reason = in_words(str(error)) if isinstance(error, OperationError) else ""
        if boxes == self.boxes:
            self.obstacle = reason
        self.changed.emit()
        return bool(reason)

    def _read_rejected(self) -> None:
        """Read which photos of the groups are rejected."""
        groups = [] if self.boxes else self.groups
        library, ids = self._library, [photo_id for group in groups for photo_id in group.photo_ids]

        def read() -> frozenset[int]:
            return frozenset(each for each, mark in library.marks.of(ids).items() if mark.rating == REJECTED)

        def done(rejected: frozenset[int]) -> None:
            if rejected != self.rejected:
                self.rejected = rejected
                self.changed.emit()

        self._runner.read("rejected duplicates", read, done)

    def is_done(self, group: find_duplicates.Group) -> bool:
        """Return whether nothing is left to do: at most one photo of a group is not rejected.

        Boxes must be of different photos and have the same name.
        """
        if self.boxes:
            tags, photos = ({getattr(one, name) for one in group.members} for name in ("tag", "of_photo"))
            return len(tags) == 1 and None not in tags and len(photos) == len(group.members)
        return len(self.rejected.intersection(group.photo_ids)) >= len(group.photo_ids) - 1

    @property
    def open_pictures(self) -> list[find_duplicates.Group]:
        """Groups of copies in which the photo to keep has not been decided yet; bursts are not included."""
        if self.boxes or not self.groups:
            return []

        return [
            group for group in self.groups if group.kind is find_duplicates.GroupKind.COPIES and not self.is_done(group)
        ]

    def _return_to(self, undone: ChangeSet) -> None:
        """Show the group again whose ratings or tags were undone."""
        for place, group in enumerate(self.groups):
            photos = {one.of_photo or one.photo_id for one in group.members}
            if undone.photo_ids and undone.photo_ids <= photos:
                self.go(place)

    # ------------------------------------------------------------------ user actions
    def go(self, place: int) -> None:
        """Show another group."""
        if 0 <= place < len(self.groups) and place != self.current:
            self._show(place)

    def choose(self, photo_id: int) -> None:
        """Keep another photo or box of the group than the proposed one."""
        if self.group is not None and photo_id in self.group.photo_ids:
            self.keep = photo_id
            self.current_changed.emit()

    @property
    def others(self) -> list[int]:
        """The photos or boxes of the group that are not kept."""
        return [] if self.group is None else [each for each in self.group.photo_ids if each != self.keep]

    def others_of(self, photo_id: int) -> list[int]:
        """Return the duplicates of a photo in the whole library."""
        known = find_duplicates.known_duplicates(self._library)
        if known is None or photo_id >= len(known.table) or known.table[photo_id] < 0:
            return []
        return [each for each in known.groups[known.table[photo_id]].photo_ids if each != photo_id]

    def reject_others(self) -> bool:
        """Rate the others as rejected and go to the next group; no file is touched."""
        if self.boxes or not self.others or self._library.read_only:
            return False
        self._editor.rate(self.others, REJECTED)
        self.go(self.current + 1)
        return True

    @property
    def kept_name(self) -> str | None:
        """The name of the kept box; None if it has none, and for photos."""
        return next((one.tag for one in self._members if one.photo_id == self.keep), None)

    @property
    def drawn_again(self) -> list[int]:
        """The other boxes of the kept box's photo, as items; empty for photos."""
        photos = {one.photo_id: one.of_photo for one in self._members if one.of_photo is not None}
        return [each for each in self.others if each in photos and photos[each] == photos.get(self.keep or 0)]

    @property
    def _members(self) -> tuple[keeper.Member, ...]:
        return () if self.group is None else self.group.members

    def delete_others(self) -> bool:
        """Delete the other boxes of the kept box's photo."""
        if not self.drawn_again or self._library.read_only:
            return False
        self._editor.remove_boxes(box_ids_of(self.drawn_again), lambda: self.find(boxes=True))
        return True

    def merge(self) -> bool:
        """Give the kept photo the metadata of the others, reject these, and go to the next group.

        Of boxes, give the others the name of the kept one.
        """
        if not self.others or self.keep is None or self._library.read_only:
            return False
        if self.boxes:
            if self.kept_name is not None:
                self._editor.name_boxes(box_ids_of(self.others), self.kept_name)
            return self.kept_name is not None
        self._editor.merge(self.keep, self.others)
        self.go(self.current + 1)
        return True

    def keep_apart(self) -> bool:
        """Record that the photos or boxes of the group are not duplicates, so that they are never grouped again."""
        if self.group is None or self._library.read_only:
            return False
        self._editor.keep_apart(self.group.photo_ids)
        return True

    def reject_everywhere(self) -> bool:
        """Reject all copies except the proposed one in all groups, in one undo step.

        The current group keeps the user's choice. Bursts are skipped, because the user must select the best photo.
        """
        groups = self.open_pictures
        if not groups or self._library.read_only:
            return False
        shown = self.group
        others = [each for group in groups if group is not shown for each in group.photo_ids[1:]]
        if shown is not None and any(group is shown for group in groups):
            others += self.others
        self._editor.rate(others, REJECTED)
        return True

    def tag_others(self, text: str) -> bool:
        """Tag the others; return whether the text contains valid tags."""
        if self.boxes or not self.others or not text.strip() or self._library.read_only:
            return False
        try:
            tags = [normalise(each) for each in text.split(",") if each.strip()]
        except TagNameError as error:
            self._notices.post(in_words(str(error)), Severity.ERROR)
            return False
        self._editor.tag(self.others, tags)
        return True

    def toggle_fold(self, photo_id: int) -> bool:
        """Show the duplicates of a photo in rankings, or fold them again; return whether it has any."""
        changed = find_duplicates.toggle_fold(self._library, photo_id)
        if changed:
            self.folds_changed.emit()
        return changed

    def set_folding(self, on: bool) -> None:
        """Set whether rankings fold duplicates or show all photos."""
        self._editor.set_switch(FOLD, on, self.folds_changed.emit)

    def read_cards(self, done: Callable[[dict[int, PhotoCard]], None]) -> None:
        """Read the cards of the group's photos."""
        library, ids = self._library, [] if self.group is None else list(self.group.photo_ids)
        self._runner.read("duplicates", lambda: fetch_cards(library, ids), done)

    def _show(self, place: int, keep: int | None = None) -> None:
        self.current = place
        ids = () if self.group is None else self.group.photo_ids
        self.keep = keep if keep in ids else ids[0] if ids else None
        self.current_changed.emit()
