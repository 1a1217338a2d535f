# SPDX-License-Identifier: MIT
"""Patches of photos on disk: any number of points with vectors for each photo. Damaged records are dropped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.browser.catalog.arrays import record_files as files
from focal_photos.browser.catalog.arrays.positions import as_ids
from focal_photos.browser.catalog.arrays.record_store import RecordStore
from focal_photos.browser.catalog.arrays.store_folder import StoreFolder

GRAIN: Final = 64
"""Points are rounded to multiples of one pixel divided by this."""

_MAX_OFFSET: Final = np.iinfo(np.int16).max / GRAIN


class PatchStore(RecordStore):
    """Patches of one key: for each photo id any number n >= 0 of points and vectors; see `RecordStore`.

    Points are stored to 1/64 pixel and clipped to -512 to 511.98 pixels. Vectors are stored as float16, which halves
    their size at a relative error of at most 0.05 % per component, far below the difference between two patches of the
    same object.
    """

    MAGICS: ClassVar[tuple[bytes, ...]] = (files.PATCH_MAGIC,)
    ENTRY: ClassVar[np.dtype[np.void]] = files.PATCH_ENTRY
    NOUN: ClassVar[str] = "patch"

    def read(self, photo_id: int) -> tuple[NDArray[np.float32], NDArray[np.float16]]:
        """Return the patches of a photo.

        Returns
        -------
        points : ndarray of float32, shape (n, 2)
            x and y in pixels of the working image.
        vectors : ndarray of float16, shape (n, d)
            Memory-mapped and read-only; not contiguous, since points are stored between the rows.

        Raises
        ------
        KeyError
            If the photo has no record; see `missing`.
        """
        with self._lock:
            rows = self._take(self._mapped(), self._present(as_ids([photo_id])))
        return rows["point"] * np.float32(1 / GRAIN), rows["vector"]

    def gather(self, ids: Iterable[int] | NDArray[np.int64]) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
        """Return the stacked vectors of several photos.

        Parameters
        ----------
        ids : iterable of int, length m

        Returns
        -------
        vectors : ndarray of float16, shape (total, d)
            Memory-mapped and read-only if the photos are contiguous in this order, else a copy; rows are not
            contiguous.
        offsets : ndarray of int64, shape (m + 1,)
            The vectors of photo i are ``vectors[offsets[i]:offsets[i + 1]]``.

        Raises
        ------
        KeyError
            If a photo has no record; see `missing`.
        """
        with self._lock:
            positions = self._present(as_ids(ids))
            vectors: NDArray[np.float16] = self._take(self._mapped(), positions)["vector"]
            return vectors, np.concatenate([[0], np.cumsum(self._spans(positions)[1])]).astype(np.int64)

    def counts(self, ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of patches of each photo, int64 (m,); raises `KeyError` like `gather`."""
        with self._lock:
            return self._spans(self._present(as_ids(ids)))[1]

    def append(self, ids: Iterable[int] | NDArray[np.int64], patches: Sequence[tuple[ArrayLike, ArrayLike]]) -> None:
        """Add the patches of photos, replacing earlier ones; at the end, either all are on the disk or none.

        Parameters
        ----------
        ids : iterable of int, length m
            Distinct, from 0 to 2**31 - 1.
        patches : sequence of (points, vectors), length m
            Array_like of shapes (n, 2) and (n, d). With n = 0, the photo has an empty record.

        Raises
        ------
        ValueError
            If shapes or ids are invalid, or a value is not finite as float16 (beyond 65504).
        LibraryFullError, LibraryReadOnlyError
        """
        numbers = as_ids(ids)
        if len(patches) != len(numbers):
            raise ValueError(f"{len(patches)} records do not belong to {len(numbers)} ids")
        records = [self._packed(points, vectors) for points, vectors in patches]
        if records:
            self._append(numbers, np.concatenate(records), records)

    def _packed(self, points: ArrayLike, vectors: ArrayLike) -> NDArray[np.void]:
        places, values = np.asarray(points, np.float32), np.asarray(vectors)
        if values.ndim != 2 or values.shape[1] != self.dimension or places.shape != (len(values), 2):
            raise ValueError(
                f"points {places.shape} and vectors {values.shape}, expected (n, 2), (n, {self.dimension})"
            )
        rows = np.empty(len(values), self._row())
        with np.errstate(over="ignore"):
            rows["vector"] = values
        if not (np.isfinite(rows["vector"]).all() and np.isfinite(places).all()):
            raise ValueError("a value is not finite, or too large for float16")
        rows["point"] = np.rint(np.clip(places, -_MAX_OFFSET, _MAX_OFFSET) * GRAIN)
        return rows

    def _row(self) -> np.dtype[np.generic]:
        return np.dtype([("point", "<i2", (2,)), ("vector", "<f2", (self.dimension,))])

    def _reset(self, generation: int) -> None:
        super()._reset(generation)
        self._table = np.empty((0, 2), np.int64)  # by position: first row and count; larger than needed

    def _spans(self, positions: NDArray[np.int64]) -> files.Spans:
        return self._table[positions, 0], self._table[positions, 1]

    def _add_spans(self, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        first, stop = self._positions.count, self._positions.count + len(starts)
        if stop > len(self._table):
            grown = np.empty((max(stop, 2 * len(self._table)), 2), np.int64)
            grown[:first] = self._table[:first]
            self._table = grown
        self._table[first:stop] = np.stack([starts, counts], axis=1)


class Patches(StoreFolder[PatchStore]):
    """The patch stores of a library; see `StoreFolder`."""

    _kind = PatchStore
