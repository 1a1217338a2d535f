# SPDX-License-Identifier: MIT
"""Regions in XMP: names and places of faces and other things on a photo.

According to *Guidelines for Handling Image Metadata 2.0* of the Metadata Working Group, 5.9 (``mwg-rs:Regions``), as
digiKam, Picasa and Lightroom write them. Regions are written as structures of elements (``rdf:parseType="Resource"``),
existing ones in the form that they have. Everything else in a region (its type, description and extensions) stays.

The numbers of a region refer to the stored pixels, before EXIF orientation. `rotated` converts them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from focal_photos.features.metadata.xmp import parse_xmp
from focal_photos.features.metadata.xmp_packet import (
    RDF,
    Element,
    Packet,
    XmpError,
    append,
    items,
    remove,
    text_of,
)

_REGIONS: Final = "{http://www.metadataworkinggroup.com/schemas/regions/}"
_AREA: Final = "{http://ns.adobe.com/xmp/sType/Area#}"
_SIZE: Final = "{http://ns.adobe.com/xap/1.0/sType/Dimensions#}"
_PREFIXES: Final = {_REGIONS: "mwg-rs", _AREA: "stArea", _SIZE: "stDim"}
_MAX_REGIONS: Final = 10_000  # regions of a photo
_DIGITS: Final = 6  # decimals of the fractions that are written

Sides = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True)
class XmpRegion:
    """A region of a photo."""

    name: str
    """Full name of the tag that ends with the name of the region, if the packet has one ("People/Anna"); else the name
    itself, which may be empty."""
    sides: Sides
    """Left, top, right and bottom; NaN for missing numbers."""
    size: tuple[float, float] | None
    """Width and height of the photo in the unit of the sides; None: unknown, and the sides are fractions of the
    photo."""


@dataclass(frozen=True)
class ListedRegion:
    """A region as a packet lists it."""

    number: int
    """Position among all regions of the packet, from 0."""
    name: str
    """As written, with single spaces; may be empty."""
    kind: str
    """Its type (Face, Pet, Focus, BarCode); empty if there is none."""
    sides: Sides
    """In fractions of the stored pixels; NaN for missing numbers."""
    size: tuple[float, float] | None
    """Width and height to which the packet applies its regions, in pixels."""


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
    for item, size in _listed(document):
        sides = _sides(item, size)
        if sides is not None:
            name = _name(item)
            found.append(XmpRegion(tags.get(name, name), sides, size))
    return found


def list_regions(packet: bytes) -> list[ListedRegion]:
    """Return the regions in an XMP packet with their places in it; see `parse_regions`."""
    found: list[ListedRegion] = []
    for number, (item, size) in enumerate(_listed(Packet(packet))):
        sides = _sides(item, size)
        if sides is None:
            continue
        width, height = size or (1.0, 1.0)
        fractions = (sides[0] / width, sides[1] / height, sides[2] / width, sides[3] / height)
        found.append(ListedRegion(number, _name(item), _field(item, f"{_REGIONS}Type"), fractions, size))
    return found


def regions_size(packet: bytes) -> tuple[float, float] | None:
    """Return width and height to which the first list of regions applies, in pixels; None if unknown."""
    return next(map(_size, Packet(packet).elements((f"{_REGIONS}Regions",))), None)


def _listed(document: Packet) -> Iterator[tuple[Element, tuple[float, float] | None]]:
    """Yield each item of the lists of regions, and the size in pixels to which its list applies."""
    number = 0
    for regions in document.elements((f"{_REGIONS}Regions",)):
        size = _size(regions)
        listed = _child(regions, f"{_REGIONS}RegionList")
        for item in items(listed) if listed is not None else ():
            number += 1
            if number > _MAX_REGIONS:
                raise XmpError("It lists more than {0:,} regions, which is not plausible.", _MAX_REGIONS)
            yield item, size


def _size(regions: Element) -> tuple[float, float] | None:
    dimensions = _child(regions, f"{_REGIONS}AppliedToDimensions")
    if dimensions is None:
        return None
    size = (_number(_field(dimensions, f"{_SIZE}w")), _number(_field(dimensions, f"{_SIZE}h")))
    return size if all(math.isfinite(side) and side > 0 for side in size) else None


def _name(item: Element) -> str:
    return " ".join(_field(item, f"{_REGIONS}Name").split())


def _sides(item: Element, size: tuple[float, float] | None) -> Sides | None:
    """Return the sides of a region, in pixels if the size is known; None if it has no area or is a point."""
    area = _child(item, f"{_REGIONS}Area")
    if area is None:
        return None
    in_pixels = _field(area, f"{_AREA}unit") == "pixel"
    scale = size if size is not None and not in_pixels else (1.0, 1.0)
    # The middle, and width and height or a diameter.
    x, y, width, height, diameter = (_field(area, f"{_AREA}{part}") for part in ("x", "y", "w", "h", "d"))
    if not (width and height) and not diameter:
        return None
    if width and height:
        half = (_number(width) * scale[0] / 2, _number(height) * scale[1] / 2)
    else:  # a circle, whose diameter is a fraction of the shorter side
        half = (_number(diameter) * min(scale) / 2,) * 2
    centre = (_number(x) * scale[0], _number(y) * scale[1])
    return centre[0] - half[0], centre[1] - half[1], centre[0] + half[0], centre[1] + half[1]


def rotated(sides: Sides, orientation: int, *, back: bool = False) -> Sides:
    """Return sides in fractions of the upright photo for those of its stored pixels.

    Parameters
    ----------
    orientation : int
        EXIF orientation, 1 to 8.
    back : bool
        Whether to convert from the upright photo to the stored pixels.
    """
    if back:
        orientation = {6: 8, 8: 6}.get(orientation, orientation)
    corners = [_rotated_point(x, y, orientation) for x, y in (sides[:2], sides[2:])]
    (ax, ay), (bx, by) = corners
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _rotated_point(x: float, y: float, orientation: int) -> tuple[float, float]:
    match orientation:
        case 2:
            return 1 - x, y
        case 3:
            return 1 - x, 1 - y
        case 4:
            return x, 1 - y
        case 5:
            return y, x
        case 6:
            return 1 - y, x
        case 7:
            return 1 - y, 1 - x
        case 8:
            return y, 1 - x
    return x, y


# ---------------------------------------------------------------------- writing
def write_regions(
    packet: bytes,
    size: tuple[int, int],
    *,
    changed: Mapping[int, tuple[str, Sides]],
    removed: Collection[int],
    added: Sequence[tuple[str, Sides, str]],
) -> bytes:
    """Change the regions of a packet.

    Parameters
    ----------
    size : tuple of int
        Width and height of the stored pixels, for a packet that has no size of its regions.
    changed : mapping of int to (str, Sides)
        New name (empty: none) and sides in fractions, by `ListedRegion.number`.
    removed : collection of int
        Regions to remove, by `ListedRegion.number`.
    added : sequence of (str, Sides, str)
        Names, sides and types of new regions; an empty type is not written.

    Returns
    -------
    bytes
        The packet itself if nothing changes.

    Raises
    ------
    XmpError
        As for `Packet`, or if there would be implausibly many.
    """
    if not (changed or removed or added):
        return packet
    document = Packet(packet)
    listed = [item for item, _ in _listed(document)]
    if len(listed) + len(added) - len(set(removed)) > _MAX_REGIONS:
        raise XmpError("More than {0:,} regions are not written: no program would read them.", _MAX_REGIONS)
    if added:
        regions = _regions_to_fill(document, size)
    for number, (name, sides) in changed.items():
        _fill(listed[number], name, sides)
    for number in sorted(removed, reverse=True):
        remove(listed[number])
    for name, sides, kind in added:
        container = _container(regions)
        item = _made(container, f"{RDF}li")
        item.set(f"{RDF}parseType", "Resource")
        append(container, item)
        _fill(item, name, sides)
        if kind:
            _set_field(item, f"{_REGIONS}Type", kind)
    if removed:
        _remove_empty(document)
    return document.to_bytes()


def _regions_to_fill(document: Packet, size: tuple[int, int]) -> Element:
    """Return the first list of regions, or a new one, with the size that it applies to."""
    present = document.elements((f"{_REGIONS}Regions",))
    if present:
        regions = present[0]
    else:
        regions = document.add_property(f"{_REGIONS}Regions", _PREFIXES[_REGIONS])
        regions.set(f"{RDF}parseType", "Resource")
    if _size(regions) is None:
        dimensions = _child(regions, f"{_REGIONS}AppliedToDimensions")
        if dimensions is None:
            dimensions = _add_structure(_holder(regions), f"{_REGIONS}AppliedToDimensions")
        for part, value in (("w", str(size[0])), ("h", str(size[1])), ("unit", "pixel")):
            _set_field(dimensions, f"{_SIZE}{part}", value)
    return regions


def _container(regions: Element) -> Element:
    """Return the Bag or Seq of a list of regions; make one if there is none."""
    listed = _child(regions, f"{_REGIONS}RegionList")
    if listed is None:
        holder = _holder(regions)
        listed = _made(holder, f"{_REGIONS}RegionList")
        append(holder, listed)
    container = next(listed.iterchildren(f"{RDF}Bag", f"{RDF}Seq", f"{RDF}Alt"), None)
    if container is None:
        container = _made(listed, f"{RDF}Bag")
        append(listed, container)
    return container


def _remove_empty(document: Packet) -> None:
    """Remove lists without regions, and the regions' structure if only the size is left in it."""
    for regions in document.elements((f"{_REGIONS}Regions",)):
        listed = _child(regions, f"{_REGIONS}RegionList")
        if listed is not None and not (items(listed) and any(len(one) or one.attrib for one in items(listed))):
            remove(listed)
            left = {child.tag for one in _fields(regions) for child in one} - {f"{RDF}Description"}
            if left <= {f"{_REGIONS}AppliedToDimensions"}:
                document.remove_element(regions)


