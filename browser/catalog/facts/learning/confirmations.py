# SPDX-License-Identifier: MIT
"""Likely label errors, tags or judgements, that the user has confirmed to be right."""

from __future__ import annotations

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text


class Confirmations(JournaledFacts):
    """The library's confirmations. They are ignored if the photo has lost the tag or the verdict has changed."""

    def tags(self) -> set[tuple[int, str]]:
        """Return the confirmed pairs of photo and tag that still exist."""
        rows = self._database.rows(
            "SELECT photo_id, name FROM confirmed_tag JOIN photo_tag USING (photo_id, tag_id) "
            "JOIN tag ON tag.id = confirmed_tag.tag_id"
        )
        return {(int(photo_id), str(name)) for photo_id, name in rows}

    def judgements(self) -> dict[tuple[int, int], Verdict]:
        """Return the confirmed verdicts that are unchanged, by focal image and other photo."""
        rows = self._database.rows(
            "SELECT focal_id, other_id, verdict FROM confirmed_judgement JOIN judgement "
            "USING (focal_id, other_id, verdict)"
        )
        return {(int(focal), int(other)): Verdict(verdict) for focal, other, verdict in rows}

    def confirm_tag(self, photo_id: int, tag: str) -> ChangeSet:
        """Confirm a tag of a photo; journaled. Do nothing if the photo lacks the tag or it is already confirmed."""
        with self._journal.action(Text("Confirm tag: {0}", tag)) as action:
            self._require_known([int(photo_id)])
            row = self._database.row(
                "SELECT tag_id FROM photo_tag JOIN tag ON tag.id = tag_id WHERE photo_id = ? AND name = ?",
                (int(photo_id), tag),
            )
            if row is not None:
                key = {"photo_id": int(photo_id), "tag_id": row[0]}
                said = "SELECT 1 FROM confirmed_tag WHERE photo_id = ? AND tag_id = ?"
                if self._database.row(said, tuple(key.values())) is None:
                    action.put("confirmed_tag", key, {"at": timestamps.to_text(timestamps.now())})
        return action.changes

    def confirm_judgement(self, focal_id: int, other_id: int) -> ChangeSet:
        """Confirm a judgement; journaled. Do nothing if there is none or it is already confirmed."""
        with self._journal.action(Text("Confirm judgement")) as action:
            self._require_known([int(focal_id), int(other_id)])
            key = {"focal_id": int(focal_id), "other_id": int(other_id)}
            row = self._database.row(
                "SELECT verdict FROM judgement WHERE focal_id = ? AND other_id = ?", tuple(key.values())
            )
            said = "SELECT 1 FROM confirmed_judgement WHERE focal_id = ? AND other_id = ? AND verdict = ?"
            if row is not None and self._database.row(said, (*key.values(), row[0])) is None:
                values = {"verdict": row[0], "at": timestamps.to_text(timestamps.now())}
                action.put("confirmed_judgement", key, values)
        return action.changes
