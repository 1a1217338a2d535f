# SPDX-License-Identifier: MIT
"""Full rankings of a gallery for any learner."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.evaluation.cross_validation import distance_matrix
from tests.benchmarks.common.photo_sets import Ints

__all__ = ["distance_matrix", "ranked"]


def ranked(distances: NDArray[np.float64], *, skip: Ints | None = None, seed: int = 0) -> Ints:
    """Return the gallery rows for each query, nearest first; ties are in random order.

    Parameters
    ----------
    distances : ndarray of float64, shape (q, N)
    skip : ndarray of intp, shape (q,), optional
        Gallery row to leave out for each query: the query itself.
    seed : int
        Seed of the order of ties.

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
