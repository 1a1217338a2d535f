"""Vectors of photos on disk: one growing, memory-mapped float32 array a key. What is damaged is dropped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from browser.catalog.arrays import record_files as files
from browser.catalog.arrays.positions import as_ids
from browser.catalog.arrays.record_store import RecordStore
from browser.catalog.arrays.store_folder import StoreFolder

_BLOCK = 1 << 24  # bytes copied at a time


class VectorStore(RecordStore):
    """The vectors of one key, float32 of shape (d,), each under a photo id; see `RecordStore`."""

    MAGIC: ClassVar[bytes] = files.MAGIC
    ENTRY: ClassVar[np.dtype[np.void]] = files.ENTRY
    NOUN: ClassVar[str] = "vector"

    @property
    def array(self) -> NDArray[np.float32]:
        """The live rows in the order of `ids`; float32, shape (N, d), read-only.

        Memory-mapped as long as no deleted row lies between them, else a copy.
        """
        return self.snapshot()[1]

    def snapshot(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return `ids` and `array` of the same moment."""
        with self._lock:
            return self._positions.ids, self._take(self._mapped(), self._positions.alive())

    def rows(self, ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of photos.

        Parameters
        ----------
        ids : iterable of int, length n

        Returns
        -------
        ndarray of float32, shape (n, d)
            Memory-mapped and read-only if the rows lie in this order one after the other, else a copy.

        Raises
        ------
        KeyError
            If a photo has no row here; see `missing`.
        """
        with self._lock:
            return self._take(self._mapped(), self._present(as_ids(ids)))

    def append(self, ids: Iterable[int] | NDArray[np.int64], rows: ArrayLike) -> None:
        """Add vectors; all are on the disk at the end, or none. An id that has a row gets the new one.

        Parameters
        ----------
        ids : iterable of int, length m
            Different, from 0 to 2**31 - 1.
        rows : array_like, shape (m, d)
            Stored as float32.

        Raises
        ------
        ValueError
            If shapes or ids are wrong.
        LibraryFullError, LibraryReadOnlyError
        """
        numbers = as_ids(ids)
        matrix = np.ascontiguousarray(rows, "<f4")
        if matrix.shape != (len(numbers), self.dimension):
            raise ValueError(f"rows have the shape {matrix.shape}, expected {(len(numbers), self.dimension)}")
        self._append(numbers, matrix, list(matrix))

    def _row(self) -> np.dtype[np.generic]:
        return np.dtype(("<f4", (self.dimension,)))

    def _spans(self, positions: NDArray[np.int64]) -> files.Spans:
        return positions, np.ones(len(positions), np.int64)

    def _add_spans(self, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Do nothing: row k stands at position k."""


class Vectors(StoreFolder[VectorStore]):
    """The vector stores of a library; see `StoreFolder`."""

    _kind = VectorStore

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
