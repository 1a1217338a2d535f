"""Two to four photos side by side: which they are, and which of them keys mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.tasks.runner import Runner

FEWEST: Final = 2
MOST: Final = 4


@dataclass(frozen=True)
class ComparedPhoto:
    """What is known of one of the photos."""

    card: PhotoCard
    mark: Mark


class Comparison(QObject):
    """The photos that are compared, and the current one.

    Parameters
    ----------
    library : Library
    runner : Runner
    navigator : Navigator
        Says what is selected, and is told which photo keys mean.
    grid : GridModel
        Has the order from which the next photo comes.

    Signals
    -------
    photos_changed : None
        `photo_ids`.
    current_changed : None
        `current`.
    known_changed : None
        `known` has arrived, or was read again.
    """

    photos_changed = Signal()
    current_changed = Signal()
    known_changed = Signal()

    def __init__(
        self, library: Library, runner: Runner, navigator: Navigator, grid: GridModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library, self._runner, self._navigator, self._grid = library, runner, navigator, grid
        self.photo_ids: tuple[int, ...] = ()
        self.current = 0
        """Place of the photo that keys mean."""
        self.known: dict[int, ComparedPhoto] = {}
        self.active = False
        self.asked: tuple[int, ...] = ()
        """Photos that are compared the next time in place of what is selected."""

    @property
    def current_id(self) -> int | None:
        """The photo that keys mean."""
        return self.photo_ids[self.current] if self.current < len(self.photo_ids) else None

    # ------------------------------------------------------------------ beginning and ending
    def begin(self, current: int | None = None) -> None:
        """Compare what is selected: at most four photos; of a single one with the focal image, else with the next.

        Parameters
        ----------
        current : int, optional
            The current photo of the grid: what is meant if nothing is selected.
        """
        self.active = True
        navigator = self._navigator
        asked, self.asked = self.asked, ()
        selected = list(asked or (navigator.targets if navigator.selected or navigator.focal_selected else ()))
        if len(selected) < FEWEST:
            meant = selected or [each for each in (current,) if each is not None]
            selected = list(dict.fromkeys(each for each in (navigator.focal_id, *meant) if each is not None))
        while len(selected) < FEWEST:
            beside = self._beside(selected[-1] if selected else None, 1, selected)
            if beside is None:
                break
            selected.append(beside)
        focal = navigator.focal_id in selected[:1]
        self._show(selected[:MOST], 1 if focal and len(selected) > 1 else 0)

    def end(self) -> None:
        """Let keys mean again what is selected in the grid."""
        self.active = False
        self._navigator.hold(None)

    # ------------------------------------------------------------------ what a person does
    def go(self, place: int) -> None:
        """Make another photo the current one."""
        if 0 <= place < len(self.photo_ids) and place != self.current:
            self.current = place
            self._navigator.hold(self.current_id)
            self.current_changed.emit()

    def step(self, by: int) -> bool:
        """Put the next (1) or previous (-1) photo of the order in the current one's place; return whether there is."""
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
        """Compare one photo more, the next after the last; return whether there is room, and such a photo."""
        if len(self.photo_ids) >= MOST or not self.photo_ids:
            return False
        found = self._beside(self.photo_ids[-1], 1, self.photo_ids)
        if found is not None:
            self._show([*self.photo_ids, found], len(self.photo_ids))
        return found is not None

    def drop(self) -> bool:
        """Leave the current photo out, where more than two are compared."""
        if len(self.photo_ids) <= FEWEST:
            return False
        ids = [photo_id for photo_id in self.photo_ids if photo_id != self.current_id]
        self._show(ids, min(self.current, len(ids) - 1))
        return True

    def refresh(self, changes: ChangeSet) -> None:
        """Read again what is known of the photos, if it may have changed."""
        if self.active and (not changes.photo_ids or changes.photo_ids & set(self.photo_ids)):
            self._read()

    # ------------------------------------------------------------------ inside
    def _show(self, photo_ids: Sequence[int], current: int) -> None:
        self.photo_ids, self.current = tuple(photo_ids), current
        self._navigator.hold(self.current_id)
        self.photos_changed.emit()
        self.current_changed.emit()
        self._read()

    def _beside(self, photo_id: int | None, by: int, but: Sequence[int] = ()) -> int | None:
        """Return the next photo of the order in a direction that is none of some; from its beginning if None."""
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
            marks = library.marks.of(wanted)
            return {
                photo_id: ComparedPhoto(card, marks.get(photo_id, Mark()))
                for photo_id, card in fetch_cards(library, wanted).items()
            }

        def done(known: dict[int, ComparedPhoto]) -> None:
            self.known = known
            self.known_changed.emit()

        self._runner.read("comparison", read, done)
