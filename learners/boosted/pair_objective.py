"""The objective of boosted bits over pairs of photos: dense matrices for some thousand photos, lists for more."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.core.linalg import blocks

Floats = NDArray[np.floating]
Rows = NDArray[np.intp]

_BLOCK = 1 << 16
"""Entries of a matrix that are handled at once: what is computed of them stays in a core's cache."""


class SplitSums(NamedTuple):
    """What a split of the photos in two leaves together and separates, by photo (ALGORITHMS.md, 1.3 b).

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
    """The objective over matrices: some photos, the anchors, are compared with all.

    Parameters
    ----------
    similar, dissimilar : ndarray of float32, shape (a, n)
        Weights of the pairs of the first a photos, the anchors, with all n; symmetric where both are anchors, 0 for
        an anchor and itself. They are changed in place.
    pool : float

    Notes
    -----
    i in F runs over the anchors only. Equation 12 then is ``S+ = (h G + (h G)') / 2`` with h at the anchors' rows of G,
    and likewise S-, and a product with them goes through the matrix twice, once in each direction. Three float32
    matrices (a, n): G, H, and the difference W of the halves of S- and S+; a round passes through them some thirty
    times, by blocks where it can. Sums of a split come from one product with the bit as +1 and -1.
    """

    def __init__(self, similar: NDArray[np.float32], dissimilar: NDArray[np.float32], pool: float = 0.0) -> None:
        self.anchors, self.n = similar.shape
        self.pool = pool
        self.G, self.H = similar, dissimilar
        self.W = np.empty_like(self.G)
        self._parts = list(blocks(self.anchors, max(1, _BLOCK // self.n)))
        self._room, self._later = np.empty((2, self._parts[0].stop, self.n), dtype=np.float32)
        self._ones = np.ones(self.n, dtype=np.float32)
        self._log_scale = 0.0
        self._weigh()

    def _weigh(self) -> None:
        sums = self.G @ self._ones, self.H @ self._ones
        self.own_g, self.own_h = (own.astype(np.float64) for own in sums)
        self.g, self.h = _pooled(self.own_g, self.pool), _pooled(self.own_h, self.pool)
        self.log_value = _log(float(self.own_g @ self.h)) + self._log_scale
        g, h = ((partners[:, None] / 2).astype(np.float32) for partners in (self.g, self.h))
        for part in self._parts:
            np.multiply(self.H[part], g[part], out=self.W[part])
            self.W[part] -= np.multiply(self.G[part], h[part], out=self._rooms(part)[0])
        self._degrees = self._both(self.W, self._ones)

    def _rooms(self, part: slice) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        rows = part.stop - part.start
        return self._room[:rows], self._later[:rows]

    def _both(self, matrix: NDArray[np.float32], v: Floats) -> Floats:
        """Return the products of pairs in both directions with v."""
        result: Floats = v[: self.anchors] @ matrix
        result[: self.anchors] += matrix @ v
        return result

    def apply(self, v: Floats) -> Floats:
        """Return the difference of the Laplacians times v: two passes over a matrix."""
        return np.asarray(self._degrees * v - self._both(self.W, v))

    def cuts(self, order: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the cuts of all splits: a photo that changes sides adds its pairs, less twice those already there."""
        position = np.empty(self.n, dtype=np.int32)
        position[order] = np.arange(self.n, dtype=np.int32)
        halves, sums = (self.h / 2, self.g / 2), (self.own_g, self.own_h)
        deltas = np.zeros((2, self.n))
        for part in self._parts:
            room, later = self._rooms(part)
            np.copyto(later, position < position[part, None])
            for matrix, half, own, delta in zip((self.G, self.H), halves, sums, deltas, strict=True):
                kept = np.multiply(matrix[part], later, out=room)
                weights = half[part].astype(np.float32)
                # All pairs of a photo, less twice those with photos that changed sides before it.
                delta += 2 * (weights @ kept) - weights @ matrix[part]
                delta[part] += half[part] * (own[part] - 2 * (kept @ self._ones))
        similar, dissimilar = (_accumulated(delta[order]) for delta in deltas)
        return similar, dissimilar

    def split(self, side: NDArray[np.bool_]) -> SplitSums:
        """Return the sums of one split."""
        f = np.where(side, np.float32(1), np.float32(-1))
        halves = []
        for matrix, own in ((self.G, self.own_g), (self.H, self.own_h)):
            # Together minus apart. Where one of them is 0, rounding may leave 1e-7 of the other.
            difference = f[: self.anchors] * (matrix @ f)
            halves += [np.maximum(own + sign * difference, 0.0) / 2 for sign in (1, -1)]
        A, B, C, D = halves
        return SplitSums(A, B, _pooled(C, self.pool), _pooled(D, self.pool))

    def update(self, side: NDArray[np.bool_], alpha: float) -> None:
        """Add a bit."""
        number = side[: self.anchors].astype(np.intp)
        apart = np.stack([side, ~side])
        for matrix, sign, sums in ((self.G, 1.0, self.own_g), (self.H, -1.0, self.own_h)):
            scale = _scale(sums)
            table = (np.where(apart, np.exp(sign * 4 * alpha), 1.0) / scale).astype(np.float32)
            self._log_scale += np.log(scale)
            for part in self._parts:
                room, _ = self._rooms(part)
                matrix[part] *= np.take(table, number[part], axis=0, out=room, mode="clip")
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
