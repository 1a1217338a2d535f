# SPDX-License-Identifier: MIT
"""File locations of all photos: order by path, search in paths, and photo counts by folder."""

from __future__ import annotations

import os
import sqlite3
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.columns.column import Arrays, Column, mask_of
from focal_photos.browser.catalog.store.id_list import from_digits, id_list, in_digits
from focal_photos.browser.catalog.store.schema.functions import fold

PRESENT, MISSING, FORMER = range(3)
"""Kinds of places: an existing file, a file that the last scan did not find, and a former location of a photo."""

_END: Final = b"\0"  # terminates a path: no file name contains it
_FOLDED: Final = 1000  # paths case-folded at a time
_MIN_VECTORISED_OCCURRENCES: Final = 5000  # occurrences from which the vectorised search is used
_COMPARED: Final = 1 << 18  # bytes of paths compared at a time

_FILES: Final = "SELECT photo_id, state = 'missing', root_id, file.path FROM {0} WHERE photo_id IS NOT NULL"
_FORMER: Final = "SELECT photo_id, 2, root_id, former_place.path FROM {0}"
_OF_ALL: Final = "root CROSS JOIN {0} ON root_id = root.id"
_OF_SOME: Final = "json_each(?) CROSS JOIN {0} ON photo_id = value"

Row = tuple[int, int, int, bytes]


