"""Measures of retrieval and of annotation (ALGORITHMS 0.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from learners.errors import LearnerError


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
