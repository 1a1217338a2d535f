# SPDX-License-Identifier: MIT
"""Hints for a user's first minutes with their own photos: choose a photo, judge another, see the ranking change."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking import good_example


class FirstStep(StrEnum):
    """The current step."""

    NONE = ""
    CHOOSE = "choose"
    JUDGE = "judge"
    MOVED = "moved"


class FirstSteps(Model):
    """Follows the user's actions after the first folder of a library was opened."""

    changed = Signal()
    """`step` or `moved` has changed."""
    example_missing = Signal()
    """There is no example yet, because too few photos have been described."""

    def __init__(self, services: Services, navigator: Navigator) -> None:
        super().__init__(services)
        self._navigator = navigator
        self.step = FirstStep.NONE
        """`FirstStep.NONE` means that there is no hint."""
        self.moved = 0
        """Number of photos whose rank the latest judgement changed."""
        self._focal_id: int | None = None
        self._before: NDArray[np.int64] | None = None
        navigator.trail_changed.connect(self._follow)
        self._feed.subscribe(self._take_changes, Kind.JUDGEMENTS)
        self._feed.subscribe(self._take_metric, Kind.METRICS)

    def start(self) -> None:
        """Start with the first step."""
        self._go(FirstStep.CHOOSE)
        self._follow()

    def stop(self) -> None:
        """Stop showing hints."""
        self._before = None
        self._go(FirstStep.NONE)

    def show_example(self) -> None:
        """Rank by a photo that has close neighbours."""
        ranker = self._ranker

        def find() -> int | None:
            try:
                gallery = ranker.gallery("euclidean")
            except OperationError:
                return None
            return good_example.good_example(gallery.ids, gallery.rows)

        def done(photo_id: int | None) -> None:
            if photo_id is None:
                self.example_missing.emit()
            else:
                self._navigator.focus(photo_id)

        self._runner.read("first example", find, done)

    def _take_changes(self, _changes: ChangeSet) -> None:
        """Record the ranking when a judgement is made; it follows the judgement later."""
        if self.step in (FirstStep.JUDGE, FirstStep.MOVED):
            self._before = self._navigator.grid.ids

    def _take_metric(self, _changes: ChangeSet) -> None:
        """End with the movement by a judgement: the grid shows the movement by the metric now."""
        if self.step is FirstStep.MOVED:
            self.stop()

    def _follow(self) -> None:
        """Advance to the step that matches the current view."""
        focal_id, grid = self._navigator.focal_id, self._navigator.grid
        if self.step is FirstStep.CHOOSE and focal_id is not None:
            self._go(FirstStep.JUDGE)
        elif self.step is FirstStep.JUDGE and focal_id is None:
            self._go(FirstStep.CHOOSE)
        elif self.step is FirstStep.MOVED and focal_id != self._focal_id:
            self.stop()
        elif self._before is not None and focal_id == self._focal_id:
            before, self._before = self._before, None
            places = {photo_id: row for row, photo_id in enumerate(before.tolist())}
            moved = sum(places.get(photo_id) != row for row, photo_id in enumerate(grid.ids[: len(before)].tolist()))
            if moved:
                self.moved = moved
                grid.show_former_places(places, others_beyond=False)
                self.step = FirstStep.MOVED
                self.changed.emit()
        self._focal_id = focal_id

    def _go(self, step: FirstStep) -> None:
        if step is not self.step:
            self.step = step
            self.changed.emit()
