"""Which comparisons a focal image learns from: triplets of the focal image, a dissimilar and a similar photo."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.core.errors import LearnerError
from learners.core.side_information import SideInformation

MOST_JUDGED: Final = 2000
"""Most triplets from the judgements on one focal image: of more, evenly spaced ones are taken."""

_COLUMNS: Final = 64
"""So many elementary distances are sorted at a time."""


def relevance_to(focal: int, side_information: SideInformation, n: int) -> NDArray[np.int8]:
    """Return what is known about the likeness of n photos to the focal image.

    Parameters
    ----------
    focal : int
        Row of the focal image.
    side_information : SideInformation
        A photo is similar if it shares a tag, dissimilar if both are tagged and share none. A judged pair whose first
        photo is the focal image stands against tags; a photo judged both ways counts as not known.
    n : int
        Number of photos.

    Returns
    -------
    ndarray of int8, shape (n,)
        1 similar, -1 dissimilar, 0 not known; the focal image has 0.
    """
    relevance = np.zeros(n, np.int8)
    tags = side_information.tags
    if tags is not None and tags.indptr[focal] < tags.indptr[focal + 1]:
        relevance[side_information.tagged] = -1
        relevance[(tags @ tags[[focal]].T).nonzero()[0]] = 1
    similar, dissimilar = judged_about(focal, side_information)
    relevance[similar] = 1
    relevance[dissimilar] = -1
    relevance[np.intersect1d(similar, dissimilar)] = 0
    relevance[focal] = 0
    return relevance


def judged_about(focal: int, side_information: SideInformation) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows of the photos that were judged similar, and dissimilar, to the focal image; ascending."""
    similar, dissimilar = (
        np.unique(pairs[pairs[:, 0] == focal, 1]).astype(np.intp)
        for pairs in (side_information.similar, side_information.dissimilar)
    )
    return similar, dissimilar


def judged_triplets(similar: NDArray[np.integer[Any]], dissimilar: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Return all pairs (dissimilar, similar) of judged photos, shape (T, 2), at most `MOST_JUDGED`.

    Photos judged both ways are left out.
    """
    both = np.intersect1d(similar, dissimilar)
    near, far = np.setdiff1d(similar, both), np.setdiff1d(dissimilar, both)
    pairs = np.stack(np.meshgrid(far, near, indexing="ij"), axis=-1).reshape(-1, 2).astype(np.intp)
    if len(pairs) > MOST_JUDGED:
        pairs = pairs[np.linspace(0, len(pairs) - 1, MOST_JUDGED).astype(np.intp)]
    return pairs


def select_triplets(distances: NDArray[np.floating[Any]], relevance: ArrayLike, K: int = 5) -> NDArray[np.intp]:
    """Return the triplets that the K nearest photos under each elementary distance give.

    If similar and dissimilar photos are among the K nearest of a column, all their combinations; if all are similar,
    the nearest dissimilar photo with each; if all are dissimilar, each with the nearest similar one. Equal distances
    go by row number. Columns in which all photos are equally far say nothing and give none.

    Parameters
    ----------
    distances : ndarray of float32 or float64, shape (N, M)
        Elementary distances of the candidates; scaling a column changes nothing.
    relevance : array_like of int, shape (N,)
        Above 0 similar, below 0 dissimilar, 0 not known: such photos are passed over.
    K : int
        At least 1.

    Returns
    -------
    ndarray of intp, shape (T, 2)
        Rows of the dissimilar and of the similar photo, ascending, none twice; none at all if one of the two kinds
        is missing.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006,
    section 5.1.
    """
    known, kind = _known(distances, relevance, K)
    if (kind > 0).all() or (kind < 0).all():
        return np.empty((0, 2), np.intp)
    D = distances if len(known) == len(distances) else distances[known]
    near, varied = _nearest(D, min(K, len(known)))
    if not varied.all():
        near, D = near[varied], D[:, varied]
    similar = kind[near] > 0
    # A triplet as one number: dissimilar n + similar.
    n, count = len(known), similar.sum(axis=1)
    found = [(near[:, :, None] * n + near[:, None, :])[~similar[:, :, None] & similar[:, None, :]]]
    for lonely, sign in ((count == near.shape[1], -1), (count == 0, 1)):
        others = np.flatnonzero(kind == sign)
        other = others[D[np.ix_(others, np.flatnonzero(lonely))].argmin(axis=0)][:, None]
        found.append((other * n + near[lonely] if sign < 0 else near[lonely] * n + other).ravel())
    triplets: NDArray[np.intp] = known[np.column_stack(np.divmod(np.unique(np.concatenate(found)), n))]
    return triplets


def _nearest(D: NDArray[np.floating[Any]], K: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the rows of the K smallest entries of each column, in any order, ties by row, and which columns vary.

    Shapes (M, K) and (M,). Some columns at a time, so that what is copied of them stays in the processor's cache.
    """
    near = np.empty((D.shape[1], K), np.intp)
    varied = np.empty(D.shape[1], bool)
    for start in range(0, D.shape[1], _COLUMNS):
        part = slice(start, start + _COLUMNS)
        columns = np.ascontiguousarray(D[:, part].T)
        varied[part] = columns.min(axis=1) < columns.max(axis=1)
        near[part] = _smallest(columns, K)
    return near, varied


def _smallest(columns: NDArray[np.floating[Any]], K: int) -> NDArray[np.intp]:
    """Return where the K smallest entries of each row are, in any order, ties by position: (M, K)."""
    # The vectorised partition of values and a comparison are twice as fast as a partition of positions.
    bound = np.partition(columns, K - 1, axis=1)[:, K - 1]
    row, place = np.divmod(np.flatnonzero(columns <= bound[:, None]), columns.shape[1])
    if len(place) == K * len(columns):
        return place.reshape(-1, K)
    order = np.lexsort((place, columns[row, place], row))
    row, place = row[order], place[order]
    start = np.searchsorted(row, np.arange(len(columns)))
    result: NDArray[np.intp] = place[start[:, None] + np.arange(K)]
    return result


def _known(
    distances: NDArray[np.floating[Any]], relevance: ArrayLike, K: int
) -> tuple[NDArray[np.intp], NDArray[np.integer[Any]]]:
    kind = np.asarray(relevance)
    if K < 1:
        raise LearnerError(f"K must be at least 1, not {K}.")
    if kind.shape != (len(distances),):
        raise LearnerError(f"relevance has shape {kind.shape}, it needs one value for each of {len(distances)} photos.")
    known = np.flatnonzero(kind)
    return known, kind[known]
