# SPDX-License-Identifier: MIT
"""The catalogue's SQLite file: one writer, many readers, transactions, integrity."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.catalog.store import backups, migrations
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.catalog.store.errors import (
    LibraryError,
    LibraryReadOnlyError,
    LibraryTooNewError,
    not_writable,
    replaced,
)
from focal_photos.browser.catalog.store.files.scratch import Scratch
from focal_photos.browser.catalog.store.id_list import integers
from focal_photos.browser.catalog.store.integrity.commit_count import CommitCount, forget_token, require_all_commits
from focal_photos.browser.catalog.store.integrity.last_look import last_look, note_look
from focal_photos.browser.catalog.store.integrity.writer_files import WriterFiles
from focal_photos.browser.catalog.store.schema.changed_rows import changed_rows
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions
from focal_photos.browser.catalog.store.schema.objects import create_or_migrate, strange_objects
from focal_photos.browser.catalog.store.translation import damaged, translated

if TYPE_CHECKING:  # a command that tags need not load numpy
    import numpy as np
    from numpy.typing import NDArray


Row = tuple[Any, ...]
_BUSY_MS = 5000
_CACHE = 8192  # KiB of pages that the writer caches; four times more made it no faster
_READER_CACHE = 4096  # KiB of a reader: there is one per thread, and the system caches the file anyway
_POOLED = 8  # readers kept open for reuse
_LOOKED_THROUGH = 1 << 25  # bytes; larger files are checked after opening, because that takes seconds
_MIN_PAGE_BYTES = 512  # bytes: smallest page size of SQLite
_OLDEST_SQLITE = (3, 37, 0)  # STRICT tables


class Database:
    """The open catalogue.

    Thread-safe. All writes use one connection behind a reentrant lock. Each reader has its own connection and sees the
    last commit; inside `transaction`, the thread sees its own changes. Every commit is on the disk when `transaction`
    ends (write-ahead log, ``synchronous = FULL``).

    Parameters
    ----------
    path : pathlib.Path
        The file; created if absent unless `read_only`.
    read_only : bool
        Never write, so that read-only media work.
    lock : pathlib.Path, optional
        Lock file that excludes other writers.
    steps : sequence of Migration, optional
        Migrations to the current schema; default: those of this program.

    Raises
    ------
    LibraryDamagedError, LibraryTooNewError, LibraryReadOnlyError, LibraryFullError, LibraryError
    """

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        lock: Path | None = None,
        steps: Sequence[migrations.Migration] | None = None,
    ) -> None:
        if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
            raise LibraryError(
                "SQLite {0} is too old: install a Python with SQLite 3.37 or later.", sqlite3.sqlite_version
            )
        self.path = path
        self.folder = path.parent
        self.read_only = read_only
        self.looked_through = True
        """Whether the whole file was checked when it was opened; otherwise `look_through` does it.

        Skipped if the file is as its last writer left it and was checked within the last day.
        """
        self._looked_at: float | None = None
        self.brought_up_to_date = False
        """Whether the data is read from a private copy of an older catalogue, migrated to the current schema."""
        self._steps = migrations.migrations() if steps is None else steps
        self._latest = self._steps[-1].version
        self._lock = threading.RLock()
        self._backup_lock = threading.Lock()
        self._owner: int | None = None  # thread inside a transaction
        self._depth = 0
        self._touched: set[Kind] = set()
        self._stamps = dict.fromkeys(Kind, 0)
        self._pool: list[sqlite3.Connection] = []
        self._pool_lock = threading.Lock()
        self._closed = False
        self._scratch: Scratch | None = None
        self._writer: sqlite3.Connection | None = None
        self._keeper: sqlite3.Connection | None = None
        self._refused = False
        self._files: WriterFiles | None = None
        self._watcher: sqlite3.Connection | None = None
        self._count: CommitCount | None = None
        try:
            with translated(self.folder):
                self._require_not_lost()
                if read_only:
                    self._open_read_only()
                else:
                    self._open_writable()
                    self._keeper = _open_connection(self._uri)
                    assert self._count is not None
                    self._files = WriterFiles(path, lock, self._count)
        except UnicodeDecodeError as error:  # SQLite quotes a damaged schema in its message
            self.close()
            raise damaged(self.folder, "its schema is unreadable") from error
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------------ transactions and queries
    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the writer for one transaction: all of it is committed at the end, or nothing.

        A nested transaction of the same thread is part of the outer one, and is rolled back alone if it fails.

        Raises
        ------
        LibraryReadOnlyError
            If the library was opened read-only.
        LibraryFullError
            If the disk is full; nothing of the transaction was saved.
        LibraryReplacedError
            If the file, its log or the lock was replaced since opening, or another program has written to the file or
            its log: a commit could be lost, or another program may be writing. Nothing of the transaction was saved.
            The files are checked when the outermost transaction begins and before its COMMIT; nothing is raised after a
            COMMIT.
        """
        with self._lock:
            connection = self._writer
            if connection is None or self._closed:
                if self.read_only and not self._closed:
                    raise LibraryReadOnlyError(
                        "The library {0} was opened read-only: open it for writing to change anything.", self.folder
                    )
                raise self._closed_error()
            depth = self._depth
            with self._translated():
                if not depth:
                    self._require_same_files()
                connection.execute(f"SAVEPOINT level_{depth}" if depth else "BEGIN IMMEDIATE")
                self._depth, self._owner = depth + 1, threading.get_ident()
                unchanged = connection.total_changes
                try:
                    yield connection
                    changed = connection.total_changes > unchanged
                    if not depth:
                        self._require_same_files(in_transaction=True)
                        if changed and self._count is not None:
                            self._count.add_one(connection)
                    connection.execute(f"RELEASE level_{depth}" if depth else "COMMIT")
                except BaseException:
                    self._roll_back(connection, depth)
                    if not depth and self._files is not None:
                        self._files.note()
                    raise
                finally:
                    self._depth = depth
                    if not depth:
                        self._owner = None
            if not depth:
                if changed and self._count is not None:
                    self._count.committed()
                if self._files is not None:
                    self._files.note()
                for kind in self._touched:
                    self._stamps[kind] += 1
                self._touched.clear()

    def touch(self, *kinds: Kind) -> None:
        """Declare inside a transaction that parts of the catalogue change: their `stamp` changes at the commit."""
        self._touched.update(kinds)

    def in_transaction(self) -> bool:
        """Return whether the calling thread is inside `transaction`."""
        return self._owner == threading.get_ident()

    def stamp(self, *kinds: Kind) -> tuple[int, ...] | None:
        """Return a value that changes when one of the parts does; None inside a transaction.

        Get the stamp before reading the data to be cached under it.
        """
        if self.in_transaction():
            return None
        if self._watcher is None:
            return tuple(self._stamps[kind] for kind in kinds)
        with self._pool_lock, self._translated():  # read-only: another program may write
            (version,) = self._watcher.execute("PRAGMA data_version").fetchone()
        return (int(version),)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Hold a reader whose statements all see the same state; inside `transaction`, the writer."""
        if self.in_transaction() and self._writer is not None:
            yield self._writer
            return
        with self._translated():
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            with self._pool_lock:
                if not self._closed and len(self._pool) < _POOLED:
                    self._pool.append(connection)
                    return
            connection.close()

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of one query."""
        with self.reading() as connection:
            return connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """Return the first row of one query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def integers(self, sql: str, parameters: Sequence[Any] = ()) -> NDArray[np.int64]:
        """Return the only column of a query as an array, without an intermediate list."""
        with self.reading() as connection:
            return integers(connection, sql, parameters)

    # ------------------------------------------------------------------ maintenance
    def check(self) -> list[str]:
        """Return the problems found by a thorough check of the file; empty if it is sound.

        Reads everything: indexes against tables, references between tables, the digests of rows.
        """
        with self.reading() as connection:
            found = [str(line) for (line,) in connection.execute("PRAGMA integrity_check")]
            problems = [] if found == ["ok"] else found
            for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
                problems.append(f"the table {table} (row {row}) refers to a row of {parent} that does not exist")
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                problems += changed_rows(connection, table)
        return problems

    def look_through(self, stop: Callable[[], bool] = lambda: False) -> str | None:
        """Return the first problem in the structure of the file, or None; `check` finds more.

        Parameters
        ----------
        stop : callable
            Called every few milliseconds; True cancels the search, which then returns None.
        """
        with self.reading() as connection:
            connection.set_progress_handler(lambda: int(stop()), 10_000)
            try:
                (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                    raise
                return None
            finally:
                connection.set_progress_handler(None, 0)
        return None if verdict == "ok" else str(verdict)

    def back_up(
        self,
        reason: str = "by hand",
        *,
        room: int = backups.MAX_TOTAL_BYTES,
        report: backups.Report = lambda _share: None,
    ) -> Path:
        """Copy the catalogue into the library's ``backups`` folder and return the copy's path.

        Others can read and write meanwhile; see `backups.back_up`.
        """
        if self.in_transaction():
            raise RuntimeError("a backup is taken outside transactions")
        if self._writer is None:
            raise LibraryReadOnlyError("The library {0} was opened read-only: no backup was made.", self.folder)
        with self._backup_lock, self._translated():
            with self._lock:
                self._require_same_files()
                connection = _open_connection(self._uri)
            with closing(connection):
                return backups.back_up(connection, self.folder, reason=reason, room=room, report=report)

    def changed_since_backup(self) -> bool:
        """Return whether anything was committed since the newest backup."""
        with self.reading() as connection:
            return backups.is_changed(connection, self.folder)

    def copy_to(self, path: Path) -> None:
        """Copy the current catalogue to one new file; also works read-only.

        Raises
        ------
        LibraryFullError
            If there is no space for the copy.
        """
        if self.in_transaction():
            raise RuntimeError("a copy is made outside transactions")
        with self.reading() as connection, closing(sqlite3.connect(path)) as copy:
            connection.backup(copy)
            forget_token(copy)
            copy.commit()
            copy.execute("PRAGMA journal_mode = DELETE")

    def compact(self) -> None:
        """Release unused space in the file; takes the time and temporary space of a copy.

        Raises
        ------
        LibraryFullError, LibraryReadOnlyError
        """
        if self.in_transaction():
            raise RuntimeError("the file is compacted outside transactions")
        with self._lock, self._translated():
            if self._writer is None:
                raise LibraryReadOnlyError("The library {0} was opened read-only: nothing was compacted.", self.folder)
            self._require_same_files()
            try:
                self._writer.execute("VACUUM")
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                if self._files is not None:
                    self._files.note()

    def close(self) -> None:
        """Close all connections; a thread that is still reading closes its own afterwards."""
        with self._lock:
            with self._pool_lock:
                self._closed = True
                for connection in self._pool:
                    connection.close()
                self._pool.clear()
                if self._watcher is not None:
                    self._watcher.close()
                    self._watcher = None
            if self._writer is not None:
                # The last writer moves the write-ahead log into the file. If the file was rejected or overwritten, both
                # are left unchanged, by closing a reader after the writer.
                as_it_is = self._refused or (self._files is not None and self._files.overwritten() is not None)
                with suppress(sqlite3.Error, LibraryError):
                    if as_it_is and self._keeper is None:
                        self._keeper = _open_connection(self._uri)
                if self._keeper is not None and not as_it_is:
                    self._keeper.close()
                    self._keeper = None
                    with suppress(sqlite3.Error):
                        self._writer.execute("PRAGMA optimize")
                is_own = not as_it_is and self._files is not None and self._files.replaced() is None
                self._writer.close()
                self._writer = None
                if is_own and self._looked_at is not None:
                    note_look(self.path, self._looked_at)
            if self._keeper is not None:
                self._keeper.close()
                self._keeper = None
            if self._count is not None:
                self._count.close()
                self._count = None
            if self._scratch is not None:
                self._scratch.cleanup()
                self._scratch = None

    # ------------------------------------------------------------------ opening
    def _require_not_lost(self) -> None:
        """Refuse to replace a lost catalogue: SQLite takes an empty or very short file for a new one."""
        exists = self.path.exists()
        size = self.path.stat().st_size if exists else 0
        if not size and backups.has_traces(self.folder):
            raise damaged(self.folder, f"{self.path.name} is {'empty' if exists else 'missing'}")
        # A file shorter than a page is new to SQLite, too. A first start that was killed leaves a journal.
        if 0 < size < _MIN_PAGE_BYTES and not Path(f"{self.path}-journal").exists():
            raise damaged(self.folder, f"{self.path.name} has only {size} bytes")

    def _open_writable(self) -> None:
        self._uri = f"{self.path.absolute().as_uri()}?mode=ro"
        # SQLite would open an unwritable file for reading, without an error until the first change.
        if self.path.exists() and not os.access(self.path, os.W_OK):
            raise not_writable(self.folder)
        self._writer = connection = _open_connection(f"{self.path.absolute().as_uri()}?mode=rwc")
        self._refused = True
        self._inspect(connection)
        self._refused = False
        if 0 < migrations.version(connection) < self._latest:
            backups.back_up(connection, self.folder, reason="before an update of the library")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA journal_size_limit = 67108864")
        create_or_migrate(connection, self._steps)
        self._count = CommitCount(connection, self.path)

    def _open_read_only(self) -> None:
        if not self.path.exists():
            raise LibraryError("There is no library in {0}: open it once for writing to create one.", self.folder)
        if not os.access(self.path, os.R_OK):
            raise LibraryError("You have no permission to read the library {0}: ask its owner.", self.folder)
        self._uri = f"{self.path.absolute().as_uri()}?mode=ro"
        try:
            connection = _open_connection(self._uri)
        except sqlite3.OperationalError:
            # The medium does not support shared memory for the write-ahead log. Without a log the file alone is
            # complete; with a log, both are read from a copy.
            wal = Path(f"{self.path}-wal")
            if wal.exists() and wal.stat().st_size:
                self._scratch, copied = _private_copy(self.path)
                self._uri = f"{copied.as_uri()}?mode=ro"
            else:
                self._uri = f"{self.path.absolute().as_uri()}?immutable=1"
            connection = _open_connection(self._uri)
        self._watcher = connection
        self._inspect(connection)
        if migrations.version(connection) < self._latest:  # read from a migrated copy
            self._scratch, copied = _updated_copy(connection, self._steps, self._scratch)
            self._uri = f"{copied.as_uri()}?immutable=1"
            self._watcher.close()
            self._watcher = _open_connection(self._uri)
            self.brought_up_to_date = True

    def _inspect(self, connection: sqlite3.Connection) -> None:
        """Reject a file that is damaged, newer than this program, or not a catalogue."""
        version = migrations.version(connection)
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != migrations.APPLICATION_ID:
            raise LibraryError("{0} is not a catalogue of Focal: choose another folder for the library.", self.path)
        if version > self._latest:
            raise LibraryTooNewError(
                "The library {0} was written by a later version of Focal "
                "(schema {1}, this one knows {2}): update Focal to open it.",
                self.folder,
                version,
                self._latest,
            )
        if version:
            strange = strange_objects(connection, self._steps)
            if strange:  # before any statement that could execute it
                raise damaged(self.folder, f"its schema has {', '.join(strange)}, which Focal did not create")
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        self._looked_at = last_look(self.path)
        self.looked_through = pages * page <= _LOOKED_THROUGH and self._looked_at is None
        if self.looked_through:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise damaged(self.folder, str(verdict))
            self._looked_at = time.time()
        require_all_commits(connection, self.path, version)

    # ------------------------------------------------------------------ connections
    def _take(self) -> sqlite3.Connection:
        with self._pool_lock:
            if self._closed:
                raise self._closed_error()
            if self._pool:
                return self._pool.pop()
        if self._files is not None:
            changed = self._files.replaced()  # a new connection would open other files of the same names
            if changed is not None:
                raise replaced(self.folder, changed)
        return _open_connection(self._uri, cache=_READER_CACHE)

    def _roll_back(self, connection: sqlite3.Connection, depth: int) -> None:
        if not depth:
            self._touched.clear()
        with suppress(sqlite3.Error):  # SQLite itself rolls back after some errors, such as a full disk
            if depth:
                connection.execute(f"ROLLBACK TO level_{depth}")
                connection.execute(f"RELEASE level_{depth}")
            elif connection.in_transaction:
                connection.execute("ROLLBACK")

    def _require_same_files(self, *, in_transaction: bool = False) -> None:
        """Raise if the files are not as the writer left them; the caller holds the writer."""
        if self._files is None:
            return
        changed = self._files.replaced() or self._files.overwritten(in_transaction=in_transaction)
        if changed is not None:
            raise replaced(self.folder, changed)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        # Only SQLite's errors: an OSError in the block belongs to the caller.
        try:
            yield
        except sqlite3.Error as error:
            with translated(self.folder):
                raise error

    def _closed_error(self) -> LibraryError:
        return LibraryError("The library {0} is closed: open it again.", self.folder)


def _open_connection(uri: str, *, cache: int = _CACHE) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=_BUSY_MS / 1000)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")  # so that replacing a row fires its delete triggers
        connection.execute(f"PRAGMA cache_size = -{cache}")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()  # reports errors now rather than later
    except BaseException:
        connection.close()
        raise
    add_functions(connection)
    return connection


def _updated_copy(
    connection: sqlite3.Connection,
    steps: Sequence[migrations.Migration],
    old: Scratch | None,
) -> tuple[Scratch, Path]:
    """Copy an open catalogue of an earlier version to a temporary folder (`old` if given) and migrate it."""
    folder = old or Scratch()
    try:
        target = folder.path / "updated.sqlite"
        with closing(sqlite3.connect(target, isolation_level=None)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = OFF")
            add_functions(copy)
            migrations.migrate(copy, steps)
    except BaseException:
        folder.cleanup()
        raise
    return folder, target


def _private_copy(path: Path) -> tuple[Scratch, Path]:
    """Copy a database and its write-ahead log, which opening the copy applies, to a temporary folder."""
    folder = Scratch()
    try:
        target = folder.path / path.name
        shutil.copyfile(path, target)
        shutil.copyfile(f"{path}-wal", f"{target}-wal")
    except BaseException:
        folder.cleanup()
        raise
    return folder, target
