# SPDX-License-Identifier: MIT
"""Parse IPTC keywords, as written to JPEG and TIFF by Photoshop and its successors.

Source: IPTC-NAA Information Interchange Model 4.2 (2014), 1.6 (data sets), 1:90 (character set), 2:25 (keywords), 2:55
and 2:60 (date and time of creation); Photoshop File Formats Specification (Adobe, 2019), Image Resource Blocks.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Final

from focal_photos.features.metadata.metadata import Metadata

PHOTOSHOP: Final = b"Photoshop 3.0\0"
"""Prefix of the JPEG segment that contains Photoshop resources."""

RESOURCES: Final = (b"8BIM", b"PHUT", b"DCSR", b"AgHg", b"MeSa")
"""Signatures of the resources."""

_MARKER: Final = 0x1C
_CHARACTER_SET, _KEYWORD, _DATE, _TIME = (1, 90), (2, 25), (2, 55), (2, 60)
_UTF_8: Final = b"\x1b%G"
_CUT_AT: Final = 64  # bytes of a keyword
_LONGEST_CHARACTER: Final = 4  # bytes
_MOST_SETS: Final = 10_000
_IPTC: Final = 0x0404


class IptcError(ValueError):
    """Bytes that are not IPTC data sets."""


def parse_iptc(data: bytes) -> Metadata:
    """Parse a block of data sets.

    Text is UTF-8 if the block declares it or if all of it is valid UTF-8; otherwise it is Windows' variant of Latin-1.
    Keywords as long as the limit of the standard are returned in `cut`.

    Raises
    ------
    IptcError
        If the block does not begin with a data set. A damaged end is ignored.
    """
    if not data.strip(b"\0"):
        return Metadata()
    if data[0] != _MARKER:
        swapped = _swapped(data)
        if swapped[:1] != bytes([_MARKER]):
            raise IptcError("it has no IPTC data sets")
        data = swapped
    declared, keywords, date, time = False, [], b"", b""
    for key, value in _data_sets(data):
        if key == _CHARACTER_SET:
            declared = value.startswith(_UTF_8)
        elif key == _KEYWORD:
            keywords.append(value)
        elif key == _DATE:
            date = value
        elif key == _TIME:
            time = value
    encoding = "utf-8" if declared or all(map(_is_utf_8, keywords)) else "cp1252"
    names = [(len(value), _decoded(value, encoding)) for value in dict.fromkeys(keywords)]
    nearly = _CUT_AT - _LONGEST_CHARACTER if encoding == "utf-8" else _CUT_AT - 1
    return Metadata(
        flat=tuple(name for size, name in names if not nearly < size <= _CUT_AT),
        cut=tuple(name for size, name in names if nearly < size <= _CUT_AT),
        taken=_moment(date, time),
    )


def parse_photoshop(data: bytes) -> Iterator[bytes]:
    r"""Yield the IPTC blocks among Photoshop's resources.

    Parameters
    ----------
    data : bytes
        With or without the prefix ``Photoshop 3.0\0``. A damaged end is ignored.
    """
    at = len(PHOTOSHOP) if data.startswith(PHOTOSHOP) else 0
    while data[at : at + 4] in RESOURCES:
        kind, name = int.from_bytes(data[at + 4 : at + 6], "big"), data[at + 6 : at + 7]
        # the name and its length are padded to an even number of bytes
        at += 6 + ((name[0] if name else 0) + 2) // 2 * 2
        size = int.from_bytes(data[at : at + 4], "big")
        if kind == _IPTC and data[at + 4 : at + 4 + size]:
            yield data[at + 4 : at + 4 + size]
        at += 4 + (size + 1) // 2 * 2


def _data_sets(data: bytes) -> Iterator[tuple[tuple[int, int], bytes]]:
    at = 0
    for _ in range(_MOST_SETS):
        if at + 5 > len(data) or data[at] != _MARKER:
            return
        key, size = (data[at + 1], data[at + 2]), int.from_bytes(data[at + 3 : at + 5], "big")
        at += 5
        if size & 0x8000:  # extended: number of bytes that contain the size
            width = size & 0x7FFF
            size = int.from_bytes(data[at : at + width], "big") if width <= 4 else len(data)
            at += width
        if at + size > len(data):
            return
        yield key, data[at : at + size]
        at += size


def _is_utf_8(value: bytes) -> bool:
    """Tell whether a keyword is valid UTF-8, apart from a truncated last character."""
    try:
        value.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and _CUT_AT - _LONGEST_CHARACTER < len(value) <= _CUT_AT
    return True


def _decoded(value: bytes, encoding: str) -> str:
    if encoding == "utf-8":
        if _is_utf_8(value):
            return value.decode(errors="ignore").strip("\0 ")
        encoding = "cp1252"  # falsely declared
    try:
        return value.decode(encoding).strip("\0 ")
    except UnicodeDecodeError:
        return value.decode("latin-1").strip("\0 ")


def _moment(date: bytes, time: bytes) -> datetime | None:
    """Return the local date and time from ``20240531`` and ``123000+0200``."""
    with suppress(ValueError):
        return datetime.strptime((date[:8] + (time[:6] or b"000000")).decode("ascii"), "%Y%m%d%H%M%S")
    return None


def _swapped(data: bytes) -> bytes:
    """Swap the bytes of a block stored as four-byte integers in TIFF files of the other byte order."""
    whole = data[: len(data) // 4 * 4]
    return struct.pack(f"<{len(whole) // 4}I", *struct.unpack(f">{len(whole) // 4}I", whole))
