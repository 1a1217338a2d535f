# SPDX-License-Identifier: MIT
"""The maximum-margin solver compared with the loop of the paper, a general solver and the optimality conditions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.local.margin import MarginSolution, maximum_margin
from tests.examples import examples

Floats = NDArray[np.float64]


def problem(seed: int, photos: int = 12, patches: int = 8, triplets: int = 25) -> tuple[Floats, NDArray[np.intp]]:
    """Random distances; photos 0, 1 and 2 are similar and somewhat nearer."""
    rng = np.random.default_rng(seed)
    D = np.abs(rng.normal(0.5, 0.1, (photos, patches)))
    D[:3, : patches // 2] -= rng.uniform(0, 0.15, patches // 2)
    pairs = np.array(list(itertools.product(range(3, photos), range(3))), np.intp)
    return np.abs(D), pairs[rng.choice(len(pairs), min(triplets, len(pairs)), replace=False)]


def differences(D: Floats, triplets: NDArray[np.intp]) -> Floats:
    return D[triplets[:, 0]] - D[triplets[:, 1]]


def coordinate_ascent(X: Floats, C: float, sweeps: int = 20000) -> tuple[Floats, Floats]:
    """Return weights and dual variables by the two steps of the paper, one triplet after another."""
    a, v = np.zeros(len(X)), np.zeros(X.shape[1])
    lengths = np.einsum("ij,ij->i", X, X)
    for _ in range(sweeps):
        largest = 0.0
        for t in range(len(X)):
            new = min(max((1 - np.maximum(v, 0) @ X[t]) / lengths[t] + a[t], 0), C)
            largest = max(largest, abs(new - a[t]) * lengths[t])
            v += (new - a[t]) * X[t]
            a[t] = new
        if largest < 1e-10:
            break
    return np.maximum(v, 0), a


def primal(w: Floats, X: Floats, C: float) -> float:
    return float(w @ w / 2 + C * np.maximum(1 - X @ w, 0).sum())


def dual(a: Floats, X: Floats) -> float:
    return float(a.sum() - np.square(np.maximum(X.T @ a, 0)).sum() / 2)


def check_optimum(solution: MarginSolution, X: Floats, C: float, slack: float) -> None:
    """The Karush-Kuhn-Tucker conditions."""
    w, a, margin = solution.weights, solution.dual, X @ solution.weights
    assert (w >= 0).all()
    assert (a >= 0).all()
    assert (a <= C).all()
    np.testing.assert_allclose(w, np.maximum(X.T @ a, 0), atol=1e-12)
    inside = 1e-6 * C
    assert (margin[a <= inside] >= 1 - slack).all()
    assert (margin[a >= C - inside] <= 1 + slack).all()
    np.testing.assert_allclose(margin[(a > inside) & (a < C - inside)], 1, atol=slack)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("C", [0.1, 1.0, 50.0])
def test_the_solution_agrees_with_a_general_solver(seed: int, C: float) -> None:
    D, triplets = problem(seed)
    X = differences(D, triplets)
    solution = maximum_margin(D, triplets, C=C, tolerance=1e-9)
    n, m = X.shape
    # variables w, xi
    found = minimize(
        lambda z: 0.5 * z[:m] @ z[:m] + C * z[m:].sum(),
        np.concatenate([np.zeros(m), np.ones(n)]),
        jac=lambda z: np.concatenate([z[:m], np.full(n, C)]),
        method="SLSQP",
        bounds=[(0, None)] * (m + n),
        constraints={
            "type": "ineq",
            "fun": lambda z: X @ z[:m] - 1 + z[m:],
            "jac": lambda _: np.hstack([X, np.eye(n)]),
        },
        options={"maxiter": 1000, "ftol": 1e-13},
    )
    assert solution.primal_value == pytest.approx(found.fun, rel=1e-6)
    np.testing.assert_allclose(solution.weights, found.x[:m], atol=1e-4 * (1 + found.x[:m].max()))


@pytest.mark.parametrize("seed", range(4))
def test_the_solution_agrees_with_the_loop_of_the_paper(seed: int) -> None:
    D, triplets = problem(seed)
    X = differences(D, triplets)
    solution = maximum_margin(D, triplets, C=0.5, tolerance=1e-10)
    w, a = coordinate_ascent(X, 0.5)
    assert solution.dual_value == pytest.approx(dual(a, X), rel=1e-8)
    np.testing.assert_allclose(solution.weights, w, atol=1e-4)


@settings(max_examples=examples(60))
@given(
    seed=st.integers(0, 10_000),
    C=st.floats(0.01, 100),
    photos=st.integers(4, 30),
    patches=st.integers(1, 40),
    triplets=st.integers(1, 80),
)
def test_the_optimum_is_reached_and_its_values_are_correct(
    seed: int, C: float, photos: int, patches: int, triplets: int
) -> None:
    D, chosen = problem(seed, photos, patches, triplets)
    X = differences(D, chosen)
    solution = maximum_margin(D, chosen, C=C, tolerance=1e-9)
    assert -1e-12 <= solution.gap <= 1.1e-9
    assert solution.primal_value == pytest.approx(primal(solution.weights, X, C), rel=1e-12)
    assert solution.dual_value == pytest.approx(dual(solution.dual, X), rel=1e-12)
    check_optimum(solution, X, C, slack=2e-2)


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10_000), tolerance=st.sampled_from([1e-2, 1e-3, 1e-4, 2e-5]))
def test_the_gap_is_respected_in_single_precision_too(seed: int, tolerance: float) -> None:
    D, triplets = problem(seed, 120, 60, 300)
    solution = maximum_margin(D.astype(np.float32), triplets, tolerance=tolerance)
    assert solution.gap >= -1e-12
    assert solution.gap <= 1.2 * tolerance
    best = maximum_margin(D, triplets, tolerance=1e-9)
    assert solution.dual_value <= best.primal_value * (1 + 1e-5)
    assert best.dual_value <= solution.primal_value * (1 + 1e-5)


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10_000), factor=st.floats(0.1, 10))
def test_scaling_distances_and_price_scales_the_solution(seed: int, factor: float) -> None:
    """If w is the minimum for X and C, w / s is the minimum for s X and C / s²: the objective is divided by s²."""
    D, triplets = problem(seed)
    plain = maximum_margin(D, triplets, C=0.5, tolerance=1e-10)
    scaled = maximum_margin(D * factor, triplets, C=0.5 / factor**2, tolerance=1e-10)
    np.testing.assert_allclose(scaled.weights * factor, plain.weights, atol=1e-3)
    assert scaled.primal_value * factor**2 == pytest.approx(plain.primal_value, rel=1e-7)


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10_000))
def test_the_order_of_triplets_does_not_matter(seed: int) -> None:
    D, triplets = problem(seed)
    plain = maximum_margin(D, triplets, tolerance=1e-10)
    other = maximum_margin(D, np.random.default_rng(seed).permutation(triplets), tolerance=1e-10)
    np.testing.assert_allclose(other.weights, plain.weights, atol=1e-4)


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10_000), C=st.floats(0.01, 10), more=st.floats(1, 10))
def test_a_higher_price_costs_more_and_makes_longer_weights(seed: int, C: float, more: float) -> None:
    D, triplets = problem(seed)
    low, high = (maximum_margin(D, triplets, C=price, tolerance=1e-10) for price in (C, C * more))
    assert high.primal_value >= low.primal_value * (1 - 1e-8)
    assert np.linalg.norm(high.weights) >= np.linalg.norm(low.weights) * (1 - 1e-4)


def test_the_same_input_gives_the_same_solution() -> None:
    D, triplets = problem(3, 60, 40, 150)
    first, second = (maximum_margin(D.astype(np.float32), triplets) for _ in range(2))
    np.testing.assert_array_equal(first.weights, second.weights)
    np.testing.assert_array_equal(first.dual, second.dual)


def test_a_repeated_triplet_counts_repeatedly() -> None:
    D, triplets = problem(5)
    twice = maximum_margin(D, np.concatenate([triplets, triplets]), C=0.2, tolerance=1e-10)
    np.testing.assert_allclose(twice.weights, maximum_margin(D, triplets, C=0.4, tolerance=1e-10).weights, atol=1e-4)


def test_one_triplet_agrees_with_a_result_by_hand() -> None:
    D = np.array([[0.5, 0.2, 0.1], [0.1, 0.0, 0.3]])  # x = (0.4, 0.2, -0.2)
    triplet = np.array([[0, 1]])
    np.testing.assert_allclose(maximum_margin(D, triplet, C=100, tolerance=1e-9).weights, [2, 1, 0], atol=1e-6)
    np.testing.assert_allclose(maximum_margin(D, triplet, C=1).weights, [0.4, 0.2, 0], atol=1e-9)


@pytest.mark.parametrize("D", [np.zeros((4, 3)), np.ones((4, 3)), np.array([[0.0], [0.1], [0.2], [0.3]])])
def test_triplets_that_no_weights_can_order_get_zeros(D: Floats) -> None:
    solution = maximum_margin(D, np.array([[0, 1], [0, 2], [1, 3]]), C=0.1)
    np.testing.assert_array_equal(solution.weights, 0)
    assert solution.primal_value == pytest.approx(0.3)
    assert solution.gap == pytest.approx(0, abs=1e-12)


def test_the_steps_are_limited_and_the_gap_tells() -> None:
    D, triplets = problem(1, 60, 40, 150)
    solution = maximum_margin(D, triplets, C=10, tolerance=1e-9, max_steps=15)
    assert solution.steps <= 15
    assert solution.gap > 1e-9


@pytest.mark.parametrize(("C", "tolerance", "count"), [(0, 1e-3, 3), (np.nan, 1e-3, 3), (1, 0, 3), (1, 1e-3, 0)])
def test_unusable_input_is_refused(C: float, tolerance: float, count: int) -> None:
    D, triplets = problem(0)
    with pytest.raises(LearnerError, match=r"C must be|tolerance must be|no triplets"):
        maximum_margin(D, triplets[:count], C=C, tolerance=tolerance)


def as_large_as_in_the_paper() -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """2,200 triplets of 400 photos with 1,200 patches, a quarter of which separate the 14 similar photos to some
    degree.
    """
    rng = np.random.default_rng(0)
    D = rng.normal(0.8, 0.08, (400, 1200)) + rng.normal(0, 0.06, (400, 1))
    D[:14, :300] -= rng.uniform(0, 0.15, (14, 1))
    pairs = np.array(list(itertools.product(range(14, 400), range(14))), np.intp)
    return D.astype(np.float32), pairs[rng.choice(len(pairs), 2200, replace=False)]


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0, 10.0])
def test_problems_of_real_size_reach_the_optimum(C: float) -> None:
    D, triplets = as_large_as_in_the_paper()
    X = differences(D.astype(np.float64), triplets)
    solution = maximum_margin(D, triplets, C=C, tolerance=1e-3)
    assert solution.gap <= 1e-3
    exact = maximum_margin(D, triplets, C=C, tolerance=1e-9)
    assert exact.gap <= 1e-9
    check_optimum(exact, X, C, slack=1e-2)
    # By strong convexity, half the squared distance from the optimum is at most the gap.
    off = float(np.square(solution.weights - exact.weights).sum())
    assert off / 2 <= solution.primal_value - exact.dual_value
    assert (exact.weights == 0).mean() > 0.3


def test_a_large_price_is_solved_in_double_precision_if_single_is_not_enough() -> None:
    D, triplets = as_large_as_in_the_paper()
    solution = maximum_margin(D, triplets, C=100, tolerance=2e-5, max_steps=20_000)
    assert solution.gap <= 2e-5
