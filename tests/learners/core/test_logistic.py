# SPDX-License-Identifier: MIT
"""Logistic regression compared with a general optimiser, and edge cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from focal_photos.learners.core.logistic import calibrate, fit_logistic, platt_targets, sigmoid


def problem(seed: int, n: int = 60, c: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, c - 1)), np.ones(n)])
    y = (rng.random(n) < sigmoid(X @ rng.normal(size=c))).astype(np.float64)
    return X, y


def loss(b: np.ndarray, X: np.ndarray, y: np.ndarray, start: np.ndarray, pull: np.ndarray) -> float:
    z = X @ b
    return float(np.sum(np.logaddexp(0, z) - y * z) + 0.5 * pull @ (b - start) ** 2)


def test_the_sigmoid_is_the_logistic_function_without_overflow() -> None:
    x = np.array([-1e4, -30.0, -1.0, 0.0, 2.0, 1e4])
    got = sigmoid(x)
    np.testing.assert_allclose(got[1:5], 1 / (1 + np.exp(-x[1:5])), rtol=1e-14)
    assert got.dtype == np.float64
    assert got[0] < 1e-200
    assert got[-1] == 1.0
    assert sigmoid(np.zeros((2, 3), np.float32)).shape == (2, 3)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("largest_step", [0.3, 2.0, np.inf])
def test_a_fit_is_the_minimum_of_the_penalised_loss(seed: int, largest_step: float) -> None:
    X, y = problem(seed)
    start, pull = np.array([1.0, 0.0, -0.5]), np.array([1.0, 0.1, 0.0])
    got = fit_logistic(X, y, start, pull=pull, largest_step=largest_step)
    best = minimize(loss, start, args=(X, y, start, pull), method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(got, best.x, atol=1e-6)


def test_the_start_is_returned_without_data() -> None:
    start = np.array([1.0, -2.0])
    np.testing.assert_array_equal(fit_logistic(np.empty((0, 2)), np.empty(0), start), start)


def test_separable_samples_have_finite_coefficients() -> None:
    X = np.column_stack([[-1e3, -1.0, 1.0, 1e3], np.ones(4)])
    got = fit_logistic(X, np.array([0.0, 0.0, 1.0, 1.0]), np.zeros(2), pull=1e-3)
    assert np.isfinite(got).all()
    assert got[0] > 0


def test_a_tolerance_ends_the_fit_when_the_loss_hardly_falls() -> None:
    X, y = problem(5)
    start = np.zeros(3)
    early = fit_logistic(X, y, start, tolerance=1e-1)
    late = fit_logistic(X, y, start, tolerance=1e-12)
    exact = fit_logistic(X, y, start)
    assert np.abs(late - exact).max() < 1e-6 < np.abs(early - exact).max()


def test_negative_coefficients_become_0_and_the_others_are_fitted_without_them() -> None:
    X, y = problem(7, n=200)
    X[:, 0] = np.abs(X[:, 0]) - 3 * y  # the first has a negative effect
    start = np.array([1.0, 0.0, 0.0])
    got = calibrate(X, y, start, np.array([True, False, False]))
    assert got[0] == 0.0
    np.testing.assert_allclose(got[1:], fit_logistic(X[:, 1:], y, start[1:]), atol=1e-12)
    free = calibrate(X, y, start, np.array([False, False, False]))
    assert free[0] < 0


def test_platt_targets_are_limited_by_the_number_of_samples() -> None:
    positive = np.array([True, True, True, False, False])
    np.testing.assert_allclose(platt_targets(positive), [0.8, 0.8, 0.8, 0.25, 0.25])
    np.testing.assert_allclose(platt_targets(positive, 1), [2 / 3, 2 / 3, 2 / 3, 0.25, 0.25])


def test_a_weight_of_two_counts_like_two_samples() -> None:
    rng = np.random.default_rng(3)
    X = np.column_stack([np.ones(12), rng.normal(size=12)])
    y = (rng.random(12) < 0.5).astype(np.float64)
    counts = rng.integers(0, 4, 12)
    twice = fit_logistic(np.repeat(X, counts, axis=0), np.repeat(y, counts), np.zeros(2))
    np.testing.assert_allclose(fit_logistic(X, y, np.zeros(2), weights=counts.astype(np.float64)), twice, atol=1e-7)
