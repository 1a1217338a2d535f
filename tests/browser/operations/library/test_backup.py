# SPDX-License-Identifier: MIT
"""When the program makes backups, and copies in the second place."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.operations.describing.settings import BACKUP_FOLDER, BACKUP_MEGABYTES
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.backup import (
    all_backups,
    back_up,
    back_up_if_due,
    backup_is_due,
    second_place,
)
from tests.browser.catalog.albums import enter


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    (tmp_path / "album").mkdir()
    with Library.open(tmp_path / "library") as opened:
        enter(opened, tmp_path / "album", ["a.jpg", "b.jpg"])
        yield opened


def _grow_older(library: Library, age: timedelta) -> None:
    """Make the backups older by changing their dates."""
    for one in backups.all_in(library.path / "backups"):
        stamp = (one.at - age).strftime("%Y%m%dT%H%M%S%f")
        for path in (one.path, one.manifest):
            path.rename(path.with_name(f"catalog-{one.number:06d}-{stamp}-v{one.version}{path.suffix}"))


def test_a_change_is_backed_up_at_most_once_an_hour(library: Library) -> None:
    assert finish(back_up_if_due(library)).backup is None  # no change that could be lost
    library.tags.change([1], ["beach"])
    first = finish(back_up_if_due(library)).backup
    assert first is not None
    assert first.reason == "hourly"
    library.tags.change([1], ["sea"])
    assert finish(back_up_if_due(library)).backup is None
    _grow_older(library, timedelta(minutes=61))
    second = finish(back_up_if_due(library)).backup
    assert second is not None
    _grow_older(library, timedelta(minutes=61))
    assert finish(back_up_if_due(library)).backup is None, "nothing changed since the backup"
    _grow_older(library, -timedelta(days=700))  # as if the clock had been ahead
    library.tags.change([2], ["sea"])
    assert finish(back_up_if_due(library)).backup is not None
    assert len(all_backups(library)) == 3


def test_a_read_only_library_is_not_backed_up(library: Library) -> None:
    library.tags.change([1], ["beach"])
    with Library.open(library.path, read_only=True) as reader:
        assert finish(back_up_if_due(reader)).backup is None


def test_backups_are_copied_to_the_second_place(library: Library, tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    BACKUP_FOLDER.set(library, str(drive))
    library.tags.change([1], ["beach"])
    report = finish(back_up_if_due(library))
    assert report.backup is not None
    assert report.copied is None
    assert "cannot be used" in (report.away or "")
    assert not drive.exists(), "nothing is created if the drive is offline"
    assert finish(back_up_if_due(library)) == type(report)()
    drive.mkdir()
    report = finish(back_up_if_due(library))  # online again: the newest backup is copied though none is due
    place = second_place(library)
    assert place is not None
    assert report.copied == place / backups.all_in(library.path / "backups")[-1].path.name
    assert [one.path.parent for one in all_backups(library)] == [library.path / "backups"]
    for path in (library.path / "backups").glob("catalog-*"):
        path.unlink()
    assert [one.path for one in all_backups(library)] == [report.copied]


def test_a_second_place_that_was_offline_gets_the_newest_backup(library: Library, tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    BACKUP_FOLDER.set(library, str(drive))
    library.tags.change([1], ["beach"])
    assert finish(back_up(library)).copied is not None
    drive.rename(tmp_path / "unplugged")
    library.tags.change([1], ["sea"])
    assert finish(back_up(library)).copied is None
    (tmp_path / "unplugged").rename(drive)
    assert backup_is_due(library)
    copied = finish(back_up_if_due(library)).copied
    assert copied is not None
    assert copied.name == backups.all_in(library.path / "backups")[-1].path.name
    assert len(backups.all_in(copied.parent)) == 2
    assert not backup_is_due(library)


def test_two_libraries_share_a_second_place(library: Library, tmp_path: Path) -> None:
    with Library.open(tmp_path / "elsewhere" / "library") as other:
        for one in (library, other):
            assert finish(back_up(one, to=tmp_path / "drive")).copied is not None
        assert len(list((tmp_path / "drive").iterdir())) == 2
        assert len(all_backups(library)) == len(all_backups(other)) == 1


def test_an_unwritable_second_place_is_an_error(library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OperationError, match="cannot be used"):
        finish(back_up(library, to=tmp_path / "file"))
    assert len(all_backups(library)) == 1, "the backup itself exists"


def test_the_space_for_backups_is_a_setting(library: Library) -> None:
    library.tags.change([1], ["beach"])
    finish(back_up(library))
    BACKUP_MEGABYTES.set(library, 1)
    for number in range(12):
        library.tags.change([1, 2], [f"{page} {number} {'long ' * 30}" for page in range(200)])
        finish(back_up(library))
    found = all_backups(library)
    assert len(found) == 2
    assert found[-1].number == 13


def test_a_cancelled_backup_leaves_nothing(library: Library) -> None:
    library.tags.change([1, 2], [f"{number} {'long ' * 30}" for number in range(3000)])
    job = back_up(library)
    next(job)
    job.close()
    left = [path for path in (library.path / "backups").rglob("*") if path.is_file()]
    assert [path for path in left if path.suffix not in (".sqlite", ".json")] == []
    assert all(backups.problem_of(one) is None for one in all_backups(library))


def test_the_backup_folder_is_an_absolute_path(library: Library, tmp_path: Path) -> None:
    assert BACKUP_FOLDER.from_text(str(tmp_path / "a" / ".." / "b")) == str(tmp_path / "b")
    assert BACKUP_FOLDER.from_text("none") == ""
    with pytest.raises(OperationError, match=r"backup\.folder: expected the absolute path of a folder"):
        BACKUP_FOLDER.set(library, "b")


def test_a_backup_holds_no_lock_between_its_steps(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer succeeds after each step, on a connection that fails instead of waiting for a lock."""
    library.tags.change([1, 2], [f"{number} {'long ' * 30}" for number in range(2000)])
    with library.database.transaction() as connection:
        connection.execute("PRAGMA busy_timeout = 0")
    writes = 0

    def write(_share: float) -> None:
        nonlocal writes
        library.tags.change([1], [f"written meanwhile {writes}"])
        writes += 1

    path = library.database.back_up(report=write)
    assert writes > 5
    with sqlite3.connect(path) as copy:
        assert copy.execute("SELECT count(*) FROM tag").fetchone() == (2000,)
    copy.close()


def test_the_date_of_a_backup_is_in_utc(library: Library) -> None:
    before = datetime.now(UTC)
    made = finish(back_up(library)).backup
    assert made is not None
    assert before <= made.at <= datetime.now(UTC)
