# SPDX-License-Identifier: MIT
"""Measures with expected values computed by hand, from the definition on the same line or the one above."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import average_precision_score

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.measures import (
    average_precision,
    ndcgs_at_k,
    precision_curve,
    precision_recall,
    tag_cosine,
    wilson_interval,
)


def test_average_precision_is_the_mean_precision_at_the_relevant_ranks() -> None:
    assert average_precision([1, 0, 1, 0]) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert average_precision([[1, 0, 1, 0], [0, 0, 0, 0]]) == pytest.approx((1 + 2 / 3) / 4)
    rng = np.random.default_rng(0)
    truth, score = rng.random(50) < 0.3, rng.random(50)
    assert average_precision(truth[np.argsort(-score)]) == pytest.approx(average_precision_score(truth, score))


def test_the_precision_curve_has_precision_at_every_k() -> None:
    relevant = np.random.default_rng(0).random((7, 9)) < 0.4
    curve = precision_curve(relevant)
    np.testing.assert_allclose(curve, [relevant[:, :k].mean() for k in range(1, 10)])
    np.testing.assert_allclose(precision_curve([1, 0, 1]), [1, 1 / 2, 2 / 3])


def test_precision_by_recall_is_the_best_at_any_later_rank() -> None:
    # Precisions are 1, 1/2, 1/3, 2/4, 3/5; the recalls 1/3, 2/3 and 1 are reached at ranks 1, 4 and 5.
    expected = [1, 1, 3 / 5, 3 / 5]  # 2/4 after 4 photos, but 3/5 follows
    np.testing.assert_allclose(precision_recall([1, 0, 0, 1, 1], levels=4), expected)
    np.testing.assert_allclose(precision_recall([[1, 0, 0, 1, 1], [0] * 5], levels=4), np.array(expected) / 2)
    ten = np.tile([0, 1], 10)  # ten relevant photos: each of the eleven recall levels is a whole number of them
    np.testing.assert_allclose(precision_recall(ten), 1 / 2)
    ten[:2] = [1, 0]  # the first gives 1 of 1, the others r of 2 r
    np.testing.assert_allclose(precision_recall(ten), [1, 1] + [1 / 2] * 9)
    with pytest.raises(LearnerError, match="at least 2"):
        precision_recall([1], levels=1)


def test_ndcg_compares_with_the_best_order() -> None:
    got = (2**0.5 - 1) / log(2) + 0 + (2**1 - 1) / log(4)
    best = (2**1 - 1) / log(2) + (2**0.5 - 1) / log(3)
    assert ndcgs_at_k([0.5, 0.0, 1.0], 3) == pytest.approx(got / best)
    assert ndcgs_at_k([0.5, 0.0, 1.0], 1) == pytest.approx((2**0.5 - 1) / (2**1 - 1))
    assert ndcgs_at_k([[1.0, 0.5, 0.0], [0.0, 0.0, 0.0]], 10).tolist() == [1, 0]  # perfect, and nothing relevant


def test_tag_cosine_is_the_cosine_of_tag_vectors() -> None:
    tags = sp.csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0]]))
    half = 0.5**0.5
    expected = np.array([[1.0, half, 0.0], [half, 1.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(tag_cosine(tags, tags), expected)


def test_wilson_interval_contains_shares_within_z_standard_errors() -> None:
    # The ends are the shares p whose distance from the observed share is z standard errors of p.
    z = 1.959963984540054
    for right, n in ((7, 10), (1, 30), (500, 1000)):
        for end in wilson_interval(right, n):
            assert abs(right / n - end) == pytest.approx(z * (end * (1 - end) / n) ** 0.5)
    assert wilson_interval(0, 10) == pytest.approx((0, z**2 / (10 + z**2)))
    assert wilson_interval(10, 10) == pytest.approx((10 / (10 + z**2), 1))
    assert wilson_interval(0, 0) == (0, 1)
    low, high = wilson_interval(7, 10, confidence=0.5)
    assert wilson_interval(7, 10)[0] < low < 0.7 < high < wilson_interval(7, 10)[1]
    for wrong in ((3, 2, 0.95), (1, 2, 1.0)):
        with pytest.raises(LearnerError, match="not a proportion"):
            wilson_interval(*wrong)


@pytest.mark.parametrize("relevant", [[], [[], []], [[[True]]]])
def test_an_empty_list_is_refused(relevant: list[object]) -> None:
    with pytest.raises(LearnerError, match="at least one entry"):
        average_precision(relevant)  # type: ignore[arg-type]
