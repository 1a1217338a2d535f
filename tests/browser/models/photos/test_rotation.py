# SPDX-License-Identifier: MIT
from __future__ import annotations

from itertools import pairwise

import pytest

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.photos.rotation import turned_point, turned_region


def test_corners_rotate_clockwise() -> None:
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)]
    for here, there in pairwise(corners):
        assert turned_point(*here, 1) == there
        assert turned_point(*there, -1) == here
    assert turned_point(0.25, 0.5, 2) == (0.75, 0.5)
    assert turned_point(0.25, 0.5, 4) == (0.25, 0.5)


@pytest.mark.parametrize("quarters", range(-4, 5))
def test_a_region_rotates_with_the_photo_and_back(quarters: int) -> None:
    part = Region(0.125, 0.25, 0.5, 0.875)
    turned = turned_region(part, quarters)
    assert turned_region(turned, -quarters) == part
    assert turned.x0 < turned.x1
    assert turned.y0 < turned.y1
    sides = turned.x1 - turned.x0, turned.y1 - turned.y0
    assert sides == ((0.625, 0.375) if quarters % 2 else (0.375, 0.625))


def test_rotating_right_moves_a_region_from_left_to_top() -> None:
    assert turned_region(Region(0, 0.25, 0.25, 0.5), 1) == Region(0.5, 0, 0.75, 0.25)
