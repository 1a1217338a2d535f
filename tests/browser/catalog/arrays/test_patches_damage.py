# SPDX-License-Identifier: MIT
"""Patch stores with damaged files, after a kill and on a full disk: at worst, patches are missing."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.arrays.patches import Patches
from focal_photos.browser.catalog.arrays.record_files import HEADER, PATCH_ENTRY, index_path
from focal_photos.browser.catalog.arrays.vectors import Vectors
from focal_photos.browser.catalog.library import Library, LibraryError
from tests.browser.catalog.damage import flip
from tests.browser.catalog.numbered import ROW, D, assert_right, records_of, rows_in
from tests.browser.catalog.processes import can_make_small_disk, run_on_small_disk, start


def test_check_finds_damaged_patches_and_compaction_keeps_them_visible(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append(range(40), records_of(range(40)))
    (rows,) = patches.folder.glob("*.rows")
    flip(rows, HEADER + rows_in(range(40)) * ROW - 1)
    store.forget(range(30))
    assert store.check() == [39]
    flip(next(patches.folder.glob("*.rows")), HEADER)  # a point; photo 30 has no patches, so it is of photo 31
    assert store.check() == [31]
    assert store.check() == []
    assert store.ids.tolist() == [30, *range(32, 39)]


def test_check_finds_lost_patches(patches: Patches) -> None:
    store = patches.store("x", D)
    store.append([6, 8, 9, 5], records_of([6, 8, 9, 5]))
    (rows,) = patches.folder.glob("*.rows")
    os.truncate(rows, HEADER + ROW + 3)
    with pytest.raises(LibraryError, match="was cut off while it was open: check the library"):
        store.gather([6, 8])
    assert store.check() == [8, 9, 5]  # photo 5 has no patches, but its offset is beyond the end
    assert_right(store, 6)
    store.append([9, 4], records_of([9, 4]))
    patches.close()
    again = Patches(patches.folder).store("x", D)
    assert again.ids.tolist() == [6, 9, 4]
    for number in (6, 9, 4):
        assert_right(again, number)


def test_check_works_in_small_blocks(patches: Patches, monkeypatch: pytest.MonkeyPatch) -> None:
    store = patches.store("x", D)
    store.append(range(30), records_of(range(30)))
    (rows,) = patches.folder.glob("*.rows")
    flip(rows, HEADER + rows_in(range(17)) * ROW)
    monkeypatch.setattr("focal_photos.browser.catalog.arrays.record_store._BLOCK", 2 * ROW)
    assert store.check() == [17]
    store.forget(range(20))
    assert store.check() == []
    for number in range(20, 30):
        assert_right(store, number)


def test_a_damaged_entry_loses_only_its_photo(patches: Patches) -> None:
    for field in range(0, PATCH_ENTRY.itemsize, 4):
        with_damage = Patches(patches.folder / str(field))
        with_damage.store("x", D).append([7, 8, 9], records_of([7, 8, 9]))
        with_damage.close()
        flip(index_path(with_damage.folder, "x"), HEADER + PATCH_ENTRY.itemsize + field)
        again = Patches(with_damage.folder)
        assert again.store("x", D).ids.tolist() == [7, 9]
        again.store("x", D).append([8], records_of([8]))
        again.close()
        last = Patches(with_damage.folder).store("x", D)
        assert last.ids.tolist() == [7, 9, 8]
        for number in (7, 8, 9):
            assert_right(last, number)


def test_files_of_vectors_are_not_read_as_patches(patches: Patches) -> None:
    vectors = Vectors(patches.folder)
    vectors.store("x", D).append([1], np.zeros((1, D)))
    vectors.close()
    assert patches.open("x") is None
    assert len(patches.store("x", D)) == 0
    assert list(patches.folder.glob("*.damaged"))


APPEND = """
import sys
from pathlib import Path
import numpy as np
from focal_photos.browser.catalog.library import Library
with Library.open(Path(sys.argv[1])) as library:
    store = library.patches.store("x", 50)
    first = int(sys.argv[2]) * 10**6
    for start in range(first, first + 10**6, 8):
        ids = np.arange(start, start + 8)
        store.append(ids, [(np.zeros((n % 9, 2)), np.full((n % 9, 50), n % 2048)) for n in ids.tolist()])
        if start % 80 == 0:
            store.forget(ids[:2])
        print(start, flush=True)
"""


@pytest.mark.slow
def test_confirmed_patches_survive_a_kill(place: Path) -> None:
    chance = random.Random(0)
    for turn in range(3):
        program = start(APPEND, place, str(turn))
        assert program.stdout is not None
        first = program.stdout.readline()
        time.sleep(chance.uniform(0, 0.3))
        program.send_signal(signal.SIGKILL)
        rest, _ = program.communicate()
        with Library.open(place) as library:
            store = library.patches.store("x", 50)
            for begin in map(int, (first + rest).split("\n")[:-1]):
                for number in range(begin + (2 if begin % 80 == 0 else 0), begin + 8):
                    _, vectors = store.read(number)
                    np.testing.assert_array_equal(vectors, np.full((number % 9, 50), number % 2048))
                if begin % 80 == 0:
                    assert len(store.missing([begin, begin + 1])) == 2
            assert store.check() == []


FILL = """
import sys
from pathlib import Path
import numpy as np
from focal_photos.browser.catalog.library import Library, LibraryFullError
disk = Path(sys.argv[1])
(disk / "ballast").write_bytes(bytes(600_000))
library = Library.open(disk / "library")
store = library.patches.store("x", 100)
def record(n):
    return np.zeros((20 + n % 7, 2)), np.full((20 + n % 7, 100), n % 2048)
done = 0
try:
    for done in range(10_000):
        store.append([done], [record(done)])
except LibraryFullError as error:
    assert "Free some space" in str(error)
else:
    sys.exit("the disk never was full")
def check(count):
    store = library.patches.store("x", 100)
    assert store.ids.tolist() == list(range(count)) and store.check() == []
    assert all((store.read(n)[1] == n % 2048).all() and len(store.read(n)[1]) == 20 + n % 7 for n in range(count))
check(done)
(disk / "ballast").unlink()
store.append([done], [record(done)])
check(done + 1)
library.close()
library = Library.open(disk / "library")
check(done + 1)
library.close()
print("done")
"""


@pytest.mark.skipif(not can_make_small_disk(), reason="no small disk can be mounted here")
def test_a_full_disk_leaves_no_partial_patches(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    assert run_on_small_disk(FILL, disk, "3m") == "done\n"
