# SPDX-License-Identifier: MIT
"""The saved trails, and conversion between them and the current trail."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QTimer

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.catalog.facts.records import SavedStep, SavedTrail
from focal_photos.browser.catalog.facts.trails import steps_from_json, steps_to_json
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Collection, GridPosition, Step, Trail
from focal_photos.browser.operations.ranking.queries.query import Examples, Query, RegionQuery, TextQuery

_PLACE: Final = "window.place"
"""The setting that holds the place where the last session ended."""
SAVE_MILLISECONDS: Final = 2000
"""Longest time until a new place is saved, so that it survives if the program is killed."""
_KEPT_STEPS: Final = 60
_KEPT_SELECTED: Final = 500
_TOP: Final[list[Any]] = [None, 0, None, []]
"""The top of the grid, with nothing selected."""


class SavedTrails(Model):
    """Reads and opens the saved trails."""

    def __init__(self, services: Services, navigator: Navigator) -> None:
        super().__init__(services)
        self._navigator = navigator
        self.trails: list[SavedTrail] = []
        self._feed.subscribe(self._read, Kind.SEARCHES)
        self._due = QTimer(self, singleShot=True, interval=SAVE_MILLISECONDS)
        self._due.timeout.connect(self._save_place)
        navigator.trail_changed.connect(self._save_soon)
        navigator.selection_changed.connect(self._save_soon)

    def _read(self, _changes: ChangeSet) -> None:
        """Read the trails again."""
        self._runner.read("trails", self._library.trails.all, self._take)

    def find_named(self, name: str) -> SavedTrail | None:
        """Return the trail with a name."""
        return next((one for one in self.trails if one.name == name), None)

    def present(self) -> tuple[SavedStep, ...]:
        """Return the steps of the current trail, except rankings by images from outside the library."""
        return tuple(_saved_step(step) for step in self._navigator.trail.steps if _lasts(step))

    def open(self, trail: SavedTrail) -> None:
        """Open a saved trail at its last step; the current trail becomes a branch.

        Steps whose photos have left the library are skipped, with a message.
        """
        library = self._library
        photo_ids = sorted({photo_id for step in trail.steps for photo_id in _photos(step)})
        focals = np.array(photo_ids, dtype=np.int64)

        def done(there: set[int]) -> None:
            left = [step for step in trail.steps if there.issuperset(_photos(step))]
            gone, name = len(trail.steps) - len(left), shown(trail.name)
            if not any(map(_photos, left)) and gone:
                text = self.tr("None of the photos of the trail {0} is in the library any more.").format(name)
                self._notices.post(text, Severity.WARNING)
                return
            if gone:
                text = self.tr("{0}: {1} of {2} steps were skipped because their photos are no longer in the library.")
                text = text.format(name, grouped(gone), grouped(len(trail.steps)))
                self._notices.post(text, Severity.WARNING)
            self._navigator.open_way([_step(step) for step in left])

        self._runner.read("trail", lambda: set(focals[np.isin(focals, library.photos.listed())].tolist()), done)

    def keep_place(self) -> None:
        """Save the trail and the place in the grid for the next session; call it while nothing else writes."""
        self._due.stop()
        place = self._place()
        if place is not None:
            self._store(place)

    def _save_soon(self) -> None:
        if not (self._due.isActive() or self.read_only):
            self._due.start()

    def _save_place(self) -> None:
        place = self._place()
        if place is not None:
            self._runner.write(self.tr("Saving the trail"), lambda: self._store(place))

    def _place(self) -> dict[str, Any] | None:
        """Return the trail and the place in the grid as JSON; None if there is nothing to save."""
        navigator = self._navigator
        trail = navigator.trail
        lasting = [number for number, step in enumerate(trail.steps) if _lasts(step)][-_KEPT_STEPS:]
        if self.read_only or not lasting:
            return None
        here = navigator.position()
        at = sum(number <= trail.at for number in lasting) - 1
        position = [here.anchor, here.offset, here.current, list(here.selected[:_KEPT_SELECTED])]
        return {
            "steps": steps_to_json(tuple(_saved_step(trail.steps[number]) for number in lasting)),
            "at": max(at, 0),
            "position": position if at >= 0 and lasting[at] == trail.at else _TOP,
        }

    def _store(self, place: dict[str, Any]) -> None:
        settings = self._library.settings
        start = {"steps": steps_to_json((_saved_step(Step()),)), "at": 0, "position": _TOP}
        with suppress(LibraryError, OSError):  # a library that cannot be written opens with all photos
            if place != settings.get(_PLACE, start):
                settings.set(_PLACE, place)

    def restore_place(self) -> None:
        """Show the place where the last session ended, or all photos if there is none."""
        library, navigator = self._library, self._navigator

        def read() -> tuple[list[Step], int]:
            saved = library.settings.get(_PLACE, {})
            found = steps_from_json(saved["steps"]) if saved else ()
            photo_ids = np.array(sorted({photo_id for step in found for photo_id in _photos(step)}), dtype=np.int64)
            there = set(photo_ids[np.isin(photo_ids, library.photos.listed())].tolist())
            roots = [root.path for root in library.roots.all()]
            steps, at = [], -1
            for number, step in enumerate(found):
                known = step.folder is None or any(step.folder.is_relative_to(root) for root in roots)
                if known and there.issuperset(_photos(step)):
                    steps.append(_step(step))
                    at += number <= saved["at"]
            if not steps:
                return [Step()], 0
            at = max(at, 0)
            anchor, offset, current, selected = saved["position"]
            steps[at] = replace(steps[at], position=GridPosition(anchor, int(offset), current, tuple(selected)))
            return steps, at

        def failed(_error: Exception) -> bool:
            navigator.show_collection(Collection())
            return True

        self._runner.read("place", read, lambda found: navigator.restore(*found), failed=failed)

    def _take(self, trails: list[SavedTrail]) -> None:
        self.trails = trails


def walked(trail: Trail) -> bool:
    """Return whether a trail is worth saving: it contains a ranking that can be shown again."""
    return any(step.ranked and _lasts(step) for step in trail.steps)


def _lasts(step: Step) -> bool:
    """Return whether a step can be shown again in another session: it uses nothing from outside the library."""
    query = step.query
    if isinstance(query, Examples):
        return all(isinstance(one, int) for one in (*query.like, *query.unlike))
    if isinstance(query, RegionQuery):
        return query.photo_id is not None
    return query is None or isinstance(query, TextQuery)


def _photos(step: SavedStep) -> tuple[int, ...]:
    """Return the photos that a step ranks by."""
    alone = (one for one in (step.focal, step.part_of) if one is not None)
    return (*alone, *step.like, *step.unlike)


def _saved_step(step: Step) -> SavedStep:
    of = step.collection
    saved = SavedStep(of.query, of.folder, of.among, str(of.order), of.seed, step.focal_id, step.label)
    if isinstance(step.query, TextQuery):
        return replace(saved, text=step.query.text)
    if isinstance(step.query, RegionQuery):
        return replace(saved, part_of=step.query.photo_id, region=step.query.region)
    if not isinstance(step.query, Examples):
        return saved
    like, unlike = (tuple(one for one in some if isinstance(one, int)) for some in (step.query.like, step.query.unlike))
    return replace(saved, like=like, unlike=unlike)


def _step(saved: SavedStep) -> Step:
    collection = Collection(saved.query, saved.folder, saved.among, seed=saved.seed)
    if saved.order in list(Order):
        collection = replace(collection, order=Order(saved.order))
    return Step(collection, saved.focal, saved.label, query=_query(saved))


def _query(saved: SavedStep) -> Query | None:
    if saved.text:
        return TextQuery(saved.text)
    if saved.like:
        return Examples(saved.like, saved.unlike)
    if saved.part_of is not None and saved.region is not None:
        return RegionQuery(saved.part_of, saved.region)
    return None
