# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local.edge_channels import EdgeImage, edge_image
from focal_photos.features.local.geometric_blur import GeometricBlur
from tests.features.pictures import scene

Vectors = NDArray[np.float32]


def edges_of(rgb: NDArray[np.uint8]) -> EdgeImage:
    return edge_image(WorkingImage.from_array(rgb))


def with_points(edges: EdgeImage, points: NDArray[np.int32]) -> EdgeImage:
    return EdgeImage(edges.rgb, edges.channels, points.astype(np.int32), edges.scale)


def gaussian(size: int, deviation: float) -> NDArray[np.float64]:
    """Return the matrix that blurs a column of `size` pixels surrounded by zeros."""
    apart = np.arange(size)[:, None] - np.arange(size)
    reach = math.ceil(10 * deviation)
    total = sum(math.exp(-(d**2) / (2 * deviation**2)) for d in range(-reach, reach + 1))
    weights: NDArray[np.float64] = np.exp(-(apart**2) / (2 * deviation**2)) / total
    return weights


def slow_vectors(edges: EdgeImage, radius: float) -> NDArray[np.float64]:
    """Return all vectors, with each value from copies blurred at full resolution in double precision."""
    height, width = edges.channels.shape[:2]
    result = []
    copies = []
    for r in (0, 4, 8, 16, 32, 50):
        deviation = 0.5 * r * radius / 50 + 1
        rows, columns = gaussian(height, deviation), gaussian(width, deviation)
        copies.append(np.einsum("yv,vuc,xu->yxc", rows, edges.channels.astype(np.float64), columns, optimize=True))
    for px, py in edges.points.tolist():
        vector: list[float] = []
        for ring, (r, count) in enumerate(zip((0, 4, 8, 16, 32, 50), (1, 8, 8, 10, 12, 12), strict=True)):
            for sample in range(count):
                angle = 2 * math.pi * (sample + (0.5 if ring % 2 else 0)) / count
                x, y = px + r * radius / 50 * math.cos(angle), py + r * radius / 50 * math.sin(angle)
                if not (-0.5 < x < width - 0.5 and -0.5 < y < height - 0.5):
                    vector += [0.0] * 4
                    continue
                x, y = min(max(x, 0), width - 1), min(max(y, 0), height - 1)
                left, top = math.floor(x), math.floor(y)
                right, bottom = min(left + 1, width - 1), min(top + 1, height - 1)
                copy = copies[ring]
                upper = copy[top, left] * (1 - x + left) + copy[top, right] * (x - left)
                lower = copy[bottom, left] * (1 - x + left) + copy[bottom, right] * (x - left)
                vector += (upper * (1 - y + top) + lower * (y - top)).tolist()
        length = math.sqrt(sum(value**2 for value in vector))
        result.append([value / length for value in vector])
    return np.array(result)


@pytest.mark.parametrize("radius", [70.0, 42.0])
@pytest.mark.parametrize(("width", "height", "seed"), [(150, 110, 0), (67, 203, 1), (40, 30, 2)])
def test_agrees_with_sampling_point_by_point_at_full_resolution(
    width: int, height: int, seed: int, radius: float
) -> None:
    edges = edges_of(scene(width, height, seed))
    edges = with_points(edges, edges.points[:40])
    assert len(edges.points) > 5
    exact = slow_vectors(edges, radius)
    full = GeometricBlur(radius, decimate=False).vectors(edges)
    np.testing.assert_allclose(full, exact, atol=1e-4)
    cosines = (GeometricBlur(radius).vectors(edges) * exact).sum(axis=1)
    assert cosines.mean() > 0.999
    assert cosines.min() > 0.99


@given(st.integers(1, 90), st.integers(1, 90), st.integers(0, 1000), st.sampled_from([70.0, 42.0, 5.0]))
def test_vectors_have_unit_length_or_are_zero(width: int, height: int, seed: int, radius: float) -> None:
    rgb = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    found = GeometricBlur(radius).extract(WorkingImage.from_array(rgb))
    assert found.vectors.shape == (len(found.points), 204)
    lengths = np.linalg.norm(found.vectors, axis=1)
    assert (found.vectors >= 0).all()
    np.testing.assert_allclose(lengths, 1, atol=1e-5)


