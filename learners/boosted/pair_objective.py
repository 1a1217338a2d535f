# SPDX-License-Identifier: MIT
"""The objective of boosted bits over pairs of photos, and the selection of the pairs.

Two forms of the objective: matrices for some thousand photos (`DensePairs`), lists of pairs for more (`ListedPairs`).
`pair_objective` makes one of them from side information.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import distinct, together, without
from focal_photos.learners.core.linalg import blocks, sqd
from focal_photos.learners.core.side_information import SideInformation

Floats = NDArray[np.floating]
Rows = NDArray[np.intp]

_BLOCK = 1 << 16
"""Matrix entries processed at once, so that intermediate results stay in a core's cache."""

_DOUBLE = 1 << 16
"""Maximum number of entries of a matrix in double precision, which costs little then. In single precision, rounding may
change bits, and with them the rankings, between processors."""

MOST_TAGGED = 20_000
"""Maximum number of photos whose tags are used; more are sampled."""

_MOST_WEIGHT = 10.0
"""A judged pair weighs as much as the tags of this number of photos, if all tags together weigh no less."""

_UNJUDGED = 500
"""Number of photos without judgements in the prior."""

ANCHORS = 512
_ANCHORS_ROOT = 16.0
"""Number of anchors, which are compared with all photos: 512, or 16 times the square root of the number of photos."""

_PRIOR_NEIGHBORS = 5
_PRIOR_DRAWN = 10


class SplitSums(NamedTuple):
    """Weights of each photo's pairs when a bit splits the photos (ALGORITHMS.md, 1.3)."""

    similar_same_side: NDArray[np.float64]
    similar_other_side: NDArray[np.float64]
    """`similar_same_side` and `similar_other_side`: a and B: sums of the weights of a photo's similar partners on the
    same and on the other side; shape (n,)."""
    dissimilar_same_side: NDArray[np.float64]
    dissimilar_other_side: NDArray[np.float64]
    """`dissimilar_same_side` and `dissimilar_other_side`: C and D: the same for dissimilar partners, including the
    pool's share; shape (n,)."""


