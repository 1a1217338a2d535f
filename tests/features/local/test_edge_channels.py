# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.ndimage
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.local.edge_channels import (
    PIXELS,
    EdgeImage,
    color_gradient,
    draw_points,
    edge_image,
    edge_strength,
    oriented_channels,
)
from tests.features.pictures import scene

Rgb = NDArray[np.uint8]


def edges_of(rgb: NDArray[np.uint8]) -> EdgeImage:
    return edge_image(WorkingImage.from_array(rgb))


def step(angle: float, side: int = 41) -> Rgb:
    """Return a soft edge through the middle whose normal has a given angle (clockwise from the right)."""
    y, x = np.mgrid[0:side, 0:side] - side // 2
    along = x * math.cos(angle) + y * math.sin(angle)
    gray = np.rint(127.5 + 100 * np.tanh(along / 1.5)).astype(np.uint8)
    return np.repeat(gray[..., None], 3, axis=2)


def channels_of(rgb: Rgb) -> NDArray[np.float32]:
    return oriented_channels(*color_gradient(rgb))


def strength_of(rgb: Rgb) -> NDArray[np.float32]:
    return edge_strength(*color_gradient(rgb))


def test_gradient_and_channels_agree_with_scipy() -> None:
    rgb = scene()
    planes = [scipy.ndimage.gaussian_filter(rgb[..., c].astype(np.float64), 1, mode="nearest") for c in range(3)]
    x, y = (
        np.stack([scipy.ndimage.sobel(plane, axis=axis, mode="nearest") / 8 for plane in planes], axis=-1)
        for axis in (1, 0)
    )
    longest = np.hypot(x, y).argmax(axis=2)[..., None]
    x, y = (np.take_along_axis(part, longest, axis=2)[..., 0] for part in (x, y))
    found_x, found_y = color_gradient(rgb)
    length, angle = np.hypot(x, y), np.arctan2(y, x)
    same = np.isclose(found_x, x, atol=2e-3) & np.isclose(found_y, y, atol=2e-3)
    assert same.mean() > 0.999  # if two colour channels tie, either may be used
    expected = np.stack([length * np.maximum(np.cos(2 * (angle - k * math.pi / 4)), 0) for k in range(4)], axis=-1)
    found = oriented_channels(found_x, found_y)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[same], expected[same], atol=1e-2)


def test_an_edge_between_colours_of_equal_brightness_counts() -> None:
    rgb = np.zeros((40, 40, 3), np.uint8)
    rgb[:, :20], rgb[:, 20:] = (150, 0, 0), (0, 76, 0)
    assert np.ptp(WorkingImage.from_array(rgb).gray) < 0.5
    assert (strength_of(rgb)[:, 18:22].max(axis=1) > 10).all()


@pytest.mark.parametrize("k", range(8))
def test_an_edge_appears_in_the_channel_of_its_direction(k: int) -> None:
    middle = channels_of(step(k * math.pi / 4))[20, 20]
    assert middle.argmax() == k % 4
    assert np.delete(middle, k % 4).max() < 0.05 * middle.max()
    between = channels_of(step((k + 0.5) * math.pi / 4))[20, 20]
    assert set(np.argsort(between)[2:]) == {k % 4, (k + 1) % 4}


@pytest.mark.parametrize("seed", range(3))
def test_mirrored_and_rotated_pictures_give_mirrored_and_rotated_channels(seed: int) -> None:
    rgb = scene(seed=seed)
    base, strength = channels_of(rgb), strength_of(rgb)
    changes: list[tuple[Callable[[NDArray[Any]], NDArray[Any]], list[int]]] = [
        (np.fliplr, [0, 3, 2, 1]),
        (np.flipud, [0, 3, 2, 1]),
        (np.rot90, [2, 3, 0, 1]),
        (lambda array: array.swapaxes(0, 1), [2, 1, 0, 3]),
    ]
    for change, order in changes:
        other = np.ascontiguousarray(change(rgb))
        # Ties of colour channels or along a ridge may be resolved differently.
        assert np.isclose(channels_of(other), change(base)[..., order], atol=1e-3).mean() > 0.999
        assert np.isclose(strength_of(other), change(strength), atol=1e-3).mean() > 0.999


def test_edge_points_are_on_the_edge() -> None:
    for k in range(16):
        y, x = np.nonzero(strength_of(step(k * math.pi / 8)))
        off = (x - 20) * math.cos(k * math.pi / 8) + (y - 20) * math.sin(k * math.pi / 8)
        assert np.abs(off).max() <= 1
        assert len(x) >= 38


