# SPDX-License-Identifier: MIT
"""Regions of photos that the user has marked as relevant."""

from __future__ import annotations

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text


class Regions(JournaledFacts):
    """The library's regions, at most one for each photo."""

    def of(self, photo_id: int) -> Region | None:
        """Return the region of a photo; None: the whole photo."""
        row = self._database.row("SELECT x0, y0, x1, y1 FROM region WHERE photo_id = ?", (int(photo_id),))
        return None if row is None else Region(*row)

    def all(self) -> dict[int, Region]:
        """Return all regions by photo."""
        rows = self._database.rows("SELECT photo_id, x0, y0, x1, y1 FROM region ORDER BY photo_id")
        return {int(photo_id): Region(*sides) for photo_id, *sides in rows}

    def set(self, photo_id: int, region: Region | None) -> ChangeSet:
        """Set the relevant region of a photo; None: the whole photo. Journaled; empty if nothing changed."""
        with self._journal.action(
            Text("Learn from a part of the photo") if region is not None else Text("Use the whole photo again")
        ) as action:
            self._require_known([int(photo_id)])
            if region != self.of(photo_id):
                values = None
                if region is not None:
                    sides = {"x0": region.x0, "y0": region.y0, "x1": region.x1, "y1": region.y1}
                    values = {**sides, "at": timestamps.to_text(timestamps.now())}
                action.put("region", {"photo_id": int(photo_id)}, values)
        return action.changes