@dataclass(frozen=True, eq=False)
class Texts:
    """Concatenated byte strings."""

    data: bytes
    """The strings, each terminated by a NUL; they contain no other NUL."""
    ends: NDArray[np.int64]
    """End of each string in `data`, after its NUL; shape (m,)."""

    @classmethod
    def of(cls, texts: Sequence[bytes]) -> Texts:
        """Concatenate some strings."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
        return cls(_END.join([*texts, b""]), np.cumsum(lengths))

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, row: int) -> bytes:
        return self.data[self.start(row) : int(self.ends[row]) - 1]

    def start(self, row: int) -> int:
        """Return the start of a string; for the number of strings, the end of the data."""
        return int(self.ends[row - 1]) if row else 0

    def merged(self, other: Texts, source: NDArray[np.int64]) -> Texts:
        """Merge with other strings: source ``i`` is string i of this object, ``-1 - i`` string i of the other."""
        lengths = np.diff(self.ends, prepend=0), np.diff(other.ends, prepend=0)
        own = source >= 0
        length = np.empty(len(source), np.int64)
        length[own], length[~own] = lengths[0][source[own]], lengths[1][-1 - source[~own]]
        breaks = np.flatnonzero((np.diff(source) != 1) | ~own[1:] | ~own[:-1]) + 1
        bounds = [0, *breaks.tolist(), len(source)] if len(source) else []
        parts = []
        for first, stop in pairwise(bounds):
            one, last = int(source[first]), int(source[stop - 1])
            parts.append(self.data[self.start(one) : int(self.ends[last])] if one >= 0 else other[-1 - one] + _END)
        return Texts(b"".join(parts), np.cumsum(length))

    def folded(self) -> Texts:
        """Return the case-folded strings, in any script."""
        if self.data.isascii():
            return Texts(self.data.lower(), self.ends)
        parts = []
        for first in range(0, len(self), _FOLDED):
            part = self.data[self.start(first) : self.start(min(first + _FOLDED, len(self)))]
            parts.append(part.lower() if part.isascii() else os.fsencode(fold(os.fsdecode(part))))
        data = b"".join(parts)
        return Texts(data, np.flatnonzero(np.frombuffer(data, np.uint8) == 0) + 1)

    def containing(self, needle: bytes) -> NDArray[np.int64]:
        """Return the indices of the strings that contain `needle`, ascending, possibly repeated."""
        if not needle or _END in needle:
            return np.arange(len(self) if not needle else 0)
        return np.searchsorted(self.ends, self._occurrences(needle), "right")

    def beginning(self, needle: bytes) -> NDArray[np.int64]:
        """Return the indices of the strings that begin with `needle`."""
        # Every string but the first follows the NUL of another.
        rows = np.searchsorted(self.ends, self._occurrences(_END + needle) + 1) + 1
        return np.insert(rows, 0, 0) if self.data.startswith(needle) else rows

    def _occurrences(self, needle: bytes) -> NDArray[np.int64]:
        """Return positions of `needle`, at least one in each string that contains it, ascending."""
        found: list[int] = []
        at = self.data.find(needle)
        while at >= 0 and len(found) < _MIN_VECTORISED_OCCURRENCES:
            found.append(at)
            at = self.data.find(needle, self.data.index(_END, at + 1))
        return np.array(found, np.int64) if at < 0 else self._all(needle)

    def _all(self, needle: bytes) -> NDArray[np.int64]:
        """Return all positions of a frequent `needle` by a vectorised search."""
        data = np.frombuffer(self.data, np.uint8)
        letters = np.frombuffer(needle, np.uint8)
        rare = int(np.argmin(np.bincount(data[:: max(1, len(data) >> 16)], minlength=256)[letters]))
        places = np.flatnonzero(data == letters[rare]) - rare
        places = places[(places >= 0) & (places <= len(data) - len(letters))]
        for i, letter in enumerate(letters.tolist()):
            if i != rare:
                places = places[data[places + i] == letter]
        return places


@dataclass(frozen=True, eq=False)
class Places:
    """All places of all photos: files in bytewise order of their paths, followed by the former places."""

    photo: NDArray[np.int64]
    root: NDArray[np.int64]
    """`photo` and `root`: ids; shape (m,)."""
    kind: NDArray[np.int8]
    """`PRESENT`, `MISSING` or `FORMER`; shape (m,)."""
    paths: Texts
    """Paths relative to the root."""
    folder: NDArray[np.int32]
    """Indices into `folders`; shape (m,)."""
    folders: tuple[bytes, ...]
    """Folders relative to the root."""

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """All photo ids by their first present file, or else by their first other place; int64, (n,)."""
        if not len(self.photo):
            return self.photo
        # Filled from the back, so that the first place is written last.
        place = np.full(self.size, -1, np.int64)
        at = np.arange(len(self.photo))
        for chosen in (self.kind != PRESENT, self.kind == PRESENT):
            place[self.photo[chosen][::-1]] = at[chosen][::-1]
        order: NDArray[np.int64] = self.photo[place[self.photo] == at]
        order.flags.writeable = False
        return order

    @cached_property
    def folded(self) -> Texts:
        """The case-folded paths."""
        return self.paths.folded()

    @property
    def size(self) -> int:
        """Largest photo id plus one."""
        return int(self.photo.max(initial=-1)) + 1

    def missing(self) -> NDArray[np.bool_]:
        """Return for each photo id whether the photo has places but no present file; bool, (size,)."""
        known, there = mask_of(self.photo, self.size), mask_of(self.photo[self.kind == PRESENT], self.size)
        return known & ~there

    def copied(self, removed: Sequence[int]) -> NDArray[np.int64]:
        """Return the photos with several present files outside the removed roots."""
        there = self.photo[(self.kind == PRESENT) & ~np.isin(self.root, removed)]
        return np.flatnonzero(np.bincount(there, minlength=1) > 1)

    def removed(self, roots: Sequence[int]) -> NDArray[np.bool_]:
        """Return for each photo id whether all its places are in the removed roots; bool, (size,)."""
        gone = np.isin(self.root, roots)
        elsewhere = mask_of(self.photo[~gone & (self.kind != FORMER)], self.size)
        former = mask_of(self.photo[gone & (self.kind == FORMER)], self.size)
        return (mask_of(self.photo[gone], self.size) & ~elsewhere) | former

    def containing(self, needle: bytes) -> NDArray[np.int64]:
        """Return the photos with a relative path that contains folded bytes, possibly repeated."""
        return self.photo[self.folded.containing(needle)]

    def containing_absolute(self, needle: bytes, roots: Mapping[int, bytes]) -> NDArray[np.int64]:
        """Return the photos with an absolute path that contains folded bytes, possibly repeated.

        Parameters
        ----------
        roots : mapping of int to bytes
            Case-folded paths of the roots by id.
        """
        found = [self.containing(needle)]
        for number, path in roots.items():
            before, inside = path + b"/", self.root == number
            if needle in before:
                found.append(self.photo[inside])
                continue
            for length in range(1, len(needle)):  # the needle may begin at the end of the root's path
                if before.endswith(needle[:length]):
                    rows = self.folded.beginning(needle[length:])
                    found.append(self.photo[rows[inside[rows]]])
        return np.concatenate(found)

    def below(self, root: int, folder: bytes = b"") -> NDArray[np.int64]:
        """Return the photos with a present file in a folder of a root or below it, possibly repeated."""
        rows: NDArray[np.int64] = np.flatnonzero((self.root == root) & (self.kind != FORMER))  # contiguous
        if folder and len(rows):
            first, stop = int(rows[0]), int(rows[-1]) + 1
            # "0" follows "/" in ASCII.
            low = bisect_left(range(first, stop), folder + b"/", key=self.paths.__getitem__) + first
            high = bisect_left(range(first, stop), folder + b"0", key=self.paths.__getitem__) + first
            rows = np.arange(low, high)
        photos: NDArray[np.int64] = self.photo[rows[self.kind[rows] == PRESENT]]
        return photos

    @cached_property
    def folder_numbers(self) -> NDArray[np.int64]:
        """A number for the folder of each photo, by id; -1 without a file, that of the last file if several."""
        found = np.full(int(self.photo.max(initial=-1)) + 1, -1, np.int64)
        if len(self.folder) == len(self.photo):  # false if the catalogue was edited and a path contains a NUL
            rows = self.kind != FORMER
            found[self.photo[rows]] = self.root[rows] * len(self.folders) + self.folder[rows]
        return found

    def in_folders(self, root: int) -> list[tuple[bytes, int]]:
        """Return the folders of a root that have present photos in or below them, with their photo counts, by path.

        Copies of a photo in a folder count once.
        """
        rows = (self.root == root) & (self.kind == PRESENT)
        photo, folder = self.photo[rows], self.folder[rows]
        used = np.flatnonzero(np.bincount(folder, minlength=len(self.folders))).tolist()
        names = sorted({name for i in used for name in _with_those_above(self.folders[i])})
        number = {name: i for i, name in enumerate(names)}
        above = np.array([number[name.rpartition(b"/")[0]] for name in names], np.int64)
        numbers = np.zeros(len(self.folders), np.int64)
        numbers[used] = [number[self.folders[i]] for i in used]
        place = numbers[folder]
        often = np.bincount(photo)[photo] > 1
        counts = np.bincount(place[~often], minlength=len(names)).tolist()
        for i in range(len(names) - 1, 0, -1):  # parents have smaller indices
            counts[above[i]] += counts[i]
        pairs = _distinct(place[often] << 32 | photo[often])
        every = [pairs]
        while (pairs >> 32).any():
            pairs = _distinct(above[pairs >> 32] << 32 | pairs & 0xFFFFFFFF)
            every.append(pairs)
        copies = np.bincount(_distinct(np.concatenate(every)) >> 32, minlength=len(names)).tolist()
        return [(name, count + more) for name, count, more in zip(names, counts, copies, strict=True)]


def _distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the distinct numbers, ascending. `np.unique` would load numpy's masked arrays, half of numpy's size."""
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]


