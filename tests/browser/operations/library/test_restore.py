# SPDX-License-Identifier: MIT
"""Restoring a backup and rescuing a library: differences, saved files, and interruption at any moment."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library, LibraryDamagedError, LibraryError, LibraryInUseError
from focal_photos.browser.catalog.store.rescue.restore import (
    filled_from,
    finish_replacing,
    metrics_of,
    replace_catalogue,
    replaced_in,
)
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.restore import find_backup, rescue_library, restore, take_back_last
from tests.browser.catalog.albums import enter
from tests.browser.cli.command_line import Focal


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder of a closed library with one backup, and changes before and after it."""
    folder, album = tmp_path / "library", tmp_path / "album"
    album.mkdir()
    with Library.open(folder) as library:
        ids = enter(library, album, ["a.jpg", "b.jpg", "c.jpg"])
        library.tags.change(ids, ["before"])
        library.marks.set(ids[:1], rating=3)
        (library.metrics.folder / "kernel-1.npz").write_bytes(b"learned")
        library.metrics.add("kernel", file="kernel-1.npz", version=1)
        library.back_up()
        library.tags.change(ids[:2], ["after"], ["before"])
        library.judgements.set(ids[0], ids[1:], Verdict.SIMILAR)
        library.marks.set(ids[:1], rating=5)
    return folder


def tags_in(folder: Path) -> list[str]:
    with Library.open(folder) as library:
        assert library.database.check() == []
        return [f"{tag.name} {tag.count}" for tag in library.tags.all()]


BEFORE, AFTER = ["before 3"], ["after 2", "before 1"]


def damage(folder: Path) -> bytes:
    """Flip bits in every page of the catalogue except the first, and return the result."""
    path = folder / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096, 3):
        content[page * 4096 + 1] ^= 0xFF
    path.write_bytes(content)
    return bytes(content)


# ---------------------------------------------------------------------- restore
def test_a_dry_run_reports_differences_and_changes_nothing(place: Path, tmp_path: Path) -> None:
    result = finish(restore(place, find_backup(place), dry_run=True))
    album = tmp_path / "album"
    found = {one.kind: one for one in result.differences}
    assert {kind: (one.lost, one.gained) for kind, one in found.items()} == {
        "tags": (2, 2),
        "judgements": (2, 0),
        "ratings and labels": (1, 1),
    }
    assert found["tags"].lost_examples == (f"{album}/a.jpg: after", f"{album}/b.jpg: after")
    assert found["tags"].gained_examples == (f"{album}/a.jpg: before", f"{album}/b.jpg: before")
    assert found["judgements"].lost_examples == (f"{album}/b.jpg: similar", f"{album}/c.jpg: similar")
    assert found["ratings and labels"].lost_examples == (f"{album}/a.jpg: 5",)
    assert not result.damaged
    assert tags_in(place) == AFTER
    assert not (place / "replaced").exists()


def test_restoring_a_backup_can_be_undone(place: Path) -> None:
    result = finish(restore(place, find_backup(place)))
    assert result.kept is not None
    assert tags_in(place) == BEFORE
    finish(take_back_last(place))
    assert tags_in(place) == AFTER
    finish(take_back_last(place))
    assert tags_in(place) == BEFORE
    with Library.open(place) as library:
        assert library.journal.undo_label() == "Train metric: Kernel (v1)"


def test_metrics_are_restored(place: Path) -> None:
    metric = place / "metrics" / "kernel-1.npz"
    metric.unlink()
    finish(restore(place, find_backup(place)))
    assert metric.read_bytes() == b"learned"
    metric.unlink()
    metric.write_bytes(b"another")
    result = finish(restore(place, find_backup(place)))
    assert metric.read_bytes() == b"learned"
    assert result.kept is not None
    assert (result.kept / "metrics" / "kernel-1.npz").read_bytes() == b"another"
    finish(take_back_last(place))
    assert metric.read_bytes() == b"another"


def test_the_damaged_catalogue_is_saved_unchanged(place: Path) -> None:
    content = damage(place)
    with pytest.raises(LibraryDamagedError):
        Library.open(place)
    result = finish(restore(place, find_backup(place)))
    assert result.damaged
    assert result.kept is not None
    assert (result.kept / "catalog.sqlite").read_bytes() == content
    assert tags_in(place) == BEFORE
    finish(take_back_last(place))
    assert (place / "catalog.sqlite").read_bytes() == content


def test_the_write_ahead_log_is_saved_and_restored_with_its_catalogue(place: Path, tmp_path: Path) -> None:
    """The last changes of a killed program are only in the log."""
    copy = tmp_path / "copy"
    with Library.open(place) as library:
        library.tags.change([1], ["in the log"])
        shutil.copytree(place, copy)
    finish(restore(copy, find_backup(copy)))
    assert tags_in(copy) == BEFORE
    finish(take_back_last(copy))
    assert tags_in(copy) == ["after 2", "before 1", "in the log 1"]


def test_a_damaged_backup_is_refused(place: Path) -> None:
    backup = find_backup(place)
    content = bytearray(backup.path.read_bytes())
    content[-10] ^= 1
    backup.path.write_bytes(content)
    for dry_run in (True, False):
        with pytest.raises(OperationError, match="digest mismatch"):
            finish(restore(place, backup, dry_run=dry_run))
    assert tags_in(place) == AFTER


def test_an_open_library_is_refused(place: Path) -> None:
    with Library.open(place):
        for job in (restore(place, find_backup(place)), rescue_library(place), take_back_last(place)):
            with pytest.raises(LibraryInUseError):
                finish(job)


