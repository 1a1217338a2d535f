# SPDX-License-Identifier: MIT
"""Dense SIFT and dense colour, and their common grid."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local import dense_grid
from focal_photos.features.local.dense_color import DenseColor
from focal_photos.features.local.dense_grid import Grid
from focal_photos.features.local.dense_sift import DenseSift, direction_maps
from tests.features.pictures import scene


def image_of(rgb: NDArray[np.uint8]) -> WorkingImage:
    return WorkingImage.from_array(rgb)


def at_side(seed: int = 0) -> NDArray[np.uint8]:
    """Return a picture with the side of the grid, so that it is not scaled."""
    return scene(dense_grid.SIDE, 160, seed=seed)


def joined_maps(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the strength of the gradient in all eight directions, (h, w, 8)."""
    return np.asarray(np.concatenate(direction_maps(rgb), axis=2) / 256, np.float32)


@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 20), st.integers(1, 13))
def test_cells_are_inside_the_photo_and_centred(height: int, width: int, step: int, cell: int) -> None:
    points = dense_grid.points(height, width, Grid(cell, step))
    for centers, length in ((points.rows, height), (points.columns, width)):
        assert centers.min() >= 0
        assert centers.max() < length
        along = (centers[:, 1] + centers[:, 2]) / 2
        if length >= 4 * cell:
            # The outer cells extend half a cell beyond their centres.
            assert centers[0, 0] - cell / 2 >= -1
            assert centers[-1, 3] + cell / 2 <= length + 1
            assert abs(along[0] - (length - along[-1])) <= 2
            assert len(along) == (length - 4 * cell) // step + 1
        else:
            assert len(along) == 1


