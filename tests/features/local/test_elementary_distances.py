# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.features.local.elementary_distances import (
    MISSING,
    elementary_distances,
    with_places,
)

Vectors = NDArray[np.float32]


def unit_vectors(n: int, d: int, seed: int = 0) -> Vectors:
    """Return unit vectors without negative entries, like patches."""
    vectors = np.random.default_rng(seed).random((n, d)) ** 3 + 1e-9
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def offsets_of(counts: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def slow_distances(focal: Vectors, photos: list[Vectors], missing: float = MISSING) -> list[list[float]]:
    return [
        [min((math.dist(a, b) for b in photo.tolist()), default=missing) for a in focal.tolist()] for photo in photos
    ]


counts = st.lists(st.integers(0, 6), max_size=6)
seeds = st.integers(0, 1000)


@given(st.integers(0, 7), counts, st.integers(1, 9), seeds)
@example(6, [5, 6, 6], 2, 6)  # two patches are so near that a matrix product cannot tell which is nearer
def test_agrees_with_two_loops(m: int, each: list[int], d: int, seed: int) -> None:
    focal, stacked = unit_vectors(m, d, seed), unit_vectors(sum(each), d, seed + 1)
    offsets = offsets_of(each)
    photos = [stacked[a:b] for a, b in pairwise(offsets)]
    found = elementary_distances(focal, stacked, offsets)
    assert found.shape == (len(each), m)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.reshape(slow_distances(focal, photos), (len(each), m)), atol=3e-5)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    ("m", "each"), [(1100, [700, 0, 300, 1, 1100, 0]), (3, [2500]), (1100, [1] * 40), (3, [7] * 600 + [8] * 2)]
)
def test_agrees_across_the_borders_of_blocks(m: int, each: list[int], kind: type[np.floating]) -> None:
    focal, stacked = unit_vectors(m, 12), unit_vectors(sum(each), 12, 1).astype(kind)
    offsets = offsets_of(each)
    found = elementary_distances(focal, stacked, offsets)
    squares = ((focal.astype(np.float64)[:, None] - stacked.astype(np.float64)) ** 2).sum(2)
    for n, (begin, end) in enumerate(pairwise(offsets)):
        expected = np.sqrt(squares[:, begin:end].min(1)) if end > begin else MISSING
        np.testing.assert_allclose(found[n], np.broadcast_to(expected, m), atol=3e-5)


@given(st.integers(1, 6), st.integers(1, 8), st.data())
def test_the_order_of_patches_within_a_photo_does_not_matter(m: int, n: int, data: st.DataObject) -> None:
    focal, photo = unit_vectors(m, 20), unit_vectors(n, 20, 1)
    order = data.draw(st.permutations(range(n)))
    offsets = offsets_of([n])
    found = elementary_distances(focal, photo, offsets)
    np.testing.assert_allclose(elementary_distances(focal, photo[order], offsets), found, atol=1e-6)


@given(st.integers(1, 6), st.integers(0, 8), st.integers(1, 4), seeds)
def test_more_patches_never_raise_a_distance(m: int, n: int, more: int, seed: int) -> None:
    focal, photo = unit_vectors(m, 20, seed), unit_vectors(n + more, 20, seed + 1)
    few = elementary_distances(focal, photo[:n], offsets_of([n]))
    many = elementary_distances(focal, photo, offsets_of([n + more]))
    assert (many <= few + 1e-6).all()


@given(st.integers(1, 40), seeds)
def test_a_photo_has_distance_zero_to_itself_beside_any_others(n: int, seed: int) -> None:
    own, other = unit_vectors(n, 30, seed), unit_vectors(5, 30, seed + 1)
    found = elementary_distances(own, np.concatenate([other, own, other]), offsets_of([5, n, 5]))
    np.testing.assert_array_equal(found[1], 0)
    np.testing.assert_allclose(found[0], found[2], atol=1e-6)


