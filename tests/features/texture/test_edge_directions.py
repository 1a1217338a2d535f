# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.texture.edge_directions import EdgeDirections, direction_bins
from tests.features.pictures import scene


def shares(rgb: NDArray[np.uint8], **parameters: float) -> NDArray[np.float32]:
    return EdgeDirections(**parameters).extract(WorkingImage.from_array(np.ascontiguousarray(rgb)))


def grey(levels: NDArray[np.integer]) -> NDArray[np.uint8]:
    return np.repeat(levels.astype(np.uint8)[..., None], 3, axis=2)


def slow_shares(gray: list[list[int]], high: float = 1.2, low: float = 0.4) -> list[float]:
    """Return the vector from Sobel to hysteresis, pixel by pixel in plain Python.

    Sectors of suppression end at 22.5 and 67.5 degrees; of two equal neighbours along an axis, the second stays.
    """
    height, width = len(gray), len(gray[0])
    places = [(y, x) for y in range(height) for x in range(width)]

    def level(y: int, x: int) -> int:
        return gray[min(max(y, 0), height - 1)][min(max(x, 0), width - 1)]

    dx = {
        (y, x): sum(w * (level(y + i, x + 1) - level(y + i, x - 1)) for i, w in ((-1, 1), (0, 2), (1, 1)))
        for y, x in places
    }
    dy = {
        (y, x): sum(w * (level(y + 1, x + i) - level(y - 1, x + i)) for i, w in ((-1, 1), (0, 2), (1, 1)))
        for y, x in places
    }
    certain = max(high * sum(abs(dx[p]) + abs(dy[p]) for p in places) / len(places), 16.0)
    strength = {p: dx[p] ** 2 + dy[p] ** 2 for p in places}

    def peak(p: tuple[int, int]) -> bool:
        (y, x), m = p, strength[p]
        steep = abs(dy[p]) / abs(dx[p]) if dx[p] else math.inf
        if steep < math.tan(math.pi / 8):
            return m > strength.get((y, x - 1), 0) and m >= strength.get((y, x + 1), 0)
        if steep > math.tan(3 * math.pi / 8):
            return m > strength.get((y - 1, x), 0) and m >= strength.get((y + 1, x), 0)
        s = -1 if (dx[p] < 0) != (dy[p] < 0) else 1
        return m > strength.get((y - 1, x - s), 0) and m > strength.get((y + 1, x + s), 0)

    possible = {p for p in places if strength[p] > math.floor((low * certain) ** 2) and peak(p)}
    open_ends = [p for p in possible if strength[p] > math.floor(certain**2)]
    edges = set(open_ends)
    while open_ends:
        y, x = open_ends.pop()
        for p in ((y + i, x + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
            if p in possible and p not in edges:
                edges.add(p)
                open_ends.append(p)
    result = [0.0] * 36 + [1 - len(edges) / len(places)]
    for p in edges:
        result[math.floor(math.degrees(math.atan2(dy[p], dx[p])) / 10 + 0.5) % 36] += 1 / len(places)
    return result


@pytest.mark.parametrize(("width", "height", "seed"), [(48, 40, 0), (37, 53, 1), (1, 9, 2), (12, 1, 3), (2, 2, 4)])
def test_agrees_with_the_definition(width: int, height: int, seed: int) -> None:
    rgb = scene(64, 64, seed)[:height, :width]
    gray = cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2GRAY).tolist()
    np.testing.assert_allclose(shares(rgb), slow_shares(gray), atol=1e-6)


@pytest.mark.parametrize("degrees", range(0, 360, 10))
def test_a_slanted_edge_falls_into_the_bin_of_its_direction(degrees: int) -> None:
    y, x = np.mgrid[0:81, 0:81] - 40.0
    angle = math.radians(degrees)
    ramp = np.clip(128 + 20 * (x * math.cos(angle) + y * math.sin(angle)), 40, 215)
    found = shares(grey(ramp))
    assert found[:36].argmax() == degrees // 10
    assert found[degrees // 10] > 0.8 * found[:36].sum()


@given(arrays(np.int16, st.tuples(st.just(2), st.integers(1, 30)), elements=st.integers(-1020, 1020)))
def test_bins_move_by_nine_with_every_quarter_turn(gradients: NDArray[np.int16]) -> None:
    dx, dy = gradients[:, (gradients != 0).any(axis=0)]
    np.testing.assert_array_equal(direction_bins(-dy, dx), (direction_bins(dx, dy) + 9) % 36)
    np.testing.assert_array_equal(direction_bins(-dx, -dy), (direction_bins(dx, dy) + 18) % 36)


def test_diagonals_move_with_every_quarter_turn_too() -> None:
    one = np.arange(1, 1021, dtype=np.int16)
    assert [set(direction_bins(a * one, b * one)) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))] == [
        {5},
        {14},
        {23},
        {32},
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_rotating_the_photo_moves_the_values(seed: int, turns: int) -> None:
    rgb = scene(120, 90, seed)
    found, turned = shares(rgb), shares(np.rot90(rgb, turns))
    # Counter-clockwise, while angles rise clockwise. Only ties between neighbours differ.
    assert np.abs(np.roll(found[:36], -9 * turns) - turned[:36]).sum() < 0.05 * found[:36].sum()


@given(arrays(np.uint8, st.tuples(st.integers(1, 20), st.integers(1, 20), st.just(3))))
def test_shares_sum_to_one(rgb: NDArray[np.uint8]) -> None:
    found = shares(rgb)
    assert found.shape == (37,)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1, abs=1e-6)


@given(arrays(np.uint8, (12, 14), elements=st.integers(0, 3)), st.integers(5, 14), st.integers(0, 30))
def test_contrast_and_brightness_do_not_matter(levels: NDArray[np.uint8], gain: int, offset: int) -> None:
    blocks = 5 * np.kron(levels, np.ones((3, 3), np.int64))
    blocks[:, :6:3] = 15  # strong enough that the lower bound of the threshold does not matter
    np.testing.assert_array_equal(shares(grey(blocks * gain + offset)), shares(grey(blocks * 4)))


@pytest.mark.parametrize("level", [0, 100, 255])
def test_plain_and_nearly_plain_images_have_no_edges(level: int) -> None:
    rng = np.random.default_rng(0)
    noisy = np.clip(level + rng.integers(0, 2, (50, 60)), 0, 255)
    for levels in (np.full((50, 60), level), np.full((1, 1), level), noisy):
        assert shares(grey(levels)).tolist() == [0] * 36 + [1]


def test_higher_thresholds_give_fewer_edges() -> None:
    nothing = [shares(scene(), high=high)[36] for high in (0.6, 1.2, 2.4, 4.8)]
    assert nothing == sorted(nothing)
    assert shares(scene(), low=1.0)[36] >= shares(scene(), low=0.2)[36]


def test_edges_are_computed_once() -> None:
    image = WorkingImage.from_array(scene())
    assert EdgeDirections().counts(image) is EdgeDirections().counts(image)
    assert EdgeDirections(high=2.0).counts(image).sum() < EdgeDirections().counts(image).sum()


@pytest.mark.parametrize("parameters", [{"high": 0.0}, {"low": 0.0}, {"low": 1.1}])
def test_bad_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be above 0"):
        EdgeDirections(**parameters)
