# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped]

from focal_photos.learners.core.linalg import (
    blocks,
    cholesky_in_blocks,
    nearest_first,
    one_thread,
    pair_scatter,
    powm,
    principal_axes,
    root_of_rank,
    row_products,
    smallest,
    sqd,
    symmetric_product,
)


def spd(p: int, rank: int | None = None) -> NDArray[np.float64]:
    B = np.random.default_rng(p).normal(size=(p, rank or 2 * p))
    return B @ B.T


def test_blocks_cover_everything_once() -> None:
    assert [(s.start, s.stop) for s in blocks(10, 4)] == [(0, 4), (4, 8), (8, 10)]
    assert list(blocks(0)) == []


@pytest.mark.parametrize("count", [0, 1, 300, 70_000])
@pytest.mark.parametrize("first", [0, 7])
def test_row_products_are_the_products_of_each_row(count: int, first: int) -> None:
    """With rows that fit into the cache and rows that do not, at any offset, into an existing array."""
    rng = np.random.default_rng(count)
    rows = rng.normal(size=(count + first, 65)).astype(np.float32)[first:]
    vector = rng.normal(size=65).astype(np.float32)
    exact = rows.astype(np.float64) @ vector.astype(np.float64)
    # Tolerance for any order of 65 products and sums in float32.
    most = 66 * float(np.finfo(np.float32).eps) * (np.abs(rows) @ np.abs(vector))
    found = row_products(rows, vector)
    assert found.dtype == np.float32
    assert (np.abs(found - exact) <= most).all()
    out = np.full(count + 2, 5, dtype=np.float32)
    row_products(rows, vector, out=out[1:-1])
    assert (out[1:-1] == found).all()
    assert out[[0, -1]].tolist() == [5, 5]


@pytest.mark.parametrize("power", [-1, -0.5, 0.25, 0.5, 1, 2])
def test_powm_equals_scipy(power: float) -> None:
    C = spd(12)
    np.testing.assert_allclose(powm(C, power), scipy.linalg.fractional_matrix_power(C, power), rtol=1e-9, atol=1e-11)


def test_powm_of_one_direction_is_not_the_identity() -> None:
    np.testing.assert_allclose(powm([[4.0]], 0.5), [[2.0]])
    np.testing.assert_allclose(powm(np.diag([4.0, 0.0]), -0.5), np.diag([0.5, 0.0]))


def test_powm_adds_the_ridge_relative_to_the_mean_eigenvalue() -> None:
    C = spd(6)
    expected = np.linalg.inv(C + 0.3 * np.trace(C) / 6 * np.eye(6))
    np.testing.assert_allclose(powm(C, -1, 0.3), expected, rtol=1e-9)


def test_powm_without_ridge_drops_directions_without_variance() -> None:
    C = spd(6, rank=2)
    np.testing.assert_allclose(powm(C, -1), np.linalg.pinv(C), atol=1e-8)
    assert np.isfinite(powm(C, -0.5, 0.03)).all()


def test_powm_of_zeros_is_the_identity() -> None:
    np.testing.assert_array_equal(powm(np.zeros((3, 3)), -0.5, 0.1), np.eye(3))


@pytest.mark.parametrize("p", [1, 31, 32, 33, 64, 100])
def test_a_blocked_cholesky_factor_equals_the_whole_factor(p: int) -> None:
    C = (spd(p) / p + np.eye(p)).astype(np.float32)
    L = cholesky_in_blocks(C)
    assert L.dtype == np.float32
    np.testing.assert_array_equal(np.triu(L, 1), 0)
    np.testing.assert_allclose(L, np.linalg.cholesky(C.astype(np.float64)), atol=2e-6)


def test_a_matrix_that_is_not_positive_definite_has_no_blocked_cholesky_factor() -> None:
    C = np.eye(70, dtype=np.float32)
    C[50, 50] = -1.0
    with pytest.raises(np.linalg.LinAlgError):
        cholesky_in_blocks(C)


@pytest.mark.parametrize("r", [1, 2, 5, 8])
def test_a_symmetric_product_equals_the_ordinary_product(r: int) -> None:
    A = np.random.default_rng(r).normal(size=(20, r))
    np.testing.assert_allclose(symmetric_product(A, spd(20) @ A), A.T @ spd(20) @ A, atol=1e-10)


def test_sqd_equals_the_direct_distances_and_is_never_negative() -> None:
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(7, 4)), rng.normal(size=(9, 4))
    np.testing.assert_allclose(sqd(A, B), ((A[:, None] - B[None]) ** 2).sum(-1), atol=1e-12)
    far = (A + 1e4).astype(np.float32)
    assert sqd(far, far).min() >= 0
    assert sqd(far, far).dtype == np.float32


