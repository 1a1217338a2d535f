# SPDX-License-Identifier: MIT
"""The photos of the grid by row, as arrays, and the row of each photo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.learners.core.arrays.distinct import distinct


@dataclass(eq=False)
class GridRows:
    """Photos in the order of the grid, each once."""

    ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Photo ids, (n,)."""
    scores: NDArray[np.float32] | None = None
    """Distances to the focal image, ascending, (n,); None if the rows are not ordered by them."""
    windows: NDArray[np.float32] | None = None
    """The part of each photo that matches a region, (n, 4); None if they are not ranked by one."""

    def __post_init__(self) -> None:
        if self.scores is not None and len(self.scores) != len(self.ids):
            raise ValueError(f"{len(self.ids)} photos but {len(self.scores)} scores.")

    def __len__(self) -> int:
        return len(self.ids)

    def followed_by(self, more: GridRows) -> GridRows:
        """Return these rows and others after them.

        Raises
        ------
        ValueError
            If only one of the two has scores.
        """
        if (more.scores is None) != (self.scores is None):
            raise ValueError(f"{len(more)} photos but {0 if more.scores is None else len(more)} scores.")
        scores, windows = self.scores, self.windows
        if scores is not None and more.scores is not None:
            scores = np.concatenate([scores, more.scores])
        if windows is not None and more.windows is not None:
            windows = np.concatenate([windows, more.windows])
        return GridRows(np.concatenate([self.ids, more.ids]), scores, windows)

    def equals(self, other: GridRows) -> bool:
        """Return whether other rows have the same photos, scores and windows."""
        return same(self.ids, other.ids) and same(self.scores, other.scores) and same(self.windows, other.windows)

    # ------------------------------------------------------------------ rows and photos
    @cached_property
    def table(self) -> NDArray[np.int32]:
        """The row of each photo id, (largest id + 1,); -1 for ids that are not in the grid."""
        table = np.full(int(self.ids.max(initial=-1)) + 1, -1, dtype=np.int32)
        table[self.ids] = np.arange(len(self.ids), dtype=np.int32)
        return table

    def row_of(self, photo_id: int) -> int:
        """Return the row of a photo, or -1."""
        return int(self.table[photo_id]) if 0 <= photo_id < len(self.table) else -1

    def rows_of(self, photo_ids: Sequence[int]) -> list[int]:
        """Return the rows of the photos that are in the grid, ascending."""
        wanted = np.asarray(photo_ids, dtype=np.int64)
        rows = self.table[wanted[(wanted >= 0) & (wanted < len(self.table))]]
        found: list[int] = distinct(rows[rows >= 0]).tolist()
        return found

    def photo_ids(self, ranges: Iterable[tuple[int, int]]) -> list[int]:
        """Return the photos of ranges of rows (both ends included), in the order of the rows."""
        ids: list[int] = []
        for first, last in sorted(ranges):
            ids += self.ids[first : last + 1].tolist()
        return ids

    def score_of(self, photo_id: int) -> float | None:
        """Return the distance of a photo to the focal image; None if there is none."""
        row = self.row_of(photo_id)
        return None if self.scores is None or row < 0 else float(self.scores[row])

    def window_of(self, photo_id: int) -> Region | None:
        """Return the matching part of a photo without its rotation; None if there is none."""
        row = self.row_of(photo_id)
        if self.windows is None or not 0 <= row < len(self.windows):
            return None
        return Region(*self.windows[row].tolist())

    def move_windows(self, regions: Mapping[int, Region]) -> None:
        """Set other matching parts, by photo id; photos that are not in the grid are skipped."""
        if self.windows is None:
            return
        self.windows = self.windows.copy()
        for photo_id, region in regions.items():
            row = self.row_of(photo_id)
            if 0 <= row < len(self.windows):
                self.windows[row] = astuple(region)


def same(a: NDArray[np.generic] | None, b: NDArray[np.generic] | None) -> bool:
    """Return whether two arrays are equal, or both are missing."""
    return a is b or (a is not None and b is not None and np.array_equal(a, b))
