"""The bit gallery of the benchmarks is exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from tests.benchmarks.common import bit_gallery
from tests.benchmarks.common.bit_gallery import BitGallery
from tests.examples import examples


def hamming(codes: NDArray[np.uint8], query: NDArray[np.uint8], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    differing = np.unpackbits(codes ^ query, axis=1, bitorder="little")[:, : len(weights)]
    return np.asarray((differing * weights).sum(axis=1))


def random_codes(n: int, width: int, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (n, width), dtype=np.uint8)


@settings(max_examples=examples(60))
@given(
    n=st.integers(1, 3000),
    k=st.integers(1, 3200),
    width=st.integers(1, 9),
    missing=st.integers(0, 7),
    whole=st.booleans(),
    seed=st.integers(0, 3),
)
def test_the_nearest_codes_are_those_of_a_full_sort(
    n: int, k: int, width: int, missing: int, whole: bool, seed: int
) -> None:
    codes = random_codes(n, width, seed)
    # Integer weights give many equal distances with exact sums.
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 5, 8 * width - missing) / 8 if whole else rng.uniform(0, 1, 8 * width - missing)
    distances = hamming(codes, codes[0], weights)
    rows, found = BitGallery(codes, weights).rank(codes[0], k)
    order = np.lexsort((np.arange(n), distances))[: min(k, n)]
    np.testing.assert_allclose(found, distances[order], rtol=1e-6, atol=1e-12)
    assert len(set(rows.tolist())) == len(rows)
    assert rows.dtype == np.intp
    assert found.dtype == np.float32
    if whole:
        np.testing.assert_array_equal(rows, order)
    else:
        np.testing.assert_allclose(distances[rows], found, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("wide", [True, False])
def test_a_large_bit_gallery_is_exact_on_several_threads(wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not wide:  # as in builds of OpenCV that only look up bytes
        monkeypatch.setattr(bit_gallery, "_wide_look_up", lambda: False)
    codes, weights = random_codes(300_000, 4), np.random.default_rng(1).uniform(0, 1, 30)
    weights[3] = 50.0  # one weight dominates
    distances = hamming(codes, codes[7], weights)
    gallery = BitGallery(codes, weights)
    for k in (1, 20, 400):
        rows, found = gallery.rank(codes[7], k)
        np.testing.assert_allclose(found, np.sort(distances)[:k], rtol=1e-6)
        np.testing.assert_allclose(distances[rows], found, rtol=1e-6)


def test_a_memory_map_of_codes_is_searched(tmp_path: Path) -> None:
    codes, weights = random_codes(20_000, 3), np.linspace(0.5, 1, 24)
    np.save(tmp_path / "codes.npy", codes)
    mapped = np.load(tmp_path / "codes.npy", mmap_mode="r")
    rows, _ = BitGallery(mapped, weights).rank(codes[9], 10)
    np.testing.assert_array_equal(rows, BitGallery(codes, weights).rank(codes[9], 10)[0])
    assert rows[0] == 9


def test_bit_galleries_without_photos_bits_or_weights_are_exact() -> None:
    none = BitGallery(random_codes(0, 2), np.ones(16))
    assert len(none) == 0
    assert len(none.rank(np.zeros(2, np.uint8), 3)[0]) == 0
    for codes, weights in ((random_codes(9, 0), np.empty(0)), (random_codes(9, 2), np.zeros(16))):
        rows, distances = BitGallery(codes, weights).rank(codes[0], 2)
        assert rows.tolist() == [0, 1]
        assert not distances.any()


@pytest.mark.parametrize(
    ("codes", "weights", "message"),
    [
        (np.zeros((3, 2)), np.ones(16), "uint8"),
        (np.zeros(3, np.uint8), np.ones(8), "uint8 matrix"),
        (np.zeros((3, 2), np.uint8), np.ones(17), "do not fit codes of 16 bits"),
        (np.zeros((3, 2), np.uint8), -np.ones(16), "at least 0"),
        (np.zeros((3, 2), np.uint8), np.full(16, np.nan), "finite"),
    ],
)
def test_unusable_codes_and_weights_are_refused(
    codes: NDArray[np.uint8], weights: NDArray[np.float64], message: str
) -> None:
    with pytest.raises(LearnerError, match=message):
        BitGallery(codes, weights)


def test_unusable_codes_of_a_query_are_refused() -> None:
    gallery = BitGallery(random_codes(5, 2), np.ones(16))
    for query in (np.zeros(3, np.uint8), np.zeros(2)):
        with pytest.raises(LearnerError, match="must be 2 bytes"):
            gallery.rank(query, 1)