def test_a_backup_is_found_by_name_number_and_path(place: Path, tmp_path: Path) -> None:
    newest = find_backup(place)
    for name in (newest.name, newest.path.name, "1", str(newest.path)):
        assert find_backup(place, name) == newest
    moved = shutil.copytree(place / "backups", tmp_path / "elsewhere")
    assert find_backup(place, str(moved / newest.path.name)).digest == newest.digest
    with pytest.raises(OperationError, match="There is no backup 7"):
        find_backup(place, "7")
    shutil.rmtree(place / "backups")
    with pytest.raises(OperationError, match="There is no backup of the library"):
        find_backup(place)


def test_the_last_three_replaced_catalogues_are_saved(place: Path) -> None:
    for _ in range(5):
        finish(restore(place, find_backup(place)))
    assert [one.number for one in replaced_in(place)] == [3, 4, 5]


class _PowerFailureError(Exception):
    pass


STEPS = [
    "write",
    "keep",
    "metric kernel-1.npz",
    "mark",
    "delete -wal",
    "delete -shm",
    "delete -journal",
    "rename",
    "rename catalog.sqlite-wal",
    "rename catalog.commits",
    "unmark",
]


@pytest.mark.parametrize("at", STEPS)
def test_an_interruption_leaves_the_old_or_the_new_catalogue(place: Path, at: str) -> None:
    (place / "metrics" / "kernel-1.npz").unlink()
    backup = find_backup(place)
    copy = place.with_name("copy")
    passed = []

    def fail(step: str) -> None:
        passed.append(step)
        if step == at:
            shutil.copytree(place, copy)  # the files on disk at this moment
            raise _PowerFailureError

    with pytest.raises(_PowerFailureError):
        replace_catalogue(place, filled_from(backup.path), metrics_of(backup), step=fail)
    assert passed == STEPS[: STEPS.index(at) + 1]
    marked = STEPS.index(at) > STEPS.index("mark")
    for folder in (place, copy):
        if marked:
            with pytest.raises(LibraryError, match="was interrupted: open it for writing"):
                Library.open(folder, read_only=True)
        assert tags_in(folder) == (BEFORE if marked else AFTER)
        assert not [path.name for path in folder.iterdir() if "restor" in path.name]
        if marked:
            finish(take_back_last(folder))
            assert tags_in(folder) == AFTER


def test_only_parts_of_a_killed_restore_are_deleted(place: Path) -> None:
    stray, other = place / ".catalog.sqlite.restored.1.part", place / ".catalog.sqlite.restored.saved"
    for path in (stray, other):
        path.write_bytes(b"")
    assert not finish_replacing(place)
    assert not stray.exists()
    assert other.exists()


# ---------------------------------------------------------------------- rescue
def test_a_damaged_library_is_rescued_in_place(place: Path) -> None:
    content = damage(place)
    would = finish(rescue_library(place, dry_run=True))
    assert would.damaged
    with pytest.raises(LibraryDamagedError):
        Library.open(place)
    result = finish(rescue_library(place))
    assert tags_in(place) == AFTER
    with Library.open(place) as library:
        assert library.judgements.count() == 2
        assert library.marks.of([1])[1].rating == 5
    assert result.kept is not None
    assert (result.kept / "catalog.sqlite").read_bytes() == content


def test_a_rescue_into_a_new_library_leaves_the_old_one_unchanged(place: Path, tmp_path: Path) -> None:
    content = damage(place)
    result = finish(rescue_library(place, output=tmp_path / "new"))
    assert result.output == tmp_path / "new"
    assert tags_in(tmp_path / "new") == AFTER
    assert (tmp_path / "new" / "metrics" / "kernel-1.npz").read_bytes() == b"learned"
    assert (place / "catalog.sqlite").read_bytes() == content
    with pytest.raises(OperationError, match="exists already"):
        finish(rescue_library(place, output=tmp_path / "new"))


def test_the_newest_backup_is_used_if_nothing_is_readable(place: Path) -> None:
    (place / "catalog.sqlite").write_bytes(bytes(40960))
    result = finish(rescue_library(place))
    assert result.rescued is not None
    assert result.rescued.problems
    assert tags_in(place) == BEFORE
    shutil.rmtree(place / "backups")
    (place / "catalog.sqlite").write_bytes(b"x" * 40960)
    with pytest.raises(LibraryDamagedError, match="can no longer be read at all"):
        finish(rescue_library(place))


def test_a_rescue_drops_foreign_triggers(place: Path) -> None:
    with closing(sqlite3.connect(place / "catalog.sqlite")) as connection:
        connection.execute("CREATE TRIGGER steal AFTER INSERT ON photo_tag BEGIN DELETE FROM judgement; END")
    with pytest.raises(LibraryDamagedError, match="a trigger steal"):
        Library.open(place)
    finish(rescue_library(place))
    assert tags_in(place) == AFTER


# ---------------------------------------------------------------------- the command line
def test_the_commands_back_up_restore_and_rescue(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    focal = Focal(place, capsys)
    listed = focal.json("backup", "--list")["backups"]
    assert [one["tags"] for one in listed] == [3]
    assert {one["kind"] for one in focal.json("restore", "--dry-run")["differences"]} >= {"tags"}
    assert focal.json("backup")["tags"] == 3
    assert json.dumps(focal.json("restore", "1"))
    assert tags_in(place) == BEFORE
    focal("restore", "--undo")
    assert tags_in(place) == AFTER
    damage(place)
    assert focal.json("rescue")["damaged"]
    assert tags_in(place) == AFTER
