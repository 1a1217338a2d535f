# SPDX-License-Identifier: MIT
"""Geometry of boxes: between photo and screen, handles, and changes that stay inside the photo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF

from focal_photos.browser.catalog.facts.records import Region


class Handle(NamedTuple):
    """A handle of a box: the sides that it moves."""

    across: int
    down: int
    """`across` and `down`: -1 for the left or upper side, 1 for the right or lower side, 0 for neither."""


HANDLES: Final = tuple(Handle(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if across or down)


def on_screen(region: Region, photo: QRectF) -> QRectF:
    """Return the rectangle of a region, given that of the whole photo."""
    corner = QPointF(photo.left() + region.x0 * photo.width(), photo.top() + region.y0 * photo.height())
    return QRectF(corner, QSizeF((region.x1 - region.x0) * photo.width(), (region.y1 - region.y0) * photo.height()))


def on_photo(rect: QRectF, photo: QRectF) -> Region | None:
    """Return the region below a rectangle; None if it is outside the photo."""
    inside = rect.intersected(photo)
    if inside.isEmpty():
        return None
    x0, x1 = ((x - photo.left()) / photo.width() for x in (inside.left(), inside.right()))
    y0, y1 = ((y - photo.top()) / photo.height() for y in (inside.top(), inside.bottom()))
    return Region(max(x0, 0.0), max(y0, 0.0), min(x1, 1.0), min(y1, 1.0))


def handle_places(rect: QRectF) -> dict[Handle, QPointF]:
    """Return the middle of each handle of a rectangle."""
    half = QPointF(rect.width() / 2, rect.height() / 2)
    return {handle: rect.center() + QPointF(handle.across * half.x(), handle.down * half.y()) for handle in HANDLES}


def handle_at(rect: QRectF, point: QPointF, reach: float) -> Handle | None:
    """Return the handle of a rectangle at a point: a corner or a side within `reach`, but not the middle."""
    if not rect.adjusted(-reach, -reach, reach, reach).contains(point):
        return None
    sides = []
    for low, high, at in ((rect.left(), rect.right(), point.x()), (rect.top(), rect.bottom(), point.y())):
        inside = min(reach, (high - low) / 4)  # a small box can be moved too
        near = -1 if at < low + inside else 1 if at > high - inside else 0
        sides.append(near)
    return Handle(*sides) if any(sides) else None


def box_at(rects: Sequence[QRectF], point: QPointF) -> int | None:
    """Return the index of the smallest rectangle that contains a point, because it may lie in a larger one."""
    found = [(rect.width() * rect.height(), index) for index, rect in enumerate(rects) if rect.contains(point)]
    return min(found)[1] if found else None


def overlap(one: Region, other: Region) -> bool:
    """Return whether two regions overlap."""
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def moved(region: Region, across: float, down: float) -> Region:
    """Return a region moved by fractions of the photo, up to its edges."""
    across = min(max(across, -region.x0), 1 - region.x1)
    down = min(max(down, -region.y0), 1 - region.y1)
    return Region(region.x0 + across, region.y0 + down, region.x1 + across, region.y1 + down)


def resized(region: Region, handle: Handle, across: float, down: float, least: QSizeF) -> Region:
    """Return a region with the sides of a handle moved by fractions of the photo.

    Parameters
    ----------
    least : QSizeF
        Smallest width and height, as fractions.
    """
    x0, x1 = _sides(region.x0, region.x1, handle.across, across, least.width())
    y0, y1 = _sides(region.y0, region.y1, handle.down, down, least.height())
    return Region(x0, y0, x1, y1)


def _sides(low: float, high: float, which: int, by: float, least: float) -> tuple[float, float]:
    """Move one of two sides, up to the edge of the photo and to the smallest distance."""
    if which < 0:
        low = max(0.0, min(low + by, max(high - least, 0.0)))
    elif which > 0:
        high = min(1.0, max(high + by, min(low + least, 1.0)))
    return low, high


def snapped(region: Region, pixels: tuple[int, int]) -> Region:
    """Return a region with its sides between pixels of the photo, at least one pixel wide and high.

    Parameters
    ----------
    pixels : tuple of int and int
        Width and height of the photo; (0, 0) if unknown.
    """
    if not all(pixels):
        return region
    x0, x1 = _between(region.x0, region.x1, pixels[0])
    y0, y1 = _between(region.y0, region.y1, pixels[1])
    return Region(x0, y0, x1, y1)


def _between(low: float, high: float, pixels: int) -> tuple[float, float]:
    first, last = round(low * pixels), round(high * pixels)
    if first == last:  # smaller than a pixel: the one that contains the middle
        first = min(int((low + high) / 2 * pixels), pixels - 1)
        last = first + 1
    return first / pixels, last / pixels
