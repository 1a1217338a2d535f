"""Places on a photo that is shown turned: what is found out of photos is of their files, which stay as they are."""

from __future__ import annotations

from focal_photos.browser.catalog.facts.records import Region


def turned_point(x: float, y: float, quarters: int) -> tuple[float, float]:
    """Return where a point lies, in shares of width and height, once the photo is turned clockwise by some quarters."""
    for _ in range(quarters % 4):
        x, y = 1 - y, x
    return x, y


def turned_region(region: Region, quarters: int) -> Region:
    """Return where a part of a photo lies once the photo is turned clockwise by some quarters."""
    ends = [turned_point(*corner, quarters) for corner in ((region.x0, region.y0), (region.x1, region.y1))]
    (x0, x1), (y0, y1) = (sorted(sides) for sides in zip(*ends, strict=True))
    return Region(x0, y0, x1, y1)
