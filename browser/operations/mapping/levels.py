# SPDX-License-Identifier: MIT
"""Choose the photos that represent others on a crowded map: one per cell, in increasingly fine grids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

FINEST: Final = 16
"""The finest grid has 2 ** 16 cells per side: no screen can separate photos in one of its cells."""


@dataclass(frozen=True, eq=False)
class Level:
    """A grid over the map."""

    number: int
    """The square of the map (side 1, around (0, 0)) has 2 ** number cells per side; photos may be outside."""
    rows: NDArray[np.intp]
    """The most typical photo of each cell, which represents it. It also represents its finer cell, so that no photo
    disappears when zooming in; shape (c,)."""
    cells: NDArray[np.int32]
    """Column and row of each cell; cell 0, 0 begins at the centre of the map; shape (c, 2)."""
    counts: NDArray[np.int64]
    """Number of photos in the cell; shape (c,)."""

    @property
    def side(self) -> float:
        """Side of a cell, in units of the map."""
        return 2.0**-self.number


def levels(
    places: NDArray[np.float32], typical: NDArray[np.float32], rows: NDArray[np.intp] | None = None
) -> list[Level]:
    """Choose the photos of each level, beginning with one cell per quarter of the map.

    Parameters
    ----------
    places : ndarray of float32, shape (n, 2)
    typical : ndarray of float32, shape (n,)
        The most typical photo of a cell represents it; ties by row.
    rows : ndarray of intp, shape (m,), optional
        Shown photos; default: all.

    Returns
    -------
    list of Level
        Up to the first level with one photo per cell, or `FINEST`.
    """
    chosen = np.arange(len(places)) if rows is None else rows
    # The first photo of a cell in this order represents it on all levels.
    chosen = chosen[np.lexsort((chosen, -typical[chosen]))]
    found = []
    for number in range(1, FINEST + 1):
        cells = np.floor(places[chosen].astype(np.float64) * 2**number).astype(np.int32)
        keys = cells[:, 0].astype(np.int64) << 32 | cells[:, 1].astype(np.int64) & 0xFFFFFFFF
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        found.append(Level(number, chosen.take(first), cells.take(first, axis=0), counts))  # `take` releases the GIL
        if len(first) == len(chosen):
            break
    return found
