# SPDX-License-Identifier: MIT
"""Restore drills: what they find and report, and that they leave nothing behind."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.files.scratch import remove_abandoned
from focal_photos.browser.catalog.store.rescue.restore import replace_catalogue
from focal_photos.browser.operations.describing.settings import BACKUP_FOLDER
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.backup import back_up, second_place
from focal_photos.browser.operations.library.drill import drill
from focal_photos.browser.operations.library.verify_backups import last_verified, verification_is_due
from tests.browser.catalog.albums import enter
from tests.browser.catalog.processes import can_make_small_disk, run_on_small_disk, start
from tests.browser.cli.command_line import Focal, focal

RECORD = "derived/verified-backups.json"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder for temporary files, which is empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.fixture
def library(tmp_path: Path, temporary: Path) -> Iterator[Library]:
    """Return a library with one backup and three later changes."""
    (tmp_path / "album").mkdir()
    with Library.open(tmp_path / "library") as opened:
        ids = enter(opened, tmp_path / "album", [f"{number}.jpg" for number in range(20)])
        opened.tags.change(ids, ["before"])
        opened.judgements.set(ids[0], ids[1:4], Verdict.SIMILAR)
        opened.boxes.add([(ids[6], Region(0.0, 0.0, 0.5, 0.5), "before")])
        opened.text_judgements.set("a boat", ids[:1], Verdict.SIMILAR)
        opened.region_judgements.set(
            ids[0], Region(0.0, 0.0, 0.5, 0.5), [(ids[1], Region(0.5, 0.0, 1.0, 1.0))], Verdict.SIMILAR
        )
        opened.back_up()
        opened.tags.change(ids[:5], ["after"])
        opened.tags.change(ids[:2], [], ["before"])
        opened.judgements.set(ids[5], ids[6:8], Verdict.DISSIMILAR)
        yield opened


def the_backup(library: Library) -> Backup:
    (one,) = backups.all_in(library.path / "backups")
    return one


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a library except the record of verification and SQLite's files beside an open database."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    beside = ("-shm", "lock")
    return {
        name: content
        for name, content in found.items()
        if name != RECORD and not name.endswith(beside) and (content or not name.endswith("-wal"))
    }


# ---------------------------------------------------------------------- what it says
def test_a_drill_reports_counts_and_changes_since_the_backup(library: Library, temporary: Path) -> None:
    result = finish(drill(library.path, the_backup(library), library))
    assert result.sound
    assert result.restored == {"photos": 20, "tags": 1, "tagged": 20, "judgements": 5, "boxes": 1, "metrics": 0}
    assert result.present == {"photos": 20, "tags": 2, "tagged": 23, "judgements": 7, "boxes": 1, "metrics": 0}
    assert result.changes == 3
    assert {one.kind: (one.lost, one.gained) for one in result.differences} == {"tags": (5, 2), "judgements": (2, 0)}
    assert list(temporary.iterdir()) == []
    assert last_verified(library)[the_backup(library).path].problem is None
    assert not verification_is_due(library)


def test_a_drill_counts_relations_among_the_judgements(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    library.judged_relations.set([(1, 2, None), (1, 2, 3)], holds=True)
    library.back_up()
    one = backups.all_in(library.path / "backups")[-1]
    result = finish(drill(library.path, one, library))
    assert (result.problems, result.restored["judgements"], result.present["judgements"]) == ([], 9, 9)
    library.close()
    command = Focal(library.path, capsys)
    assert command.json("restore", "--drill")["counts"]["judgements"] == {"backup": 9, "library": 9}
    assert [one["judgements"] for one in command.json("backup", "--list")["backups"]] == [9, 5]
    assert "9 judgements" in command("backup", "--list")


def test_a_manifest_of_before_relations_were_counted_agrees_with_its_backup(library: Library) -> None:
    library.judged_relations.set([(1, 2, None)], holds=True)
    library.back_up()
    one = backups.all_in(library.path / "backups")[-1]
    counts = {name: number for name, number in one.counts.items() if name != "relations"}
    early = Backup(one.path, one.number, one.at, one.version, one.bytes, digest=one.digest, counts=counts)
    result = finish(drill(library.path, early, library))
    assert (result.problems, result.restored["judgements"]) == ([], 8)


def test_the_command_works_while_another_program_has_the_library_open(library: Library, temporary: Path) -> None:
    library.settings.get("x")
    before = contents(library.path)
    done = focal("restore", "--drill", "--library", library.path)
    assert done.returncode == 0, done.stderr
    assert "is sound" in done.stdout
    assert "3 changes were made since the backup." in done.stdout
    assert "tags: 5 only in the library, 2 only in the other" in done.stdout
    assert contents(library.path) == before
    assert list(temporary.iterdir()) == []
    library.tags.change([1], ["and on"])  # the other program can still write
    assert (library.path / RECORD).exists()


def test_the_command_reports_json_and_refuses_conflicting_options(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, one = library.path, the_backup(library)
    library.close()
    command = Focal(folder, capsys)
    found = command.json("restore", "--drill", one.name)
    assert (found["backup"], found["sound"], found["problems"], found["changes"]) == (one.name, True, [], 3)
    assert found["counts"]["tagged"] == {"backup": 20, "library": 23}
    command("restore", "--drill", "--dry-run", code=2)
    command("restore", "--drill", "--undo", code=2)
    command("restore", "--drill", "no such backup", code=1)
    one.path.write_bytes(one.path.read_bytes()[:-1])
    found = command.json("restore", "--drill", code=1)
    assert not found["sound"]
    assert "digest mismatch" in found["problems"][0]


def test_a_drill_finds_a_backup_only_in_the_second_place(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "drive").mkdir()
    BACKUP_FOLDER.set(library, str(tmp_path / "drive"))
    finish(back_up(library))
    second, folder = second_place(library), library.path
    assert second is not None
    library.close()
    for path in (folder / "backups").iterdir():
        path.unlink()
    found = Focal(folder, capsys).json("restore", "--drill")
    assert found["sound"]
    assert Path(found["path"]).parent == second


def test_a_backup_of_a_damaged_library_can_be_tried(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    folder = library.path
    library.close()
    path = folder / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096, 3):
        content[page * 4096 + 1] ^= 0xFF
    path.write_bytes(content)
    command = Focal(folder, capsys)
    found = command.json("restore", "--drill")
    assert found["sound"]
    assert found["counts"]["photos"] == {"backup": 20, "library": None}
    assert found["changes"] is None
    assert "cannot be read" in command.err
    assert path.read_bytes() == bytes(content)


# ---------------------------------------------------------------------- what it finds
@pytest.mark.parametrize("seed", range(12))
def test_a_changed_bit_is_found_and_recorded(library: Library, temporary: Path, seed: int) -> None:
    one, chance = the_backup(library), random.Random(seed)
    content = bytearray(one.path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    one.path.write_bytes(content)
    result = finish(drill(library.path, one, library))
    assert not result.sound
    assert last_verified(library)[one.path].problem == result.problems[0]
    assert list(temporary.iterdir()) == []
    assert one.path.exists()


def test_the_backup_is_compared_with_its_manifest(library: Library) -> None:
    one = the_backup(library)
    wrong = Backup(one.path, one.number, one.at, one.version, one.bytes, digest=one.digest, counts={"photos": 21})
    result = finish(drill(library.path, wrong, library))
    assert result.problems == [f"The backup {one.path} has 20 photos, but its manifest lists 21."]


def test_an_unreadable_metric_is_found(library: Library) -> None:
    (library.metrics.folder / "kernel-1.npz").write_bytes(b"learned")
    library.metrics.add("kernel", file="kernel-1.npz", version=1)
    library.back_up()
    one = backups.all_in(library.path / "backups")[-1]
    assert backups.verify(one) is None, "the backup is unchanged"
    result = finish(drill(library.path, one, library))
    assert len(result.problems) == 1
    assert "kernel" in result.problems[0]


def test_a_backup_of_a_later_version_is_neither_sound_nor_damaged(library: Library) -> None:
    one = the_backup(library)
    with closing(sqlite3.connect(one.path)) as connection:
        connection.execute("PRAGMA user_version = 999")
    one.manifest.unlink()
    later = one.path.rename(one.path.with_name(one.path.name.replace(f"-v{one.version}", "-v999")))
    (found,) = backups.all_in(later.parent)
    with pytest.raises(OperationError, match="later version of Focal"):
        finish(drill(library.path, found, library))
    assert last_verified(library) == {}


# ---------------------------------------------------------------------- what it leaves
def test_a_cancelled_drill_leaves_nothing(library: Library, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reached = []

    def replaced(folder: Path, *rest: Any) -> Any:
        reached.append(folder)
        return replace_catalogue(folder, *rest)

    monkeypatch.setattr("focal_photos.browser.operations.library.drill.replace_catalogue", replaced)
    job = drill(library.path, the_backup(library), library)
    next(job)
    while not reached:
        next(job)
    job.close()
    assert list(temporary.iterdir()) == []
    assert library.database.check() == []


KILLED = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.drill import drill
from focal_photos.browser.operations.library.restore import find_backup
place = Path(sys.argv[1])
with Library.open(place, read_only=True) as library:
    while True:
        print("begin", flush=True)
        finish(drill(place, find_backup(place), library))
"""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_opening_a_library_deletes_the_files_of_a_killed_drill(library: Library, temporary: Path, seed: int) -> None:
    folder = library.path
    library.close()
    before = contents(folder)
    chance = random.Random(seed)
    program = start(KILLED, folder)
    assert program.stdout is not None
    program.stdout.readline()
    until = time.monotonic() + 60  # killed in the middle: its folder exists and is locked
    while not list(temporary.glob("focal-*/owner")) and time.monotonic() < until:
        time.sleep(0.001)
    time.sleep(chance.uniform(0, 0.05))
    os.kill(program.pid, signal.SIGKILL)
    program.communicate()
    after = contents(folder)
    assert {name: content for name, content in after.items() if ".part" not in name} == before
    with Library.open(folder) as again:
        assert list(temporary.iterdir()) == []
        assert again.database.check() == []
        assert finish(drill(folder, the_backup(again), again)).sound
    assert remove_abandoned(temporary) == []


