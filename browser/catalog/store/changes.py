"""What a mutation changed, so that whoever shows it can refresh just that."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """A part of the catalogue that views watch."""

    ROOTS = "roots"
    PHOTOS = "photos"
    TAGS = "tags"
    MARKS = "marks"
    TURNS = "turns"
    JUDGEMENTS = "judgements"
    SUGGESTIONS = "suggestions"
    METRICS = "metrics"
    SEARCHES = "searches"
    AUDITS = "audits"
    DUPLICATES = "duplicates"


class ChangeSet(NamedTuple):
    """The result of one mutation.

    Attributes
    ----------
    label : str
        What was done, for the undo menu: "Tag 3 photos: beach". Empty if nothing changed.
    kinds : frozenset of Kind
        Parts of the catalogue that changed.
    photo_ids : frozenset of int
        Photos concerned; empty with PHOTOS in `kinds` means any of them.
    """

    label: str = ""
    kinds: frozenset[Kind] = frozenset()
    photo_ids: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        """Return whether anything changed."""
        return bool(self.kinds)

    def __or__(self, other: ChangeSet) -> ChangeSet:
        """Return both changes as one, under the first label that is not empty."""
        return ChangeSet(self.label or other.label, self.kinds | other.kinds, self.photo_ids | other.photo_ids)
