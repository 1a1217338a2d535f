"""One vector store: append, look up, forget, check. A crash loses at most the batch being written."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from browser.catalog import vector_files as files
from browser.catalog.errors import LibraryError, not_writable, translated
from browser.catalog.slots import DEAD, LARGEST_ID, Slots, last_of_each
from browser.catalog.vector_files import ENTRY, HEADER, BadHeaderError, Header

_COMPACT_FROM = 16  # dead rows; below, a compaction is not worth its while
_BLOCK = 1 << 22  # bytes read at a time


class VectorStore:
    """The vectors of one key, float32 of shape (d,), each under a photo id.

    Any thread may call: one appends at a time while others read. Arrays that were handed out never change and
    stay valid, whatever happens to the store afterwards.

    Parameters
    ----------
    folder : pathlib.Path
    key : str
    dimension : int
        d.
    read_only : bool
        Nothing is written; a torn tail is disregarded and left alone. The state is that of the moment of
        opening.

    Attributes
    ----------
    key : str
    dimension : int
    version : int
        Rises with every change of this object's rows, so that what was made of them can be told to be out of date.
    """

    def __init__(self, folder: Path, key: str, dimension: int, *, read_only: bool = False) -> None:
        if dimension < 1:
            raise ValueError("a vector has at least one component")
        self.key = key
        self.dimension = dimension
        self.read_only = read_only
        self._folder = folder
        self._index_path = files.index_path(folder, key)
        self._lock = threading.RLock()
        self._index: int | None = None  # file descriptors; None where there is no file, or after `close`
        self._rows: int | None = None
        self.version = 0
        self._reset(0)
        with translated(folder):
            self._open()

    @classmethod
    def existing(cls, folder: Path, key: str, *, read_only: bool = False) -> VectorStore | None:
        """Open what is on disk, with the dimension that it has; None if it is unusable."""
        try:
            with files.index_path(folder, key).open("rb") as stream:
                header = Header.unpack(stream.read(HEADER))
        except (OSError, BadHeaderError):
            return None
        return cls(folder, key, header.dimension, read_only=read_only) if header.key == key else None

    # ------------------------------------------------------------------ reading
    def __len__(self) -> int:
        return self._slots.live

    @property
    def ids(self) -> NDArray[np.int64]:
        """Photo ids of the live rows in the order of their appending; int64, shape (N,), read-only."""
        with self._lock:
            return self._slots.ids

    @property
    def array(self) -> NDArray[np.float32]:
        """The live rows in the order of `ids`; float32, shape (N, d), read-only.

        Memory-mapped as long as no dead row lies between them, else a copy: prefer `blocks` for large stores.
        """
        return self.snapshot()[1]

    def snapshot(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return `ids` and `array` of the same moment."""
        with self._lock:
            return self._slots.ids, _gather(self._mapped(), self._slots.alive())

    def blocks(self, rows: int = 8192) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Yield ids (m,) and rows (m, d) of the whole store as it is now, at most `rows` at a time."""
        with self._lock:
            slots, ids, mapped = self._slots.alive(), self._slots.ids, self._mapped()
        for start in range(0, len(slots), rows):
            yield ids[start : start + rows], _gather(mapped, slots[start : start + rows])

    def missing(self, ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of `ids`, in their order, that have no row here; int64."""
        wanted = _as_ids(ids)
        with self._lock:
            lacking: NDArray[np.int64] = wanted[self._slots_of(wanted) == DEAD]
            return lacking

    def rows(self, ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of photos.

        Parameters
        ----------
        ids : iterable of int, length n

        Returns
        -------
        ndarray of float32, shape (n, d)
            Memory-mapped and read-only if the rows lie in this order one after the other, else a copy.

        Raises
        ------
        KeyError
            If a photo has no row here; see `missing`.
        """
        wanted = _as_ids(ids)
        with self._lock:
            slots = self._slots_of(wanted)
            if (slots == DEAD).any():
                raise KeyError(f"{self.key} has no vector of the photos {wanted[slots == DEAD][:3].tolist()}")
            return _gather(self._mapped(), slots)

    # ------------------------------------------------------------------ writing
    def append(self, ids: Iterable[int] | NDArray[np.int64], rows: ArrayLike) -> None:
        """Add vectors; all are on the disk at the end, or none. An id that has a row gets the new one.

        Parameters
        ----------
        ids : iterable of int, length m
            Different, from 0 to 2**31 - 1.
        rows : array_like, shape (m, d)
            Stored as float32.

        Raises
        ------
        ValueError
            If shapes or ids are wrong.
        LibraryFullError, LibraryReadOnlyError
        """
        numbers = _as_ids(ids)
        matrix = np.ascontiguousarray(rows, "<f4")
        if matrix.shape != (len(numbers), self.dimension):
            raise ValueError(f"rows have the shape {matrix.shape}, expected {(len(numbers), self.dimension)}")
        if len(np.unique(numbers)) != len(numbers):
            raise ValueError("an id occurs twice in one batch")
        if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) <= LARGEST_ID:
            raise ValueError(f"ids lie between 0 and {LARGEST_ID}")
        if not len(numbers):
            return
        crcs = files.row_crcs(numbers, matrix)
        left = np.arange(len(numbers), dtype=np.uint32)[::-1]
        with self._lock:
            index, data = self._descriptors()
            entries = files.make_entries(numbers, crcs, left, self._slots.count, self._generation)
            with translated(self._folder):
                try:
                    # Rows first: an entry on the disk vouches for its row. What the batch replaces dies with
                    # it: if only the mark of death arrives, the photo is missing, and it is described again.
                    files.write_at(data, matrix.data, files.row_offset(self._slots.count, self.dimension))
                    os.fsync(data)
                    dead = self._slots_of(numbers)
                    self._bury(index, dead[dead != DEAD])
                    files.write_at(index, entries.tobytes(), files.entry_offset(self._slots.count))
                    os.fsync(index)
                except BaseException:  # an interruption too: what is not counted must not be found later
                    os.ftruncate(index, files.entry_offset(self._slots.count))
                    os.ftruncate(data, files.row_offset(self._slots.count, self.dimension))
                    raise
            self._slots.enter(numbers)
            self.version += 1
            self._compact_if_due()

    def forget(self, ids: Iterable[int] | NDArray[np.int64]) -> None:
        """Drop the rows of photos; ids without a row do not matter.

        Raises
        ------
        LibraryReadOnlyError
        """
        with self._lock:
            slots = self._slots_of(np.unique(_as_ids(ids)))
            slots = slots[slots != DEAD]
            if not len(slots):
                return
            index, _ = self._descriptors()
            with translated(self._folder):
                self._bury(index, slots)
                os.fsync(index)
            self._compact_if_due()

    def check(self) -> list[int]:
        """Read every row, drop the damaged ones and return their ids: those photos are to be described again."""
        damaged: list[int] = []
        step = max(1, _BLOCK // (4 * self.dimension))
        start, generation = 0, self._generation
        while True:
            with self._lock:  # taken anew for each block, so that others need not wait for the whole
                if generation != self._generation:
                    start, generation = 0, self._generation
                if start >= self._slots.count:
                    break
                damaged += self._check_block(start, min(start + step, self._slots.count))
                start += step
        if not self.read_only:
            self._compact_if_due()
        return damaged

    def close(self) -> None:
        """Close the files. Arrays that were handed out stay valid."""
        with self._lock:
            self._close_files()
            self._reset(0)
            self._closed = True

    # ------------------------------------------------------------------ opening
    def _open(self) -> None:
        if not self.read_only:
            self._folder.mkdir(parents=True, exist_ok=True)
        try:
            self._load()
        except FileNotFoundError:
            self._begin_anew()
        except BadHeaderError:
            self._close_files()
            if not self.read_only:
                files.set_aside(self._folder, self.key)
            self._begin_anew()

    def _load(self) -> None:
        """Read the index; take all up to the last whole batch that has its rows, cut off what follows."""
        self._close_files()
        flags = os.O_RDONLY if self.read_only else os.O_RDWR
        index = self._index = os.open(self._index_path, flags | os.O_CLOEXEC)
        header = Header.unpack(files.read_at(index, HEADER, 0))
        if (header.key, header.dimension) != (self.key, self.dimension):
            raise BadHeaderError("the file belongs to other vectors")
        try:
            data = self._rows = os.open(files.rows_path(self._folder, header), flags | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise BadHeaderError("the rows are gone") from error
        if files.read_at(data, HEADER, 0) != header.pack():
            raise BadHeaderError("the rows belong to another index")
        self._reset(header.generation)
        entries = files.read_entries(index, 0, (os.fstat(index).st_size - HEADER) // ENTRY.itemsize)
        good = entries["check"] == files.checks(entries, 0, header.generation)
        ends = np.flatnonzero(good & (entries["left"] == 0))
        ends = ends[ends < (os.fstat(data).st_size - HEADER) // (4 * self.dimension)]
        count = int(ends[-1]) + 1 if len(ends) else 0
        owners = last_of_each(np.where(good, entries["id"], DEAD)[:count])
        self._slots.enter(owners)
        if not self.read_only:
            os.ftruncate(index, files.entry_offset(count))
            os.ftruncate(data, files.row_offset(count, self.dimension))
            # What counts as dead shall stay so: damaged entries, and those that a crash left beside the ones that
            # replace them.
            doomed = np.flatnonzero(~good[:count] | (entries["id"][:count] != owners))
            if len(doomed):
                files.mark_dead(index, doomed, self._generation)
                os.fsync(index)
            files.sweep(self._folder, header)

    def _begin_anew(self) -> None:
        self._close_files()
        self._reset(1)
        if self.read_only:
            return
        header = Header(self.key, self.dimension, 1)
        for stale in files.rows_files(self._folder, self.key):
            stale.unlink()
        files.create(self._folder, header, (), np.zeros(0, ENTRY))
        self._open_files(header)

    def _open_files(self, header: Header) -> None:
        self._index = os.open(self._index_path, os.O_RDWR | os.O_CLOEXEC)
        self._rows = os.open(files.rows_path(self._folder, header), os.O_RDWR | os.O_CLOEXEC)

    # ------------------------------------------------------------------ compaction
    def _compact_if_due(self) -> None:
        dead = self._slots.count - self._slots.live
        if dead < _COMPACT_FROM or dead <= self._slots.live:
            return
        index, _ = self._descriptors()
        old = files.rows_path(self._folder, Header(self.key, self.dimension, self._generation))
        header = Header(self.key, self.dimension, self._generation + 1)
        slots, owners = self._slots.alive(), self._slots.ids
        # The old checksums go along: a row that was damaged must not become sound by being copied.
        crcs = files.read_entries(index, 0, self._slots.count)["crc"][slots]
        entries = files.make_entries(owners, crcs, np.zeros(len(slots), np.uint32), 0, header.generation)
        mapped, step = self._mapped(), max(1, _BLOCK // (4 * self.dimension))
        blocks = (_gather(mapped, slots[start : start + step]) for start in range(0, len(slots), step))
        try:
            with translated(self._folder):
                files.create(self._folder, header, blocks, entries)
        except LibraryError:
            return  # no room for the copy: the store goes on as it is
        self._close_files()
        self._open_files(header)
        self._reset(header.generation)
        self._slots.enter(owners)
        old.unlink(missing_ok=True)

    # ------------------------------------------------------------------ state
    def _reset(self, generation: int) -> None:
        self._generation = generation
        self._closed = False
        self._slots = Slots()
        self._map: NDArray[np.float32] | None = None

    def _bury(self, index: int, slots: NDArray[np.int64]) -> None:
        files.mark_dead(index, slots, self._generation)
        self._slots.drop(slots)
        self.version += 1

    def _slots_of(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the slots of photos; DEAD where there is none."""
        if self._closed:
            raise LibraryError(f"The vectors {self.key} are closed: open the library again.")
        return self._slots.of(ids)

    def _mapped(self) -> NDArray[np.float32]:
        """Return a map of all rows there are; an older, shorter one stays valid for whoever holds it."""
        if not self._slots.count or self._rows is None:
            return np.empty((0, self.dimension), np.float32)
        if self._map is None or len(self._map) < self._slots.count:
            path = files.rows_path(self._folder, Header(self.key, self.dimension, self._generation))
            with translated(self._folder):
                self._map = np.memmap(path, "<f4", "r", HEADER, (self._slots.count, self.dimension))
        return self._map

    def _check_block(self, start: int, stop: int) -> list[int]:
        """Drop the damaged ones of the slots ``start:stop`` and return their ids."""
        if self._index is None or self._rows is None:
            return []
        entries = files.read_entries(self._index, start, stop)
        good = entries["check"] == files.checks(entries, start, self._generation)
        block = files.read_rows(self._rows, self.dimension, start, stop)
        owners = self._slots.owners(start, stop)
        bad = []
        for at in np.flatnonzero(owners != DEAD).tolist():
            sound = at < min(len(block), len(good)) and good[at] and entries["id"][at] == owners[at]
            if not sound or files.row_crcs(owners[at : at + 1], block[at : at + 1])[0] != entries["crc"][at]:
                bad.append(at)
        if bad:
            slots = start + np.array(bad, np.int64)
            if self.read_only:
                self._slots.drop(slots)
                self.version += 1
            else:
                with translated(self._folder):
                    self._bury(self._index, slots)
                    os.fsync(self._index)
        return owners[bad].tolist() if bad else []

    def _descriptors(self) -> tuple[int, int]:
        if self.read_only:
            raise not_writable(self._folder)
        if self._index is None or self._rows is None:
            raise LibraryError(f"The vectors {self.key} are closed: open the library again.")
        return self._index, self._rows

    def _close_files(self) -> None:
        for descriptor in (self._index, self._rows):
            if descriptor is not None:
                os.close(descriptor)
        self._index = self._rows = None


def _as_ids(ids: Iterable[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(ids if isinstance(ids, np.ndarray) else list(ids), np.int64).reshape(-1)


def _gather(mapped: NDArray[np.float32], slots: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return rows: a view where they follow one another, else a copy."""
    if not len(slots):
        return np.empty((0, mapped.shape[1]), np.float32)
    first, last = int(slots[0]), int(slots[-1])
    if last - first + 1 == len(slots) and (len(slots) == 1 or bool((np.diff(slots) == 1).all())):
        return mapped[first : last + 1]
    return mapped[slots]