def test_a_drill_does_not_begin_without_enough_disk_space(
    library: Library, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage)
    with pytest.raises(OperationError, match="TMPDIR"):
        finish(drill(library.path, the_backup(library), library))
    assert last_verified(library) == {}
    assert list(temporary.iterdir()) == []


FULL = """
import sys, tempfile
from pathlib import Path
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library import drill
from focal_photos.browser.operations.library.restore import find_backup
disk, place = Path(sys.argv[1]), Path({place!r})
tempfile.tempdir = str(disk)
drill._require_room = lambda *_: None  # as if others wrote to the disk meanwhile
told = set()
for kilobytes in range(0, 2000, 40):
    filler = disk / "filler"
    filler.write_bytes(bytes(0))
    with filler.open("wb", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            pass
        stream.truncate(max(stream.tell() - kilobytes * 1024, 0))
    try:
        with Library.open(place, read_only=True) as library:
            told.add("sound" if finish(drill.drill(place, find_backup(place), library)).sound else "damaged")
    except OperationError as error:
        told.add("no room")
        assert "cannot be tried" in str(error), error
    assert [path.name for path in disk.iterdir()] == ["filler"], list(disk.iterdir())
print(sorted(told))
"""


@pytest.mark.slow
@pytest.mark.skipif(not can_make_small_disk(), reason="needs the right to mount a small disk")
def test_a_full_disk_is_not_reported_as_a_damaged_backup(library: Library, tmp_path: Path) -> None:
    folder = library.path
    library.close()
    (tmp_path / "small").mkdir()
    assert run_on_small_disk(FULL.format(place=str(folder)), tmp_path / "small", "4m") == "['no room', 'sound']\n"
    with Library.open(folder) as again:
        assert all(one.problem is None for one in last_verified(again).values())
