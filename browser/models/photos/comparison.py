# SPDX-License-Identifier: MIT
"""Comparison of two to four photos side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Box, Mark
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards

MIN_PHOTOS: Final = 2
MAX_PHOTOS: Final = 4


@dataclass(frozen=True)
class ComparedPhoto:
    """The data of one compared photo."""

    card: PhotoCard
    mark: Mark
    boxes: tuple[Box, ...] = ()


class Comparison(Model):
    """The compared photos, and the current one among them.

    Parameters
    ----------
    navigator : Navigator
        Has the selection, and receives the photo that key commands act on.
    grid : GridModel
        Has the order in which photos follow each other.
    """

    photos_changed = Signal()
    current_changed = Signal()
    known_changed = Signal()
    """`known` was read or refreshed."""

    def __init__(self, services: Services, navigator: Navigator, grid: GridModel) -> None:
        super().__init__(services)
        self._navigator, self._grid = navigator, grid
        self.photo_ids: tuple[int, ...] = ()
        self.current = 0
        """Place in `photo_ids` of the photo that key commands act on."""
        self.known: dict[int, ComparedPhoto] = {}
        self.active = False
        self.requested: tuple[int, ...] = ()
        """Photos to compare next time instead of the selection."""
        kinds = (Kind.PHOTOS, Kind.ROOTS, Kind.TAGS, Kind.BOXES, Kind.MARKS, Kind.ROTATIONS, Kind.SUGGESTIONS)
        self._feed.subscribe(self._take_changes, *kinds)

    @property
    def current_id(self) -> int | None:
        """The photo that key commands act on."""
        return self.photo_ids[self.current] if self.current < len(self.photo_ids) else None

    # ------------------------------------------------------------------ begin and end
    def begin(self, current: int | None = None) -> None:
        """Compare the selected photos, up to four; a single one with the focal image, or else with the next photo.

        Parameters
        ----------
        current : int, optional
            The current photo of the grid, used if nothing is selected.
        """
        self.active = True
        navigator = self._navigator
        requested, self.requested = self.requested, ()
        selected = list(requested or (navigator.targets if navigator.selected or navigator.focal_selected else ()))
        if len(selected) < MIN_PHOTOS:
            meant = selected or [each for each in (current,) if each is not None]
            selected = list(dict.fromkeys(each for each in (navigator.focal_id, *meant) if each is not None))
        while len(selected) < MIN_PHOTOS:
            beside = self._beside(selected[-1] if selected else None, 1, selected)
            if beside is None:
                break
            selected.append(beside)
        focal = navigator.focal_id in selected[:1]
        self._show(selected[:MAX_PHOTOS], 1 if focal and len(selected) > 1 else 0)

    def end(self) -> None:
        """End the comparison; key commands act on the selection of the grid again."""
        self.active = False
        self._navigator.hold(None)

    # ------------------------------------------------------------------ user actions
    def go(self, place: int) -> None:
        """Make another photo the current one."""
        if 0 <= place < len(self.photo_ids) and place != self.current:
            self.current = place
            self._navigator.hold(self.current_id)
            self.current_changed.emit()

    def step(self, by: int) -> bool:
        """Replace the current photo by the next (1) or previous (-1) of the grid; return whether there is one."""
        found = self._beside(self.current_id, by, self.photo_ids)
        if found is None:
            if by > 0 and not self._grid.complete:
                self._grid.when_complete(lambda: self._step_if_active(by))
            return False
        ids = list(self.photo_ids)
        ids[self.current] = found
        self._show(ids, self.current)
        return True

    def _step_if_active(self, by: int) -> None:
        if self.active:
            self.step(by)

    def add(self) -> bool:
        """Add the photo after the last one; return False if there are four already or none follows."""
        if len(self.photo_ids) >= MAX_PHOTOS or not self.photo_ids:
            return False
        found = self._beside(self.photo_ids[-1], 1, self.photo_ids)
        if found is not None:
            self._show([*self.photo_ids, found], len(self.photo_ids))
        return found is not None

    def drop(self) -> bool:
        """Remove the current photo if more than two are compared; return whether it was removed."""
        if len(self.photo_ids) <= MIN_PHOTOS:
            return False
        ids = [photo_id for photo_id in self.photo_ids if photo_id != self.current_id]
        self._show(ids, min(self.current, len(ids) - 1))
        return True

    def _take_changes(self, changes: ChangeSet) -> None:
        """Read the photos again if a change may concern them."""
        if self.active and (not changes.photo_ids or changes.photo_ids & set(self.photo_ids)):
            self._read()

    # ------------------------------------------------------------------ private
    def _show(self, photo_ids: Sequence[int], current: int) -> None:
        self.photo_ids, self.current = tuple(photo_ids), current
        self._navigator.hold(self.current_id)
        self.photos_changed.emit()
        self.current_changed.emit()
        self._read()

    def _beside(self, photo_id: int | None, by: int, but: Sequence[int] = ()) -> int | None:
        """Return the next photo in a direction that is not in `but`; from the end of the grid if `photo_id` is None."""
        ids = self._grid.ids
        row = -1 if photo_id is None else self._grid.row_of(photo_id)
        if row < 0:
            row = -1 if by > 0 else len(ids)
        row += by
        while 0 <= row < len(ids):
            found = int(ids[row])
            if found not in but:
                return found
            row += by
        return None

    def _read(self) -> None:
        library, wanted = self._library, self.photo_ids

        def read() -> dict[int, ComparedPhoto]:
            marks, boxes = library.marks.of(wanted), library.boxes.of(wanted)
            return {
                photo_id: ComparedPhoto(card, marks.get(photo_id, Mark()), tuple(boxes.get(photo_id, ())))
                for photo_id, card in fetch_cards(library, wanted).items()
            }

        def done(known: dict[int, ComparedPhoto]) -> None:
            self.known = known
            self.known_changed.emit()

        self._runner.read("comparison", read, done)
