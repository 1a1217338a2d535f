# SPDX-License-Identifier: MIT
"""Commit counter of a catalogue, also stored outside it to detect the loss of its write-ahead log.

The file ``catalog.commits`` beside the catalogue is written after each commit, without waiting for the disk. It may
therefore lag behind the catalogue on the disk, but is ahead of it only if commits were lost.

The counter also tells whether the catalogue's file without its log is still the one that its writer left: the writer
knows the count in the file, which only a checkpoint raises.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from focal_photos.browser.catalog.store import migrations
from focal_photos.browser.catalog.store.errors import LibraryDamagedError, strange_value
from focal_photos.browser.catalog.store.files.own_file import open_own

# Token, count, and the count in the file without its log, if known.
_LINE = re.compile(rb"([0-9a-f]{16}) (\d{20})(?: (\d{20}))?\n")
_SINCE_VERSION = 2


class _Count(NamedTuple):
    """Identity of the catalogue in a file, and the number of commits in it."""

    token: str
    commits: int


_NO_CATALOGUE = _Count("", -1)
"""The file is not a catalogue."""
_UNMARKED = _Count("", 0)
"""A backup, or a catalogue of an earlier version, which has no token."""


class CommitCount:
    """The counter of a catalogue that is open for writing.

    Parameters
    ----------
    connection : sqlite3.Connection
        The writer, outside a transaction, at the current schema.

    Raises
    ------
    OSError
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        token, self._commits = connection.execute("SELECT token, commits FROM commit_count").fetchone()
        if not token:
            token = os.urandom(8).hex()
            connection.execute("UPDATE commit_count SET token = ?", (token,))
            # Write the identity to the file itself at once, so that no other file is mistaken for it.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._token = str(token)
        self._highest = self._commits
        self._path = path
        self._in_file = _count_without_log(path)
        if self._in_file is not None and self._in_file.token != self._token:
            self._in_file = None  # of an earlier version or a backup: the token is still only in the log
        self._file = open_own(_beside(path), os.O_WRONLY | os.O_CREAT, 0o666)
        self.write()

    def add_one(self, connection: sqlite3.Connection) -> None:
        """Increment the count, inside a transaction that is about to be committed.

        Raises
        ------
        StrangeValueError
            If the count overflows.
        """
        try:
            (self._highest,) = connection.execute(
                "UPDATE commit_count SET commits = commits + 1 RETURNING commits"
            ).fetchone()
        except sqlite3.IntegrityError as error:  # on overflow, SQLite computes a real number
            raise strange_value("a count of commits") from error

    def committed(self) -> None:
        """Store the count outside after a commit."""
        self._commits = self._highest
        with suppress(OSError):  # on a full disk, the committed data is safe nevertheless
            self.write()

    def write(self) -> None:
        """Write the count to the outside file."""
        known = "" if self._in_file is None else f" {self._in_file.commits:020d}"
        line = f"{self._token} {self._commits:020d}{known}\n".encode()
        os.pwrite(self._file, line, 0)
        if os.fstat(self._file).st_size != len(line):
            os.ftruncate(self._file, len(line))

    def is_foreign(self) -> bool | None:
        """Return whether the catalogue's file differs from the one that this writer's checkpoints made.

        Returns
        -------
        bool or None
            None if this cannot be decided without the log: a checkpoint delayed by readers leaves some pages in their
            earlier state.
        """
        now = _count_without_log(self._path)
        if now is None or (self._in_file is None and now == _UNMARKED):
            return None
        before = -1 if self._in_file is None else self._in_file.commits
        if now.token == self._token and before <= now.commits <= self._highest:
            self._in_file = now
            return False
        return True

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def _count_without_log(path: Path) -> _Count | None:
    """Return the state of a catalogue's file without its log; None if it cannot be determined.

    Only SQLite may open the file, because closing it after a plain `open` would drop SQLite's locks on it.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            # After a partial checkpoint, the header may count pages that the file does not have yet. SQLite reads such
            # a file only with a writable schema.
            connection.execute("PRAGMA writable_schema = ON")
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application != migrations.APPLICATION_ID:
                return _NO_CATALOGUE
            if migrations.version(connection) < _SINCE_VERSION:
                return _UNMARKED
            token, commits = connection.execute("SELECT token, commits FROM commit_count").fetchone()
    except sqlite3.Error as error:
        return _NO_CATALOGUE if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB else None
    except TypeError:  # no row
        return None
    if not isinstance(commits, int):
        return None
    return _Count(str(token), commits) if token else _UNMARKED


def require_all_commits(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Raise `LibraryDamagedError` if the catalogue has lost commits; call it outside a transaction.

    Before schema version 2, commits were not counted.
    """
    if version < _SINCE_VERSION:
        return
    # Read the outside count first, because a writer may commit between both reads.
    try:
        outside = _LINE.fullmatch(_beside(path).read_bytes())
    except OSError:
        return
    token, commits = connection.execute("SELECT token, commits FROM commit_count").fetchone()
    if outside is None or outside[1].decode() != token:
        return  # a restored backup, or another library
    file = _count_without_log(path)
    if outside[3] and file is not None and (file.token != token or file.commits < int(outside[3])):
        raise LibraryDamagedError(
            "The catalogue of the library {0} was replaced by another one but its write-ahead log "
            "{1}-wal belongs to the old one. To use the new catalogue, move that file away; to return "
            "to the old one, restore a backup (focal restore).",
            path.parent,
            path.name,
        )
    lost = int(outside[2]) - commits
    if lost > 0:
        raise LibraryDamagedError(
            "The catalogue of the library {0} lacks the last {1} changes: its write-ahead log "
            "{2}-wal is missing or damaged. Put that file back; to continue without these changes, "
            "delete {3}.",
            path.parent,
            lost,
            path.name,
            _beside(path),
        )


def forget_token(connection: sqlite3.Connection) -> None:
    """Remove the identity of a copied catalogue, which may later lack commits of the original."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version >= _SINCE_VERSION:
        connection.execute("UPDATE commit_count SET token = ''")


def _beside(path: Path) -> Path:
    return path.with_suffix(".commits")
