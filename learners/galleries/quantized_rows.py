# SPDX-License-Identifier: MIT
"""Rows of 8-bit integers with error bounds: the first pass of an exact ranking reads a quarter of the bytes."""

from __future__ import annotations

from typing import Final

import numpy as np
import simsimd
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import SAMPLE_STEP, blocks, sampled_threshold

_MAX_INT8: Final = 127

_QUANTIZED: Final = 1 << 17
"""Numbers quantised at a time, so that they stay in the processor's cache."""

_BOUNDED: Final = 1 << 15
"""Rows compared at a time, so that their bounds stay in the processor's cache."""

_FEW_SHARE: Final = 8
"""Up to an eighth of the rows are copied to be compared; for more, all rows are read in place."""

_MIN_FLOAT32: Final = float(np.finfo(np.float32).tiny)


class QuantizedRows:
    """Rows as 8-bit integers, which find candidates for the nearest rows of a query.

    A row is ``z = s (c + r)``: a step s, which is its largest coordinate / 127, integers c, and a rest r. A query is
    quantised likewise, ``q = a (w + v)``. Then ``z'q = s a (c'w + c'v + r'(w + v))``, and by Cauchy-Schwarz ``c'w`` is
    wrong by at most ``K = |c| |v| + |r| |w + v|``, with the largest lengths of any row. Rows are ranked by
    ``|z|^2 - 2 z'q``, which lies between ``|z|^2 - 2 s a (c'w + K)`` and ``|z|^2 - 2 s a (c'w - K)``. A row whose lower
    bound exceeds the k-th smallest upper bound is not among the nearest k.

    Parameters
    ----------
    rows : ndarray of float32, shape (N, r)
        Finite; read once. The copy has one byte per coordinate and 4 bytes per row.
    norms : ndarray of float32, shape (N,)
        Squared norms of the rows; not copied.
    """

    def __init__(self, rows: NDArray[np.float32], norms: NDArray[np.float32]) -> None:
        self._norms = norms
        self._codes = np.empty(rows.shape, dtype=np.int8)
        self._steps = np.empty(len(rows), dtype=np.float32)
        length = rest = 0.0
        for part in blocks(len(rows), max(1, _QUANTIZED // max(1, rows.shape[1]))):
            steps, codes, rests = _quantized(rows[part])
            self._steps[part], self._codes[part] = steps, codes
            length, rest = max(length, _longest(codes)), max(rest, _longest(rests))
        self._length, self._rest = length, rest

    @property
    def nbytes(self) -> int:
        """Memory in bytes."""
        return self._codes.nbytes + self._steps.nbytes

    def candidates(
        self, query: NDArray[np.float32], k: int, slack: float, allowed: NDArray[np.bool_] | None = None
    ) -> NDArray[np.intp] | None:
        """Return rows that include the nearest k.

        Parameters
        ----------
        query : ndarray of float32, shape (r,)
        k : int
            At least 1 and at most the number of allowed rows.
        slack : float
            Rows whose ``|z|^2 - 2 z'q`` exceeds that of the k-th by up to `slack` are returned too: a margin for
            rounding errors, and ties.
        allowed : ndarray of bool, shape (N,), optional
            Rows to rank; all by default.

        Returns
        -------
        ndarray of intp, shape (c,), or None
            Ascending. None: the bounds of every 100th row did not predict those of the nearest k.
        """
        steps, codes, rests = _quantized(query[None])
        point, scale = codes.astype(np.int8), 2 * steps[0]
        error = np.float32(1.001 * scale * (self._length * _longest(rests) + self._rest * _longest(codes + rests)))
        slack += _MIN_FLOAT32
        chosen, sampled = None, np.arange(0, len(self._codes), SAMPLE_STEP)
        if allowed is not None:
            if np.count_nonzero(allowed) * _FEW_SHARE < len(allowed):
                chosen, allowed = np.flatnonzero(allowed), None
                sampled = chosen[::SAMPLE_STEP]
            else:
                sampled = sampled[allowed[::SAMPLE_STEP]]
        if not len(sampled):
            return None
        limit = sampled_threshold(self._bounds(sampled, point, scale, -error), k)
        found, lower = [], []
        for part in blocks(len(self._codes) if chosen is None else len(chosen), _BOUNDED):
            bounds = self._bounds(part if chosen is None else chosen[part], point, scale, error)
            is_near = bounds <= limit + slack
            if allowed is not None:
                is_near &= allowed[part]
            near = np.flatnonzero(is_near)
            lower.append(bounds[near])
            found.append(near + part.start if chosen is None else chosen[part][near])
        rows, least = np.concatenate(found), np.concatenate(lower)
        most = least + 2 * error * self._steps[rows]
        if np.count_nonzero(most <= limit) < k:
            return None
        kept: NDArray[np.intp] = rows[least <= np.partition(most, k - 1)[k - 1] + slack]
        return kept

    def _bounds(
        self, rows: slice | NDArray[np.intp], point: NDArray[np.int8], scale: np.float32, error: np.float32
    ) -> NDArray[np.float32]:
        """Return ``|z|^2 - s (scale c'w + error)`` of rows (c,): (c,)."""
        # Without `out`: simsimd would return a None that it does not own, which ends Python 3.11 after a while.
        products = np.asarray(simsimd.cdist(point, self._codes[rows], "dot"))[0]
        bounds: NDArray[np.float32] = products.astype(np.float32)
        bounds *= scale
        bounds += error
        bounds *= self._steps[rows]
        np.subtract(self._norms[rows], bounds, out=bounds)
        return bounds


def _quantized(rows: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return steps (n,), integers (n, r) and rests (n, r): ``rows = steps (integers + rests)``."""
    steps = np.maximum(rows.max(axis=1, initial=0), -rows.min(axis=1, initial=0)) / np.float32(_MAX_INT8)
    steps[steps < _MIN_FLOAT32] = 1
    rests = rows / steps[:, None]
    codes = np.rint(rests)
    rests -= codes
    return steps, codes, rests


def _longest(rows: NDArray[np.float32]) -> float:
    """Return the largest length of any row."""
    return float(np.sqrt(np.einsum("ij,ij->i", rows, rows).max(initial=0)))
