# SPDX-License-Identifier: MIT
"""What tiles show about photos besides their data: judgements, movement, and hidden duplicates."""

from __future__ import annotations

from collections.abc import Mapping

from focal_photos.browser.catalog.facts.records import Relation, Verdict


class TileMarks:
    """The marks on the tiles; setters return the photos whose tiles change."""

    def __init__(self) -> None:
        self.verdicts: Mapping[int, Verdict] = {}
        """Judgements against the focal image."""
        self.relations: Mapping[int, frozenset[Relation]] = {}
        self.folded: Mapping[int, int] = {}
        """Number of duplicates that each photo hides."""
        self._former_places: Mapping[int, int] = {}
        self._others_beyond = True

    def set_judgements(self, verdicts: Mapping[int, Verdict], relations: Mapping[int, frozenset[Relation]]) -> set[int]:
        """Set the judgements against the focal image."""
        changed = _different(self.verdicts, verdicts) | _different(self.relations, relations)
        self.verdicts, self.relations = dict(verdicts), dict(relations)
        return changed

    def set_folded(self, counts: Mapping[int, int]) -> set[int]:
        """Set the numbers of hidden duplicates."""
        changed = set[int]() if counts == self.folded else {*counts, *self.folded}
        self.folded = counts
        return changed

    def set_former_places(self, places: Mapping[int, int], *, others_beyond: bool) -> bool:
        """Set the former rows of photos; return whether any tile may change.

        Parameters
        ----------
        others_beyond : bool
            Whether other photos were in rows beyond these; otherwise they are new and have not moved.
        """
        may_change = bool(places or self._former_places)
        self._former_places, self._others_beyond = places, others_beyond
        return may_change

    def rose_by(self, photo_id: int, row: int) -> int:
        """Return by how many rows a photo rose, as a lower bound if it was beyond all remembered places."""
        if not self._former_places:
            return 0
        beyond = max(len(self._former_places), row) if self._others_beyond else row
        return self._former_places.get(photo_id, beyond) - row


def _different(one: Mapping[int, object], other: Mapping[int, object]) -> set[int]:
    """Return the keys that two mappings give different values."""
    return {key for key in {*one, *other} if one.get(key) != other.get(key)}
