# SPDX-License-Identifier: MIT
"""Differences of two metrics: items with the fewest common neighbours, and families that they weigh differently."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError

Floats = NDArray[np.float64]


def neighbor_disagreement(one: NDArray[np.floating], other: NDArray[np.floating], k: int) -> Floats:
    """Return for each query the share of its k nearest items under one metric that the other metric does not share.

    Parameters
    ----------
    one, other : ndarray of float, shape (q, n)
        Distances of n items under each metric; infinite for items that do not count, such as the query.
    k : int
        Number of neighbours, 1 to n.

    Returns
    -------
    ndarray of float64, shape (q,)
        0 (the same neighbours) to 1 (no common one); the same if the metrics are exchanged. Ties count in the order of
        the items.

    Raises
    ------
    LearnerError
        If the shapes differ, or there are fewer than k items.

    Examples
    --------
    >>> neighbor_disagreement(np.array([[1.0, 2, 3]]), np.array([[1.0, 3, 2]]), 2).tolist()
    [0.5]
    """
    if one.shape != other.shape or one.ndim != 2:
        raise LearnerError("The two metrics were measured on different items.")
    if not 1 <= k <= one.shape[1]:
        raise LearnerError("There are fewer items than neighbours.")
    near = np.zeros((2, *one.shape), dtype=bool)
    for place, distances in enumerate((one, other)):
        np.put_along_axis(near[place], np.argsort(distances, axis=1, kind="stable")[:, :k], True, axis=1)
    return np.asarray(1 - near.all(axis=0).sum(axis=1) / k, dtype=np.float64)


def mean_shares(parts: NDArray[np.floating]) -> Floats:
    """Return the share of each family in the squared distances of pairs.

    Parameters
    ----------
    parts : ndarray of float, shape (p, f)
        Parts of the squared distance of each pair; negative ones count as 0.

    Returns
    -------
    ndarray of float64, shape (f,)
        Sum 1; zeros if all distances are 0.
    """
    total = np.maximum(parts, 0).sum(axis=0, dtype=np.float64)
    return np.asarray(total / max(float(total.sum()), np.finfo(np.float64).tiny), dtype=np.float64)
