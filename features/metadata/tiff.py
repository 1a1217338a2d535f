# SPDX-License-Identifier: MIT
"""Read the directories of TIFF files and EXIF blocks: tags and their raw values, without decoding pixels.

Source: TIFF 6.0 (Adobe, 1992), section 2; BigTIFF (2007). No length or offset in a file is trusted: values outside the
file or beyond the limits below are skipped.
"""

from __future__ import annotations

import errno
import math
import struct
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Final

MOST_BYTES: Final = 1 << 20  # per value, unless the caller sets another limit
_MOST_ENTRIES: Final = 4096  # per directory
_MOST_DIRECTORIES: Final = 32  # per file
_MOST_NUMBERS: Final = 64  # per value; Focal needs at most 4 for metadata, and one for each channel of a picture

_CODES: Final = {3: "H", 4: "I", 6: "b", 8: "h", 9: "i", 11: "f", 12: "d", 13: "I", 16: "Q", 17: "q", 18: "Q"}
_RATIONALS: Final = {5: "I", 10: "i"}
_SIZES: Final = {1: 1, 2: 1, 7: 1, **dict.fromkeys(_RATIONALS, 8), **{k: struct.calcsize(c) for k, c in _CODES.items()}}
SUB_DIRECTORIES: Final = 330
"""Tag of the offsets of subdirectories."""

Entry = tuple[int, int, bytes]
"""Type and number of the values of a tag, and the field that contains them or their offset."""


class TiffError(ValueError):
    """No TIFF header, or a directory outside the file."""


class Tiff:
    """An open TIFF file or EXIF block.

    Parameters
    ----------
    stream : file
        Read from offset 0.

    Attributes
    ----------
    order : str
        ``<`` or ``>``.

    Raises
    ------
    TiffError
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        head = self.read(0, 16)
        self.order = "<" if head[:2] == b"II" else ">"
        self._big = self.number(head[2:4]) == 43
        if head[:2] not in (b"II", b"MM") or len(head) < (16 if self._big else 8):
            raise TiffError("it has no TIFF header")
        self._first = self.number(head[8:16] if self._big else head[4:8])

    def main(self) -> Directory:
        """Return the first directory; raises `TiffError` if it is outside the file."""
        return self.directory(self._first)

    def directory(self, offset: int) -> Directory:
        """Return the directory at `offset`.

        Raises
        ------
        TiffError
            If the directory is outside the file.
        """
        head, width, code = (8, 8, "Q") if self._big else (2, 4, "I")
        form = struct.Struct(f"{self.order}HH{code}{width}s")
        start = self.read(offset, head)
        if len(start) < head:
            raise TiffError("a directory lies outside of it")
        end = form.size * self.number(start)
        table = self.read(offset + head, min(end, form.size * _MOST_ENTRIES) + width)
        entries: dict[int, list[Entry]] = {}
        for tag, kind, count, inline in form.iter_unpack(table[: min(end, len(table) // form.size * form.size)]):
            entries.setdefault(tag, []).append((kind, count, inline))
        return Directory(self, entries, self.number(table[end:]) if len(table) == end + width else 0)

    def directories(self) -> Iterator[Directory]:
        """Yield the directories of a file and their subdirectories, each once, up to 32.

        Those outside the file are skipped.
        """
        waiting, seen = deque([self._first]), {0}
        while waiting and len(seen) <= _MOST_DIRECTORIES:
            offset = waiting.popleft()
            if offset in seen:
                continue
            seen.add(offset)
            try:
                directory = self.directory(offset)
            except TiffError:
                continue
            yield directory
            waiting.extend((*directory.offsets(SUB_DIRECTORIES), directory.following))

    def number(self, data: bytes) -> int:
        """Return an unsigned integer in the byte order of the file."""
        return int.from_bytes(data, "little" if self.order == "<" else "big")

    def read(self, offset: int, size: int) -> bytes:
        """Return bytes of the file; fewer or none if outside the file."""
        return read_at(self._stream, offset, size)


@dataclass(frozen=True)
class Directory:
    """Tags of one directory. Values are read when they are requested."""

    tiff: Tiff
    entries: dict[int, list[Entry]] = field(default_factory=dict)
    """Entries of each tag, of which the first readable one counts."""
    following: int = 0
    """Offset of the next directory; 0 if there is none."""

    def __contains__(self, tag: int) -> bool:
        return tag in self.entries

    def raw(self, tag: int, most_bytes: int = MOST_BYTES) -> bytes | None:
        """Return the bytes of a value of any type; None if it is longer than `most_bytes` or outside the file."""
        return self._value(tag, most_bytes)[1]

    def beginning(self, tag: int, size: int) -> bytes:
        """Return up to `size` bytes from the beginning of a value of any type; fewer if the file ends."""
        return self._value(tag, size, cut=True)[1] or b""

    def numbers(self, tag: int) -> tuple[float, ...]:
        """Return the first 64 numbers in a tag; fractions are divided, without those with denominator 0."""
        kind, data = self._value(tag)
        if kind in _RATIONALS:
            return tuple(numerator / denominator for numerator, denominator in self.fractions(tag) if denominator)
        if data is None or kind == 2:
            return ()
        return self._unpacked(_CODES[kind], data) if kind in _CODES else tuple(data[:_MOST_NUMBERS])

    def fractions(self, tag: int) -> tuple[tuple[int, int], ...]:
        """Return numerators and denominators of the fractions in a tag."""
        kind, data = self._value(tag)
        flat = self._unpacked(_RATIONALS[kind], data) if kind in _RATIONALS and data else ()
        return tuple((int(a), int(b)) for a, b in zip(flat[::2], flat[1::2], strict=False))

    def number(self, tag: int) -> float | None:
        """Return the first number of a tag, or None."""
        return next(iter(self.numbers(tag)), None)

    def offsets(self, tag: int) -> tuple[int, ...]:
        """Return the positive finite numbers in a tag as integers."""
        return tuple(int(number) for number in self.numbers(tag) if 0 < number < math.inf)

    def _value(self, tag: int, most_bytes: int = MOST_BYTES, *, cut: bool = False) -> tuple[int, bytes | None]:
        """Return type and bytes of the first readable entry of a tag, or of the beginning of its value if `cut`."""
        for kind, count, inline in self.entries.get(tag, ()):
            size = count * _SIZES.get(kind, 0)
            if kind not in _SIZES or (size > most_bytes and not cut):
                continue
            wanted = min(size, most_bytes)
            data = inline[:wanted] if size <= len(inline) else self.tiff.read(self.tiff.number(inline), wanted)
            if cut or len(data) == size:
                return kind, data
        return 0, None

    def _unpacked(self, code: str, data: bytes) -> tuple[float, ...]:
        count = min(len(data) // struct.calcsize("<" + code), _MOST_NUMBERS)
        return struct.unpack_from(f"{self.tiff.order}{count}{code}", data)


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
