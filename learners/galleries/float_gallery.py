# SPDX-License-Identifier: MIT
"""A gallery of points with Euclidean distance and exact search."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import blocks, nearest_first, row_products, smallest
from focal_photos.learners.galleries import quantized_rows

FULL_SHARE = 4
"""If more than a quarter of the gallery is requested, all rows are compared directly."""

_FEW_SHARE = 8
"""Up to an eighth of the rows are copied to be compared; for more, the whole matrix is read in place."""

_QUANTIZED_SIZE = 1 << 26
"""Bytes above which rankings read 8-bit rows first: those of smaller galleries are partly in the processor's cache."""

_FLOAT_RANKINGS = 8
"""Rankings by floats before the rows are quantised, which takes as long as about 40 rankings save."""

_FEW_QUERIES = 12
"""Queries that are ranked one by one in a large gallery: a matrix product with few rows copies the whole gallery."""

_COMPARED = 1 << 18
"""Numbers compared directly at a time, so that their float64 copies stay in the processor's cache."""

_MAX_PLAIN_SORT = 2048
"""Number of distances up to which a plain sort is faster than packed sort keys."""

_MAX_SMALL_ROWS = 4096
"""Rows up to which a gallery is small; the nearest of many queries are then found for all queries together."""

_ROUNDING = 1e-5
"""Relative error of a squared distance computed from a float32 distance."""

RankedRows = tuple[NDArray[np.intp], NDArray[np.float32]]
"""Rows of a gallery, nearest first, and their distances: shapes (k,)."""


