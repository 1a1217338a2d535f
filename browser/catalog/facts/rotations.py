# SPDX-License-Identifier: MIT
"""Rotations of photos: the user has set which side is up, and the files are unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.text import Text, counted

QUARTERS: Final = 4
"""Number of quarter turns in a full rotation."""


class Rotations(JournaledFacts):
    """Rotations of the library's photos, in quarter turns clockwise."""

    def of(self, ids: Iterable[int]) -> dict[int, int]:
        """Return the rotations of photos in quarter turns, 0 to 3; every requested id is a key."""
        rows = self._database.rows(
            "SELECT value, coalesce(quarters, 0) FROM (SELECT DISTINCT value FROM json_each(?)) "
            "LEFT JOIN turned ON photo_id = value",
            (id_list(ids),),
        )
        return {int(photo): int(quarters) for photo, quarters in rows}

    def all(self) -> dict[int, int]:
        """Return the rotations of all rotated photos, in quarter turns."""
        rows = self._database.rows("SELECT photo_id, quarters FROM turned ORDER BY photo_id")
        return {int(photo): int(quarters) for photo, quarters in rows}

    def rotate(self, ids: Iterable[int], by: int) -> ChangeSet:
        """Rotate photos further, in one step of the journal.

        Parameters
        ----------
        by : int
            Quarter turns clockwise; negative: counter-clockwise.
        """
        numbers = list(dict.fromkeys(map(int, ids)))
        if not numbers or by % QUARTERS == 0:
            return ChangeSet()
        with self._journal.action(_label(len(numbers), by % QUARTERS)) as action:
            self._require_known(numbers)
            at = timestamps.to_text(timestamps.now())
            for number, old in self.of(numbers).items():
                quarters = (old + by) % QUARTERS
                values = {"quarters": quarters, "at": at} if quarters else None
                action.put("turned", {"photo_id": number}, values)
        return action.changes

    def drop(self, ids: Iterable[int]) -> ChangeSet:
        """Remove the rotations of photos, in one step of the journal; empty if none of them is rotated."""
        numbers = [number for number, quarters in self.of(ids).items() if quarters]
        if not numbers:
            return ChangeSet()
        count = counted(len(numbers), "1 photo", "{0} photos")
        with self._journal.action(Text("Remove the rotation of {0}", count)) as action:
            for number in numbers:
                action.put("turned", {"photo_id": number}, None)
        return action.changes


def _label(photos: int, quarters: int) -> Text:
    count = counted(photos, "1 photo", "{0} photos")
    if quarters == 2:
        return Text("Rotate {0} upside down", count)
    return Text("Rotate {0} right", count) if quarters == 1 else Text("Rotate {0} left", count)
