# SPDX-License-Identifier: MIT
"""Pages that are in no tree, although every page that is read is a sound page of its table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.rescue.pages import INNER_TABLE, LEAF_TABLE, Pages
from focal_photos.browser.catalog.store.rescue.rescue import rescue
from tests.browser.catalog.albums import enter

SIZE = 4096


def test_a_table_whose_root_was_overwritten_by_its_leaf_is_recovered(tmp_path: Path) -> None:
    (tmp_path / "album").mkdir()
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, tmp_path / "album", [f"{number}.jpg" for number in range(60)])
        for number in range(50):
            library.judgements.set(ids[number], ids[number + 1 : number + 8], Verdict.SIMILAR)
    path = tmp_path / "library" / "catalog.sqlite"
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        steps = connection.execute("SELECT id, label, changes FROM journal").fetchall()
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'journal'").fetchall()
    pages = Pages(path)
    assert pages.kind(root) == INNER_TABLE
    leaf = pages.children(root)[1]
    assert pages.kind(leaf) == LEAF_TABLE
    content = bytearray(path.read_bytes())
    content[(root - 1) * SIZE : root * SIZE] = content[(leaf - 1) * SIZE : leaf * SIZE]
    (tmp_path / "damaged.sqlite").write_bytes(content)
    report = rescue(tmp_path / "damaged.sqlite", tmp_path / "new.sqlite")
    with closing(sqlite3.connect(tmp_path / "new.sqlite")) as connection:
        assert connection.execute("SELECT id, label, changes FROM journal").fetchall() == steps
        assert connection.execute("SELECT count(*) FROM judgement").fetchone() == (350,)
    assert report.rows["journal"] == len(steps) == 50
