# SPDX-License-Identifier: MIT
"""Regions of photos in XMP, in sidecars and photo files below a folder, read only.

`operations.metadata.sidecar_regions` tells what the places of regions refer to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.exchange.datasets.media import files_below
from focal_photos.browser.operations.exchange.datasets.shapes import FRACTIONS
from focal_photos.browser.operations.exchange.file_contents import FoundBox, TaggedFile
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.metadata.sidecar_regions import Upright
from focal_photos.features.decoding.decode import probe
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.limits import ImageError
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.metadata.containers import find_blocks
from focal_photos.features.metadata.xmp import XmpError
from focal_photos.features.metadata.xmp_packet import MAX_BYTES
from focal_photos.features.metadata.xmp_regions import XmpRegion, parse_regions, rotated

_SIDECAR: Final = ".xmp"


def read(folder: Path) -> Iterator[TaggedFile]:
    """Yield each photo whose sidecar or file has regions; files that cannot be read are passed over.

    Raises
    ------
    OperationError
        If no file has regions.
    """
    number = 0
    for name in files_below(folder, IMAGE_SUFFIXES | {_SIDECAR}):
        path = folder / name
        drawn = tuple(_regions(path))
        if not drawn:
            continue
        number += 1
        labels = tuple(dict.fromkeys(box.label for box in drawn if box.label))
        yield TaggedFile(number, tuple(_photos(path, folder)), (), boxes=labels, drawn=drawn)
    if not number:
        raise OperationError("No sidecar or photo in {0} has regions: name the folder of the photos.", folder)


def _photos(path: Path, folder: Path) -> list[Path]:
    """Return the photos to which a file may belong, relative to the folder."""
    if path.suffix.lower() != _SIDECAR:
        return [path.relative_to(folder)]
    whole = path.with_suffix("")
    beside = sorted(one for one in path.parent.iterdir() if one.stem == whole.name and one.suffix.lower() != _SIDECAR)
    return [one.relative_to(folder) for one in (whole, *beside)]


def _regions(path: Path) -> Iterator[FoundBox]:
    try:
        with open_regular(path) as stream:
            packets = [stream.read(MAX_BYTES + 1)] if path.suffix.lower() == _SIDECAR else find_blocks(stream).xmp
        photo: Upright | None = None
        for packet in packets:
            for region in parse_regions(packet):
                photo = photo or _upright(path)
                yield _upright_box(region, photo)
    except (OSError, XmpError, ValueError):
        return


def _upright(path: Path) -> Upright:
    """Return size and orientation of the photo of a file; the orientation is 1 if no photo can be read."""
    for photo in [path.parent / one.name for one in _photos(path, path.parent)]:
        with suppress(ImageError, OSError):
            header = probe(photo)
            return Upright(header.width, header.height, header.orientation)
    return Upright(1, 1, 1)


def _upright_box(region: XmpRegion, photo: Upright) -> FoundBox:
    """Return a region on the upright photo; regions refer to the stored pixels."""
    orientation = photo.orientation_of(region.size) or 1
    if orientation == 1:
        return FoundBox(region.name, region.sides, region.size or FRACTIONS)
    width, height = region.size or FRACTIONS
    x0, y0, x1, y1 = region.sides
    return FoundBox(region.name, rotated((x0 / width, y0 / height, x1 / width, y1 / height), orientation), FRACTIONS)
