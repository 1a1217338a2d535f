"""How often a catalogue was committed to, kept outside it too: so the loss of its write-ahead log is noticed.

The file ``catalog.commits`` beside the catalogue is written after each commit and not waited for. It may therefore lag
behind what is on the disk, but never be ahead of it, unless commits were lost.

The same count tells whether the catalogue's file itself, without its log, is still the one that its writer left: the
writer knows the count that it holds, which only a checkpoint raises.
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

# Token, count, and the count in the file without its log, where that is known.
_LINE = re.compile(rb"([0-9a-f]{16}) (\d{20})(?: (\d{20}))?\n")
_SINCE_VERSION = 2


class _Count(NamedTuple):
    """What the file of a catalogue holds: which catalogue it is, and how many commits are in it."""

    token: str
    commits: int


_NO_CATALOGUE = _Count("", -1)
"""Of a file that is something else."""
_UNMARKED = _Count("", 0)
"""Of a backup, or of a catalogue of an earlier version: they have no token."""


class CommitCount:
    """The count of a catalogue that is open for writing.

    Parameters
    ----------
    connection : sqlite3.Connection
        Of the writer, outside a transaction, at the present schema.
    path : pathlib.Path
        The catalogue.

    Raises
    ------
    OSError
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        token, self._commits = connection.execute("SELECT token, commits FROM commit_count").fetchone()
        if not token:
            token = os.urandom(8).hex()
            connection.execute("UPDATE commit_count SET token = ?", (token,))
            # From now on the file itself says which catalogue it is, so that no other is taken for it.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._token = str(token)
        self._highest = self._commits
        self._path = path
        self._in_file = _count_without_log(path)
        if self._in_file is not None and self._in_file.token != self._token:
            self._in_file = None  # of an earlier version, or of a backup: the token is still in the log
        self._file = open_own(_beside(path), os.O_WRONLY | os.O_CREAT, 0o666)
        self.write()

    def add_one(self, connection: sqlite3.Connection) -> None:
        """Count one more, inside a transaction that is about to be committed.

        Raises
        ------
        StrangeValueError
            There is no larger count.
        """
        try:
            (self._highest,) = connection.execute(
                "UPDATE commit_count SET commits = commits + 1 RETURNING commits"
            ).fetchone()
        except sqlite3.IntegrityError as error:  # of an overflow SQLite makes a real number
            raise strange_value("a count of commits") from error

    def committed(self) -> None:
        """Note outside that the transaction was committed."""
        self._commits = self._highest
        with suppress(OSError):  # a full disk: what is committed is safe all the same
            self.write()

    def write(self) -> None:
        """Write the count outside."""
        known = "" if self._in_file is None else f" {self._in_file.commits:020d}"
        line = f"{self._token} {self._commits:020d}{known}\n".encode()
        os.pwrite(self._file, line, 0)
        if os.fstat(self._file).st_size != len(line):
            os.ftruncate(self._file, len(line))

    def is_foreign(self) -> bool | None:
        """Tell whether the catalogue's file is another one than this writer's checkpoints made.

        Returns
        -------
        bool or None
            None if the file cannot be judged without its log: a checkpoint that readers held up leaves some pages as
            they were before.
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
    """Return what the file of a catalogue holds without its log; None if that cannot be told.

    The file is opened by SQLite alone: closing it after a plain `open` would drop the locks that SQLite holds on it.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            # After a partial checkpoint the header may count pages that the file does not have yet. SQLite reads such
            # a file only where the schema is writable.
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
    """Refuse a catalogue from which commits were lost.

    Parameters
    ----------
    connection : sqlite3.Connection
        Of the catalogue, outside a transaction.
    path : pathlib.Path
        The catalogue.
    version : int
        Of its schema; before version 2 nothing was counted.

    Raises
    ------
    LibraryDamagedError
    """
    if version < _SINCE_VERSION:
        return
    # Outside first: a writer may commit between the two looks.
    try:
        outside = _LINE.fullmatch(_beside(path).read_bytes())
    except OSError:
        return
    token, commits = connection.execute("SELECT token, commits FROM commit_count").fetchone()
    if outside is None or outside[1].decode() != token:
        return  # a backup that was put in its place, or another library
    file = _count_without_log(path)
    if outside[3] and file is not None and (file.token != token or file.commits < int(outside[3])):
        raise LibraryDamagedError(
            f"The catalogue of the library {path.parent} was replaced by another one while its write-ahead log "
            f"{path.name}-wal stayed: together they make no sense. To go on with the new one as it is, move that file "
            "away; to go back to what was there, restore a backup (focal restore)."
        )
    lost = int(outside[2]) - commits
    if lost > 0:
        raise LibraryDamagedError(
            f"The catalogue of the library {path.parent} lacks the last {lost} changes: its write-ahead log "
            f"{path.name}-wal is missing or damaged. Put that file back where it was; to go on without these changes, "
            f"delete {_beside(path)}."
        )


def forget_token(connection: sqlite3.Connection) -> None:
    """Make a copy of a catalogue one of its own, which may lack what the original has."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version >= _SINCE_VERSION:
        connection.execute("UPDATE commit_count SET token = ''")


def _beside(path: Path) -> Path:
    return path.with_suffix(".commits")
