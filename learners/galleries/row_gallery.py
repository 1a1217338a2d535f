"""Galleries of any learner: what is stored of each photo, a row of float32, and exact rankings of such rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.boosted.dist_boost import DistBoost, MixtureCodes
from learners.core.base import DistanceLearner, EmbeddingMixin, as_samples
from learners.core.errors import LearnerError
from learners.core.feature_space import ColumnGroup
from learners.core.linalg import blocks, smallest, sqd
from learners.families.kernel_combinations import KernelCombination
from learners.galleries.exact import FloatGallery, FunctionGallery, Ranking
from learners.linear.oasis import Oasis

_ROWS = 4096
"""Rows that are compared at a time: their float64 copies stay small."""

_SCORES = 1 << 22
"""Distances of several queries that are in memory at a time: 32 MB."""

_ROUNDING = 1e-6
"""Slack of rough distances, as a share of the largest one: room for the rounding of exact ones to float32."""


class Gallery(Protocol):
    """What all galleries of rows can do; see `learners.galleries.exact.FloatGallery`."""

    def __len__(self) -> int: ...

    def rank(self, query: ArrayLike, k: int | None = None) -> Ranking:
        """Return the nearest rows of a query, which is a row too."""
        ...

    def rank_many(
        self, queries: ArrayLike, k: int, *, skip: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the nearest rows of several queries."""
        ...


def gallery_rows(learner: DistanceLearner, X: ArrayLike) -> NDArray[np.float32]:
    """Return what a gallery keeps of photos.

    Parameters
    ----------
    learner : DistanceLearner
        Fitted.
    X : array_like of float, shape (n, d)

    Returns
    -------
    ndarray of float32, shape (n, r)
        The embedding where the learner has one. Otherwise what its distance is quickest to compute from: unit vectors
        (OASIS), mixture components and probabilities (DistBoost), the columns of the families that count (kernel
        combinations), or X itself.
    """
    if isinstance(learner, EmbeddingMixin):
        rows: NDArray[np.float32] = learner.transform(X)
        return rows
    samples = as_samples(X, features=getattr(learner, "n_features_in_", None))
    return np.ascontiguousarray(_form(learner).rows(samples), dtype=np.float32)


def row_gallery(learner: DistanceLearner | None, rows: NDArray[np.float32]) -> Gallery:
    """Return a gallery that ranks rows by a learner's distance.

    Parameters
    ----------
    learner : DistanceLearner or None
        Fitted; None: Euclidean distance of the rows.
    rows : ndarray of float32, shape (N, r)
        As `gallery_rows` gives them; may be a memory map.

    Returns
    -------
    Gallery
        Its queries are rows too: those of the focal images.
    """
    if learner is None or isinstance(learner, EmbeddingMixin):
        return FloatGallery(rows)
    return RowGallery(_form(learner), rows)


class RowForm(ABC):
    """How photos are stored as rows for one learner, and what the distance of two rows is."""

    @abstractmethod
    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return what is stored (n, r) of coordinates (n, d)."""

    @abstractmethod
    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the distances (N,) from a query (r,), the focal image, to rows (N, r)."""

    def rough(
        self,
        queries: NDArray[np.float32],  # noqa: ARG002  those that can override this
        rows: NDArray[np.float32],  # noqa: ARG002
    ) -> tuple[NDArray[np.float64], float] | None:
        """Return scores (q, N) that rise with the distances, and how wrong they may be; None: there is no short cut.

        One matrix product instead of q passes over the rows.
        """
        return None


