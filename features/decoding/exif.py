# SPDX-License-Identifier: MIT
"""Orientation and date of an opened photo."""

from __future__ import annotations

import enum
import re
from contextlib import suppress
from datetime import datetime
from typing import IO, Final

from PIL import ImageFile

from focal_photos.features.metadata.exif import open_exif, read_orientation_and_date
from focal_photos.features.metadata.tiff import Tiff, TiffError

_PNG_TEXT: Final = "Raw profile type exif"
_XMP_ORIENTATION: Final = re.compile(r'tiff:Orientation(?:="|>)([0-9])')


class Orientation(enum.IntEnum):
    """EXIF tag 274: transformation that makes the stored pixels upright."""

    NORMAL = 1
    MIRRORED = 2
    HALF_TURN = 3
    FLIPPED = 4
    TRANSPOSED = 5
    TURNED_RIGHT = 6
    TRANSVERSED = 7
    TURNED_LEFT = 8

    @classmethod
    def of(cls, number: float | None) -> Orientation | None:
        """Return the orientation of a number in a file; None if it is missing or invalid."""
        return next((one for one in cls if one == number), None)

    @property
    def swaps_sides(self) -> bool:
        """True if width and height are swapped."""
        return self >= Orientation.TRANSPOSED


class WithOrientation:
    """Mixin of opened images whose decoder has read the orientation and the date."""

    orientation: Orientation = Orientation.NORMAL
    taken: datetime | None = None


def orientation_and_date(image: ImageFile.ImageFile) -> tuple[Orientation | None, datetime | None]:
    """Return orientation and date; a damaged EXIF block counts as none, so that the photo can still be used."""
    if isinstance(image, WithOrientation):
        return image.orientation, image.taken
    number, taken = None, None
    with suppress(ValueError):
        number, taken = read_orientation_and_date(open_exif(_block(image)))
    if number is None:
        xmp = image.info.get("XML:com.adobe.xmp") or image.info.get("xmp") or ""
        found = _XMP_ORIENTATION.search(xmp if isinstance(xmp, str) else xmp.decode("latin-1"))
        number = int(found[1]) if found else None
    return Orientation.of(number), taken


def orientation_and_date_of_tiff(stream: IO[bytes]) -> tuple[Orientation, datetime | None]:
    """Return orientation and date of a TIFF file; a damaged directory counts as none."""
    try:
        number, taken = read_orientation_and_date(Tiff(stream))
    except TiffError:
        return Orientation.NORMAL, None
    return Orientation.of(number) or Orientation.NORMAL, taken


def _block(image: ImageFile.ImageFile) -> bytes:
    """Return the EXIF block of an image, or the one that ImageMagick writes as PNG text; empty if there is none."""
    block: bytes | None = image.info.get("exif")
    return bytes.fromhex("".join(image.info.get(_PNG_TEXT, "").split("\n")[3:])) if block is None else block
