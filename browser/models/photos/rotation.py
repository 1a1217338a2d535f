# SPDX-License-Identifier: MIT
"""Conversion of places on a photo to its displayed rotation; computed places refer to the unrotated file."""

from __future__ import annotations

from focal_photos.browser.catalog.facts.records import Region


def rotated_point(x: float, y: float, quarters: int) -> tuple[float, float]:
    """Rotate a point, given as shares of width and height, clockwise by quarter turns."""
    for _ in range(quarters % 4):
        x, y = 1 - y, x
    return x, y


def rotated_region(region: Region, quarters: int) -> Region:
    """Rotate a region of a photo clockwise by quarter turns."""
    ends = [rotated_point(*corner, quarters) for corner in ((region.x0, region.y0), (region.x1, region.y1))]
    (x0, x1), (y0, y1) = (sorted(sides) for sides in zip(*ends, strict=True))
    return Region(x0, y0, x1, y1)
