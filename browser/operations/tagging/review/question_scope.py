"""What the review may ask about: some photos, some tags, and new kinds or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import common, together


@dataclass(frozen=True, eq=False)
class QuestionScope:
    """Limits of the questions; what is learned from is the whole library in any case.

    Attributes
    ----------
    photo_ids : ndarray of int64, shape (n,), or None
        The photos that may be asked about; None for all.
    left_out : frozenset of str
        Tags that are not asked about. What else a photo may be is judged as if they were: a photo that likely carries
        one of them is proposed for no other tag instead, and for no new kind.
    new_kinds : bool
        Whether photos that no tag explains are asked about.
    """

    photo_ids: NDArray[np.int64] | None = None
    left_out: frozenset[str] = frozenset()
    new_kinds: bool = True

    def grown(self, photo_ids: NDArray[np.int64] | None) -> QuestionScope:
        """Return the same limits with more photos, (m,); None for all."""
        if photo_ids is not None and self.photo_ids is not None:
            photo_ids = together(self.photo_ids, photo_ids)
        return replace(self, photo_ids=photo_ids)

    def within(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of some photos, (m,) ascending, that may be asked about."""
        return ids if self.photo_ids is None else common(ids, self.photo_ids)

    def asks_for(self, tag: str) -> bool:
        """Return whether a tag may be asked about."""
        return tag not in self.left_out


EVERYTHING: Final = QuestionScope()
