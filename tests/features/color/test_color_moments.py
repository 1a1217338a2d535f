# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.decoding.image import WorkingImage
from tests.features.pictures import scene


def moments(rgb: NDArray[np.uint8], grid: int = 5) -> NDArray[np.float32]:
    return ColorMoments(grid).extract(WorkingImage.from_array(rgb)).reshape(grid, grid, 3, 3)


def slow_moments(rgb: NDArray[np.uint8], grid: int = 5) -> NDArray[np.float64]:
    """Return the moments by their definition, pixel by pixel in plain Python."""
    rows = [list(map(list, row)) for row in rgb.tolist()]
    if len(rows) < grid:
        rows = [row for row in rows for _ in range(grid)]
    if len(rows[0]) < grid:
        rows = [[pixel for pixel in row for _ in range(grid)] for row in rows]
    height, width = len(rows), len(rows[0])
    result = np.zeros((grid, grid, 3, 3))
    for i in range(grid):
        for j in range(grid):
            for channel in range(3):
                values = [
                    rows[y][x][channel] / 255
                    for y in range(height)
                    for x in range(width)
                    if i * height // grid <= y < (i + 1) * height // grid
                    and j * width // grid <= x < (j + 1) * width // grid
                ]
                mean = sum(values) / len(values)
                second = sum((v - mean) ** 2 for v in values) / len(values)
                third = sum((v - mean) ** 3 for v in values) / len(values)
                skew = abs(third) ** (1 / 3) * (1 if third > 0 else -1)
                result[i, j, channel] = mean, second**0.5, skew
    return result


@pytest.mark.parametrize(("width", "height"), [(40, 30), (37, 23), (5, 5), (6, 11), (4, 9), (1, 1), (3, 2)])
def test_agrees_with_the_definition(width: int, height: int) -> None:
    rgb = scene(64, 48)[:height, :width]
    # The cube root turns a rounding error of 1e-13 in the third moment of the reference into 5e-5.
    np.testing.assert_allclose(moments(rgb), slow_moments(rgb), atol=6e-5)


def test_another_grid_can_be_chosen() -> None:
    np.testing.assert_allclose(moments(scene(20, 15), grid=3), slow_moments(scene(20, 15), grid=3), atol=6e-5)


def test_a_flat_image_has_exact_means_and_no_spread() -> None:
    rgb = np.empty((33, 47, 3), np.uint8)
    rgb[:] = (255, 51, 0)
    result = moments(rgb)
    np.testing.assert_array_equal(result[..., 0], np.broadcast_to(np.array([1, 0.2, 0], np.float32), (5, 5, 3)))
    np.testing.assert_array_equal(result[..., 1:], 0)


def test_one_bright_pixel_gives_its_cell_a_positive_skew() -> None:
    rgb = np.zeros((50, 50, 3), np.uint8)
    rgb[15, 25, 1] = 255  # cell row 1, cell column 2, green
    result = moments(rgb)
    mean = 1 / 100
    assert result[1, 2, 1, 0] == pytest.approx(mean)
    assert result[1, 2, 1, 1] == pytest.approx((mean * (1 - mean)) ** 0.5)
    assert result[1, 2, 1, 2] == pytest.approx((mean * (1 - mean) * (1 - 2 * mean)) ** (1 / 3))
    assert np.count_nonzero(result) == 3


pixels = arrays(np.uint8, st.tuples(st.integers(1, 24), st.integers(1, 24), st.just(3)))


@given(pixels)
def test_moments_are_bounded(rgb: NDArray[np.uint8]) -> None:
    mean, deviation, skew = np.moveaxis(moments(rgb).astype(np.float64), -1, 0)
    assert ((mean >= 0) & (mean <= 1)).all()
    # Values in 0..1 with mean m have at most the variance m (1 - m).
    assert (deviation**2 <= mean * (1 - mean) + 1e-6).all()
    assert (np.abs(skew) <= 1).all()


@given(pixels)
def test_a_negative_mirrors_means_and_skews(rgb: NDArray[np.uint8]) -> None:
    positive, negative = moments(rgb), moments(255 - rgb)
    np.testing.assert_allclose(negative[..., 0], 1 - positive[..., 0], atol=1e-6)
    np.testing.assert_allclose(negative[..., 1], positive[..., 1], atol=1e-6)
    np.testing.assert_allclose(negative[..., 2], -positive[..., 2], atol=1e-4)


@given(arrays(np.uint8, st.tuples(st.integers(1, 4), st.integers(1, 4), st.just(3))), st.integers(2, 3))
def test_rotating_the_image_rotates_the_grid(tile: NDArray[np.uint8], times: int) -> None:
    rgb = np.repeat(np.repeat(tile, 5 * times, axis=0), 5 * times, axis=1)
    np.testing.assert_allclose(moments(np.rot90(rgb)), np.rot90(moments(rgb)), atol=1e-5)


def test_photos_without_colors_are_detected_by_the_means_of_their_cells() -> None:
    grey = np.repeat(scene(40, 30).mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    noisy = (grey.astype(np.int64) + np.random.default_rng(0).integers(-2, 3, grey.shape)).clip(0, 255).astype(np.uint8)
    touched = grey.copy()
    touched[:6, :8] = (200, 120, 120)  # a single cell
    pictures = (grey, noisy, touched, scene(40, 30))
    vectors = np.stack([ColorMoments().extract(WorkingImage.from_array(rgb)) for rgb in pictures])
    assert ColorMoments().without_color(vectors).tolist() == [True, True, False, False]
    assert ColorMoments(3).without_color(np.stack([moments(grey, 3).ravel()])).tolist() == [True]


def test_a_foreground_differs_from_the_border_and_is_more_varied() -> None:
    rng = np.random.default_rng(0)
    rgb = np.full((50, 50, 3), 200.0)
    rgb[:, :25] = (180, 200, 220)
    rgb[20:30, 20:30] = (20, 40, 60)
    rgb += rng.normal(0, 3, rgb.shape)
    rgb[10:40, 10:40] += rng.normal(0, 9, (30, 30, 3))
    photos = np.clip([rgb, rgb[:, ::-1], rgb[::-1]], 0, 255).astype(np.uint8)
    vectors = np.stack([moments(one).ravel() for one in photos])
    cells = vectors.reshape(3, 25, 3, 3).astype(np.float64)
    border = [i for i in range(25) if i // 5 in (0, 4) or i % 5 in (0, 4)]
    middle = [i for i in range(25) if i not in border]
    apart = np.mean([np.linalg.norm(one[i, :, 0] - one[j, :, 0]) for one in cells for i in middle for j in border])
    alike = np.mean([np.linalg.norm(one[i, :, 0] - one[j, :, 0]) for one in cells for i in border for j in border])
    varied, even = (cells[:, some][..., 1].mean() for some in (middle, border))
    level = 1 / 255
    expected = (apart + level) / (alike + level) * (varied + level) / (even + level)
    found = ColorMoments().foreground(vectors)
    assert found == pytest.approx(expected, rel=1e-5)
    assert found is not None
    assert found > 2


@pytest.mark.parametrize("level", [0, 200])
def test_photos_without_differences_show_no_foreground(level: int) -> None:
    flat = np.full((50, 50, 3), level, np.uint8)
    assert ColorMoments().foreground(moments(flat).reshape(1, -1)) == pytest.approx(1.0)
    assert ColorMoments(2).foreground(moments(flat, 2).reshape(1, -1)) is None
