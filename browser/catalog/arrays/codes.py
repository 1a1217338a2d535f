# SPDX-License-Identifier: MIT
"""Codes of photos on disk: packed bits, one code for each photo, memory-mapped. Damaged codes are dropped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.browser.catalog.arrays import record_files as files
from focal_photos.browser.catalog.arrays.positions import as_ids
from focal_photos.browser.catalog.arrays.record_store import RecordStore
from focal_photos.browser.catalog.arrays.store_folder import StoreFolder


class CodeStore(RecordStore):
    """Codes of one key, uint8 of shape (d,), by photo id; see `RecordStore`."""

    MAGICS: ClassVar[tuple[bytes, ...]] = (files.CODE_MAGIC,)
    ENTRY: ClassVar[np.dtype[np.void]] = files.ENTRY
    NOUN: ClassVar[str] = "code"

    def rows(self, ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the codes of n photos, (n, d): mapped and read-only if contiguous in this order, else a copy.

        Raises
        ------
        KeyError
            If a photo has no code; see `missing`.
        """
        with self._lock:
            found: NDArray[np.uint8] = self._take(self._mapped(), self._present(as_ids(ids)))
            return found

    def append(self, ids: Iterable[int] | NDArray[np.int64], rows: ArrayLike) -> None:
        """Add codes, replacing earlier ones of the same ids; at the end, either all are on the disk or none.

        Parameters
        ----------
        ids : iterable of int, length m
            Distinct, from 0 to 2**31 - 1.
        rows : array_like of uint8, shape (m, d)

        Raises
        ------
        ValueError
            If shapes or ids are invalid.
        LibraryFullError, LibraryReadOnlyError
        """
        numbers = as_ids(ids)
        matrix = np.ascontiguousarray(rows, np.uint8)
        if matrix.shape != (len(numbers), self.dimension):
            raise ValueError(f"rows have the shape {matrix.shape}, expected {(len(numbers), self.dimension)}")
        self._append(numbers, matrix, list(matrix))

    def _row(self) -> np.dtype[np.generic]:
        return np.dtype(("u1", (self.dimension,)))

    def _spans(self, positions: NDArray[np.int64]) -> files.Spans:
        return positions, np.ones(len(positions), np.int64)

    def _add_spans(self, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Do nothing: row k is at position k."""


class Codes(StoreFolder[CodeStore]):
    """The code stores of a library; see `StoreFolder`."""

    _kind = CodeStore
