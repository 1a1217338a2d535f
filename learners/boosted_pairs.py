"""The objective of boosted bits over pairs of photos: dense matrices for some thousand photos, lists for more."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.linalg import blocks

Floats = NDArray[np.floating]
Rows = NDArray[np.intp]

_BUCKETS = 8
_BLOCK = 1 << 17
"""Entries of a matrix that are handled at once: what is computed of them stays in a core's cache."""


class SplitSums(NamedTuple):
    """What a split of the photos in two leaves together and separates, by photo (ALGORITHMS 1.3 b).

    Attributes
    ----------
    similar_together, similar_apart : ndarray of float64, shape (n,)
        A and B: sums of the weights of a photo's similar partners on its own and on the other side.
    dissimilar_together, dissimilar_apart : ndarray of float64, shape (n,)
        C and D: the same of dissimilar partners, with the pool's share.
    """

    similar_together: NDArray[np.float64]
    similar_apart: NDArray[np.float64]
    dissimilar_together: NDArray[np.float64]
    dissimilar_apart: NDArray[np.float64]


class PairObjective(Protocol):
    """``F = sum_i g_i h_i`` with the row sums g of similar pairs' weights ``exp(+d)`` and h of dissimilar ``exp(-d)``.

    With a pool c > 0 each photo's similar pairs are also compared with all dissimilar ones: h_i stands for
    ``h_i + c sum(h)``, and g_i likewise. Weights are kept up to a common factor, of which `log_value` knows.
    """

    n: int
    log_value: float

    def apply(self, v: Floats) -> Floats:
        """Return ``(L(S-) - L(S+)) v``: the similarity matrices' Laplacians of this round, for v (n,)."""

    def cuts(self, order: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what every split of the ordered photos cuts off S+ and S-: two (n - 1,)."""

    def split(self, side: NDArray[np.bool_]) -> SplitSums:
        """Return the sums of one split; `side` (n,) is the bit."""

    def update(self, side: NDArray[np.bool_], alpha: float) -> None:
        """Add a bit of weight `alpha`, and compute the next round's matrices."""


class DensePairs:
    """The objective over matrices: every pair may be one.

    Parameters
    ----------
    similar, dissimilar : ndarray of float32, shape (n, n)
        Weights, symmetric, diagonal 0. They are changed in place.
    pool : float

    Notes
    -----
    Four float32 matrices: G, H, S+ and W = S- - S+. A round costs about ten passes over them and, for the sweep,
    products with a matrix of 8 columns. No permuted copy is made: photos in order of projection fall into 8 buckets;
    what lies in earlier buckets is a matrix product, what lies earlier in the same bucket a gather of n^2 / 8 entries.
    """

    def __init__(self, similar: NDArray[np.float32], dissimilar: NDArray[np.float32], pool: float = 0.0) -> None:
        self.n = len(similar)
        self.pool = pool
        self.G, self.H = similar, dissimilar
        self.S, self.W = np.empty_like(similar), np.empty_like(similar)
        self._log_scale = 0.0
        self._weigh()

    def _weigh(self) -> None:
        ones = np.ones(self.n, dtype=np.float32)
        g, h = self.G @ ones, self.H @ ones
        self.own_g, self.own_h = g.astype(np.float64), h.astype(np.float64)
        self.g, self.h = _pooled(self.own_g, self.pool), _pooled(self.own_h, self.pool)
        self.log_value = _log(float(self.own_g @ self.h)) + self._log_scale
        g, h = self.g.astype(np.float32), self.h.astype(np.float32)
        self.similar_degrees = 0.5 * (self.h * self.own_g + self.G @ h)
        self.dissimilar_degrees = 0.5 * (self.g * self.own_h + self.H @ g)
        self._degrees = (self.dissimilar_degrees - self.similar_degrees).astype(np.float32)
        half_g, half_h = 0.5 * g, 0.5 * h
        rows = max(1, _BLOCK // self.n)
        for part in blocks(self.n, rows):
            for matrix, half, result in ((self.G, half_h, self.S[part]), (self.H, half_g, self.W[part])):
                np.add(half[part, None], half, out=result)
                result *= matrix[part]
            self.W[part] -= self.S[part]

    def apply(self, v: Floats) -> Floats:
        """Return the difference of the Laplacians times v: one pass over a matrix."""
        return np.asarray(self._degrees * v - self.W @ v)

    def cuts(self, order: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the cuts of all splits."""
        n = self.n
        size = -(-n // _BUCKETS)
        count = -(-n // size)
        position = np.empty(n, dtype=np.intp)
        position[order] = np.arange(n)
        bucket = position // size
        # The last bucket is filled up with photo 0, after its own: what comes later counts for none of them.
        places = np.concatenate([order, np.zeros(count * size - n, dtype=np.intp)]).reshape(count, size)
        earlier = np.tri(size, k=-1, dtype=np.float32)
        inside_places = places[:, :, None] * n + places[:, None, :]
        member = np.zeros((n, count), dtype=np.float32)
        member[np.arange(n), bucket] = 1
        answers = []
        for matrix, degrees in ((self.S, self.similar_degrees), (self.W, self._degrees)):
            before = np.cumsum(matrix @ member, axis=1, dtype=np.float64)
            gone = np.where(bucket > 0, before[np.arange(n), bucket - 1], 0.0)[order]
            inside = matrix.ravel().take(inside_places)
            gone += np.einsum("bij,ij->bi", inside, earlier).ravel()[:n]
            answers.append(np.cumsum(degrees[order] - 2 * gone)[:-1])
        similar = np.maximum(answers[0], 0.0)
        return similar, np.maximum(answers[1] + answers[0], 0.0)

    def split(self, side: NDArray[np.bool_]) -> SplitSums:
        """Return the sums of one split."""
        halves = (side.astype(np.float32), (~side).astype(np.float32))
        similar, dissimilar = (
            np.column_stack([matrix @ half for half in halves]).astype(np.float64) for matrix in (self.G, self.H)
        )
        return _split_sums(similar, dissimilar, side, self.pool)

    def update(self, side: NDArray[np.bool_], alpha: float) -> None:
        """Add a bit."""
        number = side.astype(np.intp)
        apart = np.stack([side, ~side])
        rows = max(1, _BLOCK // self.n)
        factors = np.empty((min(rows, self.n), self.n), dtype=np.float32)
        for matrix, sign, sums in ((self.G, 1.0, self.own_g), (self.H, -1.0, self.own_h)):
            scale = _scale(sums)
            table = (np.where(apart, np.exp(sign * 4 * alpha), 1.0) / scale).astype(np.float32)
            self._log_scale += np.log(scale)
            for part in blocks(self.n, rows):
                factor = factors[: part.stop - part.start]
                np.take(table, number[part], axis=0, out=factor, mode="clip")
                matrix[part] *= factor
        self._weigh()


class ListedPairs:
    """The objective over lists: everything costs in proportion to the number of pairs.

    Parameters
    ----------
    n : int
        Number of photos.
    similar, dissimilar : ndarray of intp, shape (s, 2) and (t, 2)
    similar_weights, dissimilar_weights : ndarray of float64, shape (s,) and (t,)
    pool : float
    """

    def __init__(
        self,
        n: int,
        similar: Rows,
        dissimilar: Rows,
        similar_weights: NDArray[np.float64],
        dissimilar_weights: NDArray[np.float64],
        pool: float = 0.0,
    ) -> None:
        self.n = n
        self.pool = pool
        self.similar, self.dissimilar = (np.ascontiguousarray(pairs.T) for pairs in (similar, dissimilar))
        self.G, self.H = similar_weights.copy(), dissimilar_weights.copy()
        i = np.concatenate([self.similar[0], self.similar[1], self.dissimilar[0], self.dissimilar[1]])
        j = np.concatenate([self.similar[1], self.similar[0], self.dissimilar[1], self.dissimilar[0]])
        # Both directions of every pair in one sparse matrix, whose places stay and whose values change.
        self._sorted = np.argsort(i, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=n))]).astype(np.int32)
        self._matrix = sp.csr_array(
            (np.zeros(len(i), dtype=np.float32), j[self._sorted].astype(np.int32), starts), shape=(n, n)
        )
        self._log_scale = 0.0
        self._weigh()

    def _sums(self, pairs: Rows, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        sums: NDArray[np.float64] = np.zeros(self.n)
        for end in pairs:
            sums += np.bincount(end, weights, self.n)
        return sums

    def _weigh(self) -> None:
        self.own_g, self.own_h = self._sums(self.similar, self.G), self._sums(self.dissimilar, self.H)
        self.g, self.h = _pooled(self.own_g, self.pool), _pooled(self.own_h, self.pool)
        self.log_value = _log(float(self.own_g @ self.h)) + self._log_scale
        self._plus = 0.5 * self.G * (self.h[self.similar[0]] + self.h[self.similar[1]])
        self._minus = 0.5 * self.H * (self.g[self.dissimilar[0]] + self.g[self.dissimilar[1]])
        values = np.concatenate([-self._plus, -self._plus, self._minus, self._minus])
        self._matrix.data[:] = values[self._sorted]
        degrees = self._sums(self.dissimilar, self._minus) - self._sums(self.similar, self._plus)
        self._degrees = degrees.astype(np.float32)

    def apply(self, v: Floats) -> Floats:
        """Return the difference of the Laplacians times v."""
        return np.asarray(self._degrees * v - self._matrix @ v)

    def cuts(self, order: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the cuts of all splits."""
        position = np.empty(self.n, dtype=np.intp)
        position[order] = np.arange(self.n)

        def curve(pairs: Rows, weights: NDArray[np.float64]) -> NDArray[np.float64]:
            first, second = position[pairs[0]], position[pairs[1]]
            delta: NDArray[np.float64] = np.zeros(self.n)
            delta += np.bincount(np.minimum(first, second), weights, self.n)
            delta -= np.bincount(np.maximum(first, second), weights, self.n)
            return _accumulated(delta)

        return curve(self.similar, self._plus), curve(self.dissimilar, self._minus)

    def split(self, side: NDArray[np.bool_]) -> SplitSums:
        """Return the sums of one split."""

        def halves(pairs: Rows, weights: NDArray[np.float64]) -> NDArray[np.float64]:
            both = np.zeros((self.n, 2))
            for here, there in ((0, 1), (1, 0)):
                across = side[pairs[there]]
                both[:, 0] += np.bincount(pairs[here], weights * across, self.n)
                both[:, 1] += np.bincount(pairs[here], weights * ~across, self.n)
            return both

        return _split_sums(halves(self.similar, self.G), halves(self.dissimilar, self.H), side, self.pool)

    def update(self, side: NDArray[np.bool_], alpha: float) -> None:
        """Add a bit."""
        for pairs, weights, sign, sums in (
            (self.similar, self.G, 1.0, self.own_g),
            (self.dissimilar, self.H, -1.0, self.own_h),
        ):
            scale = _scale(sums)
            weights *= np.where(side[pairs[0]] != side[pairs[1]], np.exp(sign * 4 * alpha), 1.0) / scale
            self._log_scale += np.log(scale)
        self._weigh()


def _pooled(sums: NDArray[np.float64], pool: float) -> NDArray[np.float64]:
    return sums + pool * sums.sum() if pool else sums


def _log(value: float) -> float:
    return float(np.log(value)) if value > 0 else -np.inf


def _scale(sums: NDArray[np.float64]) -> float:
    """Return what the weights are divided by: the largest row sum keeps them near 1, and away from denormals."""
    return float(sums.max(initial=0.0)) or 1.0


def _accumulated(delta: NDArray[np.float64]) -> NDArray[np.float64]:
    cut: NDArray[np.float64] = np.maximum(np.cumsum(delta)[:-1], 0.0)
    return cut


def _split_sums(
    similar: NDArray[np.float64], dissimilar: NDArray[np.float64], side: NDArray[np.bool_], pool: float
) -> SplitSums:
    """Sort sums over both sides (n, 2: bit 1, bit 0) into together and apart."""

    def together(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.where(side, sums[:, 0], sums[:, 1]), np.where(side, sums[:, 1], sums[:, 0])

    (A, B), (C, D) = together(similar), together(dissimilar)
    return SplitSums(A, B, _pooled(C, pool), _pooled(D, pool))
