# SPDX-License-Identifier: MIT
"""Subsets of rows: different ones, typical ones, odd ones, and the same number of each tag.

All compare rows by their Euclidean distance. Results depend on the rows and the seed only.

References
----------
.. [1] T. F. Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical Computer Science 38
   (1985).
.. [2] A. Krause, "Submodular function maximization" (2014), 1.2: facility location.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import blocks, one_thread, sqd

Report = Callable[[float], None]

_MIN_NEIGHBORS: Final = 5  # neighbours that a row that is not odd has
_COMPARED: Final = 4000  # rows with which others are compared
_BLOCK: Final = 2048


def farthest_first(X: NDArray[np.float32], count: int, start: int, report: Report = lambda _: None) -> NDArray[np.intp]:
    """Choose rows one by one, each the farthest from the rows chosen before.

    The largest distance of a row to the nearest chosen one is at most twice the smallest possible for this count [1]_.

    Parameters
    ----------
    X : ndarray of float32, shape (n, d)
    count : int
        Maximum number of rows.
    start : int
        The first row.

    Returns
    -------
    ndarray of intp, shape (min(count, n),)
        In the order of choice; ties by row.
    """
    chosen = [start]
    left = np.full(len(X), np.inf, dtype=np.float32)
    left[start] = -1
    while len(chosen) < min(count, len(X)):
        np.minimum(left, _distances(X, X[chosen[-1]]), out=left, where=left >= 0)
        chosen.append(int(np.argmax(left)))
        left[chosen[-1]] = -1
        report(len(chosen) / count)
    return np.array(chosen[: max(count, 0)], dtype=np.intp)


def typical(X: NDArray[np.float32], count: int, seed: int, report: Report = lambda _: None) -> NDArray[np.intp]:
    """Choose rows such that each row has a near one among them: medoids, by facility location [2]_.

    Each choice reduces the sum of the distances from all rows to their nearest chosen row as much as possible. With the
    largest distance in place of that to no row, the reduction is at least 1 - 1/e of the best possible one. With many
    rows, a seeded sample is represented and chosen from.

    Parameters
    ----------
    X : ndarray of float32, shape (n, d)
    count : int
        Maximum number of rows.
    seed : int
        For the sample.

    Returns
    -------
    ndarray of intp, shape (min(count, n),)
        In the order of choice: the first is the middle of all rows.
    """
    rows = np.arange(len(X))
    if len(X) > _COMPARED:
        rows = np.sort(np.random.default_rng(seed).choice(len(X), max(_COMPARED, count), replace=False))
    sample = X[rows]
    with one_thread():
        far = np.sqrt(sqd(sample, sample))
    nearest = far.max(axis=0)
    chosen: list[int] = []
    gains = (nearest - far).sum(axis=1)  # upper bounds later: gains only shrink
    for _ in range(min(count, len(rows))):
        while True:
            best = int(np.argmax(gains))
            gain = float(np.maximum(nearest - far[best], 0).sum())
            gains[best] = gain
            if gain >= gains.max():
                break
        chosen.append(best)
        gains[best] = -1
        np.minimum(nearest, far[best], out=nearest)
        report(len(chosen) / count)
    return rows[chosen].astype(np.intp)


def oddness(X: NDArray[np.float32], seed: int, report: Report = lambda _: None) -> NDArray[np.float32]:
    """Return the distance of each row to its fifth nearest other row among at most 4,000 seeded ones.

    Parameters
    ----------
    X : ndarray of float32, shape (n, d)
    seed : int

    Returns
    -------
    ndarray of float32, shape (n,)
        0 for a single row.
    """
    n = len(X)
    rows = np.arange(n)
    if n > _COMPARED:
        rows = np.sort(np.random.default_rng(seed).choice(n, _COMPARED, replace=False))
    place = np.full(n, -1)
    place[rows] = np.arange(len(rows))
    nearest = min(_MIN_NEIGHBORS, len(rows) - 1)
    found = np.zeros(n, dtype=np.float32)
    if nearest < 1:
        return found
    for part in blocks(n, _BLOCK):
        with one_thread():
            squared = np.maximum(sqd(X[part], X[rows]), 0)
        own = np.flatnonzero(place[part] >= 0)
        squared[own, place[part][own]] = np.inf
        found[part] = np.sqrt(np.partition(squared, nearest - 1, axis=1)[:, nearest - 1])
        report(part.stop / n)
    return found


def balanced(
    X: NDArray[np.float32], tags: scipy.sparse.csr_array, count: int, seed: int, report: Report = lambda _: None
) -> NDArray[np.intp]:
    """Choose rows such that each tag has about the same number of them.

    Each choice is a row of the tag with the fewest chosen rows (ties: the tag with the fewest rows): the first of its
    `typical` rows that is not chosen yet. Rows of a tag that are far from each other teach a classifier less: they are
    often unlike all others.

    Parameters
    ----------
    X : ndarray of float32, shape (n, d)
    tags : csr_array, shape (n, m)
        Nonzero where a row has a tag. Rows without a tag are never chosen.
    count : int
        Maximum number of rows.
    seed : int
        For ties between tags of the same number of rows, and for `typical`.

    Returns
    -------
    ndarray of intp, shape (k,)
        In the order of choice.
    """
    columns = tags.tocsc()
    members = [np.sort(columns.indices[columns.indptr[j] : columns.indptr[j + 1]]) for j in range(tags.shape[1])]
    sizes = np.array([len(rows) for rows in members])
    order = np.lexsort([np.random.default_rng(seed).permutation(len(members)), sizes])
    left = {int(j): members[j].tolist() for j in order if sizes[j]}
    is_sorted: set[int] = set()
    of_tag = np.zeros(len(members), dtype=int)
    chosen: dict[int, None] = {}
    while left and len(chosen) < count:
        tag = min(left, key=lambda j: int(of_tag[j]))
        if tag not in is_sorted:
            is_sorted.add(tag)
            left[tag] = members[tag][typical(X[members[tag]], count, seed)].tolist()
        row = next((row for row in left[tag] if row not in chosen), None)
        if row is None:
            del left[tag]
            continue
        chosen[row] = None
        of_tag[tags.indices[tags.indptr[row] : tags.indptr[row + 1]]] += 1
        report(len(chosen) / count)
    return np.array(list(chosen), dtype=np.intp)


def _distances(X: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the squared distances of rows (n, d) to another row (d,): float32 (n,)."""
    found = np.empty(len(X), dtype=np.float32)
    for part in blocks(len(X), _BLOCK):
        difference = X[part] - other
        found[part] = np.einsum("ij,ij->i", difference, difference)
    return found
