# SPDX-License-Identifier: MIT
from __future__ import annotations

import colorsys
from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.color.color_coherence import ColorCoherence
from focal_photos.features.decoding.image import WorkingImage
from tests.features.pictures import scene


def shares(rgb: NDArray[np.uint8], bins: int = 8, threshold: float = 0.01) -> NDArray[np.float32]:
    vector = ColorCoherence(bins, threshold).extract(WorkingImage.from_array(rgb))
    return vector.reshape(bins, bins, bins, 2)


def slow_shares(rgb: NDArray[np.uint8], bins: int = 8, threshold: float = 0.01, reach: int = 2) -> NDArray[np.float64]:
    """Return the vector by its definition: blur, quantise and flood fill, pixel by pixel in plain Python.

    Neighbours are at most `reach` steps along the axes apart: 2 with diagonals, 1 without.
    """
    height, width, _ = rgb.shape

    def mirrored(i: int, length: int) -> int:
        return 0 if length == 1 else length - 1 - abs(length - 1 - abs(i))

    def blurred(y: int, x: int) -> list[int]:
        around = [rgb[mirrored(y + i, height), mirrored(x + j, width)] for i in (-1, 0, 1) for j in (-1, 0, 1)]
        return [round(sum(int(pixel[c]) for pixel in around) / 9) for c in range(3)]

    def quantised(pixel: list[int]) -> tuple[int, ...]:
        h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in pixel))
        return tuple(level * bins // 256 for level in (round(h * 256) % 256, round(s * 255), round(v * 255)))

    colors = {(y, x): quantised(blurred(y, x)) for y in range(height) for x in range(width)}
    result = np.zeros((bins, bins, bins, 2))
    open_pixels = set(colors)
    while open_pixels:
        start = open_pixels.pop()
        region, edge = [start], deque([start])
        while edge:
            y, x = edge.popleft()
            steps = ((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if abs(i) + abs(j) <= reach)
            for place in ((y + i, x + j) for i, j in steps):
                if place in open_pixels and colors[place] == colors[start]:
                    open_pixels.remove(place)
                    region.append(place)
                    edge.append(place)
        incoherent = len(region) < threshold * height * width
        result[(*colors[start], int(incoherent))] += len(region) / (height * width)
    return result


@pytest.mark.parametrize(("width", "height", "seed"), [(40, 30, 0), (23, 37, 1), (1, 1, 2), (1, 9, 3), (60, 2, 4)])
def test_agrees_with_the_definition(width: int, height: int, seed: int) -> None:
    rgb = scene(64, 48, seed)[:height, :width]
    # Fixed-point hue differs from exact hue by at most one level, so few pixels fall into the next bin.
    difference = np.abs(shares(rgb) - slow_shares(rgb)).sum()
    assert difference <= 0.04


@pytest.mark.parametrize("threshold", [0.0, 0.01, 0.2, 1.0])
def test_agrees_with_the_definition_exactly_where_hue_is_certain(threshold: float) -> None:
    rng = np.random.default_rng(5)
    # Blocks of greys and pure primaries: after the blur, saturation and value are not near the edge of a bin.
    palette = np.array([(0, 0, 0), (255, 255, 255), (128, 128, 128), (200, 200, 200)], np.uint8)
    rgb = np.kron(rng.integers(0, 4, (9, 12)), np.ones((4, 4), np.int64))
    np.testing.assert_allclose(
        shares(palette[rgb], threshold=threshold), slow_shares(palette[rgb], threshold=threshold), atol=1e-6
    )


def test_regions_are_connected_diagonally_too() -> None:
    rng = np.random.default_rng(3)
    grey = np.kron(rng.integers(0, 2, (20, 20)) * 120 + 60, np.ones((3, 3), np.int64)).astype(np.uint8)
    rgb = np.repeat(grey[..., None], 3, axis=2)
    np.testing.assert_allclose(shares(rgb, threshold=0.05), slow_shares(rgb, threshold=0.05), atol=1e-6)
    without_diagonals = slow_shares(rgb, threshold=0.05, reach=1)
    assert np.abs(shares(rgb, threshold=0.05) - without_diagonals).sum() > 0.05


def test_small_areas_are_incoherent_and_large_ones_coherent() -> None:
    rgb = np.zeros((100, 100, 3), np.uint8)
    rgb[20:80, 20:80] = (255, 0, 0)
    rgb[5:9, 5:9] = (255, 255, 255)
    result = shares(rgb)
    red, white = result[0, 7, 7], result[0, 0, 7]
    assert red[0] == pytest.approx(0.36, abs=0.03)
    assert red[1] == 0
    assert white[0] == 0
    assert white[1] > 0


def test_a_region_of_the_threshold_size_is_coherent() -> None:
    rgb = np.zeros((10, 10, 3), np.uint8)  # one region of 100 % of the pixels
    assert shares(rgb, threshold=1.0)[0, 0, 0].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("rgb", "place"),
    [((255, 0, 0), (0, 7, 7)), ((0, 255, 0), (2, 7, 7)), ((0, 0, 255), (5, 7, 7)), ((70, 70, 70), (0, 0, 2))],
)
def test_plain_colours_fall_into_their_bins(rgb: tuple[int, int, int], place: tuple[int, int, int]) -> None:
    result = shares(np.full((6, 7, 3), rgb, np.uint8))
    assert result[(*place, 0)] == 1
    assert np.count_nonzero(result) == 1


pixels = arrays(np.uint8, st.tuples(st.integers(1, 20), st.integers(1, 20), st.just(3)))


@given(pixels, st.integers(1, 16), st.floats(0, 1))
def test_shares_sum_to_one(rgb: NDArray[np.uint8], bins: int, threshold: float) -> None:
    vector = ColorCoherence(bins, threshold).extract(WorkingImage.from_array(rgb))
    assert vector.shape == (2 * bins**3,)
    assert vector.min() >= 0
    assert vector.sum() == pytest.approx(1, abs=1e-5)


@given(pixels)
def test_a_higher_threshold_only_moves_pixels_from_coherent_to_incoherent(rgb: NDArray[np.uint8]) -> None:
    low, high = shares(rgb, threshold=0.01), shares(rgb, threshold=0.3)
    np.testing.assert_allclose(low.sum(axis=-1), high.sum(axis=-1), atol=1e-6)
    assert (high[..., 0] <= low[..., 0] + 1e-6).all()


@given(pixels)
def test_mirroring_changes_nothing(rgb: NDArray[np.uint8]) -> None:
    np.testing.assert_array_equal(shares(rgb), shares(rgb[:, ::-1].copy()))
