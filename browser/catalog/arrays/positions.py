"""Which photo's record stands at which position of a store: its index in memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

DELETED = -1  # no photo at a position, or no position for a photo
LARGEST_ID = 2**31 - 1  # the table from id to position is as long as the largest id; ids of the catalogue are dense


class PositionTable:
    """Tables from position to photo id and back. Looking up m photos takes time in proportion to m.

    Attributes
    ----------
    count : int
        Positions in use, deleted ones too.
    live : int
        Positions that hold the record of a photo.
    """

    def __init__(self) -> None:
        self.count = 0
        self.live = 0
        # Of 32 bits, for a library has a dozen of these; both are longer than needed.
        self._owners = np.empty(0, np.int32)
        self._position = np.zeros(0, np.int32)  # by id: position + 1, or 0 for none, so that fresh memory is right
        self._ids: NDArray[np.int64] | None = None

    @property
    def ids(self) -> NDArray[np.int64]:
        """Ids of the live positions in the order of the positions; int64, shape (live,), read-only."""
        if self._ids is None:
            owners = self._owners[: self.count]
            self._ids = owners[owners != DELETED].astype(np.int64)
            self._ids.flags.writeable = False
        return self._ids

    def alive(self) -> NDArray[np.int64]:
        """Return the live positions, int64, shape (live,), ascending."""
        return np.flatnonzero(self._owners[: self.count] != DELETED)

    def owners(self, start: int, stop: int) -> NDArray[np.int64]:
        """Return the ids at positions ``start:stop``, DELETED for deleted ones."""
        return self._owners[start : min(stop, self.count)].astype(np.int64)

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of photos, both int64, shape (m,); DELETED where there is none."""
        positions = np.full(len(ids), DELETED, np.int64)
        inside = (ids >= 0) & (ids < len(self._position))
        positions[inside] = self._position[ids[inside]] - 1
        return positions

    def add(self, owners: NDArray[np.int64]) -> None:
        """Give the next positions to photos that have none yet.

        Parameters
        ----------
        owners : ndarray of int64, shape (m,)
            Photo ids, each once, or DELETED for positions that stay without a photo.
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
    """Return `owners`, int64, shape (n,), with DELETED for ids that come again later, and for what cannot be an id."""
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
