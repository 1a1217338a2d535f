# SPDX-License-Identifier: MIT
"""Photos that the user has judged similar or dissimilar to a text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.learning.verdicts import put_verdicts
from focal_photos.browser.catalog.facts.records import TextJudgement, Verdict
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.errors import LibraryError


class TextJudgements(JournaledFacts):
    """The library's judgements against texts. They refer to the text itself, independent of the network."""

    def set(self, text: str, others: Iterable[int], verdict: Verdict | None) -> ChangeSet:
        """Judge photos against a text, or remove their judgements (None).

        The text is stored with single spaces. Photos that already have this verdict retain their date.

        Raises
        ------
        LibraryError
            If the text is empty, or a photo is unknown (`UnknownPhotoError`).
        """
        text = _clean(text)
        if not text:
            raise LibraryError("There is no text to judge photos by.")
        photos = list(dict.fromkeys(map(int, others)))
        if not photos:
            return ChangeSet()
        with self._journal.action("") as action:
            self._require_known(photos)
            put_verdicts(action, "text_judgement", {"text": text}, photos, self.of(text), verdict)
        return action.changes

    def of(self, text: str) -> dict[int, Verdict]:
        """Return the verdicts of the photos judged against a text."""
        rows = self._database.rows("SELECT other_id, verdict FROM text_judgement WHERE text = ?", (_clean(text),))
        return {other: Verdict(verdict) for other, verdict in rows}

    def all(self) -> list[TextJudgement]:
        """Return all judgements, oldest first."""
        rows = self._database.rows("SELECT text, other_id, verdict, at FROM text_judgement ORDER BY at, text, other_id")
        return [
            TextJudgement(text, other, Verdict(verdict), timestamps.from_text(at)) for text, other, verdict, at in rows
        ]

    def count(self) -> int:
        """Return the number of judgements."""
        row = self._database.row("SELECT count(*) FROM text_judgement")
        return 0 if row is None else int(row[0])

    def count_since(self, moment: datetime) -> int:
        """Return the number of judgements made after `moment` (local time if naive)."""
        row = self._database.row("SELECT count(*) FROM text_judgement WHERE at > ?", (timestamps.to_text(moment),))
        return 0 if row is None else int(row[0])


def _clean(text: str) -> str:
    """Return a text with single spaces, and without characters that the database cannot store."""
    return " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())
