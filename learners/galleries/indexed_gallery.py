"""A gallery of very many points that finds the nearest by an index, and compares exactly what that proposes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.arrays.distinct import together
from focal_photos.learners.galleries.float_gallery import FloatGallery, RankedRows
from focal_photos.learners.galleries.inverted_file import InvertedFile

MOST: Final = 2000
"""Rows of a ranking up to which the index is asked; a longer one compares all."""

_PROPOSED: Final = 4
"""Candidates for each row that is wanted."""

_FEWEST: Final = 4000
"""Candidates at the least."""


_ALLOWED: Final = 2
"""Candidates for each row that is wanted, where not all rows are allowed: the last ones of them are rough."""


@dataclass(frozen=True, eq=False)
class RowIndex:
    """An inverted file of the rows of a gallery.

    Attributes
    ----------
    file : InvertedFile
    places : ndarray of int32, shape (m,)
        The row that each id of the file is now; -1: none any more.
    unlisted : ndarray of intp, shape (u,)
        Rows that the file lacks, since they are newer: they are candidates for every query.
    checked : bool
        Whether it is known that the file holds the rows as they are now.
    """

    file: InvertedFile
    places: NDArray[np.int32]
    unlisted: NDArray[np.intp]
    checked: bool = False


class IndexedGallery(FloatGallery):
    """Photos as points; the nearest few are found among what an index proposes, by their exact distances.

    A ranking by the index has exact distances, and may lack photos: those that lie in lists which were not looked
    through. A ranking of more than 2,000 rows, or among so few rows that the index proposes too few of them, compares
    all, as a `FloatGallery` does.

    Attributes
    ----------
    index : RowIndex or None
        None: everything is compared.
    """

    index: RowIndex | None = None

    def rank(self, query: ArrayLike, k: int | None = None, *, allowed: NDArray[np.bool_] | None = None) -> RankedRows:
        """Return the nearest photos; see `FloatGallery.rank`."""
        index = self.index  # another thread may put another one there meanwhile
        if index is None or k is None or not self.serves(k):
            return self._compared(query, k, allowed)
        point = self._queries(np.atleast_2d(np.asarray(query)))[0]
        ids = index.file.candidates(point, max(_FEWEST, _PROPOSED * k))
        rows = index.places[ids[ids < len(index.places)]].astype(np.intp)
        rows = together(rows[rows >= 0], index.unlisted)
        wanted = min(k, len(self))
        if allowed is not None:
            rows, wanted = rows[allowed[rows]], _ALLOWED * k
        if len(rows) < wanted:
            return self._compared(query, k, allowed)
        return self._sorted(point, rows, k)

    def serves(self, k: int | None) -> bool:
        """Return whether a ranking of k rows (None: all) goes by the index."""
        return self.index is not None and k is not None and 0 < k <= MOST

    def _compared(self, query: ArrayLike, k: int | None, allowed: NDArray[np.bool_] | None) -> RankedRows:
        """Compare all; rows that are not finite are refused now, since nobody has looked through them before."""
        super()._look_through()
        return super().rank(query, k, allowed=allowed)

    def _look_through(self) -> None:
        """Read no row before it is asked for: with an index, most never are."""
