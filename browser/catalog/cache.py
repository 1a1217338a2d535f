# SPDX-License-Identifier: MIT
"""In-memory cache of values derived from an open library, valid until it is closed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class CacheEntry(Generic[T]):
    """Key for one kind of cached value: a constant of the module that computes it."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __repr__(self) -> str:
        return f"CacheEntry({self.what!r})"


class Cache:
    """Stores the last value of each kind, with the stamp of the data it was computed from. Thread-safe.

    Each library has one cache, which is closed with it and stores nothing afterwards.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._values: dict[CacheEntry[Any], tuple[object, Any]] = {}
        self._closed = False

    def get(self, entry: CacheEntry[T], stamp: object) -> T | None:
        """Return the cached value, or None if there is none with this stamp.

        Parameters
        ----------
        stamp : object
            State of the underlying data, compared by ``==``.
        """
        with self._lock:
            before = self._values.get(entry)
        return None if before is None or before[0] != stamp else before[1]

    def put(self, entry: CacheEntry[T], stamp: object, value: T) -> None:
        """Store a value, replacing the last one of its kind."""
        with self._lock:
            if not self._closed:
                self._values[entry] = (stamp, value)

    def forget(self, entry: CacheEntry[Any]) -> None:
        """Remove the value of one kind."""
        with self._lock:
            self._values.pop(entry, None)

    def once(self, entry: CacheEntry[T], stamp: object, find: Callable[[], T]) -> T:
        """Return the cached value, or compute it by `find` and cache it; other threads wait, so it is computed once.

        For values that take milliseconds to compute. Store slower ones by `put`.
        """
        with self._lock:
            before = self._values.get(entry)
            if before is not None and before[0] == stamp:
                cached: T = before[1]
                return cached
            found = find()
            self.put(entry, stamp, found)
            return found

    def close(self) -> None:
        """Clear the cache and store nothing from now on."""
        with self._lock:
            self._closed = True
            self._values.clear()
