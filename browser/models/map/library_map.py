# SPDX-License-Identifier: MIT
"""The map of the library: the places of its photos or boxes, the shown ones, and their colours."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal

from focal_photos.browser.catalog.facts.learning.items import box_ids_of, item_of
from focal_photos.browser.catalog.facts.query.syntax import quote
from focal_photos.browser.catalog.facts.records import Metric, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.map.drawing import MapDrawing
from focal_photos.browser.models.map.orientation import FRAME, Orientation
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards, shown
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.mapping import lay_out as layout
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import TaskState, TaskStatus

COLORS: Final = 8
"""Largest number of tags or folders with a colour; those with the most photos get one."""

_WATCHED: Final = frozenset({Kind.PHOTOS, Kind.ROOTS, Kind.METRICS})


class Layout(StrEnum):
    """The meaning of the photos' places."""

    NEIGHBORS = "neighbors"
    COMPONENTS = "components"
    """The first three principal components, which can be rotated."""


class ColorBy(StrEnum):
    """The meaning of the photos' colours."""

    TAGS = "tags"
    FOLDERS = "folders"
    NOTHING = "nothing"


@dataclass(frozen=True)
class LegendEntry:
    """The meaning of one colour of the map."""

    color: int
    """Its number, from 1; 0 is the colour of all other photos."""
    name: str
    count: int
    """Number of shown photos that have it."""


@dataclass(frozen=True, eq=False)
class _Colors:
    of: NDArray[np.int8]
    legend: tuple[LegendEntry, ...] = ()


