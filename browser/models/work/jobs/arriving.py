# SPDX-License-Identifier: MIT
"""Photos that are being indexed: they are shown as they arrive, and those in sight are described first."""

from __future__ import annotations

import time

import numpy as np

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.work.jobs.indexing import Indexing

FILL_SHARE = 10
"""Refresh an incomplete ranking after this multiple of the seconds that ranking takes."""


class ArrivingPhotos(Model):
    """Shows arriving photos, and tells the indexing which photos the user sees."""

    def __init__(self, services: Services, navigator: Navigator, overview: LibraryOverview, indexing: Indexing) -> None:
        super().__init__(services)
        self._navigator, self._overview = navigator, overview
        self._indexing = indexing
        self._filled_at = 0.0
        navigator.arranger.photos_coming = lambda: indexing.running
        indexing.photos_arriving.connect(self._show)
        for signal in (navigator.grid.rows_shown, navigator.focal_changed, indexing.running_changed):
            signal.connect(self._want)

    def _show(self) -> None:
        """Arrange the photos again: a ranking rarely enough to leave time for other queries."""
        navigator = self._navigator
        if not navigator.ranked or time.monotonic() - self._filled_at > FILL_SHARE * navigator.shown.seconds:
            self._filled_at = time.monotonic()
            navigator.again()
        self._overview.read()

    def _want(self) -> None:
        """Describe the photos in sight first, then those near the focal image in its folder."""
        seen, focal, library = self._navigator.grid.visible_ids, self._navigator.focal, self._library
        if not self._indexing.running:
            return
        if focal is None:
            self._indexing.wanted = seen
            return

        def read() -> list[int]:
            beside = library.photos.listed(folder=focal.photo.path.parent)
            place = np.flatnonzero(beside == focal.photo.id)
            distance = np.abs(np.arange(len(beside)) - (place[0] if len(place) else 0))
            return [focal.photo.id, *seen, *beside[np.argsort(distance, kind="stable")].tolist()]

        def done(wanted: list[int]) -> None:
            self._indexing.wanted = wanted

        self._runner.read("wanted", read, done)
