# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.evaluation.metric_differences import mean_shares, neighbor_disagreement
from tests.examples import examples


def test_one_of_two_neighbours_differs() -> None:
    found = neighbor_disagreement(np.array([[1.0, 2, 3, 4], [1, 2, 3, 4]]), np.array([[1.0, 9, 2, 4], [4, 3, 2, 1]]), 2)
    assert found.tolist() == [0.5, 1.0]


@given(st.integers(0, 1000), st.integers(1, 8))
@settings(max_examples=examples(40))
def test_it_is_symmetric_and_zero_for_the_same_order(seed: int, k: int) -> None:
    one, other = np.random.default_rng(seed).random((2, 5, 8))
    assert (neighbor_disagreement(one, other, k) == neighbor_disagreement(other, one, k)).all()
    assert (neighbor_disagreement(one, np.exp(one), k) == 0).all()
    order = np.random.default_rng(seed).permutation(8)
    assert (neighbor_disagreement(one[:, order], other[:, order], k) == neighbor_disagreement(one, other, k)).all()


def test_other_shapes_are_refused() -> None:
    with pytest.raises(LearnerError, match="different items"):
        neighbor_disagreement(np.zeros((2, 3)), np.zeros((3, 3)), 1)
    with pytest.raises(LearnerError, match="fewer items"):
        neighbor_disagreement(np.zeros((2, 3)), np.zeros((2, 3)), 4)


def test_shares_add_up_to_one() -> None:
    assert mean_shares(np.array([[1.0, 3], [2, -1]])).tolist() == [0.5, 0.5]
    assert mean_shares(np.zeros((2, 3))).tolist() == [0, 0, 0]


def test_moved_items_are_found_first() -> None:
    """Ten of 200 items lie in another group under the second metric."""
    rng = np.random.default_rng(0)
    centers = 4 * rng.standard_normal((8, 6))
    group = np.arange(200) % 8
    one = centers[group] + rng.standard_normal((200, 6))
    moved = rng.choice(200, 10, replace=False)
    other = one.copy()
    other[moved] += centers[(group[moved] + 1) % 8] - centers[group[moved]]
    far = [sqd(points, points) for points in (one, other)]
    for each in far:
        np.fill_diagonal(each, np.inf)
    found = np.argsort(-neighbor_disagreement(far[0], far[1], 10), kind="stable")[:10]
    assert set(found.tolist()) == set(moved.tolist())
