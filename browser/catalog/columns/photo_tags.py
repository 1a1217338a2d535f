# SPDX-License-Identifier: MIT
"""Tags of all photos, and photos with open suggestions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.columns.column import Arrays, Column, mask_of
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.catalog.store.id_list import id_list, integers


@dataclass(frozen=True, eq=False)
class PhotoTags:
    """All pairs of a tag and a photo that carries the tag."""

    codes: NDArray[np.int64]
    """Tag id x 2**32 + photo id, ascending; shape (k,)."""

    def photos(self, tag_ids: Iterable[int]) -> NDArray[np.int64]:
        """Return the photos that carry any of some tags, once for each such tag; int64."""
        tags = np.array(sorted(set(tag_ids)), np.int64)
        starts, stops = np.searchsorted(self.codes, tags << 32), np.searchsorted(self.codes, (tags + 1) << 32)
        parts = [self.codes[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]
        return (np.concatenate(parts) if parts else self.codes[:0]) & 0xFFFFFFFF

    def tagged(self) -> NDArray[np.int64]:
        """Return the tagged photos, once for each of their tags; int64, (k,)."""
        return self.codes & 0xFFFFFFFF

    def without(self, photos: NDArray[np.bool_]) -> PhotoTags:
        """Return the pairs without some photos; `photos`, shape (n,), is True for each id to leave out."""
        left_out = np.append(photos, False)  # the last element stands for all larger ids
        return PhotoTags(self.codes[~left_out[np.minimum(self.tagged(), len(photos))]])

    def counts(self) -> dict[int, int]:
        """Return the number of photos that carry each tag itself, by tag id."""
        tags = self.codes >> 32  # ascending
        first = np.flatnonzero(np.diff(tags, prepend=-1))
        return dict(zip(tags[first].tolist(), np.diff(first, append=len(tags)).tolist(), strict=True))


class PhotoTagColumn(Column[PhotoTags]):
    """Column of `PhotoTags`."""

    WHAT: ClassVar[int] = 2
    NAME: ClassVar[str] = "tags"

    def _read(self, connection: sqlite3.Connection) -> PhotoTags:
        sql = "SELECT (tag_id << 32) + photo_id FROM photo_tag ORDER BY tag_id, photo_id"
        return PhotoTags(integers(connection, sql))

    def _changed(self, value: PhotoTags, connection: sqlite3.Connection, ids: NDArray[np.int64]) -> PhotoTags:
        sql = "SELECT (tag_id << 32) + photo_id FROM json_each(?) CROSS JOIN photo_tag ON photo_id = value"
        new = np.sort(integers(connection, sql, (id_list(ids),)))
        remaining = value.without(mask_of(ids, int(ids[-1]) + 1)).codes
        return PhotoTags(np.insert(remaining, np.searchsorted(remaining, new), new))

    def _size(self, value: PhotoTags) -> int:
        return len(value.codes)

    def to_arrays(self, value: PhotoTags) -> Arrays:
        """Return the codes."""
        return {"codes": value.codes}

    def from_arrays(self, arrays: Arrays) -> PhotoTags:
        """Return the tags that `to_arrays` encoded."""
        return PhotoTags(arrays["codes"].astype(np.int64, copy=False))


class SuggestedColumn(Column[NDArray[np.int64]]):
    """Column of the photos with open suggestions: ids, ascending, int64, shape (k,)."""

    WHAT: ClassVar[int] = 4
    NAME: ClassVar[str] = "suggestions"

    def _read(self, connection: sqlite3.Connection) -> NDArray[np.int64]:
        return integers(connection, "SELECT DISTINCT photo_id FROM suggestion WHERE state = 'open' ORDER BY photo_id")

    def _changed(
        self, value: NDArray[np.int64], connection: sqlite3.Connection, ids: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        sql = (
            "SELECT value FROM json_each(?) "
            "WHERE EXISTS (SELECT 1 FROM suggestion WHERE photo_id = value AND state = 'open')"
        )
        new = np.sort(integers(connection, sql, (id_list(ids),)))
        remaining = value[~np.isin(value, ids)]
        return np.insert(remaining, np.searchsorted(remaining, new), new)

    def _size(self, value: NDArray[np.int64]) -> int:
        return len(value)

    def to_arrays(self, value: NDArray[np.int64]) -> Arrays:
        """Return the ids."""
        return {"ids": value}

    def from_arrays(self, arrays: Arrays) -> NDArray[np.int64]:
        """Return the ids that `to_arrays` encoded."""
        return arrays["ids"].astype(np.int64, copy=False)
