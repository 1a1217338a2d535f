# SPDX-License-Identifier: MIT
"""Comparison of two metrics: two rankings of one focal image, side by side."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import fetch_cards
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking.ranker import Ranking
from focal_photos.browser.tasks.messages import in_words

SHOWN_PHOTOS: Final = 120
"""Number of photos in each ranking."""


class Lens(Model):
    """The focal image's nearest photos under one metric."""

    changed = Signal()
    """The ranking or `obstacle` has changed."""

    def __init__(self, services: Services, navigator: Navigator, name: str) -> None:
        super().__init__(services)
        self._name = name
        self._navigator = navigator
        self.grid = GridModel(
            partial(fetch_cards, self._library), self._runner, self._loader, self, channel=f"lens {name}"
        )
        self.metric: Metric | None = None
        self.obstacle = ""
        """Reason why there is no ranking; empty if there is one."""

    def choose(self, metric: Metric | None) -> None:
        """Rank by a metric."""
        if metric != self.metric:
            self.metric = metric
            self.read()

    def read(self) -> None:
        """Rank again."""
        metric, focal_id, ranker = self.metric, self._navigator.focal_id, self._ranker
        if metric is None or focal_id is None:
            self._show("")  # the page shows what to do above both rankings
            return

        def find() -> Ranking:
            return ranker.rank(focal_id, metric.name, limit=SHOWN_PHOTOS)

        def done(found: Ranking) -> None:
            if metric == self.metric:
                self.obstacle = ""
                self.grid.arrange(found.photo_ids, found.distances, focal_id)
                self.grid.set_marks(self._navigator.marks, self._navigator.relations)
                self.changed.emit()

        def failed(error: Exception) -> bool:
            if isinstance(error, OperationError):
                self._show(in_words(str(error)))
            return isinstance(error, OperationError)

        self._runner.read(f"lens {self._name}", find, done, failed=failed)

    def _show(self, obstacle: str) -> None:
        self.obstacle = obstacle
        self.grid.arrange(self.grid.ids[:0])
        self.changed.emit()


class Lenses(Model):
    """Two lenses on one focal image; the tiles at the right show by how many places photos rose or fell."""

    def __init__(self, services: Services, navigator: Navigator) -> None:
        super().__init__(services)
        self._navigator = navigator
        self.left, self.right = Lens(services, navigator, "left"), Lens(services, navigator, "right")
        for lens in (self.left, self.right):
            lens.changed.connect(self._compare)

    def read(self) -> None:
        """Rank both again after a change of the focal image or the judgements."""
        self.left.read()
        self.right.read()

    def shared(self, among: int) -> int:
        """Return how many photos the beginnings of both rankings have in common."""
        left, right = (set(lens.grid.ids[:among].tolist()) for lens in (self.left, self.right))
        return len(left & right)

    def _compare(self) -> None:
        self.right.grid.show_former_places({one: row for row, one in enumerate(self.left.grid.ids.tolist())})
