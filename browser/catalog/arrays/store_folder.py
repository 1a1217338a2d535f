# SPDX-License-Identifier: MIT
"""A folder of record stores of one type, one store per key."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from focal_photos.browser.catalog.arrays.record_files import index_path, rows_files, stored_keys
from focal_photos.browser.catalog.arrays.record_store import RecordStore
from focal_photos.browser.catalog.store.errors import LibraryError, not_writable
from focal_photos.browser.catalog.store.translation import translated

S = TypeVar("S", bound=RecordStore)


class StoreFolder(Generic[S]):
    """The stores of one type.

    Parameters
    ----------
    folder : pathlib.Path
        Created together with the first store.
    read_only : bool
        Write nothing; missing stores are empty.
    """

    _kind: type[S]

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        self.read_only = read_only
        self._stores: dict[str, S] = {}
        self._lock = threading.RLock()
        self._closed = False

    def keys(self) -> list[str]:
        """Return the keys that have a store on disk, sorted."""
        return stored_keys(self.folder)

    def store(self, key: str, dimension: int, *, half: bool = False) -> S:
        """Return the store of a key; create an empty one if there is none.

        Parameters
        ----------
        key : str
            Equal keys must mean interchangeable records. At most 180 characters after escaping for file names.
        dimension : int
            Length d of a vector. A store of another dimension is set aside and replaced by an empty one.
        half : bool
            Whether a new store uses float16, if its type supports both.

        Raises
        ------
        LibraryFullError, LibraryReadOnlyError
        """
        with self._lock:
            self._require_open()
            store = self._stores.get(key)
            if store is None or store.dimension != dimension:
                if store is not None:
                    store.close()
                store = self._kind(self.folder, key, dimension, read_only=self.read_only, half=half)
                self._stores[key] = store
            return store

    def open(self, key: str) -> S | None:
        """Return the store of a key with its dimension on disk; None if there is none or it is unreadable."""
        with self._lock:
            self._require_open()
            store = self._stores.get(key)
            if store is None:  # not `if not store`: an empty store is false, but may be in use
                store = self._kind.existing(self.folder, key, read_only=self.read_only)
            if store is not None:
                self._stores[key] = store
            return store

    def size_on_disk(self, key: str) -> int:
        """Return the size of the files of a key in bytes; 0 if there are none."""
        sizes = [
            path.stat().st_size
            for path in [index_path(self.folder, key), *rows_files(self.folder, key)]
            if path.exists()
        ]
        return sum(sizes)

    def forget(self, ids: Iterable[int]) -> None:
        """Delete the records of photos from all stores, open or not."""
        wanted = np.array([int(number) for number in ids], np.int64)
        with self._lock:
            self._require_open()
            for key in self.keys():
                store = self.open(key)
                if store is not None:
                    store.forget(wanted)

    def remove(self, key: str) -> None:
        """Delete a store and its files. Arrays that it returned stay valid."""
        if self.read_only:
            raise not_writable(self.folder)
        with self._lock, translated(self.folder):
            store = self._stores.pop(key, None)
            if store is not None:
                store.close()
            index_path(self.folder, key).unlink(missing_ok=True)
            for path in rows_files(self.folder, key):
                path.unlink(missing_ok=True)

    def vacuum(self, keep: Collection[str]) -> list[str]:
        """Delete the stores whose key is not in `keep`, and files set aside; return the deleted keys."""
        gone = [key for key in self.keys() if key not in keep]
        for key in gone:
            self.remove(key)
        with translated(self.folder):
            for path in [*self.folder.glob("*.damaged"), *self.folder.glob("*.part")]:
                path.unlink(missing_ok=True)
        return gone

    def close(self) -> None:
        """Close all stores. Arrays that they returned stay valid."""
        with self._lock:
            self._closed = True
            for store in self._stores.values():
                store.close()
            self._stores.clear()

    def _require_open(self) -> None:
        if self._closed:
            raise LibraryError("The library of {0} is closed: open it again.", self.folder)
