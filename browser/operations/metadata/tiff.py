"""The directories of a TIFF file, of which an EXIF block is one too: tags with their values, nothing decoded.

Source: TIFF 6.0 (Adobe, 1992), section 2; BigTIFF (2007). Every length and offset of a file is taken for hostile: what
lies outside the file or beyond the limits below is passed over.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Collection
from dataclasses import dataclass
from typing import IO, Final

MOST_ENTRIES: Final = 4096  # of a directory

_CODES: Final = {3: "H", 4: "I", 6: "b", 8: "h", 9: "i", 11: "f", 12: "d", 13: "I", 16: "Q", 17: "q", 18: "Q"}
_RATIONALS: Final = {5: "I", 10: "i"}
_MOST_NUMBERS: Final = 64  # of one value; what Focal reads has 4 at most


class TiffError(ValueError):
    """No TIFF header, or a directory that lies outside the file."""


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
        """Return the bytes of a value, whatever its type."""
        return self.values[tag][1] if tag in self.values else None

    def numbers(self, tag: int) -> tuple[float, ...]:
        """Return the values of a tag that holds numbers; fractions divided, without those that divide by nought."""
        kind, data = self.values.get(tag, (0, b""))
        if kind in (1, 7):
            return tuple(data[:_MOST_NUMBERS])
        if kind in _RATIONALS:
            return tuple(numerator / denominator for numerator, denominator in self.fractions(tag) if denominator)
        return self._unpacked(_CODES[kind], data) if kind in _CODES else ()

    def fractions(self, tag: int) -> tuple[tuple[int, int], ...]:
        """Return numerators and denominators of a tag that holds fractions."""
        kind, data = self.values.get(tag, (0, b""))
        flat = self._unpacked(_RATIONALS[kind], data) if kind in _RATIONALS else ()
        return tuple((int(a), int(b)) for a, b in zip(flat[::2], flat[1::2], strict=False))

    def number(self, tag: int) -> float | None:
        """Return the first number of a tag, None if there is none."""
        return next(iter(self.numbers(tag)), None)

    def _unpacked(self, code: str, data: bytes) -> tuple[float, ...]:
        size = struct.calcsize("<" + code)
        count = min(len(data) // size, _MOST_NUMBERS)
        return struct.unpack_from(f"{self.order}{count}{code}", data)


class Tiff:
    """A TIFF file or EXIF block that is open.

    Parameters
    ----------
    stream : file
        Read from its beginning.

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
        """Return those of the `wanted` tags that the directory at `offset` has and that lie inside the file.

        A value of more than `most_bytes` is passed over.

        Raises
        ------
        TiffError
            The directory itself lies outside the file.
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
    """Return what stands at a place of a file; less, or nothing, where that lies outside."""
    try:
        stream.seek(offset)
    except (OSError, OverflowError, ValueError):  # a place that no file can have
        return b""
    try:
        return stream.read(size)
    except OSError as error:
        if error.errno == errno.EINVAL:  # some file systems take the place, and say so only when it is read
            return b""
        raise