def test_places_are_position_and_size_of_a_point() -> None:
    first, second, halved = (
        dense_grid.points(120, 200, Grid(*grid)) for grid in ((6, 10), (12, 10), (6, 10, dense_grid.SIDE // 2))
    )
    assert (first.places[:, 2] == 0).all()
    assert (second.places[:, 2] == 1).all()
    assert (halved.places[:, 2] == 1).all()
    # Corners of the grid: y before x, row by row.
    np.testing.assert_allclose(first.places[0, :2], [15 / 120 - 0.5, 15 / 200 - 0.5], atol=1e-6)
    np.testing.assert_allclose(first.places[-1, :2], -first.places[0, :2], atol=0.06)
    assert first.places[1, 0] == first.places[0, 0]
    assert first.places[1, 1] > first.places[0, 1]


def test_every_photo_is_scaled_to_the_same_side() -> None:
    for size in ((100, 60), (256, 100), (384, 300), (90, 300)):
        found = dense_grid.scaled(image_of(scene(*size)))
        assert max(found.shape[:2]) == dense_grid.SIDE
        assert found.shape[1] / found.shape[0] == pytest.approx(size[0] / size[1], rel=0.02)
        half = dense_grid.scaled(image_of(scene(*size)), dense_grid.SIDE // 2)
        assert max(half.shape[:2]) == dense_grid.SIDE // 2
        assert half.shape[1] / half.shape[0] == pytest.approx(size[0] / size[1], rel=0.02)


def test_directions_of_ramps_point_from_dark_to_bright() -> None:
    ramp = np.repeat(np.arange(0, 120, 2, dtype=np.uint8)[None, :, None], 60, axis=0).repeat(3, axis=2)
    for turns, direction in ((0, 0), (1, 6), (2, 4), (3, 2)):  # np.rot90 rotates counter-clockwise
        maps = joined_maps(np.ascontiguousarray(np.rot90(ramp, turns)))
        inner = maps[5:-5, 5:-5]
        np.testing.assert_allclose(inner[..., direction], 2, atol=1e-4)
        np.testing.assert_allclose(np.delete(inner, direction, axis=2), 0, atol=1e-4)


def test_the_channel_with_the_longest_gradient_is_split_between_two_directions() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    maps = joined_maps(rgb)
    padded = np.pad(rgb.astype(np.float64), ((1, 1), (1, 1), (0, 0)), mode="edge")
    for y, x in ((0, 0), (7, 11), (19, 29), (10, 3)):
        gx = (padded[y + 1, x + 2] - padded[y + 1, x]) / 2
        gy = (padded[y + 2, x + 1] - padded[y, x + 1]) / 2
        best = int(np.argmax(np.hypot(gx, gy)))
        length, angle = np.hypot(gx[best], gy[best]), np.arctan2(gy[best], gx[best]) % (2 * np.pi) / (np.pi / 4)
        expected = np.zeros(8)
        expected[int(angle) % 8] = length * (1 - angle % 1)
        expected[(int(angle) + 1) % 8] += length * (angle % 1)
        np.testing.assert_allclose(maps[y, x], expected, atol=0.02)


def slow_sift(rgb: NDArray[np.uint8], y: float, x: float, cell: int) -> NDArray[np.float64]:
    """Return the vector of one point, cell by cell, as means of square means."""
    maps = joined_maps(rgb).astype(np.float64)
    padded = np.pad(maps, ((40, 40), (40, 40), (0, 0)), mode="symmetric")
    start = -(cell // 2)

    def mean(of: NDArray[np.float64], row: int, column: int) -> NDArray[np.float64]:
        found: NDArray[np.float64] = of[row + start : row + start + cell, column + start : column + start + cell].mean(
            axis=(0, 1)
        )
        return found

    vector = []
    for row in range(4):
        for column in range(4):
            cy = int(np.floor(y + (row - 1.5) * cell + 0.5)) + 40
            cx = int(np.floor(x + (column - 1.5) * cell + 0.5)) + 40
            values = [mean(padded, cy + start + i, cx + start + j) for i in range(cell) for j in range(cell)]
            vector.append(np.mean(values, axis=0))
    found = np.concatenate(vector)
    found = np.minimum(found / np.linalg.norm(found), 0.2)
    return np.asarray(np.sqrt(found / found.sum()))


@pytest.mark.parametrize("cell", [4, 9])
def test_sift_of_single_points_agrees_with_a_slow_reference(cell: int) -> None:
    rgb = at_side()
    descriptor = DenseSift((Grid(cell, 8),), flat=1e-9)
    found = descriptor.extract(image_of(rgb))
    for i in (0, len(found) // 2 + 3, len(found) - 1):
        x, y = found.points[i]
        # Inside the image, where the means do not reach the border.
        if min(x, y, rgb.shape[1] - x, rgb.shape[0] - y) < 4 * cell:
            continue
        np.testing.assert_allclose(found.vectors[i, :128], slow_sift(rgb, float(y), float(x), cell), atol=2e-3)


def test_sift_vectors_have_unit_length_and_flat_regions_have_none() -> None:
    rgb = at_side()
    rgb[:, :128] = 90
    found = DenseSift().extract(image_of(rgb))
    np.testing.assert_allclose(np.linalg.norm(found.vectors[:, :128], axis=1), 1, atol=1e-5)
    assert found.points[:, 0].min() > 128 - 2 * 13 - 8
    assert len(DenseSift().extract(image_of(np.full((50, 80, 3), 200, np.uint8)))) == 0


def test_sift_of_a_mirrored_photo_is_mirrored() -> None:
    rgb = at_side()
    mirrored = np.ascontiguousarray(rgb[:, ::-1])
    # With an even number of columns and a step that divides the rest, the mirrored grid is the same.
    one, other = (DenseSift((Grid(9, 8),), flat=1e-9).extract(image_of(p)) for p in (rgb, mirrored))
    order = np.lexsort((-one.points[:, 0], one.points[:, 1]))
    vectors = one.vectors[order, :128].reshape(-1, 4, 4, 8)[:, :, ::-1][..., [4, 3, 2, 1, 0, 7, 6, 5]]
    np.testing.assert_allclose(vectors.reshape(len(one), -1), other.vectors[:, :128], atol=0.12)


def test_colour_agrees_with_a_slow_reference() -> None:
    rgb = at_side(seed=3)
    found = DenseColor((Grid(6, 8),)).extract(image_of(rgb))
    lab = cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2LAB).astype(np.float64) / [100, 255, 255]
    for i in (0, 57, len(found) - 1):
        x, y = found.points[i]
        expected = []
        for row in range(4):
            for column in range(4):
                cy, cx = (int(np.floor(v + (c - 1.5) * 6 + 0.5)) for v, c in ((y, row), (x, column)))
                block = lab[max(0, cy - 3) : cy + 3, max(0, cx - 3) : cx + 3].reshape(-1, 3)
                expected.append(np.concatenate([block.mean(axis=0), block.std(axis=0)]))
        # 8-bit Lab is accurate to half a step.
        np.testing.assert_allclose(found.vectors[i, :96], np.concatenate(expected), atol=0.006)


def test_points_are_pixels_of_the_working_image() -> None:
    rgb = np.zeros((192, 384, 3), np.uint8)
    rgb[96:, 192:] = 255
    for descriptor in (DenseSift(), DenseColor()):
        found = descriptor.extract(image_of(rgb))
        assert found.points[:, 0].max() < 384
        assert found.points[:, 1].max() < 192
        assert found.points[:, 0].max() > 192
    colors = DenseColor().extract(image_of(rgb))
    bright = colors.vectors[:, :96:6].mean(axis=1) > 0.99
    assert bright.any()
    assert (colors.points[bright] > (192, 96)).all()


def test_places_are_the_last_values_of_each_vector() -> None:
    rgb = at_side()
    for descriptor in (DenseSift(flat=1e-9), DenseColor()):
        found = descriptor.extract(image_of(rgb))
        assert found.vectors.shape[1] == descriptor.dimension
        height, width = rgb.shape[:2]
        expected = found.points[:, ::-1] / (height, width) - 0.5
        np.testing.assert_allclose(found.vectors[:, -3:-1], expected, atol=1e-5)
        sizes = sorted({np.log2(grid.cell * dense_grid.SIDE / grid.side / 6) for grid in descriptor.grids})
        np.testing.assert_allclose(np.unique(found.vectors[:, -1]), sizes, atol=1e-6)


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (7, 5)])
def test_tiny_photos_have_one_point_or_a_row_of_points_per_size(size: tuple[int, int]) -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (*size, 3), dtype=np.uint8)
    for descriptor in (DenseSift(flat=1e-9), DenseColor()):
        vectors = descriptor.extract(image_of(rgb)).vectors
        assert np.isfinite(vectors).all()


def test_parameters_must_be_positive() -> None:
    for wrong in ((), (Grid(4, 0),), (Grid(4, 8), Grid(0, 8)), (Grid(4, 8, 0),)):
        with pytest.raises(ValueError, match="positive"):
            DenseSift(wrong)
        with pytest.raises(ValueError, match="positive"):
            DenseColor(wrong)
    with pytest.raises(ValueError, match="positive"):
        DenseSift(flat=0)
