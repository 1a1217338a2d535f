# SPDX-License-Identifier: MIT
"""Pairs of similar photos, or of boxes, that the user has declared not to be duplicates."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import combinations

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.journal import NOT_DUPLICATE_BOXES
from focal_photos.browser.catalog.text import Text, counted


class NotDuplicates(JournaledFacts):
    """Pairs of photos, or of boxes, that are never grouped as duplicates."""

    def all(self) -> list[tuple[int, int]]:
        """Return the pairs of photo ids, sorted, smaller id first."""
        rows = self._database.rows("SELECT photo_id, other_id FROM not_duplicate ORDER BY photo_id, other_id")
        return [(int(one), int(other)) for one, other in rows]

    def of_boxes(self) -> list[tuple[int, int]]:
        """Return the pairs of boxes, as items (`items`), sorted, smaller item first."""
        row = self._database.row("SELECT value FROM setting WHERE name = ?", (NOT_DUPLICATE_BOXES,))
        try:
            return [] if row is None else sorted((int(one), int(other)) for one, other in json.loads(row[0]))
        except (ValueError, TypeError, RecursionError):  # damaged; the check of the library reports it
            return []

    def add(self, ids: Iterable[int]) -> ChangeSet:
        """Declare that no two of some photos, or of some boxes, are duplicates, in one step of the journal.

        Parameters
        ----------
        ids : iterable of int
            At least two photos, or at least two boxes, as items (`items`).
        """
        return self.add_pairs(combinations(sorted({int(number) for number in ids}), 2))

    def add_pairs(self, pairs: Iterable[tuple[int, int]]) -> ChangeSet:
        """Record that pairs of photos, or pairs of boxes, are not duplicates, in one step of the journal.

        Parameters
        ----------
        pairs : iterable of (int, int)
            Photos, or boxes as items (`items`), in either order; two different ones.
        """
        sorted_pairs = {(min(pair), max(pair)) for pair in pairs}
        if any(larger < 0 for _, larger in sorted_pairs):
            return self._add_boxes(sorted_pairs)
        new = sorted(sorted_pairs - set(self.all()))
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

    def _add_boxes(self, pairs: set[tuple[int, int]]) -> ChangeSet:
        """Record pairs of boxes. They are a setting, because only photos have a table of pairs."""
        known = self.of_boxes()
        if pairs <= set(known):
            return ChangeSet()
        count = len({item for pair in pairs for item in pair})
        with self._journal.action(Text("Not duplicates: {0}", counted(count, "1 box", "{0} boxes"))) as action:
            value = json.dumps(sorted(pairs.union(known)))
            action.put("setting", {"name": NOT_DUPLICATE_BOXES}, {"value": value})
        return action.changes
