# SPDX-License-Identifier: MIT
"""Pages written by SQLite and read without it: records of every length, on one page and on several."""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from focal_photos.browser.catalog.store.rescue.pages import INNER_TABLE, LEAF_TABLE, DamagedPageError, Pages


@pytest.mark.parametrize("size", [512, 4096, 65536])
@pytest.mark.parametrize("end", ["", " WITHOUT ROWID"])
def test_records_of_every_length_are_read(tmp_path: Path, size: int, end: str) -> None:
    lengths = [*range(0, 3 * min(size, 4096), 13), size - 35, size - 34, size, 2 * size, 5 * size + 1]
    rows = {number: (number, bytes([number % 251]) * length, -number * 0.5) for number, length in enumerate(lengths, 1)}
    path = tmp_path / "some.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA page_size = {size}")
        connection.execute(f"CREATE TABLE t (id INTEGER PRIMARY KEY, part BLOB, share REAL){end}")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows.values())
        connection.commit()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master").fetchone()
    pages = Pages(path)
    assert pages.size == size
    found, waiting = {}, [root]
    while waiting:
        number = waiting.pop()
        kind = pages.kind(number)
        if kind in (INNER_TABLE, 0x02):
            waiting += pages.children(number)
        if kind != INNER_TABLE:
            for cell in pages.cells(number):
                assert cell is not None
                key, part, share = cell.values
                found[cell.rowid if key is None else key] = (part, float(share or 0))
    assert found == {number: (part, share) for number, part, share in rows.values()}


def test_a_record_with_more_columns_than_any_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, one TEXT, other TEXT)")
        connection.execute("INSERT INTO t VALUES (7, 'a', 'b')")
        connection.commit()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master").fetchone()
    pages = Pages(path)
    page = pages.page(root)
    (at,) = struct.unpack_from(">H", page, 8)
    with pytest.raises(DamagedPageError, match="more columns than any"):
        pages.cell(page, LEAF_TABLE, at, 2)
    found = pages.cell(page, LEAF_TABLE, at, 3)
    assert (found.rowid, found.values) == (7, [None, b"a", b"b"])
