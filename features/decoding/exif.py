"""Orientation and date of a photo from its EXIF block."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Final

from PIL import Image, ImageFile

_ORIENTATION: Final = 0x0112
_EXIF_IFD: Final = 0x8769
_DATE_TAKEN: Final = 0x9003
_DATE_DIGITISED: Final = 0x9004
_DATE_CHANGED: Final = 0x0132


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

    @property
    def swaps_sides(self) -> bool:
        """True if width and height are swapped."""
        return self >= Orientation.TRANSPOSED


def orientation_and_date(image: ImageFile.ImageFile) -> tuple[Orientation | None, datetime | None]:
    """Return orientation and date; a damaged EXIF block counts as none, so that the photo can still be used."""
    try:
        # The base class's method, because that of PngImageFile would decode the pixels.
        exif = Image.Image.getexif(image)
        number = exif.get(_ORIENTATION)
    except Exception:
        return None, None
    orientation = Orientation(number) if number in set(Orientation) else None
    return orientation, date_taken(exif)


def date_taken(exif: Image.Exif) -> datetime | None:
    """Return the date taken, in the camera's local time, or else the date of the last change."""
    try:
        details = exif.get_ifd(_EXIF_IFD)
        dates = (details.get(_DATE_TAKEN), details.get(_DATE_DIGITISED), exif.get(_DATE_CHANGED))
    except Exception:
        return None
    return next((d for d in map(_date, dates) if d is not None), None)


def _date(text: object) -> datetime | None:
    try:
        return datetime.strptime(str(text).strip("\0 ")[:19], "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None
