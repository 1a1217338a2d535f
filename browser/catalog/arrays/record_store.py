# SPDX-License-Identifier: MIT
"""Base class of vector, patch and code stores. A crash loses at most the batch being written."""

from __future__ import annotations

import os
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays import record_files as files
from focal_photos.browser.catalog.arrays.positions import DELETED, LARGEST_ID, PositionTable, as_ids, last_of_each
from focal_photos.browser.catalog.arrays.record_files import HEADER, BadHeaderError, Header
from focal_photos.browser.catalog.store.errors import LibraryError, not_writable
from focal_photos.browser.catalog.store.translation import translated

_COMPACT_FROM = 16  # deleted records below which compaction gains too little
_BLOCK = 1 << 22  # bytes read at a time
_POSITIONS = 1 << 16  # positions checked at a time
_ROWS_OF_LONG_RECORDS = 16  # mean rows per record from which records are copied as byte ranges

Rows = NDArray[Any]


class RecordStore(ABC):
    """Records of one key by photo id; a record is a run of rows.

    Thread-safe: one thread appends at a time while others read. Returned arrays never change and stay valid, even if
    the store changes.

    Parameters
    ----------
    dimension : int
        Length d of a vector.
    read_only : bool
        Write nothing; ignore a torn tail. The store shows the state at the time of opening.
    half : bool
        Whether a new store uses float16, if its type supports both.
    """

    MAGICS: ClassVar[tuple[bytes, ...]]
    """Valid magic numbers: the first for new stores, the last for those in half precision."""
    ENTRY: ClassVar[np.dtype[np.void]]
    NOUN: ClassVar[str]

    def __init__(self, folder: Path, key: str, dimension: int, *, read_only: bool = False, half: bool = False) -> None:
        if dimension < 1:
            raise ValueError("a vector has at least one component")
        self.key = key
        self.dimension = dimension
        self.read_only = read_only
        self._folder = folder
        self._index_path = files.index_path(folder, key)
        self._lock = threading.RLock()
        self._index: int | None = None  # file descriptors; None without a file or after `close`
        self._rows: int | None = None
        self.version = 0
        """Increases with every change of the records through this object, so that derived values can be invalidated."""
        self._wanted = self.MAGICS[-1 if half else 0]
        self._magic = self._wanted
        self._reset(0)
        with translated(folder):
            self._open(half=half)

    @classmethod
    def existing(cls, folder: Path, key: str, *, read_only: bool = False) -> Self | None:
        """Open an existing store with its own dimension; None if it is unusable."""
        try:
            with files.index_path(folder, key).open("rb") as stream:
                header = Header.unpack(stream.read(HEADER))
        except (OSError, BadHeaderError):
            return None
        fits = header.key == key and header.magic in cls.MAGICS
        half = header.magic != cls.MAGICS[0]
        return cls(folder, key, header.dimension, read_only=read_only, half=half) if fits else None

    # ------------------------------------------------------------------ reading
    def __len__(self) -> int:
        return self._positions.live

    @property
    def ids(self) -> NDArray[np.int64]:
        """Photo ids of the live records, in the order of appending; int64, shape (N,), read-only."""
        with self._lock:
            return self._positions.ids

    def print(self) -> str:
        """Return a fingerprint that changes with the ids, order or contents of the records."""
        with self._lock:
            if self._index is None:
                return ""
            size = os.fstat(self._index).st_size
            # An entry contains the id of its record, whether it is deleted, and the checksum of its rows.
            return f"{self._magic.hex()}-{size}-{zlib.crc32(files.read_at(self._index, size, 0)):08x}"

    def missing(self, ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the ids without a record, in the given order; int64."""
        wanted = as_ids(ids)
        with self._lock:
            lacking: NDArray[np.int64] = wanted[self._positions_of(wanted) == DELETED]
            return lacking

    def forget(self, ids: Iterable[int] | NDArray[np.int64]) -> None:
        """Delete the records of photos; ids without a record are ignored.

        Raises
        ------
        LibraryReadOnlyError
        """
        with self._lock:
            positions = self._positions_of(np.unique(as_ids(ids)))
            positions = positions[positions != DELETED]
            if not len(positions):
                return
            index, _ = self._descriptors()
            with translated(self._folder):
                self._delete(index, positions)
                os.fsync(index)
            self._compact_if_due()

    def check(self) -> list[int]:
        """Read every record, delete the damaged ones and return their ids, so that these photos are described again."""
        damaged: list[int] = []
        start, generation = 0, self._generation
        while True:
            with self._lock:  # one block at a time, so that other threads need not wait for all
                if generation != self._generation:
                    start, generation = 0, self._generation
                if start >= self._positions.count:
                    break
                stop = self._block_end(start)
                damaged += self._check_block(start, stop)
                start = stop
        if not self.read_only:
            self._compact_if_due()
        return damaged

    def close_gaps(self) -> None:
        """Rewrite the records if deleted ones are among them, so that all of them can be mapped as one array.

        Raises
        ------
        LibraryReadOnlyError
        """
        with self._lock:
            if self._positions.count > self._positions.live:
                self._compact()

    def close(self) -> None:
        """Close the files. Returned arrays stay valid."""
        with self._lock:
            self._close_files()
            self._reset(0)
            self._closed = True

    # ------------------------------------------------------------------ layout of a store type
    @abstractmethod
    def _row(self) -> np.dtype[np.generic]:
        """Return the dtype of a row."""

    @abstractmethod
    def _spans(self, positions: NDArray[np.int64]) -> files.Spans:
        """Return the first row and the number of rows of the records at some positions."""

    @abstractmethod
    def _add_spans(self, starts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Store the spans of the next positions."""

    # ------------------------------------------------------------------ opening
    def _open(self, *, half: bool) -> None:
        if not self.read_only:
            self._folder.mkdir(parents=True, exist_ok=True)
        try:
            self._load()
            if half and not self._positions.count and self._magic != self._wanted:
                self._start_empty()
        except FileNotFoundError:
            self._start_empty()
        except BadHeaderError:
            self._close_files()
            if not self.read_only:
                files.set_aside(self._folder, self.key)
            self._start_empty()

    def _load(self) -> None:
        """Read the index up to the last complete batch that has its rows, and truncate the rest."""
        self._close_files()
        flags = os.O_RDONLY if self.read_only else os.O_RDWR
        index = self._index = os.open(self._index_path, flags | os.O_CLOEXEC)
        header = Header.unpack(files.read_at(index, HEADER, 0))
        if (header.key, header.dimension) != (self.key, self.dimension) or header.magic not in self.MAGICS:
            raise BadHeaderError("the file belongs to other records")
        self._magic = header.magic
        try:
            data = self._rows = os.open(files.rows_path(self._folder, header), flags | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise BadHeaderError("the rows are gone") from error
        if files.read_at(data, HEADER, 0) != header.pack():
            raise BadHeaderError("the rows belong to another index")
        self._reset(header.generation)
        entries = files.read_entries(index, 0, (os.fstat(index).st_size - HEADER) // self.ENTRY.itemsize, self.ENTRY)
        good = entries["check"] == files.checks(entries, 0, header.generation)
        starts, counts = files.spans(entries)
        starts, counts = np.where(good, starts, 0), np.where(good, counts, 0)
        there = (os.fstat(data).st_size - HEADER) // self._row().itemsize
        needed = np.maximum.accumulate(starts + counts)
        ends = np.flatnonzero(good & (entries["left"] == 0) & (needed <= there))
        count = int(ends[-1]) + 1 if len(ends) else 0
        owners = last_of_each(np.where(good, entries["id"], DELETED)[:count])
        self._add(owners, starts[:count], counts[:count])
        if not self.read_only:
            _cut(index, files.entry_offset(count, self.ENTRY))
            _cut(data, self._offset(self._end))
            # Records that count as deleted must stay so: damaged entries, and entries that a crash left beside their
            # replacements.
            doomed = np.flatnonzero(~good[:count] | (entries["id"][:count] != owners))
            if len(doomed):
                files.mark_deleted(index, doomed, self._generation, self.ENTRY)
                os.fsync(index)
            files.sweep(self._folder, header)

    def _start_empty(self) -> None:
        self._close_files()
        self._magic = self._wanted
        self._reset(1)
        if self.read_only:
            return
        header = self._header()
        for stale in files.rows_files(self._folder, self.key):
            stale.unlink()
        files.create(self._folder, header, (), np.zeros(0, self.ENTRY))
        self._open_files(header)

    def _open_files(self, header: Header) -> None:
        self._index = os.open(self._index_path, os.O_RDWR | os.O_CLOEXEC)
        self._rows = os.open(files.rows_path(self._folder, header), os.O_RDWR | os.O_CLOEXEC)

    # ------------------------------------------------------------------ writing
    def _append(self, numbers: NDArray[np.int64], rows: Rows, records: Sequence[Rows]) -> None:
        """Write records, whose rows are contiguous in `rows`; at the end, either all are on the disk or none."""
        if len(np.unique(numbers)) != len(numbers):
            raise ValueError("an id occurs twice in one batch")
        if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) <= LARGEST_ID:
            raise ValueError(f"ids lie between 0 and {LARGEST_ID}")
        if not len(numbers):
            return
        counts = self._counts(records)
        crcs = [files.crc(number, record) for number, record in zip(numbers.tolist(), records, strict=True)]
        left = np.arange(len(numbers), dtype=np.uint32)[::-1]
        with self._lock:
            index, data = self._descriptors()
            starts = self._end + np.cumsum(counts) - counts
            first, generation = self._positions.count, self._generation
            entries = files.make_entries(self.ENTRY, numbers, crcs, left, first, generation, (starts, counts))
            with translated(self._folder):
                try:
                    # Rows first, because an entry on the disk guarantees its rows. Replaced records are deleted in the
                    # same batch: if only the deletion reaches the disk, the photo is missing and described again.
                    files.write_at(data, rows.reshape(-1).view(np.uint8).data, self._offset(self._end))
                    os.fsync(data)
                    dead = self._positions_of(numbers)
                    self._delete(index, dead[dead != DELETED])
                    files.write_at(index, entries.tobytes(), files.entry_offset(first, self.ENTRY))
                    os.fsync(index)
                except BaseException:  # interruptions too: uncounted records must not be found later
                    os.ftruncate(index, files.entry_offset(first, self.ENTRY))
                    os.ftruncate(data, self._offset(self._end))
                    raise
            self._add(numbers, starts, counts)
            self.version += 1
            self._compact_if_due()

    def _counts(self, records: Sequence[Rows]) -> NDArray[np.int64]:
        size = self._row().itemsize
        return np.array([record.nbytes // size for record in records], np.int64)

    def _compact_if_due(self) -> None:
        dead = self._positions.count - self._positions.live
        if dead >= _COMPACT_FROM and dead > self._positions.live:
            self._compact()

    def _compact(self, magic: bytes | None = None) -> None:
        """Write the live records to a new file; if the disk is full, change nothing.

        With another `magic`, the rows are converted; they must just have been checked.
        """
        index, _ = self._descriptors()
        magic = magic or self._magic
        old = files.rows_path(self._folder, self._header())
        header = replace(self._header(self._generation + 1), magic=magic)
        positions, owners = self._positions.alive(), self._positions.ids
        counts = self._spans(positions)[1]
        starts = np.cumsum(counts) - counts
        # The old checksums are copied: a damaged record must not become valid by copying it.
        crcs = files.read_entries(index, 0, self._positions.count, self.ENTRY)["crc"][positions]
        left = np.zeros(len(positions), np.uint32)
        entries = files.make_entries(self.ENTRY, owners, crcs, left, 0, header.generation, (starts, counts))
        mapped = self._mapped()
        cuts = np.flatnonzero(np.diff(starts // max(1, _BLOCK // self._row().itemsize))) + 1
        blocks = (self._converted(self._take(mapped, some), magic) for some in np.split(positions, cuts))
        if magic != self._magic:
            entries = self._entries_again(positions, header)
        try:
            with translated(self._folder):
                files.create(self._folder, header, blocks, entries)
        except LibraryError:
            return  # no space for the copy: continue with the old file
        self._close_files()
        self._open_files(header)
        self._magic = magic
        self._reset(header.generation)
        self._add(owners, starts, counts)
        old.unlink(missing_ok=True)

    def _converted(self, rows: Rows, magic: bytes) -> Rows:  # noqa: ARG002 - most kinds have one form
        """Convert rows to the format of a magic number."""
        return rows

    def _entries_again(self, positions: NDArray[np.int64], header: Header) -> files.Entries:
        """Return the entries of a new file with converted records."""
        mapped, crcs = self._mapped(), []
        owners = self._positions.ids
        for number, position in zip(owners.tolist(), positions.tolist(), strict=True):
            rows = self._converted(self._take(mapped, np.array([position])), header.magic)
            crcs.append(files.crc(number, np.ascontiguousarray(rows)))
        counts = self._spans(positions)[1]
        left = np.zeros(len(positions), np.uint32)
        spans = np.cumsum(counts) - counts, counts
        return files.make_entries(self.ENTRY, owners, crcs, left, 0, header.generation, spans)

    # ------------------------------------------------------------------ state
    def _header(self, generation: int | None = None) -> Header:
        return Header(self.key, self.dimension, self._generation if generation is None else generation, self._magic)

    def _reset(self, generation: int) -> None:
        self._generation = generation
        self._closed = False
        self._positions = PositionTable()
        self._end = 0  # rows in use
        self._map: Rows | None = None

    def _add(self, owners: NDArray[np.int64], starts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        self._add_spans(starts, counts)
        self._positions.add(owners)
        self._end = max(self._end, int((starts + counts).max(initial=0)))

    def _offset(self, row: int) -> int:
        return HEADER + row * self._row().itemsize

    def _delete(self, index: int, positions: NDArray[np.int64]) -> None:
        files.mark_deleted(index, positions, self._generation, self.ENTRY)
        self._positions.drop(positions)
        self.version += 1

    def _positions_of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of photos; DELETED for photos without one."""
        if self._closed:
            raise LibraryError("The store {0} is closed: open the library again.", self.key)
        return self._positions.of(ids)

    def _present(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of photos; raise `KeyError` if one is missing."""
        positions = self._positions_of(ids)
        if (positions == DELETED).any():
            raise KeyError(f"{self.key} has no {self.NOUN} of the photos {ids[positions == DELETED][:3].tolist()}")
        return positions

    def _mapped(self) -> Rows:
        """Return a memory map of all rows; earlier, shorter maps stay valid."""
        if self._rows is None:
            return np.empty(0, self._row())
        if self._map is None or len(self._map) < self._end:
            path = files.rows_path(self._folder, self._header())
            with translated(self._folder):
                # Fewer rows than expected, if the file was truncated while it was open.
                there = (os.fstat(self._rows).st_size - HEADER) // self._row().itemsize
                count = min(self._end, there)
                self._map = np.memmap(path, self._row(), "r", HEADER, (count,)) if count > 0 else None
        return np.empty(0, self._row()) if self._map is None else self._map

    def _take(self, mapped: Rows, positions: NDArray[np.int64]) -> Rows:
        """Return the rows of positions: a view if they are contiguous, else a copy."""
        if not len(positions):
            return mapped[:0]
        starts, counts = self._spans(positions)
        first, stops = int(starts[0]), starts + counts
        if int(stops.max()) > len(mapped):
            raise LibraryError("The file of {0} was cut off while it was open: check the library.", self.key)
        if len(positions) == 1 or bool((starts[1:] == stops[:-1]).all()):
            return mapped[first : int(stops[-1])]
        if int(counts.sum()) >= _ROWS_OF_LONG_RECORDS * len(counts):  # byte ranges: five times faster than row by row
            size = mapped.dtype.itemsize
            octets = np.asarray(mapped).view(np.uint8)
            stretches = zip((starts * size).tolist(), (stops * size).tolist(), strict=True)
            return np.concatenate([octets[start:stop] for start, stop in stretches]).view(mapped.dtype)
        before = np.cumsum(counts) - counts
        return mapped[np.repeat(starts - before, counts) + np.arange(int(counts.sum()))]

    def _block_end(self, start: int) -> int:
        """Return the end of the block of positions from `start` that fits `_BLOCK`."""
        positions = np.arange(start, min(start + _POSITIONS, self._positions.count))
        rows = np.cumsum(self._spans(positions)[1])
        return start + max(1, int(np.searchsorted(rows, _BLOCK // self._row().itemsize, "right")))

    def _check_block(self, start: int, stop: int) -> list[int]:
        """Delete the damaged records at positions ``start:stop`` and return their ids."""
        if self._index is None or self._rows is None:
            return []
        entries = files.read_entries(self._index, start, stop, self.ENTRY)
        good = entries["check"] == files.checks(entries, start, self._generation)
        owners = self._positions.owners(start, stop)
        alive = np.flatnonzero(owners != DELETED)
        if not len(alive):
            return []
        starts, counts = self._spans(start + alive)
        low = int(starts.min())
        block = files.read_rows(self._rows, self._row(), low, int((starts + counts).max()))
        bad = []
        for at, begin, count in zip(alive.tolist(), (starts - low).tolist(), counts.tolist(), strict=True):
            sound = at < len(good) and good[at] and entries["id"][at] == owners[at] and begin + count <= len(block)
            if not sound or files.crc(int(owners[at]), block[begin : begin + count]) != entries["crc"][at]:
                bad.append(at)
        if bad:
            positions = start + np.array(bad, np.int64)
            if self.read_only:
                self._positions.drop(positions)
                self.version += 1
            else:
                with translated(self._folder):
                    self._delete(self._index, positions)
                    os.fsync(self._index)
        return owners[bad].tolist() if bad else []

    def _descriptors(self) -> tuple[int, int]:
        if self.read_only:
            raise not_writable(self._folder)
        if self._index is None or self._rows is None:
            raise LibraryError("The store {0} is closed: open the library again.", self.key)
        return self._index, self._rows

    def _close_files(self) -> None:
        for descriptor in (self._index, self._rows):
            if descriptor is not None:
                os.close(descriptor)
        self._index = self._rows = None


def _cut(descriptor: int, size: int) -> None:
    """Truncate a file to a size; if it has that size already, leave it and its modification time unchanged."""
    if os.fstat(descriptor).st_size != size:
        os.ftruncate(descriptor, size)
