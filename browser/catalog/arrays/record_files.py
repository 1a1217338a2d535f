# SPDX-License-Identifier: MIT
"""The two files of a record store: rows, and the index that assigns them to photos.

Both begin with the same header of 4096 bytes: magic, format version, dimension, generation, key, and the CRC32 of
these.

``<key>.<generation>.rows``
    Rows after the header; append-only. In a vector store, a row is little-endian float32 (d,), or float16 according to
    the magic; in a code store uint8 (d,). Row k belongs to position k. In a patch store, a row is a point as int16 (2,)
    in 1/64 pixel and a vector as float16 (d,), and the rows of one photo are contiguous.
``<key>.index``
    One entry per position after the header: photo id (-1: deleted), CRC32 of id and rows, number of following entries
    in the same batch, and a checksum of the entry and its position; in a patch store also the first row and the number
    of rows. The index names the generation, so a compaction takes effect atomically when the new index replaces the
    old.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.positions import DELETED
from focal_photos.browser.catalog.store.atomic_file import atomic_file, sync

MAGIC = b"FOCALVEC"
HALF_MAGIC = b"FOCALHLF"
PATCH_MAGIC = b"FOCALPAT"
CODE_MAGIC = b"FOCALCOD"
FORMAT = 1
HEADER = 4096  # bytes: one page, so that mapped rows are aligned
ENTRY = np.dtype([("id", "<i8"), ("crc", "<u4"), ("left", "<u4"), ("check", "<u8")])
PATCH_ENTRY = np.dtype(
    [("id", "<i8"), ("crc", "<u4"), ("left", "<u4"), ("start", "<i8"), ("count", "<i8"), ("check", "<u8")]
)
_FIELDS = struct.Struct("<8sIIQH")
_LONGEST_NAME = 180

Entries = NDArray[np.void]
Spans = tuple[NDArray[np.int64], NDArray[np.int64]]  # first rows and row counts


class BadHeaderError(Exception):
    """The contents of a file do not match its name."""


@dataclass(frozen=True)
class Header:
    """Header of a store's files."""

    key: str
    dimension: int
    generation: int
    magic: bytes = MAGIC

    def pack(self) -> bytes:
        """Return the header as bytes."""
        key = self.key.encode()
        body = _FIELDS.pack(self.magic, FORMAT, self.dimension, self.generation, len(key)) + key
        body = body.ljust(HEADER - 4, b"\0")
        return body + zlib.crc32(body).to_bytes(4, "little")

    @classmethod
    def unpack(cls, data: bytes) -> Header:
        """Parse a header.

        Raises
        ------
        BadHeaderError
        """
        if len(data) != HEADER or zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
            raise BadHeaderError("the header is damaged")
        magic, version, dimension, generation, length = _FIELDS.unpack_from(data)
        if magic not in (MAGIC, HALF_MAGIC, PATCH_MAGIC, CODE_MAGIC) or version != FORMAT or not dimension:
            raise BadHeaderError("the file is of another kind")
        return cls(data[_FIELDS.size : _FIELDS.size + length].decode(), dimension, generation, magic)


def file_name(key: str) -> str:
    """Return a key in the form used in file names.

    Raises
    ------
    ValueError
        If the key is empty or too long.
    """
    name = quote(key, safe="")
    if not name or len(name) > _LONGEST_NAME:
        raise ValueError(f"a key has 1 to {_LONGEST_NAME} characters, escapes included: {key!r}")
    return name


def index_path(folder: Path, key: str) -> Path:
    """Return the path of a store's index."""
    return folder / f"{file_name(key)}.index"


def rows_path(folder: Path, header: Header) -> Path:
    """Return the path of a store's rows."""
    return folder / f"{file_name(header.key)}.{header.generation}.rows"


def stored_keys(folder: Path) -> list[str]:
    """Return the keys with an index in `folder`, sorted."""
    if not folder.is_dir():
        return []
    return sorted(unquote(path.name.removesuffix(".index")) for path in folder.glob("*.index"))


def rows_files(folder: Path, key: str) -> list[Path]:
    """Return the rows files of all generations of a key."""
    stem = file_name(key) + "."
    if not folder.is_dir():
        return []
    return [
        path
        for path in folder.iterdir()
        if path.name.startswith(stem) and path.name[len(stem) :].removesuffix(".rows").isdecimal()
    ]


def checks(entries: Entries, first: int, generation: int) -> NDArray[np.uint64]:
    """Return the expected checksums of entries at the positions from `first` on.

    A mix of all fields with the position and the generation (the finaliser of SplitMix64), so that zeros, torn
    entries, and entries of another position or generation are detected.
    """
    value = entries["id"].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    value ^= entries["crc"].astype(np.uint64) << np.uint64(32) | entries["left"].astype(np.uint64)
    value += (np.arange(first + 1, first + 1 + len(entries)).astype(np.uint64)) * np.uint64(0xD1342543DE82EF95)
    value ^= np.full(len(entries), generation, np.uint64) * np.uint64(0xDA942042E4DD58B5)
    if entries.dtype == PATCH_ENTRY:
        value ^= entries["start"].astype(np.uint64) * np.uint64(0xA0761D6478BD642F)
        value += entries["count"].astype(np.uint64) * np.uint64(0xE7037ED1A0B428DB)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        value = (value ^ (value >> np.uint64(shift))) * np.uint64(factor)
    return value ^ (value >> np.uint64(31))


