# SPDX-License-Identifier: MIT
"""Selects photos of the grid for a goal."""

from __future__ import annotations

from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.tagging.subsets import pick
from focal_photos.browser.tasks.runner import describe


class PhotoPicking(Model):
    """Picks photos from those that the grid shows, and selects them."""

    picked = Signal(tuple)
    """The photos that are selected now (tuple of int)."""

    def __init__(self, services: Services, navigator: Navigator) -> None:
        super().__init__(services)
        self._navigator = navigator

    def select(self, goal: str, count: int) -> None:
        """Select photos for a goal (see `operations.tagging.subsets.pick.Goal`), and report their number."""
        library, ranker, grid = self._library, self._ranker, self._navigator.grid

        def done(found: pick.PickedPhotos) -> None:
            ids = tuple(found.ids.tolist())
            focal = self._navigator.focal_id
            self._navigator.select([one for one in ids if one != focal])
            self._navigator.select_focal(focal in ids)
            self.picked.emit(ids)
            self._notices.post(self.tr("Selected: {0}.").format(photos_in_words(len(ids))))

        def failed(error: Exception) -> bool:
            if not isinstance(error, OperationError):
                return False
            self._notices.post(describe(error), Severity.WARNING)
            return True

        def start() -> None:
            among = grid.ids
            self._runner.start(
                self.tr("Selecting photos"),
                lambda: pick.pick(library, ranker, pick.Goal(goal), count, among=among),
                done,
                failed,
                lane="pick",
            )

        grid.when_complete(start)
