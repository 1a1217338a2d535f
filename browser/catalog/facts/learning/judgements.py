# SPDX-License-Identifier: MIT
"""Pairs of photos that the user has judged similar or dissimilar."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.learning.verdicts import put_verdicts
from focal_photos.browser.catalog.facts.records import Judgement, Verdict
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet


class Judgements(JournaledFacts):
    """The library's judgements. Pairs are ordered: `other` as seen from `focal`."""

    def set(self, focal: int, others: Iterable[int], verdict: Verdict | None) -> ChangeSet:
        """Judge photos against the focal image, or remove their judgements.

        Parameters
        ----------
        others : iterable of int
            Photo ids; the focal image itself is skipped.
        verdict : Verdict or None
            None: remove. Pairs that already have this verdict retain their date.
        """
        focal = int(focal)
        pairs = [other for other in dict.fromkeys(map(int, others)) if other != focal]
        if not pairs:
            return ChangeSet()
        with self._journal.action("") as action:
            self._require_known([focal, *pairs])
            put_verdicts(action, "judgement", {"focal_id": focal}, pairs, self.of(focal), verdict)
        return action.changes

    def of(self, focal: int) -> dict[int, Verdict]:
        """Return the verdicts of the photos judged against `focal`."""
        rows = self._database.rows("SELECT other_id, verdict FROM judgement WHERE focal_id = ?", (int(focal),))
        return {other: Verdict(verdict) for other, verdict in rows}

    def all(self) -> list[Judgement]:
        """Return all judgements, oldest first."""
        rows = self._database.rows(
            "SELECT focal_id, other_id, verdict, at FROM judgement ORDER BY at, focal_id, other_id"
        )
        return [
            Judgement(focal, other, Verdict(verdict), timestamps.from_text(at)) for focal, other, verdict, at in rows
        ]

    def counts(self) -> dict[int, int]:
        """Return the number of judgements by photo, in any role and of any kind."""
        rows = self._database.rows(
            "SELECT photo, count(*) FROM (SELECT focal_id AS photo FROM judgement UNION ALL "
            "SELECT other_id FROM judgement UNION ALL SELECT other_id FROM text_judgement UNION ALL "
            "SELECT photo_id FROM region_judgement UNION ALL SELECT other_id FROM region_judgement UNION ALL "
            "SELECT focal_id FROM judged_relation UNION ALL SELECT other_id FROM judged_relation UNION ALL "
            "SELECT than_id FROM judged_relation WHERE than_id <> focal_id) GROUP BY photo"
        )
        return {int(photo): int(count) for photo, count in rows}

    def count(self) -> int:
        """Return the number of judgements."""
        row = self._database.row("SELECT count(*) FROM judgement")
        return 0 if row is None else int(row[0])

    def state(self) -> tuple[int, int, str]:
        """Return a value that changes with every added, changed or removed judgement."""
        row = self._database.row("SELECT count(*), total(verdict = 'similar'), max(at) FROM judgement")
        return (0, 0, "") if row is None else (int(row[0]), int(row[1]), str(row[2]))

    def count_since(self, moment: datetime) -> int:
        """Return the number of judgements made after `moment` (local time if naive)."""
        row = self._database.row("SELECT count(*) FROM judgement WHERE at > ?", (timestamps.to_text(moment),))
        return 0 if row is None else int(row[0])
