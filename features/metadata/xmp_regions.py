"""Regions in XMP: names and places of faces and other things on a photo.

According to *Guidelines for Handling Image Metadata 2.0* of the Metadata Working Group, 5.9 (``mwg-rs:Regions``), as
digiKam, Picasa and Lightroom write them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from focal_photos.features.metadata.xmp import parse_xmp
from focal_photos.features.metadata.xmp_packet import RDF, Element, Packet, XmpError, items, text_of

_REGIONS: Final = "{http://www.metadataworkinggroup.com/schemas/regions/}"
_AREA: Final = "{http://ns.adobe.com/xmp/sType/Area#}"
_SIZE: Final = "{http://ns.adobe.com/xap/1.0/sType/Dimensions#}"
_MOST: Final = 10_000  # regions of a photo


@dataclass(frozen=True)
class XmpRegion:
    """A region of a photo.

    Attributes
    ----------
    name : str
        Full name of the tag that ends with the name of the region, if the packet has one ("People/Anna"); else the name
        itself, which may be empty.
    sides : tuple of float
        Left, top, right and bottom; NaN for missing numbers.
    size : tuple of float, or None
        Width and height of the photo in the unit of the sides; None: unknown, and the sides are fractions of the photo.
    """

    name: str
    sides: tuple[float, float, float, float]
    size: tuple[float, float] | None


def parse_regions(packet: bytes) -> list[XmpRegion]:
    """Return the regions in an XMP packet that have a width and a height, or a diameter.

    Raises
    ------
    XmpError
        As for `Packet`, or if there are implausibly many.
    """
    document = Packet(packet)
    tags = {tag.rpartition("/")[2]: tag for tag in parse_xmp(packet).tags if "/" in tag}
    found: list[XmpRegion] = []
    for regions in document.elements((f"{_REGIONS}Regions",)):
        dimensions = _child(regions, f"{_REGIONS}AppliedToDimensions")
        size = (math.nan, math.nan)
        if dimensions is not None:
            size = (_number(_field(dimensions, f"{_SIZE}w")), _number(_field(dimensions, f"{_SIZE}h")))
        listed = _child(regions, f"{_REGIONS}RegionList")
        for item in items(listed) if listed is not None else ():
            area = _child(item, f"{_REGIONS}Area")
            if area is None:
                continue
            name = " ".join(_field(item, f"{_REGIONS}Name").split())
            region = _region(tags.get(name, name), area, size)
            if region is not None:
                found.append(region)
            if len(found) > _MOST:
                raise XmpError("It lists more than {0:,} regions, which is not plausible.", _MOST)
    return found


def _region(name: str, area: Element, size: tuple[float, float]) -> XmpRegion | None:
    """Return the region of an area, whose x and y are its centre; None if it is a point."""
    is_known = all(math.isfinite(side) and side > 0 for side in size)
    in_pixels = _field(area, f"{_AREA}unit") == "pixel"
    scale = size if is_known and not in_pixels else (1.0, 1.0)
    x, y, width, height, diameter = (_field(area, f"{_AREA}{part}") for part in ("x", "y", "w", "h", "d"))
    if not (width and height) and not diameter:
        return None
    if width and height:
        half = (_number(width) * scale[0] / 2, _number(height) * scale[1] / 2)
    else:  # a circle, whose diameter is a fraction of the shorter side
        half = (_number(diameter) * min(scale) / 2,) * 2
    centre = (_number(x) * scale[0], _number(y) * scale[1])
    sides = (centre[0] - half[0], centre[1] - half[1], centre[0] + half[0], centre[1] + half[1])
    return XmpRegion(name, sides, size if is_known else None)


def _fields(element: Element) -> list[Element]:
    """Return the elements that hold the fields of a structure: it itself, and a description in it."""
    return [element, *element.iterchildren(f"{RDF}Description")]


def _child(element: Element, name: str) -> Element | None:
    return next((child for one in _fields(element) for child in one.iterchildren(name)), None)


def _field(element: Element, name: str) -> str:
    """Return the text of a field of a structure, written as an attribute or an element; empty if there is none."""
    for one in _fields(element):
        if one.get(name) is not None:
            return str(one.get(name)).strip()
    child = _child(element, name)
    return "" if child is None else text_of(child).strip()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
