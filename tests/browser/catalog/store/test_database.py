# SPDX-License-Identifier: MIT
from __future__ import annotations

import sqlite3
import threading

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.catalog.store.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryFullError,
    LibraryInUseError,
    LibraryReadOnlyError,
)
from focal_photos.browser.catalog.store.translation import translate

INSERT = "INSERT INTO setting VALUES (?, '1')"


def names(library: Library) -> list[str]:
    return [name for (name,) in library.database.rows("SELECT name FROM setting ORDER BY name")]


def test_a_transaction_is_atomic(library: Library) -> None:
    with library.database.transaction() as connection:
        connection.execute(INSERT, ("a",))
        assert names(library) == ["a"]  # a thread sees its own changes

    def fail() -> None:
        with library.database.transaction() as connection:
            connection.execute(INSERT, ("b",))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert names(library) == ["a"]
    assert not library.database.in_transaction()


def test_inner_transactions_are_rolled_back_alone_or_with_the_outer_one(library: Library) -> None:
    database = library.database

    def inner(name: str, fail: bool) -> None:
        with database.transaction() as connection:
            connection.execute(INSERT, (name,))
            if fail:
                raise ZeroDivisionError

    def outer() -> None:
        with database.transaction() as connection:
            connection.execute(INSERT, ("lost",))
            inner("lost too", fail=False)
            raise ZeroDivisionError

    with database.transaction() as connection:
        connection.execute(INSERT, ("a",))
        with pytest.raises(ZeroDivisionError):
            inner("b", fail=True)
        inner("c", fail=False)
    with pytest.raises(ZeroDivisionError):
        outer()
    assert names(library) == ["a", "c"]


def test_other_threads_see_only_the_last_commit(library: Library) -> None:
    seen: list[list[str]] = []
    with library.database.transaction() as connection:
        connection.execute(INSERT, ("a",))
        thread = threading.Thread(target=lambda: seen.append(names(library)))
        thread.start()
        thread.join()
    assert seen == [[]]


def test_a_reader_sees_a_consistent_state(library: Library) -> None:
    with library.database.reading() as reader:
        before = reader.execute("SELECT count(*) FROM setting").fetchone()
        library.settings.set("a", 1)
        assert reader.execute("SELECT count(*) FROM setting").fetchone() == before
    assert names(library) == ["a"]


def test_readers_cannot_write(library: Library) -> None:
    def write() -> None:
        with library.database.reading() as reader:
            reader.execute(INSERT, ("a",))

    with pytest.raises(LibraryReadOnlyError):
        write()
    assert names(library) == []


def test_stamps_change_with_their_kind_at_the_commit(library: Library) -> None:
    database = library.database
    before = database.stamp(Kind.TAGS, Kind.ROOTS)
    other = database.stamp(Kind.PHOTOS)
    with database.transaction():
        database.touch(Kind.TAGS)
        assert database.stamp(Kind.TAGS, Kind.ROOTS) is None
    assert database.stamp(Kind.TAGS, Kind.ROOTS) != before
    assert database.stamp(Kind.PHOTOS) == other

    def fail() -> None:
        with database.transaction():
            database.touch(Kind.PHOTOS)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert database.stamp(Kind.PHOTOS) == other


def test_bugs_are_raised_unchanged(library: Library) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        library.database.rows("SELECT * FROM none")
    with pytest.raises(sqlite3.IntegrityError), library.database.transaction() as connection:
        connection.execute("INSERT INTO photo_tag VALUES (1, 1, 'hand', '')")
    assert library.database.row("SELECT 1 WHERE 0") is None


def test_an_os_error_of_the_caller_is_raised_unchanged(library: Library) -> None:
    with pytest.raises(FileNotFoundError), library.database.transaction():
        raise FileNotFoundError


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (OSError(28, "No space left on device"), LibraryFullError),
        (OSError(122, "Disk quota exceeded"), LibraryFullError),
        (OSError(30, "Read-only file system"), LibraryReadOnlyError),
        (PermissionError(13, "Permission denied"), LibraryReadOnlyError),
        (OSError(5, "Input/output error"), LibraryError),
    ],
)
def test_errors_of_the_system_are_translated(library: Library, error: OSError, meaning: type[LibraryError]) -> None:
    translated = translate(error, library.path)
    assert type(translated) is meaning
    assert str(library.path) in str(translated)
    assert "\n" not in str(translated)


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        (sqlite3.SQLITE_FULL, LibraryFullError),
        (sqlite3.SQLITE_READONLY_DIRECTORY, LibraryReadOnlyError),
        (sqlite3.SQLITE_CORRUPT_INDEX, LibraryDamagedError),
        (sqlite3.SQLITE_NOTADB, LibraryDamagedError),
        (sqlite3.SQLITE_BUSY_RECOVERY, LibraryInUseError),
        (sqlite3.SQLITE_IOERR_READ, LibraryError),
        (sqlite3.SQLITE_CANTOPEN, LibraryError),
    ],
)
def test_errors_of_sqlite_are_translated(library: Library, code: int, meaning: type[LibraryError]) -> None:
    error = sqlite3.OperationalError("said SQLite")
    error.sqlite_errorcode = code
    translated = translate(error, library.path)
    assert type(translated) is meaning
    assert str(library.path) in str(translated)


def test_a_catalogue_locked_by_another_program_is_reported(library: Library) -> None:
    """Some other program than Focal, such as an SQLite shell, in the middle of a change."""
    other = sqlite3.connect(library.path / "catalog.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writer = library.database._writer
    assert writer is not None
    writer.execute("PRAGMA busy_timeout = 50")
    with pytest.raises(LibraryInUseError):
        library.settings.set("a", 1)
    other.execute("ROLLBACK")
    other.close()
    library.settings.set("a", 1)
    assert names(library) == ["a"]


def test_a_failed_transaction_changes_no_stamp(library: Library) -> None:
    """A rollback also discards the kinds that the transaction touched."""
    database = library.database
    before = database.stamp(Kind.TAGS)

    def fail() -> None:
        with database.transaction():
            database.touch(Kind.TAGS)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.transaction():
        database.touch(Kind.PHOTOS)
    assert database.stamp(Kind.TAGS) == before
