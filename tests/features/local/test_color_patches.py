# SPDX-License-Identifier: MIT
from __future__ import annotations

import colorsys
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local.color_patches import ColorPatches
from focal_photos.features.local.edge_channels import edge_image
from focal_photos.features.local.geometric_blur import GeometricBlur
from tests.features.pictures import scene

Rgb = NDArray[np.uint8]


def slow_patches(rgb: Rgb, points: list[list[int]]) -> list[list[float]]:
    """Count pixel by pixel, with hue, saturation and value as bytes according to the definition."""
    height, width = rgb.shape[:2]
    result = []
    for px, py in points:
        counts = [0] * 364
        for y in range(py - 8, py + 9):
            for x in range(px - 8, px + 9):
                if not (0 <= x < width and 0 <= y < height):
                    counts[363] += 1
                    continue
                h, s, v = colorsys.rgb_to_hsv(*(rgb[y, x] / 255).tolist())
                hue, saturation = round(h * 256) % 256, round(s * 255) / 255
                angle = 2 * math.pi * hue / 256
                column = min(10, int((saturation * math.cos(angle) + 1) / 2 * 11))
                row = min(10, int((saturation * math.sin(angle) + 1) / 2 * 11))
                counts[(row * 11 + column) * 3 + round(v * 255) * 3 // 256] += 1
        result.append([count / 289 for count in counts])
    return result


@pytest.mark.parametrize(("width", "height"), [(60, 40), (30, 9), (7, 50)])
def test_agrees_with_counting_pixel_by_pixel(width: int, height: int) -> None:
    rgb = scene(width, height)
    rgb[: height // 2] = np.random.default_rng(0).integers(0, 256, (height // 2, width, 3), np.uint8)
    image = WorkingImage.from_array(rgb)
    points = edge_image(image).points
    assert len(points) > 3
    found = ColorPatches().extract(image).vectors
    exact = np.array(slow_patches(rgb, points.tolist()))
    # OpenCV rounds hue and saturation in fixed point: one pixel in some hundreds falls into a neighbouring bin.
    assert np.abs(found - exact).sum(axis=1).max() / 2 < 0.02
    np.testing.assert_array_equal(found[:, -1], exact[:, -1].astype(np.float32))


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 1000))
def test_shares_sum_to_one(width: int, height: int, seed: int) -> None:
    rgb = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    found = ColorPatches().extract(WorkingImage.from_array(rgb))
    assert found.vectors.shape == (len(found.points), 364)
    assert (found.vectors >= 0).all()
    np.testing.assert_allclose(found.vectors.sum(axis=1), 1, atol=1e-5)


def test_points_are_those_of_geometric_blur() -> None:
    image = WorkingImage.from_array(scene(384, 288))
    np.testing.assert_array_equal(ColorPatches().extract(image).points, GeometricBlur().extract(image).points)


@pytest.mark.parametrize(
    ("color", "column", "row", "level"),
    [
        ((255, 0, 0), 10, 5, 2),
        ((0, 255, 255), 0, 5, 2),
        ((128, 255, 0), 5, 10, 2),
        ((128, 0, 255), 5, 0, 2),
        ((255, 255, 255), 5, 5, 2),
        ((100, 100, 100), 5, 5, 1),
        ((3, 3, 3), 5, 5, 0),
    ],
)
def test_a_plain_colour_falls_into_its_bin(color: tuple[int, int, int], column: int, row: int, level: int) -> None:
    rgb = np.empty((40, 80, 3), np.uint8)
    rgb[:] = color
    rgb[:, 79] = 255 if level == 0 else 0  # an edge for points
    image = WorkingImage.from_array(rgb)
    found = ColorPatches().extract(image)
    shares = found.vectors.reshape(-1, 364)
    assert len(shares)
    wanted = (row * 11 + column) * 3 + level
    colored = 17 * (87 - edge_image(image).points[:, 0].max())  # columns of the window with the colour
    middle = (found.points[:, 1] >= 8) & (found.points[:, 1] < 32)
    assert middle.any()
    assert (shares[middle, wanted] * 289 >= colored - 17).all()
    assert (shares[middle].argmax(axis=1) == wanted).all()


def test_pixels_outside_the_image_are_counted_as_missing() -> None:
    rgb = np.zeros((1, 2, 3), np.uint8)
    rgb[0, 1] = 255
    image = WorkingImage.from_array(rgb)
    found = ColorPatches().extract(image)
    assert len(found) == 1
    assert found.vectors[0, 363] == np.float32(287 / 289)


@pytest.mark.parametrize("parameters", [{"radius": -1}, {"grid": 0}, {"levels": 0}, {"points": 0}, {"spacing": -1.0}])
def test_bad_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        ColorPatches(**parameters)  # type: ignore[arg-type]
