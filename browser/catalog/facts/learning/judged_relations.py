# SPDX-License-Identifier: MIT
"""Judgements beside similar and dissimilar: photos that look alike, and photos nearer to a focal image than others."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import JudgedRelation, Relation
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text, counted

Related = tuple[int, int, int | None]
"""Focal image, other photo, and the photo that is less near than the other; None: the two photos look alike."""


class JudgedRelations(JournaledFacts):
    """The library's relative judgements and visual pairs, as seen from a focal image."""

    def set(self, related: Iterable[Related], holds: bool) -> ChangeSet:
        """Record relations of one kind, or remove them.

        Parameters
        ----------
        related : iterable of (int, int, int or None)
            Focal image, other photo, and the photo that is less near; None: the photos look alike. Tuples that contain
            a photo twice are skipped. Existing ones keep their date.
        holds : bool
            False: remove. A new relative judgement replaces the opposite one.
        """
        wanted = [one for one in dict.fromkeys(related) if len(set(one)) == len(one)]
        if not wanted:
            return ChangeSet()
        known = {(one.focal_id, one.other_id, one.than_id) for one in self.all()}
        changed = [one for one in wanted if (one in known) != holds]
        at = timestamps.to_text(timestamps.now())
        with self._journal.action(_label(len(changed), wanted[-1][2] is not None, holds)) as action:
            self._require_known({number for one in wanted for number in one if number is not None})
            for focal, other, than in changed:
                relation = Relation.LOOKS_ALIKE if than is None else Relation.NEARER
                key = {"focal_id": focal, "other_id": other, "than_id": focal if than is None else than}
                action.put("judged_relation", key, {"relation": relation.value, "at": at} if holds else None)
                if holds and than is not None:
                    action.put("judged_relation", {**key, "other_id": than, "than_id": other}, None)
        return action.changes

    def all(self) -> list[JudgedRelation]:
        """Return all relations, oldest first."""
        rows = self._database.rows(
            "SELECT focal_id, other_id, than_id, relation, at FROM judged_relation "
            "ORDER BY at, focal_id, other_id, than_id"
        )
        return [
            JudgedRelation(
                focal,
                other,
                Relation(relation),
                timestamps.from_text(at),
                than if relation == Relation.NEARER else None,
            )
            for focal, other, than, relation, at in rows
        ]

    def of(self, focal_id: int) -> dict[int, frozenset[Relation]]:
        """Return the photos that look like a focal image or are nearer to it than others, with these relations."""
        rows = self._database.rows(
            "SELECT DISTINCT other_id, relation FROM judged_relation WHERE focal_id = ?", (focal_id,)
        )
        found: dict[int, frozenset[Relation]] = {}
        for other, relation in rows:
            found[other] = found.get(other, frozenset()) | {Relation(relation)}
        return found

    def relative(self, since: datetime | None = None) -> list[tuple[int, int, int]]:
        """Return the relative judgements made after `since`: focal image, nearer and less near photo; oldest first."""
        return [
            (one.focal_id, one.other_id, one.than_id)
            for one in self.all()
            if one.than_id is not None and (since is None or one.at > since)
        ]

    def visual(self) -> list[tuple[int, int]]:
        """Return the pairs of a focal image and a photo that look alike, oldest first."""
        return [(one.focal_id, one.other_id) for one in self.all() if one.than_id is None]

    def count(self) -> int:
        """Return the number of relations."""
        row = self._database.row("SELECT count(*) FROM judged_relation")
        return 0 if row is None else int(row[0])

    def count_since(self, moment: datetime) -> int:
        """Return the number of relations recorded after `moment` (local time if naive)."""
        row = self._database.row("SELECT count(*) FROM judged_relation WHERE at > ?", (timestamps.to_text(moment),))
        return 0 if row is None else int(row[0])


def _label(number: int, is_relative: bool, holds: bool) -> Text:
    photos = counted(number, "1 photo", "{0} photos")
    if not holds:
        return Text("Unmark {0}", photos)
    return Text("Mark {0} as nearer than another", photos) if is_relative else Text("Mark {0} as looking alike", photos)
