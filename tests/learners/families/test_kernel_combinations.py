# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.family_kernels import laplacian_kernel, mean_distance
from focal_photos.learners.families.kernel_combinations import (
    KernelBest,
    KernelCombination,
    KernelConcatenated,
    KernelUniform,
    KernelWeighted,
)

FAMILIES = (FeatureFamily("noise", 0, 3, False), FeatureFamily("shape", 3, 6, False))


def photos(n: int = 90, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return rng.normal(size=(n, 6)) + np.pad(2.5 * np.eye(3)[y], ((0, 0), (3, 0))), y


def kernels(X: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    parts = [X[:, g.start : g.stop] for g in FAMILIES]
    return [laplacian_kernel(part, part, mean_distance(part)) for part in parts]


def test_uniform_weights_give_the_distance_in_the_mean_kernel() -> None:
    X, _ = photos()
    learner = KernelUniform(FAMILIES, euclidean_blend=0).fit(X)
    squared = 2 - 2 * np.mean(kernels(X), axis=0)[5]
    got = learner.distances_from(X[5], X) ** 2
    others = np.arange(90) != 5
    np.testing.assert_allclose(got[others] / squared[others], got[0] / squared[0], rtol=1e-6)
    assert got[5] == 0


@pytest.mark.parametrize("by", ["tags", "pairs"])
def test_best_is_the_family_that_ranks_best(by: str) -> None:
    X, y = photos()
    pairs = SideInformation(np.array([[i, i + 3] for i in range(60)]), np.array([[i, i + 1] for i in range(60)]))
    learner = KernelBest(FAMILIES, euclidean_blend=0).fit(X, SideInformation.from_labels(y) if by == "tags" else pairs)
    assert learner.family_weights_ == {"noise": 0.0, "shape": 1.0}
    order = np.argsort(learner.distances_from(X[5], X))
    np.testing.assert_array_equal(order, np.argsort(np.linalg.norm(X[:, 3:] - X[5, 3:], axis=1)))


def test_weights_are_the_exponentials_of_average_precision() -> None:
    X, y = photos()
    learner = KernelWeighted(FAMILIES).fit(X, SideInformation.from_labels(y))
    weights = []
    for K in kernels(X):
        found = []
        for i in range(90):
            order = [j for j in np.argsort(-K[i], kind="stable") if j != i]
            relevant = y[order] == y[i]
            found.append(np.mean([relevant[: r + 1].mean() for r in np.flatnonzero(relevant)]))
        weights.append(np.exp(np.mean(found)))
    np.testing.assert_allclose([*learner.family_weights_.values()], np.array(weights) / sum(weights), rtol=1e-6)


def test_concatenation_gives_every_family_the_same_variance() -> None:
    X, _ = photos()
    X[:, :3] *= 100
    scaled = X / np.repeat([np.sqrt(X[:, :3].var(axis=0).sum()), np.sqrt(X[:, 3:].var(axis=0).sum())], 3)
    order = np.argsort(KernelConcatenated(FAMILIES, euclidean_blend=0).fit(X).distances_from(X[5], X))
    np.testing.assert_array_equal(order, np.argsort(np.linalg.norm(scaled - scaled[5], axis=1)))


@pytest.mark.parametrize("kind", [KernelUniform, KernelBest, KernelWeighted, KernelConcatenated])
def test_a_full_blend_is_euclidean(kind: type[KernelCombination]) -> None:
    X, y = photos()
    got = kind(FAMILIES, euclidean_blend=1e9).fit(X, SideInformation.from_labels(y)).pair_distance(X[:-1], X[1:])
    expected = np.linalg.norm(X[:-1] - X[1:], axis=1)
    np.testing.assert_allclose(got / expected, got[0] / expected[0], rtol=1e-4)


def test_the_best_family_needs_training_data() -> None:
    with pytest.raises(LearnerError, match="Kernel of the best family has nothing to learn from"):
        KernelBest(FAMILIES).fit(photos()[0])
