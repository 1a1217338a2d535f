# SPDX-License-Identifier: MIT
"""Label spreading on the graph of shared neighbourhoods, for kinds with one or two tagged photos."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.galleries.sparse_rows import SparseRows
from focal_photos.learners.tags.tag_ridge import TagRidge, kinds_of

WEIGHT: Final = 4.0
"""Weight of the logarithm of the spread share of a kind with one tagged photo, relative to the log-likelihood of
regression; divided by the square of the number of tagged photos per kind."""

_MIN_WEIGHT: Final = 0.5
"""Weight below which labels are not spread: from three tagged photos per kind on they no longer gain in all sets."""

_CELLS: Final = 10_000_000
"""Maximum number of photos times tagged photos: 40 MB."""

SHARED_EVIDENCE: Final = 0.5
"""The mixed scores are divided by 1 plus this times the weight: both parts see the same photos, so their sum would be
too confident."""

_SPREAD: Final = 0.95
_FAINT: Final = 1e-3
_STEPS: Final = 20
_TOLERANCE: Final = 1e-3
_COLUMNS: Final = 16


def mutual_graph(weights: SparseRows) -> scipy.sparse.csr_array:
    """Return the graph on which labels are spread, from neighbourhoods (n, n): sparse float32 (n, n), symmetric.

    The edge of two photos has the smaller of the weights that each has in the other's neighbourhood, divided by the
    square roots of both photos' sums.
    """
    n = len(weights)
    V = scipy.sparse.csr_array((weights.data, weights.indices, weights.indptr), shape=(n, n))
    W = scipy.sparse.csr_array(V.minimum(V.T.tocsr()))
    W.setdiag(0)
    W.eliminate_zeros()
    root = np.sqrt(np.maximum(np.asarray(W.sum(axis=1)).ravel(), np.finfo(np.float32).tiny))
    scale = scipy.sparse.dia_array((1 / root[None].astype(np.float32), [0]), shape=(n, n))
    return scipy.sparse.csr_array(scale @ W @ scale)


class Spreading:
    """Spread of single photos over a graph, cached: a further tagged photo costs one column.

    Parameters
    ----------
    graph : csr_array of float32, shape (n, n)
        Result of `mutual_graph`.
    """

    def __init__(self, graph: scipy.sparse.csr_array) -> None:
        self._graph = graph
        # Replaced as a whole, as several threads may ask.
        self._known = np.empty(0, np.intp), np.empty((graph.shape[0], 0), np.float32)

    def __len__(self) -> int:
        """Return the number of photos n."""
        return int(self._graph.shape[0])

    def of(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the columns of ``(I - .95 W)^-1`` of rows (t,), ascending: float32 (n, t)."""
        before, theirs = self._known
        known = np.isin(rows, before)
        columns = np.empty((len(self), len(rows)), np.float32)
        columns[:, known] = theirs[:, np.searchsorted(before, rows[known])]
        new = np.flatnonzero(~known)
        for part in blocks(len(new), _COLUMNS):
            columns[:, new[part]] = _solved(self._graph, rows[new[part]])
        self._known = rows, columns
        return columns


