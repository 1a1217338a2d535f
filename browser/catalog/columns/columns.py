# SPDX-License-Identifier: MIT
"""All columns of a library, and their files in ``derived/columns``."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.columns.aspects import AspectColumn
from focal_photos.browser.catalog.columns.column import KEPT_CHANGES, Arrays, Column, mask_of, position
from focal_photos.browser.catalog.columns.numbers import DateColumn, RatingColumn, SizeColumn
from focal_photos.browser.catalog.columns.photo_tags import PhotoTagColumn, SuggestedColumn
from focal_photos.browser.catalog.columns.places import PlaceColumn
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.id_list import integers

_MAGIC: Final = b"FOCALCOL"
_FORMAT: Final = 1
_MIN_SAVED_BYTES: Final = 1 << 16  # bytes from which a column is saved; a smaller one is read quickly
_MAX_UNSAVED_CHANGES: Final = 5000  # number of changes after which the file of a column is rewritten


class Columns:
    """The columns of a library. Thread-safe.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the files, created when needed.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self.places = PlaceColumn(database)
        self.tags = PhotoTagColumn(database)
        self.suggested = SuggestedColumn(database)
        self.aspects = AspectColumn(database)
        self.dates = DateColumn(database)
        self.ratings = RatingColumn(database)
        self.sizes = SizeColumn(database)
        self._in_file: dict[str, int] = {}  # last change included in each column's file
        self._whole: dict[str, int] = {}  # `Column.read_whole` when the file was last read or written
        for column in self.all:
            column.load = partial(self._load, column)

    @property
    def all(self) -> Sequence[Column[Any]]:
        """All columns."""
        return (self.places, self.tags, self.suggested, self.aspects, self.dates, self.ratings, self.sizes)

    def check(self) -> list[str]:
        """Return an error text for each column that differed from the catalogue, and correct the column."""
        found = [problem for column in self.all if (problem := column.check()) is not None]
        if found and not self._database.read_only:
            self._in_file.clear()
            for path in self._folder.glob("*.column"):
                path.unlink(missing_ok=True)
        return found

    def save(self) -> None:
        """Save the columns that are large and have changed enough. A full disk is ignored.

        Not thread-safe.
        """
        if self._database.read_only:
            return
        ((token,),) = self._database.rows("SELECT token FROM commit_count")
        for column in self.all:
            saved = column.cached()
            if saved is None:
                continue
            # Without a new file, a column read completely because of one large change would be so each time.
            behind, read_whole = saved[1] - self._in_file.get(column.NAME, -KEPT_CHANGES), column.read_whole
            if 0 <= behind <= _MAX_UNSAVED_CHANGES and not (behind and read_whole > self._whole.get(column.NAME, 0)):
                continue
            arrays = column.to_arrays(saved[0])
            if sum(array.nbytes for array in arrays.values()) >= _MIN_SAVED_BYTES:
                with suppress(OSError):
                    self._folder.mkdir(parents=True, exist_ok=True)
                    _write(self._path(column), arrays, str(token), saved[1])
                    self._in_file[column.NAME], self._whole[column.NAME] = saved[1], read_whole

    def removed(self) -> NDArray[np.bool_] | None:
        """Return for each photo id whether the photo is unlisted (`facts.query.Removed`); None if none is."""
        with self._database.reading() as connection:
            roots = integers(connection, "SELECT id FROM root WHERE removed")
            forgotten = integers(connection, "SELECT photo_id FROM forgotten")
        if not len(roots) and not len(forgotten):
            return None
        places = self.places.now()
        removed = places.removed(roots.tolist())
        return removed | (mask_of(forgotten, places.size) & places.missing())

    def copied(self) -> NDArray[np.int64]:
        """Return the photos with several files of the same content."""
        with self._database.reading() as connection:
            roots = integers(connection, "SELECT id FROM root WHERE removed")
        return self.places.now().copied(roots.tolist())

    def _load(self, column: Column[Any]) -> tuple[Any, int] | None:
        with self._database.reading() as connection:
            (token,) = connection.execute("SELECT token FROM commit_count").fetchone()
            at = position(connection)
        found = _read(self._path(column), str(token))
        if found is None or not 0 <= at - found[1] <= KEPT_CHANGES:
            return None
        self._in_file[column.NAME], self._whole[column.NAME] = found[1], column.read_whole
        return column.from_arrays(found[0]), found[1]

    def _path(self, column: Column[Any]) -> Path:
        return self._folder / f"{column.NAME}.column"


def _write(path: Path, arrays: Arrays, token: str, at: int) -> None:
    """Write arrays with the token of their catalogue and their position in its changes."""
    contents = [np.ascontiguousarray(array) for array in arrays.values()]
    about = {
        "token": token,
        "position": at,
        "arrays": [(name, array.dtype.str, len(array)) for name, array in zip(arrays, contents, strict=True)],
    }
    text = json.dumps(about).encode()
    head = _MAGIC + _FORMAT.to_bytes(4, "little") + len(text).to_bytes(4, "little") + text
    check = zlib.crc32(head)
    with atomic_file(path) as stream:
        stream.write(head)
        for array in contents:
            data = array.view(np.uint8).data
            stream.write(data)
            check = zlib.crc32(data, check)
        stream.write(check.to_bytes(4, "little"))


def _read(path: Path, token: str) -> tuple[Arrays, int] | None:
    """Return the arrays of a file and their position; None if it is missing, damaged or of another catalogue."""
    try:
        with path.open("rb") as stream:
            head = stream.read(16)
            if head[:8] != _MAGIC or int.from_bytes(head[8:12], "little") != _FORMAT:
                return None
            text = _part(stream, int.from_bytes(head[12:], "little"))
            about = json.loads(text)
            if about["token"] != token:
                return None
            check = zlib.crc32(text, zlib.crc32(head))
            arrays: Arrays = {}
            for name, kind, count in about["arrays"]:  # each into its own buffer, to avoid copies
                data = _part(stream, count * np.dtype(kind).itemsize)
                check = zlib.crc32(data, check)
                arrays[name] = np.frombuffer(data, np.dtype(kind), count)
            same = stream.read() == check.to_bytes(4, "little")
            return (arrays, int(about["position"])) if same else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _part(stream: BinaryIO, size: int) -> bytes:
    """Read `size` bytes; ValueError if a damaged file claims more than it holds."""
    if not 0 <= size <= os.fstat(stream.fileno()).st_size:
        raise ValueError
    return stream.read(size)
