# SPDX-License-Identifier: MIT
"""Regions of photos that the user has judged similar or dissimilar to a queried region of another photo."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.learning.verdicts import verdict_label
from focal_photos.browser.catalog.facts.records import Region, RegionJudgement, Verdict
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.errors import LibraryError

_DIGITS: Final = 6
"""Decimals of the stored sides, so that a region is the same after it was written as text and read again."""
_QUERY: Final = ("photo_id", "x0", "y0", "x1", "y1")
_FOUND: Final = ("other_x0", "other_y0", "other_x1", "other_y1")


class RegionJudgements(JournaledFacts):
    """The library's judgements of regions, one for each queried region and found photo."""

    def set(
        self, query_photo: int, query_region: Region, found: Iterable[tuple[int, Region]], verdict: Verdict | None
    ) -> ChangeSet:
        """Judge the regions that a query found, or remove their judgements.

        Parameters
        ----------
        query_region : Region
            Sides are compared and stored with 6 decimals.
        found : iterable of (int, Region)
            Photos with the region found in each; the queried photo itself is skipped, and of a photo that occurs twice
            the last region counts.
        verdict : Verdict or None
            None: remove, whichever region was judged. A new judgement replaces an earlier one; the same one again keeps
            its date.

        Raises
        ------
        UnknownPhotoError
        LibraryError
            If a region is not inside its photo, or is empty.
        """
        photo, key = int(query_photo), _key(query_photo, query_region)
        regions = {int(other): _valid(region) for other, region in found if int(other) != photo}
        if not regions:
            return ChangeSet()
        with self._journal.action("") as action:
            self._require_known([photo, *regions])
            before = {one.other_id: one for one in self._of(key)}
            at = timestamps.to_text(timestamps.now())
            changed = 0
            for other, region in regions.items():
                known = before.get(other)
                if verdict is None:
                    values = None
                    is_changed = known is not None
                else:
                    values = {**dict(zip(_FOUND, _sides(region), strict=True)), "verdict": verdict.value, "at": at}
                    is_changed = known is None or (known.verdict, known.other_region) != (verdict, region)
                if is_changed:
                    action.put("region_judgement", {**dict(zip(_QUERY, key, strict=True)), "other_id": other}, values)
                    changed += 1
            action.label = verdict_label(changed, verdict)
        return action.changes

    def of(self, query_photo: int, query_region: Region) -> dict[int, Verdict]:
        """Return the verdicts of the photos judged against a region of a photo."""
        return {one.other_id: one.verdict for one in self._of(_key(query_photo, query_region))}

    def against(self, query_photo: int, query_region: Region) -> list[RegionJudgement]:
        """Return the judgements against a region of a photo, oldest first."""
        return self._of(_key(query_photo, query_region))

    def all(self) -> list[RegionJudgement]:
        """Return all judgements, oldest first."""
        return self._read("")

    def count(self) -> int:
        """Return the number of judgements."""
        row = self._database.row("SELECT count(*) FROM region_judgement")
        return 0 if row is None else int(row[0])

    def count_since(self, moment: datetime) -> int:
        """Return the number of judgements made after `moment` (local time if naive)."""
        row = self._database.row("SELECT count(*) FROM region_judgement WHERE at > ?", (timestamps.to_text(moment),))
        return 0 if row is None else int(row[0])

    def state(self) -> tuple[int, int, str]:
        """Return a value that changes with every added, changed or removed judgement."""
        row = self._database.row("SELECT count(*), total(verdict = 'similar'), max(at) FROM region_judgement")
        return (0, 0, "") if row is None else (int(row[0]), int(row[1]), str(row[2]))

    def _of(self, key: tuple[float, ...]) -> list[RegionJudgement]:
        return self._read(f"WHERE {' AND '.join(f'{column} = ?' for column in _QUERY)}", key)

    def _read(self, where: str, values: tuple[float, ...] = ()) -> list[RegionJudgement]:
        columns = ", ".join((*_QUERY, "other_id", *_FOUND, "verdict", "at"))
        order = ", ".join(("at", *_QUERY, "other_id"))
        rows = self._database.rows(f"SELECT {columns} FROM region_judgement {where} ORDER BY {order}", values)
        return [
            RegionJudgement(
                row[0],
                Region(*row[1:5]),
                row[5],
                Region(*row[6:10]),
                Verdict(row[10]),
                timestamps.from_text(row[11]),
            )
            for row in rows
        ]


def _key(photo: int, region: Region) -> tuple[float, ...]:
    return int(photo), *_sides(_valid(region))


def _valid(region: Region) -> Region:
    """Return a region with rounded sides; raise if it is not inside the photo or is empty."""
    rounded = Region(*(round(float(side), _DIGITS) + 0.0 for side in _sides(region)))  # + 0.0: no negative zero
    if not (0 <= rounded.x0 < rounded.x1 <= 1 and 0 <= rounded.y0 < rounded.y1 <= 1):
        raise LibraryError("A region must lie inside the photo and have a width and a height: draw it again.")
    return rounded


def _sides(region: Region) -> tuple[float, float, float, float]:
    return region.x0, region.y0, region.x1, region.y1
