"""Galleries: what is searched for the photos nearest to a focal image, exactly."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.core.errors import LearnerError
from learners.core.linalg import blocks, smallest

_FULL_SHARE = 4
"""When more than a quarter of the gallery is wanted, everything is compared directly."""

_THREAD_ROWS = 1 << 17
"""Rows below which a second thread costs more than it brings."""

_LOOKUP_ROWS = 1 << 17
"""Rows of codes looked up at once: their sums stay in a core's cache."""

Ranking = tuple[NDArray[np.intp], NDArray[np.float32]]

TieBreaker = Callable[[NDArray[np.intp]], NDArray[np.floating]]
"""Gives numbers (c,) for rows (c,), lowest first among equal distances."""


class FloatGallery:
    """Photos as points; the distance is Euclidean.

    A query reads the matrix once (a matrix-vector product gives ``|z|^2 - 2 z'q`` for all), takes the candidates
    for the top k by a sampled threshold, wide enough for every rounding error of that product, and
    compares these directly. The result is therefore that of the direct comparison with every photo, and a
    distance near 0 is as accurate as the coordinates.

    Parameters
    ----------
    embedding : ndarray of float32, shape (N, r)
        One row a photo; may be a memory map. It is not copied and must not change.

    Raises
    ------
    LearnerError
        Not a float32 matrix, or not finite.
    """

    def __init__(self, embedding: NDArray[np.float32]) -> None:
        if embedding.ndim != 2 or embedding.dtype != np.float32:
            raise LearnerError(f"A gallery needs a float32 matrix, not {embedding.dtype} {embedding.shape}.")
        self.embedding = embedding
        self._norms = np.empty(len(embedding), dtype=np.float32)
        for part in blocks(len(embedding)):
            block = np.asarray(embedding[part])
            self._norms[part] = np.einsum("ij,ij->i", block, block)
        self._largest = float(self._norms.max(initial=0.0))
        if not np.isfinite(self._largest) or np.isnan(self._norms).any():
            raise LearnerError("The embedding contains NaN or infinite values.")

    def __len__(self) -> int:
        return len(self.embedding)

    def rank(self, query: ArrayLike, k: int | None = None) -> Ranking:
        """Return the nearest photos.

        Parameters
        ----------
        query : array_like of float, shape (r,)
        k : int, optional
            How many; all, if not given or larger than the gallery.

        Returns
        -------
        rows : ndarray of intp, shape (k,)
            Row numbers, nearest first; equal distances in the order of the rows.
        distances : ndarray of float32, shape (k,)
            Ascending.
        """
        point = self._queries(np.atleast_2d(np.asarray(query)))[0]
        count = len(self) if k is None else min(k, len(self))
        if count <= 0:
            return _nothing()
        if count * _FULL_SHARE >= len(self):
            return self._sorted(point, None, count)
        scores = np.empty(len(self), dtype=np.float32)
        for part in blocks(len(self), 1 << 20):
            np.matmul(self.embedding[part], point, out=scores[part])
        scores *= -2
        scores += self._norms
        return self._sorted(point, smallest(scores, count, self._slack(point)), count)

    def rank_many(
        self, queries: ArrayLike, k: int, *, skip: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the nearest photos of several queries; one matrix product a block of queries.

        Parameters
        ----------
        queries : array_like of float, shape (q, r)
        k : int
            How many each, at most the size of the gallery (less one with `skip`).
        skip : ndarray of intp, shape (q,), optional
            For each query a row that is left out: the query itself, where it is in the gallery. -1: none.

        Returns
        -------
        rows : ndarray of intp, shape (q, k)
        distances : ndarray of float32, shape (q, k)
            As `rank` gives them.
        """
        points = self._queries(np.asarray(queries))
        left_out = np.full(len(points), -1) if skip is None else np.asarray(skip)
        count = max(0, min(k, len(self) - (0 if skip is None else 1)))
        rows = np.empty((len(points), count), dtype=np.intp)
        distances = np.empty((len(points), count), dtype=np.float32)
        if not count:
            return rows, distances
        # One more than wanted makes room for the row that is skipped.
        wanted = min(count + 1, len(self))
        for part in blocks(len(points), max(1, (1 << 25) // len(self))):
            scores = points[part] @ self.embedding.T
            scores *= -2
            scores += self._norms
            for i, score in enumerate(scores, start=part.start):
                candidates = smallest(score, wanted, self._slack(points[i]))
                candidates = candidates[candidates != left_out[i]]
                rows[i], distances[i] = self._sorted(points[i], candidates, count)
        return rows, distances

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
        """Bound twice the rounding error of a score: r products and sums, and the norms."""
        largest = np.sqrt(self._largest)
        size = 2 * largest * float(np.sqrt(point @ point)) + self._largest
        return 2 * (len(point) + 4) * float(np.finfo(np.float32).eps) / 2 * float(size)

    def _sorted(self, point: NDArray[np.float32], candidates: NDArray[np.intp] | None, count: int) -> Ranking:
        """Compare the candidates (None: all) directly and return the nearest `count`."""
        total = len(self) if candidates is None else len(candidates)
        distances = np.empty(total, dtype=np.float32)
        for part in blocks(total):
            chosen = part if candidates is None else candidates[part]
            delta = self.embedding[chosen].astype(np.float64) - point
            distances[part] = np.sqrt(np.einsum("ij,ij->i", delta, delta))
        return _first(distances, candidates, count)


class BitGallery:
    """Photos as packed bits; the distance is the sum of the weights of the bits that differ.

    A query makes a table for every pair of bytes, with the distance of each of its 65,536 values, and sums what it
    finds there: one look-up for 16 bits of a photo. These tables hold whole numbers, to stay in a core's cache. The
    candidates for the top k, by a sampled threshold with room for the rounding, are summed anew in double precision,
    so that the result is exact.

    Parameters
    ----------
    codes : ndarray of uint8, shape (N, B)
        Bit t is bit ``t % 8``, counted from the lowest, of byte ``t // 8``; may be a memory map. A copy is held column
        by column, of B bytes a photo (one more if B is odd).
    weights : array_like of float, shape (T,)
        >= 0, T <= 8 B. Bits beyond T do not count.

    Raises
    ------
    LearnerError
        Codes that are no uint8 matrix, weights that are negative, not finite or too many.

    Notes
    -----
    OpenCV's look-up takes 16-bit values since version 5, and lets other threads run; numpy's `take`, three times
    slower, stands in for it in older ones. 1,000,000 x 128 bits take some 4 ms of one core, shared by all.
    """

    def __init__(self, codes: NDArray[np.uint8], weights: ArrayLike) -> None:
        if codes.ndim != 2 or codes.dtype != np.uint8:
            raise LearnerError(f"A gallery of bits needs an uint8 matrix, not {codes.dtype} {codes.shape}.")
        given = np.asarray(weights, dtype=np.float64)
        if given.ndim != 1 or len(given) > 8 * codes.shape[1]:
            raise LearnerError(f"{given.shape} weights do not fit codes of {8 * codes.shape[1]} bits.")
        if not (np.isfinite(given).all() and (given >= 0).all()):
            raise LearnerError("Weights of bits must be finite and at least 0.")
        self.codes = codes
        self.weights = given
        count = -(-codes.shape[1] // 2)
        self._words = np.zeros((count, len(codes)), dtype=np.uint16)
        for part in blocks(len(codes)):
            block = np.asarray(codes[part]).astype(np.uint16)
            self._words[:, part] = block[:, 0::2].T
            self._words[: block.shape[1] // 2, part] += block[:, 1::2].T * np.uint16(256)
        padded = np.zeros(16 * count)
        padded[: len(given)] = given
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        self._bytes: NDArray[np.float64] = padded.reshape(-1, 8) @ bits.T.astype(np.float64)

    def __len__(self) -> int:
        return len(self.codes)

    def rank(self, query: ArrayLike, k: int | None = None, *, ties: TieBreaker | None = None) -> Ranking:
        """Return the nearest photos.

        Parameters
        ----------
        query : array_like of uint8, shape (B,)
            Packed as the codes.
        k : int, optional
            How many; all, if not given or larger than the gallery.
        ties : callable, optional
            Orders photos at the same distance, for instance by Euclidean distance; asked once, about those
            that come into question.

        Returns
        -------
        rows : ndarray of intp, shape (k,)
            Row numbers, nearest first; equal distances by `ties`, then in the order of the rows.
        distances : ndarray of float32, shape (k,)
            Ascending: sums of weights, not their roots.
        """
        code = np.asarray(query)
        if code.dtype != np.uint8 or code.shape != self.codes.shape[1:]:
            raise LearnerError(f"A query must be {self.codes.shape[1]} bytes, it is {code.dtype} {code.shape}.")
        count = len(self) if k is None else min(k, len(self))
        if count <= 0:
            return _nothing()
        # The distance of a byte from the query's is that of their difference from 0.
        asked = np.append(code, np.zeros(2 * len(self._words) - len(code), np.uint8))
        tables = np.take_along_axis(self._bytes, np.arange(256) ^ asked[:, None].astype(np.intp), axis=1)
        if count * _FULL_SHARE < len(self):
            # Each table's entries are rounded down by less than 1.
            candidates = smallest(self._scores(tables), count, float(len(tables)))
        else:
            candidates = np.arange(len(self))
        exact = np.zeros(len(candidates))
        for part in blocks(len(candidates)):
            block = self.codes[candidates[part]]
            for table, column in zip(tables, block.T, strict=False):
                exact[part] += table[column]
        if ties is None:
            order = np.argsort(exact, kind="stable")[:count]
        else:
            order = np.lexsort((candidates, np.asarray(ties(candidates)), exact))[:count]
        return candidates[order], exact[order].astype(np.float32)

    def _scores(self, tables: NDArray[np.float64]) -> NDArray[Any]:
        """Return the distances (N,), whole numbers up to 65,535, by all cores where there are enough photos."""
        largest = float(tables.max(axis=1).sum(initial=0.0))
        whole = np.floor(tables * (65535 * (1 - 1e-12) / largest if largest > 0 else 0.0)).astype(np.uint16)
        wide = (whole[1::2, :, None] + whole[0::2, None, :]).reshape(-1, 1 << 16)
        scores = np.zeros(len(self), dtype=np.uint16)

        def look_up(share: slice) -> None:
            found = np.empty((1, _LOOKUP_ROWS), dtype=np.uint16)
            # One table after the other: a table and a block fit into a core's cache, all tables do not.
            for table, words in zip(wide, self._words, strict=True):
                for start in range(share.start, share.stop, _LOOKUP_ROWS):
                    part = slice(start, min(start + _LOOKUP_ROWS, share.stop))
                    target = found[:, : part.stop - part.start]
                    _look_up(words[part], table, target)
                    scores[part] += target[0]

        if len(self) < _THREAD_ROWS:
            look_up(slice(0, len(self)))
        else:
            cores = os.cpu_count() or 1
            list(_threads(cores).map(look_up, blocks(len(self), -(-len(self) // cores))))
        return scores


class FunctionGallery:
    """Photos behind a distance function, for learners without an embedding.

    Parameters
    ----------
    function : callable
        ``function(query)`` gives the distances (N,) to all photos.
    """

    def __init__(self, function: Callable[[NDArray[np.float32]], NDArray[np.floating]]) -> None:
        self._function = function

    def rank(self, query: ArrayLike, k: int | None = None) -> Ranking:
        """Return the nearest photos: rows and distances as `FloatGallery.rank` gives them."""
        point = np.asarray(query, dtype=np.float32)
        if not np.isfinite(point).all():
            raise LearnerError("The query contains NaN or infinite values.")
        distances = np.asarray(self._function(point), dtype=np.float32)
        if np.isnan(distances).any():
            raise LearnerError("The distance function returned NaN.")
        count = len(distances) if k is None else min(k, len(distances))
        if count <= 0:
            return _nothing()
        if count * _FULL_SHARE >= len(distances):
            return _first(distances, None, count)
        candidates = smallest(distances, count)
        return _first(distances[candidates], candidates, count)


@cache
def _threads(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, thread_name_prefix="gallery")


@cache
def _wide_look_up() -> bool:
    """Return whether OpenCV's look-up takes 16-bit values."""
    try:
        cv2.LUT(np.zeros((1, 1), np.uint16), np.zeros(1 << 16, np.uint16))
    except cv2.error:
        return False
    return True


def _look_up(words: NDArray[np.uint16], table: NDArray[np.uint16], target: NDArray[np.uint16]) -> None:
    """Write ``table[words]`` (n,) into target (1, n)."""
    if _wide_look_up():
        cv2.LUT(words[None], table, dst=target)
    else:
        np.take(table, words, out=target[0], mode="clip")


def _nothing() -> Ranking:
    return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.float32)


def _first(distances: NDArray[np.float32], rows: NDArray[np.intp] | None, count: int) -> Ranking:
    """Sort by distance, then by row (rows ascend, and the sort is stable)."""
    order = np.argsort(distances, kind="stable")[:count]
    return (order.astype(np.intp) if rows is None else rows[order]), distances[order]