def test_small_distances_are_accurate() -> None:
    focal = unit_vectors(30, 204)
    for size in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2):
        near = focal + np.float32(size) * unit_vectors(30, 204, 1)
        exact = np.linalg.norm(focal.astype(np.float64) - near, axis=1)
        both = elementary_distances(focal, near, np.arange(31)).diagonal()
        np.testing.assert_allclose(both, exact, rtol=2e-3, atol=1e-7)


def test_half_precision_of_every_kind_is_read_exactly() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)]
    zero = np.zeros((1, 1), np.float16)
    found = elementary_distances(finite[:, None], zero, offsets_of([1]))[0]
    exact = np.abs(finite.astype(np.float64))
    large = exact > 1e-15  # squares of smaller ones vanish in single precision
    np.testing.assert_allclose(found[large], exact[large], rtol=1e-6)


def test_photos_without_patches_get_the_given_value() -> None:
    focal = unit_vectors(3, 4)
    stacked = unit_vectors(2, 4, 1)
    found = elementary_distances(focal, stacked, np.array([0, 0, 2, 2]))
    assert (found[[0, 2]] == np.float32(MISSING)).all()
    assert (found[1] < MISSING).all()
    assert (elementary_distances(focal, stacked[:0], np.array([0, 0]), missing=7.0) == 7).all()
    assert elementary_distances(focal[:0], stacked, np.array([0, 2])).shape == (1, 0)
    assert elementary_distances(focal, stacked[:0], np.array([0])).shape == (0, 3)


def test_a_memory_map_is_read_and_not_changed(tmp_path: object) -> None:
    focal, stacked = unit_vectors(20, 8), unit_vectors(50, 8, 1).astype(np.float16)
    np.save(f"{tmp_path}/vectors.npy", stacked)
    mapped = np.load(f"{tmp_path}/vectors.npy", mmap_mode="r")
    kept = focal.copy()
    found = elementary_distances(focal, mapped, offsets_of([20, 30]))
    np.testing.assert_array_equal(found, elementary_distances(focal, stacked.copy(), offsets_of([20, 30])))
    np.testing.assert_array_equal(focal, kept)
    np.testing.assert_array_equal(mapped, stacked)
    transposed = np.asfortranarray(stacked)
    np.testing.assert_array_equal(found, elementary_distances(focal, transposed, offsets_of([20, 30])))


@pytest.mark.parametrize(
    ("focal", "candidates", "offsets"),
    [
        ((3, 4), (5, 3), [0, 5]),
        ((4,), (5, 4), [0, 5]),
        ((3, 4), (5, 4), [0, 4]),
        ((3, 4), (5, 4), [1, 5]),
        ((3, 4), (5, 4), []),
        ((3, 4), (5, 4), [0, 3, 2, 5]),
    ],
)
def test_inconsistent_arguments_are_refused(
    focal: tuple[int, ...], candidates: tuple[int, ...], offsets: list[int]
) -> None:
    with pytest.raises(ValueError, match=r"Patches|offsets"):
        elementary_distances(np.zeros(focal, np.float32), np.zeros(candidates, np.float32), np.array(offsets, np.int64))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_positions_are_relative_to_width_and_height(dtype: type[np.floating]) -> None:
    looks = np.array([[0.6, 0.8]], dtype)
    here = with_places(looks, np.array([[30.0, 20.0]], np.float32), (300, 200), 0.5)
    there = with_places(looks, np.array([[150.0, 140.0]], np.float32), (150, 200), 0.5)
    assert here.dtype == dtype
    assert here.shape == (1, 4)
    distance = elementary_distances(here, there, np.array([0, 1]))
    # 0.9 of the width and 0.6 of the height apart, with weight one half.
    assert distance[0, 0] == pytest.approx(0.5 * math.hypot(0.9, 0.6), abs=1e-3)


def test_positions_with_weight_zero_have_no_effect() -> None:
    looks = unit_vectors(3, 4)
    assert with_places(looks, np.zeros((3, 2), np.float32), (10, 10), 0.0) is looks
    assert with_places(looks[:0], np.zeros((0, 2), np.float32), (10, 10), 1.0).shape == (0, 6)
