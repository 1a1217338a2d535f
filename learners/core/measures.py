"""Measures of retrieval and of annotation (ALGORITHMS.md, 0.3)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from learners.core.errors import LearnerError


def _relevance(relevant: ArrayLike) -> NDArray[np.bool_]:
    matrix = np.atleast_2d(np.asarray(relevant, dtype=bool))
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise LearnerError("relevant must be a matrix (queries, ranks) with at least one entry.")
    return matrix


def precision_at_k(relevant: ArrayLike, k: int) -> float:
    """Return the share of relevant photos among the first k results, averaged over queries.

    Parameters
    ----------
    relevant : array_like of bool, shape (q, r) or (r,)
        Whether the result at each rank is relevant, nearest first, without the query itself.
    k : int
        1..r; "retrieval accuracy at rank k" and "cumulative neighbour purity" are the same number.

    Returns
    -------
    float
        0..1.
    """
    matrix = _relevance(relevant)
    if not 1 <= k <= matrix.shape[1]:
        raise LearnerError(f"k must be in 1..{matrix.shape[1]}, the number of ranks given; it is {k}.")
    return float(matrix[:, :k].mean())


def average_precision(relevant: ArrayLike) -> float:
    """Return the mean over queries of the average precision over a complete ranking.

    Parameters
    ----------
    relevant : array_like of bool, shape (q, N) or (N,)
        Whether the photo at each rank is relevant, for the whole gallery.

    Returns
    -------
    float
        0..1: the mean over the relevant ranks r of the precision at r; queries without a relevant photo count 0.
    """
    matrix = _relevance(relevant)
    precision = np.cumsum(matrix, axis=1) / np.arange(1, matrix.shape[1] + 1)
    found = matrix.sum(axis=1)
    return float(np.mean((precision * matrix).sum(axis=1) / np.maximum(found, 1)))


def precision_curve(relevant: ArrayLike) -> NDArray[np.float64]:
    """Return the precision among the first 1, 2, ..., r results, averaged over queries.

    Parameters
    ----------
    relevant : array_like of bool, shape (q, r) or (r,)
        Whether the result at each rank is relevant, nearest first, without the query itself.

    Returns
    -------
    ndarray of float64, shape (r,)
        0..1; the k-th is `precision_at_k` of k: "retrieval accuracy by rank" (Yang 2010, eq. 20), "cumulative
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
        For each level the largest precision at any rank whose recall is at least that, so that it never rises with
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
        # Levels in whole photos, rounded up: a recall of .3 of 10 photos is 3 photos, whatever 0.3 is in binary.
        wanted = -(-np.arange(levels) * found[row, -1] // (levels - 1))
        total += best[row, np.searchsorted(found[row], np.maximum(wanted, 1))]
    return total / len(matrix)


def ndcg_at_k(gains: ArrayLike, k: int) -> float:
    """Return the normalised discounted cumulative gain of the first k results, averaged over queries.

    Parameters
    ----------
    gains : array_like of float, shape (q, N) or (N,)
        Similarity s in 0..1 of the photo at each rank to the query (such as `tag_cosine`), for the whole gallery.
    k : int

    Returns
    -------
    float
        0..1: ``sum (2^s - 1) / log(1 + rank)`` over the ranks 1..k, divided by that of the best order; 0 where
        no photo has any gain (Qi 2009, eq. 27-28).
    """
    matrix = np.atleast_2d(np.asarray(gains, dtype=np.float64))
    worth = np.exp2(matrix) - 1
    cut = min(k, matrix.shape[1])
    discount = 1 / np.log1p(np.arange(1, cut + 1))
    got = worth[:, :cut] @ discount
    best = -np.sort(-worth, axis=1)[:, :cut] @ discount
    return float(np.mean(np.divide(got, best, out=np.zeros_like(got), where=best > 0)))


def tag_cosine(a: sp.csr_array, b: sp.csr_array) -> NDArray[np.float64]:
    """Return the cosine between tag vectors: (q, m) and (N, m) give (q, N), 0 where a photo has no tag."""

    def unit(tags: sp.csr_array) -> sp.csr_array:
        length = np.sqrt(np.asarray(tags.multiply(tags).sum(axis=1)).ravel())
        inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
        return sp.diags_array(inverse).tocsr() @ tags

    return np.asarray((unit(a) @ unit(b).T).toarray(), dtype=np.float64)


def roc_auc(scores: ArrayLike, positive: ArrayLike) -> float:
    """Return the area under the ROC curve: the chance that a positive scores above a negative; ties count half.

    Parameters
    ----------
    scores : array_like of float, shape (n,)
    positive : array_like of bool, shape (n,)
        Both kinds must occur.
    """
    value, truth = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    if truth.all() or not truth.any():
        raise LearnerError("The area under the ROC curve needs positives and negatives.")
    _, inverse, counts = np.unique(value, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    rank = (last - (counts - 1) / 2)[inverse]
    positives = int(truth.sum())
    below = rank[truth].sum() - positives * (positives + 1) / 2
    return float(below / (positives * (len(truth) - positives)))


def knn_auc(distances: ArrayLike, gallery: ArrayLike, queries: ArrayLike, k: int = 10) -> float:
    """Return how well the classes of the nearest training photos tell the class of a photo (Yang 2010).

    The score of a photo is the share of the class among its k nearest training photos; the number is the area under
    the ROC curve of these scores over all queries, and of several classes the mean of each against the rest.

    Parameters
    ----------
    distances : array_like of float, shape (q, n)
        From each query to each training photo.
    gallery, queries : array_like, shape (n,) and (q,), or (n, c) and (q, c)
        Class of each photo (of two boolean classes only True is scored: both give the same number), or membership
        of each class. Classes that all queries have, or none, are left out.
    k : int
        1..n. Training photos that tie for the last places share them, so that their order does not matter.

    Returns
    -------
    float
        0..1, 0.5 for chance.
    """
    D = np.asarray(distances, dtype=np.float64)
    have, truth = np.asarray(gallery), np.asarray(queries)
    if D.ndim != 2 or len(truth) != D.shape[0] or len(have) != D.shape[1]:
        raise LearnerError(
            f"Distances of shape {D.shape} do not fit {len(truth)} queries and {len(have)} training photos."
        )
    if not 1 <= k <= D.shape[1]:
        raise LearnerError(f"k must be in 1..{D.shape[1]}, the number of training photos; it is {k}.")
    if have.ndim == 1:
        classes = np.array([True]) if truth.dtype == bool else np.unique(np.concatenate([have, truth]))
        have, truth = have[:, None] == classes, truth[:, None] == classes
    last = np.partition(D, k - 1, axis=1)[:, k - 1 : k]
    closer, tied = last > D, last == D
    weight = closer + tied * ((k - closer.sum(axis=1)) / tied.sum(axis=1))[:, None]
    shares = weight @ have.astype(np.float64)
    told = truth.astype(bool)
    scored = np.flatnonzero(told.any(axis=0) & ~told.all(axis=0))
    if not len(scored):
        raise LearnerError("The area under the ROC curve needs queries of a class and others.")
    return float(np.mean([roc_auc(np.round(shares[:, c], 9), told[:, c]) for c in scored]))


def triplet_accuracy(near: ArrayLike, far: ArrayLike) -> float:
    """Return the share of triplets (i, j, k) whose distance d(i, j) is below d(i, k); ties count half.

    Parameters
    ----------
    near, far : array_like of float, shape (t,)
        d(i, j) and d(i, k), at least one of each.
    """
    a, b = np.asarray(near, dtype=np.float64), np.asarray(far, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape or not len(a):
        raise LearnerError(f"near and far must hold a distance a triplet; their shapes are {a.shape} and {b.shape}.")
    return float(np.mean((a < b) + 0.5 * (a == b)))


def wilson_interval(right: float, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval of a share of which `right` of `n` trials were seen.

    Wilson's score interval (1927): it stays within 0..1, and is honest at few trials and at shares near 0 and 1.

    Parameters
    ----------
    right : float
        0..n.
    n : int
        Trials; of none the interval is all of 0..1.
    confidence : float
        Above 0 and below 1.

    Returns
    -------
    low, high : float
    """
    if not (0 <= right <= n and 0 < confidence < 1):
        raise LearnerError(f"{right} of {n} with a confidence of {confidence} is no share.")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = right / n, z * z / n
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * sqrt(share * (1 - share) / n + weight / (4 * n))
    return (0.0 if right == 0 else middle - half), (1.0 if right == n else middle + half)


@dataclass(frozen=True)
class AnnotationScores:
    """How well suggested tags fit, averaged over words as the Corel-5k benchmark does.

    Attributes
    ----------
    precision, recall : float
        Mean over the words scored; a word that is never suggested has precision 0.
    f1 : float
        Harmonic mean of these two means.
    n_plus : int
        Words suggested rightly at least once (recall above 0).
    words : int
        Words scored.
    """

    precision: float
    recall: float
    f1: float
    n_plus: int
    words: int


def annotation_scores(
    suggested: sp.csr_array, true: sp.csr_array, words: NDArray[np.intp] | None = None
) -> AnnotationScores:
    """Score suggested tags against true ones.

    Parameters
    ----------
    suggested, true : csr_array, shape (q, m)
        Non-zero where a photo was suggested, or has, a word.
    words : ndarray of intp, optional
        Columns that are scored; unless given, all words that occur in `true`.

    Returns
    -------
    AnnotationScores
    """
    if suggested.shape != true.shape:
        raise LearnerError(f"suggested and true differ in shape: {suggested.shape} and {true.shape}.")

    def count(matrix: sp.csr_array) -> NDArray[np.float64]:
        return np.asarray((matrix != 0).sum(axis=0), dtype=np.float64).ravel()

    given, present = count(suggested), count(true)
    right = count(suggested.multiply(true).tocsr())
    scored = np.flatnonzero(present) if words is None else words
    if not len(scored):
        raise LearnerError("No word occurs in the true tags: there is nothing to score.")
    given, present, right = given[scored], present[scored], right[scored]
    precision = float(np.mean(right / np.maximum(given, 1)))
    recall = float(np.mean(right / np.maximum(present, 1)))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return AnnotationScores(precision, recall, f1, int((right > 0).sum()), len(scored))
