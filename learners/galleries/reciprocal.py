# SPDX-License-Identifier: MIT
"""Re-ranking by neighbourhoods: two photos are near if they share near photos."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final, TypeGuard

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.arrays.distinct import distinct
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import blocks, nearest_first, one_thread
from focal_photos.learners.core.progress import ProgressReport, no_report
from focal_photos.learners.galleries.clusters import nearest_in_clusters
from focal_photos.learners.galleries.float_gallery import FloatGallery, RankedRows
from focal_photos.learners.galleries.neighborhoods import (
    SHARED,
    SMOOTHED,
    AskedNeighborhoods,
    FoundNeighborhoods,
    Neighborhoods,
    half_of,
    mutual_of,
)
from focal_photos.learners.galleries.row_gallery import Gallery
from focal_photos.learners.galleries.sparse_rows import SparseRows

NEIGHBORS: Final = 20
"""k1: number of nearest photos that a neighbourhood is formed from; at most a tenth of all photos."""

JACCARD: Final = 0.7
"""Weight of the Jaccard distance of neighbourhoods; the rest is the metric's squared distance."""

MAX_RERANKED: Final = 1000
"""Photos that are re-ranked if the neighbourhoods of all photos are unknown."""

MAX_EXACT_ROWS: Final = 20_000
"""Rows up to which the nearest are found by comparing all pairs; for more rows, most are found in clusters."""

_GROWN: Final = 0.05
"""Share of new rows up to which they are added to the nearest found in clusters; above it, all are recomputed."""

_MAX_IDENTICAL_DISTANCE: Final = 1e-6
"""Squared distance, in units of the scale, up to which two images are identical."""

_PAIRS: Final = 20_000
_BLOCK: Final = 4096


