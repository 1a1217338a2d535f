# SPDX-License-Identifier: MIT
"""Parse EXIF: exposure data, and ratings and keywords written by Windows.

Source: Exif 2.32 (CIPA DC-008, 2019), sections 4.6.4 to 4.6.6; the tags of Windows are documented by Microsoft for
photo metadata (0x4746 Rating, 0x4749 RatingPercent, 0x9C9E XPKeywords).
"""

from __future__ import annotations

import io
import math
from contextlib import suppress
from datetime import datetime
from typing import Final

from focal_photos.features.metadata.metadata import Metadata, one_line
from focal_photos.features.metadata.tiff import Directory, Tiff, TiffError

PREFIX: Final = b"Exif\0\0"

_MAKE, _MODEL, _ORIENTATION, _CHANGED, _RATING, _PERCENT = 0x010F, 0x0110, 0x0112, 0x0132, 0x4746, 0x4749
_DETAILS, _GPS, _KEYWORDS = 0x8769, 0x8825, 0x9C9E
_SECONDS, _APERTURE, _ISO, _TAKEN, _DIGITISED = 0x829A, 0x829D, 0x8827, 0x9003, 0x9004
_INDEX, _FOCAL_LENGTH, _LENS_RANGE, _LENS_MAKE, _LENS = 0x8832, 0x920A, 0xA432, 0xA433, 0xA434
_SOUTH_NORTH, _LATITUDE, _WEST_EAST, _LONGITUDE = 1, 2, 3, 4

_COMPANY: Final = {"corporation", "corp", "corp.", "co", "co.", "co.,", "company", "ltd", "ltd.", "inc", "inc.", "ag"}
_COMPANY_WORDS: Final = {"imaging", "optical", "camera", "camera,", "cameras", "digital", "electric", "electronics"}
_NO_NAME: Final = frozenset(_COMPANY | _COMPANY_WORDS)
"""Words without information in a maker's name, as in NIKON CORPORATION."""
_NO_ISO: Final = 65535  # the value is then in the recommended exposure index
_PERCENTS: Final = (1, 13, 38, 63, 88)  # lowest percentages shown by Windows as 1 to 5 stars


def open_exif(data: bytes) -> Tiff:
    r"""Open an EXIF block.

    Parameters
    ----------
    data : bytes
        With or without the prefix ``Exif\0\0``, which some programs write twice.

    Raises
    ------
    TiffError
        If it is no EXIF block.
    """
    return Tiff(io.BytesIO(data.removeprefix(PREFIX).removeprefix(PREFIX)))


def parse_exif(data: bytes) -> Metadata:
    """Parse an EXIF block; see `open_exif`. Damaged parts of a block are skipped."""
    return read_exif(open_exif(data))


def read_exif(tiff: Tiff) -> Metadata:
    """Read an open EXIF block or TIFF file; raises `TiffError` if it has no directory."""
    main = tiff.main()
    details = _below(tiff, main, _DETAILS)
    latitude, longitude = _place(_below(tiff, main, _GPS))
    return Metadata(
        flat=_keywords(main),
        rating=_rating(main),
        taken=_taken(main, details),
        camera=_camera(_text(main, _MAKE), _text(main, _MODEL)),
        lens=_lens(details),
        exposure=_exposure(details),
        latitude=latitude,
        longitude=longitude,
    )


def read_orientation_and_date(tiff: Tiff) -> tuple[float | None, datetime | None]:
    """Return the number of the orientation, which may be invalid, and the date taken or else of the last change.

    Raises
    ------
    TiffError
        If the block or file has no directory.
    """
    main = tiff.main()
    return main.number(_ORIENTATION), _taken(main, _below(tiff, main, _DETAILS))


def _below(tiff: Tiff, main: Directory, tag: int) -> Directory:
    """Return the directory that a tag refers to; empty if there is none inside the file."""
    with suppress(TiffError):
        for offset in main.offsets(tag):
            return tiff.directory(offset)
    return Directory(tiff)


def _taken(main: Directory, details: Directory) -> datetime | None:
    dates = ((details, _TAKEN), (details, _DIGITISED), (main, _CHANGED))
    return next((date for directory, tag in dates if (date := _date(directory, tag)) is not None), None)


