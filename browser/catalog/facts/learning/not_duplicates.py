# SPDX-License-Identifier: MIT
"""Pairs of similar photos that the user has declared not to be duplicates."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text, counted


class NotDuplicates(JournaledFacts):
    """Pairs of photos that are never grouped as duplicates."""

    def all(self) -> list[tuple[int, int]]:
        """Return the pairs of photo ids, sorted, smaller id first."""
        rows = self._database.rows("SELECT photo_id, other_id FROM not_duplicate ORDER BY photo_id, other_id")
        return [(int(one), int(other)) for one, other in rows]

    def add(self, ids: Iterable[int]) -> ChangeSet:
        """Declare that no two of some photos are duplicates, in one step of the journal.

        Parameters
        ----------
        ids : iterable of int
            At least two photos.
        """
        return self.add_pairs(combinations(sorted({int(number) for number in ids}), 2))

    def add_pairs(self, pairs: Iterable[tuple[int, int]]) -> ChangeSet:
        """Record that pairs of photos are not duplicates, in one step of the journal.

        Parameters
        ----------
        pairs : iterable of (int, int)
            Photo ids, in either order; two different ones.
        """
        new = sorted({(min(pair), max(pair)) for pair in pairs} - set(self.all()))
        if not new:
            return ChangeSet()
        numbers = {number for pair in new for number in pair}
        with self._journal.action(
            Text("Not duplicates: {0}", counted(len(numbers), "1 photo", "{0} photos"))
        ) as action:
            self._require_known(numbers)
            at = timestamps.to_text(timestamps.now())
            for one, other in new:
                action.put("not_duplicate", {"photo_id": one, "other_id": other}, {"relation": "different", "at": at})
        return action.changes
