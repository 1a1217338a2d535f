# SPDX-License-Identifier: MIT
"""In-memory index of a store: position of each photo's record, and photo at each position."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

DELETED = -1  # no photo at a position, or no position for a photo
LARGEST_ID = 2**31 - 1  # the table is as long as the largest id, because the catalogue's ids are dense


class PositionTable:
    """Tables from position to photo id and back. Looking up m photos takes O(m) time."""

    def __init__(self) -> None:
        self.count = 0
        """Number of positions in use, including deleted ones."""
        self.live = 0
        """Number of positions with the record of a photo."""
        # 32 bits, because a library has a dozen of these tables. Both arrays are larger than needed.
        self._owners = np.empty(0, np.int32)
        self._position = np.zeros(0, np.int32)  # by id: position + 1, or 0 for none, so zeroed memory is valid
        self._ids: NDArray[np.int64] | None = None

    @property
    def ids(self) -> NDArray[np.int64]:
        """Ids of the live positions, by position; int64, shape (live,), read-only."""
        if self._ids is None:
            owners = self._owners[: self.count]
            self._ids = owners[owners != DELETED].astype(np.int64)
            self._ids.flags.writeable = False
        return self._ids

    def alive(self) -> NDArray[np.int64]:
        """Return the live positions, ascending; int64, shape (live,)."""
        return np.flatnonzero(self._owners[: self.count] != DELETED)

    def owners(self, start: int, stop: int) -> NDArray[np.int64]:
        """Return the ids at positions ``start:stop``, with DELETED for deleted ones."""
        return self._owners[start : min(stop, self.count)].astype(np.int64)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of photos, both int64, shape (m,); DELETED for photos without one."""
        positions = np.full(len(ids), DELETED, np.int64)
        inside = (ids >= 0) & (ids < len(self._position))
        positions[inside] = self._position[ids[inside]] - 1
        return positions

    def add(self, owners: NDArray[np.int64]) -> None:
        """Assign the next positions to photos that have none yet.

        Parameters
        ----------
        owners : ndarray of int64, shape (m,)
            Photo ids, each once, or DELETED for positions without a photo.
        """
        first, self.count = self.count, self.count + len(owners)
        if self.count > len(self._owners):
            grown = np.empty(max(self.count, 2 * len(self._owners)), np.int32)
            grown[:first] = self._owners[:first]
            self._owners = grown
        self._owners[first : self.count] = owners
        named = np.flatnonzero(owners != DELETED)
        if len(named):
            largest = int(owners.max())
            if largest >= len(self._position):
                table = np.zeros(max(largest + 1, 2 * len(self._position)), np.int32)
                table[: len(self._position)] = self._position
                self._position = table
            self._position[owners[named]] = named + first + 1
        self.live += len(named)
        self._ids = None

    def drop(self, positions: NDArray[np.int64]) -> None:
        """Mark live positions, shape (m,), as deleted."""
        self._position[self._owners[positions]] = 0
        self._owners[positions] = DELETED
        self.live -= len(positions)
        self._ids = None


def last_of_each(owners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return `owners`, int64, shape (n,), with DELETED for invalid ids and for all but the last occurrence of an id."""
    owners = np.where((owners < 0) | (owners > LARGEST_ID), DELETED, owners)
    named = np.flatnonzero(owners != DELETED)
    if len(named):
        last = np.zeros(int(owners.max()) + 1, np.int64)
        np.maximum.at(last, owners[named], named)
        owners[named[last[owners[named]] != named]] = DELETED
    return owners


def as_ids(ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return ids as an array of int64, shape (n,)."""
    return np.asarray(ids if isinstance(ids, np.ndarray) else list(ids), np.int64).reshape(-1)
