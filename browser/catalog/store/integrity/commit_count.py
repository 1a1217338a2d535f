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

from focal_photos.browser.catalog.store.errors import LibraryDamagedError
from focal_photos.browser.catalog.store.files.own_file import open_own

# Token, count, and the count in the file without its log, where that is known.
_LINE = re.compile(rb"([0-9a-f]{16}) (\d{20})(?: (\d{20}))?\n")
_SINCE_VERSION = 2


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
        self._path = path
        self._in_file = in_file(path)
        if self._in_file is not None and self._in_file[0] != self._token:
            self._in_file = None  # of an earlier version, which left the token in the log
        self._file = open_own(_beside(path), os.O_WRONLY | os.O_CREAT, 0o666)
        self.write()

    def add_one(self, connection: sqlite3.Connection) -> None:
        """Count one more, inside a transaction that is about to be committed."""
        connection.execute("UPDATE commit_count SET commits = ?", (self._commits + 1,))

    def committed(self) -> None:
        """Note outside that the transaction was committed."""
        self._commits += 1
        with suppress(OSError):  # a full disk: what is committed is safe all the same
            self.write()

    def write(self) -> None:
        """Write the count outside."""
        known = "" if self._in_file is None else f" {self._in_file[1]:020d}"
        line = f"{self._token} {self._commits:020d}{known}\n".encode()
        os.pwrite(self._file, line, 0)
        if os.fstat(self._file).st_size != len(line):
            os.ftruncate(self._file, len(line))

    def is_own(self) -> bool:
        """Tell whether the catalogue's file, without its log, is what this writer's checkpoints made of it."""
        before, now = self._in_file, in_file(self._path)
        own = (
            before is None
            if now is None
            else now[0] == self._token and (-1 if before is None else before[1]) <= now[1] <= self._commits
        )
        if own:
            self._in_file = now
        return own

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def in_file(path: Path) -> tuple[str, int] | None:
    """Return the token and the count that the file of a catalogue holds without its log; None if it holds none.

    Never opened in any other way than by SQLite: closing it would drop the locks that SQLite holds on it.
    """
    try:
        return _alone(path)
    except sqlite3.Error:  # damaged
        return None


def _alone(path: Path) -> tuple[str, int] | None:
    """Do what `in_file` says; raises `sqlite3.DatabaseError` where the file without its log is no sound database."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
        try:
            token, commits = connection.execute("SELECT token, commits FROM commit_count").fetchone()
            return str(token), int(commits)
        except (sqlite3.OperationalError, TypeError, ValueError):  # of a schema without a count
            return None


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
    try:
        file = _alone(path) or ("", -1)
    except sqlite3.DatabaseError:
        file = None  # a checkpoint was interrupted: only with the log, which is read first, its pages fit together
    if outside[3] and file is not None and (file[0] != token or file[1] < int(outside[3])):
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