class PairObjective(Protocol):
    """``F = sum_i g_i h_i`` with the row sums g of similar pairs' weights ``exp(+d)`` and h of dissimilar ``exp(-d)``.

    With a pool c > 0, each photo's similar pairs are also compared with all dissimilar ones: h_i stands for
    ``h_i + c sum(h)``, and g_i likewise. Weights are stored up to a common factor, which `log_value` includes.
    """

    n: int
    dtype: np.dtype[np.floating]
    log_value: float

    def apply(self, v: Floats) -> Floats:
        """Return ``(L(S-) - L(S+)) v`` with the Laplacians of this round, float (n,)."""

    def cuts(self, order: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the cut of S+ and of S- for every split of the ordered photos.

        Parameters
        ----------
        order : ndarray of intp, shape (n,)
            Photos in the order of their projections.

        Returns
        -------
        similar, dissimilar : ndarray of float64, shape (n - 1,)
            Cuts of the splits after each position.
        """

    def split(self, side: NDArray[np.bool_]) -> SplitSums:
        """Return the sums of one split; `side`, bool (n,), is the bit."""

    def update(self, side: NDArray[np.bool_], alpha: float) -> None:
        """Add the bit `side`, bool (n,), with weight `alpha`, and compute the next round's matrices."""


class DensePairs:
    """The objective over matrices: some photos, the anchors, are compared with all.

    Parameters
    ----------
    similar, dissimilar : ndarray of float32 or float64, shape (a, n)
        Weights of the pairs of the first a photos, the anchors, with all n; symmetric if both are anchors, 0 for an
        anchor and itself. Modified in place.
    pool : float

    Notes
    -----
    i in F runs over the anchors only. Equation 12 then is ``S+ = (h G + (h G)') / 2`` with h at the anchors' rows of G,
    S- likewise, and a product with them passes over the matrix twice, once in each direction. Three matrices
    (a, n) are stored: G, H, and the difference W of the halves of S- and S+. A round takes about thirty passes over
    them, in blocks where possible. The sums of a split follow from one product with the bit as +1 and -1.
    """

    def __init__(self, similar: Floats, dissimilar: Floats, pool: float = 0.0) -> None:
        self.anchors, self.n = similar.shape
        self.dtype = similar.dtype
        self.pool = pool
        self.G, self.H = similar, dissimilar
        self.W = np.empty_like(self.G)
        self._parts = list(blocks(self.anchors, max(1, _BLOCK // self.n)))
        self._buffer, self._earlier = np.empty((2, self._parts[0].stop, self.n), dtype=self.dtype)
        self._ones = np.ones(self.n, dtype=self.dtype)
        self._log_scale = 0.0
        self._weigh()

    def _weigh(self) -> None:
        sums = self.G @ self._ones, self.H @ self._ones
        self.own_g, self.own_h = (own.astype(np.float64) for own in sums)
        self.g, self.h = _pooled(self.own_g, self.pool), _pooled(self.own_h, self.pool)
        self.log_value = _log(float(self.own_g @ self.h)) + self._log_scale
        g, h = ((partners[:, None] / 2).astype(self.dtype) for partners in (self.g, self.h))
        for part in self._parts:
            np.multiply(self.H[part], g[part], out=self.W[part])
            self.W[part] -= np.multiply(self.G[part], h[part], out=self._buffers(part)[0])
        self._degrees = self._both(self.W, self._ones)

    def _buffers(self, part: slice) -> tuple[Floats, Floats]:
        rows = part.stop - part.start
        return self._buffer[:rows], self._earlier[:rows]

    def _both(self, matrix: Floats, v: Floats) -> Floats:
        """Return the products of pairs in both directions with v."""
        result: Floats = v[: self.anchors] @ matrix
        result[: self.anchors] += matrix @ v
        return result

    def apply(self, v: Floats) -> Floats:
        """Return the difference of the Laplacians times v, see `PairObjective.apply`: two passes over a matrix."""
        return np.asarray(self._degrees * v - self._both(self.W, v))

    def cuts(self, order: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the cuts of all splits, see `PairObjective.cuts`.

        A photo that changes sides adds its pairs, less twice those with photos already there.
        """
        position = np.empty(self.n, dtype=np.int32)
        position[order] = np.arange(self.n, dtype=np.int32)
        halves, sums = (self.h / 2, self.g / 2), (self.own_g, self.own_h)
        deltas = np.zeros((2, self.n))
        for part in self._parts:
            buffer, earlier = self._buffers(part)
            np.copyto(earlier, position < position[part, None])
            for matrix, half, own, delta in zip((self.G, self.H), halves, sums, deltas, strict=True):
                before = np.multiply(matrix[part], earlier, out=buffer)
                weights = half[part].astype(self.dtype)
                # All pairs of a photo, less twice those with photos that changed sides before it.
                delta += 2 * (weights @ before) - weights @ matrix[part]
                delta[part] += half[part] * (own[part] - 2 * (before @ self._ones))
        similar, dissimilar = (_accumulated(delta[order]) for delta in deltas)
        return similar, dissimilar

    def split(self, side: NDArray[np.bool_]) -> SplitSums:
        """Return the sums of one split, see `PairObjective.split`."""
        f = np.where(side, self._ones, -self._ones)
        halves = []
        for matrix, own in ((self.G, self.own_g), (self.H, self.own_h)):
            # Same side minus other side. If one of them is 0, rounding may leave 1e-7 of the other.
            difference = f[: self.anchors] * (matrix @ f)
            halves += [np.maximum(own + sign * difference, 0.0) / 2 for sign in (1, -1)]
        A, B, C, D = halves
        return SplitSums(A, B, _pooled(C, self.pool), _pooled(D, self.pool))

    def update(self, side: NDArray[np.bool_], alpha: float) -> None:
        """Add a bit, see `PairObjective.update`."""
        number = side[: self.anchors].astype(np.intp)
        across = np.stack([side, ~side])
        for matrix, sign, sums in ((self.G, 1.0, self.own_g), (self.H, -1.0, self.own_h)):
            scale = _scale(sums)
            table = (np.where(across, np.exp(sign * 4 * alpha), 1.0) / scale).astype(self.dtype)
            self._log_scale += np.log(scale)
            for part in self._parts:
                buffer, _ = self._buffers(part)
                matrix[part] *= np.take(table, number[part], axis=0, out=buffer, mode="clip")
        self._weigh()


class ListedPairs:
    """The objective over lists, with costs proportional to the number of pairs.

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
        self.dtype = np.dtype(_precision(len(i)))
        # Both directions of every pair in one sparse matrix with fixed structure and changing values.
        self._sorted = np.argsort(i, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=n))]).astype(np.int32)
        self._matrix = scipy.sparse.csr_array(
            (np.zeros(len(i), dtype=self.dtype), j[self._sorted].astype(np.int32), starts), shape=(n, n)
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
        # The matrix holds the off-diagonal entries of the difference of the Laplacians.
        self._degrees = np.asarray(self._matrix @ np.ones(self.n, dtype=self.dtype))

    def apply(self, v: Floats) -> Floats:
        """Return the difference of the Laplacians times v, see `PairObjective.apply`."""
        return np.asarray(self._degrees * v - self._matrix @ v)

    def cuts(self, order: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the cuts of all splits, see `PairObjective.cuts`."""
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
        """Return the sums of one split, see `PairObjective.split`."""
        found = []
        for pairs, weights, own in ((self.similar, self.G, self.own_g), (self.dissimilar, self.H, self.own_h)):
            other = self._sums(pairs, weights * (side[pairs[0]] != side[pairs[1]]))
            # If all partners are on the other side, rounding may leave 1e-16 of them.
            found += [np.maximum(own - other, 0.0), other]
        A, B, C, D = found
        return SplitSums(A, B, _pooled(C, self.pool), _pooled(D, self.pool))

    def update(self, side: NDArray[np.bool_], alpha: float) -> None:
        """Add a bit, see `PairObjective.update`."""
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
    """Return the divisor of the weights: the largest row sum, which keeps them near 1 and avoids denormals."""
    return float(sums.max(initial=0.0)) or 1.0


def _accumulated(delta: NDArray[np.float64]) -> NDArray[np.float64]:
    cut: NDArray[np.float64] = np.maximum(np.cumsum(delta)[:-1], 0.0)
    return cut


class PairSelection(NamedTuple):
    """Parameters of the selection of pairs."""

    dense: int
    """Maximum number of photos for which every pair of tagged photos is used; for more, pairs are sampled."""
    per_photo: int
    """Number of similar and of dissimilar pairs sampled for each tagged photo."""
    visual_neighbors: int
    """Number of each photo's nearest photos that count as similar regardless of tags."""
    prior: float
    """Without tags, visual neighbours join the similar and random pairs the dissimilar ones; either kind together
    weighs as much as this number of judged pairs. 0: neither, and no pool."""
    seed: int
    anchors: int = ANCHORS
    """Minimum number of anchors."""


def pair_objective(
    X: NDArray[np.floating], side: SideInformation, selection: PairSelection
) -> tuple[Rows, PairObjective]:
    """Choose the training photos and pairs, and return the objective over them.

    Up to `selection.anchors` photos are all compared with all. For more, up to `selection.dense`, anchors are compared
    with all: the judged photos and sampled ones, together this number or 16 times the square root of the number of
    photos (ALGORITHMS.md, 1.4). For still more, pairs are sampled.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
    side : SideInformation
        Contains tags or judged pairs.
    selection : PairSelection

    Returns
    -------
    rows : ndarray of intp, shape (k,)
        Training photos, in any order: rows of X.
    objective : PairObjective
        Objective over pairs of positions in `rows`.
    """
    rng = np.random.default_rng(selection.seed)
    tagged = side.tagged
    if len(tagged) > MOST_TAGGED:
        tagged = np.sort(rng.choice(tagged, MOST_TAGGED, replace=False))
    judged = distinct(np.concatenate([side.similar, side.dissimilar]))
    others = judged if len(tagged) else rng.permutation(len(X))[:_UNJUDGED]
    rows = together(together(tagged, judged), others).astype(np.intp)
    if len(tagged) and _anchors(len(rows), len(judged), selection) < len(rows) <= selection.dense:
        # The first photos are the anchors: pairs of other photos are not used.
        rows = np.concatenate([judged, rng.permutation(without(rows, judged))]).astype(np.intp)
    # The following row numbers refer to the training photos.
    places: Rows = np.zeros(len(X), dtype=np.intp)
    places[rows] = np.arange(len(rows))
    known = SideInformation(places[side.similar], places[side.dissimilar])
    if not len(tagged):
        return rows, _judged(X[rows], known, selection)
    place = places[tagged]
    tags = scipy.sparse.csr_array(side.tags[tagged]) if side.tags is not None else scipy.sparse.csr_array((0, 0))
    spread = scipy.sparse.csr_array(
        (np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(rows), len(place))
    )
    known = SideInformation(known.similar, known.dissimilar, scipy.sparse.csr_array(spread @ tags))
    if len(rows) <= selection.dense:
        return rows, _dense(X[rows], known, selection)
    return rows, _drawn(X[rows], known, selection)


def visual_pairs(X: NDArray[np.floating], neighbors: int) -> Rows:
    """Return the pairs of photos of which one is among the nearest of the other.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
    neighbors : int
        Number of each photo's nearest photos, by Euclidean distance; ties go to the lower row.

    Returns
    -------
    ndarray of intp, shape (s, 2)
        Distinct pairs of rows, the lower one first.
    """
    n = len(X)
    count = min(neighbors, n - 1)
    if count < 1:
        return np.empty((0, 2), dtype=np.intp)
    points = X.astype(np.float32) - X.mean(axis=0, dtype=np.float64).astype(np.float32)
    found = []
    for part in blocks(n, max(1, (1 << 22) // n)):
        distances = sqd(points[part], points)
        own = np.arange(part.start, part.stop)
        distances[np.arange(len(own)), own] = np.inf
        nearest = np.argpartition(distances, count - 1, axis=1)[:, :count]
        found.append(np.column_stack([np.repeat(own, count), nearest.ravel()]))
    return np.unique(np.sort(np.concatenate(found), axis=1), axis=0).astype(np.intp)


def _dense(X: NDArray[np.floating], side: SideInformation, selection: PairSelection) -> PairObjective:
    """Return the objective over all pairs of anchors; judgements override tags."""
    n, tagged = len(X), side.tagged
    anchors = _anchors(n, len(distinct(np.concatenate([side.similar, side.dissimilar]))), selection)
    first = tagged[tagged < anchors]
    carried = scipy.sparse.csr_array((scipy.sparse.csr_array(side.tags)[tagged] != 0).astype(np.float32))
    shares = (carried[: len(first)] @ carried.T).toarray() > 0
    P, N = np.zeros((2, anchors, n), dtype=_precision(anchors * n))
    P[np.ix_(first, tagged)] = shares
    N[np.ix_(first, tagged)] = ~shares
    np.fill_diagonal(P, 0)

    def put(pairs: Rows, here: Floats, there: Floats, weight: float) -> None:
        for i, j in (pairs.T, pairs[:, ::-1].T):
            at = i[i < anchors], j[i < anchors]
            here[at], there[at] = weight, 0

    put(visual_pairs(X, selection.visual_neighbors), P, N, 1.0)
    judged = len(side.similar) + len(side.dissimilar)
    photos = min(_MOST_WEIGHT, max(1.0, len(tagged) / judged)) if judged else 0.0
    for pairs, here, there in ((side.similar, P, N), (side.dissimilar, N, P)):
        # A photo's tags weigh as much as the mean row sum; a judgement counts for both of its photos.
        put(pairs, here, there, max(1.0, photos * float(here.sum()) / max(1, len(first)) / 2))
    return DensePairs(P, N, _pool(n, side, selection))


def _precision(entries: int) -> type[np.floating]:
    """Return the type of the entries of a matrix."""
    return np.float64 if entries <= _DOUBLE else np.float32


def _anchors(n: int, judged: int, selection: PairSelection) -> int:
    """Return how many of n photos are anchors."""
    return min(n, max(selection.anchors, int(_ANCHORS_ROOT * np.sqrt(n)), judged))


def _pool(n: int, side: SideInformation, selection: PairSelection) -> float:
    """Return the weight of the pairs of other photos: with a prior, 1/n if pairs were judged."""
    return 1 / n if selection.prior and len(side.similar) + len(side.dissimilar) else 0.0


def _drawn(X: NDArray[np.floating], side: SideInformation, selection: PairSelection) -> PairObjective:
    """Return the objective over judged pairs and pairs sampled from the tags."""
    n = len(X)
    pairs = side.pairs(selection.per_photo, selection.seed)
    similar, similar_weights = pairs.similar, pairs.similar_weights
    dissimilar, dissimilar_weights = pairs.dissimilar, pairs.dissimilar_weights
    visual = _without(visual_pairs(X, selection.visual_neighbors), np.concatenate([similar, side.dissimilar]), n)
    if len(visual):
        before = ~np.isin(_code(dissimilar, n), _code(visual, n))
        dissimilar, dissimilar_weights = dissimilar[before], dissimilar_weights[before]
        weight = float(similar_weights.mean()) if len(similar) else 1.0
        similar = np.concatenate([similar, visual])
        similar_weights = np.concatenate([similar_weights, np.full(len(visual), weight)])
    return ListedPairs(n, similar, dissimilar, similar_weights, dissimilar_weights, _pool(n, side, selection))


def _judged(X: NDArray[np.floating], side: SideInformation, selection: PairSelection) -> PairObjective:
    """Return the objective over judged pairs and the prior: visual neighbours are similar, random photos are not."""
    n = len(X)
    judged = np.concatenate([side.similar, side.dissimilar])
    neighbors = selection.visual_neighbors or _PRIOR_NEIGHBORS
    visual = _without(visual_pairs(X, neighbors), judged, n)
    if not selection.prior:
        similar = side.similar
        if selection.visual_neighbors:
            similar = np.concatenate([similar, visual]).astype(np.intp)
        return ListedPairs(n, similar, side.dissimilar, np.ones(len(similar)), np.ones(len(side.dissimilar)))
    drawn = np.random.default_rng(selection.seed).integers(0, n, (_PRIOR_DRAWN * n, 2))
    drawn = _without(drawn[drawn[:, 0] != drawn[:, 1]], np.concatenate([judged, visual]), n)

    def join(said: Rows, prior: Rows, weight: float) -> tuple[Rows, NDArray[np.float64]]:
        weights = np.concatenate([np.ones(len(said)), np.full(len(prior), weight / max(1, len(prior)))])
        return np.concatenate([said, prior]).astype(np.intp), weights

    similar, similar_weights = join(side.similar, visual, selection.prior * neighbors / _PRIOR_NEIGHBORS)
    dissimilar, dissimilar_weights = join(side.dissimilar, drawn, selection.prior)
    return ListedPairs(n, similar, dissimilar, similar_weights, dissimilar_weights, _pool(n, side, selection))


def _without(pairs: Rows, others: Rows, n: int) -> Rows:
    return pairs[~np.isin(_code(pairs, n), _code(others, n))]


def _code(pairs: Rows, n: int) -> NDArray[np.int64]:
    ordered = np.sort(pairs, axis=1).astype(np.int64)
    return ordered[:, 0] * n + ordered[:, 1]
