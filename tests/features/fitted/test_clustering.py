# SPDX-License-Identifier: MIT
from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from focal_photos.features.fitted.clustering import kmeans, nearest
from tests.examples import examples


def slow_nearest(rows: NDArray[np.float32], centers: NDArray[np.float32]) -> list[int]:
    """Return the first nearest center, one difference at a time."""
    labels = []
    for row in rows.astype(np.float64):
        distances = [sum((a - b) ** 2 for a, b in zip(row, center, strict=True)) for center in centers.tolist()]
        labels.append(distances.index(min(distances)))
    return labels


def loss(rows: NDArray[np.float32], centers: NDArray[np.float32]) -> float:
    return float(((rows - centers[nearest(rows, centers)]) ** 2).sum())


def matrices(rows: st.SearchStrategy[int]) -> st.SearchStrategy[NDArray[np.float32]]:
    # Small integers: products are exact, and so are ties.
    return rows.flatmap(lambda n: arrays(np.float32, (n, 4), elements=st.integers(-20, 20).map(float)))


@given(matrices(st.integers(0, 30)), matrices(st.integers(1, 8)))
def test_nearest_agrees_with_the_definition(rows: NDArray[np.float32], centers: NDArray[np.float32]) -> None:
    assert nearest(rows, centers).tolist() == slow_nearest(rows, centers)


def test_nearest_covers_all_blocks() -> None:
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(700, 8)).astype(np.float32)
    rows = np.tile(centers, (6, 1))
    np.testing.assert_array_equal(nearest(rows, centers), np.tile(np.arange(700), 6))


@settings(max_examples=examples(60))
@given(matrices(st.integers(0, 40)), st.integers(1, 12), st.integers(0, 3))
def test_the_number_of_centers_is_limited_by_the_distinct_rows(
    rows: NDArray[np.float32], clusters: int, seed: int
) -> None:
    kept = rows.copy()
    centers = kmeans(rows, clusters, np.random.default_rng(seed))
    np.testing.assert_array_equal(rows, kept)
    assert centers.shape == (min(clusters, len(np.unique(rows, axis=0))), 4)
    assert centers.dtype == np.float32
    assert np.isfinite(centers).all()
    np.testing.assert_array_equal(kmeans(rows, clusters, np.random.default_rng(seed)), centers)


@settings(max_examples=examples(60))
@given(matrices(st.integers(2, 40)), st.integers(1, 6))
def test_more_iterations_never_fit_worse(rows: NDArray[np.float32], clusters: int) -> None:
    losses = [loss(rows, kmeans(rows, clusters, np.random.default_rng(0), iterations=n)) for n in range(5)]
    assert all(later <= before + 1e-3 for before, later in pairwise(losses))


def test_each_final_center_is_the_mean_of_its_rows() -> None:
    rows = np.random.default_rng(0).normal(size=(300, 5)).astype(np.float32)
    centers = kmeans(rows, 6, np.random.default_rng(1), iterations=500)
    labels = nearest(rows, centers)
    for i, center in enumerate(centers):
        np.testing.assert_allclose(center, rows[labels == i].mean(axis=0), atol=1e-5)


def test_the_fit_is_about_as_good_as_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    rows = (rng.normal(size=(60, 12))[rng.integers(0, 60, 3000)] + 0.4 * rng.normal(size=(3000, 12))).astype(np.float32)
    theirs = KMeans(50, n_init=1, init="random", random_state=0, max_iter=15).fit(rows).inertia_
    assert loss(rows, kmeans(rows, 50, rng)) < 1.15 * theirs
