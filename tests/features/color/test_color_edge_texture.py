# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
import pywt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.color.color_edge_texture import ColorEdgeTexture, entropy
from focal_photos.features.color.color_histogram import ColorHistogram
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.texture.edge_directions import EdgeDirections
from tests.features.pictures import scene


def vector(rgb: NDArray[np.uint8], levels: int = 3) -> NDArray[np.float32]:
    return ColorEdgeTexture(levels=levels).extract(WorkingImage.from_array(np.ascontiguousarray(rgb)))


def slow_entropies(gray: list[list[float]], levels: int) -> list[float]:
    """Return the entropies of a decomposition by its sums, in plain Python and double precision, for even sides."""
    low, high = (filters[::-1] for filters in (pywt.Wavelet("db4").dec_lo, pywt.Wavelet("db4").dec_hi))

    def halves(rows: list[list[float]], taps: list[float]) -> list[list[float]]:
        return [
            [sum(t * row[(2 * i + k - 3) % len(row)] for k, t in enumerate(taps)) for i in range(len(row) // 2)]
            for row in rows
        ]

    def turned(rows: list[list[float]]) -> list[list[float]]:
        return [list(column) for column in zip(*rows, strict=True)]

    result = []
    for _ in range(levels):
        smooth, across = halves(gray, low), halves(gray, high)
        gray, *details = (
            turned(halves(turned(rows), taps))
            for rows, taps in ((smooth, low), (smooth, high), (across, low), (across, high))
        )
        for band in details:
            counts = Counter(round(value) for row in band for value in row).values()
            total = sum(counts)
            result.append(-sum(n / total * math.log2(n / total) for n in counts) / 8)
    return result


def test_agrees_with_the_definition() -> None:
    rgb = scene(64, 48)
    gray = rgb.astype(np.float64) @ (0.299, 0.587, 0.114)
    # A coefficient within rounding error of one half may be rounded either way.
    np.testing.assert_allclose(vector(rgb)[27:], slow_entropies(gray.tolist(), 3), atol=2e-3)


def test_the_first_parts_equal_the_other_descriptors() -> None:
    image = WorkingImage.from_array(scene())
    found = ColorEdgeTexture().extract(image)
    np.testing.assert_array_equal(found[:9], ColorHistogram().extract(image)[72:])
    directions = EdgeDirections().extract(image)[:36].reshape(18, 2).sum(1)
    np.testing.assert_allclose(found[9:27], directions / directions.sum(), atol=1e-6)


@given(arrays(np.uint8, st.tuples(st.integers(1, 30), st.integers(1, 30), st.just(3))), st.integers(1, 4))
def test_values_are_finite_and_shares_sum_to_one_or_zero(rgb: NDArray[np.uint8], levels: int) -> None:
    found = vector(rgb, levels)
    assert found.shape == (27 + 3 * levels,)
    assert np.isfinite(found).all()
    assert found[9:27].sum() == pytest.approx(1, abs=1e-5) or found[9:27].sum() == 0
    assert (found[27:] >= 0).all()


@pytest.mark.parametrize("level", [0, 90, 255])
def test_a_plain_image_has_no_edges_and_no_texture(level: int) -> None:
    assert vector(np.full((40, 60, 3), level, np.uint8))[9:].tolist() == [0] * 27


def test_stripes_give_texture_of_their_direction_and_scale() -> None:
    x = np.arange(128)
    noise = np.random.default_rng(0).integers(0, 200, 128)
    upright = np.broadcast_to(np.where(x < 64, noise, 100)[None, :, None], (128, 128, 3)).astype(np.uint8)
    first, turned = vector(upright)[27:].reshape(3, 3), vector(upright.swapaxes(0, 1))[27:].reshape(3, 3)
    assert (first[:, 1] > 0.2).all()
    np.testing.assert_allclose(first[:, [0, 2]], 0, atol=1e-6)
    np.testing.assert_allclose(turned[:, [1, 0, 2]], first, atol=1e-6)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60), st.integers(-1000, 1000))
def test_entropy_agrees_with_the_distribution(values: list[int], offset: int) -> None:
    shares = [n / len(values) for n in Counter(values).values()]
    expected = -sum(p * math.log2(p) for p in shares)
    assert entropy(np.array(values, np.float32) + offset) == pytest.approx(expected, abs=1e-9)
    assert entropy(np.array(values[::-1], np.float32)) == pytest.approx(expected, abs=1e-9)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ColorEdgeTexture(levels=0)
    with pytest.raises(ValueError, match="no discrete wavelet"):
        ColorEdgeTexture(wavelet="morl")