def _fill(item: Element, name: str, sides: Sides) -> None:
    """Write name and place of a region."""
    if name:
        _set_field(item, f"{_REGIONS}Name", name)
    else:
        _remove_field(item, f"{_REGIONS}Name")
    area = _child(item, f"{_REGIONS}Area")
    if area is None:
        area = _add_structure(_holder(item), f"{_REGIONS}Area")
    x0, y0, x1, y1 = sides
    values = {"x": (x0 + x1) / 2, "y": (y0 + y1) / 2, "w": x1 - x0, "h": y1 - y0}
    for part, value in values.items():
        _set_field(area, f"{_AREA}{part}", _decimal(value))
    _remove_field(area, f"{_AREA}d")
    _set_field(area, f"{_AREA}unit", "normalized")


def _decimal(value: float) -> str:
    return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".") or "0"


def _made(parent: Element, name: str) -> Element:
    """Return a new element with a prefix that is declared around it, or else with the usual one."""
    namespace = name[: name.index("}") + 1]
    declared = namespace[1:-1] in parent.nsmap.values() or namespace not in _PREFIXES
    return parent.makeelement(name, nsmap=None if declared else {_PREFIXES[namespace]: namespace[1:-1]})


def _add_structure(parent: Element, name: str) -> Element:
    structure = _made(parent, name)
    structure.set(f"{RDF}parseType", "Resource")
    append(parent, structure)
    return structure


