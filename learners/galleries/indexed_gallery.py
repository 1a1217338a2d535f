# SPDX-License-Identifier: MIT
"""A gallery of very many points that compares exactly the candidates proposed by an index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.arrays.distinct import together
from focal_photos.learners.galleries.float_gallery import FloatGallery, RankedRows
from focal_photos.learners.galleries.inverted_file import InvertedFile

MAX_RANKED: Final = 2000
"""Rows of a ranking up to which the index is used; a longer ranking compares all rows."""

_PROPOSED: Final = 4
"""Candidates per requested row."""

_MIN_CANDIDATES: Final = 4000
"""Minimum number of candidates."""


_ALLOWED: Final = 2
"""Candidates required per requested row if not all rows are allowed, because the last ones are imprecise."""


@dataclass(frozen=True, eq=False)
class RowIndex:
    """Inverted file of the rows of a gallery."""

    file: InvertedFile
    places: NDArray[np.int32]
    """Current row of each id of the file; -1: removed; shape (m,)."""
    unlisted: NDArray[np.intp]
    """Newer rows that the file lacks; they are candidates for every query; shape (u,)."""
    checked: bool = False
    """Whether the file is known to match the current rows."""


class IndexedGallery(FloatGallery):
    """Photos as points; the nearest few are found by exact distances among the candidates of an index.

    A ranking by the index has exact distances but may miss photos in lists that were not searched. A ranking of more
    than 2,000 rows, or among so few allowed rows that the index proposes too few of them, compares all rows, as a
    `FloatGallery` does.

    Attributes
    ----------
    index : RowIndex or None
        None: all rows are compared.
    """

    index: RowIndex | None = None

    def rank(self, query: ArrayLike, k: int | None = None, *, allowed: NDArray[np.bool_] | None = None) -> RankedRows:
        """Return the nearest rows; see `FloatGallery.rank`."""
        index = self.index  # another thread may replace it meanwhile
        if index is None or k is None or not self.serves(k):
            return self._compared(query, k, allowed)
        point = self._queries(np.atleast_2d(np.asarray(query)))[0]
        ids = index.file.candidates(point, max(_MIN_CANDIDATES, _PROPOSED * k))
        rows = index.places[ids[ids < len(index.places)]].astype(np.intp)
        rows = together(rows[rows >= 0], index.unlisted)
        wanted = min(k, len(self))
        if allowed is not None:
            rows, wanted = rows[allowed[rows]], _ALLOWED * k
        if len(rows) < wanted:
            return self._compared(query, k, allowed)
        return self._sorted(point, rows, k)

    def serves(self, k: int | None) -> bool:
        """Return whether a ranking of k rows (None: all) uses the index."""
        return self.index is not None and k is not None and 0 < k <= MAX_RANKED

    def _compared(self, query: ArrayLike, k: int | None, allowed: NDArray[np.bool_] | None) -> RankedRows:
        """Compare all rows; raises for rows that are not finite, which have not been checked before."""
        super()._look_through()
        return super().rank(query, k, allowed=allowed)

    def _look_through(self) -> None:
        """Do nothing: with an index, most rows are never read."""