class RowGallery:
    """Photos as rows whose distance is no Euclidean one; each query compares all of them, in blocks.

    Parameters
    ----------
    form : RowForm
    rows : ndarray of float32, shape (N, r)
        May be a memory map. It is not copied and must not change.
    """

    def __init__(self, form: RowForm, rows: NDArray[np.float32]) -> None:
        self.form = form
        self.rows = rows
        self._ranked = FunctionGallery(lambda query: self._distances(query, np.arange(len(rows))))

    def __len__(self) -> int:
        return len(self.rows)

    def rank(self, query: ArrayLike, k: int | None = None) -> Ranking:
        """Return the nearest rows of a query (r,), as `learners.galleries.exact.FloatGallery.rank` does."""
        return self._ranked.rank(self._queries(np.atleast_2d(np.asarray(query)))[0], k)

    def rank_many(
        self, queries: ArrayLike, k: int, *, skip: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the nearest rows of several queries (q, r), as `FloatGallery.rank_many` does."""
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

    def _distances(self, query: NDArray[np.float32], chosen: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the exact distances to some rows, ascending places (c,), or to all."""
        everything = len(chosen) == len(self)
        result = np.empty(len(chosen), dtype=np.float32)
        for part in blocks(len(chosen), _ROWS):
            result[part] = self.form.distances(query, self.rows[part if everything else chosen[part]])
        return result

    def _rough(self, queries: NDArray[np.float32]) -> tuple[NDArray[np.float64], float] | None:
        found = []
        for part in blocks(len(self), _ROWS):
            block = self.form.rough(queries, self.rows[part])
            if block is None:
                return None
            found.append(block)
        return np.concatenate([scores for scores, _ in found], axis=1), max(slack for _, slack in found)

    def _queries(self, queries: NDArray[np.generic]) -> NDArray[np.float32]:
        if queries.ndim != 2 or queries.shape[1] != self.rows.shape[1]:
            raise LearnerError(f"A query must have {self.rows.shape[1]} values, its shape is {queries.shape}.")
        points = np.ascontiguousarray(queries, dtype=np.float32)
        if not np.isfinite(points).all():
            raise LearnerError("The query contains NaN or infinite values.")
        return points


def _form(learner: DistanceLearner) -> RowForm:
    learner.check_fitted()
    if isinstance(learner, Oasis):
        return _UnitVectors(learner)
    if isinstance(learner, DistBoost):
        return _Mixtures(learner)
    if isinstance(learner, KernelCombination):
        return _Families(learner)
    return _Coordinates(learner)


class _Coordinates(RowForm):
    """Of a learner that nothing is known of: the photos' coordinates, and its own distance."""

    def __init__(self, learner: DistanceLearner) -> None:
        self.learner = learner

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        return X

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.learner.distances_from(query, rows)


class _UnitVectors(RowForm):
    """Of `Oasis`: unit vectors of principal components. For one focal image the distance is linear in them."""

    def __init__(self, learner: Oasis) -> None:
        self.learner = learner

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([self.learner._units(X[part]).astype(np.float32) for part in blocks(len(X), _ROWS)])

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        distances: NDArray[np.float64] = self._all(query[None], rows)[0]
        return distances

    def rough(self, queries: NDArray[np.float32], rows: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
        return self._all(queries, rows), 0.0

    def _all(self, queries: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        own = self.learner
        q, x = queries.astype(np.float64), rows.astype(np.float64)
        side = q @ own.W_
        learned = np.maximum(np.linalg.norm(side, axis=1)[:, None] - side @ x.T, 0.0) / own.scales_[0]
        plain = np.einsum("ij,ij->i", q, q)[:, None] + np.einsum("ij,ij->i", x, x) - 2 * (q @ x.T)
        blend = own.euclidean_blend
        return np.asarray((learned + blend / own.scales_[1] * np.maximum(plain, 0.0)) / (1 + blend))


class _Mixtures(RowForm):
    """Of `DistBoost`: for each round the component and its probability, then the Euclidean part."""

    def __init__(self, learner: DistBoost) -> None:
        self.learner = learner
        self._rounds = len(learner.alphas_)

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        codes = self.learner.codes(X)
        return np.hstack([codes.components.astype(np.float32), codes.probabilities, codes.plain])

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.learner.code_distances(self._codes(query[None]), self._codes(rows))

    def _codes(self, rows: NDArray[np.float32]) -> MixtureCodes:
        T = self._rounds
        return MixtureCodes(rows[:, :T].astype(np.uint8), rows[:, T : 2 * T], rows[:, 2 * T :])


class _Families(RowForm):
    """Of the kernel combinations: the columns of the families that count; with a blend all of them do."""

    def __init__(self, learner: KernelCombination) -> None:
        weights = np.array([*learner.family_weights_.values()])
        groups, columns, start = [], [], 0
        for group, weight in zip(learner.groups_, weights, strict=True):
            if weight > 0 or learner.euclidean_blend:
                groups.append(ColumnGroup(group.name, start, start + group.stop - group.start, group.is_count))
                columns.append(np.arange(group.start, group.stop))
                start = groups[-1].stop
        self._columns = np.concatenate(columns)
        # The same learner on these columns alone.
        self.learner = type(learner)(**learner.get_params())
        self.learner.groups_ = tuple(groups)
        self.learner.scales_ = learner.scales_[self._columns]
        self.learner.means_ = learner.means_
        self.learner.family_weights_ = {group.name: learner.family_weights_[group.name] for group in groups}
        self.learner.n_features_in_ = start

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        return X[:, self._columns]

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.learner.distances_from(query, rows)

    def rough(self, queries: NDArray[np.float32], rows: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
        own = self.learner
        center = rows.mean(axis=0, dtype=np.float64)
        q, x = queries - center, rows - center
        scores, slack = np.zeros((len(q), len(x))), 0.0
        for group in own.groups_:
            columns = slice(group.start, group.stop)
            squared, error = _rough_squares(q[:, columns] * own.scales_[columns], x[:, columns] * own.scales_[columns])
            weight = 2 * own.family_weights_[group.name] / own.means_[0]
            scores -= weight * np.expm1(-np.sqrt(squared))
            # A root magnifies the error of a square near 0, at most to the root of that error.
            slack += weight * np.sqrt(error)
        if own.euclidean_blend:
            squared, error = _rough_squares(q, x)
            scores += own.euclidean_blend * squared / own.means_[1]
            slack += own.euclidean_blend * error / own.means_[1]
        return scores, float(slack)


def _rough_squares(q: NDArray[np.float64], x: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return squared distances (q, N) by a matrix product, and a bound of their rounding errors."""
    largest = max(float(np.einsum("ij,ij->i", rows, rows).max()) for rows in (q, x))
    error = 4 * (q.shape[1] + 4) * float(np.finfo(np.float64).eps) * largest
    return np.asarray(sqd(q, x), dtype=np.float64), error
