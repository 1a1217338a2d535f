"""Worked by hand: every expected number follows from the definition on the same line or the one above."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import average_precision_score, roc_auc_score

from learners.errors import LearnerError
from learners.measures import (
    annotation_scores,
    average_precision,
    ndcg_at_k,
    precision_at_k,
    roc_auc,
    tag_cosine,
)


def test_precision_at_k_is_the_mean_share_among_the_first_k() -> None:
    relevant = [[1, 0, 1, 0], [0, 0, 1, 1]]
    assert precision_at_k(relevant, 2) == (1 / 2 + 0) / 2
    assert precision_at_k(relevant, 3) == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert precision_at_k([True, False], 1) == 1
    with pytest.raises(LearnerError, match=r"k must be in 1\.\.4"):
        precision_at_k(relevant, 5)
    with pytest.raises(LearnerError, match="at least one entry"):
        precision_at_k(np.empty((0, 3)), 1)


def test_average_precision_is_the_mean_precision_at_the_relevant_ranks() -> None:
    assert average_precision([1, 0, 1, 0]) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert average_precision([[1, 0, 1, 0], [0, 0, 0, 0]]) == pytest.approx((1 + 2 / 3) / 4)
    rng = np.random.default_rng(0)
    truth, score = rng.random(50) < 0.3, rng.random(50)
    assert average_precision(truth[np.argsort(-score)]) == pytest.approx(average_precision_score(truth, score))


def test_ndcg_compares_with_the_best_order() -> None:
    got = (2**0.5 - 1) / log(2) + 0 + (2**1 - 1) / log(4)
    best = (2**1 - 1) / log(2) + (2**0.5 - 1) / log(3)
    assert ndcg_at_k([0.5, 0.0, 1.0], 3) == pytest.approx(got / best)
    assert ndcg_at_k([0.5, 0.0, 1.0], 1) == pytest.approx((2**0.5 - 1) / (2**1 - 1))
    assert ndcg_at_k([[1.0, 0.5, 0.0], [0.0, 0.0, 0.0]], 10) == 0.5  # perfect, and nothing to be found


def test_tag_cosine() -> None:
    tags = sp.csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0]]))
    half = 0.5**0.5
    expected = np.array([[1.0, half, 0.0], [half, 1.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(tag_cosine(tags, tags), expected)


def test_roc_auc_counts_pairs_and_half_of_the_ties() -> None:
    # Positives 3 and 1 against negatives 2 and 1: 3 > 2, 3 > 1, 1 < 2, 1 = 1.
    assert roc_auc([3, 1, 2, 1], [1, 1, 0, 0]) == (1 + 1 + 0 + 0.5) / 4
    rng = np.random.default_rng(0)
    truth, score = rng.random(80) < 0.4, np.round(rng.random(80), 1)
    assert roc_auc(score, truth) == pytest.approx(roc_auc_score(truth, score))
    with pytest.raises(LearnerError, match="positives and negatives"):
        roc_auc([1, 2], [1, 1])


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


def test_annotation_scores_check_what_they_are_given() -> None:
    true = sp.csr_array(np.eye(2))
    with pytest.raises(LearnerError, match="differ in shape"):
        annotation_scores(sp.csr_array((2, 3)), true)
    with pytest.raises(LearnerError, match="nothing to score"):
        annotation_scores(true, sp.csr_array((2, 2)))