class LibraryMap(Model):
    """Computes the places of the photos, or of the boxes, while the map is open, and caches the drawing.

    "Photos" below are items (`learning.items`): boxes if the user switched the scope to them. Beside the grid the
    map always shows photos.
    """

    moved = Signal()
    """`drawing` has changed."""
    rotated = Signal()
    """`drawing` shows the same photos in another orientation."""
    limited = Signal()
    """The scope or the layout of `drawing` has changed, so a view should fit its photos; emitted before `moved`."""
    colored = Signal()
    """`colors` and `legend` have changed."""
    state_changed = Signal()
    """`busy` or `obstacle` has changed."""
    selection_changed = Signal()
    """`selected` has changed."""
    chosen = Signal(object)
    """The photos selected on the map while it is shown beside the grid (tuple of int)."""
    _formed = Signal(object)

    def __init__(self, services: Services, scope: CurrentScope, navigator: Navigator) -> None:
        super().__init__(services)
        self._navigator, self._items = navigator, scope
        self.boxes = False
        """Whether the map shows boxes."""
        self._drawn_boxes: frozenset[tuple[int, Region]] = frozenset()
        """Photos and regions of the boxes on the map, whose names may change without a new map."""
        self.opened = False
        self.drawing: MapDrawing | None = None
        self.colors: NDArray[np.int8] = np.empty(0, np.int8)
        """Number of each photo's colour, by its row in `drawing`; 0 if it has none."""
        self.legend: tuple[LegendEntry, ...] = ()
        self.color_by = ColorBy.TAGS
        self.layout = Layout.NEIGHBORS
        self._orientation = Orientation()
        self._turning = False
        self.obstacle = ""
        """Reason why there is no map."""
        self.selected: tuple[int, ...] = ()
        self.metric: Metric | None = None
        self._selected_before: tuple[int, ...] = ()
        self._beside = False
        self._found: dict[Layout, layout.PhotoMap] = {}
        self._drawn: layout.PhotoMap | None = None
        self._task: int | None = None
        self._stale = set(Layout)
        self._drawn_as = Scope(), False
        self._cards: dict[int, PhotoCard] = {}
        self._formed.connect(self._show_forming, Qt.ConnectionType.QueuedConnection)
        self._runner.task_changed.connect(self._task_changed)
        navigator.selection_changed.connect(self._follow_selection)
        self._scope = Scope()
        self._feed.subscribe(self._take_changes, Kind.PHOTOS, Kind.ROOTS, Kind.METRICS, Kind.TAGS, Kind.BOXES)
        scope.changed.connect(lambda: self.limit(scope.scope))
        scope.items_changed.connect(self._follow_items)

    @property
    def busy(self) -> bool:
        """Whether places are being computed."""
        return self._task is not None

    # ------------------------------------------------------------------ open and closed
    def open(self, *, beside: bool = False) -> None:
        """Start following the library and its metric.

        Parameters
        ----------
        beside : bool
            Whether the map is shown beside the grid and shares its selection. Otherwise the map has its own selection,
            and closing it restores that of the grid.
        """
        self.opened, self._beside = True, beside
        self._follow_items()
        self._selected_before = self._navigator.selected
        self._follow_selection()
        self._draw_again()  # tags and photos may have changed while the map was closed
        if self.layout in self._stale:
            self._lay_out()

    def close(self) -> None:
        """Stop following the library and computing places; finished places stay."""
        self.opened = False
        if self._beside:
            self._beside, self.selected = False, ()
        else:
            self.select(())
            self._navigator.select(self._selected_before)
        if self._task is not None:
            self._runner.cancel(self._task)

    def _follow_items(self) -> None:
        """Switch between photos and boxes."""
        boxes = self._items.boxes and not self._beside
        if not self.opened or boxes == self.boxes:
            return
        self.select(())
        self.boxes, self.obstacle, self._stale, self._found = boxes, "", set(Layout), {}
        self._drawn, self.drawing, self._cards = None, None, {}
        self.limited.emit()
        self.moved.emit()
        self._lay_out()

    def _take_changes(self, changes: ChangeSet) -> None:
        """Follow a change of the library: at once if the map is open, otherwise when it is opened."""
        if changes.kinds & _WATCHED:
            self._stale = set(Layout)
            if self.opened:
                self._lay_out()
        if changes.kinds & {Kind.TAGS, Kind.PHOTOS, Kind.ROOTS, Kind.BOXES} and self.opened:
            self._draw_again()
        if self.boxes and Kind.BOXES in changes.kinds:
            self._look_at_boxes()

    def _look_at_boxes(self) -> None:
        """Arrange the map again if boxes were drawn, moved or removed, but not if they were only named."""
        library = self._library

        def done(found: frozenset[tuple[int, Region]]) -> None:
            if found != self._drawn_boxes:
                self._drawn_boxes, self._stale = found, set(Layout)
                if self.opened and self.boxes:
                    self._lay_out()

        self._runner.read("boxes of the map", lambda: _box_places(library), done)

    def limit(self, scope: Scope) -> None:
        """Show the photos of a scope, and the others as faint dots."""
        self._scope = scope
        if self.opened:
            self._draw_again()

    def lay_out(self) -> None:
        """Compute the places after a cancellation."""
        if self.layout in self._stale and self.opened:
            self._lay_out()

    # ------------------------------------------------------------------ user actions
    def select(self, photo_ids: tuple[int, ...]) -> None:
        """Select photos for tagging and rating."""
        if photo_ids == self.selected:
            return
        self.selected, focal = photo_ids, self._navigator.focal_id
        if self.boxes:
            self._navigator.select_focal(False)
            self._navigator.select(())  # keys for photos have no effect on boxes
        elif self._beside:
            self._navigator.select([one for one in photo_ids if one != focal])
            self._navigator.select_focal(focal in photo_ids)
            self.chosen.emit(photo_ids)
        else:
            self._navigator.select_focal(False)
            self._navigator.select(photo_ids)
        self.selection_changed.emit()

    def _follow_selection(self) -> None:
        """Show the selection of the grid while the map is beside it."""
        navigator = self._navigator
        focal = (navigator.focal_id,) if navigator.focal_selected and navigator.focal_id is not None else ()
        selected = (*focal, *navigator.selected)
        if self._beside and set(selected) != set(self.selected):
            self.selected = selected
            self.selection_changed.emit()

    def show_selected(self) -> None:
        """Show only the selected photos, or those of the selected boxes, as a step of the trail."""
        library, selected = self._library, self.selected

        def show(photo_ids: set[int]) -> None:
            self._navigator.show_collection(replace(Collection(), among=tuple(sorted(photo_ids))))

        if self.boxes and selected:
            ids = box_ids_of(selected)
            self._runner.read("photos of boxes", lambda: {box.photo_id for box in library.boxes.get(ids)}, show)
        elif selected:
            show(set(selected))

    def walk_to(self, photo_id: int) -> None:
        """Make a photo the focal image."""
        self._navigator.focus(photo_id)

    def choose_colors(self, by: ColorBy) -> None:
        """Set the meaning of the colours."""
        if by is not self.color_by:
            self.color_by = by
            self._color()

    def choose_layout(self, chosen: Layout) -> None:
        """Set the meaning of the places."""
        if chosen is self.layout:
            return
        if self._task is not None:
            self._stale.add(self.layout)
            self._runner.cancel(self._task)
            self._task = None
            self.state_changed.emit()
        self.layout = chosen
        if chosen not in self._stale:
            self._drawn = self._found[chosen]
            self._draw_again()
        elif self.opened:
            self._lay_out()

    @property
    def can_rotate(self) -> bool:
        """Whether `rotate` has an effect."""
        return self._drawn is not None and _is_in_space(self._drawn)

    def rotate(self, right: float, down: float) -> None:
        """Rotate points in space by angles in radians, the side towards the viewer to the right and down."""
        self._orientation = self._orientation.rotated(right, down)
        self._draw_turned()

    def face_front(self) -> None:
        """Undo all rotations."""
        if self._orientation != Orientation():
            self._orientation = Orientation()
            self._draw_turned()

    def name_of(self, photo_id: int) -> str:
        """Return a photo's name; empty until it is read (`selection_changed` follows)."""
        card = self._cards.get(photo_id)
        if card is None:
            library = self._library
            self._runner.read("map card", lambda: fetch_cards(library, [photo_id]), self._take_cards)
            return ""
        return ": ".join([card.name, *card.tags]) if photo_id < 0 else card.name

    def _take_cards(self, cards: dict[int, PhotoCard]) -> None:
        self._cards = {**self._cards, **cards} if len(self._cards) < 1000 else dict(cards)
        self.selection_changed.emit()

    # ------------------------------------------------------------------ places
    def _lay_out(self) -> None:
        if self._task is not None:
            self._runner.cancel(self._task)
        library, ranker, chosen, forming = self._library, self._ranker, self.layout, self._formed.emit
        start, boxes = self._found.get(Layout.NEIGHBORS), self.boxes
        self._stale.discard(chosen)

        def make() -> Job[layout.PhotoMap]:
            if chosen is Layout.COMPONENTS:
                return layout.principal_components(library, ranker, boxes=boxes)
            return layout.lay_out(library, ranker, start=start, tell=forming, boxes=boxes)

        self._task = self._runner.start(
            self.tr("Arranging the map"),
            make,
            lambda found: self._arrived(chosen, found) if boxes == self.boxes else None,
            lambda error: self._failed(error) if boxes == self.boxes else True,
            lane="map",
        )
        self.state_changed.emit()
        if boxes:
            self._look_at_boxes()

    def _task_changed(self, state: TaskState) -> None:
        if state.number == self._task and state.status in (TaskStatus.DONE, TaskStatus.CANCELLED, TaskStatus.FAILED):
            if state.status is TaskStatus.CANCELLED:
                self._stale.add(self.layout)
            self._task = None
            self.state_changed.emit()

    def _arrived(self, chosen: Layout, found: layout.PhotoMap) -> None:
        self._found[chosen], self.metric, self.obstacle = found, found.metric, ""
        self._draw(found)

    def _failed(self, error: Exception) -> bool:
        if not isinstance(error, OperationError):
            return False
        self.obstacle, self._stale = in_words(str(error)), set(Layout)
        self._found, self._drawn, self.drawing = {}, None, None
        self.moved.emit()
        self.state_changed.emit()
        return True

    def _show_forming(self, found: layout.PhotoMap) -> None:
        of_boxes = bool(len(found.ids)) and found.ids[0] < 0
        if self.busy and self.opened and self.layout is Layout.NEIGHBORS and of_boxes == self.boxes:
            self._draw(found)

    def _draw(self, found: layout.PhotoMap) -> None:
        self._drawn = found
        library, scope, orientation, boxes = self._library, self._scope, self._orientation, self.boxes
        drawn_as = scope, _is_in_space(found)

        def read() -> MapDrawing:
            return _drawing(found, orientation, _listed(library, scope, boxes=boxes))

        def done(drawing: MapDrawing) -> None:
            if boxes != self.boxes:
                return
            if self.drawing is None or not np.array_equal(self.drawing.ids, drawing.ids):
                self.colors, self.legend = np.zeros(len(drawing), np.int8), ()
            self.drawing = drawing
            self._color()
            if drawn_as != self._drawn_as:
                self._drawn_as = drawn_as
                self.limited.emit()
            self.moved.emit()
            if orientation != self._orientation:
                self._draw_turned()

        self._runner.read("map", read, done)

    def _draw_turned(self) -> None:
        """Draw the shown photos in the present orientation; one drawing is made at a time, the last one always."""
        found, before, orientation = self._drawn, self.drawing, self._orientation
        if self._turning or found is None or before is None or not _is_in_space(found):
            return
        self._turning, listed = True, before.ids[before.shown]

        def done(drawing: MapDrawing) -> None:
            self._turning = False
            is_current = found is self._drawn and self.drawing is before
            if is_current:
                self.drawing = drawing
                self.rotated.emit()
            if not is_current or orientation != self._orientation:
                self._draw_turned()

        self._runner.read("map turning", lambda: _drawing(found, orientation, listed), done)

    def _draw_again(self) -> None:
        """Draw the same places with current photos and colours."""
        if self._drawn is not None:
            self._draw(self._drawn)

    # ------------------------------------------------------------------ colours
    def _color(self) -> None:
        drawing, by, library = self.drawing, self.color_by, self._library
        if drawing is None:
            return

        def read() -> _Colors:
            return _colors(library, drawing, by)

        def done(found: _Colors) -> None:
            if self.drawing is not None and np.array_equal(self.drawing.ids, drawing.ids):
                self.colors, self.legend = found.of, found.legend
                self.colored.emit()

        self._runner.read("map colors", read, done)


