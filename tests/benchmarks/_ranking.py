"""Whole rankings of a gallery by any learner, and what of them is relevant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learners.base import DistanceLearner, EmbeddingMixin
from learners.linalg import sqd
from learners.row_gallery import gallery_rows, row_gallery
from tests.benchmarks._photo_sets import Floats, Ints


def distance_matrix(learner: DistanceLearner, queries: Floats, gallery: Floats) -> NDArray[np.float64]:
    """Return the distances (q, N) of a fitted learner between coordinates (q, d) and (N, d).

    Squared ones where the learner is an embedding: only their order counts.
    """
    if isinstance(learner, EmbeddingMixin):
        embedded = learner.transform(queries).astype(np.float64), learner.transform(gallery).astype(np.float64)
        return sqd(*embedded).astype(np.float64)
    every = row_gallery(learner, gallery_rows(learner, gallery))
    distances = np.empty((len(queries), len(gallery)))
    for distance, query in zip(distances, gallery_rows(learner, queries), strict=True):
        rows, values = every.rank(query)
        distance[rows] = values
    return distances


def ranked(distances: NDArray[np.float64], *, skip: Ints | None = None, seed: int = 0) -> Ints:
    """Return the rows of the gallery for each query, nearest first; equal distances in random order.

    Parameters
    ----------
    distances : ndarray of float64, shape (q, N)
    skip : ndarray of intp, shape (q,), optional
        A row of the gallery for each query that is left out: the query itself.
    seed : int
        Of the order of ties.

    Returns
    -------
    ndarray of intp, shape (q, N), or (q, N - 1) with `skip`
    """
    order = np.random.default_rng(seed).permutation(distances.shape[1])
    rows: Ints = order[np.argsort(distances[:, order], axis=1, kind="stable")]
    if skip is None:
        return rows
    others: Ints = rows[rows != skip[:, None]].reshape(len(rows), -1)
    return others
