# SPDX-License-Identifier: MIT
"""Limits of the questions in Review: some photos, some tags, with or without new kinds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import common, together


@dataclass(frozen=True, eq=False)
class QuestionScope:
    """Limits of the questions; training uses the whole library."""

    photo_ids: NDArray[np.int64] | None = None
    """Photos to include; None includes all; shape (n,)."""
    left_out: frozenset[str] = frozenset()
    """Tags to exclude. A photo that likely carries one of them is proposed neither for another tag instead nor as part
    of a new kind."""
    new_kinds: bool = True
    """Whether to include groups of photos that no tag explains."""

    def grown(self, photo_ids: NDArray[np.int64] | None) -> QuestionScope:
        """Return these limits with additional photos, (m,); None includes all."""
        if photo_ids is not None and self.photo_ids is not None:
            photo_ids = together(self.photo_ids, photo_ids)
        return replace(self, photo_ids=photo_ids)

    def within(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the included photos among some, (m,) ascending."""
        return ids if self.photo_ids is None else common(ids, self.photo_ids)

    def asks_for(self, tag: str) -> bool:
        """Return whether the questions include a tag."""
        return tag not in self.left_out


EVERYTHING: Final = QuestionScope()
