"""Neighbours of tagged photos under metrics that these photos did not teach, for confidence that new photos deserve."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from learners.core.errors import LearnerError
from learners.galleries.exact import FloatGallery
from learners.tags.tag_likelihood import Ints


def held_out_neighbors(
    embed: Callable[[Ints], NDArray[np.floating]],
    n: int,
    k: int,
    *,
    folds: int = 3,
    parts: int | None = None,
    seed: int = 0,
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Return the neighbours of tagged photos under metrics that were not taught by them.

    Parameters
    ----------
    embed : callable
        Given rows (t,), learns a metric from these photos and returns all n photos in its space.
    n : int
        Number of photos.
    k : int
        Neighbours, at most; they come from the photos that taught the metric, as they will for a new photo.
    folds : int
        At least 2: a metric is learned from all but a fold.
    parts : int, optional
        Only so many folds are gone through, where time is short.
    seed : int

    Returns
    -------
    rows : ndarray of intp, shape (q,)
    neighbors : ndarray of intp, shape (q, k)
        Rows; -1 where there are fewer.
    distances : ndarray of float64, shape (q, k)
        Infinite for those.

    Notes
    -----
    Cost: one training and one ranking a fold.
    """
    if folds < 2:
        raise LearnerError(f"folds must be at least 2, it is {folds}.")
    fold = np.random.default_rng(seed).permutation(n) % folds
    found: list[tuple[Ints, Ints, NDArray[np.float64]]] = [
        (np.empty(0, np.intp), np.empty((0, k), np.intp), np.empty((0, k)))
    ]
    for number in range(folds if parts is None else min(parts, folds)):
        taught, rows = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        if not len(taught) or not len(rows):
            continue
        Z = np.ascontiguousarray(embed(taught), dtype=np.float32)
        nearest, distances = FloatGallery(np.ascontiguousarray(Z[taught])).rank_many(Z[rows], min(k, len(taught)))
        neighbors = np.where(nearest >= 0, taught[nearest], -1)
        short = ((0, 0), (0, k - neighbors.shape[1]))
        found.append(
            (
                rows.astype(np.intp),
                np.pad(neighbors, short, constant_values=-1).astype(np.intp),
                np.pad(distances.astype(np.float64), short, constant_values=np.inf),
            )
        )
    rows, neighbors, far = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(rows)
    return rows[order], neighbors[order], far[order]
