"""Vectors of photos on disk: one growing, memory-mapped float32 array a key. What is damaged is dropped."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from browser.catalog.errors import LibraryError, not_writable, translated
from browser.catalog.vector_files import index_path, rows_files, stored_keys
from browser.catalog.vector_store import VectorStore

_BLOCK = 1 << 24  # bytes copied at a time


class Vectors:
    """The vector stores of a library.

    Parameters
    ----------
    folder : pathlib.Path
        Created when the first store is.
    read_only : bool
        Nothing is written; a store that is not there is empty.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        self.read_only = read_only
        self._stores: dict[str, VectorStore] = {}
        self._lock = threading.RLock()
        self._closed = False

    def keys(self) -> list[str]:
        """Return the keys that have a store on disk, in order."""
        return stored_keys(self.folder)

    def store(self, key: str, dimension: int) -> VectorStore:
        """Return the store of a key, created empty if there is none.

        Parameters
        ----------
        key : str
            Equal keys must mean interchangeable vectors. At most 180 characters, escapes for file names
            included.
        dimension : int
            Length d of a vector. A store of another dimension is set aside and begun anew.

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
                store = VectorStore(self.folder, key, dimension, read_only=self.read_only)
                self._stores[key] = store
            return store

    def open(self, key: str) -> VectorStore | None:
        """Return the store of a key with the dimension that it has on disk; None if there is none that can be read."""
        with self._lock:
            self._require_open()
            store = self._stores.get(key) or VectorStore.existing(self.folder, key, read_only=self.read_only)
            if store is not None:
                self._stores[key] = store
            return store

    def forget(self, ids: Iterable[int]) -> None:
        """Drop the rows of photos from all stores, open or not."""
        wanted = np.array([int(number) for number in ids], np.int64)
        with self._lock:
            self._require_open()
            for key in self.keys():
                store = self.open(key)
                if store is not None:
                    store.forget(wanted)

    def remove(self, key: str) -> None:
        """Delete a store and its files. Arrays that it handed out stay valid."""
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
        """Delete the stores whose key is not in `keep` and what was set aside; return the deleted keys."""
        gone = [key for key in self.keys() if key not in keep]
        for key in gone:
            self.remove(key)
        with translated(self.folder):
            for path in [*self.folder.glob("*.damaged"), *self.folder.glob("*.part")]:
                path.unlink(missing_ok=True)
        return gone

    @staticmethod
    def matrix(stores: Sequence[VectorStore], ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of photos from several stores side by side.

        Parameters
        ----------
        stores : sequence of VectorStore
            With dimensions d_1, d_2, ...
        ids : ndarray of int64, shape (n,)

        Returns
        -------
        ndarray of float32, shape (n, d_1 + d_2 + ...)
            Contiguous. Memory-mapped and read-only if there is one store and the rows lie there in this
            order; else a copy in memory.

        Raises
        ------
        KeyError
            If a store lacks a photo.
        """
        if len(stores) == 1:
            return stores[0].rows(ids)
        ids = np.asarray(ids, np.int64)
        bounds = np.cumsum([0, *(store.dimension for store in stores)])
        matrix = np.empty((len(ids), int(bounds[-1])), np.float32)
        step = max(1, _BLOCK // (4 * max(1, matrix.shape[1])))
        for store, start, stop in zip(stores, bounds[:-1], bounds[1:], strict=True):
            for row in range(0, len(ids), step):
                matrix[row : row + step, start:stop] = store.rows(ids[row : row + step])
        return matrix

    def close(self) -> None:
        """Close all stores. Arrays that they handed out stay valid."""
        with self._lock:
            self._closed = True
            for store in self._stores.values():
                store.close()
            self._stores.clear()

    def _require_open(self) -> None:
        if self._closed:
            raise LibraryError(f"The library of {self.folder} is closed: open it again.")
