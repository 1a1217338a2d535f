# SPDX-License-Identifier: MIT
"""The settings of the library that change rankings at once."""

from __future__ import annotations

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.metrics.shared_neighbors import SharedNeighbors
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS, RERANK


class RankingSettings(Model):
    """Writes these settings, and arranges the ranking accordingly."""

    def __init__(
        self, services: Services, navigator: Navigator, shared_neighbors: SharedNeighbors, overview: LibraryOverview
    ) -> None:
        super().__init__(services)
        self._navigator = navigator
        self._shared_neighbors, self._overview = shared_neighbors, overview

    def follow_judgements(self, follow: bool) -> None:
        """Set whether rankings follow judgements at once or wait for Retrain."""

        def done(_: object) -> None:
            self._navigator.follow_judgements()
            self._overview.read()

        library = self._library
        self._runner.write(self.tr("Changing the settings"), lambda: BY_JUDGEMENTS.set(library, follow), done)

    def rank_by_neighbors(self, share: bool) -> None:
        """Set whether rankings count the neighbours that photos share or use the metric's distance alone."""

        def done(_: object) -> None:
            if self._navigator.ranked:
                self._navigator.reorder()
            self._shared_neighbors.read()
            self._overview.read()

        library = self._library
        self._runner.write(self.tr("Changing the settings"), lambda: RERANK.set(library, share), done)
