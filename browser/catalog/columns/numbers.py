# SPDX-License-Identifier: MIT
"""Sortable numbers of all photos: date, rating and size."""

from __future__ import annotations

import sqlite3
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.columns.column import Arrays, Column
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.catalog.store.id_list import id_list, integers

_NO_VALUE: Final = np.iinfo(np.int64).min


@dataclass(frozen=True, eq=False)
class Numbers:
    """One number for each photo."""

    by_id: NDArray[np.int64]
    """By photo id; the minimum of int64 where unknown; shape (n,)."""

    def of(self, ids: NDArray[np.int64], otherwise: int) -> NDArray[np.int64]:
        """Return the numbers of photos, int64 (k,), with `otherwise` where unknown."""
        found = np.full(len(ids), _NO_VALUE, np.int64)
        inside = ids < len(self.by_id)
        found[inside] = self.by_id[ids[inside]]
        found[found == _NO_VALUE] = otherwise
        return found


class NumberColumn(Column[Numbers]):
    """Column of `Numbers`."""

    TABLE: ClassVar[str]
    PHOTO: ClassVar[str]
    NUMBER: ClassVar[str]
    """Table, and its columns for the photo id and the number, which may be null."""

    def _read(self, connection: sqlite3.Connection) -> Numbers:
        return Numbers(self._table(connection, f"FROM {self.TABLE}", ()))

    def _changed(self, value: Numbers, connection: sqlite3.Connection, ids: NDArray[np.int64]) -> Numbers:
        source = f"FROM json_each(?) AS wanted CROSS JOIN {self.TABLE} ON {self.PHOTO} = wanted.value"
        new = Numbers(self._table(connection, source, (id_list(ids),)))
        by_id = np.full(max(len(value.by_id), len(new.by_id)), _NO_VALUE, np.int64)
        by_id[: len(value.by_id)] = value.by_id
        inside = ids[ids < len(by_id)]
        by_id[inside] = new.of(inside, _NO_VALUE)
        return Numbers(by_id)

    def _table(self, connection: sqlite3.Connection, rows: str, parameters: tuple[str, ...]) -> NDArray[np.int64]:
        rows += f" WHERE {self.NUMBER} IS NOT NULL ORDER BY {self.PHOTO}"
        ids = integers(connection, f"SELECT {self.PHOTO} {rows}", parameters)
        by_id = np.full(int(ids.max(initial=-1)) + 1, _NO_VALUE, np.int64)
        by_id[ids] = integers(connection, f"SELECT {self.NUMBER} {rows}", parameters)
        return by_id

    def _size(self, value: Numbers) -> int:
        return len(value.by_id)

    def to_arrays(self, value: Numbers) -> Arrays:
        """Return the array."""
        return {"numbers": value.by_id}

    def from_arrays(self, arrays: Arrays) -> Numbers:
        """Return the numbers that `to_arrays` encoded."""
        return Numbers(arrays["numbers"].astype(np.int64, copy=False))

    def _same(self, one: Numbers, other: Numbers) -> bool:
        every = np.arange(max(len(one.by_id), len(other.by_id)))
        return np.array_equal(one.of(every, _NO_VALUE), other.of(every, _NO_VALUE))


class DateColumn(NumberColumn):
    """Capture dates in seconds since 1970."""

    WHAT: ClassVar[int] = 8
    NAME: ClassVar[str] = "dates"
    TABLE: ClassVar[str] = "photo"
    PHOTO: ClassVar[str] = "photo.id"
    NUMBER: ClassVar[str] = "CAST(strftime('%s', photo.taken) AS INTEGER)"


class SizeColumn(NumberColumn):
    """File sizes in bytes."""

    WHAT: ClassVar[int] = 8
    NAME: ClassVar[str] = "sizes"
    TABLE: ClassVar[str] = "photo"
    PHOTO: ClassVar[str] = "photo.id"
    NUMBER: ClassVar[str] = "photo.bytes"


class RatingColumn(NumberColumn):
    """Ratings, -1 to 5."""

    WHAT: ClassVar[int] = 16
    NAME: ClassVar[str] = "ratings"
    TABLE: ClassVar[str] = "mark"
    PHOTO: ClassVar[str] = "mark.photo_id"
    NUMBER: ClassVar[str] = "mark.rating"
