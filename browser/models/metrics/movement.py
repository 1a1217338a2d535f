# SPDX-License-Identifier: MIT
"""Movement of a ranking after a change of the metric: by how many places each photo rose or fell."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.trail import Collection

MAX_PLACES: Final = 5000
"""Number of remembered places of a ranking; later ones are hardly ever looked at."""


@dataclass(frozen=True, eq=False)
class _Order:
    """A displayed ranking: its metric, focal image, collection, order and tiles."""

    metric: int
    focal_id: int
    collection: Collection
    ids: NDArray[np.int64]
    scores: NDArray[np.float32] | None
    aspects: NDArray[np.float32]
    weak_from: int | None

    def is_of(self, other: _Order) -> bool:
        return (self.focal_id, self.collection) == (other.focal_id, other.collection)


class Movement(QObject):
    """Records the focal image's ranking before the metric changes, and can show it again."""

    changed = Signal()
    """`moved` or `showing_before` has changed."""

    def __init__(self, navigator: Navigator, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._navigator = navigator
        self._before: _Order | None = None
        self._now: _Order | None = None
        self.showing_before = False
        """Whether the grid shows the former order."""
        navigator.trail_changed.connect(self._arranged)

    @property
    def moved(self) -> bool:
        """Whether there is a former order to compare with."""
        return self._before is not None

    def show_before(self, show: bool) -> None:
        """Show the former order of the same photos, or the present one again; the view does not scroll."""
        grid = self._navigator.grid
        if show == self.showing_before or self._before is None or self._now is None or not grid.complete:
            return
        if show:  # the rest of a long ranking has arrived since
            self._now = self._shown(self._now.metric, self._now.focal_id)
        order = self._before if show else self._now
        self.showing_before = show
        self._show_places()
        self._arrange(order)
        self.changed.emit()

    def _arrange(self, order: _Order) -> None:
        navigator = self._navigator
        position = replace(navigator.position(), anchor=None)
        ids, aspects = navigator.grid.ids, navigator.grid.aspects
        if navigator.grid.arrange(
            order.ids, order.scores, order.focal_id, aspects=order.aspects, weak_from=order.weak_from
        ):
            navigator.grid.show_aspects(ids, aspects)  # some may have been rotated since
            navigator.arranged.emit(position)

    def _shown(self, metric: int, focal_id: int) -> _Order:
        """Return the ranking that the grid shows."""
        grid = self._navigator.grid
        return _Order(metric, focal_id, self._navigator.collection, grid.ids, grid.scores, grid.aspects, grid.weak_from)

    def _arranged(self) -> None:
        """Record the ranking that the navigator has arranged."""
        navigator = self._navigator
        metric, focal_id = navigator.shown.metric, navigator.focal_id
        was_showing, self.showing_before = self.showing_before, False
        if metric is None or focal_id is None:
            self._before = self._now = None
        else:
            now = self._shown(metric.id, focal_id)
            last = self._now
            if last is None or not last.is_of(now):
                self._before = None
            elif last.metric != now.metric:
                back = self._before is not None and self._before.metric == now.metric
                self._before = None if back else last
            self._now = now
        self._show_places()
        if was_showing or self._before is not None:
            self.changed.emit()

    def _show_places(self) -> None:
        """Show on the tiles how far they moved, or nothing while the former order is shown."""
        grid = self._navigator.grid
        if self._before is None or self.showing_before:
            grid.show_former_places({})
        else:
            ids = self._before.ids
            places = {photo_id: row for row, photo_id in enumerate(ids[:MAX_PLACES].tolist())}
            grid.show_former_places(places, others_beyond=len(ids) > MAX_PLACES)  # otherwise photos beyond it are new