def _solved(graph: scipy.sparse.csr_array, rows: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return the columns of ``(I - .95 W)^-1`` of some rows by conjugate gradients, all at once."""
    residual = np.zeros((graph.shape[0], len(rows)), np.float32)
    residual[rows, np.arange(len(rows))] = 1
    found, direction = np.zeros_like(residual), residual.copy()
    squared = np.einsum("ij,ij->j", residual, residual)
    for _ in range(_STEPS):
        image = direction - np.float32(_SPREAD) * (graph @ direction)
        step = squared / np.maximum(np.einsum("ij,ij->j", direction, image), np.finfo(np.float32).tiny)
        found += step * direction
        residual -= step * image
        before, squared = squared, np.einsum("ij,ij->j", residual, residual)
        if (squared <= _TOLERANCE**2).all():
            break
        direction = residual + squared / np.maximum(before, np.finfo(np.float32).tiny) * direction
    return np.maximum(found, 0)


@dataclass(frozen=True, eq=False)
class SpreadTags:
    """Spread labels, to be mixed into the scores of regression."""

    weight: float
    """> 0: see `weight_of`."""
    terms: NDArray[np.float32]
    """For all photos of the graph; shape (n, m)."""
    left_out: NDArray[np.float32]
    kind_left_out: NDArray[np.float32]
    """`left_out` and `kind_left_out`: for the tagged photos, without their own tag, and without all photos of their
    kind; shape (s, m)."""

    def mixed(self, scores: NDArray[np.floating], terms: NDArray[np.float32]) -> NDArray[np.floating]:
        """Return scores (q, m) mixed with the terms of the same photos."""
        return np.asarray((scores + terms) / (1 + SHARED_EVIDENCE * self.weight))

    def mix_into(self, ridge: TagRidge) -> None:
        """Mix the terms of the tagged photos into the left-out scores of the regression fitted to them."""
        known, kinds = ridge.left_out_, ridge.kind_left_out_
        ridge.left_out_ = known._replace(tags=self.mixed(known.tags, self.left_out))
        if kinds is not None:
            ridge.kind_left_out_ = kinds._replace(tags=self.mixed(kinds.tags, self.kind_left_out))


def weight_of(tags: scipy.sparse.csr_array) -> float:
    """Return the weight of spread labels for tags (s, m); 0 if tags do not exclude each other or have many photos."""
    if tags.shape[1] < 2 or kinds_of(tags.toarray()) is None:
        return 0.0
    each = max(float(np.median(np.asarray((tags != 0).sum(axis=0)))), 1.0)
    weight = WEIGHT / each**2
    return weight if weight >= _MIN_WEIGHT else 0.0


def spread_tags(
    spreading: Spreading, rows: NDArray[np.intp], tags: scipy.sparse.csr_array, temperature: float
) -> SpreadTags | None:
    """Spread the tags of photos over a graph of n photos.

    Parameters
    ----------
    rows : ndarray of intp, shape (s,)
        Rows of the annotated photos in the graph.
    tags : csr_array, shape (s, m)
        Non-zero if the photo carries the tag.
    temperature : float
        Temperature of the scores to which the terms are added.

    Returns
    -------
    SpreadTags or None
        None if the weight is 0 (`weight_of`), or photos times tagged photos exceed 10 million.

    Notes
    -----
    With the columns g_i of tagged photos i, the share of kind c in photo x is ``f_c(x) = sum_i g_i(x) / sum_i |g_i|_1``
    over the tagged photos of the kind, divided by the sum over kinds. The added term is the temperature times the
    weight times ``log(f + .001)``, less the largest term of the photo.

    References
    ----------
    .. [1] D. Zhou et al., "Learning with local and global consistency", NIPS 2003. Departures: the graph, and the
       division by each kind's sum, which makes kinds with unequal numbers of tagged photos comparable.
    """
    weight = weight_of(tags)
    kinds = kinds_of(tags.toarray()) if weight else None
    if kinds is None:
        return None
    order = np.argsort(rows)
    seeds = order[kinds[order] >= 0]
    if not len(seeds) or len(spreading) * len(seeds) > _CELLS:
        return None
    columns, kind, m = spreading.of(rows[seeds]), kinds[seeds], tags.shape[1]
    member = scipy.sparse.csr_array((np.ones(len(seeds), np.float32), (np.arange(len(seeds)), kind)), (len(seeds), m))
    spread, sums = np.asarray(columns @ member), columns.sum(axis=0, dtype=np.float64)
    totals = np.asarray(sums @ member)

    def terms(found: NDArray[np.floating], totals: NDArray[np.floating]) -> NDArray[np.float32]:
        shares = np.maximum(found, 0) / np.maximum(totals, np.finfo(np.float32).tiny)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
        logs = np.log(shares + _FAINT)
        # A photo that nothing reaches keeps its scores: they also tell whether it is of a new kind.
        return np.asarray(temperature * weight * (logs - logs.max(axis=1, keepdims=True)), np.float32)

    own = spread[rows].astype(np.float64)
    without, without_kind = own.copy(), own.copy()
    rest = np.tile(totals, (len(rows), 1))
    without[seeds, kind] -= columns[rows[seeds], np.arange(len(seeds))]
    rest[seeds, kind] -= sums
    without_kind[seeds, kind] = 0
    alone = seeds[np.bincount(kind, minlength=m)[kind] == 1]
    without[alone, kinds[alone]] = 0  # exact despite rounding
    return SpreadTags(weight, terms(spread, totals), terms(without, rest), terms(without_kind, totals))
