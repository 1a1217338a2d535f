# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners import create
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.neighborhoods import AskedNeighborhoods, FoundNeighborhoods, Neighborhoods
from focal_photos.learners.galleries.reciprocal import (
    ReciprocalNeighbors,
    build,
    find_nearest,
    on_request,
    scale_of,
)
from focal_photos.learners.galleries.row_gallery import Gallery, gallery_rows, row_gallery
from tests.examples import examples


def points(n: int, r: int, seed: int) -> NDArray[np.float32]:
    """Four clouds with some duplicate photos."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(0, 2, (4, r))[rng.integers(0, 4, n)] + rng.normal(size=(n, r))
    rows[n - n // 20 :] = rows[: n // 20]
    return rows.astype(np.float32)


class Counting(FloatGallery):
    """Counts the pairs whose distances are computed."""

    pairs = 0

    def pair_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.float32]:
        self.pairs += len(rows)
        return super().pair_distances(rows, others)


def assert_same(ask: Callable[[], Neighborhoods], found: Neighborhoods, place: int) -> None:
    """Check that a neighbourhood, and those that contain its members, are identical bit by bit."""
    (members, weights), (expected, their) = ask().of(place), found.of(place)
    np.testing.assert_array_equal(members, expected)
    np.testing.assert_array_equal(weights.view(np.uint32), their.view(np.uint32))
    for (rows, values, sizes), (others, theirs, counts) in (
        (ask().having(some), found.having(some)) for some in (members, members[::-2], members[:0])
    ):
        np.testing.assert_array_equal(sizes, counts)
        np.testing.assert_array_equal(rows, others)
        np.testing.assert_array_equal(values.view(np.uint32), theirs.view(np.uint32))


@given(st.integers(2, 400), st.integers(1, 40), st.integers(0, 1000))
@settings(max_examples=examples(60))
def test_neighbourhoods_on_demand_equal_precomputed_ones(n: int, r: int, seed: int) -> None:
    gallery = FloatGallery(points(n, r, seed))
    nearest, scale = find_nearest(gallery), scale_of(gallery)
    found = FoundNeighborhoods.of_all(gallery, nearest.rows, scale)
    for place in np.random.default_rng(seed).integers(0, n, 8).tolist():
        assert_same(lambda: AskedNeighborhoods(gallery, nearest.rows, scale), found, place)


@pytest.mark.parametrize("name", ["euclidean", "kernel", "dist-boost"])
def test_rankings_and_kernels_are_the_same(name: str) -> None:
    X = points(300, 12, 0)
    learner = create(name).fit(X, SideInformation.from_labels(np.arange(len(X)) % 4))
    gallery: Gallery = row_gallery(learner, gallery_rows(learner, X))
    found = build(gallery)

    def ask() -> ReciprocalNeighbors:
        return on_request(gallery, found.nearest, found.scale)

    outside = gallery.rows[5] * np.float32(0.9) + gallery.rows[9] * np.float32(0.1)
    for k in (None, 20):
        for query, own in ((gallery.rows[7], 7), (outside, None)):
            for one, other in zip(
                ask().rank(gallery, query, own=own, k=k), found.rank(gallery, query, own=own, k=k), strict=True
            ):
                np.testing.assert_array_equal(one, other)
    some = np.array([3, 250, 17])
    np.testing.assert_array_equal(ask().similarities(gallery, some), found.similarities(gallery, some))
    np.testing.assert_array_equal(
        ask().similarities_outside(gallery, outside), found.similarities_outside(gallery, outside)
    )
    other = int(found.nearest.rows[3, 1])
    for mine, theirs in zip(ask().in_common(3, other), found.in_common(3, other), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(ask().weights.toarray(), found.weights.toarray())
    np.testing.assert_array_equal(ask().columns.toarray(), found.columns.toarray())


def test_few_neighbourhoods_are_computed_for_one_ranking_and_all_after_many() -> None:
    gallery = Counting(points(6000, 8, 0))
    nearest, scale = find_nearest(gallery), scale_of(gallery)
    gallery.pairs = 0
    found = build(gallery, nearest, scale=scale)
    every, gallery.pairs = gallery.pairs, 0
    asked = on_request(gallery, nearest, scale)
    asked.rank(gallery, gallery.rows[5], own=5, k=20)
    assert 0 < gallery.pairs < every / 10
    for place in range(10):
        assert_same(lambda: asked.neighborhoods, found.neighborhoods, place)
    gallery.pairs = 0
    for place in range(10, 60):
        assert_same(lambda: asked.neighborhoods, found.neighborhoods, place)
    assert gallery.pairs == 0
