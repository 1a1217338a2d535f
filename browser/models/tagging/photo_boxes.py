# SPDX-License-Identifier: MIT
"""The boxes of the shown photo, the current one among them, and the mode in which boxes are drawn."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.naming import Naming

_MAX_PROPOSED = 8
"""Largest number of tags proposed for a box."""
_KINDS = (Kind.BOXES, Kind.TAGS, Kind.SUGGESTIONS, Kind.ROTATIONS, Kind.PHOTOS, Kind.FILES)
"""Changes after which the boxes are read again."""
_MIN_CONFIDENCE = 0.5
"""Confidence from which a suggestion for the photo is proposed for its boxes."""


class PhotoBoxes(Model):
    """The boxes of one photo: that of the viewer, or else the only selected one.

    All regions refer to the unrotated photo.

    Signals
    -------
    editing_changed : None
    """

    changed = Signal()
    """The photo, its boxes, its rotation or the current box have changed."""
    editing_changed = Signal()
    naming_wanted = Signal()
    """The user wants to name the current box."""

    def __init__(
        self, services: Services, navigator: Navigator, selection: RestingSelection, editor: Editor, naming: Naming
    ) -> None:
        super().__init__(services)
        self._navigator, self._editor = navigator, editor
        self._viewed = False
        self._recent_read = False
        self._current_id: int | None = None
        self.photo_id: int | None = None
        self.boxes: tuple[Box, ...] = ()
        """In order of id."""
        self.pending: tuple[Region, ...] = ()
        """Drawn boxes that are being written."""
        self.quarters = 0
        """Clockwise quarter turns by which the photo is displayed."""
        self.editing = False
        """Whether the viewer is in box mode."""
        self.recent: list[str] = []
        """Tags of boxes, the last used one first."""
        self._expected: tuple[str, ...] = ()
        """Tags of the photo, and those suggested for it, the most likely first."""
        selection.rested.connect(self._follow_targets)
        naming.renamed.connect(self._rename)
        self._feed.subscribe(self._take_changes, *_KINDS)

    # ------------------------------------------------------------------ the photo
    def view(self, photo_id: int | None) -> None:
        """Show the boxes of the photo in the viewer; None: the viewer is closed."""
        self._viewed = photo_id is not None
        if photo_id is None:
            self.stop()
            self._follow_targets()
        else:
            self._show_photo(photo_id)

    def _follow_targets(self) -> None:
        if not self._viewed:
            targets = self._navigator.targets
            self._show_photo(targets[0] if len(targets) == 1 else None)

    def _show_photo(self, photo_id: int | None) -> None:
        if photo_id == self.photo_id:
            return
        self.photo_id, self.boxes, self.pending, self._current_id = photo_id, (), (), None
        self._expected = ()
        self.changed.emit()
        self._read()

    def _take_changes(self, _changes: ChangeSet) -> None:
        self._read()

    def _read(self) -> None:
        library, photo_id = self._library, self.photo_id
        if photo_id is None:
            self._runner.forget("boxes")
        else:
            self._runner.read(
                "boxes", lambda: _read_boxes(library, photo_id), lambda found: self._take(photo_id, *found)
            )

    def _take(self, photo_id: int, boxes: tuple[Box, ...], quarters: int, expected: tuple[str, ...]) -> None:
        if photo_id != self.photo_id:
            return
        self._expected = expected
        if (boxes, quarters) != (self.boxes, self.quarters):
            self.boxes, self.quarters = boxes, quarters
            self.changed.emit()

    # ------------------------------------------------------------------ the current box
    @property
    def current(self) -> Box | None:
        """The current box."""
        return next((box for box in self.boxes if box.id == self._current_id), None)

    @property
    def target(self) -> Box | None:
        """The box that keys for tags name: the current one in box mode."""
        return self.current if self.editing else None

    def current_region(self) -> tuple[int, Region] | None:
        """Return the photo and the region of the current box."""
        box = self.current
        return None if box is None else (box.photo_id, box.region)

    def select(self, box_id: int | None) -> None:
        """Make a box the current one; None: no box is current."""
        if box_id != self._current_id:
            self._current_id = box_id
            self.changed.emit()

    def step(self, by: int) -> None:
        """Make the next (1) or the previous (-1) box the current one, from the last to the first."""
        ids = [box.id for box in self.boxes]
        if ids:
            if self._current_id in ids:
                by += ids.index(self._current_id)
            elif by > 0:
                by = 0
            self.select(ids[by % len(ids)])

    # ------------------------------------------------------------------ box mode
    def start(self) -> bool:
        """Begin box mode; return whether boxes can be drawn."""
        if self.read_only:
            text = self.tr("The library is open read-only: you can view everything but change nothing.")
            self._notices.post(text, Severity.WARNING)
        elif not self.editing:
            self.editing = True
            self._read_recent()
            self.editing_changed.emit()
        return self.editing

    def stop(self) -> bool:
        """End box mode; return whether it was on."""
        if not self.editing:
            return False
        self.editing = False
        self._current_id = None
        self.editing_changed.emit()
        self.changed.emit()
        return True

    def _read_recent(self) -> None:
        """Read the tags of boxes once, the last used one first."""
        if self._recent_read:
            return
        self._recent_read = True
        library = self._library

        def done(tags: list[str]) -> None:
            self.recent = list(dict.fromkeys([*self.recent, *tags]))[:_MAX_PROPOSED]

        self._runner.read("recent tags of boxes", lambda: _recent_tags(library), done)

    @property
    def offered(self) -> list[str]:
        """Tags for a box without a name, the most likely first.

        Those of boxes that the photo carries, or that are suggested for it, come before the last used ones, unless it
        has such a box already.
        """
        boxed = {box.tag for box in self.boxes}
        likely = [tag for tag in self._expected if tag in self.recent and tag not in boxed]
        return list(dict.fromkeys([*likely, *self.recent]))

    def _rename(self, old: str, new: str) -> None:
        self.recent = list(dict.fromkeys(new if tag == old else tag for tag in self.recent))

    # ------------------------------------------------------------------ edits
    def draw(self, region: Region, *, names: bool) -> None:
        """Add a box to the photo and make it the current one; with `names`, ask for its name then."""
        photo_id = self.photo_id
        if photo_id is None or self.read_only:
            return
        self.pending = (*self.pending, region)
        self.changed.emit()

        def added(box: Box) -> None:
            self.pending = tuple(one for one in self.pending if one is not region)
            if box.photo_id == self.photo_id:
                self.boxes = (*self.boxes, box)
                self._current_id = box.id
            self.changed.emit()
            if names and self.target is not None:
                self.naming_wanted.emit()

        def failed() -> None:
            self.pending = tuple(one for one in self.pending if one is not region)
            self.changed.emit()

        self._editor.add_box(photo_id, region, added, failed)

    def move(self, region: Region) -> None:
        """Move the current box to a region."""
        box = self.current
        if box is None or region == box.region or self.read_only:
            return
        self.boxes = tuple(replace(one, region=region) if one.id == box.id else one for one in self.boxes)
        self.changed.emit()
        self._editor.move_box(box.id, region, self._read)

    def ask_name(self) -> None:
        """Ask for the name of the current box."""
        if self.target is not None:
            self.naming_wanted.emit()

    def name(self, tag: str) -> None:
        """Name the current box by a tag."""
        box = self.current
        if box is not None and not self.read_only:
            self.recent = list(dict.fromkeys([tag, *self.recent]))[:_MAX_PROPOSED]
            self._editor.name_boxes([box.id], tag)

    def remove(self) -> None:
        """Remove the current box; the next one becomes current."""
        box = self.current
        if box is None or self.read_only:
            return
        others = [one.id for one in self.boxes if one.id != box.id]
        following = [one for one in others if one > box.id]
        self._current_id = following[0] if following else others[-1] if others else None
        self.boxes = tuple(one for one in self.boxes if one.id != box.id)
        self.changed.emit()
        self._editor.remove_boxes([box.id], self._read)


def _read_boxes(library: Library, photo_id: int) -> tuple[tuple[Box, ...], int, tuple[str, ...]]:
    """Return the boxes of a photo, its quarter turns, and the tags to expect on it; for the read lane."""
    suggested = sorted(library.suggestions.of([photo_id]).get(photo_id, ()), key=lambda one: -one.confidence)
    likely = [one.tag for one in suggested if one.confidence >= _MIN_CONFIDENCE]
    tags = library.tags.of([photo_id]).get(photo_id, ())
    return (
        tuple(library.boxes.of([photo_id]).get(photo_id, ())),
        library.rotations.of([photo_id]).get(photo_id, 0),
        (*tags, *likely),
    )


def _recent_tags(library: Library) -> list[str]:
    """Return the tags of boxes, the last used one first; for the read lane."""
    boxes = sorted(library.boxes.all(), key=lambda box: box.at, reverse=True)
    return list(dict.fromkeys(box.tag for box in boxes if box.tag is not None))[:_MAX_PROPOSED]
