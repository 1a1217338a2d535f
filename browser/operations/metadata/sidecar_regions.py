# SPDX-License-Identifier: MIT
"""Regions of a sidecar as boxes of a photo, and boxes as regions.

**Places.** Regions refer to the stored pixels of the photo, before EXIF orientation (*Guidelines for Handling Image
Metadata 2.0*, 5.9; digiKam, Lightroom and Immich agree), boxes to the upright photo. If the size that a sidecar gives
for its regions (``AppliedToDimensions``) has the shape of the upright photo only, the program meant the upright photo.
If it has the shape of neither, the regions belong to another version of the photo, and Focal leaves them alone.

**Names.** The name of a region is the last part of a tag, as in digiKam, or the full tag if another tag of the photo
ends with the same part. A name without such a tag is a tag itself. The types of regions (Face, Pet, Focus, BarCode) do
not cover all things: a new region is a Face if its tag is below People or the like, and has no type otherwise.

Points, regions outside the photo, and regions of the types Focus and BarCode are no boxes; they stay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from focal_photos.browser.catalog.facts.records import NamedRegion, Photo, Region
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.metadata.box_merge import Boxes, Change, Steps, in_order, is_near, steps_of
from focal_photos.features.decoding.decode import probe
from focal_photos.features.decoding.limits import ImageError
from focal_photos.features.metadata.xmp_regions import (
    ListedRegion,
    Sides,
    list_regions,
    regions_size,
    rotated,
    write_regions,
)

_NO_BOXES: Final = frozenset({"Focus", "BarCode"})
_PEOPLE: Final = frozenset({"people", "persons", "faces", "personen", "gesichter"})
_MARK: Final = b"RegionList"  # without it, a sidecar has no regions
_MIN_SLOW_REGIONS: Final = 500  # regions whose merge takes a moment
_MAX_FRACTION: Final = 2.0  # a fraction beyond this is in pixels or per cent
_ASPECT: Final = 0.02  # relative difference of the ratio of width to height, from rounding small sizes


class Upright(NamedTuple):
    """A photo's size after EXIF orientation, and the orientation of its stored pixels (1 to 8)."""

    width: int
    height: int
    orientation: int

    @property
    def stored_size(self) -> tuple[int, int]:
        """Width and height of the stored pixels."""
        return (self.height, self.width) if self.orientation > 4 else (self.width, self.height)

    @property
    def steps(self) -> Steps:
        """Differences of the sides of a box that rounding may cause."""
        return steps_of(self.width, self.height)

    def orientation_of(self, size: tuple[float, float] | None) -> int | None:
        """Return the orientation of regions that apply to an image of this size; None if it has another shape."""
        if size is None or _has_shape(size, self.stored_size):
            return self.orientation
        return 1 if _has_shape(size, (self.width, self.height)) else None


@dataclass
class FoundRegions:
    """The regions of a sidecar."""

    boxes: Boxes = ()
    numbers: list[tuple[NamedRegion, int, int]] = field(default_factory=list)
    """Each box with its number in the packet and the orientation of its numbers."""
    problems: list[str] = field(default_factory=list)
    """Names that no tag can have, for the user."""
    left_alone: str = ""
    """Why the regions are left alone, for the user; empty if they are exchanged."""


def has_regions(packet: bytes) -> bool:
    """Return whether a sidecar may have regions, without parsing it."""
    return _MARK in packet or _MARK in packet.replace(b"\0", b"")


def upright(path: Path, photo: Photo) -> Upright | None:
    """Return size and orientation of a photo; None if it cannot be read or its file has another size by now."""
    try:
        header = probe(path)
    except (ImageError, OSError):
        return None
    if (header.width, header.height) != (photo.width, photo.height):
        return None
    return Upright(header.width, header.height, header.orientation)


