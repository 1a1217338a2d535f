# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import DotProduct

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.galleries.relevance_feedback import DISSIMILAR, NOISE, corrections, relevance_weights


def points(seed: int, n: int) -> NDArray[np.float64]:
    """Unit vectors around three directions: their products are similarities."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3, 6))[np.arange(n) % 3] + 0.7 * rng.normal(size=(n, 6))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X


def test_weights_agree_with_a_result_by_hand() -> None:
    # Solutions of (1.1 0.5; 0.5 1.1) w = (1, 1) and (1, 0).
    K = [[1, 0.5], [0.5, 1]]
    np.testing.assert_allclose(relevance_weights(K, [True, True]), [0.625, 0.625])
    np.testing.assert_allclose(relevance_weights(K, [True, False]), [1.1 / 0.96, -0.5 / 0.96])
    # A dissimilar photo without similarity to the others: -0.2 / 1.1.
    K = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    np.testing.assert_allclose(relevance_weights(K, [True, True, False]), [0.625, 0.625, -0.2 / 1.1])


def test_many_dissimilar_photos_never_outweigh_the_similar_ones() -> None:
    weights = relevance_weights(np.eye(11), [True] + 10 * [False])
    np.testing.assert_allclose(weights, np.array([1] + 10 * [0]) / 1.1)
    weights = relevance_weights(np.eye(12), [True, True] + 10 * [False])
    np.testing.assert_allclose(weights, np.array([1, 1] + 10 * [-0.02]) / 1.1)
    weights = relevance_weights(np.eye(5), [True, True, True, False, False])
    np.testing.assert_allclose(weights, np.array([1, 1, 1, -0.2, -0.2]) / 1.1)


@given(seed=st.integers(0, 10_000), likes=st.integers(1, 6), dislikes=st.integers(0, 6))
def test_relevance_is_the_mean_of_a_gaussian_process(seed: int, likes: int, dislikes: int) -> None:
    X = points(seed, 30)
    judged = np.random.default_rng(seed).permutation(30)[: likes + dislikes]
    similar = np.arange(len(judged)) < likes
    relevance = X @ X[judged].T @ relevance_weights(X[judged] @ X[judged].T, similar)
    r = DISSIMILAR * min(1, (likes - 1) / max(dislikes, 1))
    mean = (r - 1) / (r + 1)
    process = GaussianProcessRegressor(DotProduct(0.0, "fixed"), alpha=NOISE, optimizer=None)
    expected = process.fit(X[judged], np.where(similar, 1, -1) - mean).predict(X) / (1 - mean)
    np.testing.assert_allclose(relevance, expected, atol=1e-9)


@given(seed=st.integers(0, 10_000), likes=st.integers(4, 8), dislikes=st.integers(1, 3))
def test_a_photo_judged_similar_becomes_more_relevant(seed: int, likes: int, dislikes: int) -> None:
    X = points(seed, likes + dislikes)
    K = X @ X.T
    similar = np.arange(len(X)) < likes
    before = K @ relevance_weights(K, similar)
    similar[likes] = True
    after = K @ relevance_weights(K, similar)
    assert after[likes] > before[likes]


@given(seed=st.integers(0, 10_000))
def test_the_order_of_the_judgements_does_not_matter(seed: int) -> None:
    X = points(seed, 9)
    K, similar = X @ X.T, np.arange(9) < 4
    order = np.append(0, np.random.default_rng(seed).permutation(np.arange(1, 9)))
    weights = relevance_weights(K, similar)
    np.testing.assert_allclose(relevance_weights(K[np.ix_(order, order)], similar[order]), weights[order], atol=1e-9)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 12))
def test_similarities_that_are_not_a_kernel_are_harmless(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    K = rng.uniform(-3, 1, (n, n))
    K = (K + K.T) / 2
    np.fill_diagonal(K, 1)
    similar = rng.random(n) < 0.5
    similar[0] = True
    weights = relevance_weights(K, similar)
    assert np.linalg.norm(weights) <= np.sqrt(n) / NOISE + 1e-9
    values, vectors = np.linalg.eigh(K)
    nearest = vectors @ np.diag(np.maximum(values, 0)) @ vectors.T
    np.testing.assert_allclose(weights, relevance_weights(nearest, similar), atol=1e-8)


def test_a_repeated_photo_is_allowed() -> None:
    # Targets 1, 1, -.1, -.1: their mean has the weight 1 / 4.1, and the deviation from it 1 / .1.
    weights = relevance_weights(np.ones((4, 4)), [True, True, False, False])
    mean, beside = 0.45 / 4.1, 0.55 / 0.1
    np.testing.assert_allclose(weights, [mean + beside, mean + beside, mean - beside, mean - beside])


@pytest.mark.parametrize(
    ("similarities", "similar"),
    [
        ([[1.0]], [False]),
        (np.eye(2), [False, True]),
        (np.eye(2), [True]),
        (np.ones((2, 3)), [True, True]),
        (np.eye(2), [[True, False]]),
        (np.zeros((0, 0)), []),
        ([[1.0, np.nan], [np.nan, 1.0]], [True, False]),
        ([[1.0, np.inf], [np.inf, 1.0]], [True, True]),
    ],
)
def test_invalid_judgements_are_refused(similarities: object, similar: object) -> None:
    with pytest.raises(LearnerError):
        relevance_weights(similarities, similar)  # type: ignore[arg-type]


# ---------------------------------------------------------------- corrections of the relevance to a text
def kernel(count: int, seed: int) -> NDArray[np.float64]:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    found: NDArray[np.float64] = np.exp(-np.square(points[:, None] - points).sum(axis=2))
    return found


def test_corrections_of_unrelated_photos_agree_with_a_result_by_hand() -> None:
    found = corrections(np.eye(3), [True, True, False], [0.2, 0.9, 0.5])
    # Of three judged photos, two are similar and one is not; the target of the latter is -DISSIMILAR.
    np.testing.assert_allclose(found, np.array([0.8, 0.1, -DISSIMILAR - 0.5]) / (1 + NOISE))
    np.testing.assert_allclose(corrections(np.eye(2), [False, False], [0.4, 0.0]), [-0.4 / (1 + NOISE), 0])
    assert corrections(np.empty((0, 0)), [], []).shape == (0,)


@given(st.integers(1, 8), st.integers(0, 100))
def test_corrections_come_from_a_gaussian_process_with_a_mean(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    K, m, similar = kernel(count + 5, seed), rng.normal(size=count + 5), rng.random(count) < 0.6
    likes, dislikes = similar.sum(), (~similar).sum()
    against = DISSIMILAR * min(1.0, likes / dislikes) if dislikes else 0.0
    residual = np.where(similar, 1.0, -against) - m[:count]
    expected = m + K[:, :count] @ np.linalg.solve(K[:count, :count] + NOISE * np.eye(count), residual)
    found = m + K[:, :count] @ corrections(K[:count, :count], similar, m[:count])
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_expected_judgements_are_not_corrected() -> None:
    np.testing.assert_allclose(corrections(kernel(3, 0), [True, True, True], [1.0, 1.0, 1.0]), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("similarities", "similar", "expected"),
    [
        (np.eye(2), [True], [0.5]),
        (np.eye(2), [True, False], [0.5]),
        ([[np.nan]], [True], [0.5]),
        ([[1.0]], [True], [np.inf]),
    ],
)
def test_corrections_validate_their_input(similarities: object, similar: list[bool], expected: list[float]) -> None:
    with pytest.raises(LearnerError):
        corrections(similarities, similar, expected)  # type: ignore[arg-type]