def _is_in_space(found: layout.PhotoMap) -> bool:
    return bool(found.places.shape[1] == 3)


def _drawing(found: layout.PhotoMap, orientation: Orientation, listed: NDArray[np.int64] | None) -> MapDrawing:
    """Prepare places for drawing; of points in space behind each other, the nearest one represents the others."""
    if not _is_in_space(found):
        return MapDrawing.of(found.ids, found.places, found.typical, listed)
    places, nearness = orientation.projected(found.places)
    return MapDrawing.of(found.ids, places, nearness, listed, FRAME)


def _listed(library: Library, scope: Scope, *, boxes: bool) -> NDArray[np.int64] | None:
    """Return the shown photos or boxes; None for all of the map, which may include photos of removed folders."""
    listed = scope.ids(library)
    if boxes:
        here = set((library.photos.listed() if listed is None else listed).tolist())
        return np.array([item_of(box.id) for box in library.boxes.all() if box.photo_id in here], np.int64)
    return library.photos.listed() if listed is None and library.roots.any_removed() else listed


def _box_places(library: Library) -> frozenset[tuple[int, Region]]:
    """Return the photos and regions of all boxes; for the read lane."""
    return frozenset((box.photo_id, box.region) for box in library.boxes.all())


def _colors(library: Library, drawing: MapDrawing, by: ColorBy) -> _Colors:
    """Find the largest tags or folders of the shown photos; a photo in several gets the smallest one's colour."""
    found: list[tuple[str, NDArray[np.bool_]]] = []
    shown_ids = drawing.ids[drawing.shown]
    boxes = {item_of(box.id): box for box in library.boxes.get(box_ids_of(shown_ids.tolist()))}
    if len(boxes) < np.count_nonzero(shown_ids < 0):
        return _Colors(np.zeros(len(drawing), np.int8))  # some were removed meanwhile, so another drawing follows
    if by is ColorBy.TAGS:
        named = {item: box.tag for item, box in boxes.items() if box.tag}
        counts = dict(Counter(named.values())) if boxes else library.tags.counts(shown_ids.tolist())
        largest = sorted(counts, key=lambda name: (-counts[name], name))[: 2 * COLORS]
        found = [
            (
                name,
                np.array([named.get(item) == name for item in shown_ids.tolist()], bool)
                if boxes
                else np.isin(shown_ids, library.photos.listed(f"tag:{quote(name)}")),
            )
            for name in largest
        ]
    elif by is ColorBy.FOLDERS:
        of_photos = [boxes[item].photo_id if item in boxes else item for item in shown_ids.tolist()]
        paths = [path.parent for path in library.photos.paths(of_photos)]
        names, of, counted = np.unique([str(path) for path in paths], return_inverse=True, return_counts=True)
        largest_first = np.argsort(-counted, kind="stable")[:COLORS]
        by_name = {str(path): shown(path.name) or str(path) for path in paths}
        found = [(by_name[str(names[number])], of == number) for number in largest_first]
    found = sorted(found, key=lambda one: -int(one[1].sum()))[:COLORS]
    colors = np.zeros(len(shown_ids), np.int8)
    for color, (_, carry) in enumerate(found, 1):
        colors[carry] = color
    legend = tuple(LegendEntry(color, name, int(carry.sum())) for color, (name, carry) in enumerate(found, 1))
    of_all = np.zeros(len(drawing), np.int8)
    of_all[drawing.shown] = colors
    return _Colors(of_all, legend)
