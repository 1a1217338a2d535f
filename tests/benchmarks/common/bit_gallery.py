"""An exact gallery of packed bits, with weighted Hamming distances (Yang et al. 2010).

Used by benchmarks only: the program ranks boosted bits as part of a Euclidean embedding. This gallery measures the cost
of ranking the codes (`results/galleries-bits.md`).
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import blocks, smallest
from focal_photos.learners.galleries.float_gallery import FULL_SHARE, RankedRows, no_rows

_THREAD_ROWS = 1 << 17
"""Minimum number of rows for more than one thread; for fewer rows, threads cost more than they gain."""

_LOOKUP_ROWS = 1 << 17
"""Rows of codes looked up at a time: their sums fit in a core's cache."""


class BitGallery:
    """Photos as packed bits; the distance is the sum of the weights of the differing bits.

    For each pair of bytes, a query builds a table of the distances of all 65,536 values. One look-up then covers 16
    bits of a photo. The tables hold integers, to fit in a core's cache. Candidates for the top k are selected by a
    sampled threshold that allows for the rounding, and are summed again in double precision, so the result is exact.

    Parameters
    ----------
    codes : ndarray of uint8, shape (N, B)
        Bit t is bit ``t % 8``, counted from the lowest, of byte ``t // 8``; may be a memory map. The gallery holds a
        copy by column, with B bytes per photo (one more if B is odd).
    weights : array_like of float, shape (T,)
        >= 0, T <= 8 B. Bits beyond T are ignored.

    Raises
    ------
    LearnerError
        If the codes are not a uint8 matrix, or the weights are negative, not finite or too many.

    Notes
    -----
    Since version 5, OpenCV's look-up takes 16-bit values and releases the interpreter lock. For older versions,
    numpy's `take` replaces it and is three times slower. 1,000,000 x 128 bits take about 4 ms of one core; the work
    is split among all cores.
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

    def rank(self, query: ArrayLike, k: int | None = None) -> RankedRows:
        """Return the nearest photos.

        Parameters
        ----------
        query : array_like of uint8, shape (B,)
            Packed like the codes.
        k : int, optional
            Number of photos; all if omitted or larger than the gallery.

        Returns
        -------
        rows : ndarray of intp, shape (k,)
            Row numbers, nearest first; equal distances in the order of the rows.
        distances : ndarray of float32, shape (k,)
            Ascending: sums of weights, not their roots.
        """
        code = np.asarray(query)
        if code.dtype != np.uint8 or code.shape != self.codes.shape[1:]:
            raise LearnerError(f"A query must be {self.codes.shape[1]} bytes, it is {code.dtype} {code.shape}.")
        count = len(self) if k is None else min(k, len(self))
        if count <= 0:
            return no_rows()
        tables = self._tables(code)
        if count * FULL_SHARE < len(self):
            # Each table's entries are rounded down by less than 1.
            candidates = smallest(self._scores(tables)[0], count, float(len(tables)))
        else:
            candidates = np.arange(len(self))
        exact = np.zeros(len(candidates))
        for part in blocks(len(candidates)):
            block = self.codes[candidates[part]]
            for table, column in zip(tables, block.T, strict=False):
                exact[part] += table[column]
        order = np.argsort(exact, kind="stable")[:count]
        return candidates[order], exact[order].astype(np.float32)

    def scores(self, code: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return distances (N,) of packed bits (B,), each too small by less than ``sum(weights) / 65,000`` per byte."""
        scores, unit = self._scores(self._tables(code))
        found: NDArray[np.float32] = np.multiply(scores, np.float32(unit), dtype=np.float32)
        return found

    def _tables(self, code: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the distances (2 ceil(B / 2), 256) of all values of each byte to those of a query."""
        # Two bytes have the same distance as their exclusive-or and 0.
        asked = np.append(code, np.zeros(2 * len(self._words) - len(code), np.uint8))
        return np.take_along_axis(self._bytes, np.arange(256) ^ asked[:, None].astype(np.intp), axis=1)

    def _scores(self, tables: NDArray[np.float64]) -> tuple[NDArray[Any], float]:
        """Return the distances (N,), as integers up to 65,535, and their unit; large galleries use all cores."""
        largest = float(tables.max(axis=1).sum(initial=0.0))
        factor = 65535 * (1 - 1e-12) / largest if largest > 0 else 0.0
        whole = np.floor(tables * factor).astype(np.uint16)
        wide = (whole[1::2, :, None] + whole[0::2, None, :]).reshape(-1, 1 << 16)
        scores = np.zeros(len(self), dtype=np.uint16)

        def look_up(share: slice) -> None:
            found = np.empty((1, _LOOKUP_ROWS), dtype=np.uint16)
            # Loop over tables outside: one table and one block fit in a core's cache, all tables do not.
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
        return scores, 1 / factor if factor else 0.0


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
