# SPDX-License-Identifier: MIT
"""Galleries of any learner: one stored float32 row per photo, and exact rankings of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.inputs import samples
from focal_photos.learners.core.learner import base
from focal_photos.learners.core.linalg import blocks, smallest
from focal_photos.learners.galleries.float_gallery import FULL_SHARE, FloatGallery, RankedRows, first_of, no_rows

if TYPE_CHECKING:  # ranking without a learned metric loads no learners
    from focal_photos.learners.core.learner.storage_layout import StorageLayout

_ROWS = 4096
"""Rows compared at a time, which limits the size of their float64 copies."""

_SCORES = 1 << 22
"""Distances of several queries in memory at a time: 32 MB."""

_ROUNDING = 1e-6
"""Slack of rough distances, as a share of the largest one, for the rounding of exact ones to float32."""


class Gallery(Protocol):
    """Interface of all galleries; see `learners.galleries.float_gallery.FloatGallery`."""

    def __len__(self) -> int: ...

    def rank(self, query: ArrayLike, k: int | None = None, *, allowed: NDArray[np.bool_] | None = None) -> RankedRows:
        """Return the rows nearest to a query, float (r,), among those allowed (n,): intp and float32 (k,)."""
        ...

    def rank_many(
        self, queries: ArrayLike, k: int, *, skip: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the nearest rows of several queries, float (q, r): intp and float32 (q, k); `skip`: intp (q,)."""
        ...

    @property
    def rows(self) -> NDArray[np.float32]:
        """The ranked rows, shape (n, r); may be a memory map."""
        ...

    def among(self, rows: NDArray[np.intp]) -> Gallery:
        """Return a gallery of some rows (c,)."""
        ...

    def distances(self, query: ArrayLike, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the distances (c,) from a query to some rows (c,)."""
        ...

    def pair_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the distances (m,) between rows (m,) and others (m,) of the gallery."""
        ...

    def squared_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp] | None = None) -> NDArray[np.float32]:
        """Return the squared distances (m, c) of rows (m,) to others (c,), or to all; 0 of a row to itself."""
        ...

    def squared_distance_sums(self, rows: NDArray[np.intp], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over rows (m,) of weights (m,) times their squared distances to each row: (n,)."""
        ...

    def within(
        self, rows: NDArray[np.intp], reach: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
        """Return pairs of a row and one of some rows (m,) within its reach (n,), and their distances."""
        ...


def gallery_rows(learner: base.DistanceLearner, X: ArrayLike) -> NDArray[np.float32]:
    """Return the rows that a gallery stores for photos.

    Parameters
    ----------
    learner : DistanceLearner
        Fitted learner.
    X : array_like of float, shape (n, d)

    Returns
    -------
    ndarray of float32, shape (n, r)
        The embedding if the learner has one, otherwise the rows of its `DistanceLearner.storage_layout`.
    """
    if isinstance(learner, base.EmbeddingMixin):
        rows: NDArray[np.float32] = learner.transform(X)
        return rows
    learner.check_fitted()
    checked = samples.as_samples(X, features=learner.n_features_in_)
    return np.ascontiguousarray(learner.storage_layout().rows(checked), dtype=np.float32)


def row_gallery(learner: base.DistanceLearner | None, rows: NDArray[np.float32]) -> Gallery:
    """Return a gallery that ranks rows by a learner's distance.

    Parameters
    ----------
    learner : DistanceLearner or None
        Fitted learner; None: Euclidean distance of the rows.
    rows : ndarray of float32, shape (N, r)
        Result of `gallery_rows`; may be a memory map.

    Returns
    -------
    Gallery
        Its queries are rows, too: those of the focal images.
    """
    if learner is None:
        return FloatGallery(rows)

    if isinstance(learner, base.EmbeddingMixin):
        return FloatGallery(rows)
    learner.check_fitted()
    return RowGallery(learner.storage_layout(), rows)


class RowGallery:
    """Photos as rows with a non-Euclidean distance; each query compares all of them, in blocks.

    Parameters
    ----------
    form : StorageLayout
    rows : ndarray of float32, shape (N, r)
        May be a memory map. It is not copied and must not change.
    """

    def __init__(self, form: StorageLayout, rows: NDArray[np.float32]) -> None:
        self.form = form
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def rank(self, query: ArrayLike, k: int | None = None, *, allowed: NDArray[np.bool_] | None = None) -> RankedRows:
        """Return the nearest rows of a query, float (r,): intp and float32 (k,), as `FloatGallery.rank` does."""
        point = self._queries(np.atleast_2d(np.asarray(query)))[0]
        chosen = np.arange(len(self)) if allowed is None else np.flatnonzero(allowed)
        distances = self._distances(point, chosen)
        if np.isnan(distances).any():
            raise LearnerError("The learner's distances are NaN.")
        count = len(chosen) if k is None else min(k, len(chosen))
        if count <= 0:
            return no_rows()
        if count * FULL_SHARE >= len(chosen):
            return first_of(distances, chosen, count)
        candidates = smallest(distances, count)
        return first_of(distances[candidates], chosen[candidates], count)

    def rank_many(
        self, queries: ArrayLike, k: int, *, skip: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the nearest rows of queries, float (q, r), without `skip`, intp (q,), as `FloatGallery.rank_many`."""
        points = self._queries(np.asarray(queries))
        left_out = np.full(len(points), -1) if skip is None else np.asarray(skip)
        count = max(0, min(k, len(self) - (0 if skip is None else 1)))
        found = np.empty((len(points), count), dtype=np.intp)
        distances = np.empty((len(points), count), dtype=np.float32)
        if not count:
            return found, distances
        wanted = min(count + 1, len(self))
        for part in blocks(len(points), max(1, _SCORES // len(self))):
            rough = self._rough(points[part])
            for i in range(part.start, min(part.stop, len(points))):
                if rough is None:
                    exact = self._distances(points[i], np.arange(len(self)))
                    candidates = smallest(exact, wanted)
                    exact = exact[candidates]
                else:
                    scores, slack = rough[0][i - part.start], rough[1]
                    candidates = smallest(scores, wanted, 2 * slack + _ROUNDING * float(np.abs(scores).max()))
                    exact = self._distances(points[i], candidates)
                kept = candidates != left_out[i]
                order = np.argsort(exact[kept], kind="stable")[:count]
                found[i], distances[i] = candidates[kept][order], exact[kept][order]
        return found, distances

    @property
    def rows(self) -> NDArray[np.float32]:
        """The ranked rows, shape (N, r)."""
        return self._rows

    def among(self, rows: NDArray[np.intp]) -> RowGallery:
        """Return a gallery of some rows (c,)."""
        return RowGallery(self.form, np.ascontiguousarray(self._rows[rows]))

    def distances(self, query: ArrayLike, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the distances (c,) from a query (r,) to some rows (c,)."""
        point = self._queries(np.atleast_2d(np.asarray(query)))[0]
        return self.form.distances(point, self._rows[rows]).astype(np.float32)

    def pair_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the distances (m,) between rows (m,) and others (m,); one pass per distinct row of `rows`."""
        found = np.empty(len(rows), dtype=np.float32)
        order = np.argsort(rows, kind="stable")
        starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
            same = order[start:stop]
            found[same] = self.form.distances(self._rows[rows[same[0]]], self._rows[others[same]])
        return found

    def squared_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp] | None = None) -> NDArray[np.float32]:
        """Return the squared distances (m, c) of rows (m,) to others (c,), or to all; 0 of a row to itself."""
        chosen = np.arange(len(self)) if others is None else others
        found = np.stack([self._distances(self._rows[row], chosen) for row in rows])
        np.square(found, out=found)
        found[np.asarray(rows)[:, None] == chosen] = 0
        return found

    def squared_distance_sums(self, rows: NDArray[np.intp], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over rows (m,) of weights (m,) times their squared distances to each row: (n,)."""
        found = np.zeros(len(self), dtype=np.float64)
        for row, weight in zip(rows, weights, strict=True):
            found += weight * self.squared_distances(np.array([row]))[0]
        return found

    def within(
        self, rows: NDArray[np.intp], reach: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
        """Find the rows whose reach includes some of the rows; see `FloatGallery.within`."""
        reaching, reached, distances = [], [], []
        theirs = self._rows[rows]
        for row in np.flatnonzero(reach >= 0):
            far = self.form.distances(self._rows[row], theirs).astype(np.float32)
            near = np.flatnonzero(far <= reach[row])
            reaching.append(np.full(len(near), row))
            reached.append(rows[near])
            distances.append(far[near])
        if not reaching:
            return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0, np.float32)
        return np.concatenate(reaching), np.concatenate(reached), np.concatenate(distances)

    def _distances(self, query: NDArray[np.float32], chosen: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the exact distances to the chosen rows, ascending (c,)."""
        everything = len(chosen) == len(self)  # chosen rows are distinct and ascending
        result = np.empty(len(chosen), dtype=np.float32)
        for part in blocks(len(chosen), _ROWS):
            result[part] = self.form.distances(query, self._rows[part if everything else chosen[part]])
        return result

    def _rough(self, queries: NDArray[np.float32]) -> tuple[NDArray[np.float64], float] | None:
        found = []
        for part in blocks(len(self), _ROWS):
            block = self.form.rough(queries, self._rows[part])
            if block is None:
                return None
            found.append(block)
        return np.concatenate([scores for scores, _ in found], axis=1), max(slack for _, slack in found)

    def _queries(self, queries: NDArray[np.generic]) -> NDArray[np.float32]:
        if queries.ndim != 2 or queries.shape[1] != self._rows.shape[1]:
            raise LearnerError(f"A query must have {self._rows.shape[1]} values, its shape is {queries.shape}.")
        points = np.ascontiguousarray(queries, dtype=np.float32)
        if not np.isfinite(points).all():
            raise LearnerError("The query contains NaN or infinite values.")
        return points
