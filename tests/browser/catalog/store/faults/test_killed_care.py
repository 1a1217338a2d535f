# SPDX-License-Identifier: MIT
"""Kills and full disks during a backup, a restore, a rescue or the migration of an old library."""

from __future__ import annotations

import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups
from tests.browser.catalog.albums import enter
from tests.browser.catalog.processes import can_make_small_disk, run_on_small_disk, start

FIXTURES = Path(__file__).resolve().parents[4] / "fixtures"
OLD, NEW = {"before"}, {"before", "after"}

BACK_UP = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
with Library.open(Path(sys.argv[1])) as library:
    while True:
        print(library.back_up().name, flush=True)
"""
RESTORE = """
import sys
from pathlib import Path
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.restore import find_backup, restore, take_back_last
place = Path(sys.argv[1])
while True:
    print("begin", flush=True)
    finish(restore(place, find_backup(place)))
    finish(take_back_last(place))
"""
RESCUE = """
import sys
from pathlib import Path
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.restore import rescue_library
while True:
    print("begin", flush=True)
    finish(rescue_library(Path(sys.argv[1])))
"""
OPEN = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
print("begin", flush=True)
Library.open(Path(sys.argv[1])).close()
"""
FULL = """
import os, sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library, LibraryFullError
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.restore import find_backup, rescue_library, restore
from tests.browser.catalog.albums import enter
disk = Path(sys.argv[1])
(disk / "album").mkdir()
with Library.open(disk / "library") as library:
    ids = enter(library, disk / "album", [f"{number}.jpg" for number in range(300)])
    library.tags.change(ids, ["before"])
    made = library.back_up()
    library.tags.change(ids, ["after"])
with (disk / "filler").open("wb", buffering=0) as filler:
    try:
        while filler.write(bytes(1024)):
            pass
    except OSError:
        pass
os.truncate(disk / "filler", (disk / "filler").stat().st_size - 131072)
def attempt(name, do):
    try:
        do()
        print(name, "done")
    except LibraryFullError:
        print(name, "no room")
with Library.open(disk / "library") as library:
    attempt("backup", library.back_up)
attempt("restore", lambda: finish(restore(disk / "library", find_backup(disk / "library"))))
attempt("rescue", lambda: finish(rescue_library(disk / "library")))
print([one.path == made for one in backups.all_in(disk / "library" / "backups")])
print([path.name for path in (disk / "library").rglob("*") if ".part" in path.name or "restor" in path.name])
with Library.open(disk / "library", read_only=True) as library:
    print(sorted(tag.name for tag in library.tags.all()), library.database.check())
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "album").mkdir()
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, tmp_path / "album", [f"{number}.jpg" for number in range(100)])
        library.tags.change(ids, ["before"])
        library.back_up()
        library.tags.change(ids, ["after"])
    return tmp_path / "library"


def killed(code: str, place: Path, seconds: float) -> list[str]:
    """Run `code`, kill it `seconds` after its first line, and return the complete lines that it printed."""
    program = start(code, place)
    assert program.stdout is not None
    first = program.stdout.readline()
    time.sleep(seconds)
    program.send_signal(signal.SIGKILL)
    rest, _ = program.communicate()
    return [line for line in (first + rest).split("\n")[:-1] if line]


def tags_in(place: Path) -> set[str]:
    with Library.open(place) as library:
        assert library.database.check() == []
        return {tag.name for tag in library.tags.all()}


@pytest.mark.parametrize("turn", range(3))
def test_a_copy_is_sound_or_absent_after_a_kill(place: Path, turn: int) -> None:
    confirmed = killed(BACK_UP, place, random.Random(turn).uniform(0, 0.4))
    found = backups.all_in(place / "backups")
    assert [one for one in found if backups.problem_of(one) is not None] == []
    assert set(confirmed[-backups.NEWEST_RETAINED + 1 :]) <= {one.path.name for one in found}
    assert tags_in(place) == NEW
    with Library.open(place) as library:
        library.back_up()
    left = {path.name for path in (place / "backups").iterdir()}
    assert not [name for name in left if ".part" in name]
    assert {name for name in left if name.endswith(".json")} == {
        name.replace(".sqlite", ".json") for name in left if name.endswith(".sqlite")
    }


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(4))
def test_a_restore_is_complete_or_absent_after_a_kill(place: Path, turn: int) -> None:
    for again in range(2):
        killed(RESTORE, place, random.Random(turn * 2 + again).uniform(0, 0.5))
        assert tags_in(place) in (OLD, NEW)
        assert not [path.name for path in place.iterdir() if "restor" in path.name]


def test_a_restore_marker_left_by_a_kill_is_removed(place: Path) -> None:
    stray = place / ".restoring.json.ff38ab65.part"
    stray.write_bytes(b"{")
    assert tags_in(place) in (OLD, NEW)
    assert not stray.exists()


@pytest.mark.parametrize("turn", range(3))
def test_a_rescue_is_complete_or_absent_after_a_kill(place: Path, turn: int) -> None:
    killed(RESCUE, place, random.Random(turn).uniform(0, 0.5))
    assert tags_in(place) == NEW


@pytest.mark.parametrize("turn", range(4))
def test_an_update_is_complete_or_absent_after_a_kill(tmp_path: Path, turn: int) -> None:
    place = tmp_path / "library"
    place.mkdir()
    shutil.copy(FIXTURES / "library_v1.sqlite", place / "catalog.sqlite")
    killed(OPEN, place, random.Random(turn).uniform(0, 0.15))
    with Library.open(place) as library:
        assert library.database.check() == []
        assert {tag.name: tag.count for tag in library.tags.all()}["beach"] == 4


@pytest.mark.skipif(not can_make_small_disk(), reason="needs the right to mount a small disk")
def test_a_full_disk_leaves_nothing_incomplete(tmp_path: Path) -> None:
    lines = run_on_small_disk(FULL, tmp_path, "2m").splitlines()
    assert lines == [
        "backup no room",
        "restore no room",
        "rescue no room",
        "[True]",
        "[]",
        "['after', 'before'] []",
    ]
