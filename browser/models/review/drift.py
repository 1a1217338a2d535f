# SPDX-License-Identifier: MIT
"""Reports, once per folder, that new photos are unlike all tagged ones, with an offer to review new kinds there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging import unlike_folders


class Drift(Model):
    """Compares new photos with the tagged ones."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.folder: Path | None = None
        """The folder of the last message."""

    def take_described(self, photo_ids: NDArray[np.int64]) -> None:
        """Compare photos that were described for the first time."""
        library, ranker = self._library, self._ranker

        def work() -> Job[list[unlike_folders.UnlikeFolder]]:
            return unlike_folders.unlike_folders(library, ranker, photo_ids)

        if len(photo_ids):
            title = self.tr("Comparing new photos with tagged ones")
            # Without described photos, or with a damaged metric, other parts report the problem.
            self._runner.start(title, work, self._report, lambda error: isinstance(error, OperationError), lane="drift")

    def _report(self, found: list[unlike_folders.UnlikeFolder]) -> None:
        for one in found:
            self.folder = one.folder
            text = self.tr("{0} of the {1} new photos in {2} are unlike anything you have tagged.")
            name = shown(one.folder.name) or shown(str(one.folder))
            text = text.format(grouped(one.unlike), grouped(one.photos), name)
            self._notices.post(text, action=MessageAction.REVIEW_NEW_KINDS)
