# SPDX-License-Identifier: MIT
"""Record of merges: which library the data of a merge came from, once per merge.

The record is a setting of the library that the journal covers: undoing a merge deletes its entry. Data of a merge have
times between `Merge.at` and `Merge.until`, so that no table needs a column for their origin.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.journal import MERGES
from focal_photos.browser.catalog.text import Text

_MAX_MERGES: Final = 1000
_MAX_NAME_LENGTH: Final = 200  # characters of a name


@dataclass(frozen=True)
class Merge:
    """A merge of another library."""

    library: str
    """Name of the library that the data came from."""
    file: str
    """Name of the merged file."""
    at: str
    until: str
    """`at` and `until`: times in UTC, ISO 8601, of the beginning and the end; empty for a merge that an older library
    made."""
    through: str = ""
    """Name of the library that had merged it before; empty if it was merged directly."""


def merges_of(library: Library) -> tuple[Merge, ...]:
    """Return the recorded merges, oldest first; invalid entries are left out."""
    return merges_in(library.settings.get(MERGES, []))


def merges_in(records: object) -> tuple[Merge, ...]:
    """Return the merges among JSON objects, for example of another library's manifest."""
    found = (_merge(record) for record in (records if isinstance(records, list) else [])[:_MAX_MERGES])
    return tuple(one for one in found if one is not None)


def merge_records(library: Library) -> Iterator[dict[str, Any]]:
    """Yield a record of each merge."""
    for one in merges_of(library):
        yield asdict(one)


def record_merge(library: Library, name: str, file: str, began: datetime, *, earlier: Sequence[Merge] = ()) -> None:
    """Record a merge that ends now, as a part of the journal step begun by the caller.

    Parameters
    ----------
    name : str
        Name of the other library.
    file : str
        Name of the merged file.
    began : datetime
        Beginning of the merge, before its data were written.
    earlier : sequence of Merge
        Merges of the other library, whose data are included.
    """
    name, now = name[:_MAX_NAME_LENGTH], timestamps.to_text(timestamps.now())
    one = Merge(name, file[:_MAX_NAME_LENGTH], timestamps.to_text(began), now)
    add_merges(library, [*(Merge(each.library, each.file, each.at, each.until, name) for each in earlier), one])


def add_merges(library: Library, merges: Sequence[Merge]) -> None:
    """Add merges that are not recorded yet, in one step of the journal; the oldest of more than 1,000 are dropped."""
    known = merges_of(library)
    origins = {(one.library, one.file, one.at) for one in known}
    new = [one for one in merges if (one.library, one.file, one.at) not in origins]
    if new:
        with library.journal.action(Text("Record a merge")) as action:
            every = [asdict(one) for one in (*known, *new)][-_MAX_MERGES:]
            action.put("setting", {"name": MERGES}, {"value": json.dumps(every)})


def _merge(record: object) -> Merge | None:
    if not isinstance(record, Mapping):
        return None
    values = [record.get(name, "") for name in ("library", "file", "at", "until", "through")]
    if not all(isinstance(value, str) and len(value) <= _MAX_NAME_LENGTH for value in values) or not values[0]:
        return None
    return Merge(*map(str, values))