def _holder(structure: Element) -> Element:
    """Return the element that holds the fields of a structure as elements."""
    inner = next(structure.iterchildren(f"{RDF}Description"), None)
    if inner is not None:
        return inner
    if structure.get(f"{RDF}parseType") is None and structure.tag != f"{RDF}Description":
        # Fields written as attributes: RDF has no elements beside them, but a description may have both.
        inner = structure.makeelement(f"{RDF}Description")
        for name, value in structure.attrib.items():
            if not name.startswith(RDF):
                inner.set(name, value)
                del structure.attrib[name]
        for child in list(structure):
            inner.append(child)
        structure.append(inner)
        return inner
    return structure


def _set_field(structure: Element, name: str, value: str) -> None:
    """Write a field where it is written already, or like the other fields of its structure."""
    for one in _fields(structure):
        if one.get(name) is not None:
            one.set(name, value)
            return
    child = _child(structure, name)
    if child is not None:
        for inner in list(child):
            child.remove(inner)
        child.text = value
        return
    namespace = name[: name.index("}") + 1]
    for one in _fields(structure):
        if any(attribute.startswith(namespace) for attribute in one.attrib):
            one.set(name, value)
            return
    holder = _holder(structure)
    field = _made(holder, name)
    field.text = value
    append(holder, field)


def _remove_field(structure: Element, name: str) -> None:
    for one in _fields(structure):
        if one.get(name) is not None:
            del one.attrib[name]
    child = _child(structure, name)
    if child is not None:
        remove(child)


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
