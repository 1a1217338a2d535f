"""Which photos stand for the others where a map has no room for all: one a cell, in finer and finer grids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

FINEST: Final = 16
"""The last grid has 2 ** 16 cells a side: photos that share one of these lie on the same place for any screen."""


@dataclass(frozen=True, eq=False)
class Level:
    """One grid over the map.

    Attributes
    ----------
    number : int
        The square of the map (side 1, around (0, 0)) is cut into 2 ** number cells a side; photos may lie outside.
    rows : ndarray of intp, shape (c,)
        The photo that stands for those in its cell: the most typical one. It stands for those of a finer cell too,
        so that no photo disappears as one zooms in.
    cells : ndarray of int32, shape (c, 2)
        Column and row of each cell; 0, 0 begins in the middle of the map.
    counts : ndarray of int64, shape (c,)
        How many photos are in the cell.
    """

    number: int
    rows: NDArray[np.intp]
    cells: NDArray[np.int32]
    counts: NDArray[np.int64]

    @property
    def side(self) -> float:
        """Side of a cell, in units of the map."""
        return 2.0**-self.number


def levels(
    places: NDArray[np.float32], typical: NDArray[np.float32], rows: NDArray[np.intp] | None = None
) -> list[Level]:
    """Choose the photos of each level, from one cell for each quarter of the map on.

    Parameters
    ----------
    places : ndarray of float32, shape (n, 2)
    typical : ndarray of float32, shape (n,)
        The most typical photo of a cell stands for it; ties by row.
    rows : ndarray of intp, shape (m,), optional
        The photos that are shown; all, if not given.

    Returns
    -------
    list of Level
        Up to the first in which each cell holds one photo, or `FINEST`.
    """
    chosen = np.arange(len(places)) if rows is None else rows
    # The first of a cell in this order stands for it, in every level.
    chosen = chosen[np.lexsort((chosen, -typical[chosen]))]
    found = []
    for number in range(1, FINEST + 1):
        cells = np.floor(places[chosen].astype(np.float64) * 2**number).astype(np.int32)
        keys = cells[:, 0].astype(np.int64) << 32 | cells[:, 1].astype(np.int64) & 0xFFFFFFFF
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        found.append(Level(number, chosen.take(first), cells.take(first, axis=0), counts))  # `take` lets others go on
        if len(first) == len(chosen):
            break
    return found
