# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Exchanged, NamedRegion, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import Kind

ODD = Path("/photos/caf\udce9\n.jpg.xmp")


def exchanged(photo: int, path: Path, *tags: str) -> Exchanged:
    return Exchanged(photo, path, "0" * 32, tags, 3, "Red", datetime(2024, 6, 1, 12, tzinfo=UTC))


@pytest.mark.parametrize("journaled", [True, False])
def test_exchanges_are_stored_by_photo_and_sidecar(library: Library, photos: list[int], journaled: bool) -> None:
    a, b, c, *_ = photos
    rows = [exchanged(a, ODD, "animal/dog", "sea"), exchanged(a, Path("/a.xmp")), exchanged(b, ODD)]
    library.exchange.record(rows, journaled=journaled)
    assert library.exchange.of([a, b, c]) == {a: (rows[1], rows[0]), b: (rows[2],), c: ()}
    boxes = (NamedRegion("sun 🦊", Region(0.1, 0.2, 0.3, 0.4)), NamedRegion(None, Region(0.0, 0.0, 1.0, 1.0)))
    newer = replace(rows[0], tags=("sun",), rating=None, label=None, boxes=boxes)
    library.exchange.record([newer], journaled=journaled)
    assert library.exchange.of([a])[a] == (rows[1], newer)
    assert library.database.check() == []


def test_imported_metadata_can_be_undone(library: Library, photos: list[int]) -> None:
    old, new = exchanged(photos[0], ODD, "sea"), exchanged(photos[0], ODD, "sun")
    library.exchange.record([old], journaled=False)
    with library.journal.action("Take over") as action:
        library.tags.change(photos[:1], ["sun"])
        library.exchange.record([new], journaled=True)
    assert action.changes.kinds == {Kind.TAGS, Kind.MARKS}
    assert action.changes.photo_ids == {photos[0]}
    library.journal.undo()
    assert library.exchange.of(photos[:1])[photos[0]] == (old,)
    assert library.tags.of(photos[:1])[photos[0]] == []
    library.journal.redo()
    assert library.exchange.of(photos[:1])[photos[0]] == (new,)
    assert library.journal.undo_label() == "Take over"
