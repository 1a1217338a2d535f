# SPDX-License-Identifier: MIT
"""Groups and triplets: judged pairs and tags as input of class and triplet methods."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.arrays.distinct import common, together, without
from focal_photos.learners.core.inputs.samples import as_samples
from focal_photos.learners.core.scatters import shared_tags
from focal_photos.learners.core.side_information import SideInformation

_NEGATIVES = 5
"""Random photos drawn for each judged pair whose focal image has judgements of one kind only."""


class Groups(NamedTuple):
    """Photos that are known to belong to groups, with their groups."""

    rows: NDArray[np.intp]
    """Row numbers, ascending; shape (k,)."""
    groups: scipy.sparse.csr_array
    """0/1; every row has at least one entry, every column at least two. Tags come before chunklets; shape (k, m)."""
    tags: int
    """Number of columns that are tags."""


def shared_groups(side: SideInformation, n: int, seed: int = 0) -> Groups:
    """Return the known groups of photos.

    A group is a tag carried by several photos, or a component of the graph of judged similar pairs (a chunklet). A
    photo may be in several groups.

    Parameters
    ----------
    side : SideInformation
    n : int
        Number of photos.
    seed : int
        Seed of the sample of tagged photos if there are more than 20,000.
    """
    tagged, tags = shared_tags(side, seed)
    carried = scipy.sparse.coo_array(tags)
    chunklet = SideInformation(similar=side.similar).chunklets(n)
    judged = np.flatnonzero(chunklet >= 0).astype(np.intp)
    row = np.concatenate([tagged[carried.coords[0]], judged])
    column = np.concatenate([carried.coords[1], tags.shape[1] + chunklet[judged]])
    shape = (n, tags.shape[1] + int(chunklet.max(initial=-1)) + 1)
    rows = together(tagged, judged)
    groups = scipy.sparse.csr_array((np.ones(len(row)), (row, column)), shape=shape)
    return Groups(rows, scipy.sparse.csr_array(groups[rows]), tags.shape[1])


def one_class_each(
    side: SideInformation, n: int, photos: int | None = None, seed: int = 0
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return one class per photo, for methods that accept no more.

    Of several groups, the smallest counts: the tag "dog" is more specific than "animal". A photo without a group that
    was judged dissimilar to another or has unshared tags forms a separate class.

    Parameters
    ----------
    side, n
        See `shared_groups`.
    photos : int, optional
        Maximum number of photos; more are sampled with `seed`.

    Returns
    -------
    rows : ndarray of intp, shape (k,)
        Row numbers, ascending.
    classes : ndarray of intp, shape (k,)
    """
    rows, groups, _ = shared_groups(side, n, seed)
    label = np.full(n, -1, dtype=np.intp)
    if len(rows):
        sizes = np.asarray(groups.sum(axis=0)).ravel()
        order = np.lexsort((np.arange(len(sizes)), sizes))
        rank = np.empty(len(sizes), dtype=np.intp)
        rank[order] = np.arange(len(sizes))
        label[rows] = np.minimum.reduceat(rank[groups.indices], groups.indptr[:-1])
    alone = without(together(side.dissimilar, side.tagged), np.flatnonzero(label >= 0))
    label[alone] = n + alone
    known = np.flatnonzero(label >= 0)
    if photos is not None and len(known) > photos:
        known = np.sort(np.random.default_rng(seed).choice(known, photos, replace=False))
    return known.astype(np.intp), np.unique(label[known], return_inverse=True)[1].astype(np.intp)


def triplets(side: SideInformation, n: int, per_photo: int = 10, seed: int = 0) -> NDArray[np.intp]:
    """Return triplets (t, 3) of all feedback: photo i is more similar to photo j than to photo k.

    In addition to `SideInformation.triplets`, if a focal image has judgements of one kind only: each similar pair (i,
    j) against five random photos, and each dissimilar pair (i, k) as (i, i, k), because a photo is more similar to
    itself than to k. The order is random, as online learners require.
    """
    rng = np.random.default_rng(seed)
    judged = SideInformation(side.similar, side.dissimilar, relative=side.relative)
    found = [judged.triplets(), _tag_triplets(side, per_photo, seed)]
    both = common(side.similar[:, 0], side.dissimilar[:, 0])
    lonely = side.similar[~np.isin(side.similar[:, 0], both)]
    if len(lonely) and n > 2:
        pair = np.repeat(lonely, _NEGATIVES, axis=0)
        k = rng.integers(0, n, len(pair))
        kept = (k != pair[:, 0]) & (k != pair[:, 1]) & ~_judged(pair[:, 0], k, side.similar, n)
        found.append(np.column_stack([pair, k])[kept])
    far = side.dissimilar[~np.isin(side.dissimilar[:, 0], both)]
    found.append(far[:, [0, 0, 1]])
    joined = np.concatenate(found).astype(np.intp)
    return joined[rng.permutation(len(joined))]


def _tag_triplets(side: SideInformation, per_photo: int, seed: int) -> NDArray[np.intp]:
    """Return the tag triplets of `SideInformation.triplets`, computed by sorting instead of photo by photo."""
    drawn = side.pairs(per_photo, seed)
    parts = []
    for pairs in (drawn.similar[len(side.similar) :], drawn.dissimilar[len(side.dissimilar) :]):
        ordered = pairs[np.argsort(pairs[:, 0], kind="stable")]
        _, first, count = np.unique(ordered[:, 0], return_index=True, return_counts=True)
        place = np.arange(len(ordered)) - np.repeat(first, count)
        parts.append((ordered, ordered[:, 0] * (per_photo + 1) + place))
    (near, one), (far, other) = parts
    _, a, b = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    return np.column_stack([near[a], far[b, 1]])


def rows_of(X: ArrayLike, found: NDArray[np.intp], features: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the photos that occur in pairs or triplets, checked, and the tuples renumbered to them.

    No other row is read from a memory map or a matrix of a million photos.

    Parameters
    ----------
    X : array_like of float, shape (n, d)
    found : ndarray of intp, shape (t, 2) or (t, 3)
    features : int
        Required number of columns of X.

    Raises
    ------
    LearnerError
        If X has another number of columns, or these rows are not finite.
    """
    rows, place = np.unique(found, return_inverse=True)
    return as_samples(np.asarray(X)[rows], features=features), place.reshape(found.shape).astype(np.intp)


def _judged(i: NDArray[np.intp], k: NDArray[np.intp], pairs: NDArray[np.intp], n: int) -> NDArray[np.bool_]:
    """Return the pairs (i, k) that were judged, in either order, as a mask."""

    def code(a: NDArray[np.intp], b: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.minimum(a, b) * n + np.maximum(a, b)

    return np.isin(code(i, k), code(pairs[:, 0], pairs[:, 1]))
