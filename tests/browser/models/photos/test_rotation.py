# SPDX-License-Identifier: MIT
from __future__ import annotations

from itertools import pairwise

import pytest

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.photos.rotation import rotated_point, rotated_region


def test_corners_rotate_clockwise() -> None:
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)]
    for here, there in pairwise(corners):
        assert rotated_point(*here, 1) == there
        assert rotated_point(*there, -1) == here
    assert rotated_point(0.25, 0.5, 2) == (0.75, 0.5)
    assert rotated_point(0.25, 0.5, 4) == (0.25, 0.5)


@pytest.mark.parametrize("quarters", range(-4, 5))
def test_a_region_rotates_with_the_photo_and_back(quarters: int) -> None:
    part = Region(0.125, 0.25, 0.5, 0.875)
    rotated = rotated_region(part, quarters)
    assert rotated_region(rotated, -quarters) == part
    assert rotated.x0 < rotated.x1
    assert rotated.y0 < rotated.y1
    sides = rotated.x1 - rotated.x0, rotated.y1 - rotated.y0
    assert sides == ((0.625, 0.375) if quarters % 2 else (0.375, 0.625))


def test_rotating_right_moves_a_region_from_left_to_top() -> None:
    assert rotated_region(Region(0, 0.25, 0.25, 0.5), 1) == Region(0.5, 0, 0.75, 0.25)
