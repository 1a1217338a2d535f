# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.galleries.float_gallery import FloatGallery
from tests.examples import examples


def points(n: int, r: int = 8, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(n, r)).astype(np.float32)


def direct(embedding: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm(embedding.astype(np.float64) - query, axis=1), dtype=np.float32)


def expect(got: tuple[NDArray[np.intp], NDArray[np.float32]], distances: NDArray[np.float32], k: int) -> None:
    order = np.lexsort((np.arange(len(distances)), distances))[:k]
    np.testing.assert_array_equal(got[0], order)
    np.testing.assert_array_equal(got[1], distances[order])
    assert got[0].dtype == np.intp
    assert got[1].dtype == np.float32


@settings(max_examples=examples(60))
@given(
    n=st.integers(1, 3000),
    k=st.integers(1, 3200),
    offset=st.sampled_from([0.0, 1e3, 1e6]),
    coarse=st.booleans(),
    seed=st.integers(0, 3),
)
def test_the_nearest_agree_with_a_full_sort(n: int, k: int, offset: float, coarse: bool, seed: int) -> None:
    Z = points(n, 4, seed)
    if coarse:  # many equal distances
        Z = np.round(Z)
    Z = (Z + offset).astype(np.float32)
    expect(FloatGallery(Z).rank(Z[0], k), direct(Z, Z[0]), min(k, n))


def test_a_large_gallery_with_a_sampled_threshold_is_exact() -> None:
    Z = points(50_000)
    gallery = FloatGallery(Z)
    for k in (1, 20, 400):
        expect(gallery.rank(Z[7], k), direct(Z, Z[7]), k)


def test_everything_is_ranked_without_k() -> None:
    Z = points(500)
    expect(FloatGallery(Z).rank(Z[0]), direct(Z, Z[0]), 500)


def test_copies_are_in_the_order_of_their_rows_at_distance_0() -> None:
    Z = points(20_000)
    Z[[5, 900, 19_999]] = Z[17]
    rows, distances = FloatGallery(Z).rank(Z[17], 5)
    assert rows[:4].tolist() == [5, 17, 900, 19_999]
    assert distances[:4].tolist() == [0, 0, 0, 0]
    assert distances[4] > 0


def test_distances_near_0_are_accurate_far_from_the_origin() -> None:
    Z = np.repeat(np.array([[1000.0, 2000.0]], np.float32), 5000, axis=0)
    Z[:, 0] += np.arange(5000, dtype=np.float32)[::-1] * np.float32(2**-10)
    rows, distances = FloatGallery(Z).rank(Z[4999], 4)
    assert rows.tolist() == [4999, 4998, 4997, 4996]
    np.testing.assert_allclose(distances, np.arange(4) * 2**-10, rtol=1e-6)


def test_a_memory_map_is_searched_in_place(tmp_path: Path) -> None:
    Z = points(20_000)
    np.save(tmp_path / "z.npy", Z)
    mapped = np.load(tmp_path / "z.npy", mmap_mode="r")
    expect(FloatGallery(mapped).rank(Z[3], 10), direct(Z, Z[3]), 10)


def test_an_empty_gallery_gives_no_results() -> None:
    assert len(FloatGallery(points(0))) == 0
    for rows, distances in (FloatGallery(points(0)).rank(np.zeros(8), 3), FloatGallery(points(5)).rank(np.zeros(8), 0)):
        assert rows.shape == distances.shape == (0,)


def test_several_queries_give_the_same_as_single_ones() -> None:
    Z = points(3000)
    gallery = FloatGallery(Z)
    rows, distances = gallery.rank_many(Z[:40], 25)
    for i in range(40):
        alone = gallery.rank(Z[i], 25)
        np.testing.assert_array_equal(rows[i], alone[0])
        np.testing.assert_array_equal(distances[i], alone[1])


