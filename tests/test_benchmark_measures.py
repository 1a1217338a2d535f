# SPDX-License-Identifier: MIT
"""The benchmark measures agree with values computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import roc_auc_score

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.measures import average_precision
from tests.benchmarks.common.measures import (
    annotation_scores,
    average_precision_behind,
    knn_auc,
    precision_at_k,
    roc_auc,
    triplet_accuracy,
)


def test_precision_at_k_is_the_mean_share_among_the_first_k() -> None:
    relevant = [[1, 0, 1, 0], [0, 0, 1, 1]]
    assert precision_at_k(relevant, 2) == (1 / 2 + 0) / 2
    assert precision_at_k(relevant, 3) == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert precision_at_k([True, False], 1) == 1
    with pytest.raises(LearnerError, match=r"k must be in 1\.\.4"):
        precision_at_k(relevant, 5)


def test_average_precision_behind_distractors_is_that_of_the_joined_gallery() -> None:
    rng = np.random.default_rng(0)
    near, far = rng.random((6, 20)), rng.random((6, 50))
    relevant = rng.random((6, 20)) < 0.3
    relevant[:, 0] = True
    ahead = (far[:, None, :] < near[:, :, None]).sum(axis=2)
    joined = np.argsort(np.hstack([near, far]), axis=1)
    all_relevant = np.hstack([relevant, np.zeros(far.shape, bool)])
    expected = average_precision(np.take_along_axis(all_relevant, joined, axis=1))
    assert average_precision_behind(near, relevant, ahead) == pytest.approx(expected)
    alone = average_precision(np.take_along_axis(relevant, np.argsort(near, axis=1), axis=1))
    assert average_precision_behind(near, relevant, np.zeros((6, 20), int)) == pytest.approx(alone)


def test_roc_auc_counts_pairs_and_half_of_the_ties() -> None:
    # Positives 3 and 1 against negatives 2 and 1: 3 > 2, 3 > 1, 1 < 2, 1 = 1.
    assert roc_auc([3, 1, 2, 1], [1, 1, 0, 0]) == (1 + 1 + 0 + 0.5) / 4
    rng = np.random.default_rng(0)
    truth, score = rng.random(80) < 0.4, np.round(rng.random(80), 1)
    assert roc_auc(score, truth) == pytest.approx(roc_auc_score(truth, score))
    with pytest.raises(LearnerError, match="positives and negatives"):
        roc_auc([1, 2], [1, 1])


def test_knn_auc_scores_by_the_share_of_the_class_among_the_nearest() -> None:
    gallery = np.array([True, True, False, False])
    D = [[1, 2, 3, 4], [1, 4, 2, 3], [4, 3, 2, 1]]  # the two nearest have 2, 1 and 0 of the class
    assert knn_auc(D, gallery, np.array([True, False, False]), k=2) == 1
    assert knn_auc(D, gallery, np.array([False, True, False]), k=2) == 1 / 2
    assert knn_auc(D, ~gallery, np.array([False, True, True]), k=2) == 1
    # All four tie: each fills half a place, so every query has the same score.
    assert knn_auc(np.ones((3, 4)), gallery, np.array([True, False, False]), k=2) == 1 / 2
    # Two ties for the second place: a score of 1.5 against 1 and 0.
    assert knn_auc([[1, 2, 2, 4], *D[1:]], gallery, np.array([True, False, False]), k=2) == 1
    assert knn_auc([[1, 2, 2, 4], *D[1:]], gallery, np.array([False, True, False]), k=2) == 1 / 2


def test_knn_auc_of_several_classes_is_the_mean_of_each_against_the_rest() -> None:
    rng = np.random.default_rng(0)
    D, gallery, queries = rng.random((30, 20)), rng.integers(0, 3, 20), rng.integers(0, 3, 30)
    alone = [knn_auc(D, gallery == c, queries == c, k=5) for c in range(3)]
    assert knn_auc(D, gallery, queries, k=5) == pytest.approx(np.mean(alone))
    have, truth = (np.equal.outer(classes, np.arange(4)) for classes in (gallery, queries))  # class 3 does not occur
    assert knn_auc(D, have, truth, k=5) == pytest.approx(np.mean(alone))
    with pytest.raises(LearnerError, match=r"k must be in 1\.\.20"):
        knn_auc(D, gallery, queries, k=21)
    with pytest.raises(LearnerError, match="do not fit"):
        knn_auc(D, queries, gallery)
    with pytest.raises(LearnerError, match="queries of a class"):
        knn_auc(D, gallery, np.zeros(30, dtype=int))


def test_triplet_accuracy_counts_half_of_the_ties() -> None:
    assert triplet_accuracy([1, 2, 3, 4], [2, 1, 3, 5]) == (2 + 0.5) / 4
    with pytest.raises(LearnerError, match="a distance a triplet"):
        triplet_accuracy([], [])
    with pytest.raises(LearnerError, match="a distance a triplet"):
        triplet_accuracy([1, 2], [1])


def test_annotation_scores_are_means_over_words() -> None:
    #               sea sky dog cat
    true = sp.csr_array(np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0]]))
    suggested = sp.csr_array(np.array([[1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 0, 0]]))
    # Precision: sea 2/3, sky 1/2, dog 0 (never suggested). Recall: sea 2/2, sky 1/2, dog 0/1.
    scores = annotation_scores(suggested, true)
    assert scores.precision == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    assert scores.recall == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert scores.f1 == pytest.approx(2 * scores.precision * scores.recall / (scores.precision + scores.recall))
    assert (scores.n_plus, scores.words) == (2, 3)
    only_sea = annotation_scores(suggested, true, np.array([0]))
    assert only_sea.precision == pytest.approx(2 / 3)
    assert (only_sea.recall, only_sea.n_plus) == (1, 1)
    nothing = annotation_scores(sp.csr_array((3, 4)), true)
    assert (nothing.precision, nothing.recall, nothing.f1, nothing.n_plus) == (0, 0, 0, 0)


def test_annotation_scores_validate_their_input() -> None:
    true = sp.csr_array(np.eye(2))
    with pytest.raises(LearnerError, match="differ in shape"):
        annotation_scores(sp.csr_array((2, 3)), true)
    with pytest.raises(LearnerError, match="nothing to score"):
        annotation_scores(true, sp.csr_array((2, 2)))
