# SPDX-License-Identifier: MIT
from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.galleries.shapley import MAX_EXACT_PARTS, Value, shapley_values
from tests.examples import examples


def game(seed: int, parts: int) -> tuple[Value, NDArray[np.float64]]:
    """Return a random value for each set, and the Shapley values by definition: the mean over all orders."""
    worth = np.random.default_rng(seed).normal(size=1 << parts)
    powers = 1 << np.arange(parts)
    slow = np.zeros(parts)
    orders = list(permutations(range(parts)))
    for order in orders:
        reached = 0
        for part in order:
            slow[part] += worth[reached | (1 << part)] - worth[reached]
            reached |= 1 << part
    return lambda sets: worth[sets @ powers], slow / len(orders)


@given(st.integers(0, 10_000), st.integers(1, 6))
@settings(max_examples=examples(60))
def test_the_values_are_the_mean_over_all_orders(seed: int, parts: int) -> None:
    value, slow = game(seed, parts)
    np.testing.assert_allclose(shapley_values(value, parts), slow, atol=1e-9)


@given(st.integers(0, 10_000), st.integers(1, 13), st.integers(1, 5))
@settings(max_examples=examples(40))
def test_values_from_random_orders_add_up_exactly(seed: int, parts: int, orders: int) -> None:
    value, _ = game(seed, 1) if parts == 1 else _large(seed, parts)
    every = np.array([[False] * parts, [True] * parts])
    none, whole = value(every)
    assert shapley_values(value, parts, orders=orders).sum() == pytest.approx(whole - none, abs=1e-9)


@given(st.integers(0, 10_000), st.integers(2, 14))
@settings(max_examples=examples(30))
def test_one_order_and_its_reverse_are_exact_for_squares(seed: int, parts: int) -> None:
    A = np.random.default_rng(seed).normal(size=(parts, 3))

    def value(sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.asarray(np.square(sets @ A).sum(axis=1))

    np.testing.assert_allclose(shapley_values(value, parts, orders=1), A @ A.sum(axis=0), atol=1e-9)
    np.testing.assert_allclose(shapley_values(value, parts), A @ A.sum(axis=0), atol=1e-9)


def test_a_part_without_effect_gets_nothing_and_equal_parts_the_same() -> None:
    found = shapley_values(lambda sets: (sets[:, 0] & sets[:, 2]).astype(float), 3)
    np.testing.assert_allclose(found, [0.5, 0, 0.5])


def test_invalid_arguments_are_refused() -> None:
    with pytest.raises(LearnerError, match="no parts"):
        shapley_values(lambda sets: np.zeros(len(sets)), 0)
    with pytest.raises(LearnerError, match="NaN"):
        shapley_values(lambda sets: np.where(sets.all(axis=1), np.nan, 0.0), MAX_EXACT_PARTS + 1)


def _large(seed: int, parts: int) -> tuple[Value, None]:
    A = np.random.default_rng(seed).normal(size=(parts, 2))
    return lambda sets: np.tanh(sets @ A).sum(axis=1) + 3, None