def _with_those_above(folder: bytes) -> list[bytes]:
    """Return a folder relative to its root, and its parents up to the root, which is empty."""
    found = [folder]
    while folder:
        folder = folder.rpartition(b"/")[0]
        found.append(folder)
    return found


class PlaceColumn(Column[Places]):
    """Column of `Places`."""

    WHAT: ClassVar[int] = 1
    NAME: ClassVar[str] = "places"

    def _read(self, connection: sqlite3.Connection) -> Places:
        parts = [_places([])]
        for sql, table in ((_FILES, "file"), (_FORMER, "former_place")):
            rows = f"{sql.format(_OF_ALL.format(table))} ORDER BY root.path, {table}.path"
            # As in `integers`: SQLite reads all rows in one step, without blocking other threads.
            numbers, paths = connection.execute(
                f"WITH place(photo, kind, root, path) AS ({rows}) SELECT {in_digits('photo', 'kind', 'root')}, "
                "CAST(group_concat(path || x'00', '') AS BLOB) FROM place"
            ).fetchone()
            parts.append(_all_places(from_digits(numbers or b"").reshape(-1, 3), paths or b"", parts[-1].folders))
        return _joined(parts)

    def _changed(self, value: Places, connection: sqlite3.Connection, ids: NDArray[np.int64]) -> Places:
        rows: list[Row] = []
        for sql, table in ((_FILES, "file"), (_FORMER, "former_place")):
            rows += connection.execute(sql.format(_OF_SOME.format(table)), (id_list(ids),)).fetchall()
        roots = dict(connection.execute("SELECT id, path FROM root").fetchall())
        rows.sort(key=lambda row: (row[1] == FORMER, roots[row[2]], row[3]))
        return _with(value, _places(rows, value.folders), mask_of(ids, int(ids[-1]) + 1), roots)

    def _size(self, value: Places) -> int:
        return len(value.photo)

    def to_arrays(self, value: Places) -> Arrays:
        """Return the arrays of all places."""
        return {
            "photo": value.photo,
            "root": value.root,
            "kind": value.kind,
            "paths": np.frombuffer(value.paths.data, np.uint8),
            "ends": value.paths.ends,
            "folder": value.folder,
            "folders": np.frombuffer(_END.join([*value.folders, b""]), np.uint8),
        }

    def from_arrays(self, arrays: Arrays) -> Places:
        """Return the places that `to_arrays` encoded."""
        texts = Texts(_contents(arrays["paths"]), arrays["ends"].astype(np.int64, copy=False))
        photo, root = (arrays[name].astype(np.int64, copy=False) for name in ("photo", "root"))
        kind, folder = arrays["kind"].astype(np.int8, copy=False), arrays["folder"].astype(np.int32, copy=False)
        return Places(photo, root, kind, texts, folder, tuple(arrays["folders"].tobytes().split(_END)[:-1]))

    def _same(self, one: Places, other: Places) -> bool:
        # Folder numbers depend on the order of insertion, so they are not compared.
        first, second = self.to_arrays(one), self.to_arrays(other)
        return all(np.array_equal(first[name], second[name]) for name in ("photo", "root", "kind", "paths", "ends"))


