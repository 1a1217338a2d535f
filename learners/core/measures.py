# SPDX-License-Identifier: MIT
"""Measures of retrieval (ALGORITHMS.md, 0.3)."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError


def _relevance(relevant: ArrayLike) -> NDArray[np.bool_]:
    matrix = np.atleast_2d(np.asarray(relevant, dtype=bool))
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise LearnerError("relevant must be a matrix (queries, ranks) with at least one entry.")
    return matrix


def average_precision(relevant: ArrayLike) -> float:
    """Return the mean over queries of the average precision over a complete ranking.

    Parameters
    ----------
    relevant : array_like of bool, shape (q, N) or (N,)
        Whether the photo at each rank is relevant, for the whole gallery.

    Returns
    -------
    float
        0..1: the mean over the relevant ranks r of the precision at r; 0 for queries without a relevant photo.
    """
    return float(np.mean(average_precisions(relevant)))


def average_precisions(relevant: ArrayLike) -> NDArray[np.float64]:
    """Return the `average_precision` of each query, float64 (q,)."""
    matrix = _relevance(relevant)
    # Only the relevant ranks, in the order of queries and ranks: they are few.
    query, rank = np.nonzero(matrix)
    found = np.bincount(query, minlength=len(matrix))
    place = np.arange(len(rank)) - np.repeat(np.cumsum(found) - found, found) + 1
    return np.asarray(np.bincount(query, place / (rank + 1), len(matrix)) / np.maximum(found, 1))


def precision_curve(relevant: ArrayLike) -> NDArray[np.float64]:
    """Return the precision among the first 1, 2, ..., r results, averaged over queries.

    Parameters
    ----------
    relevant : array_like of bool, shape (q, r) or (r,)
        Whether the result at each rank is relevant, nearest first, without the query itself.

    Returns
    -------
    ndarray of float64, shape (r,)
        0..1; the k-th is precision@k: "retrieval accuracy by rank" (Yang 2010, eq. 20), "cumulative
        neighbour purity" (Chang & Yeung 2006).
    """
    matrix = _relevance(relevant)
    curve: NDArray[np.float64] = np.cumsum(matrix.mean(axis=0)) / np.arange(1, matrix.shape[1] + 1)
    return curve


def precision_recall(relevant: ArrayLike, levels: int = 11) -> NDArray[np.float64]:
    """Return the interpolated precision at levels of recall from 0 to 1, averaged over queries.

    Parameters
    ----------
    relevant : array_like of bool, shape (q, N) or (N,)
        Whether the photo at each rank is relevant, for the whole gallery.
    levels : int
        At least 2; 11 are the recalls 0, .1, ..., 1.

    Returns
    -------
    ndarray of float64, shape (levels,)
        For each level, the largest precision at any rank with at least that recall, so that it never increases with
        recall. Queries without a relevant photo count 0, as in `average_precision`.
    """
    matrix = _relevance(relevant)
    if levels < 2:
        raise LearnerError(f"levels must be at least 2, the recalls 0 and 1; it is {levels}.")
    found = np.cumsum(matrix, axis=1)
    precision = found / np.arange(1, matrix.shape[1] + 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    total = np.zeros(levels)
    for row in np.flatnonzero(found[:, -1]):
        # Levels in whole photos, rounded up: a recall of .3 of 10 photos is 3 photos, despite the binary rounding of
        # 0.3.
        wanted = -(-np.arange(levels) * found[row, -1] // (levels - 1))
        total += best[row, np.searchsorted(found[row], wanted)]
    return total / len(matrix)


def ndcgs_at_k(gains: ArrayLike, k: int) -> NDArray[np.float64]:
    """Return the normalised discounted cumulative gain of the first k results of each query.

    Parameters
    ----------
    gains : array_like of float, shape (q, N) or (N,)
        Similarity s in 0..1 of the photo at each rank to the query (such as `tag_cosine`), for the whole gallery.
    k : int

    Returns
    -------
    ndarray of float64, shape (q,)
        0..1: ``sum (2^s - 1) / log(1 + rank)`` over the ranks 1..k, divided by that of the best order; 0 if no photo
        has any gain (Qi 2009, eq. 27-28).
    """
    matrix = np.atleast_2d(np.asarray(gains, dtype=np.float64))
    cut = min(k, matrix.shape[1])
    discount = 1 / np.log1p(np.arange(1, cut + 1))
    got = (np.exp2(matrix[:, :cut]) - 1) @ discount
    largest = np.sort(np.partition(matrix, matrix.shape[1] - cut, axis=1)[:, matrix.shape[1] - cut :], axis=1)
    best = (np.exp2(largest[:, ::-1]) - 1) @ discount
    return np.asarray(np.divide(got, best, out=np.zeros_like(got), where=best > 0))


def roc_auc(scores: ArrayLike, relevant: ArrayLike) -> float:
    """Return the area under the ROC curve: the probability that a relevant item scores above an irrelevant one.

    Parameters
    ----------
    scores : array_like of float, shape (n,)
        Ties count half.
    relevant : array_like of bool, shape (n,)
        Contains both values.
    """
    kind = np.asarray(relevant, dtype=bool)
    values = np.asarray(scores, dtype=np.float64)
    if np.isnan(values).any():
        return float("nan")
    # Ranks from 1, their mean for ties; SciPy's `rankdata` takes .6 s of processor time to load.
    ordered, wanted = np.sort(values), values[kind]
    ranks = (np.searchsorted(ordered, wanted, "left") + np.searchsorted(ordered, wanted, "right") + 1) / 2
    k = len(ranks)
    return float((ranks.sum() - k * (k + 1) / 2) / (k * (len(kind) - k)))


def tag_cosine(a: scipy.sparse.csr_array, b: scipy.sparse.csr_array) -> NDArray[np.float64]:
    """Return the cosine between tag vectors.

    Parameters
    ----------
    a, b : csr_array of float, shape (q, m) and (N, m)

    Returns
    -------
    ndarray of float64, shape (q, N)
        0..1; 0 where a photo has no tag.
    """

    def unit(tags: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
        length = np.sqrt(np.asarray(tags.multiply(tags).sum(axis=1)).ravel())
        inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
        return scipy.sparse.diags_array(inverse).tocsr() @ tags

    return np.asarray((unit(a) @ unit(b).T).toarray(), dtype=np.float64)


def wilson_interval(right: float, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval of a proportion of which `right` of `n` trials were observed.

    Wilson's score interval (1927) stays within 0..1 and is accurate for few trials and for proportions near 0 and 1.

    Parameters
    ----------
    right : float
        0..n.
    n : int
        Number of trials; for 0 the interval is 0..1.
    confidence : float
        Above 0 and below 1.

    Returns
    -------
    low, high : float
    """
    if not (0 <= right <= n and 0 < confidence < 1):
        raise LearnerError(f"{right} of {n} with a confidence of {confidence} is not a proportion.")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = right / n, z * z / n
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * sqrt(share * (1 - share) / n + weight / (4 * n))
    return (0.0 if right == 0 else middle - half), (1.0 if right == n else middle + half)