def make_entries(
    entry: np.dtype[np.void],
    ids: NDArray[np.int64],
    crcs: Sequence[int] | NDArray[np.uint32],
    left: NDArray[np.uint32],
    first: int,
    generation: int,
    spans: Spans,
) -> Entries:
    """Return entries for the positions from `first` on; only those of a patch store contain their spans."""
    entries = np.zeros(len(ids), entry)
    entries["id"], entries["crc"], entries["left"] = ids, crcs, left
    if entry == PATCH_ENTRY:
        entries["start"], entries["count"] = spans
    entries["check"] = checks(entries, first, generation)
    return entries


def spans(entries: Entries) -> Spans:
    """Return the first row and the number of rows of each entry, beginning at position 0."""
    if entries.dtype == PATCH_ENTRY:
        return entries["start"].astype(np.int64), entries["count"].astype(np.int64)
    return np.arange(len(entries)), np.ones(len(entries), np.int64)


def crc(photo_id: int, rows: NDArray[np.generic]) -> int:
    """Return the CRC32 of a photo's id and contiguous rows."""
    return zlib.crc32(rows.reshape(-1).view(np.uint8).data, zlib.crc32(int(photo_id).to_bytes(8, "little")))


def create(folder: Path, header: Header, rows: Iterable[NDArray[np.generic]], entries: Entries) -> None:
    """Write both files of a generation; they become valid when the index receives its name."""
    path = rows_path(folder, header)
    try:
        path.unlink(missing_ok=True)  # any such file is a leftover, or a link to another file
        with path.open("xb") as stream:
            stream.write(header.pack())
            for block in rows:
                stream.write(np.ascontiguousarray(block).reshape(-1).view(np.uint8).data)
        sync(path)
        sync(folder)
        with atomic_file(index_path(folder, header.key)) as stream:
            stream.write(header.pack())
            stream.write(entries.tobytes())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def sweep(folder: Path, header: Header) -> None:
    """Delete files of other generations, left by a crash during a compaction."""
    for path in rows_files(folder, header.key):
        if path != rows_path(folder, header):
            path.unlink(missing_ok=True)
    index = index_path(folder, header.key)
    for path in folder.glob(".*.part"):
        if path.name.startswith(f".{index.name}."):
            path.unlink(missing_ok=True)


def set_aside(folder: Path, key: str) -> None:
    """Rename unusable files to ``*.damaged``, for later inspection."""
    for path in [index_path(folder, key), *rows_files(folder, key)]:
        if path.exists():
            path.replace(path.with_name(path.name + ".damaged"))


def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of `data` at an offset."""
    view = memoryview(data).cast("B")
    while view:
        done = os.pwrite(descriptor, view, offset)
        view, offset = view[done:], offset + done


def read_at(descriptor: int, length: int, offset: int) -> bytes:
    """Read `length` bytes at an offset, or fewer at the end of the file."""
    parts = []
    while length > 0:
        part = os.pread(descriptor, length, offset)
        if not part:
            break
        parts.append(part)
        length, offset = length - len(part), offset + len(part)
    return b"".join(parts)


def entry_offset(position: int, entry: np.dtype[np.void] = ENTRY) -> int:
    """Return the offset of a position's entry in the index."""
    return HEADER + position * entry.itemsize


def read_entries(index: int, start: int, stop: int, entry: np.dtype[np.void] = ENTRY) -> Entries:
    """Read the entries of the positions ``start:stop``, or fewer at the end of the file."""
    data = read_at(index, (stop - start) * entry.itemsize, entry_offset(start, entry))
    return np.frombuffer(data[: len(data) // entry.itemsize * entry.itemsize], entry)


def read_rows(data: int, row: np.dtype[np.generic], start: int, stop: int) -> NDArray[np.generic]:
    """Read the rows ``start:stop``, or fewer at the end of the file; none after a read error.

    Not memory-mapped, because a bad sector would then kill the program.
    """
    try:
        block = read_at(data, (stop - start) * row.itemsize, HEADER + start * row.itemsize)
    except OSError:
        block = b""
    return np.frombuffer(block, row, len(block) // row.itemsize)


def mark_deleted(index: int, positions: NDArray[np.int64], generation: int, entry: np.dtype[np.void] = ENTRY) -> None:
    """Mark entries as deleted in place, so that losing later entries cannot revive them. Does not sync."""
    for position in positions.tolist():
        found = read_entries(index, position, position + 1, entry)
        sound = bool((found["check"] == checks(found, position, generation)).all())
        mark = found.copy() if sound else np.zeros(1, entry)
        mark["id"], mark["crc"] = DELETED, 0
        if not sound:
            mark["left"] = 1  # a damaged entry must not end a batch
        mark["check"] = checks(mark, position, generation)
        write_at(index, mark.tobytes(), entry_offset(position, entry))
