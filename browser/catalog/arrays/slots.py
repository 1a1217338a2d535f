"""Which photo's row lies in which slot of a vector store: the index of the store in memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

DEAD = -1  # no photo in a slot, or no slot for a photo
LARGEST_ID = 2**31 - 1  # the table from id to slot is as long as the largest id; ids of the catalogue are dense


class Slots:
    """Tables from slot to photo id and back. Looking up m photos takes time in proportion to m.

    Attributes
    ----------
    count : int
        Slots in use, dead ones too.
    live : int
        Slots that hold the row of a photo.
    """

    def __init__(self) -> None:
        self.count = 0
        self.live = 0
        self._owners = np.empty(0, np.int64)  # longer than needed
        self._slot = np.zeros(0, np.int64)  # by id: slot + 1, or 0 for none, so that fresh memory is right
        self._ids: NDArray[np.int64] | None = None

    @property
    def ids(self) -> NDArray[np.int64]:
        """Ids of the live slots in the order of the slots; read-only."""
        if self._ids is None:
            owners = self._owners[: self.count]
            self._ids = owners[owners != DEAD]
            self._ids.flags.writeable = False
        return self._ids

    def alive(self) -> NDArray[np.int64]:
        """Return the live slots, ascending."""
        return np.flatnonzero(self._owners[: self.count] != DEAD)

    def owners(self, start: int, stop: int) -> NDArray[np.int64]:
        """Return the ids in slots ``start:stop``, DEAD for dead ones."""
        return self._owners[start : min(stop, self.count)].copy()

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the slots of photos, DEAD where there is none."""
        slots = np.full(len(ids), DEAD, np.int64)
        inside = (ids >= 0) & (ids < len(self._slot))
        slots[inside] = self._slot[ids[inside]] - 1
        return slots

    def enter(self, owners: NDArray[np.int64]) -> None:
        """Take the next slots for photos that have none yet, each once, or for nobody (DEAD)."""
        first, self.count = self.count, self.count + len(owners)
        if self.count > len(self._owners):
            grown = np.empty(max(self.count, 2 * len(self._owners)), np.int64)
            grown[:first] = self._owners[:first]
            self._owners = grown
        self._owners[first : self.count] = owners
        named = np.flatnonzero(owners != DEAD)
        if len(named):
            largest = int(owners.max())
            if largest >= len(self._slot):
                table = np.zeros(max(largest + 1, 2 * len(self._slot)), np.int64)
                table[: len(self._slot)] = self._slot
                self._slot = table
            self._slot[owners[named]] = named + first + 1
        self.live += len(named)
        self._ids = None

    def drop(self, slots: NDArray[np.int64]) -> None:
        """Kill live slots."""
        self._slot[self._owners[slots]] = 0
        self._owners[slots] = DEAD
        self.live -= len(slots)
        self._ids = None


def last_of_each(owners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return `owners` with DEAD for ids that come again later, and for what cannot be an id."""
    owners = np.where((owners < 0) | (owners > LARGEST_ID), DEAD, owners)
    named = np.flatnonzero(owners != DEAD)
    if len(named):
        last = np.zeros(int(owners.max()) + 1, np.int64)
        np.maximum.at(last, owners[named], named)
        owners[named[last[owners[named]] != named]] = DEAD
    return owners


def as_ids(ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return ids as an array of int64, shape (n,)."""
    return np.asarray(ids if isinstance(ids, np.ndarray) else list(ids), np.int64).reshape(-1)