def _contents(letters: NDArray[np.generic]) -> bytes:
    """Return the contents of an array, without a copy if its base is a bytes object."""
    made_of: object = letters.base
    return made_of if isinstance(made_of, bytes) and len(made_of) == letters.nbytes else letters.tobytes()


def needle(text: str) -> bytes:
    """Encode a text for the search in paths: case-folded, with unencodable characters replaced."""
    folded = fold(text)
    try:
        return os.fsencode(folded)
    except UnicodeEncodeError:
        return folded.encode("utf-8", "replace")


def _places(rows: Sequence[Row], known: Sequence[bytes] = ()) -> Places:
    """Return places in the order of the rows; known folders retain their numbers."""
    count = len(rows)
    photo = np.fromiter((row[0] for row in rows), np.int64, count)
    kind = np.fromiter((row[1] for row in rows), np.int8, count)
    root = np.fromiter((row[2] for row in rows), np.int64, count)
    numbers = {name: number for number, name in enumerate(known)}
    folder = np.empty(count, np.int32)
    for i, row in enumerate(rows):
        folder[i] = numbers.setdefault(row[3].rpartition(b"/")[0], len(numbers))
    return Places(photo, root, kind, Texts.of([row[3] for row in rows]), folder, tuple(numbers))


def _all_places(numbers: NDArray[np.int64], paths: bytes, known: Sequence[bytes]) -> Places:
    """Return places from (photo, kind, root) rows, shape (m, 3), and their NUL-terminated paths."""
    texts = Texts(paths, np.flatnonzero(np.frombuffer(paths, np.uint8) == 0) + 1)
    numbers_of = {name: number for number, name in enumerate(known)}
    folder = np.empty(len(texts), np.int32)
    bounds = [*_new_folders(texts).tolist(), len(texts)]
    for first, stop in pairwise(bounds):
        name = texts[first].rpartition(b"/")[0]
        folder[first:stop] = numbers_of.setdefault(name, len(numbers_of))
    photo, kind, root = (np.ascontiguousarray(column) for column in numbers.T)
    return Places(photo, root, kind.astype(np.int8), texts, folder, tuple(numbers_of))


