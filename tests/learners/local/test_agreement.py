# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.learners.local.agreement import MIN_VOTE, agreed, likeliest, mean_votes


def test_the_likeliest_classes_are_candidates() -> None:
    probabilities = np.array([[0.1, 0.5, 0.4], [0.2, 0.2, 0.6]])
    assert likeliest(probabilities, 1).tolist() == [[False, True, False], [False, False, True]]
    assert likeliest(probabilities, 2).tolist() == [[False, True, True], [True, True, True]]  # all equal ones
    for count in (3, 4):
        assert likeliest(probabilities, count).all()


def test_votes_are_means_over_the_selected_focal_images() -> None:
    carried = sp.csr_array(np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1]]))
    given = np.array([0.2, 0.6, 0.9, 0.3])
    np.testing.assert_allclose(mean_votes(carried, given, np.ones(4, bool)), [0.4, 0.6, 0.3])
    found = mean_votes(carried, given, np.array([False, True, True, False]))
    np.testing.assert_allclose(found, [0.6, 0.9, np.nan])


def test_probabilities_and_votes_are_multiplied() -> None:
    found = agreed(np.array([[0.5, 0.3, 0.2]]), np.array([[0.2, 0.6, np.nan]]))
    first, second = 0.1**0.72, 0.18**0.72
    np.testing.assert_allclose(found, [[first / (first + second), second / (first + second), 0]])
    # A missing vote excludes nothing.
    found = agreed(np.array([[0.9, 0.1]]), np.array([[0.0, MIN_VOTE]]))
    np.testing.assert_allclose(found[0, 0] / found[0, 1], 9**0.72)
    assert agreed(np.array([[0.9, 0.1]]), np.full((1, 2), np.nan)).tolist() == [[0, 0]]


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 8))
def test_the_combination_is_a_distribution_and_equal_votes_preserve_the_order(seed: int, q: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.ones(m), q)
    found = agreed(probabilities, rng.random((q, m)))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found >= 0).all()
    order = np.argsort(agreed(probabilities, np.full((q, m), rng.uniform(0.01, 1))), axis=1)
    np.testing.assert_array_equal(order, np.argsort(probabilities, axis=1))
    count = int(rng.integers(1, m + 1))
    asked = likeliest(probabilities, count)
    assert (asked.sum(axis=1) >= count).all()
    least = np.where(asked, probabilities, np.inf).min(axis=1)
    assert (np.where(asked, 0, probabilities).max(axis=1) <= least).all()
