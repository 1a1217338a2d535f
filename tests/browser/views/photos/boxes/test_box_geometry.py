# SPDX-License-Identifier: MIT
"""Geometry of boxes: places on the screen, handles, and changes that stay inside the photo."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.views.photos.boxes.box_geometry import (
    HANDLES,
    Handle,
    box_at,
    handle_at,
    handle_places,
    moved,
    on_photo,
    on_screen,
    resized,
    snapped,
)

PHOTO = QRectF(40, 30, 400, 200)
SHARES = st.floats(0, 1, width=32)
STEPS = st.floats(-2, 2, width=32)


@st.composite
def regions(draw: st.DrawFn) -> Region:
    (x0, x1), (y0, y1) = (sorted(draw(st.lists(SHARES, min_size=2, max_size=2, unique=True))) for _ in range(2))
    return Region(x0, y0, x1, y1)


def is_inside(region: Region) -> bool:
    return 0 <= region.x0 < region.x1 <= 1 and 0 <= region.y0 < region.y1 <= 1


def test_a_region_has_its_place_on_the_screen() -> None:
    region = Region(0.25, 0.1, 0.5, 0.6)
    assert on_screen(region, PHOTO) == QRectF(140, 50, 100, 100)
    found = on_photo(on_screen(region, PHOTO), PHOTO)
    assert found is not None
    assert (found.x0, found.y0, found.x1, found.y1) == pytest.approx((0.25, 0.1, 0.5, 0.6))


def test_a_rectangle_outside_the_photo_has_no_region() -> None:
    assert on_photo(QRectF(0, 0, 20, 20), PHOTO) is None
    assert on_photo(QRectF(0, 0, 140, 130), PHOTO) == Region(0, 0, 0.25, 0.5)


def test_handles_are_grabbed_at_corners_and_along_sides() -> None:
    rect = QRectF(100, 100, 200, 80)
    for handle, place in handle_places(rect).items():
        assert handle_at(rect, place + QPointF(3, -3), 6) == handle
    assert handle_at(rect, QPointF(100, 150), 6) == Handle(-1, 0)
    assert handle_at(rect, rect.center(), 6) is None
    assert handle_at(rect, QPointF(85, 150), 6) is None
    small = QRectF(100, 100, 8, 8)
    assert handle_at(small, small.center(), 6) is None, "a small box can be moved"


def test_the_smallest_box_at_a_point_is_found() -> None:
    rects = [QRectF(0, 0, 100, 100), QRectF(10, 10, 20, 20), QRectF(0, 0, 50, 50)]
    assert box_at(rects, QPointF(15, 15)) == 1
    assert box_at(rects, QPointF(40, 40)) == 2
    assert box_at(rects, QPointF(140, 40)) is None


@given(regions(), STEPS, STEPS)
def test_a_moved_box_keeps_its_size_and_stays_inside(region: Region, across: float, down: float) -> None:
    found = moved(region, across, down)
    assert found.x1 - found.x0 == pytest.approx(region.x1 - region.x0, abs=1e-6)
    assert found.y1 - found.y0 == pytest.approx(region.y1 - region.y0, abs=1e-6)
    assert -1e-9 <= found.x0 <= found.x1 <= 1 + 1e-9
    assert -1e-9 <= found.y0 <= found.y1 <= 1 + 1e-9


@given(regions(), st.sampled_from(HANDLES), STEPS, STEPS)
def test_a_resized_box_is_valid_and_keeps_its_other_sides(
    region: Region, handle: Handle, across: float, down: float
) -> None:
    found = resized(region, handle, across, down, QSizeF(0.01, 0.01))
    assert is_inside(found)
    if handle.across >= 0:
        assert found.x0 == region.x0
    if handle.across <= 0:
        assert found.x1 == region.x1
    if handle.down >= 0:
        assert found.y0 == region.y0
    if handle.down <= 0:
        assert found.y1 == region.y1


@given(regions(), st.integers(1, 5000), st.integers(1, 5000))
@example(Region(0.0, 0.375, 1.0, 0.4375), 1, 2)
def test_a_snapped_box_has_whole_pixels(region: Region, wide: int, high: int) -> None:
    found = snapped(region, (wide, high))
    assert is_inside(found)
    for side, pixels in ((found.x0, wide), (found.x1, wide), (found.y0, high), (found.y1, high)):
        assert side * pixels == pytest.approx(round(side * pixels), abs=1e-6)
    assert snapped(found, (wide, high)) == found
    assert abs(found.x0 - region.x0) <= 1 / wide
    assert abs(found.y1 - region.y1) <= 1 / high


def test_a_photo_of_unknown_size_does_not_snap() -> None:
    region = Region(0.123, 0.2, 0.3, 0.4)
    assert snapped(region, (0, 0)) == region
