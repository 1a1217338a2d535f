"""Read the directories of TIFF files and EXIF blocks: tags and their raw values, without decoding pixels.

Source: TIFF 6.0 (Adobe, 1992), section 2; BigTIFF (2007). No length or offset in a file is trusted: values outside the
file or beyond the limits below are skipped.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Collection
from dataclasses import dataclass
from typing import IO, Final

MOST_ENTRIES: Final = 4096  # per directory

_CODES: Final = {3: "H", 4: "I", 6: "b", 8: "h", 9: "i", 11: "f", 12: "d", 13: "I", 16: "Q", 17: "q", 18: "Q"}
_RATIONALS: Final = {5: "I", 10: "i"}
_MOST_NUMBERS: Final = 64  # per value; Focal needs at most 4


class TiffError(ValueError):
    """No TIFF header, or a directory outside the file."""


@dataclass(frozen=True)
class Directory:
    """Tags of one directory.

    Attributes
    ----------
    values : dict of int to (int, bytes)
        Type and bytes of each tag's value, in the byte order of the file.
    order : str
        ``<`` or ``>``.
    """

    values: dict[int, tuple[int, bytes]]
    order: str

    def raw(self, tag: int) -> bytes | None:
        """Return the bytes of a value of any type."""
        return self.values[tag][1] if tag in self.values else None

    def numbers(self, tag: int) -> tuple[float, ...]:
        """Return the numbers in a tag; fractions are divided, without those with denominator 0."""
        kind, data = self.values.get(tag, (0, b""))
        if kind in (1, 7):
            return tuple(data[:_MOST_NUMBERS])
        if kind in _RATIONALS:
            return tuple(numerator / denominator for numerator, denominator in self.fractions(tag) if denominator)
        return self._unpacked(_CODES[kind], data) if kind in _CODES else ()

    def fractions(self, tag: int) -> tuple[tuple[int, int], ...]:
        """Return numerators and denominators of the fractions in a tag."""
        kind, data = self.values.get(tag, (0, b""))
        flat = self._unpacked(_RATIONALS[kind], data) if kind in _RATIONALS else ()
        return tuple((int(a), int(b)) for a, b in zip(flat[::2], flat[1::2], strict=False))

    def number(self, tag: int) -> float | None:
        """Return the first number of a tag, or None."""
        return next(iter(self.numbers(tag)), None)

    def _unpacked(self, code: str, data: bytes) -> tuple[float, ...]:
        size = struct.calcsize("<" + code)
        count = min(len(data) // size, _MOST_NUMBERS)
        return struct.unpack_from(f"{self.order}{count}{code}", data)


class Tiff:
    """An open TIFF file or EXIF block.

    Parameters
    ----------
    stream : file
        Read from offset 0.

    Raises
    ------
    TiffError
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        head = self._read(0, 16)
        if head[:2] not in (b"II", b"MM") or len(head) < 8:
            raise TiffError("it has no TIFF header")
        self.order = "<" if head[:2] == b"II" else ">"
        self._big = self._number(head[2:4], "H") == 43
        self.first = self._number(head[8:16], "Q") if self._big else self._number(head[4:8], "I")

    def directory(self, offset: int, wanted: Collection[int], most_bytes: int) -> Directory:
        """Return the `wanted` tags of the directory at `offset` whose values are inside the file.

        Values of more than `most_bytes` are skipped.

        Raises
        ------
        TiffError
            If the directory is outside the file.
        """
        head, size, place = (8, 20, 12) if self._big else (2, 12, 8)
        start = self._read(offset, head)
        if len(start) < head:
            raise TiffError("a directory lies outside of it")
        count = min(self._number(start, "Q" if self._big else "H"), MOST_ENTRIES)
        table = self._read(offset + head, size * count)
        values: dict[int, tuple[int, bytes]] = {}
        for at in range(0, len(table) - size + 1, size):
            tag, kind = struct.unpack_from(self.order + "HH", table, at)
            if tag in wanted and tag not in values:
                length = self._number(table[at + 4 : at + place], "Q" if self._big else "I")
                found = self._value(kind, length, table[at + place : at + size], most_bytes)
                if found is not None:
                    values[tag] = (kind, found)
        return Directory(values, self.order)

    def _value(self, kind: int, count: int, inline: bytes, most_bytes: int) -> bytes | None:
        if kind in (1, 2, 7):
            size = count
        elif kind in _RATIONALS:
            size = 8 * count
        elif kind in _CODES:
            size = count * struct.calcsize("<" + _CODES[kind])
        else:
            return None
        if size <= len(inline):
            return inline[:size]
        if size > most_bytes:
            return None
        found = self._read(self._number(inline, "Q" if self._big else "I"), size)
        return found if len(found) == size else None

    def _number(self, data: bytes, code: str) -> int:
        return int(struct.unpack(self.order + code, data)[0]) if len(data) == struct.calcsize("<" + code) else 0

    def _read(self, offset: int, size: int) -> bytes:
        return read_at(self._stream, offset, size)


def read_at(stream: IO[bytes], offset: int, size: int) -> bytes:
    """Return bytes at an offset of a file; fewer or none if outside the file."""
    try:
        stream.seek(offset)
    except (OSError, OverflowError, ValueError):  # an impossible offset
        return b""
    try:
        return stream.read(size)
    except OSError as error:
        if error.errno == errno.EINVAL:  # some file systems reject an offset only when reading
            return b""
        raise