def _date(directory: Directory, tag: int) -> datetime | None:
    try:
        return datetime.strptime((_text(directory, tag) or "")[:19], "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None


def _text(directory: Directory, tag: int) -> str | None:
    raw = (directory.raw(tag) or b"").split(b"\0")[0]
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return one_line(text)


def _keywords(main: Directory) -> tuple[str, ...]:
    """Return the keywords of Windows: UTF-16 separated by ``;``, little endian in any block."""
    text = (main.raw(_KEYWORDS) or b"").decode("utf-16-le", "replace").split("\0")[0]
    return tuple(name for one in text.split(";") if (name := one.strip()))


def _rating(main: Directory) -> int | None:
    stars = main.number(_RATING)
    if stars is not None and (0 <= stars <= 5 or stars in (-1, 65535)):
        return -1 if stars in (-1, 65535) else int(stars)
    percent = main.number(_PERCENT)
    if percent is not None and 0 <= percent <= 100:
        return sum(percent >= bound for bound in _PERCENTS)
    return None


def _camera(make: str | None, model: str | None) -> str | None:
    """Return "Canon EOS 5D", not "Canon Canon EOS 5D", and "NIKON D750" for "NIKON CORPORATION NIKON D750"."""
    if not make or not model:
        return model or make
    words = [word for word in make.split() if word.lower() not in _NO_NAME] or make.split()
    known = any(model.lower().startswith(word.lower().rstrip(",")) for word in words)
    return model if known else f"{' '.join(words)} {model}"


def _lens(details: Directory) -> str | None:
    name = _text(details, _LENS)
    if name:
        make = _text(details, _LENS_MAKE)
        return name if not make or name.lower().startswith(make.split()[0].lower()) else f"{make} {name}"
    numbers = details.numbers(_LENS_RANGE)
    if len(numbers) < 2 or not 0 < numbers[0] <= numbers[1] < 1e5:
        return None
    length = f"{numbers[0]:g}" if numbers[0] == numbers[1] else f"{numbers[0]:g}-{numbers[1]:g}"
    return f"{length} mm" + (f" f/{numbers[2]:g}" if len(numbers) > 2 and 0 < numbers[2] < 1e3 else "")


def _exposure(details: Directory) -> str | None:
    parts = []
    seconds = next(iter(details.fractions(_SECONDS)), (0, 0))
    if seconds[0] > 0 and seconds[1] > 0:
        parts.append(f"{_seconds(seconds[0] / seconds[1])} s")
    aperture = details.number(_APERTURE)
    if aperture is not None and 0 < aperture < 1e3:
        parts.append(f"f/{aperture:.3g}")
    iso = details.number(_ISO)
    if iso == _NO_ISO:
        iso = details.number(_INDEX) or iso
    if iso is not None and 0 < iso < 1e9:
        parts.append(f"ISO {iso:.0f}")
    length = details.number(_FOCAL_LENGTH)
    if length is not None and 0 < length < 1e5:
        parts.append(f"{length:.3g} mm" if length < 1000 else f"{length:.0f} mm")
    return "  ".join(parts) or None


def _seconds(seconds: float) -> str:
    """Return 1/250, 0.3, 2.5 or 30, as shown by cameras."""
    return (
        f"1/{1 / seconds:.0f}" if seconds <= 0.25 + 1e-9 else f"{seconds:.3g}" if seconds < 1000 else f"{seconds:.0f}"
    )


def _place(gps: Directory) -> tuple[float, float] | tuple[None, None]:
    """Return latitude and longitude in degrees; None for zeros or half a position, which cameras write without GPS."""
    latitude = _degrees(gps, _LATITUDE, _SOUTH_NORTH, "SN", 90)
    longitude = _degrees(gps, _LONGITUDE, _WEST_EAST, "WE", 180)
    if latitude is None or longitude is None or (latitude == 0 and longitude == 0):
        return None, None
    return latitude, longitude


def _degrees(gps: Directory, tag: int, side: int, letters: str, bound: float) -> float | None:
    numbers = gps.numbers(tag)
    letter = (_text(gps, side) or "")[:1].upper()
    if not numbers or letter not in letters or not letter or len(gps.fractions(tag)) != len(numbers):
        return None
    degrees = math.fsum(number / 60**index for index, number in enumerate(numbers[:3]))
    if not math.isfinite(degrees) or not 0 <= degrees <= bound:
        return None
    return -degrees if letter == letters[0] else degrees
