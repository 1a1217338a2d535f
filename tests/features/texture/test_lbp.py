# SPDX-License-Identifier: MIT
from __future__ import annotations

import math
from fractions import Fraction

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from skimage.feature import local_binary_pattern

from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.texture.lbp import UNIFORM, Lbp, pattern_codes
from tests.features.pictures import scene

gray_images = arrays(np.uint8, st.tuples(st.integers(1, 14), st.integers(1, 14)))


def shares(gray: NDArray[np.integer]) -> NDArray[np.float32]:
    return Lbp().extract(WorkingImage.from_array(np.repeat(gray.astype(np.uint8)[..., None], 3, axis=2)))


def gray_scene(width: int, height: int, seed: int) -> NDArray[np.uint8]:
    return cv2.cvtColor(scene(width, height, seed), cv2.COLOR_RGB2GRAY).astype(np.uint8)


def ties(gray: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where a diagonal neighbour is exactly as bright as the centre, so that the code of scikit-image is
    arbitrary.
    """
    p = np.pad(gray, 1, mode="edge").astype(int)
    c, found = gray.astype(int), np.zeros(gray.shape, bool)
    h, w = gray.shape
    for y in (0, 2):
        for x in (0, 2):
            corner, side, other = p[y : y + h, x : x + w], p[1 : 1 + h, x : x + w], p[y : y + h, 1 : 1 + w]
            found |= (corner == c) & (side + other == 2 * c)
    return found


def slow_codes(gray: NDArray[np.uint8], w: Fraction) -> NDArray[np.uint8]:
    """Return the codes by bilinear interpolation in fractions, pixel by pixel; `w` represents the root of 1/2."""
    height, width = gray.shape

    def level(y: int, x: int) -> int:
        return int(gray[min(max(y, 0), height - 1), min(max(x, 0), width - 1)])

    codes = np.zeros(gray.shape, np.uint8)
    for y in range(height):
        for x in range(width):
            for bit in range(8):
                right, down = round(math.cos(bit * math.pi / 4)), -round(math.sin(bit * math.pi / 4))
                if bit % 2:
                    near = (1 - w) * level(y, x) + w * level(y, x + right)
                    far = (1 - w) * level(y + down, x) + w * level(y + down, x + right)
                    neighbour = (1 - w) * near + w * far
                else:
                    neighbour = Fraction(level(y + down, x + right))
                codes[y, x] |= (neighbour >= level(y, x)) << bit
    return codes


@pytest.mark.parametrize("w", [Fraction(70711, 100000), Fraction(math.sqrt(0.5))], ids=["rounded", "root"])
@given(gray=gray_images)
def test_codes_agree_with_exact_fractions(w: Fraction, gray: NDArray[np.uint8]) -> None:
    np.testing.assert_array_equal(pattern_codes(gray), slow_codes(gray, w))


def test_integer_weights_give_the_exact_sign_for_every_pair_of_differences() -> None:
    sides, corners = np.meshgrid(np.arange(-510, 511), np.arange(-255, 256))
    found = np.sign(239 * sides + 577 * corners)
    np.testing.assert_array_equal(found, np.sign(29289 * sides + 70711 * corners))
    # sides (1 - w) + corners w has the sign of (sides + corners) + sqrt(2) corners: compare signed squares.
    first, second = sides + corners, corners
    np.testing.assert_array_equal(found, np.sign(first * np.abs(first) + 2 * second * np.abs(second)))


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_scikit_image_at_every_pixel_except_ties(seed: int) -> None:
    gray = gray_scene(150, 100, seed)
    around = np.pad(gray, 1, mode="edge")
    expected = local_binary_pattern(around, 8, 1, "nri_uniform")[1:-1, 1:-1].astype(int)  # type: ignore[no-untyped-call]
    clear = ~ties(gray)
    assert clear.mean() > 0.5
    np.testing.assert_array_equal(UNIFORM[pattern_codes(gray)][clear], expected[clear])


def test_the_histogram_agrees_with_scikit_image_without_ties() -> None:
    rng = np.random.default_rng(7)
    # Each pixel differs from its neighbours: a repeated square of nine distinct levels, with some grain.
    gray = np.tile([[10, 100, 190], [130, 220, 40], [250, 70, 160]], (20, 30)) + rng.integers(-4, 5, (60, 90))
    corners = np.zeros(gray.shape, bool)
    corners[np.ix_([0, -1], [0, -1])] = True  # their outer neighbours are themselves
    np.testing.assert_array_equal(ties(gray.astype(np.uint8)), corners)
    around = np.pad(gray.astype(np.uint8), 1, mode="edge")
    expected = local_binary_pattern(around, 8, 1, "nri_uniform")[1:-1, 1:-1]  # type: ignore[no-untyped-call]
    counts = np.bincount(expected.ravel().astype(int), minlength=59)
    assert np.abs(np.rint(shares(gray) * gray.size) - counts).sum() <= 2 * corners.sum()


def test_the_order_of_patterns_agrees_with_scikit_image() -> None:
    middle = 100
    for code in range(256):
        gray = np.full((3, 3), middle, np.uint8)
        places = ((1, 2), (0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (2, 1), (2, 2))
        for bit, place in enumerate(places):
            # Corners outweigh sides so much that they alone decide about diagonals.
            step = 100 if bit % 2 else 10
            gray[place] = middle + step if code >> bit & 1 else middle - step
        assert pattern_codes(gray)[1, 1] == code
        assert UNIFORM[code] == local_binary_pattern(gray, 8, 1, "nri_uniform")[1, 1]  # type: ignore[no-untyped-call]
    assert sorted(np.bincount(UNIFORM)) == [1] * 58 + [198]


@given(gray_images)
def test_shares_sum_to_one(gray: NDArray[np.uint8]) -> None:
    found = shares(gray)
    assert found.shape == (59,)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1, abs=1e-6)


@given(gray_images, st.integers(1, 4), st.integers(0, 60))
def test_brightness_and_contrast_do_not_matter(gray: NDArray[np.uint8], gain: int, offset: int) -> None:
    base = gray // 6
    np.testing.assert_array_equal(shares(base.astype(int) * gain + offset), shares(base))


@given(gray_images, st.integers(1, 3))
def test_rotating_the_photo_rotates_the_patterns(gray: NDArray[np.uint8], turns: int) -> None:
    codes = pattern_codes(gray).astype(int)
    turned = (codes << 2 * turns | codes >> 8 - 2 * turns) & 255
    np.testing.assert_array_equal(pattern_codes(np.ascontiguousarray(np.rot90(gray, turns))), np.rot90(turned, turns))
    sums = [shares(g)[1:57].reshape(7, 8).sum(1) for g in (gray, np.rot90(gray, turns))]
    np.testing.assert_allclose(sums[0], sums[1], atol=1e-6)


@pytest.mark.parametrize("level", [0, 127, 255])
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (20, 30)])
def test_all_neighbours_are_as_bright_in_a_plain_image(level: int, shape: tuple[int, int]) -> None:
    found = shares(np.full(shape, level))
    assert found[57] == 1
    assert np.count_nonzero(found) == 1