def test_pair_scatter_equals_a_loop() -> None:
    rng = np.random.default_rng(0)
    Y, pairs, weights = rng.normal(size=(9, 3)), rng.integers(0, 9, (20, 2)), rng.uniform(size=20)
    expected = np.zeros((3, 3))
    for (i, j), w in zip(pairs, weights, strict=True):
        expected += w * np.outer(Y[i] - Y[j], Y[i] - Y[j])
    np.testing.assert_allclose(pair_scatter(Y, pairs, weights), expected, atol=1e-12)
    np.testing.assert_allclose(pair_scatter(Y, pairs), pair_scatter(Y, pairs, np.ones(20)), atol=1e-12)
    assert not pair_scatter(Y, pairs[:0]).any()


def test_principal_axes_are_the_leading_ones_with_a_fixed_sign() -> None:
    C = spd(8)
    w, V = principal_axes(C, 3)
    np.testing.assert_allclose(C @ V, V * w, atol=1e-9)
    assert (np.diff(w) <= 0).all()
    assert w[0] == pytest.approx(np.linalg.eigvalsh(C)[-1])
    assert (V[np.abs(V).argmax(axis=0), np.arange(3)] > 0).all()


def test_principal_axes_exclude_directions_without_variance() -> None:
    assert len(principal_axes(spd(8, rank=2), 5)[0]) == 2
    assert len(principal_axes(np.zeros((3, 3)), 2)[0]) == 0
    assert len(principal_axes(1e-15 * np.eye(3), 2, floor=1e-12)[0]) == 0


@settings(deadline=None)
@given(
    st.integers(1, 5000),
    st.integers(1, 5000),
    st.sampled_from(["normal", "few values", "ascending", "descending", "equal"]),
    st.integers(0, 5),
)
def test_smallest_contains_the_k_smallest(n: int, k: int, kind: str, seed: int) -> None:
    k = min(k, n)
    rng = np.random.default_rng(seed)
    values = {
        "normal": rng.normal(size=n),
        "few values": rng.integers(0, 3, n).astype(float),
        "ascending": np.arange(float(n)),
        "descending": np.arange(float(n))[::-1],
        "equal": np.zeros(n),
    }[kind]
    found = smallest(values, k)
    kth = np.sort(values)[k - 1]
    np.testing.assert_array_equal(found, np.flatnonzero(values <= kth))
    np.testing.assert_array_equal(smallest(values, k, 0.5), np.flatnonzero(values <= kth + 0.5))


def test_smallest_is_correct_for_an_unrepresentative_sample() -> None:
    values = np.ones(100_000)
    values[::100] = 0.0  # every sampled value is small
    assert len(smallest(values, 2000)) == 100_000
    values = np.zeros(100_000)
    values[::100] = 1.0  # no sampled value is small
    np.testing.assert_array_equal(smallest(values, 5), np.flatnonzero(values == 0))


def test_one_thread_limits_linear_algebra_until_the_last_use_ends() -> None:
    def threads() -> list[int]:
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    with threadpool_limits(2, user_api="blas"):
        before = threads()
        first, second = one_thread(), one_thread()
        first.__enter__()
        assert set(threads()) == {1}
        second.__enter__()  # another training that ends later
        first.__exit__(None, None, None)
        assert set(threads()) == {1}
        second.__exit__(None, None, None)
        assert threads() == before


def test_the_slack_may_reach_far_beyond_the_sampled_threshold() -> None:
    values = np.random.default_rng(0).permutation(20_000).astype(float)
    for slack in (0.0, 5.0, 3000.0):
        found = smallest(values, 50, slack)
        np.testing.assert_array_equal(found, np.flatnonzero(values <= 49 + slack))


@given(
    st.lists(st.tuples(st.floats(allow_nan=False, width=32), st.integers(0, 2**32 - 1)), max_size=40),
)
def test_nearest_first_sorts_by_distance_then_label(pairs: list[tuple[float, int]]) -> None:
    distances = np.array([distance for distance, _ in pairs], np.float32)
    labels = np.array([label for _, label in pairs], np.int64)
    order = np.lexsort((labels, distances))
    found, ordered = nearest_first(distances, labels)
    np.testing.assert_array_equal(found, labels[order])
    np.testing.assert_array_equal(ordered, distances[order])
    assert found.dtype == np.int64
    assert ordered.dtype == np.float32


@pytest.mark.parametrize("rank", [0, 1, 7, 19, 20, 40])
def test_the_root_of_a_low_rank_matrix_is_exact(rank: int) -> None:
    rng = np.random.default_rng(rank)
    # Directions of very different sizes: the residue of the large ones must not hide the small ones.
    F = rng.standard_normal((40, rank)) * np.logspace(0, -5, rank)
    C = F @ F.T
    R = root_of_rank(C, rank)
    np.testing.assert_allclose(R @ R, C, atol=1e-13 * max(float(np.trace(C)), 1.0))
    np.testing.assert_allclose(R, R.T, atol=1e-14 * max(float(np.trace(C)), 1.0))
    assert np.linalg.eigvalsh(R)[0] > -1e-9
    if rank:
        np.testing.assert_allclose(R, powm(C, 0.5), atol=1e-8)
    else:
        assert not R.any()
