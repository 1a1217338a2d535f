# SPDX-License-Identifier: MIT
"""Reader for pages, b-trees and records of a damaged SQLite file and its write-ahead log.

After the file format of SQLite, https://www.sqlite.org/fileformat2.html (sections 1.5 to 1.6, 2.1 and 4.1 to 4.2).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

Value = int | float | bytes | None
"""Value of a column; text as bytes."""

LEAF_TABLE: Final = 0x0D
INNER_TABLE: Final = 0x05
LEAF_INDEX: Final = 0x0A
INNER_INDEX: Final = 0x02
_KINDS: Final = frozenset({LEAF_TABLE, INNER_TABLE, LEAF_INDEX, INNER_INDEX})
_MAGIC: Final = b"SQLite format 3\x00"
_MOST_OVERFLOW: Final = 1 << 26  # bytes of one record: more than any row has
_MOST_SHAPES: Final = 10_000  # cached shapes: a few MB
_MOST_COLUMNS: Final = 32_767  # limit of SQLite


class DamagedPageError(ValueError):
    """The contents of a page or cell cannot have been written by SQLite."""


class Shape:
    """Types and lengths of a record's columns, from its header.

    Parameters
    ----------
    kinds : tuple of int
        Serial type of each column in the file format.
    start, length : int
        Bytes of the header and of the whole record.
    """

    __slots__ = ("_layout", "_others", "_start", "kinds", "length")

    def __init__(self, kinds: tuple[int, ...], start: int, length: int) -> None:
        self.kinds = kinds
        self.length = length
        self._start = start
        # Columns that struct reads in one call; columns without bytes, or with 3 or 6 bytes, are handled separately.
        self._layout = struct.Struct(
            ">" + "".join(f"{(kind - 12) // 2}s" if kind >= 12 else _FORMATS[kind] for kind in kinds)
        )
        self._others = [(place, kind) for place, kind in enumerate(kinds) if kind in _OTHERS]

    def values(self, payload: bytes) -> list[Value]:
        """Return the columns of a record of this shape."""
        values: list[Value] = list(self._layout.unpack_from(payload, self._start))
        for place, kind in self._others:
            if kind == 0:
                values.insert(place, None)
            elif kind in (8, 9):
                values.insert(place, kind - 8)
            else:
                part = values[place]
                assert isinstance(part, bytes)
                values[place] = int.from_bytes(part, "big", signed=True)
        return values


_FORMATS: Final = ("", "b", "h", "3s", "i", "6s", "q", "d", "", "")
"""Formats of columns that are neither text nor blobs, by serial type."""
_OTHERS: Final = frozenset({0, 3, 5, 8, 9})


def type_of(kind: int) -> type[int | float | bytes] | None:
    """Return the Python type of a serial type; None for NULL."""
    if kind >= 12:
        return bytes
    if kind == 0:
        return None
    return float if kind == 7 else int


class Cell:
    """One entry of a b-tree."""

    __slots__ = ("_payload", "rowid", "shape")

    def __init__(self, rowid: int | None, shape: Shape, payload: bytes) -> None:
        self.rowid = rowid
        """Row id; None in an index or a table without rowids."""
        self.shape = shape
        self._payload = payload

    @property
    def values(self) -> list[Value]:
        """Columns of the record; not cached, because most tried cells are rejected by their shape alone."""
        return self.shape.values(self._payload)


class Pages:
    """The pages of a catalogue; those in its log replace those of the file.

    Parameters
    ----------
    path : pathlib.Path
        File that nobody has open.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.read_bytes()
        header = self._file[:100]
        self.size = self._size_of_pages(header)
        reserved = header[20] if header[:16] == _MAGIC and len(header) == 100 else 0
        self.usable = self.size - reserved if reserved <= self.size - 480 else self.size
        self._log: dict[int, bytes] = {}
        self._shapes: dict[bytes, Shape] = {}
        self.lost_frames = 0
        pages = -(-len(self._file) // self.size)
        with suppress(OSError):
            pages = max(pages, self._read_log(Path(f"{path}-wal").read_bytes()))
        self.count = pages
        """Number of pages, numbered from 1."""

    def page(self, number: int) -> bytes:
        """Return a page, padded with zeros at the end of a truncated file."""
        if not 1 <= number <= self.count:
            raise DamagedPageError(f"there is no page {number}")
        if number in self._log:
            return self._log[number]
        return self._file[(number - 1) * self.size : number * self.size].ljust(self.size, b"\0")

    def kind(self, number: int) -> int:
        """Return the type of a b-tree page, or 0 for other pages."""
        kind = self.page(number)[100 if number == 1 else 0]
        return kind if kind in _KINDS else 0

    def free_pages(self) -> set[int]:
        """Return the unused pages, as far as their list can be followed."""
        found: set[int] = set()
        with suppress(DamagedPageError, struct.error):
            trunk = int.from_bytes(self.page(1)[32:36], "big")
            while trunk and trunk not in found:
                page = self.page(trunk)
                found.add(trunk)
                following, leaves = struct.unpack_from(">II", page)
                if leaves > self.size // 4 - 2:
                    break
                found.update(struct.unpack_from(f">{leaves}I", page, 8))
                trunk = following
        return found

    # ------------------------------------------------------------------ b-trees
    def children(self, number: int) -> list[int]:
        """Return the child pages of an inner page.

        Raises
        ------
        DamagedPageError
        """
        page, start = self.page(number), 100 if number == 1 else 0
        below = [int.from_bytes(page[at : at + 4], "big") for at in self._cells(number, page)]
        return [*below, int.from_bytes(page[start + 8 : start + 12], "big")]

    def cells(self, number: int) -> Iterator[Cell | None]:
        """Yield the records of a page, None for each one that cannot be read.

        Raises
        ------
        DamagedPageError
            If the page has no readable list of cells.
        """
        page, kind = self.page(number), self.kind(number)
        for at in self._cells(number, page):
            try:
                yield self.cell(page, kind, at)
            except DamagedPageError:
                yield None

    def cell(self, page: bytes, kind: int, at: int, most: int = _MOST_COLUMNS) -> Cell:
        """Return the entry at an offset of a page.

        Parameters
        ----------
        kind, at : int
            Page type and offset.

        Raises
        ------
        DamagedPageError
        """
        if kind == INNER_INDEX:
            at += 4
        length, at = _varint(page, at)
        rowid = None
        if kind == LEAF_TABLE:
            rowid, at = _varint(page, at)
            if rowid >> 63:
                rowid -= 1 << 64
        payload = self._payload(page, kind, at, length)
        if not payload:
            raise DamagedPageError("a record has no head")
        end = payload[0]
        shape = self._shapes.get(payload[:end]) if end < 0x80 else None
        if shape is None:
            shape = self._shape(payload, most)
        elif shape.length != len(payload):
            raise DamagedPageError("a record is not as long as its columns")
        return Cell(rowid, shape, payload)

    def _cells(self, number: int, page: bytes) -> list[int]:
        start, kind = 100 if number == 1 else 0, self.kind(number)
        if not kind:
            raise DamagedPageError(f"page {number} is no page of a table")
        (many,) = struct.unpack_from(">H", page, start + 3)
        first = start + (8 if kind in (LEAF_TABLE, LEAF_INDEX) else 12)
        if first + 2 * many > self.usable:
            raise DamagedPageError(f"page {number} has an impossible number of cells")
        places = list(struct.unpack_from(f">{many}H", page, first))
        if any(not first + 2 * many <= at < self.usable for at in places):
            raise DamagedPageError(f"page {number} has cells outside of it")
        return places

    def _payload(self, page: bytes, kind: int, at: int, length: int) -> bytes:
        usable = self.usable
        most = usable - 35 if kind == LEAF_TABLE else (usable - 12) * 64 // 255 - 23
        if length > _MOST_OVERFLOW:
            raise DamagedPageError("a record is impossibly long")
        if length <= most:
            if at + length > usable:
                raise DamagedPageError("a record leaves its page")
            return page[at : at + length]
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
        parts, left = [page[at : at + local]], length - local
        following = int.from_bytes(page[at + local : at + local + 4], "big")
        if at + local + 4 > usable:
            raise DamagedPageError("a record leaves its page")
        while left > 0:
            page = self.page(following)
            parts.append(page[4 : 4 + min(left, usable - 4)])
            left -= usable - 4
            following = int.from_bytes(page[:4], "big")
        return b"".join(parts)

    def _shape(self, payload: bytes, most: int) -> Shape:
        """Return the shape of a record whose columns fill it exactly; thousands of records share one shape."""
        end, at = _varint(payload, 0)
        if not 1 <= end <= len(payload):
            raise DamagedPageError("the head of a record is impossibly long")
        kinds: list[int] = []
        while at < end:
            kind = payload[at]
            if kind < 0x80:
                at += 1
            else:
                kind, at = _varint(payload, at)
            kinds.append(kind)
            if len(kinds) > most:
                raise DamagedPageError("a record has more columns than any")
        length = at + sum([_LENGTHS[kind] if kind < 0x80 else (kind - 12) // 2 for kind in kinds])
        if length != len(payload):  # rejects nearly all candidates before any column is read
            raise DamagedPageError("a record is not as long as its columns")
        shape = Shape(tuple(kinds), at, length)
        if at == end < 0x80:  # cache only short headers whose last number ends with the header
            if len(self._shapes) >= _MOST_SHAPES:
                self._shapes.clear()
            self._shapes[payload[:end]] = shape
        return shape

    # ------------------------------------------------------------------ the log
    @staticmethod
    def _size_of_pages(header: bytes) -> int:
        size = int.from_bytes(header[16:18], "big")
        size = 65536 if size == 1 else size
        return size if size >= 512 and size & (size - 1) == 0 else 4096

    def _read_log(self, log: bytes) -> int:
        """Apply the frames of complete transactions; return the number of pages after the last.

        The checksum of a frame continues from the stored checksum of the previous frame, so a damaged frame does not
        invalidate those that follow.
        """
        if len(log) < 32 or int.from_bytes(log[:4], "big") not in (0x377F0682, 0x377F0683):
            return 0
        order = ">" if log[3] & 1 else "<"
        size = int.from_bytes(log[8:12], "big")
        if size != self.size:
            return 0
        salt, before = log[16:24], struct.unpack(">II", log[24:32])
        waiting: dict[int, bytes] = {}
        pages = broken = 0
        for at in range(32, len(log) - size - 23, 24 + size):
            head, page = log[at : at + 24], log[at + 24 : at + 24 + size]
            if head[8:16] != salt:
                break  # left over from before the log was restarted
            number, committed, _, _, *stored = struct.unpack(">6I", head)
            if _checksum(head[:8] + page, order, before) == tuple(stored):
                waiting[number] = page
                if committed:
                    self._log.update(waiting)
                    waiting.clear()
                    pages = committed
                    self.lost_frames += broken
                    broken = 0
            else:
                broken += 1
            before = (stored[0], stored[1])
        self.lost_frames += broken
        return pages


def _checksum(data: bytes, order: str, before: tuple[int, int]) -> tuple[int, int]:
    first, second = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for one, two in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second


def _varint(data: bytes, at: int) -> tuple[int, int]:
    if at < len(data) and data[at] < 0x80:  # fast path: nearly all numbers have one byte
        return data[at], at + 1
    value = 0
    for length in range(9):
        if at + length >= len(data):
            raise DamagedPageError("a number leaves its page")
        byte = data[at + length]
        if length == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + length + 1
    raise AssertionError


_LENGTHS: Final = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 1 << 62, 1 << 62, *((kind - 12) // 2 for kind in range(12, 128)))
"""Lengths of columns by one-byte serial type; types 10 and 11 do not occur."""
