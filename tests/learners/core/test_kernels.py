# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.decomposition import KernelPCA as SklearnKernelPCA

from focal_photos.learners.core.kernels import (
    Auto,
    KernelPCA,
    fit_kernel_map,
    median_squared_distance,
    rbf,
    shared,
    shared_maps,
)


def samples(n: int = 80, d: int = 6, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=(n, d))


def test_the_median_covers_all_pairs() -> None:
    X = samples()
    distances = [((X[i] - X[j]) ** 2).sum() for i in range(80) for j in range(i)]
    assert median_squared_distance(X) == pytest.approx(np.median(distances))


def test_copies_do_not_count_in_the_median() -> None:
    X = np.array([[0.0, 0], [0, 0], [0, 0], [0, 0], [3, 4]])
    assert median_squared_distance(X) == pytest.approx(25)
    assert median_squared_distance(np.full((5, 2), 0.3)) == 1


def test_the_median_of_many_photos_comes_from_a_seeded_sample() -> None:
    X = samples(3000)
    assert median_squared_distance(X, 1) == median_squared_distance(X, 1)
    assert median_squared_distance(X, 1) == pytest.approx(median_squared_distance(X, 2), rel=0.05)


def test_the_kernel_agrees_with_its_formula_also_far_from_the_origin() -> None:
    A, B = samples(5) + 1e4, samples(7, seed=1) + 1e4
    expected = np.exp(-0.1 * ((A[:, None] - B[None]) ** 2).sum(-1))
    np.testing.assert_allclose(rbf(A, B, 0.1), expected, rtol=1e-9)
    np.testing.assert_allclose(
        rbf(samples().astype(np.float32), samples(), 0.1), rbf(samples(), samples(), 0.1), rtol=1e-4
    )


def coordinates(X: NDArray[np.float64], gamma: float) -> NDArray[np.float64]:
    """Return kernel principal components of the training photos, computed from the centred kernel."""
    n = len(X)
    H = np.eye(n) - 1 / n
    w, V = np.linalg.eigh(H @ np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(-1)) @ H)
    return np.asarray((V * np.sqrt(np.maximum(w, 0)))[:, ::-1])


def test_transforming_the_training_photos_gives_their_coordinates() -> None:
    X = samples()
    Y = KernelPCA.fit(X, 30, gamma=0.1).transform(X)
    expected = coordinates(X, 0.1)[:, :30]
    np.testing.assert_allclose(np.abs(Y), np.abs(expected), atol=1e-10)


def test_new_photos_get_the_coordinates_of_scikit_learn() -> None:
    X, new = samples(), samples(20, seed=1)
    ours = KernelPCA.fit(X, 20, gamma=0.1)
    theirs = SklearnKernelPCA(20, kernel="rbf", gamma=0.1, eigen_solver="dense").fit(X)
    np.testing.assert_allclose(np.abs(ours.transform(new)), np.abs(theirs.transform(new)), atol=1e-8)


def test_the_variances_belong_to_the_coordinates() -> None:
    for exact in (100, 10):
        kernel_map = KernelPCA.fit(samples(), 15, exact=exact, landmarks=20)
        Y = kernel_map.transform(samples())
        np.testing.assert_allclose(Y.mean(axis=0), 0, atol=1e-9)
        np.testing.assert_allclose(Y.T @ Y / len(Y), np.diag(kernel_map.variances), atol=1e-9)


def test_the_nystroem_map_preserves_distances_if_every_photo_is_a_landmark() -> None:
    X = samples()
    exact = KernelPCA.fit(X, 79, gamma=0.1).transform(X)
    # At most ten photos per landmark are used; with all photos as landmarks the approximation is exact.
    approximate = KernelPCA.fit(X, 79, gamma=0.1, exact=10, landmarks=80).transform(X)
    difference = np.linalg.norm(exact[:, None] - exact[None], axis=-1) - np.linalg.norm(
        approximate[:, None] - approximate[None], axis=-1
    )
    assert np.abs(difference).max() < 1e-3