class FloatGallery:
    """Photos as points; the distance is Euclidean.

    A query reads the matrix once (a matrix-vector product gives ``|z|^2 - 2 z'q`` for all rows), selects candidates for
    the top k by a sampled threshold with a margin for all rounding errors of that product, and compares the candidates
    directly. The result therefore equals that of a direct comparison with every photo, and a distance near 0 is as
    accurate as the coordinates.

    A gallery of more than 64 MB that is ranked repeatedly first reads a copy of its rows in 8-bit integers
    (`quantized`), which excludes most rows; the matrix-vector product is computed for the others only.

    Parameters
    ----------
    embedding : ndarray of float32, shape (N, r)
        One row per photo; may be a memory map. It is not copied and must not change.

    Raises
    ------
    LearnerError
        If it is not a float32 matrix, or not finite.
    """

    def __init__(self, embedding: NDArray[np.float32]) -> None:
        if embedding.ndim != 2 or embedding.dtype != np.float32:
            raise LearnerError(f"A gallery needs a float32 matrix, not {embedding.dtype} {embedding.shape}.")
        self.embedding = embedding
        self._plain = np.asarray(embedding)  # slicing a memory map runs slow Python code
        self._rankings = 0
        self._look_through()

    def _look_through(self) -> None:
        """Read all rows once, to check that they are finite and to compute their norms."""
        assert self._largest >= 0

    @cached_property
    def _norms(self) -> NDArray[np.float32]:
        """Squared norms of the rows, float32 (N,)."""
        norms = np.empty(len(self.embedding), dtype=np.float32)
        for part in blocks(len(self.embedding)):
            block = self._plain[part]
            norms[part] = np.einsum("ij,ij->i", block, block)
        if not np.isfinite(norms).all():
            raise LearnerError("The embedding contains NaN or infinite values.")
        return norms

    @cached_property
    def _largest(self) -> float:
        return float(self._norms.max(initial=0.0))

    @cached_property
    def quantized(self) -> quantized_rows.QuantizedRows:
        """The rows as 8-bit integers, a quarter of the bytes.

        Made in the thread of the ninth ranking, in .2 s for 100,000 rows of 464 coordinates, and kept as long as the
        gallery, whose rows never change.
        """
        return quantized_rows.QuantizedRows(self._plain, self._norms)

    @property
    def _at_once(self) -> int:
        """Rows compared at a time, so few that their differences stay in the processor's cache."""
        width: int = self.embedding.shape[1]
        return max(1, _COMPARED // max(1, width))

    def __len__(self) -> int:
        return len(self.embedding)

    def rank(self, query: ArrayLike, k: int | None = None, *, allowed: NDArray[np.bool_] | None = None) -> RankedRows:
        """Return the nearest rows.

        Parameters
        ----------
        query : array_like of float, shape (r,)
        k : int, optional
            Number of rows; all by default or if larger than the gallery.
        allowed : ndarray of bool, shape (N,), optional
            Rows to rank; all by default.

        Returns
        -------
        rows : ndarray of intp, shape (k,)
            Row numbers, nearest first; equal distances in the order of the rows.
        distances : ndarray of float32, shape (k,)
            Ascending.
        """
        point = self._queries(np.atleast_2d(np.asarray(query)))[0]
        total = len(self) if allowed is None else int(np.count_nonzero(allowed))
        count = total if k is None else min(k, total)
        if count <= 0:
            return no_rows()
        is_full = count * FULL_SHARE >= total
        chosen = None if is_full else self._possible(point, count, allowed)
        if chosen is None and allowed is not None:
            chosen = np.flatnonzero(allowed)
        if is_full:
            return self._sorted(point, chosen, count)
        candidates = smallest(self._scores(point, chosen), count, self._slack(point))
        return self._sorted(point, candidates if chosen is None else chosen[candidates], count)

    def _possible(
        self, point: NDArray[np.float32], count: int, allowed: NDArray[np.bool_] | None
    ) -> NDArray[np.intp] | None:
        """Return the rows that the quantised ones do not exclude; None if these are not used."""
        if self._plain.nbytes < _QUANTIZED_SIZE:
            return None
        self._rankings += 1
        if self._rankings <= _FLOAT_RANKINGS:
            return None
        # The slack of float32 products is not larger for integers. Twice as much includes all ties after rounding.
        return self.quantized.candidates(point, count, 2 * self._slack(point), allowed)

    def _scores(self, point: NDArray[np.float32], chosen: NDArray[np.intp] | None) -> NDArray[np.float32]:
        """Return ``|z|^2 - 2 z'q`` for some rows, ascending (c,), or for all."""
        if chosen is not None and len(chosen) * _FEW_SHARE < len(self):
            scores = np.empty(len(chosen), dtype=np.float32)
            for part in blocks(len(chosen)):
                np.matmul(self._plain[chosen[part]], point, out=scores[part])
        else:
            scores = np.empty(len(self), dtype=np.float32)
            for part in blocks(len(self), 1 << 20):
                row_products(self._plain[part], point, out=scores[part])
            if chosen is not None:
                scores = scores[chosen]
        scores *= -2
        scores += self._norms if chosen is None else self._norms[chosen]
        return scores

    def rank_many(
        self, queries: ArrayLike, k: int, *, skip: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the nearest rows of several queries, with one matrix product per block of queries if they are many.

        Parameters
        ----------
        queries : array_like of float, shape (q, r)
        k : int
            Number of rows per query, at most the size of the gallery (less one with `skip`).
        skip : ndarray of intp, shape (q,), optional
            For each query, a row to exclude: the query itself if it is in the gallery. -1: none.

        Returns
        -------
        rows : ndarray of intp, shape (q, k)
        distances : ndarray of float32, shape (q, k)
            As in `rank`.
        """
        points = self._queries(np.asarray(queries))
        left_out = np.full(len(points), -1) if skip is None else np.asarray(skip)
        count = max(0, min(k, len(self) - (0 if skip is None else 1)))
        rows = np.empty((len(points), count), dtype=np.intp)
        distances = np.empty((len(points), count), dtype=np.float32)
        if not count:
            return rows, distances
        # One more than requested, because a row may be skipped.
        wanted = min(count + 1, len(self))
        if self._plain.nbytes >= _QUANTIZED_SIZE and len(points) <= _FEW_QUERIES:
            for i, point in enumerate(points):
                found, far = FloatGallery.rank(self, point, wanted)
                others = found != left_out[i]
                rows[i], distances[i] = found[others][:count], far[others][:count]
            return rows, distances
        is_small = len(self) <= _MAX_SMALL_ROWS
        for part in blocks(len(points), max(1, (1 << (22 if is_small else 25)) // len(self))):
            scores = points[part] @ self.embedding.T
            scores *= -2
            scores += self._norms
            if is_small:
                rows[part], distances[part] = self._first_of_each(points[part], scores, left_out[part], count, wanted)
                continue
            for i, score in enumerate(scores, start=part.start):
                candidates = smallest(score, wanted, self._slack(points[i]))
                candidates = candidates[candidates != left_out[i]]
                rows[i], distances[i] = self._sorted(points[i], candidates, count)
        return rows, distances

    def _first_of_each(
        self,
        points: NDArray[np.float32],
        scores: NDArray[np.float32],
        left_out: NDArray[np.intp],
        count: int,
        wanted: int,
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the result of `_sorted` for each query, without a Python step per query, for small galleries."""
        limits = np.partition(scores, wanted - 1, axis=1)[:, wanted - 1] + self._slacks(points)
        is_candidate = scores <= limits[:, None]
        inside = np.flatnonzero(left_out >= 0)
        is_candidate[inside, left_out[inside]] = False
        query, row = np.nonzero(is_candidate)
        counts = np.bincount(query, minlength=len(points))
        place = np.arange(len(query)) - np.repeat(np.cumsum(counts) - counts, counts)
        candidates = np.zeros((len(points), int(counts.max())), dtype=np.intp)
        candidates[query, place] = row
        found = np.empty(candidates.shape, dtype=np.float32)
        for part in blocks(len(points), max(1, self._at_once // candidates.shape[1])):
            delta = np.subtract(self._plain[candidates[part]], points[part, None], dtype=np.float64)
            found[part] = np.sqrt(np.einsum("ijk,ijk->ij", delta, delta))
        found[np.arange(candidates.shape[1]) >= counts[:, None]] = np.inf
        order = np.argsort(found, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(candidates, order, axis=1), np.take_along_axis(found, order, axis=1)

    def distances(self, query: ArrayLike, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the distances (c,) from a query (r,) to some rows (c,)."""
        point = self._queries(np.atleast_2d(np.asarray(query)))[0]
        found = np.empty(len(rows), dtype=np.float32)
        for part in blocks(len(rows), self._at_once):
            delta = self._plain[rows[part]].astype(np.float64)
            delta -= point
            found[part] = np.sqrt(np.einsum("ij,ij->i", delta, delta))
        return found

    def pair_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the distances (m,) between rows (m,) and others (m,) of the gallery."""
        found = np.empty(len(rows), dtype=np.float32)
        for part in blocks(len(rows), self._at_once):
            delta = self._plain[rows[part]].astype(np.float64)
            delta -= self._plain[others[part]]
            found[part] = np.sqrt(np.einsum("ij,ij->i", delta, delta))
        return found

    def squared_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp] | None = None) -> NDArray[np.float32]:
        """Return the squared distances (m, c) of rows (m,) to others (c,) or to all, subject to rounding.

        One matrix product; the error of a distance is up to the float32 rounding at the magnitude of the coordinates.
        """
        points = np.ascontiguousarray(self.embedding[rows])
        norms, own = self._norms if others is None else self._norms[others], self._norms[rows]
        found = points @ (self.embedding if others is None else self.embedding[others]).T
        found *= -2
        found += norms
        found += own[:, None]
        np.maximum(found, 0, out=found)
        if others is None:
            found[np.arange(len(points)), rows] = 0
        else:
            found[np.asarray(rows)[:, None] == others] = 0
        return found

    def squared_distance_sums(self, rows: NDArray[np.intp], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over rows (m,) of weights (m,) times their squared distances to each row: (n,).

        ``sum w |x - z|^2 = |x|^2 sum w + sum w |z|^2 - 2 x' sum w z``: one matrix-vector product.
        """
        mean = weights @ self.embedding[rows].astype(np.float64)
        found = np.empty(len(self), dtype=np.float64)
        direction = mean.astype(np.float32)
        for part in blocks(len(self), 1 << 20):
            found[part] = row_products(self._plain[part], direction)
        found *= -2
        found += weights.sum() * self._norms
        found += weights @ self._norms[rows]
        return found

    def within(
        self, rows: NDArray[np.intp], reach: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
        """Find the rows whose reach (n,) includes some of the rows (m,).

        Returns
        -------
        reaching, reached : ndarray of intp, shape (c,)
            Pairs of a row and one of `rows`; a negative reach includes nothing.
        distances : ndarray of float32, shape (c,)
            At most the reach.
        """
        points = np.ascontiguousarray(self.embedding[rows])
        limits = np.where(reach < 0, -np.inf, np.square(reach) * (1 + _ROUNDING)).astype(np.float32) - self._norms
        scores = points @ self.embedding.T
        scores *= -2
        slack = self._slacks(points) - self._norms[rows]
        found, reaching = np.nonzero(scores <= limits + slack[:, None])
        reached = rows[found]
        distances = self.pair_distances(reaching, reached)
        near = distances <= reach[reaching]
        return reaching[near], reached[near], distances[near]

    def among(self, rows: NDArray[np.intp]) -> FloatGallery:
        """Return a gallery of some rows (c,)."""
        return FloatGallery(np.ascontiguousarray(self.embedding[rows]))

    @property
    def rows(self) -> NDArray[np.float32]:
        """The embedding, float32 (N, r)."""
        return self.embedding

    def _queries(self, queries: NDArray[np.generic]) -> NDArray[np.float32]:
        if queries.ndim != 2 or queries.shape[1] != self.embedding.shape[1]:
            raise LearnerError(
                f"A query must have {self.embedding.shape[1]} coordinates, its shape is {queries.shape}."
            )
        points = np.ascontiguousarray(queries, dtype=np.float32)
        if not np.isfinite(points).all():
            raise LearnerError("The query contains NaN or infinite values.")
        return points

    def _slack(self, point: NDArray[np.float32]) -> float:
        """Return twice the bound on the rounding error of a score: r products and sums, and the norms."""
        return float(self._slacks(point[None])[0])

    def _slacks(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the `_slack` of points (q, r): (q,)."""
        lengths = np.sqrt(np.einsum("ij,ij->i", points, points))
        sizes = 2 * float(np.sqrt(self._largest)) * lengths + self._largest
        slacks: NDArray[np.float32] = 2 * (points.shape[1] + 4) * float(np.finfo(np.float32).eps) / 2 * sizes
        return slacks

    def _sorted(self, point: NDArray[np.float32], candidates: NDArray[np.intp] | None, count: int) -> RankedRows:
        """Compare the candidates (None: all) directly and return the nearest `count`."""
        total = len(self) if candidates is None else len(candidates)
        distances = np.empty(total, dtype=np.float32)
        for part in blocks(total, self._at_once):
            chosen = part if candidates is None else candidates[part]
            delta = self._plain[chosen].astype(np.float64)
            delta -= point
            distances[part] = np.sqrt(np.einsum("ij,ij->i", delta, delta))
        return first_of(distances, candidates, count)


def no_rows() -> RankedRows:
    """Return an empty ranking: intp (0,) and float32 (0,)."""
    return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.float32)


def first_of(distances: NDArray[np.float32], rows: NDArray[np.intp] | None, count: int) -> RankedRows:
    """Sort by distance, then by row, and return the first `count`.

    Parameters
    ----------
    distances : ndarray of float32, shape (c,)
    rows : ndarray of intp, shape (c,), or None
        Ascending; None: 0, 1, ...
    count : int

    Returns
    -------
    rows : ndarray of intp, shape (count,)
    distances : ndarray of float32, shape (count,)
    """
    if len(distances) <= _MAX_PLAIN_SORT:
        order = np.argsort(distances, kind="stable")[:count]
        return (order.astype(np.intp) if rows is None else rows[order]), distances[order]
    labels, ordered = nearest_first(distances, np.arange(len(distances)) if rows is None else rows)
    return labels[:count].astype(np.intp, copy=False), ordered[:count]
