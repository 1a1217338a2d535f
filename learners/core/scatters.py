# SPDX-License-Identifier: MIT
"""Scatter matrices of feedback from pairs and tags, which can be added and subtracted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.linalg import blocks, matrix_axes, pair_scatter, powm, row_axes
from focal_photos.learners.core.side_information import SideInformation

SIMILAR, DISSIMILAR, WITHIN, BETWEEN = range(4)
"""Indices of the sums: judged pairs of both kinds, and the scatters within and between tags."""

_TAGGED = 20_000
"""Maximum number of tagged photos, drawn at random; the scatters hardly change beyond it."""

Coordinates = Callable[[NDArray[np.intp]], NDArray[np.float64]]
"""Coordinates (k, p) of the photos with the given row numbers (k,)."""


def scatters(
    coordinates: Coordinates, dimension: int, side: SideInformation, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums of one set of feedback; the sums of two sets can be added.

    Parameters
    ----------
    coordinates : callable
        Returns the coordinates of rows; called once with the rows of judged pairs and once with the tagged rows.
    dimension : int
        Number of coordinates p.
    side : SideInformation
    seed : int
        Seed of the sample of tagged photos if there are more than 20,000.

    Returns
    -------
    sums : ndarray of float64, shape (4, p, p)
        For judged pairs, the sum of ``(y_i - y_j)(y_i - y_j)'`` over similar and over dissimilar pairs; for tags, the
        scatter within and between them (`tag_scatters`).
    counts : ndarray of float64, shape (4,)
        Similar pairs, dissimilar pairs, tagged photos, tagged photos.
    """
    sums = np.zeros((4, dimension, dimension))
    counts = np.zeros(4)
    judged = np.concatenate([side.similar, side.dissimilar])
    if len(judged):
        rows, place = np.unique(judged, return_inverse=True)
        Y = coordinates(rows)
        place = place.reshape(judged.shape)
        s = len(side.similar)
        sums[SIMILAR], counts[SIMILAR] = pair_scatter(Y, place[:s]), s
        sums[DISSIMILAR], counts[DISSIMILAR] = pair_scatter(Y, place[s:]), len(place) - s
    rows, tags = shared_tags(side, seed)
    if len(rows):
        sums[WITHIN], sums[BETWEEN] = tag_scatters(coordinates(rows), tags)
        counts[[WITHIN, BETWEEN]] = len(rows)
    return sums, counts


def shared_tags(side: SideInformation, seed: int = 0) -> tuple[NDArray[np.intp], scipy.sparse.csr_array]:
    """Return the photos with shared tags, and these tags; a tag on a single photo gives no comparison.

    Parameters
    ----------
    side : SideInformation
    seed : int
        Seed of the sample of tagged photos if there are more than 20,000.

    Returns
    -------
    rows : ndarray of intp, shape (k,)
        Row numbers, ascending.
    tags : csr_array of float64, shape (k, m)
        Counts; no empty row, no column with fewer than two photos.
    """
    rows = side.tagged
    if side.tags is None or not len(rows):
        return np.empty(0, dtype=np.intp), scipy.sparse.csr_array((0, 0))
    if len(rows) > _TAGGED:
        rows = np.sort(np.random.default_rng(seed).choice(rows, _TAGGED, replace=False))
    counts = scipy.sparse.csr_array(side.tags[rows]).astype(np.float64)
    used = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]) > 1)
    counts = counts[:, used]
    kept = np.flatnonzero(np.diff(counts.indptr))
    return rows[kept], counts[kept]


def tag_scatters(
    Y: NDArray[np.float64], tags: scipy.sparse.csr_array
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the scatters within and between tags (ALGORITHMS.md, 5.1 and 5.5).

    The tags of a photo predict its position: the mean, over its tags, of the mean position of the photos with that tag.
    Both means are weighted by how often the tag was given (Qi 2009, eq. 1 and 2). The scatter within tags is that of
    the residuals, the scatter between tags that of the predictions. Every photo has the same weight; its tags, rare or
    frequent, share it in proportion to their counts.

    Parameters
    ----------
    Y : ndarray of float64, shape (k, p)
    tags : csr_array, shape (k, m)
        Counts; no empty row, no empty column.

    Returns
    -------
    within, between : ndarray of float64, shape (p, p)
        Cost k p^2, plus k t p with t tags per photo.
    """
    means = (tags.T @ Y) / np.asarray(tags.sum(axis=0)).reshape(-1, 1)
    share = scipy.sparse.csr_array(scipy.sparse.diags_array(1 / np.asarray(tags.sum(axis=1)).ravel()) @ tags)
    p = Y.shape[1]
    within, between, total = np.zeros((p, p)), np.zeros((p, p)), np.zeros(p)
    for part in blocks(len(Y)):
        predicted = share[part] @ means
        rest = Y[part] - predicted
        within += rest.T @ rest
        between += predicted.T @ predicted
        total += predicted.sum(axis=0)
    return within, between - np.outer(total, total) / len(Y)


Axes = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Eigenvalues (r,), all > 0, and eigenvectors (p, r) of a scatter (p, p), which is 0 outside their span."""


def tag_axes(
    Y: NDArray[np.float64], tags: scipy.sparse.csr_array, differences: NDArray[np.float64]
) -> tuple[Axes, Axes]:
    """Return the eigenvectors of the scatters within and between tags, from the smallest possible decompositions.

    Parameters
    ----------
    Y, tags
        See `tag_scatters`.
    differences : ndarray of float64, shape (s, p)
        Vectors whose outer products are added to the scatter within tags.

    Returns
    -------
    within, between : tuple of ndarray
        Cost: that of `tag_scatters`, plus min(k + s, p) cubed, plus the cube of the smallest of the number of tags, k
        and p.
    """
    k, p = Y.shape
    few = k + len(differences) < p
    counts = np.asarray(tags.sum(axis=0)).reshape(-1, 1)
    share = scipy.sparse.csr_array(scipy.sparse.diags_array(1 / np.asarray(tags.sum(axis=1)).ravel()) @ tags)
    means = (tags.T @ Y) / counts
    if few:
        within = row_axes(np.concatenate([Y - share @ means, differences]), p)
    else:
        residuals, predictions = tag_scatters(Y, tags)
        within = matrix_axes(residuals + differences.T @ differences)
    # The shares of a photo's tags sum to 1, so the prediction from their mean is the mean of all predictions.
    centred = means - np.asarray(share.mean(axis=0)).reshape(1, -1) @ means
    if len(means) < min(k, p):
        return within, row_axes(powm((share.T @ share).toarray(), 0.5) @ centred, p)
    return within, row_axes(share @ centred, p) if few else matrix_axes(predictions)