def neighborhood_size(n: int) -> int:
    """Return k1 for n photos: of few photos, 20 would be more than the user calls similar."""
    return min(NEIGHBORS, max(2, n // 10), max(0, n - 1))


@dataclass(frozen=True, eq=False)
class NearestRows:
    """The nearest of each row of a gallery, which take long to find."""

    rows: NDArray[np.int32]
    """Each row itself, then the nearest others; equal distances in the order of the rows. In Euclidean galleries of
    more than `MAX_EXACT_ROWS` rows, a few are missed (`clusters`); shape (n, k + 1)."""
    reach: NDArray[np.float32]
    """Distance of each row to the last of its nearest; anything nearer is one of them; shape (n,)."""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class ReciprocalNeighbors:
    """Neighbourhoods of the rows of a gallery, or of some of them.

    Mutual neighbours: ``R(i)`` are the photos j among the `neighborhood_size` nearest of i that have i among theirs;
    ``h(c)`` is the same with half the size. The neighbourhood of i is i, ``R(i)`` and every ``h(c)``, c in R(i), of
    which more than `SHARED` is in R(i). Its members j have the weights ``exp(-d(i, j)^2 / scale)``, divided by their
    sum; then the weights are averaged over the `SMOOTHED` nearest of i. The distance of a focal image q to a photo j
    with weights v is

      JACCARD (1 - sum_c min(v_q(c), v_j(c)) / sum_c max(v_q(c), v_j(c))) + (1 - JACCARD) d(q, j)^2 / scale.

    It is 0 from a photo to itself, at least `JACCARD` if no neighbour is shared, and about `JACCARD` + .15 for two
    random photos under any metric. In a ranking, the metric's nearest photo stays first, at the distance of the next
    one, if the query is among its nearest, too.

    References
    ----------
    Z. Zhong, L. Zheng, D. Cao and S. Li, "Re-ranking person re-identification with k-reciprocal encoding", CVPR 2017,
    eq. 3-12. Departures: the scale of the squared distances, in the weights and next to the Jaccard distance, is that
    of the library, not 1; k2 is 3, not 6; for fewer than 200 photos, neighbourhoods are smaller; all matrices are
    sparse, so time and memory of everything but the search for the nearest grow with n (ALGORITHMS.md, 12.3).

    Examples
    --------
    >>> import numpy as np
    >>> from focal_photos.learners.galleries.float_gallery import FloatGallery
    >>> rows = np.array([[0, 0], [1, 0], [2, 0], [3.1, 0], [9, 0], [9, 1]], np.float32)
    >>> gallery = FloatGallery(rows)
    >>> nearest, distances = build(gallery).rank(gallery, rows[4], own=4, k=3)
    >>> nearest.tolist()
    [4, 5, 3]
    """

    nearest: NearestRows
    """Nearest rows of the covered rows, numbered among these."""
    neighborhoods: Neighborhoods
    """Smoothed v_i, computed for all rows or on request."""
    scale: float
    """Twice the median squared distance of pairs of the gallery."""
    covered: NDArray[np.intp] | None = None
    """Rows that have neighbourhoods, ascending; None: all; shape (n,)."""

    def __len__(self) -> int:
        return len(self.nearest)

    @property
    def weights(self) -> SparseRows:
        """Matrix (n, n) whose row i holds v_i; access computes all neighbourhoods."""
        return self.neighborhoods.whole.weights

    @property
    def columns(self) -> SparseRows:
        """The same matrix by columns."""
        return self.neighborhoods.whole.columns

    @property
    def nbytes(self) -> int:
        """Memory use in bytes."""
        matrices = (self.weights, self.columns)
        parts = [part for matrix in matrices for part in (matrix.data, matrix.indices, matrix.indptr)]
        return sum(part.nbytes for part in (self.nearest.rows, self.nearest.reach, *parts))

    def rank(
        self,
        gallery: Gallery,
        query: NDArray[np.float32],
        *,
        own: int | None = None,
        k: int | None = None,
        allowed: NDArray[np.bool_] | None = None,
    ) -> RankedRows:
        """Rank the rows of the gallery by the neighbours that they share with the query.

        Parameters
        ----------
        gallery : Gallery
            The gallery of these neighbourhoods.
        query : ndarray of float32, shape (r,)
        own : int, optional
            Row of the query in the gallery. If not given, the neighbourhood of the query is computed from its nearest,
            and those of the rows stay unchanged.
        k : int, optional
            Number of rows; all by default. Rows that are neither among the metric's `k` nearest nor share neighbours
            with the query are skipped, as they cannot be among the first k.
        allowed : ndarray of bool, shape (n,), optional
            Rows to rank; all by default. Distances are the same as in the full ranking.

        Returns
        -------
        rows : ndarray of intp, shape (k,)
            Nearest first; equal distances in the order of the rows.
        distances : ndarray of float32, shape (k,)
            Ascending.

        Raises
        ------
        LearnerError
            If the gallery has another number of rows.
        """
        self._check(gallery)
        n = len(gallery)
        place = None if own is None else int(self._places(np.array([own]))[0])
        head, near = self._head(gallery, query, own, place)
        if place is None or place < 0:
            sharing, shared = self._jaccard(*self._outside(gallery, query, own, head, near))
        else:
            sharing, shared = self._jaccard(*self._own(place))
        found = np.zeros(n)
        found[sharing] = shared

        def values(rows: NDArray[np.intp], distances: NDArray[np.float32]) -> NDArray[np.float32]:
            far = np.square(distances, dtype=np.float64) / self.scale
            result = JACCARD * (1 - found[rows]) + (1 - JACCARD) * far
            if own is not None:
                result[rows == own] = 0  # a distance may be above 0 from a photo to itself
            return result.astype(np.float32)

        itself = own
        if own is None and len(head) and np.square(near[0], dtype=np.float64) <= _MAX_IDENTICAL_DISTANCE * self.scale:
            itself = int(head[0])
        first = self._nearest_mutual(head, near, itself)
        seen = np.zeros(n, dtype=bool)
        rows, distances = gallery.rank(query, k, allowed=allowed)
        if k is not None:
            # Rows that share neighbours may precede nearer ones.
            seen[rows] = True
            missing = sharing[~seen[sharing]] if allowed is None else sharing[~seen[sharing] & allowed[sharing]]
            rows = np.concatenate([rows, missing])
            distances = np.concatenate([distances, gallery.distances(query, missing)])
        result = values(rows, distances)
        at = np.flatnonzero(rows == first) if first is not None else rows[:0]
        if len(at):
            # Its distance must be the lowest, too, since a caller that sorts again may break ties differently. It
            # shares neighbours, so it is nearer than rows that share none.
            others = sharing[(sharing != first) & (sharing != itself)]
            lowest = values(others, gallery.distances(query, others)).min(initial=np.inf)
            result[at] = np.minimum(result[at], np.nextafter(lowest, np.float32(0)))
        order, ordered = nearest_first(result, rows)
        if len(at):
            order, ordered = _led_by(order, ordered, itself, first)
        return order[:k].astype(np.intp, copy=False), ordered[:k]

    def _head(self, gallery: Gallery, query: NDArray[np.float32], own: int | None, place: int | None) -> RankedRows:
        """Return the query's nearest rows under the metric, from which its neighbourhood is formed."""
        k = self.nearest.rows.shape[1]
        if place is None or place < 0:
            return gallery.rank(query, k + (own is not None))
        rows = self._rows(self.nearest.rows[place].astype(np.intp))
        return rows, gallery.distances(query, rows)

    def first_of(self, row: int) -> int | None:
        """Return the other row that comes first in the ranking of a row; None if only shared neighbours decide."""
        place = int(self._places(np.array([row]))[0])
        near = self.nearest.rows[max(place, 0), 1:2].astype(np.intp)
        mutual = place >= 0 and len(near) and place in self.nearest.rows[near[0]]
        return int(self._rows(near)[0]) if mutual else None

    def _nearest_mutual(self, rows: NDArray[np.intp], distances: NDArray[np.float32], itself: int | None) -> int | None:
        """Return the nearest of the ranked rows other than the query, if they are mutual neighbours."""
        others = np.flatnonzero(rows[:2] != itself)
        if not len(others):
            return None
        first = int(others[0])
        near = int(self._places(rows[first : first + 1])[0])
        if near < 0:
            return None
        place = -1 if itself is None else int(self._places(np.array([itself]))[0])
        mutual = place in self.nearest.rows[near] if place >= 0 else distances[first] <= self.nearest.reach[near]
        return int(rows[first]) if mutual else None

    def similarities(
        self, gallery: Gallery, rows: NDArray[np.intp], others: NDArray[np.intp] | None = None
    ) -> NDArray[np.float32]:
        """Return the kernel 1 - distance between rows of the gallery.

        Parameters
        ----------
        gallery : Gallery
            The gallery of these neighbourhoods.
        rows : ndarray of intp, shape (m,)
        others : ndarray of intp, shape (c,), optional
            Default: all rows.

        Returns
        -------
        ndarray of float32, shape (c, m)
            1 from a row to itself, less for others, negative for unusually distant pairs. If all rows have unit length
            and the scale is at least 2, it is positive semidefinite; otherwise it need not be.
        """
        self._check(gallery)
        result = gallery.squared_distances(rows, others)
        result *= np.float32((JACCARD - 1) / self.scale)
        result += np.float32(1 - JACCARD)
        for own, row in zip(result, rows, strict=True):
            sharing, shared = self._shared_of(int(row))
            if others is None:
                own[sharing] += (JACCARD * shared).astype(np.float32)
            else:
                found = np.zeros(len(gallery), dtype=np.float32)
                found[sharing] = JACCARD * shared
                own += found[others]
        return result.T

    def similarity_sums(
        self, gallery: Gallery, rows: NDArray[np.intp], weights: NDArray[np.floating]
    ) -> NDArray[np.float32]:
        """Return ``similarities(gallery, rows) @ weights`` for all rows, as fast as one query.

        Parameters
        ----------
        gallery : Gallery
            The gallery of these neighbourhoods.
        rows : ndarray of intp, shape (m,)
        weights : ndarray of float, shape (m,)

        Returns
        -------
        ndarray of float32, shape (n,)
        """
        self._check(gallery)
        own = np.asarray(weights, dtype=np.float64)
        sums: NDArray[np.float64] = (1 - JACCARD) * (own.sum() - gallery.squared_distance_sums(rows, own) / self.scale)
        for row, weight in zip(rows, own, strict=True):
            sharing, shared = self._shared_of(int(row))
            sums[sharing] += JACCARD * weight * shared
        return sums.astype(np.float32)

    def similarities_outside(self, gallery: Gallery, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the kernel 1 - distance of all rows of the gallery to a query (r,) outside it: (n,)."""
        self._check(gallery)
        far = np.square(gallery.distances(query, np.arange(len(gallery))), dtype=np.float64)
        found = (1 - JACCARD) * (1 - far / self.scale)
        sharing, shared = self._jaccard(*self._outside(gallery, query, None, *self._head(gallery, query, None, None)))
        found[sharing] += JACCARD * shared
        return found.astype(np.float32)

    def similarities_among(
        self, gallery: Gallery, queries: NDArray[np.float32], squared: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """Return the kernel 1 - distance between queries outside the gallery.

        Parameters
        ----------
        gallery : Gallery
            The gallery of these neighbourhoods.
        queries : ndarray of float32, shape (q, r)
        squared : ndarray of float, shape (q, q)
            Squared distances of the queries under the metric.

        Returns
        -------
        ndarray of float64, shape (q, q)
            Symmetric, 1 on the diagonal.
        """
        self._check(gallery)
        found = (1 - JACCARD) * (1 - np.asarray(squared, dtype=np.float64) / self.scale)
        weights = np.zeros((len(queries), len(self)))
        for own, query in zip(weights, queries, strict=True):
            members, values = self._outside(gallery, query, None, *self._head(gallery, query, None, None))
            own[members] = values
        for number, own in enumerate(weights):
            smaller = np.minimum(np.minimum(weights, own).sum(axis=1), 1)
            found[number] += JACCARD * smaller / (2 - smaller)
        np.fill_diagonal(found, 1)
        return found

    def shared(self, rows: NDArray[np.intp]) -> scipy.sparse.csr_array:
        """Return the Jaccard similarity, 0..1, of the neighbourhoods of rows (m,) with all: sparse float32 (m, n)."""
        n = len(self) if self.covered is None else int(self.covered[-1]) + 1
        found = [self._shared_of(int(row)) for row in rows]
        ends = np.cumsum([0, *(len(sharing) for sharing, _ in found)])
        columns = np.concatenate([np.empty(0, np.intp), *(sharing for sharing, _ in found)])
        values = np.concatenate([np.empty(0), *(shared for _, shared in found)]).astype(np.float32)

        return scipy.sparse.csr_array((values, columns, ends), shape=(len(rows), n))

    def in_common(self, own: int, other: int) -> RankedRows:
        """Return the rows in the neighbourhoods of both of two rows, by descending weight.

        Returns
        -------
        rows : ndarray of intp, shape (c,)
            Without the two rows themselves.
        weights : ndarray of float32, shape (c,)
            The smaller of the two weights.
        """
        places = self._places(np.array([own, other]))
        if (places < 0).any():
            return np.empty(0, np.intp), np.empty(0, np.float32)
        (one, v), (two, w) = self._own(int(places[0])), self._own(int(places[1]))
        both, i, j = np.intersect1d(one, two, return_indices=True)
        weights = np.minimum(v[i], w[j])
        others = ~np.isin(both, places)
        order = np.lexsort((both[others], -weights[others]))
        return self._rows(both[others][order]), weights[others][order]

    def _check(self, gallery: Gallery) -> None:
        if self.covered is None and len(gallery) != len(self):
            raise LearnerError(f"The gallery has {len(gallery)} rows, its neighbourhoods were built from {len(self)}.")

    def _rows(self, places: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the gallery rows of positions among the covered rows."""
        return places if self.covered is None else self.covered[places]

    def _places(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the positions of gallery rows among the covered rows; -1: not covered."""
        if self.covered is None:
            return rows
        found = np.minimum(np.searchsorted(self.covered, rows), len(self.covered) - 1)
        return np.where(self.covered[found] == rows, found, -1).astype(np.intp)

    def _own(self, place: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the members of a neighbourhood and their smoothed weights."""
        return self.neighborhoods.of(place)

    def _shared_of(self, row: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the rows that share neighbours with a gallery row, ascending, and their Jaccard similarity."""
        place = int(self._places(np.array([row]))[0])
        if place < 0:
            return np.array([row]), np.ones(1)
        sharing, shared = self._jaccard(*self._own(place))
        shared[sharing == row] = 1  # exact despite rounding
        return sharing, shared

    def _outside(
        self,
        gallery: Gallery,
        query: NDArray[np.float32],
        own: int | None,
        found: NDArray[np.intp],
        far: NDArray[np.float32],
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the neighbourhood of an outside query, from its nearest rows and their distances (c,).

        Its mutual neighbours are the rows whose reach includes it. It is in no other neighbourhood, so one more nearest
        row is averaged. A query identical to a row has the row's neighbourhood.
        """
        k = self.nearest.rows.shape[1]
        places = self._places(found)
        others = (places >= 0) & (found != own)
        nearest, far = places[others][:k], far[others][:k]
        if len(far) and np.square(far[0], dtype=np.float64) <= _MAX_IDENTICAL_DISTANCE * self.scale:
            return self._own(int(nearest[0]))
        members = self._join(nearest[far <= self.nearest.reach[nearest]])
        weights = np.exp(-np.square(gallery.distances(query, self._rows(members)), dtype=np.float64) / self.scale)
        total = np.zeros(len(self))
        total[members] = weights / weights.sum() if len(members) else 0
        smoothed = nearest[:SMOOTHED]
        for place in smoothed:
            members, weights = self._unsmoothed(gallery, int(place))
            total[members] += weights
        total /= max(total.sum(), 1)
        members = np.flatnonzero(total)
        return members, total[members].astype(np.float32)

    def _unsmoothed(self, gallery: Gallery, place: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return a neighbourhood before averaging."""
        members = self._join(mutual_of(self.nearest.rows, place, self.nearest.rows.shape[1]))
        row = self._rows(np.array([place]))
        far = gallery.pair_distances(np.repeat(row, len(members)), self._rows(members))
        weights = np.exp(-np.square(far, dtype=np.float64) / self.scale)
        return members, weights / weights.sum()

    def _join(self, mutual: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return mutual neighbours joined with those smaller neighbourhoods that they mostly contain."""
        half = half_of(self.nearest.rows.shape[1])
        joined = set(mutual.tolist())
        for c in mutual:
            theirs = mutual_of(self.nearest.rows, int(c), half)
            if np.isin(theirs, mutual).sum() > SHARED * len(theirs):
                joined.update(theirs.tolist())
        return np.array(sorted(joined), dtype=np.intp)

    def _jaccard(
        self, members: NDArray[np.intp], weights: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the gallery rows that share members with a neighbourhood, ascending, and their similarity, 0..1."""
        rows, theirs, sizes = self.neighborhoods.having(members)
        smaller = np.minimum(theirs, np.repeat(weights, sizes))
        sharing, at = np.unique(rows, return_inverse=True)
        # Weights sum to 1 up to rounding, so the sum of the larger ones is 2 minus the sum of the smaller ones.
        sums = np.minimum(np.bincount(at, smaller, minlength=len(sharing)), 1)
        return self._rows(sharing.astype(np.intp)), sums / (2 - sums)


def build(
    gallery: Gallery,
    nearest: NearestRows | None = None,
    *,
    neighbors: int | None = None,
    scale: float | None = None,
    progress: ProgressReport | None = None,
) -> ReciprocalNeighbors:
    """Compute the neighbourhoods of all rows of a gallery.

    Parameters
    ----------
    gallery : Gallery
        At least one row.
    nearest : NearestRows, optional
        Nearest rows of the gallery; computed by default.
    neighbors : int, optional
        k1; `neighborhood_size` by default.
    scale : float, optional
        `scale_of` the gallery by default.
    progress : callable, optional
        Called with the share done, 0..1; an exception raised in it ends the computation.

    Returns
    -------
    ReciprocalNeighbors
        Deterministic for a gallery.

    Raises
    ------
    LearnerError
        If the gallery is empty.
    """
    report = no_report if progress is None else progress
    n = len(gallery)
    if n == 0:
        raise LearnerError("There are no photos whose neighbours could be found: index some first.")
    if nearest is None:
        nearest = find_nearest(gallery, neighbors=neighbors, progress=lambda done: report(0.9 * done))
    if scale is None:
        scale = scale_of(gallery)
    found = FoundNeighborhoods.of_all(gallery, nearest.rows, scale, lambda done: report(0.9 + 0.1 * done))
    report(1.0)
    return ReciprocalNeighbors(nearest, found, scale)


def on_request(gallery: Gallery, nearest: NearestRows, scale: float) -> ReciprocalNeighbors:
    """Return the result of `build` with neighbourhoods that are computed on request.

    Callers that rank once need those of a few hundred rows: a hundredth of the time in a gallery of 10,000.
    """
    return ReciprocalNeighbors(nearest, AskedNeighborhoods(gallery, nearest.rows, scale), scale)


def build_around(
    gallery: Gallery, query: NDArray[np.float32], *, scale: float | None = None, first: int = MAX_RERANKED
) -> ReciprocalNeighbors:
    """Compute the neighbourhoods of the rows nearest to a query, among these rows.

    Parameters
    ----------
    gallery : Gallery
        At least one row.
    query : ndarray of float32, shape (r,)
    scale : float, optional
        `scale_of` the gallery by default.
    first : int
        Number of rows; all in a smaller gallery.

    Returns
    -------
    ReciprocalNeighbors
        Rows beyond the first ones share no neighbours with the query.
    """
    scale = scale_of(gallery) if scale is None else scale
    if len(gallery) <= first:
        return build(gallery, scale=scale)
    covered = np.sort(gallery.rank(query, first)[0])
    some = gallery.among(covered)
    nearest = find_nearest(some, neighbors=neighborhood_size(len(gallery)))
    return ReciprocalNeighbors(nearest, AskedNeighborhoods(some, nearest.rows, scale), scale, covered)


def find_nearest(
    gallery: Gallery, *, neighbors: int | None = None, progress: ProgressReport | None = None
) -> NearestRows:
    """Find the nearest of each row of a gallery; see `build` for the parameters."""
    report = no_report if progress is None else progress
    n = len(gallery)
    k = min(neighborhood_size(n) if neighbors is None else neighbors, n - 1)
    if _in_clusters(gallery):
        return NearestRows(*nearest_in_clusters(gallery, k, progress=report))
    rows = np.empty((n, k + 1), dtype=np.int32)
    reach = np.zeros(n, dtype=np.float32)
    _search(gallery, np.arange(n), rows, reach, report)
    return NearestRows(rows, reach)


def _in_clusters(gallery: Gallery) -> TypeGuard[FloatGallery]:
    return isinstance(gallery, FloatGallery) and len(gallery) > MAX_EXACT_ROWS


def grow_nearest(
    gallery: Gallery, former: NearestRows, places: NDArray[np.intp], *, progress: ProgressReport | None = None
) -> NearestRows:
    """Update the nearest of each row after changes to the gallery.

    The cost grows with the number of new rows and of rows that lost a neighbour.

    Parameters
    ----------
    gallery : Gallery
    former : NearestRows
    places : ndarray of intp, shape (len(former),)
        Row of each former row in the gallery, ascending except for -1: removed.
    progress : callable, optional
        Called with the share done, 0..1; an exception raised in it ends the update.

    Returns
    -------
    NearestRows
        The result of `find_nearest` if that is exact; otherwise former rows retain their nearest.
    """
    report = no_report if progress is None else progress
    n = len(gallery)
    remaining = np.flatnonzero(places >= 0)
    k = min(neighborhood_size(n), n - 1)
    least = 1 - _GROWN if _in_clusters(gallery) else 0.5
    if former.rows.shape[1] != k + 1 or len(remaining) < least * n or (np.diff(places[remaining]) <= 0).any():
        return find_nearest(gallery, progress=progress)
    rows = np.empty((n, k + 1), dtype=np.int32)
    reach = np.zeros(n, dtype=np.float32)
    moved = places[former.rows[remaining]]
    rows[places[remaining]] = moved
    reach[places[remaining]] = former.reach[remaining]
    is_new = np.ones(n, dtype=bool)
    is_new[places[remaining]] = False
    is_whole = ~is_new
    is_whole[places[remaining]] = (moved >= 0).all(axis=1)
    new = np.flatnonzero(is_new)
    # An unchanged row has new neighbours if new rows are within its reach.
    reached = np.where(is_whole, reach, np.float32(-1))
    for part in blocks(len(new), max(1, _BLOCK * _BLOCK // n)):
        row, other, far = gallery.within(new[part], reached)
        _insert(gallery, rows, reach, row, other, far)
        reached = np.where(is_whole, reach, np.float32(-1))
        report(0.5 * part.stop / len(new))
    _search(gallery, np.flatnonzero(~is_whole), rows, reach, lambda done: report(0.5 + 0.5 * done))
    return NearestRows(rows, reach)


def scale_of(gallery: Gallery) -> float:
    """Return twice the median squared distance of seeded random pairs of distinct rows; 1 if that is 0."""
    n = len(gallery)
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, n, (2, min(_PAIRS, n * n)))
    differ = one != other
    if not differ.any():
        return 1.0
    distances = gallery.pair_distances(one[differ], other[differ])
    return 2 * _median(np.square(distances, dtype=np.float64)) or 1.0


def _median(values: NDArray[np.float64]) -> float:
    """Return the median like `numpy.median`, which loads masked arrays: a fifth of numpy's loading time."""
    middle = [(len(values) - 1) // 2, len(values) // 2]
    return float(np.partition(values, middle)[middle].mean())


def _search(
    gallery: Gallery,
    wanted: NDArray[np.intp],
    rows: NDArray[np.int32],
    reach: NDArray[np.float32],
    report: ProgressReport,
) -> None:
    """Fill in the nearest (n, k + 1) and the reach (n,) of some rows."""
    k = rows.shape[1] - 1
    rows[wanted, 0] = wanted
    for part in blocks(len(wanted), max(1, _BLOCK * _BLOCK // len(gallery))):
        some = wanted[part]
        # In a small gallery, limiting the threads takes longer than the search.
        with one_thread() if len(gallery) > MAX_RERANKED else nullcontext():
            found, far = gallery.rank_many(gallery.rows[some], k, skip=some)
        rows[some, 1:] = found
        if k:
            reach[some] = far[:, -1]
        report(part.stop / len(wanted))


def _insert(
    gallery: Gallery,
    rows: NDArray[np.int32],
    reach: NDArray[np.float32],
    row: NDArray[np.intp],
    other: NDArray[np.intp],
    far: NDArray[np.float32],
) -> None:
    """Insert others into the nearest of rows, given pairs (m,) with distances up to the reach."""
    k = rows.shape[1] - 1
    changed = distinct(row)
    old = rows[changed, 1:].astype(np.intp)
    distances = gallery.pair_distances(np.repeat(changed, k), old.ravel())
    owner = np.concatenate([np.repeat(changed, k), row])
    others = np.concatenate([old.ravel(), other])
    distances = np.concatenate([distances, far])
    order = np.lexsort((others, distances, owner))
    starts = np.searchsorted(owner[order], changed)
    first = order[starts[:, None] + np.arange(k)]
    rows[changed, 1:] = others[first]
    reach[changed] = distances[first[:, -1]]


def _led_by(
    rows: NDArray[np.int64], distances: NDArray[np.float32], itself: int | None, first: int | None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Move the query's photo to the front, followed by the first other photo, in case ties put them later."""
    leads = [row for row in (itself, first) if row is not None]
    if rows[: len(leads)].tolist() == leads:
        return rows, distances
    rank = np.full(len(rows), len(leads))
    for i, row in enumerate(leads):
        rank[rows == row] = i
    order = np.argsort(rank, kind="stable")
    return rows[order], distances[order]
