# SPDX-License-Identifier: MIT
"""Ratings and labels that the user gives to photos."""

from __future__ import annotations

import enum
import unicodedata
from collections.abc import Iterable
from typing import Final

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.query.removed import REMOVED
from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.text import Text, counted

REJECTED: Final = -1
MAX_RATING: Final = 5
LABELS: Final = ("Red", "Yellow", "Green", "Blue", "Purple")
"""Labels that most programs use; any other name is valid too."""
_MAX_LABEL_LENGTH: Final = 100  # characters of a label


class MarkError(LibraryError):
    """The rating or label is invalid."""


class _Unchanged(enum.Enum):
    UNCHANGED = "unchanged"


UNCHANGED: Final = _Unchanged.UNCHANGED
"""Instead of a rating or a label: leave it unchanged."""


def clean_label(label: str) -> str:
    """Return a label in its stored form: composed Unicode, single blanks; empty: no label.

    Raises
    ------
    MarkError
        If it holds a control character or has more than 100 characters.
    """
    text = " ".join(unicodedata.normalize("NFC", label).split())
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise MarkError("A label cannot contain control characters: type its name without them.")
    if len(text) > _MAX_LABEL_LENGTH:
        raise MarkError("A label has at most {0} characters: choose a shorter name.", _MAX_LABEL_LENGTH)
    return text


class Marks(JournaledFacts):
    """The library's ratings and labels."""

    def of(self, ids: Iterable[int]) -> dict[int, Mark]:
        """Return the marks of photos; every requested id is a key."""
        wanted = id_list(ids)
        rows = self._database.rows(
            "SELECT value, rating, label FROM (SELECT DISTINCT value FROM json_each(?)) "
            "LEFT JOIN mark ON photo_id = value",
            (wanted,),
        )
        return {photo: Mark(rating, label) for photo, rating, label in rows}

    def labels(self) -> list[tuple[str, int]]:
        """Return the used labels with their number of photos, by name; photos in removed folders do not count."""
        return [
            (str(label), int(count))
            for label, count in self._database.rows(
                "SELECT label, count(*) FROM mark WHERE label IS NOT NULL "
                f"AND photo_id NOT IN ({REMOVED}) GROUP BY label ORDER BY label"
            )
        ]

    def set(
        self,
        ids: Iterable[int],
        *,
        rating: int | _Unchanged | None = UNCHANGED,
        label: str | _Unchanged | None = UNCHANGED,
    ) -> ChangeSet:
        """Rate and label photos, in one step of the journal.

        A rating is 1 to 5, or -1 for rejected; None or 0 removes it. None or an empty text removes a label. By
        default, both are unchanged.

        Raises
        ------
        MarkError, UnknownPhotoError
        """
        if isinstance(rating, int) and not REJECTED <= rating <= MAX_RATING:
            raise MarkError(
                "There is no rating {0}: use 1 to {1}, 0 for none, or {2} for rejected.", rating, MAX_RATING, REJECTED
            )
        if isinstance(label, str):
            label = clean_label(label) or None
        numbers = list(dict.fromkeys(map(int, ids)))
        if not numbers or (rating is UNCHANGED and label is UNCHANGED):
            return ChangeSet()
        with self._journal.action("") as action:
            self._require_known(numbers)
            at = timestamps.to_text(timestamps.now())
            changed = 0
            for number, old in self.of(numbers).items():
                new = Mark(
                    old.rating if rating is UNCHANGED else rating or None, old.label if label is UNCHANGED else label
                )
                if new != old:
                    changed += 1
                    values = {"rating": new.rating, "label": new.label, "at": at}
                    action.put("mark", {"photo_id": number}, None if new == Mark() else values)
            action.label = _label(changed, rating, label)
        return action.changes

    def pick(self, ids: Iterable[int], instead_of: Iterable[int] = ()) -> ChangeSet:
        """Give photos without stars one star, and reject the alternatives, in one step of the journal."""
        picked = list(ids)
        marks = self.of(picked)
        with self._journal.action(Text("Pick {0}", counted(len(picked), "1 photo", "{0} photos"))) as action:
            self.set([photo for photo in picked if (marks[photo].rating or 0) < 1], rating=1)
            self.set(instead_of, rating=REJECTED)
        return action.changes


def rating_in_words(rating: int | None) -> str:
    """Return a rating as text: "★★★", "rejected" or "none"."""
    if not rating:
        return Text("none")
    return Text("rejected") if rating == REJECTED else "★" * rating


def _label(photos: int, rating: int | _Unchanged | None, label: str | _Unchanged | None) -> Text:
    count = counted(photos, "1 photo", "{0} photos")
    rated = "" if rating is UNCHANGED else rating_in_words(rating)
    if label is UNCHANGED:
        return Text("Rate {0}: {1}", count, rated) if rating else Text("Remove the rating of {0}", count)
    if rating is UNCHANGED:
        return Text("Label {0}: {1}", count, label) if label else Text("Remove the label of {0}", count)
    return Text("Rate and label {0}: {1}, {2}", count, rated, label or Text("no label"))
