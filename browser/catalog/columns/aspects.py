# SPDX-License-Identifier: MIT
"""Aspect ratios of all photos, for the layout of the grid's rows."""

from __future__ import annotations

import sqlite3
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.columns.column import Arrays, Column
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.catalog.store.id_list import id_list, integers

_BITS: Final = 20  # bits of a height: no photo has 2**20 rows
_SIZE: Final = f"(width << {_BITS}) + height"
_IS_ROTATED_SIDEWAYS: Final = "quarters IN (1, 3)"
_HAS_VALID_SIZE: Final = f"width > 0 AND height BETWEEN 1 AND {(1 << _BITS) - 1}"


@dataclass(frozen=True, eq=False)
class Aspects:
    """Width divided by height of all photos as shown, after EXIF orientation and the user's rotation."""

    by_id: NDArray[np.float32]
    """By photo id; 1 where the size is unknown; shape (n,)."""

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the aspect ratios of photos, float32 (k,)."""
        found = np.ones(len(ids), np.float32)
        inside = ids < len(self.by_id)
        found[inside] = self.by_id[ids[inside]]
        return found


class AspectColumn(Column[Aspects]):
    """Column of `Aspects`."""

    WHAT: ClassVar[int] = 8
    NAME: ClassVar[str] = "aspects"

    def _read(self, connection: sqlite3.Connection) -> Aspects:
        ids = integers(connection, f"SELECT id FROM photo WHERE {_HAS_VALID_SIZE} ORDER BY id")
        by_id = _ones(ids, integers(connection, f"SELECT {_SIZE} FROM photo WHERE {_HAS_VALID_SIZE} ORDER BY id"))
        return Aspects(_lying(by_id, integers(connection, f"SELECT photo_id FROM turned WHERE {_IS_ROTATED_SIDEWAYS}")))

    def _changed(self, value: Aspects, connection: sqlite3.Connection, ids: NDArray[np.int64]) -> Aspects:
        source = f"FROM json_each(?) CROSS JOIN photo ON photo.id = value WHERE {_HAS_VALID_SIZE} ORDER BY photo.id"
        known = integers(connection, f"SELECT photo.id {source}", (id_list(ids),))
        new = _ones(known, integers(connection, f"SELECT {_SIZE} {source}", (id_list(ids),)))
        rotated = (
            f"SELECT photo_id FROM json_each(?) CROSS JOIN turned ON photo_id = value WHERE {_IS_ROTATED_SIDEWAYS}"
        )
        new = _lying(new, integers(connection, rotated, (id_list(ids),)))
        by_id = np.ones(max(len(value.by_id), len(new)), np.float32)
        by_id[: len(value.by_id)] = value.by_id
        inside = ids[ids < len(by_id)]
        by_id[inside] = Aspects(new).of(inside)
        return Aspects(by_id)

    def _size(self, value: Aspects) -> int:
        return len(value.by_id)

    def to_arrays(self, value: Aspects) -> Arrays:
        """Return the array."""
        return {"aspects": value.by_id}

    def from_arrays(self, arrays: Arrays) -> Aspects:
        """Return the aspects that `to_arrays` encoded."""
        return Aspects(arrays["aspects"].astype(np.float32, copy=False))

    def _same(self, one: Aspects, other: Aspects) -> bool:
        every = np.arange(max(len(one.by_id), len(other.by_id)))
        return np.array_equal(one.of(every), other.of(every))


def _ones(ids: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.float32]:
    found = np.ones(int(ids.max(initial=-1)) + 1, np.float32)
    found[ids] = (sizes >> _BITS) / (sizes & ((1 << _BITS) - 1))
    return found


def _lying(by_id: NDArray[np.float32], rotated: NDArray[np.int64]) -> NDArray[np.float32]:
    """Invert the aspect ratios of photos rotated by 90 or 270 degrees."""
    rotated = rotated[rotated < len(by_id)]
    by_id[rotated] = 1 / by_id[rotated]
    return by_id
