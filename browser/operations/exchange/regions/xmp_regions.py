"""Regions of photos in XMP, in sidecars and photo files below a folder, read only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.exchange.datasets.media import files_below
from focal_photos.browser.operations.exchange.datasets.shapes import FRACTIONS
from focal_photos.browser.operations.exchange.file_contents import FoundBox, TaggedFile
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.metadata.containers import find_blocks
from focal_photos.features.metadata.xmp import XmpError
from focal_photos.features.metadata.xmp_packet import MAX_BYTES
from focal_photos.features.metadata.xmp_regions import parse_regions

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
        for packet in packets:
            for region in parse_regions(packet):
                yield FoundBox(region.name, region.sides, region.size or FRACTIONS)
    except (OSError, XmpError, ValueError):
        return
