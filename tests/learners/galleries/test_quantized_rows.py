# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import simsimd
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.galleries.float_gallery import FloatGallery, RankedRows
from focal_photos.learners.galleries.quantized_rows import QuantizedRows
from tests.examples import examples

FLOAT_GALLERY = "focal_photos.learners.galleries.float_gallery"


def points(kind: str, n: int, r: int, seed: int = 0) -> NDArray[np.float32]:
    """Return rows that are hard to quantise or to tell apart."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, r))
    if kind == "rounded":
        Z = np.round(Z)
    elif kind == "copies":
        Z = Z[rng.integers(0, max(1, n // 50), n)]
    elif kind == "constant":
        Z[:, rng.random(r) < 0.7] = 3
    elif kind == "zero":
        Z[rng.random(n) < 0.9] = 0
    elif kind == "far":
        Z += 1000
    elif kind == "wide":
        Z *= 10.0 ** rng.integers(-8, 9, r)
    elif kind == "outliers":
        Z[rng.random((n, r)) < 0.01] *= 1e6
    elif kind == "lengths":
        Z *= 10.0 ** rng.integers(-8, 9, (n, 1))
    elif kind == "large":
        Z *= 1e15
    elif kind == "tiny":
        Z *= 1e-40
    return Z.astype(np.float32)


KINDS = ("normal", "rounded", "copies", "constant", "zero", "far", "wide", "outliers", "lengths", "large", "tiny")


def quantized(Z: NDArray[np.float32]) -> QuantizedRows:
    return QuantizedRows(Z, np.einsum("ij,ij->i", Z, Z))


@contextmanager
def rankings_by_quantized_rows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(f"{FLOAT_GALLERY}._QUANTIZED_SIZE", 0)
        patched.setattr(f"{FLOAT_GALLERY}._FLOAT_RANKINGS", 0)
        yield


def expect_same(found: RankedRows, expected: RankedRows) -> None:
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1].view(np.uint32), expected[1].view(np.uint32))
    assert found[0].dtype == np.intp
    assert found[1].dtype == np.float32


@settings(max_examples=examples(150))
@given(
    kind=st.sampled_from(KINDS),
    n=st.sampled_from([1, 300, 3000, 9000, 20_000]),
    r=st.sampled_from([1, 2, 3, 5, 64, 70]),
    k=st.one_of(st.integers(1, 60), st.integers(1, 60), st.integers(0, 21_000), st.none()),
    share=st.sampled_from([None, None, 0.0, 0.001, 0.1, 0.5, 1.0]),
    is_member=st.booleans(),
    seed=st.integers(0, 3),
)
def test_rankings_by_quantized_rows_equal_those_by_floats(
    kind: str, n: int, r: int, k: int | None, share: float | None, is_member: bool, seed: int
) -> None:
    Z = points(kind, n, r, seed)
    query = Z[n // 2] if is_member else points(kind, 1, r, seed + 10)[0]
    allowed = None if share is None else np.random.default_rng(seed).random(n) < share
    expected = FloatGallery(Z).rank(query, k, allowed=allowed)
    with rankings_by_quantized_rows():
        expect_same(FloatGallery(Z).rank(query, k, allowed=allowed), expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [None, 0.1, 0.5])
def test_close_rows_are_ranked_as_by_floats(kind: str, share: float | None) -> None:
    Z = points(kind, 20_000, 2)
    allowed = None if share is None else np.random.default_rng(0).random(len(Z)) < share
    gallery, other = FloatGallery(Z), FloatGallery(Z)
    for row in range(20):
        expected = gallery.rank(Z[row], 15, allowed=allowed)
        with rankings_by_quantized_rows():
            expect_same(other.rank(Z[row], 15, allowed=allowed), expected)


@pytest.mark.parametrize("jitter", [1e-2, 1e-3, 1e-5])
@pytest.mark.parametrize("seed", range(8))
def test_rows_on_a_circle_around_the_query_are_ranked_as_by_floats(jitter: float, seed: int) -> None:
    """Errors of the products differ between the nearest rows, because these are in all directions."""
    rng = np.random.default_rng(seed)
    query = rng.normal(size=2)
    angles = rng.uniform(0, 2 * np.pi, 20_000)
    Z = query + np.stack([np.cos(angles), np.sin(angles)], axis=1) * (1 + jitter * rng.normal(size=(20_000, 1)))
    gallery = FloatGallery(Z.astype(np.float32))
    expected = gallery.rank(query, 50)
    with rankings_by_quantized_rows():
        expect_same(gallery.rank(query, 50), expected)


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.0002])
def test_masks_that_allow_almost_no_row_give_the_same(share: float) -> None:
    Z = points("normal", 20_000, 8)
    allowed = np.zeros(len(Z), bool)
    allowed[: round(share * len(Z) / 2)] = True  # 0, 1 and 2 rows
    with rankings_by_quantized_rows():
        rows, _ = FloatGallery(Z).rank(Z[0], 5, allowed=allowed)
    assert sorted(rows.tolist()) == np.flatnonzero(allowed).tolist()


def test_integers_have_exact_bounds_so_that_only_the_nearest_and_ties_are_candidates() -> None:
    Z = np.full((5000, 2), 127, np.float32)
    Z[:, 1] = np.arange(5000) % 128
    candidates = quantized(Z).candidates(np.array([127, 5], np.float32), 30, 0.0)
    assert candidates is not None
    assert Z[candidates, 1].tolist() == [5] * len(candidates)
    assert len(candidates) == np.count_nonzero(Z[:, 1] == 5)


def test_most_rows_are_excluded() -> None:
    Z = points("normal", 50_000, 64)
    candidates = quantized(Z).candidates(Z[5], 20, 1e-3)
    assert candidates is not None
    assert 20 <= len(candidates) < 200
    nearest = np.argsort(np.linalg.norm(Z - Z[5], axis=1))[:20]
    assert set(nearest.tolist()) <= set(candidates.tolist())


def test_a_sample_that_misleads_gives_no_candidates_but_the_right_ranking() -> None:
    Z = points("normal", 20_000, 4)
    Z[::100] *= 1e-3  # every sampled row is near
    assert quantized(Z).candidates(np.zeros(4, np.float32), 3000, 0.0) is None
    expected = FloatGallery(Z).rank(np.zeros(4), 3000)
    with rankings_by_quantized_rows():
        expect_same(FloatGallery(Z).rank(np.zeros(4), 3000), expected)


def test_rows_are_quantized_after_some_rankings_of_a_large_gallery() -> None:
    Z = points("normal", 5000, 4)
    gallery, small = FloatGallery(Z), FloatGallery(Z)
    for _ in range(20):
        small.rank(Z[0], 5)
    assert "quantized" not in small.__dict__
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(f"{FLOAT_GALLERY}._QUANTIZED_SIZE", 0)
        for _ in range(8):
            assert "quantized" not in gallery.__dict__
            gallery.rank(Z[0], 5)
        assert "quantized" not in gallery.__dict__
        expect_same(gallery.rank(Z[0], 5), small.rank(Z[0], 5))
    assert "quantized" in gallery.__dict__
    assert gallery.quantized.nbytes == 4 * 5000 + 4 * 5000  # a byte per coordinate, four per row


@settings(max_examples=examples(40))
@given(
    kind=st.sampled_from(KINDS),
    n=st.sampled_from([2, 300, 9000]),
    k=st.integers(1, 400),
    queries=st.sampled_from([1, 5, 13]),
    seed=st.integers(0, 3),
)
def test_few_queries_of_a_large_gallery_give_the_same_as_a_matrix_product(
    kind: str, n: int, k: int, queries: int, seed: int
) -> None:
    Z = points(kind, n, 5, seed)
    asked = np.random.default_rng(seed).integers(0, n, queries)
    skip = np.where(asked % 3, asked, -1)
    expected = FloatGallery(Z).rank_many(Z[asked], k, skip=skip)
    with rankings_by_quantized_rows():
        expect_same(FloatGallery(Z).rank_many(Z[asked], k, skip=skip), expected)


def test_a_processor_without_instructions_for_integers_gives_the_same() -> None:
    Z = points("normal", 20_000, 70)
    rows = quantized(Z)
    expected = rows.candidates(Z[0], 10, 1e-3)
    present = [name for name, has in simsimd.get_capabilities().items() if has and name != "serial"]
    try:
        for name in present:
            simsimd.disable_capability(name)
        found = rows.candidates(Z[0], 10, 1e-3)
    finally:
        for name in present:
            simsimd.enable_capability(name)
    np.testing.assert_array_equal(found, expected)


def test_no_rows_and_no_coordinates_are_quantized() -> None:
    for shape in ((0, 3), (3, 0)):
        assert quantized(np.zeros(shape, np.float32)).nbytes == 4 * shape[0]
    with rankings_by_quantized_rows():
        assert FloatGallery(np.zeros((300, 0), np.float32)).rank(np.zeros(0), 3)[0].tolist() == [0, 1, 2]