def _new_folders(texts: Texts) -> NDArray[np.int64]:
    """Return the indices of the paths whose folder differs from that of the previous path."""
    data = np.frombuffer(texts.data, np.uint8)
    starts = np.insert(texts.ends, 0, 0)[:-1]
    slashes = np.insert(np.flatnonzero(data == ord("/")), 0, -1)
    lengths = np.maximum(slashes[np.searchsorted(slashes, texts.ends) - 1] - starts, 0)
    is_new = np.diff(lengths, prepend=-1) != 0
    alike = np.flatnonzero(~is_new & (lengths > 0))
    parts = np.searchsorted(np.cumsum(lengths[alike]), np.arange(_COMPARED, lengths.sum(), _COMPARED))
    for rows in np.split(alike, parts):
        length = lengths[rows]
        ends = np.cumsum(length)
        at = np.arange(length.sum()) + np.repeat(starts[rows] - ends + length, length)
        before = at - np.repeat(starts[rows] - starts[rows - 1], length)
        other = np.flatnonzero(data[at] != data[before])
        is_new[rows[np.searchsorted(ends, other, "right")]] = True
    return np.flatnonzero(is_new)


def _joined(parts: Sequence[Places]) -> Places:
    """Concatenate places; each part includes the folders of the parts before it."""
    texts = [part.paths for part in parts]
    starts = np.cumsum([0, *(len(text.data) for text in texts)])
    ends = [text.ends + start for text, start in zip(texts, starts.tolist(), strict=False)]
    return Places(
        np.concatenate([part.photo for part in parts]),
        np.concatenate([part.root for part in parts]),
        np.concatenate([part.kind for part in parts]),
        Texts(b"".join(text.data for text in texts), np.concatenate(ends)),
        np.concatenate([part.folder for part in parts]),
        parts[-1].folders,
    )


def _with(value: Places, new: Places, changed: NDArray[np.bool_], roots: Mapping[int, bytes]) -> Places:
    """Replace the places of changed photos by new ones, which are sorted."""
    changed = np.append(changed, False)  # the last element stands for all larger ids
    kept = np.flatnonzero(~changed[np.minimum(value.photo, len(changed) - 1)])

    def key(row: int) -> tuple[bool, bytes, bytes]:
        return bool(value.kind[row] == FORMER), roots[int(value.root[row])], value.paths[row]

    at, low = np.empty(len(new.photo), np.int64), 0
    for i in range(len(new.photo)):
        wanted = bool(new.kind[i] == FORMER), roots[int(new.root[i])], new.paths[i]
        low = at[i] = bisect_left(range(len(kept)), wanted, low, key=lambda place: key(int(kept[place])))
    source = np.insert(kept, at, -1 - np.arange(len(at)))
    own = source >= 0

    def merged(before: NDArray[Any], after: NDArray[Any]) -> NDArray[Any]:
        result = np.empty(len(source), before.dtype)
        result[own], result[~own] = before[source[own]], after[-1 - source[~own]]
        return result

    return Places(
        merged(value.photo, new.photo),
        merged(value.root, new.root),
        merged(value.kind, new.kind),
        value.paths.merged(new.paths, source),
        merged(value.folder, new.folder),
        new.folders,
    )
