# SPDX-License-Identifier: MIT
"""Full disk: a clear error, nothing incomplete, and work goes on once there is space again."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library, LibraryFullError
from tests.browser.catalog.processes import can_make_small_disk, run_on_small_disk

FILL = """
import os, sys
from pathlib import Path
import numpy as np
from focal_photos.browser.catalog.library import Library, LibraryFullError
from focal_photos.browser.catalog.facts.records import FoundFile

disk = Path(sys.argv[1])
ballast = disk / "ballast"
ballast.write_bytes(bytes(600_000))
library = Library.open(disk / "library")
(disk / "album").mkdir()
root = library.roots.add(disk / "album")
files = [FoundFile(root.id, b"%d.jpg" % n, 1, 1, "%032x" % n) for n in range(40)]
ids = list(library.files.record(files).new)
store = library.vectors.store("x", 1000)
tags, rows, full = 0, 0, set()
for turn in range(10_000):
    try:
        library.tags.change(ids, [f"tag {turn}"])
        tags += 1
    except LibraryFullError as error:
        assert "Free some space" in str(error)
        full.add("tags")
    try:
        store.append([turn], np.full((1, 1000), turn))
        rows += 1
    except LibraryFullError:
        full.add("rows")
    library.thumbnails.put(turn, bytes(100))
    if full == {"tags", "rows"}:
        break
else:
    sys.exit("the disk never was full")

def check(library, more):
    assert library.database.check() == []
    assert {tag.count for tag in library.tags.all()} == {40}
    assert len(library.tags.all()) == tags + more, (len(library.tags.all()), tags)
    assert library.journal.undo_label().startswith("Tag 40 photos: ")
    store = library.vectors.store("x", 1000)
    assert len(store) == rows + more and store.check() == []
    np.testing.assert_array_equal(store.array[:, 0], store.ids)

check(library, 0)
ballast.unlink()
library.tags.change(ids, ["room again"])
library.vectors.store("x", 1000).append([99999], np.full((1, 1000), 99999))
check(library, 1)
library.close()
library = Library.open(disk / "library")
check(library, 1)
library.close()
print("done")
"""


@pytest.mark.skipif(not can_make_small_disk(), reason="no small disk can be mounted here")
def test_a_full_disk_loses_no_confirmed_change(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    assert run_on_small_disk(FILL, disk, "3m") == "done\n"


@pytest.mark.skipif(not can_make_small_disk(), reason="no small disk can be mounted here")
def test_a_disk_without_space_for_a_library_is_reported(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    code = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library, LibraryFullError
(Path(sys.argv[1]) / "ballast").write_bytes(bytes(96 * 1024))
try:
    Library.open(Path(sys.argv[1]) / "library")
except LibraryFullError as error:
    print(error)
"""
    assert "is full" in run_on_small_disk(code, disk, "128k")


def test_the_size_limit_of_sqlite_counts_as_a_full_disk(library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["before"])
    writer = library.database._writer
    assert writer is not None
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        for number in range(1000):
            with library.journal.action(f"Step {number}"):
                library.tags.change(photos, [f"tag {number}"])
                library.tags.change(photos, [f"other {number}"])

    with pytest.raises(LibraryFullError):
        fill()
    counts = {tag.name: tag.count for tag in library.tags.all()}
    numbers = [int(name.split()[1]) for name in counts if name.startswith("tag ")]
    assert {name for name in counts if name != "before"} == {
        f"{word} {number}" for number in numbers for word in ("tag", "other")
    }
    assert set(counts.values()) == {5}
    assert library.database.check() == []
    writer.execute("PRAGMA max_page_count = 1000000")
    library.tags.change(photos, ["after"])
    assert library.photos.count("tag:after") == 5
