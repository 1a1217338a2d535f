# SPDX-License-Identifier: MIT
"""The groups of duplicate photos, found in the background."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal

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
from focal_photos.browser.operations.duplicates import find_duplicates
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.tasks.messages import in_words


class DuplicateGroups(Model):
    """The groups, the current one among them, and the actions on it.

    Signals
    -------
    changed : None
        `groups`, `rejected`, `busy` or `obstacle` has changed.
    current_changed : None
        `current` or `keep` has changed.
    folds_changed : None
        Rankings fold other photos now.
    """

    changed = Signal()
    current_changed = Signal()
    folds_changed = Signal()

    def __init__(self, services: Services, scope: CurrentScope, editor: Editor, indexing: Indexing) -> None:
        super().__init__(services)
        self._editor, self._indexing = editor, indexing
        self.groups: list[find_duplicates.Group] = []
        """Groups within the scope."""
        self._everywhere: list[find_duplicates.Group] = []
        self._scope = Scope()
        self.rejected: frozenset[int] = frozenset()
        """Photos of the groups that are rated as rejected."""
        self.current = 0
        """Index of the current group."""
        self.keep: int | None = None
        """The photo of the current group to keep: the proposed one, or the user's choice."""
        self.found = False
        """Whether a search has finished."""
        self.obstacle = ""
        """Reason why nothing can be found."""
        self._job: int | None = None
        self._again = False
        indexing.running_changed.connect(self._look_after_indexing)
        editor.undone.connect(self._return_to)
        self._was_indexing = False
        self._feed.subscribe(self._take_changes, Kind.PHOTOS, Kind.ROOTS, Kind.MARKS, Kind.DUPLICATES)
        scope.changed.connect(lambda: self.limit(scope.scope))

    # ------------------------------------------------------------------ search
    @property
    def busy(self) -> bool:
        """Whether duplicates are being searched for."""
        return self._job is not None

    @property
    def group(self) -> find_duplicates.Group | None:
        """The current group."""
        return self.groups[self.current] if self.current < len(self.groups) else None

    def find(self) -> None:
        """Search for duplicates in the background; during a search, search once more afterwards."""
        if self._job is not None:
            self._again = True
            return
        library, ranker = self._library, self._ranker
        title = self.tr("Looking for duplicates")
        self._job = self._runner.start(
            title,
            lambda: find_duplicates.find_duplicates(library, ranker),
            self._found,
            self._failed,
            self._cancelled,
            lane="duplicates",
        )
        self.changed.emit()

    def find_once(self) -> None:
        """Search for duplicates if that has not been done yet."""
        if not self.found and self._job is None and not self._indexing.running:
            self.find()

    def limit(self, scope: Scope) -> None:
        """Show the groups within a scope; the search covers the whole library."""
        self._scope = scope
        if self.found:
            self._show_scope()

    @property
    def limited(self) -> bool:
        """Whether the scope hides groups or photos of groups."""
        return sum(len(group.members) for group in self.groups) < sum(len(one.members) for one in self._everywhere)

    def _take_changes(self, changes: ChangeSet) -> None:
        """Search again after photos were added or removed; update the finished groups after ratings."""
        if self.found and Kind.MARKS in changes.kinds:
            self._read_rejected()
        if self.found and changes.kinds & {Kind.PHOTOS, Kind.ROOTS, Kind.DUPLICATES} and not self._indexing.running:
            self.find()

    def _look_after_indexing(self) -> None:
        ended = self._was_indexing and not self._indexing.running
        self._was_indexing = self._indexing.running
        if ended and self.found:
            self.find()

    def _found(self, found: find_duplicates.Duplicates) -> None:
        self._job, self.found, self.obstacle = None, True, ""
        folds = [group.photo_ids for group in found.groups] != [group.photo_ids for group in self._everywhere]
        self._everywhere = found.groups
        self._show_scope()
        if folds:
            self.folds_changed.emit()
        if self._again:
            self._again = False
            self.find()

    def _show_scope(self) -> None:
        """Read the photos of the scope and show its groups."""
        library, scope, groups = self._library, self._scope, self._everywhere

        def read() -> list[find_duplicates.Group]:
            ids = scope.ids(library)
            return groups if ids is None else find_duplicates.groups_within(groups, ids)

        def done(found: list[find_duplicates.Group]) -> None:
            # otherwise the groups or the scope have changed since
            if scope is self._scope and groups is self._everywhere:
                self._take_groups(found)

        if scope.whole or not groups:
            self._take_groups(groups)
        else:
            self._runner.read("duplicates of the scope", read, done)

    def _take_groups(self, groups: list[find_duplicates.Group]) -> None:
        before, self.groups = self.group, groups
        places = {group.photo_ids: place for place, group in enumerate(self.groups)}
        self._show(places.get(before.photo_ids, 0) if before is not None else 0, self.keep)
        self.changed.emit()
        self._read_rejected()

    def _cancelled(self) -> None:
        """Retain the previous groups; if there are none, opening the page searches again."""
        self._job, self._again = None, False
        self.obstacle = "" if self.found else self.tr("The search was stopped. Open this page again to continue.")
        self.changed.emit()

    def _failed(self, error: Exception) -> bool:
        self._job, self._again, self.found = None, False, True
        self.obstacle = in_words(str(error)) if isinstance(error, OperationError) else ""
        self.changed.emit()
        return bool(self.obstacle)

    def _read_rejected(self) -> None:
        """Read which photos of the groups are rejected."""
        library, ids = self._library, [photo_id for group in self.groups for photo_id in group.photo_ids]

        def read() -> frozenset[int]:
            return frozenset(each for each, mark in library.marks.of(ids).items() if mark.rating == REJECTED)

        def done(rejected: frozenset[int]) -> None:
            if rejected != self.rejected:
                self.rejected = rejected
                self.changed.emit()

        self._runner.read("rejected duplicates", read, done)

    def is_done(self, group: find_duplicates.Group) -> bool:
        """Return whether at most one photo of a group is not rejected."""
        return len(self.rejected.intersection(group.photo_ids)) >= len(group.photo_ids) - 1

    @property
    def open_pictures(self) -> list[find_duplicates.Group]:
        """Groups of copies in which the photo to keep has not been decided yet; bursts are not included."""
        if not self.groups:
            return []

        return [
            group for group in self.groups if group.kind is find_duplicates.GroupKind.COPIES and not self.is_done(group)
        ]

    def _return_to(self, undone: ChangeSet) -> None:
        """Show the group again whose ratings or tags were undone."""
        for place, group in enumerate(self.groups):
            if undone.photo_ids and undone.photo_ids <= set(group.photo_ids):
                self.go(place)

    # ------------------------------------------------------------------ user actions
    def go(self, place: int) -> None:
        """Show another group."""
        if 0 <= place < len(self.groups) and place != self.current:
            self._show(place)

    def choose(self, photo_id: int) -> None:
        """Keep another photo of the group than the proposed one."""
        if self.group is not None and photo_id in self.group.photo_ids:
            self.keep = photo_id
            self.current_changed.emit()

    @property
    def others(self) -> list[int]:
        """The photos of the group that are not kept."""
        return [] if self.group is None else [each for each in self.group.photo_ids if each != self.keep]

    def others_of(self, photo_id: int) -> list[int]:
        """Return the duplicates of a photo in the whole library."""
        known = find_duplicates.known_duplicates(self._library)
        if known is None or photo_id >= len(known.table) or known.table[photo_id] < 0:
            return []
        return [each for each in known.groups[known.table[photo_id]].photo_ids if each != photo_id]

    def reject_others(self) -> bool:
        """Rate the others as rejected and go to the next group; no file is touched."""
        if not self.others or self._library.read_only:
            return False
        self._editor.rate(self.others, REJECTED)
        self.go(self.current + 1)
        return True

    def merge(self) -> bool:
        """Give the kept photo the metadata of the others, reject these, and go to the next group."""
        if not self.others or self.keep is None or self._library.read_only:
            return False
        self._editor.merge(self.keep, self.others)
        self.go(self.current + 1)
        return True

    def keep_apart(self) -> bool:
        """Record that the photos of the group are not duplicates, so that they are never grouped again."""
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
        if not self.others or not text.strip() or self._library.read_only:
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
