"""Neighbours of photos under metrics that were learned without them, as a photo will find them that is new."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.core.errors import LearnerError
from learners.galleries.row_gallery import Gallery

Ints = NDArray[np.intp]


class Neighbors(NamedTuple):
    """Neighbours of photos among the same photos.

    Attributes
    ----------
    rows : ndarray of intp, shape (q,)
        Of the photos asked for, ascending.
    neighbors : ndarray of intp, shape (q, k)
        Rows, nearest first; -1 where there are fewer.
    distances : ndarray of float64, shape (q, k)
        Ascending; infinite for those.
    """

    rows: Ints
    neighbors: Ints
    distances: NDArray[np.float64]


class HeldOut(NamedTuple):
    """One fold of the photos.

    Attributes
    ----------
    number : int
        0, 1, ...
    rows : ndarray of intp, shape (h,)
        The photos of the fold, ascending: the metric must not be learned from them.
    asked : ndarray of intp, shape (q,)
        Those among them whose neighbours are looked for, ascending.
    others : ndarray of intp, shape (m,)
        Photos of the other folds, ascending: the neighbours come from them.
    """

    number: int
    rows: Ints
    asked: Ints
    others: Ints


Learn = Callable[[HeldOut, np.random.Generator], tuple[Gallery, NDArray[np.float32]]]
"""Learns a metric without a fold, and returns the gallery of `HeldOut.others` and the rows (q, r) of `HeldOut.asked`
in it; the generator is for what else has to be drawn."""


def out_of_fold_neighbors(
    learn: Learn,
    n: int,
    k: int,
    *,
    folds: int = 3,
    parts: int | None = None,
    most_asked: int | None = None,
    most_others: int | None = None,
    seed: int = 0,
) -> Neighbors:
    """Deal photos into folds, and find the neighbours of each fold under a metric that the others have taught.

    Parameters
    ----------
    learn : callable
        See `Learn`; called once a fold.
    n : int
        Number of photos.
    k : int
        Neighbours, at most; they come from the other folds, which taught the metric, as they will for a new photo.
    folds : int
        At least 2.
    parts : int, optional
        Number of folds that are gone through, where time is short; all, unless given.
    most_asked, most_others : int, optional
        Largest number of photos that are asked for in all folds together, and that are ranked in one; of more a sample.
    seed : int
        Of the folds and the samples.

    Raises
    ------
    LearnerError
        There are fewer than 2 folds.

    Notes
    -----
    Cost: one training and one ranking a fold.
    """
    if folds < 2:
        raise LearnerError(f"folds must be at least 2, it is {folds}.")
    rng = np.random.default_rng(seed)
    fold = rng.permutation(n) % folds
    count = folds if parts is None else parts
    found = [Neighbors(np.empty(0, np.intp), np.empty((0, k), np.intp), np.empty((0, k)))]
    for number in range(min(count, folds)):
        rows = np.flatnonzero(fold == number)
        if not len(rows):
            continue
        asked = some_of(rows, None if most_asked is None else -(-most_asked // count), rng)
        others = some_of(np.flatnonzero(fold != number), most_others, rng)
        gallery, queries = learn(HeldOut(number, rows, asked, others), rng)
        nearest, distances = gallery.rank_many(queries, min(k, len(others)))
        short = ((0, 0), (0, k - nearest.shape[1]))
        neighbors = np.pad(others[nearest], short, constant_values=-1).astype(np.intp)
        found.append(Neighbors(asked, neighbors, np.pad(distances.astype(np.float64), short, constant_values=np.inf)))
    asked, neighbors, far = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(asked)
    return Neighbors(asked[order], neighbors[order], far[order])


def some_of(rows: Ints, most: int | None, rng: np.random.Generator) -> Ints:
    """Return rows, intp (n,), ascending, or a sample of them where there are more than `most`."""
    return rows if most is None or len(rows) <= most else np.sort(rng.choice(rows, most, replace=False))