def test_float32_photos_are_mapped_in_float32_to_the_same_coordinates() -> None:
    X = samples(500)
    kernel_map = KernelPCA.fit(X, 50)
    Y = kernel_map.transform(X.astype(np.float32))
    assert Y.dtype == np.float32
    np.testing.assert_allclose(Y, kernel_map.transform(X), atol=2e-4)


def test_a_matrix_can_be_folded_into_the_map() -> None:
    X = samples()
    kernel_map = KernelPCA.fit(X, 20)
    A = np.random.default_rng(1).normal(size=(8, 3))
    np.testing.assert_allclose(kernel_map.transform(X, A), kernel_map.transform(X)[:, :8] @ A, atol=1e-9)


@pytest.mark.parametrize("exact", [100, 5])
def test_equal_photos_get_one_component_of_zeros(exact: int) -> None:
    X = np.full((20, 3), 0.1)
    kernel_map = KernelPCA.fit(X, 10, exact=exact, landmarks=8)
    np.testing.assert_array_equal(kernel_map.transform(X), np.zeros((20, 1)))


@pytest.mark.parametrize("exact", [100, 5])
def test_copies_are_allowed(exact: int) -> None:
    X = np.repeat(samples(10), 4, axis=0)
    Y = KernelPCA.fit(X, 30, exact=exact, landmarks=16).transform(X)
    assert np.isfinite(Y).all()
    assert Y.shape[1] <= 9
    np.testing.assert_allclose(Y[::4], Y[1::4], atol=1e-9)


@dataclass
class Width:
    """Parameters of a learner on kernel principal components."""

    gamma: float | Auto = "auto"
    exact: int = 2000
    landmarks: int = 1000
    random_state: int = 0


def test_shared_maps_equal_individual_ones_and_are_fitted_once() -> None:
    X = np.random.default_rng(0).normal(size=(60, 4))
    few = Width(exact=20, landmarks=15)
    wanted = [(Width(exact=2000), 50), (Width(exact=2000), 7), (few, 5), (few, 7), (few, 8), (few, 15)]
    alone = [fit_kernel_map(learner, X, components) for learner, components in wanted]
    with shared_maps():
        together = [fit_kernel_map(learner, X, components) for learner, components in wanted for _ in range(2)]
        other = fit_kernel_map(Width(gamma=0.5), X, 7)
        elsewhere = fit_kernel_map(Width(), X[:30], 7)
    for one, (first, second) in zip(alone, zip(together[::2], together[1::2], strict=True), strict=True):
        assert len(one.variances) == len(first.variances)
        np.testing.assert_allclose(first.transform(X), one.transform(X), atol=1e-10)
        np.testing.assert_array_equal(first.transform(X), second.transform(X))
    assert together[4].landmarks is together[5].landmarks
    assert together[8].landmarks is together[10].landmarks, (
        "landmarks are shared if there are at least half as many components"
    )
    assert other.gamma == 0.5
    assert len(elsewhere.landmarks) == 30
    assert fit_kernel_map(Width(exact=20), X, 7) is not fit_kernel_map(Width(exact=20), X, 7)


def test_shared_objects_are_made_once_within_the_outermost_context() -> None:
    made: list[str] = []

    def make() -> int:
        made.append("")
        return len(made)

    one, other = [1], [1]
    assert [shared(("a",), (one,), make) for _ in range(2)] == [1, 2]
    with shared_maps():
        assert [shared(("a",), (some,), make) for some in (one, one, other)] == [3, 3, 4]
        with shared_maps():
            assert shared(("a",), (one,), make) == 3
        assert shared(("a",), (one,), make) == 3
        assert shared(("b",), (one,), make) == 5
    with shared_maps():
        assert shared(("a",), (one,), make) == 6
