# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from focal_photos.learners.comparison.itml import Itml, log_det_projections
from focal_photos.learners.core.progress import no_report
from focal_photos.learners.core.side_information import SideInformation
from tests.examples import examples


@settings(max_examples=examples(20), deadline=None)
@given(seed=st.integers(0, 2**31), slack=st.sampled_from([0.2, 1.0, 5.0]))
@example(seed=3661102, slack=5.0)
def test_the_conditions_of_the_optimum_hold(seed: int, slack: float) -> None:
    """Kuhn-Tucker conditions of the least LogDet divergence with slack, which is a convex problem."""
    rng = np.random.default_rng(seed)
    V, sign = rng.normal(size=(8, 4)), np.repeat([1.0, -1.0], 4)
    given_bounds = np.where(sign > 0, 0.5, 6.0)
    M, multipliers, bounds = log_det_projections(V, sign, given_bounds, slack, 3000, no_report, converged=1e-7)
    np.testing.assert_allclose(np.linalg.inv(M), np.eye(4) + (V.T * (sign * multipliers)) @ V, atol=1e-7)
    np.testing.assert_allclose(slack * (1 / given_bounds - 1 / bounds), sign * multipliers, atol=1e-7)
    distances = np.einsum("ij,jk,ik->i", V, M, V)
    assert (multipliers >= 0).all()
    assert (sign * (distances - bounds) <= 0.01 * bounds).all()
    active = multipliers > 1e-6
    np.testing.assert_allclose(distances[active], bounds[active], rtol=0.01)


def test_one_pair_is_moved_to_its_bound_and_nothing_else() -> None:
    v = np.array([[2.0, 0.0]])
    M, _, _ = log_det_projections(v, np.ones(1), np.ones(1), 1e9, 1, no_report)
    np.testing.assert_allclose(M, np.diag([0.25, 1.0]), atol=1e-6)
    M, _, _ = log_det_projections(v, np.ones(1), np.full(1, 5.0), 1e9, 1, no_report)
    np.testing.assert_allclose(M, np.eye(2), err_msg="a pair within its bound is left alone")


def test_bounds_are_reached_without_slack() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 12))
    i = np.arange(0, 40, 10)
    side = SideInformation(np.column_stack([i, i + 1]), np.column_stack([i + 2, i + 3]))
    learner = Itml(slack=1e6, sweeps=500, euclidean_blend=0, unit=False).fit(X, side)
    near, far = (learner.pair_distance(X[pairs[:, 0]], X[pairs[:, 1]]) for pairs in (side.similar, side.dissimilar))
    before = [np.linalg.norm(X[pairs[:, 0]] - X[pairs[:, 1]], axis=1) for pairs in (side.similar, side.dissimilar)]
    assert before[0].max() > before[1].min()
    assert near.max() < far.min()
    distances = np.square(X[:, None] - X).sum(axis=2)[np.triu_indices(40, 1)]
    low, high = np.quantile(distances, [0.05, 0.95])
    assert (far.min() / near.max()) ** 2 == pytest.approx(high / low, rel=0.15)
