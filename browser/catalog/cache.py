"""What was worked out of an open library and is kept in memory until it is closed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class CacheEntry(Generic[T]):
    """The place in a cache for the values of one kind: a constant of the module that works them out.

    Parameters
    ----------
    what : str
        What is kept there, for whoever looks into a cache.
    """

    def __init__(self, what: str) -> None:
        self.what = what

    def __repr__(self) -> str:
        return f"CacheEntry({self.what!r})"


class Cache:
    """The last value of each kind, with the state of things that it was worked out from. Any thread may call.

    A library has one. Whoever opened the library closes it, and nothing is kept from then on.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._values: dict[CacheEntry[Any], tuple[object, Any]] = {}
        self._closed = False

    def get(self, entry: CacheEntry[T], stamp: object) -> T | None:
        """Return what is kept if it was worked out from the same state of things; None if there is nothing such.

        Parameters
        ----------
        entry : CacheEntry
        stamp : object
            The state of things, compared by ``==``.
        """
        with self._lock:
            before = self._values.get(entry)
        return None if before is None or before[0] != stamp else before[1]

    def put(self, entry: CacheEntry[T], stamp: object, value: T) -> None:
        """Keep a value in place of the last one of its kind."""
        with self._lock:
            if not self._closed:
                self._values[entry] = (stamp, value)

    def forget(self, entry: CacheEntry[Any]) -> None:
        """Keep nothing of one kind any more."""
        with self._lock:
            self._values.pop(entry, None)

    def once(self, entry: CacheEntry[T], stamp: object, find: Callable[[], T]) -> T:
        """Return what is kept, or what `find` finds; other threads wait meanwhile, so that nothing is found twice.

        For what takes milliseconds; what takes longer is put in by whoever has worked it out.
        """
        with self._lock:
            before = self._values.get(entry)
            if before is not None and before[0] == stamp:
                kept: T = before[1]
                return kept
            found = find()
            self.put(entry, stamp, found)
            return found

    def close(self) -> None:
        """Forget everything, and keep nothing more."""
        with self._lock:
            self._closed = True
            self._values.clear()