@pytest.mark.parametrize("deviation", [3.1, 6.5, 12.0, 23.0])
def test_a_blur_on_a_reduced_copy_is_as_wide_as_at_full_resolution(deviation: float) -> None:
    # The spread of one bright pixel about its position: that of its block plus that of the blur there.
    variances, factors = [], set()
    for place in range(192, 208):
        channels = np.zeros((400, 400, 4), np.float32)
        channels[200, place] = 1
        edges = EdgeImage(np.zeros((400, 400, 3), np.uint8), channels, np.zeros((1, 2), np.int32), (1.0, 1.0))
        blurred, factor = GeometricBlur()._blurred(edges, deviation)
        light = blurred[..., 0].sum(axis=0, dtype=np.float64)
        at = (np.arange(len(light)) + 0.5) * factor - 0.5
        variances.append(light @ (at - place) ** 2 / light.sum())
        factors.add(factor)
    assert factors <= {2, 4, 8}
    assert np.mean(variances) == pytest.approx(deviation**2, rel=4e-3)


def test_a_point_without_edges_is_not_scaled_up() -> None:
    edges = edges_of(np.full((50, 60, 3), 90, np.uint8))
    assert len(edges.points) == 0
    vectors = GeometricBlur().vectors(with_points(edges, np.array([[5, 5], [30, 20]])))
    assert np.abs(vectors).max() < 0.01
    assert GeometricBlur().extract(WorkingImage.from_array(edges.rgb)).vectors.shape == (0, 204)


def rings(vectors: Vectors) -> list[Vectors]:
    """Return (n, samples, channels) of each ring."""
    parts = np.split(vectors.reshape(len(vectors), 51, 4), np.cumsum([1, 8, 8, 10, 12]), axis=1)
    return [np.ascontiguousarray(part) for part in parts]


@pytest.mark.parametrize("radius", [70.0, 42.0])
def test_a_mirrored_picture_gives_mirrored_rings(radius: float) -> None:
    rgb = scene(160, 96, 3)  # sides that can be halved repeatedly
    edges = edges_of(rgb)
    mirrored = edges_of(np.ascontiguousarray(rgb[:, ::-1]))
    points = edges.points.copy()
    points[:, 0] = 159 - points[:, 0]
    base = rings(GeometricBlur(radius).vectors(edges))
    found = rings(GeometricBlur(radius).vectors(with_points(mirrored, points)))
    for number, (one, other) in enumerate(zip(base, found, strict=True)):
        count = one.shape[1]
        turned = [round(count / 2 - sample - number % 2) % count for sample in range(count)]
        np.testing.assert_allclose(other, one[:, turned][..., [0, 3, 2, 1]], atol=1e-4)


def test_brightness_contrast_and_inversion_do_not_matter() -> None:
    rgb = scene(120, 80) // 4
    base = GeometricBlur().extract(WorkingImage.from_array(rgb))
    points = edges_of(rgb)
    for other in (rgb + 60, rgb * 3, 255 - rgb):
        edges = edges_of(other.astype(np.uint8))
        vectors = GeometricBlur().vectors(with_points(edges, points.points))
        np.testing.assert_allclose(vectors, base.vectors, atol=2e-3)


def test_a_small_shift_changes_the_outer_rings_least() -> None:
    edges = edges_of(scene(200, 160))
    moved = with_points(edges, edges.points + np.array([2, 0], np.int32))
    one, other = (
        rings(GeometricBlur(decimate=False).vectors(edges)),
        rings(GeometricBlur(decimate=False).vectors(moved)),
    )
    change = [float(np.abs(a - b).mean() / a.mean()) for a, b in zip(one, other, strict=True)]
    assert change[0] > change[2] > change[4]


def test_names_contain_the_radius() -> None:
    assert GeometricBlur().name == "geometric_blur_large"
    assert GeometricBlur(42.0).name == "geometric_blur_small"
    assert GeometricBlur(12.5).name == "geometric_blur_12_5"
    assert GeometricBlur(12.5).title
    assert len({GeometricBlur().key, GeometricBlur(42.0).key, GeometricBlur(12.5).key}) == 3


@pytest.mark.parametrize(
    "parameters",
    [{"radius": 0.0}, {"growth": -1.0}, {"base": 0.0}, {"points": 0}, {"spacing": -1.0}, {"spacing": math.nan}],
)
def test_bad_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        GeometricBlur(**parameters)  # type: ignore[arg-type]