def test_faint_edges_beside_strong_ones_and_flat_pictures_give_no_points() -> None:
    rgb = np.full((60, 60, 3), 100, np.uint8)
    assert not strength_of(rgb).any()
    rgb[:, 20:] += 1  # half a level per pixel
    assert not strength_of(rgb).any()
    rgb[:, 20:] += 9
    assert strength_of(rgb)[:, 18:22].any()
    rgb[:, 40:] += 140
    assert strength_of(rgb)[:, 38:42].any()
    assert not strength_of(rgb)[:, 18:22].any()


@given(
    arrays(np.bool_, st.tuples(st.integers(1, 60), st.integers(1, 60))),
    st.integers(1, 50),
    st.sampled_from([0.0, 1.0, 2.5, 5.0, 9.0]),
)
def test_points_are_separated_candidates_and_as_many_as_possible(
    candidates: NDArray[np.bool_], points: int, spacing: float
) -> None:
    drawn = draw_points(candidates.astype(np.float32), points, spacing)
    assert len(drawn) <= points
    assert candidates[drawn[:, 1], drawn[:, 0]].all()
    y, x = np.nonzero(candidates)
    if len(drawn) > 1:
        apart = np.linalg.norm(drawn[:, None] - drawn[None], axis=2)[np.triu_indices(len(drawn), 1)]
        assert apart.min() >= spacing
    if len(drawn) < points and len(x):  # each rejected candidate is too near to a drawn point
        nearest = np.linalg.norm(np.stack([x, y], axis=1)[:, None] - drawn[None], axis=2).min(axis=1)
        assert ((nearest < spacing) | (nearest == 0)).all()


def test_without_spacing_points_are_all_different() -> None:
    drawn = draw_points(np.ones((10, 10), np.float32), 100, 0.0)
    assert len(np.unique(drawn, axis=0)) == 100


def test_the_reduced_copy_has_the_aspect_of_the_source_and_is_never_enlarged() -> None:
    for width, height in ((384, 288), (384, 384), (300, 200), (384, 1), (1, 1), (96, 64)):
        edges = edges_of(scene(width, height))
        h, w = edges.rgb.shape[:2]
        assert h * w <= PIXELS
        assert edges.channels.shape == (h, w, 4)
        if width * height <= PIXELS:
            assert (w, h) == (width, height)
        else:
            assert h * w > 0.98 * PIXELS
            assert w / h == pytest.approx(width / height, rel=0.01)


@pytest.mark.parametrize(("width", "height"), [(384, 288), (200, 384), (60, 40)])
def test_points_are_separated_and_inside_both_images(width: int, height: int) -> None:
    edges = edges_of(np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8))
    assert 0 < len(edges.points) <= 400
    apart = np.linalg.norm(edges.points[:, None] - edges.points[None], axis=2)
    assert apart[np.triu_indices(len(apart), 1)].min() >= 5
    assert edges.points.min() >= 0
    assert (edges.points < (edges.rgb.shape[1], edges.rgb.shape[0])).all()
    there = edges.working_points()
    assert there.dtype == np.float32
    assert there.min() >= -0.5
    assert (there <= (width - 0.5, height - 0.5)).all()
    # The relative position of a point is the same in both images.
    shares = (there + 0.5) / (width, height)
    np.testing.assert_allclose(shares, (edges.points + 0.5) / edges.rgb.shape[1::-1], atol=1e-6)


def test_the_edge_image_is_computed_once_and_reproducible() -> None:
    image = WorkingImage.from_array(scene(300, 260))
    first = edge_image(image)
    assert edge_image(image) is first
    fewer = edge_image(image, points=50)
    assert fewer.rgb is first.rgb
    np.testing.assert_array_equal(fewer.points, first.points[:50])
    np.testing.assert_array_equal(edges_of(scene(300, 260)).points, first.points)
    np.testing.assert_array_equal(image.rgb, scene(300, 260))


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 4))
def test_halved_channels_are_means_of_blocks(width: int, height: int, halvings: int) -> None:
    channels = np.random.default_rng(0).random((height, width, 4)).astype(np.float32)
    edges = EdgeImage(np.zeros((height, width, 3), np.uint8), channels, np.zeros((0, 2), np.int32), (1.0, 1.0))
    factor = 2**halvings
    rows, columns = -(-height // factor), -(-width // factor)
    full = np.zeros((rows * factor, columns * factor, 4))
    full[:height, :width] = channels
    expected = full.reshape(rows, factor, columns, factor, 4).mean((1, 3))
    np.testing.assert_allclose(edges.reduced_channels(halvings), expected, atol=1e-6)