@settings(max_examples=examples(60))
@given(
    n=st.integers(2, 600),
    r=st.integers(1, 40),
    k=st.integers(1, 700),
    offset=st.sampled_from([0.0, 1e3, 1e6]),
    coarse=st.booleans(),
    seed=st.integers(0, 3),
)
def test_several_queries_of_a_small_gallery_give_the_same_as_single_ones_of_a_large_gallery(
    n: int, r: int, k: int, offset: float, coarse: bool, seed: int
) -> None:
    Z = points(n, r, seed)
    if coarse:
        Z = np.round(Z)  # many rows and distances are equal
    Z += np.float32(offset)
    gallery, asked = FloatGallery(Z), np.random.default_rng(seed).integers(0, n, 30)
    skip = np.where(asked % 3, asked, -1)
    rows, distances = gallery.rank_many(Z[asked], k, skip=skip)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("focal_photos.learners.galleries.float_gallery._MAX_SMALL_ROWS", 0)
        expected, far = gallery.rank_many(Z[asked], k, skip=skip)
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_array_equal(distances.view(np.uint32), far.view(np.uint32))
    assert rows.dtype == expected.dtype


def test_several_queries_can_exclude_themselves() -> None:
    Z = points(300)
    Z[10] = Z[11]
    gallery = FloatGallery(Z)
    asked = np.array([10, 11, 12])
    rows, _ = gallery.rank_many(Z[asked], 299, skip=asked)
    assert rows.shape == (3, 299)
    assert rows[0, 0] == 11
    assert rows[1, 0] == 10
    assert not (rows == asked[:, None]).any()
    assert gallery.rank_many(Z[asked], 5, skip=np.array([10, -1, 12]))[0][1].tolist()[:2] == [10, 11]


def test_a_gallery_of_one_row_can_be_queried() -> None:
    rows, distances = FloatGallery(points(1)).rank_many(points(1), 5, skip=np.array([0]))
    assert rows.shape == distances.shape == (1, 0)


@pytest.mark.parametrize(
    ("query", "message"),
    [(np.zeros(7), "must have 8 coordinates"), (np.full(8, np.nan), "NaN"), (np.full(8, 1e300), "infinite")],
)
def test_unusable_queries_are_refused(query: NDArray[np.float64], message: str) -> None:
    with np.errstate(over="ignore"), pytest.raises(LearnerError, match=message):
        FloatGallery(points(5)).rank(query, 2)


@pytest.mark.parametrize(
    ("embedding", "message"),
    [
        (np.zeros((3, 2)), "float32"),
        (np.zeros(3, np.float32), "float32 matrix"),
        (np.full((3, 2), np.nan, np.float32), "NaN"),
        (np.full((3, 2), np.inf, np.float32), "infinite"),
    ],
)
def test_unusable_embeddings_are_refused(embedding: NDArray[np.float32], message: str) -> None:
    with pytest.raises(LearnerError, match=message):
        FloatGallery(embedding)


@settings(max_examples=examples(60))
@given(
    n=st.integers(1, 3000),
    k=st.one_of(st.none(), st.integers(0, 3200)),
    share=st.sampled_from([0.0, 0.01, 0.2, 0.6, 1.0]),
    coarse=st.booleans(),
    seed=st.integers(0, 3),
)
def test_some_rows_are_ranked_as_in_the_whole_gallery(
    n: int, k: int | None, share: float, coarse: bool, seed: int
) -> None:
    Z = points(n, 4, seed)
    if coarse:
        Z = np.round(Z)
    gallery = FloatGallery(Z)
    allowed = np.random.default_rng(seed).random(n) < share
    rows, distances = gallery.rank(Z[0])
    kept = np.flatnonzero(allowed[rows])[:k]
    found = gallery.rank(Z[0], k, allowed=allowed)
    np.testing.assert_array_equal(found[0], rows[kept])
    np.testing.assert_array_equal(found[1], distances[kept])
    assert found[0].dtype == np.intp


def test_large_galleries_are_sorted_like_small_ones() -> None:
    Z = np.round(points(20_000, 3))  # many equal distances
    expect(FloatGallery(Z).rank(Z[7]), direct(Z, Z[7]), 20_000)
