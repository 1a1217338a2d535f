# SPDX-License-Identifier: MIT
"""Base class of in-memory values of all photos that are updated incrementally."""

from __future__ import annotations

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.store.database import Database

KEPT_CHANGES: Final = 32_768
"""Number of latest rows that the table ``photo_change`` always retains, as its migration specifies."""
_MIN_BULK_CHANGES: Final = 1000  # changed photos that are always updated individually
_SHARE: Final = 0.05  # largest share of all photos that is updated individually

Arrays = dict[str, NDArray[np.generic]]
T = TypeVar("T")


class Column(ABC, Generic[T]):
    """Holds one value and the number of the last catalogue change that it includes. Thread-safe."""

    WHAT: ClassVar[int]
    NAME: ClassVar[str]

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.RLock()
        self._value: T | None = None
        self.load: Callable[[], tuple[T, int] | None] | None = None
        """Loads a saved value and its position; called once, at first use."""
        self.position = -1
        """Number of the last change included in the value; -1 if there is no value."""
        self.read_whole = 0
        """How often the value was read completely."""

    def now(self) -> T:
        """Return the value for the current catalogue; in a transaction, with its uncommitted changes."""
        with self._lock, self._database.reading() as connection:
            at = position(connection)
            self._take_over()
            if self._value is not None and at == self.position:
                return self._value
            # A reader that began earlier may see an older state than the stored value: return the newer.
            if self._value is not None and at < self.position and not self._database.in_transaction():
                return self._value
            value = self._brought_up_to(connection, at)
            if not self._database.in_transaction():
                self._value, self.position = value, at
            return value

    def cached(self) -> tuple[T, int] | None:
        """Return the stored value and its position, without looking at the catalogue."""
        with self._lock:
            return None if self._value is None else (self._value, self.position)

    def check(self) -> str | None:
        """Return an error text if the value differs from the catalogue, else None; either way read it again.

        Raises
        ------
        RuntimeError
            If called inside a transaction.
        """
        if self._database.in_transaction():
            raise RuntimeError("cached values are checked outside transactions")
        with self._lock, self._database.reading() as connection:
            self._take_over()
            if self._value is None:
                return None
            at = position(connection)
            cached, fresh = self._brought_up_to(connection, at), self._read(connection)
            same = self._same(cached, fresh)
            self._value, self.position = fresh, at
            return None if same else f"The cached column {self.NAME} differed from the catalogue."

    def _take_over(self) -> None:
        load, self.load = self.load, None
        if load is not None and self._value is None and (found := load()) is not None:
            self._value, self.position = found

    def _brought_up_to(self, connection: sqlite3.Connection, at: int) -> T:
        if self._value is not None and 0 <= at - self.position <= KEPT_CHANGES:
            changed = connection.execute(
                "SELECT DISTINCT photo_id FROM photo_change WHERE id > ? AND what & ?", (self.position, self.WHAT)
            ).fetchall()
            if not changed:
                return self._value
            most = max(_MIN_BULK_CHANGES, int(_SHARE * self._size(self._value)))
            if len(changed) <= most and (None,) not in changed:
                ids = np.sort(np.array([photo for (photo,) in changed], np.int64))
                return self._changed(self._value, connection, ids)
        self.read_whole += 1
        return self._read(connection)

    @abstractmethod
    def _read(self, connection: sqlite3.Connection) -> T:
        """Read the value of all photos from the catalogue."""

    @abstractmethod
    def _changed(self, value: T, connection: sqlite3.Connection, ids: NDArray[np.int64]) -> T:
        """Return a new value with the rows of some photos (k,), ascending, read again; leave the old one unchanged."""

    @abstractmethod
    def _size(self, value: T) -> int:
        """Return the approximate number of photos in a value."""

    @abstractmethod
    def to_arrays(self, value: T) -> Arrays:
        """Return a value as named one-dimensional arrays."""

    @abstractmethod
    def from_arrays(self, arrays: Arrays) -> T:
        """Return the value that `to_arrays` encoded."""

    def _same(self, one: T, other: T) -> bool:
        first, second = self.to_arrays(one), self.to_arrays(other)
        return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def position(connection: sqlite3.Connection) -> int:
    """Return the number of the last catalogue change visible to a connection."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'photo_change'").fetchone()
    return 0 if row is None else int(row[0])


def mask_of(ids: NDArray[np.integer], size: int) -> NDArray[np.bool_]:
    """Return for each id below `size` whether it is in `ids` (k,)."""
    mask = np.zeros(size, bool)
    mask[ids[ids < size]] = True
    return mask