def find_regions(
    packet: bytes,
    photo: Upright,
    tags: Iterable[str],
    known: Sequence[NamedRegion],
    other_names: Mapping[str, str],
) -> FoundRegions:
    """Return the regions of a sidecar.

    Parameters
    ----------
    tags : iterable of str
        Tags of the sidecar.
    known : sequence of NamedRegion
        The photo's boxes at the last exchange and in Focal, which tell what an ambiguous name means.
    other_names : mapping of str to str
        Aliases of tags, with the tags.

    Raises
    ------
    XmpError
        As for `features.metadata.xmp_regions.list_regions`.
    """
    found = FoundRegions()
    if not has_regions(packet):
        return found
    listed = [one for one in list_regions(packet) if one.kind not in _NO_BOXES]
    if len(listed) > _MIN_SLOW_REGIONS:
        found.left_alone = Text("It has more than {0} regions: they are not exchanged.", _MIN_SLOW_REGIONS)
        return found
    endings: dict[str, list[str]] = {}
    for known_tag in tags:
        endings.setdefault(known_tag.rpartition("/")[2], []).append(known_tag)
    for one in listed:
        orientation = photo.orientation_of(one.size)
        if orientation is None:
            found.left_alone = Text("Its regions are those of an image of another shape: they are not exchanged.")
            return found
        region = _region(one, orientation, photo)
        if region is None:
            continue
        tag: str | None = None
        try:
            if one.name:
                tag = _tag(one.name, region, endings, known, other_names, photo.steps)
        except TagNameError as error:
            found.problems.append(Text("The region “{0}” is not exchanged: {1}", one.name[:80], error))
            continue
        found.numbers.append((NamedRegion(tag, region), one.number, orientation))
    found.boxes = in_order(box for box, _, _ in found.numbers)
    return found


def change_regions(
    packet: bytes, photo: Upright, found: FoundRegions, changes: Collection[Change], tags: Collection[str]
) -> bytes:
    """Write changes of boxes to a packet.

    Parameters
    ----------
    found : FoundRegions
        The regions of the same packet.
    tags : collection of str
        Tags that the packet has by now.

    Raises
    ------
    XmpError
        As for `features.metadata.xmp_regions.write_regions`.
    """
    left = list(found.numbers)
    changed: dict[int, tuple[str, Sides]] = {}
    removed: list[int] = []
    added: list[tuple[str, Sides, str]] = []
    for old, new in changes:
        if old is None:
            if new is not None:
                orientation = photo.orientation_of(regions_size(packet)) or photo.orientation
                added.append((_name(new.tag, tags), _sides(new.region, orientation), _kind(new.tag)))
            continue
        row = next(one for one in left if one[0] == old)
        left.remove(row)
        if new is None:
            removed.append(row[1])
        else:
            changed[row[1]] = (_name(new.tag, tags), _sides(new.region, row[2]))
    return write_regions(packet, photo.stored_size, changed=changed, removed=removed, added=added)


def _region(one: ListedRegion, orientation: int, photo: Upright) -> Region | None:
    """Return the place of a region on the upright photo, cut to the photo; None if it is no box."""
    if not all(abs(side) <= _MAX_FRACTION for side in one.sides):  # nor NaN
        return None
    x0, y0, x1, y1 = (min(max(side, 0.0), 1.0) for side in rotated(one.sides, orientation))
    is_point = (x1 - x0) * photo.width < 1 and (y1 - y0) * photo.height < 1
    return Region(x0, y0, x1, y1) if x0 < x1 and y0 < y1 and not is_point else None


def _tag(
    name: str,
    region: Region,
    endings: Mapping[str, Sequence[str]],
    known: Sequence[NamedRegion],
    other_names: Mapping[str, str],
    steps: Steps,
) -> str:
    """Return the tag that a name means."""
    tag = normalise(name)
    candidates = () if "/" in tag else endings.get(tag, ())
    if len(candidates) == 1:
        return candidates[0]
    if "/" not in tag:
        for box in known:
            if box.tag is not None and _ends(box.tag, tag) and is_near(box.region, region, steps):
                return box.tag
    if candidates and tag not in candidates:
        return candidates[-1]
    return other_names.get(tag, tag)


def _ends(tag: str, name: str) -> bool:
    return tag.rpartition("/")[2] == name


def _name(tag: str | None, tags: Collection[str]) -> str:
    """Return the name of a region for a tag."""
    if tag is None:
        return ""
    last = tag.rpartition("/")[2]
    return tag if any(other != tag and _ends(other, last) for other in tags) else last


def _kind(tag: str | None) -> str:
    """Return the type of a new region: a face if its tag is below a top level for people."""
    top, _, below = (tag or "").partition("/")
    return "Face" if below and top.casefold() in _PEOPLE else ""


def _sides(region: Region, orientation: int) -> Sides:
    return rotated((region.x0, region.y0, region.x1, region.y1), orientation, back=True)


def _has_shape(size: tuple[float, float], other: tuple[int, int]) -> bool:
    return abs(size[0] / size[1] * other[1] / other[0] - 1) <= _ASPECT
