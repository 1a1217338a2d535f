# SPDX-License-Identifier: MIT
"""Sparse matrices by rows, with only the operations that rankings by neighbourhoods need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A matrix in compressed row format, without scipy.sparse, which takes two times longer to load than numpy."""

    indptr: NDArray[np.int64]
    """Row i has the entries ``indptr[i]:indptr[i + 1]``; shape (n + 1,)."""
    indices: NDArray[np.int32]
    """Columns of the entries, ascending in each row; shape (m,)."""
    data: NDArray[np.float32]
    """Values of the entries; shape (m,)."""

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def entries(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the positions of all entries of some rows (r,), row by row, and the number of entries per row (r,)."""
        starts = self.indptr[rows]
        sizes = self.indptr[rows + 1] - starts
        ends = np.cumsum(sizes)
        return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes), sizes

    def transposed(self) -> SparseRows:
        """Return the transpose of a square matrix."""
        order = np.argsort(self.indices, kind="stable")
        owners = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.indptr))
        counts = np.bincount(self.indices, minlength=len(self))
        return SparseRows(np.concatenate([[0], np.cumsum(counts)]), owners[order], self.data[order])

    def toarray(self) -> NDArray[np.float32]:
        """Return the dense matrix, float32 (n, n)."""
        whole = np.zeros((len(self), len(self)), np.float32)
        whole[np.repeat(np.arange(len(self)), np.diff(self.indptr)), self.indices] = self.data
        return whole
