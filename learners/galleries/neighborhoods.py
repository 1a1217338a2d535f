# SPDX-License-Identifier: MIT
"""Neighbourhoods of gallery rows from their nearest rows, computed for all rows at once or on request."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import distinct
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.core.progress import ProgressReport, no_report
from focal_photos.learners.galleries.row_gallery import Gallery
from focal_photos.learners.galleries.sparse_rows import SparseRows

SMOOTHED: Final = 3
"""k2: number of nearest photos, including the photo itself, over which neighbourhoods are averaged. With 6, as in the
source, the very first photos are less often right."""

SHARED: Final = 2 / 3
"""The neighbourhood of a neighbour is joined if more than this share of it is already included."""

_ROWS_AT_ONCE: Final = 1024
_CELLS: Final = 1 << 22

_FEW: Final = 2
_FEW_SHARE: Final = 300
"""All neighbourhoods are computed after one request per this number of rows, but not before `_FEW` requests, which one
ranking makes: a single request takes as long as 300 rows of the full computation."""

Weighed = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]
"""Neighbourhoods before averaging, concatenated: indptr (n + 1,), members and their weights (m,)."""

Pairs = Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float32]]
"""Distances (m,) between rows (m,) and others (m,)."""


class Neighborhoods(Protocol):
    """The n neighbourhoods v_i of `learners.galleries.reciprocal.ReciprocalNeighbors`."""

    def of(self, place: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the members of a neighbourhood (m,), ascending, and their weights (m,)."""
        ...

    def having(self, members: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
        """Return the rows whose neighbourhoods contain members (c,), member by member.

        Returns
        -------
        rows : ndarray of int32, shape (m,)
            Ascending for each member.
        weights : ndarray of float32, shape (m,)
            Weight of the member in the row's neighbourhood.
        sizes : ndarray of int64, shape (c,)
            Number of rows of each member.
        """
        ...

    @property
    def whole(self) -> FoundNeighborhoods:
        """The neighbourhoods of all rows; computed on first access."""
        ...


@dataclass(frozen=True, eq=False)
class FoundNeighborhoods:
    """Neighbourhoods of all rows."""

    weights: SparseRows
    """Row i holds v_i; shape (n, n)."""
    columns: SparseRows
    """The same matrix by columns; shape (n, n)."""

    @classmethod
    def of_all(
        cls, gallery: Gallery, nearest: NDArray[np.int32], scale: float, report: ProgressReport = no_report
    ) -> FoundNeighborhoods:
        """Compute from the nearest (n, k + 1) of all rows; `report` covers all but the last fifth of the time."""
        every = np.arange(len(nearest))
        weighed = _weighed(gallery.pair_distances, nearest, every, scale, lambda done: report(0.8 * done))
        weights = _averaged(weighed, nearest[:, :SMOOTHED], len(nearest))
        return cls(weights, weights.transposed())

    def of(self, place: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return a neighbourhood; see `Neighborhoods`."""
        part = slice(self.weights.indptr[place], self.weights.indptr[place + 1])
        return self.weights.indices[part].astype(np.intp), self.weights.data[part]

    def having(self, members: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
        """Return the rows whose neighbourhoods contain members; see `Neighborhoods`."""
        places, sizes = self.columns.entries(members)
        return self.columns.indices[places], self.columns.data[places], sizes

    @property
    def whole(self) -> FoundNeighborhoods:
        """The object itself."""
        return self


class AskedNeighborhoods:
    """Neighbourhoods on request, bit-identical to those of all rows; after many requests, of all rows. Thread-safe.

    Parameters
    ----------
    gallery : Gallery
        n rows.
    nearest : ndarray of int32, shape (n, k + 1)
        The nearest of each row, itself first.
    scale : float
        See `learners.galleries.reciprocal.ReciprocalNeighbors`.
    """

    def __init__(self, gallery: Gallery, nearest: NDArray[np.int32], scale: float) -> None:
        self._gallery, self._nearest, self._scale = gallery, nearest, scale
        self._half = nearest[:, : half_of(nearest.shape[1])]
        self._lock = threading.Lock()
        self._left = max(_FEW, len(nearest) // _FEW_SHARE)  # requests before all are computed

    @cached_property
    def _found(self) -> FoundNeighborhoods:
        return FoundNeighborhoods.of_all(self._gallery, self._nearest, self._scale)

    @property
    def whole(self) -> FoundNeighborhoods:
        """The neighbourhoods of all rows."""
        with self._lock:
            return self._found

    def _answers_few(self) -> bool:
        with self._lock:
            self._left -= 1
            return self._left >= 0 and "_found" not in self.__dict__

    def of(self, place: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return a neighbourhood; see `Neighborhoods`."""
        if not self._answers_few():
            return self.whole.of(place)
        first = self._nearest[[place], :SMOOTHED]
        wanted = distinct(first)
        row = _averaged(self._weighed(wanted), np.searchsorted(wanted, first), len(self._nearest))
        return row.indices.astype(np.intp), row.data

    def having(self, members: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
        """Return the rows whose neighbourhoods contain members; see `Neighborhoods`."""
        if not self._answers_few():
            return self.whole.having(members)
        n, c = len(self._nearest), len(members)
        if not c:
            return np.empty(0, np.int32), np.empty(0, np.float32), np.empty(0, np.int64)
        # A member of the neighbourhood of i is in the smaller neighbourhood of a mutual neighbour of i, or is that
        # neighbour, which is in its own smaller neighbourhood. Mutual neighbourhood is symmetric.
        linked = distinct(self._half[members][_is_mutual(self._half, members)])
        wanted = distinct(self._nearest[linked][_is_mutual(self._nearest, linked)])
        number = np.full(n, -1, dtype=np.int32)
        number[members] = np.arange(c)
        indptr, theirs, weights = self._weighed(wanted, number >= 0)
        column = number[theirs]
        present = column >= 0
        indptr = np.concatenate([[0], np.cumsum(present)])[indptr]
        wanted, indptr = wanted[np.diff(indptr) > 0], distinct(indptr)
        # Averaged rows that are not in `wanted` contain none of the members: they refer to the last, empty row.
        number[:] = len(wanted)
        number[wanted] = np.arange(len(wanted))
        first = number[self._nearest[:, :SMOOTHED]]
        rows = np.flatnonzero((first < len(wanted)).any(axis=1)).astype(np.int32)
        indptr = np.concatenate([indptr, indptr[-1:]])
        found = _averaged((indptr, column[present], weights[present]), first[rows], c)
        order = np.argsort(found.indices, kind="stable")
        owners = np.repeat(rows, np.diff(found.indptr))
        return owners[order], found.data[order], np.bincount(found.indices, minlength=c)

    def _weighed(self, wanted: NDArray[np.int32], having: NDArray[np.bool_] | None = None) -> Weighed:
        """Return the neighbourhoods of rows (w,), ascending, before averaging, using only relevant rows."""
        near = distinct(self._nearest[wanted])
        some = distinct(np.concatenate([near, self._half[near].ravel()])).astype(np.intp)
        number = np.full(len(self._nearest), -1, dtype=np.int32)
        number[some] = np.arange(len(some))

        def far(rows: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.float32]:
            return self._gallery.pair_distances(some[rows], some[others])

        nearest, mask = number[self._nearest[some]], None if having is None else having[some]
        indptr, members, weights = _weighed(far, nearest, number[wanted], self._scale, having=mask)
        return indptr, some[members].astype(np.int32), weights


def half_of(length: int) -> int:
    """Return the number of nearest photos, including the photo itself, in the smaller neighbourhoods."""
    return (length - 1) // 2 + 1


def mutual_of(nearest: NDArray[np.int32], place: int, length: int) -> NDArray[np.intp]:
    """Return the mutual neighbours of a row among the first `length` nearest, including the row itself."""
    near = nearest[place, :length]
    mutual: NDArray[np.intp] = near[(nearest[near, :length] == place).any(axis=1)].astype(np.intp)
    return mutual


def _is_mutual(nearest: NDArray[np.int32], rows: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which of the nearest (n, k) of rows (r,) have that row among their nearest: (r, k)."""
    found = np.empty((len(rows), nearest.shape[1]), dtype=bool)
    for part in blocks(len(rows), _ROWS_AT_ONCE):
        owners = rows[part].astype(np.int32)
        found[part] = (nearest[nearest[owners]] == owners[:, None, None]).any(axis=2)
    return found


def _rows_at_once(n: int) -> int:
    """Return the number of rows of n cells processed at a time."""
    return max(1, _CELLS // n)


def _distinct(cells: NDArray[np.int64], marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the distinct cells, ascending, together with those marked before."""
    marks[cells] = True
    return np.flatnonzero(marks)


def _weighed(
    far: Pairs,
    nearest: NDArray[np.int32],
    wanted: NDArray[np.integer],
    scale: float,
    report: ProgressReport = no_report,
    *,
    having: NDArray[np.bool_] | None = None,
) -> Weighed:
    """Return the neighbourhoods of rows (w,), ascending, before averaging, from the nearest of n rows.

    With `having` (n,), neighbourhoods without any of these members are empty.

    The nearest (n, k + 1) must contain the entries of the rows and of their nearest, and the first half of the entries
    of the nearer half of these. Other entries may be -1, and those rows are never requested.
    """
    n, length = nearest.shape
    half = nearest[:, : half_of(length)]
    is_mutual, is_mutual_in_half = _is_mutual(nearest, wanted), np.empty(half.shape, dtype=bool)
    around = wanted if len(wanted) == n else distinct(nearest[wanted])
    is_mutual_in_half[around] = _is_mutual(half, around)
    sizes = np.zeros(len(wanted), dtype=np.int64)
    every, weighed = [], []
    for part in blocks(len(wanted), _rows_at_once(n)):
        rows = wanted[part].astype(np.intp)
        near, mutual = nearest[rows], is_mutual[part]
        start = np.arange(len(near)) * n
        marks = np.zeros(len(near) * n, dtype=bool)
        # Share of each mutual neighbour's smaller neighbourhood that is in that of the row.
        own = (start[:, None] + near)[mutual]
        marks[own] = True
        theirs, in_theirs = start[:, None, None] + half[near], is_mutual_in_half[near]
        enough = mutual & ((in_theirs & marks[theirs]).sum(axis=2) > SHARED * in_theirs.sum(axis=2))
        cells = _distinct(np.concatenate([own, theirs[in_theirs & enough[:, :, None]]]), marks)
        owners, members = cells // n, (cells % n).astype(np.int32)
        if having is not None:
            shared = (np.bincount(owners, having[members]) > 0)[owners]
            owners, members = owners[shared], members[shared]
        squared = np.square(far(rows[owners], members.astype(np.intp)), dtype=np.float64)
        weights = np.exp(-squared / scale)
        counts = np.bincount(owners, minlength=len(near))
        weights /= np.repeat(np.bincount(owners, weights, len(near)), counts)
        sizes[part] = counts
        every.append(members)
        weighed.append(weights)
        report(min(1.0, part.stop / len(wanted)))
    return np.concatenate([[0], np.cumsum(sizes)]), np.concatenate(every), np.concatenate(weighed)


def _averaged(rows: Weighed, first: NDArray[np.integer], width: int) -> SparseRows:
    """Return the means of the sparse rows named by `first` (f, s), float32 (f, width)."""
    indptr, indices, data = rows
    sizes = np.zeros(len(first), dtype=np.int64)
    columns, values = [], []
    for part in blocks(len(first), _rows_at_once(width)):
        wanted = first[part].ravel()
        lengths = indptr[wanted + 1] - indptr[wanted]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1]) + np.repeat(indptr[wanted] - (ends - lengths), lengths)
        owners = np.repeat(np.repeat(np.arange(len(first[part])), first.shape[1]), lengths)
        cells = owners * width + indices[places]
        found = _distinct(cells, np.zeros(len(first[part]) * width, dtype=bool))
        at = np.empty(len(first[part]) * width, dtype=np.int32)
        at[found] = np.arange(len(found))
        sizes[part] = np.bincount(found // width, minlength=len(first[part]))
        columns.append((found % width).astype(np.int32))
        values.append((np.bincount(at[cells], data[places]) / first.shape[1]).astype(np.float32))
    return SparseRows(np.concatenate([[0], np.cumsum(sizes)]), np.concatenate(columns), np.concatenate(values))
