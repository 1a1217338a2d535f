# SPDX-License-Identifier: MIT
"""Measures that the papers report but the program does not need (ALGORITHMS.md, 0.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import LearnerError


def precision_at_k(relevant: ArrayLike, k: int) -> float:
    """Return the mean share of relevant photos among the first k results.

    Parameters
    ----------
    relevant : array_like of bool, shape (q, r) or (r,)
        Whether the result at each rank is relevant, nearest first, without the query itself.
    k : int
        1..r. "Retrieval accuracy at rank k" and "cumulative neighbour purity" are the same measure.

    Returns
    -------
    float
        0..1.
    """
    matrix = np.atleast_2d(np.asarray(relevant, dtype=bool))
    if not 1 <= k <= matrix.shape[1]:
        raise LearnerError(f"k must be in 1..{matrix.shape[1]}, the number of ranks given; it is {k}.")
    return float(matrix[:, :k].mean())


def average_precision_behind(distances: ArrayLike, relevant: ArrayLike, ahead: ArrayLike) -> float:
    """Return the mean over queries of the average precision if further, irrelevant photos are in the gallery.

    Parameters
    ----------
    distances : array_like of float, shape (q, n)
        From each query to each photo of the gallery.
    relevant : array_like of bool, shape (q, n)
        At least one per query.
    ahead : array_like of int, shape (q, n)
        Number of the further photos that are nearer to the query than this photo.

    Returns
    -------
    float
        0..1.
    """
    order = np.argsort(np.asarray(distances, dtype=np.float64), axis=1, kind="stable")
    hits, more = (np.take_along_axis(np.asarray(each), order, axis=1) for each in (relevant, ahead))
    precision = np.cumsum(hits, axis=1) / (np.arange(1, hits.shape[1] + 1) + more)
    return float(np.mean((precision * hits).sum(axis=1) / hits.sum(axis=1)))


def roc_auc(scores: ArrayLike, positive: ArrayLike) -> float:
    """Return the area under the ROC curve: the probability that a positive outscores a negative; ties count half.

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
    """Return how well the classes of the nearest training photos predict those of the queries (Yang 2010).

    The score of a photo for a class is the share of the class among its k nearest training photos. The result is the
    area under the ROC curve of these scores over all queries; for several classes, the mean over one-against-rest.

    Parameters
    ----------
    distances : array_like of float, shape (q, n)
        From each query to each training photo.
    gallery, queries : array_like, shape (n,) and (q,), or (n, c) and (q, c)
        Class of each photo, or membership of each class. Of two boolean classes only True is scored, because both
        give the same value. Classes of all queries or of none are left out.
    k : int
        1..n. Training photos tied for the last places share them, so their order does not matter.

    Returns
    -------
    float
        0..1; 0.5 is chance.
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


@dataclass(frozen=True)
class AnnotationScores:
    """Quality of suggested tags, averaged over words as in the Corel-5k benchmark."""

    precision: float
    recall: float
    """`precision` and `recall`: mean over the scored words; the precision of a word that is never suggested is 0."""
    f1: float
    """Harmonic mean of `precision` and `recall`."""
    n_plus: int
    """Number of words suggested correctly at least once (recall above 0)."""
    words: int
    """Number of scored words."""


def annotation_scores(
    suggested: sp.csr_array, true: sp.csr_array, words: NDArray[np.intp] | None = None
) -> AnnotationScores:
    """Score suggested tags against true ones.

    Parameters
    ----------
    suggested, true : csr_array, shape (q, m)
        Non-zero where a word is suggested for a photo, or is one of its tags.
    words : ndarray of intp, optional
        Columns to score; by default all words that occur in `true`.

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
