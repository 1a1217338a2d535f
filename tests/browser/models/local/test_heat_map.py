# SPDX-License-Identifier: MIT
"""The density of patch weights, and the colours of the heat map."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor
from skimage.color import rgb2lab

from focal_photos.browser.models.local.heat_map import SCALE, heat, heat_image, scale, scale_stops

# G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, IEEE TVCG 15(6), 2009: linear RGB as seen without one kind of
# cone.
CONES = {
    "all": "1 0 0; 0 1 0; 0 0 1",
    "protan": "0.152286 1.052583 -0.204868; 0.114503 0.786281 0.099216; -0.003882 -0.048116 1.051998",
    "deutan": "0.367322 0.860646 -0.227968; 0.280085 0.672501 0.047413; -0.011820 0.042940 0.968881",
    "tritan": "1.255528 -0.076749 -0.178779; -0.078411 0.930809 0.147602; 0.004733 0.691367 0.303900",
}


def lightness(colors: NDArray[np.float64], cones: str) -> NDArray[np.float64]:
    """Return CIE L* of sRGB colours (n, 3) as seen with these cones."""
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    matrix = np.array([line.split() for line in CONES[cones].split(";")], np.float64)
    seen = np.clip(linear @ matrix.T, 0, 1)
    srgb = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.asarray(rgb2lab(srgb[None])[0, :, 0])


# ---------------------------------------------------------------------- the map
def test_one_patch_is_a_bell_around_its_point() -> None:
    found = heat([(0.25, 0.5)], [3.0], [0.2], 2.0, side=200)
    assert found.shape == (100, 200)
    assert found.max() == 1
    row, column = np.unravel_index(found.argmax(), found.shape)
    assert abs(column + 0.5 - 50) <= 1
    assert abs(row + 0.5 - 50) <= 1
    # the standard deviation is 0.35 of the radius: 0.07 of the longer side, 14 values
    assert found[row, column + 14] == pytest.approx(math.exp(-0.5), rel=0.06)
    assert found[row + 14, column] == pytest.approx(math.exp(-0.5), rel=0.06)
    assert found[row, column + 60] < 1e-3


def test_a_patch_counts_by_weight_and_not_by_size() -> None:
    found = heat([(0.2, 0.5), (0.8, 0.5)], [1.0, 1.0], [0.14, 0.28], 1.0, side=200).astype(np.float64)
    left, right = found[:, :100], found[:, 100:]
    assert left.sum() == pytest.approx(right.sum(), rel=0.03)
    assert left.max() == pytest.approx(4 * right.max(), rel=0.03)
    heavier = heat([(0.2, 0.5), (0.8, 0.5)], [1.0, 3.0], [0.1, 0.1], 1.0)
    assert heavier[:, :96].max() == pytest.approx(1 / 3, rel=0.02)


def test_the_smallest_patches_do_not_outshine_the_rest() -> None:
    spots = [(0.2, 0.5), (0.8, 0.5)]
    specks = heat(spots, [1.0, 1.0], [0.001, 0.03], 1.0)
    assert specks[:, :96].max() == pytest.approx(specks[:, 96:].max(), rel=0.01)


def test_patches_without_weight_leave_no_trace() -> None:
    some = heat([(0.3, 0.3), (0.9, 0.9)], [1.0, 0.0], [0.1, 0.1], 1.5)
    np.testing.assert_array_equal(some, heat([(0.3, 0.3)], [1.0], [0.1], 1.5))
    for nothing in (heat([(0.3, 0.3)], [0.0], [0.1], 0.5), heat(np.empty((0, 2)), [], [], 0.5)):
        assert nothing.shape == (192, 96)
        assert not nothing.any()


# ---------------------------------------------------------------------- the colours
@pytest.mark.parametrize("cones", CONES)
def test_the_lightness_of_the_scale_rises_evenly_for_all_users(cones: str) -> None:
    steps = np.diff(lightness(scale(33)[:, :3], cones))
    assert steps.min() > 0
    assert steps.max() / steps.min() < (2 if cones == "all" else 6)
    assert steps.sum() > 60


def test_the_picture_has_the_colours_of_the_scale() -> None:
    image = heat_image(np.array([[0.0, 1.0], [0.5, 0.25]], np.float32))
    assert (image.width(), image.height()) == (2, 2)
    assert image.pixelColor(0, 0).alpha() == 0
    most, last = image.pixelColor(1, 0), QColor(SCALE[-1])
    assert most.alphaF() == pytest.approx(0.85, abs=0.01)
    assert (most.red(), most.green(), most.blue()) == pytest.approx((last.red(), last.green(), last.blue()), abs=2)
    half, middle = image.pixelColor(0, 1), QColor(SCALE[len(SCALE) // 2])
    assert (half.red(), half.green(), half.blue()) == pytest.approx(
        (middle.red(), middle.green(), middle.blue()), abs=4
    )
    assert 0 < image.pixelColor(1, 1).alpha() < half.alpha() < most.alpha()


def test_the_key_shows_the_same_colours() -> None:
    stops = scale_stops(5)
    assert [share for share, _ in stops] == [0, 0.25, 0.5, 0.75, 1]
    assert stops[0][1].alpha() == 0
    assert stops[-1][1].name() == SCALE[-1]
