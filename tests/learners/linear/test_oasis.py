# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.linear.oasis import Oasis, _steps
from tests.examples import examples

Floats = NDArray[np.float64]


def noisy(n: int = 120, d: int = 5, seed: int = 0) -> tuple[Floats, NDArray[np.intp]]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return rng.normal(size=(n, d)) * [1, 1, 3, 3, 3] + 2 * np.eye(3, d)[y], y


def precision_at_5(learner: Oasis, X: Floats, y: NDArray[np.intp]) -> float:
    D = np.stack([learner.distances_from(x, X) for x in X])
    np.fill_diagonal(D, np.inf)
    return float((y[np.argsort(D, axis=1)[:, :5]] == y[:, None]).mean())


@settings(max_examples=examples(10))
@given(seed=st.integers(0, 1000))
def test_a_step_equals_the_numerical_minimiser(seed: int) -> None:
    # min 1/2 |W - W0|^2 + C max(0, 1 - S(i, j) + S(i, k)), with the hinge as a slack variable
    rng = np.random.default_rng(seed)
    U = rng.normal(size=(3, 2))
    W0, C = rng.normal(size=(2, 2)), 0.2
    got = _steps(W0, U, np.array([[0, 1, 2]]), C, lambda _: None)
    V = np.outer(U[0], U[1] - U[2])
    found = minimize(
        lambda z: 0.5 * np.sum((z[:4].reshape(2, 2) - W0) ** 2) + C * z[4],
        np.append(W0.ravel(), 5.0),
        constraints=[
            {"type": "ineq", "fun": lambda z: z[4] - 1 + np.sum(z[:4].reshape(2, 2) * V)},
            {"type": "ineq", "fun": lambda z: z[4]},
        ],
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    np.testing.assert_allclose(got, found.x[:4].reshape(2, 2), atol=1e-4)


def test_the_distance_ranks_like_the_similarity() -> None:
    X, y = noisy()
    learner = Oasis(euclidean_blend=0).fit(X, SideInformation.from_labels(y))
    unit = (X - learner.mean_) @ learner.axes_
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    similarity = unit[7] @ learner.W_ @ unit.T
    distances = learner.distances_from(X[7], X)
    np.testing.assert_array_equal(np.argsort(distances), np.argsort(-similarity))
    assert (distances >= 0).all()


def test_a_blended_distance_adds_the_euclidean_one() -> None:
    X, y = noisy()
    labels = SideInformation.from_labels(y)
    learned, blended = Oasis(euclidean_blend=0).fit(X, labels), Oasis(euclidean_blend=0.5).fit(X, labels)
    unit = (X - learned.mean_) @ learned.axes_
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    euclidean = np.square(unit[:60] - unit[60:]).sum(axis=1) / learned.scales_[1]
    expected = (learned.pair_distance(X[:60], X[60:]) + 0.5 * euclidean) / 1.5
    np.testing.assert_allclose(blended.pair_distance(X[:60], X[60:]), expected)


def test_stored_rows_have_the_distances_of_the_learner() -> None:
    X, y = noisy()
    learner = Oasis(euclidean_blend=0.5).fit(X, SideInformation.from_labels(y))
    layout = learner.storage_layout()
    rows = layout.rows(X)
    np.testing.assert_allclose(layout.distances(rows[3], rows), learner.distances_from(X[3], X), atol=1e-5)


def test_labels_can_be_used_and_training_can_continue() -> None:
    X, y = noisy()
    new, truth = noisy(seed=1)
    few = Oasis().fit(X[:9], SideInformation.from_labels(y[:9]))
    before = precision_at_5(few, new, truth)
    few.partial_fit(X, SideInformation.from_labels(y))
    assert precision_at_5(few, new, truth) > before
    W = few.W_.copy()
    few.partial_fit(X, SideInformation(np.array([[0, 3]]), np.array([[0, 1]])))
    assert np.linalg.matrix_rank(few.W_ - W) <= 1


def test_one_kind_of_pairs_is_not_enough() -> None:
    with pytest.raises(LearnerError, match="and photos that differ"):
        Oasis().fit(noisy()[0], SideInformation.from_labels(np.zeros(120, dtype=int)))
    with pytest.raises(LearnerError, match="aggressiveness"):
        Oasis(aggressiveness=0).fit(noisy()[0], SideInformation.from_labels(np.arange(120) % 2))
