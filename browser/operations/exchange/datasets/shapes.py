# SPDX-License-Identifier: MIT
"""Boxes in files of other programs: as regions of photos, and as numbers of a format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from focal_photos.browser.catalog.facts.records import Box, Photo, Region, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.file_contents import FoundBox, Record

Named = tuple[int, Region, str | None]
"""Photo, region and tag of a box; None: no name."""

FRACTIONS: Final = (1.0, 1.0)
"""Size of an image whose boxes are given in fractions of its width and height."""
_NO_BOX: Final = (math.nan,) * 4
_ASPECT: Final = 0.02  # relative difference of the ratio of width to height, from rounding small sizes
_MAX_FRACTION: Final = 2.0  # a fraction beyond this is in pixels or per cent
_MAX_SIDE_DIFFERENCE: Final = (
    1e-3  # difference between the sides of a box that was written and read again, if it is more than a pixel
)


class Fitted(NamedTuple):
    """A box of a file on a photo."""

    region: Region | None
    """None if the box is invalid."""
    clipped: bool = False
    """Whether more than rounding errors were outside the photo."""


def numbers(values: Any, count: int = 4) -> tuple[float, ...]:
    """Return `count` numbers of a document, or texts of numbers; NaN for all if there are others."""
    if not isinstance(values, list | tuple) or len(values) != count:
        return (math.nan,) * count
    try:
        return tuple(math.nan if isinstance(value, bool) else float(value) for value in values)
    except (TypeError, ValueError, OverflowError):
        return (math.nan,) * count


def from_corner(values: Any) -> tuple[float, float, float, float]:
    """Return the sides of a box given by left, top, width and height."""
    left, top, width, height = numbers(values)
    return left, top, left + width, top + height


def sides_of(values: Any) -> tuple[float, float, float, float]:
    """Return the sides of a box given by left, top, right and bottom."""
    left, top, right, bottom = numbers(values)
    return left, top, right, bottom


def around(points: Iterable[Sequence[Any]]) -> tuple[float, float, float, float]:
    """Return the sides of the smallest box around points; NaN if there are no points or one is invalid."""
    pairs = [numbers(point, 2) for point in points]
    if not pairs or any(math.isnan(part) for pair in pairs for part in pair):
        return _NO_BOX
    xs, ys = zip(*pairs, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def around_turned(
    sides: Sequence[float], degrees: float, about: tuple[float, float]
) -> tuple[float, float, float, float]:
    """Return the sides of the smallest box around a box that is turned clockwise about a point."""
    if not math.isfinite(degrees):
        return _NO_BOX
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    corners = [(x - about[0], y - about[1]) for x in (sides[0], sides[2]) for y in (sides[1], sides[3])]
    return around([(about[0] + x * cosine - y * sine, about[1] + x * sine + y * cosine) for x, y in corners])


def size_of(width: Any, height: Any) -> tuple[float, float] | None:
    """Return the size of an image that a document gives; None if it gives none."""
    found = numbers([width, height], 2)
    return (found[0], found[1]) if all(math.isfinite(side) and side > 0 for side in found) else None


def fitted(found: FoundBox, photo: Photo) -> Fitted:
    """Return the region of a box on a photo, cut to the photo.

    Invalid are boxes that are empty, inverted or outside the photo, smaller than a pixel, for an image of another shape
    than the photo, or in another unit than the format's.
    """
    here = size_of(photo.width, photo.height)
    size = found.size or here
    if size is None or not all(map(math.isfinite, found.sides)):
        return Fitted(None)
    x0, y0, x1, y1 = (side / size[place % 2] for place, side in enumerate(found.sides))
    if size == FRACTIONS and max(map(abs, (x0, y0, x1, y1))) > _MAX_FRACTION:
        return Fitted(None)
    if here is not None:
        other_shape = abs(size[0] / size[1] * here[1] / here[0] - 1) > _ASPECT
        if (size != FRACTIONS and other_shape) or ((x1 - x0) * here[0] < 1 and (y1 - y0) * here[1] < 1):
            return Fitted(None)
    sides = [min(max(side, 0.0), 1.0) for side in (x0, y0, x1, y1)]
    if not (sides[0] < sides[2] and sides[1] < sides[3]):
        return Fitted(None)
    steps = _steps(photo)
    moved = (abs(a - b) > steps[place % 2] for place, (a, b) in enumerate(zip((x0, y0, x1, y1), sides, strict=True)))
    return Fitted(Region(*sides), any(moved))


def add_missing_boxes(library: Library, boxes: Sequence[Named], source: TagSource) -> None:
    """Add boxes that photos do not have, and name those that they have without a name.

    A box is the same if its sides differ by no more than rounding. Part of a journal step begun by the caller.
    """
    wanted: dict[int, list[tuple[Region, str | None]]] = {}
    for photo_id, region, tag in boxes:
        wanted.setdefault(photo_id, []).append((region, tag))
    here = library.boxes.of(wanted)
    new: list[Named] = []
    for photo in library.photos.get(sorted(wanted)):
        steps = _steps(photo)
        there: list[tuple[int | None, Region, str | None]] = [
            (box.id, box.region, box.tag) for box in here.get(photo.id, ())
        ]
        for region, tag in wanted[photo.id]:
            same = [one for one in there if _is_same(one[1], region, steps)]
            if any(one[2] == tag for one in same) or (same and tag is None):
                continue
            unnamed = next((one for one in same if one[2] is None and one[0] is not None), None)
            if unnamed is not None:
                library.boxes.name([unnamed[0] or 0], tag)
                there[there.index(unnamed)] = (unnamed[0], unnamed[1], tag)
            else:
                new.append((photo.id, region, tag))
                there.append((None, region, tag))
    library.boxes.add(new, source)


def _steps(photo: Photo) -> tuple[float, float]:
    """Return the differences of fractions that rounding may cause: a pixel, or a thousandth."""
    return tuple(
        max(_MAX_SIDE_DIFFERENCE, 1.01 / side) if side else _MAX_SIDE_DIFFERENCE for side in (photo.width, photo.height)
    )  # type: ignore[return-value]


def _is_same(one: Region, other: Region, steps: tuple[float, float]) -> bool:
    return (
        max(abs(one.x0 - other.x0), abs(one.x1 - other.x1)) <= steps[0]
        and max(abs(one.y0 - other.y0), abs(one.y1 - other.y1)) <= steps[1]
    )


# ---------------------------------------------------------------------- writing
def named(boxes: Iterable[Box]) -> list[tuple[Region, str]]:
    """Return the boxes that have a name; no format has boxes without one."""
    return [(box.region, box.tag) for box in boxes if box.tag is not None]


def in_pixels(region: Region, record: Record) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a region in pixels of the photo, to a hundredth."""
    width, height = record["width"], record["height"]
    return (
        round(region.x0 * width, 2),
        round(region.y0 * height, 2),
        round(region.x1 * width, 2),
        round(region.y1 * height, 2),
    )
