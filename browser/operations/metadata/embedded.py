# SPDX-License-Identifier: MIT
"""Read and join the EXIF, IPTC and XMP metadata in a photo file without decoding pixels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from focal_photos.browser.catalog.facts.records import Names
from focal_photos.browser.operations.metadata.keywords import Field, keywords_of, without_empty
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.metadata.containers import find_blocks
from focal_photos.features.metadata.exif import parse_exif, read_exif
from focal_photos.features.metadata.iptc import parse_iptc
from focal_photos.features.metadata.metadata import Metadata
from focal_photos.features.metadata.tiff import Tiff
from focal_photos.features.metadata.xmp import parse_xmp

_MOST_NAMES: Final = 1000


@dataclass(frozen=True)
class Embedded:
    """Metadata in a photo file."""

    metadata: Metadata
    problems: tuple[str, ...] = ()
    """Parts that could not be read, in words for the user: "its IPTC block is damaged (...)"."""
    fields: Mapping[str, Names] = field(default_factory=dict)
    """Names of possible tags, by field."""


def read_embedded(path: Path) -> Embedded:
    """Return the metadata in a photo file.

    XMP has priority, then IPTC, then EXIF, because current programs write XMP and keep the other blocks only for older
    programs. Exposure data are taken from EXIF first. Tags of all blocks are joined.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    with open_regular(path) as stream:
        try:
            return _read(stream)
        except OSError:
            raise
        except Exception as error:  # one bad file must not stop the rest
            return Embedded(Metadata(), (f"nothing could be read ({type(error).__name__})",))


def _read(stream: IO[bytes]) -> Embedded:
    blocks = find_blocks(stream)
    problems: list[str] = []
    xmp = _parsed("XMP", parse_xmp, blocks.xmp, problems)
    iptc = _parsed("IPTC", parse_iptc, blocks.iptc, problems)
    exif = _parsed("EXIF", parse_exif, blocks.exif, problems)
    if blocks.tiff:
        exif += _parsed("EXIF", lambda _: read_exif(Tiff(stream)), [b""], problems)
    taken = Metadata().joined(*exif, *xmp, *iptc)
    found = Metadata().joined(*xmp, *iptc, *exif)
    if max(map(len, (found.hierarchical, found.flat, found.cut))) > _MOST_NAMES:
        problems.append(f"it has more than {_MOST_NAMES:,} tags, of which the first were taken")
    joined = Metadata(
        hierarchical=found.hierarchical[:_MOST_NAMES],
        flat=found.flat[:_MOST_NAMES],
        cut=found.cut[:_MOST_NAMES],
        rating=found.rating,
        label=found.label,
        taken=taken.taken,
        camera=taken.camera,
        lens=taken.lens,
        exposure=taken.exposure,
        latitude=taken.latitude,
        longitude=taken.longitude,
    )
    fields = {
        Field.HIERARCHY: keywords_of(xmp, flat=False),
        Field.SUBJECT: keywords_of(xmp, hierarchical=False),
        Field.IPTC: keywords_of(iptc),
        Field.EXIF: keywords_of(exif),
    }
    first = {one: _first_names(names) for one, names in fields.items()}
    return Embedded(joined, tuple(dict.fromkeys(problems)), without_empty(first))


def _first_names(names: Names) -> Names:
    hierarchical, flat, cut = names
    return hierarchical[:_MOST_NAMES], flat[:_MOST_NAMES], cut[:_MOST_NAMES]


def _parsed(
    name: str, parse: Callable[[bytes], Metadata], blocks: Sequence[bytes], problems: list[str]
) -> list[Metadata]:
    found = []
    for block in blocks:
        try:
            found.append(parse(block))
        except ValueError as error:
            problems.append(f"its {name} block is damaged ({error})")
    return found
