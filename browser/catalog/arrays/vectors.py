# SPDX-License-Identifier: MIT
"""Vectors of photos on disk: one growing, memory-mapped array per key. Damaged vectors are dropped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.browser.catalog.arrays import record_files as files
from focal_photos.browser.catalog.arrays.positions import as_ids
from focal_photos.browser.catalog.arrays.record_store import RecordStore
from focal_photos.browser.catalog.arrays.store_folder import StoreFolder
from focal_photos.browser.catalog.store.translation import translated

_BLOCK = 1 << 24  # bytes copied at a time


class VectorStore(RecordStore):
    """Vectors of one key, float32 of shape (d,), by photo id; see `RecordStore`.

    Half precision halves their size; returned vectors are then always copies.
    """

    MAGICS: ClassVar[tuple[bytes, ...]] = (files.MAGIC, files.HALF_MAGIC)
    ENTRY: ClassVar[np.dtype[np.void]] = files.ENTRY
    NOUN: ClassVar[str] = "vector"

    @property
    def array(self) -> NDArray[np.float32]:
        """The live rows in the order of `ids`; float32, shape (N, d), read-only.

        Memory-mapped unless deleted rows are among them; then a copy.
        """
        return self.snapshot()[1]

    @property
    def half(self) -> bool:
        """Whether the vectors are stored as float16."""
        return self._magic == files.HALF_MAGIC

    def snapshot(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return `ids` and `array` of the same moment."""
        with self._lock:
            return self._positions.ids, self._vectors(self._positions.alive())

    def rows(self, ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of n photos, (n, d).

        They are mapped and read-only if the rows are contiguous in this order and stored as float32; else a copy.

        Raises
        ------
        KeyError
            If a photo has no vector; see `missing`.
        """
        with self._lock:
            return self._vectors(self._present(as_ids(ids)))

    def append(self, ids: Iterable[int] | NDArray[np.int64], rows: ArrayLike) -> None:
        """Add vectors, replacing earlier ones of the same ids; at the end, either all are on the disk or none.

        Parameters
        ----------
        ids : iterable of int, length m
            Distinct, from 0 to 2**31 - 1.
        rows : array_like, shape (m, d)
            Stored as float32, or as float16 with values clipped to +-65,504.

        Raises
        ------
        ValueError
            If shapes or ids are invalid.
        LibraryFullError, LibraryReadOnlyError
        """
        numbers = as_ids(ids)
        matrix = np.ascontiguousarray(rows, "<f4")
        if matrix.shape != (len(numbers), self.dimension):
            raise ValueError(f"rows have the shape {matrix.shape}, expected {(len(numbers), self.dimension)}")
        with self._lock:
            stored = _halved(matrix) if self.half else matrix
            self._append(numbers, stored, list(stored))

    def halve(self) -> list[int]:
        """Convert the vectors to float16; return the ids of damaged ones, which are deleted.

        The old file is deleted when the new one is complete. If the disk is too full, nothing changes.

        Raises
        ------
        LibraryReadOnlyError
        """
        damaged = self.check()
        with self._lock:
            if not self.half:
                self._descriptors()
                if len(self):
                    self._compact(files.HALF_MAGIC)
                else:
                    self._wanted = files.HALF_MAGIC
                    with translated(self._folder):
                        self._start_empty()
        return damaged

    def _converted(self, rows: NDArray[np.generic], magic: bytes) -> NDArray[np.generic]:
        return _halved(rows) if magic == files.HALF_MAGIC and not self.half else rows

    def _vectors(self, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self._take(self._mapped(), positions)
        return found.astype(np.float32) if self.half else found

    def _row(self) -> np.dtype[np.generic]:
        return np.dtype(("<f2" if self.half else "<f4", (self.dimension,)))

    def _spans(self, positions: NDArray[np.int64]) -> files.Spans:
        return positions, np.ones(len(positions), np.int64)

    def _add_spans(self, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Do nothing: row k is at position k."""


def _halved(rows: NDArray[np.generic]) -> NDArray[np.float16]:
    """Return rows as float16, clipped to its range."""
    most = float(np.finfo(np.float16).max)
    half: NDArray[np.float16] = np.clip(rows, -most, most).astype("<f2")
    return half


class Vectors(StoreFolder[VectorStore]):
    """The vector stores of a library; see `StoreFolder`."""

    _kind = VectorStore

    @staticmethod
    def matrix(stores: Sequence[VectorStore], ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of photos from several stores, concatenated by columns.

        Parameters
        ----------
        stores : sequence of VectorStore
            Stores with dimensions d_1, d_2, ...
        ids : ndarray of int64, shape (n,)

        Returns
        -------
        ndarray of float32, shape (n, d_1 + d_2 + ...)
            Contiguous. Memory-mapped and read-only for one store with contiguous rows in this order; else a copy.

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
