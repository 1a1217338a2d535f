# SPDX-License-Identifier: MIT
"""System errors on opening, locking or copying a library have clear messages, and no files are left behind."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.backups import back_up, backups
from focal_photos.browser.catalog.store.errors import LibraryError, LibraryFullError, LibraryReadOnlyError
from focal_photos.browser.catalog.store.lock import LibraryLock
from focal_photos.browser.catalog.store.translation import translate


def free(size: int) -> Callable[[Any], Any]:
    return lambda _folder: SimpleNamespace(free=size)


def failure_of(statement: str, path: Path) -> sqlite3.Error:
    """Return SQLite's error on opening a file."""
    with pytest.raises(sqlite3.Error) as caught:
        sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True).execute(statement)
    return caught.value


def test_a_failed_open_reports_the_error_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = failure_of("SELECT 1 FROM x", tmp_path / "nothing.sqlite")
    assert error.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN
    assert type(translate(error, tmp_path)) is LibraryError
    assert "cannot be read or written" in str(translate(error, tmp_path))
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", free(100))
        assert isinstance(translate(error, tmp_path), LibraryFullError)
    gone = tmp_path / "gone"  # its free space is unknown
    assert isinstance(translate(error, gone), LibraryReadOnlyError)


@pytest.mark.parametrize(
    ("number", "kind"),
    [(errno.ENOSPC, LibraryFullError), (errno.EACCES, LibraryReadOnlyError), (errno.EIO, LibraryError)],
)
def test_errors_of_the_system_are_distinguished(tmp_path: Path, number: int, kind: type[Exception]) -> None:
    assert type(translate(OSError(number, os.strerror(number)), tmp_path)) is kind


def test_no_copy_is_started_without_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Library.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "catalog.sqlite")
    before = backups(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", free(1000))
    with pytest.raises(LibraryFullError):
        back_up(connection, tmp_path)
    connection.close()
    assert backups(tmp_path) == before
    assert not list((tmp_path / "backups").glob("*.part*"))


def test_a_failed_copy_leaves_no_files(tmp_path: Path) -> None:
    Library.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "catalog.sqlite")
    before = backups(tmp_path)
    connection.execute("DROP TABLE commit_count")  # the commit token is removed from the copy here
    with pytest.raises(sqlite3.Error):
        back_up(connection, tmp_path)
    connection.close()
    assert backups(tmp_path) == before
    assert not list((tmp_path / "backups").glob("*.part*"))


def test_a_lock_is_released_if_its_holder_cannot_be_noted(tmp_path: Path) -> None:
    (tmp_path / "lock.json").mkdir()
    with pytest.raises(LibraryError, match="Is a directory"):
        LibraryLock(tmp_path)
    (tmp_path / "lock.json").rmdir()
    LibraryLock(tmp_path).release()
