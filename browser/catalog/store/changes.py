# SPDX-License-Identifier: MIT
"""Description of what a mutation changed, so that views can refresh selectively."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """A part of the catalogue that views watch."""

    ROOTS = "roots"
    PHOTOS = "photos"
    TAGS = "tags"
    BOXES = "boxes"
    MARKS = "marks"
    ROTATIONS = "turns"
    JUDGEMENTS = "judgements"
    SUGGESTIONS = "suggestions"
    METRICS = "metrics"
    SEARCHES = "searches"
    AUDITS = "audits"
    DUPLICATES = "duplicates"
    FILES = "files"
    """The files of photos were edited, moved, lost or found, so pictures of them may be outdated."""


class ChangeSet(NamedTuple):
    """The result of one mutation."""

    label: str = ""
    """Description for the undo menu, such as "Tag 3 photos: beach"; empty if nothing changed."""
    kinds: frozenset[Kind] = frozenset()
    """Parts of the catalogue that changed."""
    photo_ids: frozenset[int] = frozenset()
    """Affected photos; if empty and `kinds` contains PHOTOS, any photo may be affected."""

    def __bool__(self) -> bool:
        """Return whether anything changed."""
        return bool(self.kinds)

    def __or__(self, other: ChangeSet) -> ChangeSet:
        """Return the union of both changes, with the first non-empty label."""
        return ChangeSet(self.label or other.label, self.kinds | other.kinds, self.photo_ids | other.photo_ids)
