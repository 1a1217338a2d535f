"""Vectors of photos on disk: one growing, memory-mapped float32 array a key. What is damaged is dropped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from browser.catalog.arrays.stores import Stores
from browser.catalog.arrays.vector_store import VectorStore

_BLOCK = 1 << 24  # bytes copied at a time


class Vectors(Stores[VectorStore]):
    """The vector stores of a library; see `Stores`."""

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
