# SPDX-License-Identifier: MIT
"""Thumbnail cache of limited size with least-recently-used eviction."""

from __future__ import annotations

import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from focal_photos.browser.catalog.store.translation import translated

T = TypeVar("T")

MAX_BYTES = 2 << 30
_SCHEMA_VERSION = 1
_SHRINK_TO = 0.9  # share of the limit, so that not every `put` must evict
_FLUSH_AFTER = 256  # number of uses after which they are written

_SCHEMA = (
    "CREATE TABLE thumbnail (photo_id INTEGER PRIMARY KEY, jpeg BLOB NOT NULL)",
    # In a separate table, so that recording a use does not rewrite the picture.
    "CREATE TABLE use (photo_id INTEGER PRIMARY KEY, at INTEGER NOT NULL, bytes INTEGER NOT NULL, "
    "crc INTEGER NOT NULL)",
    "CREATE INDEX use_at ON use(at, bytes)",
    f"PRAGMA user_version = {_SCHEMA_VERSION}",
)
_OBJECTS = {("table", "thumbnail"), ("table", "use"), ("index", "use_at")}


class Thumbnails:
    """The thumbnails of a library, JPEG by photo id, in a separate SQLite file.

    Thread-safe. A damaged file is replaced by an empty one. A thumbnail that cannot be stored (a full disk) is computed
    again when needed.

    Parameters
    ----------
    max_bytes : int
        Limit of the pictures' total size; the file is slightly larger.
    read_only : bool
        Return existing thumbnails and store nothing.
    """

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES, *, read_only: bool = False) -> None:
        self.path = path
        self.max_bytes = max_bytes
        self.read_only = read_only
        self._lock = threading.Lock()
        self._uses: dict[int, int] = {}  # recorded, not yet written
        self._bytes = 0
        self._closed = False
        self._connection: sqlite3.Connection | None = None
        self._open()

    def get(self, photo_id: int) -> bytes | None:
        """Return the thumbnail of a photo, or None."""
        number = int(photo_id)
        with self._lock:
            jpeg, _ = self._load(number)
            if jpeg is not None and not self.read_only:
                self._uses[number] = time.time_ns()
                if len(self._uses) >= _FLUSH_AFTER:
                    self._do(lambda db: self._write(db, {}))
            return jpeg

    def missing(self, ids: Iterable[int]) -> list[int]:
        """Return the ids without a thumbnail, in the given order."""
        wanted = [int(number) for number in ids]
        with self._lock:
            rows = self._do(lambda db: db.execute("SELECT photo_id FROM use").fetchall())
        present = {number for (number,) in rows or []}
        return [number for number in wanted if number not in present]

    def put(self, photo_id: int, jpeg: bytes) -> None:
        """Store a thumbnail."""
        self.put_many({photo_id: jpeg})

    def put_many(self, thumbnails: Mapping[int, bytes]) -> None:
        """Store thumbnails by photo id, in one transaction."""
        if thumbnails and not self.read_only:
            with self._lock:
                self._do(lambda db: self._write(db, thumbnails))

    def forget(self, ids: Iterable[int]) -> None:
        """Delete the thumbnails of photos.

        Raises
        ------
        LibraryFullError, LibraryError
            If the file cannot be written, because an outdated picture must not be shown.
        """
        wanted = [(int(number),) for number in ids]
        with self._lock:
            for (number,) in wanted:
                self._uses.pop(number, None)
            if not self.read_only and not self._closed:
                if self._connection is None:
                    with translated(self.path.parent):
                        self._open_file()
                # This must be on the disk before the caller commits the change of the photos.
                self._synchronise("FULL")
                self._do(lambda db: self._delete(db, wanted), strict=True)
                self._synchronise("NORMAL")

    def copy_to(self, path: Path) -> None:
        """Write a complete copy to a new file; write nothing if there are no thumbnails."""
        # A separate connection, because a backup from one inside a transaction never finishes.
        with (
            suppress(sqlite3.Error, UnicodeDecodeError),
            closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)) as own,
        ):
            own.execute("SELECT 1 FROM sqlite_master").fetchone()
            with closing(sqlite3.connect(path)) as copy:
                own.backup(copy)

    def check(self) -> list[int]:
        """Read every picture, delete the damaged ones and return the ids of their photos."""
        with self._lock:
            rows = self._do(lambda db: db.execute("SELECT photo_id FROM use ORDER BY photo_id").fetchall()) or []
            if rows and not self._do(_is_sound):
                self._start_empty()
                return [number for (number,) in rows]
        damaged = []
        for (number,) in rows:
            with self._lock:  # one picture at a time, so that other threads need not wait for all
                if self._load(number)[1]:
                    damaged.append(number)
        return damaged

    def size(self) -> int:
        """Return the total size of all pictures in bytes."""
        return self._bytes

    def close(self) -> None:
        """Write the last uses and close the file."""
        with self._lock:
            if self._uses:
                self._do(lambda db: self._write(db, {}))
            self._close_file()
            self._closed = True

    # ------------------------------------------------------------------ helpers
    def _do(self, work: Callable[[sqlite3.Connection], T], *, strict: bool = False) -> T | None:
        """Run `work` in one transaction; None if the file was damaged or could not be written."""
        if self._connection is None:
            return None
        try:
            self._connection.execute("BEGIN" if self.read_only else "BEGIN IMMEDIATE")
            result = work(self._connection)
            self._connection.execute("COMMIT")
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
                self._measure()
            if _is_damage(error):
                self._start_empty()
            elif strict:
                with translated(self.path.parent):
                    raise
            return None
        return result

    def _synchronise(self, mode: str) -> None:
        if self._connection is not None:
            self._connection.execute(f"PRAGMA synchronous = {mode}")

    def _load(self, number: int) -> tuple[bytes | None, bool]:
        """Return a picture, or None, and whether it was damaged; delete a damaged one."""
        sql = "SELECT jpeg, crc FROM thumbnail JOIN use USING (photo_id) WHERE photo_id = ?"
        row = self._do(lambda db: db.execute(sql, (number,)).fetchone())
        if row is None:
            return None, False
        if isinstance(row[0], bytes) and zlib.crc32(row[0]) == row[1]:
            return row[0], False
        if not self.read_only:
            self._do(lambda db: self._delete(db, [(number,)]))
        return None, True

    def _write(self, db: sqlite3.Connection, thumbnails: Mapping[int, bytes]) -> None:
        uses, self._uses = self._uses, {}
        db.executemany("UPDATE use SET at = ? WHERE photo_id = ?", [(at, number) for number, at in uses.items()])
        at, total = time.time_ns(), self._bytes
        for number, jpeg in thumbnails.items():
            old = db.execute("SELECT bytes FROM use WHERE photo_id = ?", (int(number),)).fetchone()
            total += len(jpeg) - (old[0] if old else 0)
            db.execute("INSERT OR REPLACE INTO thumbnail VALUES (?, ?)", (int(number), jpeg))
            place = (int(number), at, len(jpeg), zlib.crc32(jpeg))
            db.execute("INSERT OR REPLACE INTO use VALUES (?, ?, ?, ?)", place)
        if total > self.max_bytes:
            total = self._make_room(db, total)
        self._bytes = total

    def _make_room(self, db: sqlite3.Connection, total: int) -> int:
        gone = []
        for number, size in db.execute("SELECT photo_id, bytes FROM use ORDER BY at, photo_id"):
            if total <= self.max_bytes * _SHRINK_TO:
                break
            gone.append((number,))
            total -= size
        self._delete(db, gone)
        return total

    def _delete(self, db: sqlite3.Connection, ids: list[tuple[int]]) -> None:
        for number in ids:
            row = db.execute("DELETE FROM use WHERE photo_id = ? RETURNING bytes", number).fetchone()
            db.execute("DELETE FROM thumbnail WHERE photo_id = ?", number)
            self._bytes -= row[0] if row else 0

    def _open(self) -> None:
        try:
            self._open_file()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            self._close_file()
            if not self.read_only and _is_damage(error):
                self._start_empty()

    def _open_file(self) -> None:
        uri = self.path.absolute().as_uri()
        if self.read_only:
            if not self.path.exists():
                return
            try:
                self._connection = _open_connection(f"{uri}?mode=ro")
                self._measure()
            except sqlite3.OperationalError:  # read-only media have no shared memory
                self._close_file()
                self._connection = _open_connection(f"{uri}?immutable=1")
                self._measure()
            return
        if self.path.is_symlink():
            self.path.unlink()  # its target does not belong to this library
        self._connection = db = _open_connection(f"{uri}?mode=rwc")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version not in (0, _SCHEMA_VERSION):
            raise sqlite3.DatabaseError("a cache of another version")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")  # losing the last changes of a cache is acceptable
        db.execute("PRAGMA journal_size_limit = 67108864")
        if not version:
            db.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                db.execute(statement)
            db.execute("COMMIT")
        self._measure()

    def _start_empty(self) -> None:
        self._close_file()
        self._uses.clear()
        self._bytes = 0
        if self.read_only:
            return
        with suppress(OSError, sqlite3.Error):
            for end in ("", "-wal", "-shm"):
                Path(f"{self.path}{end}").unlink(missing_ok=True)
            self._open_file()

    def _measure(self) -> None:
        if self._connection is not None:
            found = self._connection.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
            if set(found) != _OBJECTS:  # a foreign trigger or view would be executed
                raise sqlite3.DatabaseError("a cache of another schema")
            (self._bytes,) = self._connection.execute("SELECT coalesce(sum(bytes), 0) FROM use").fetchone()

    def _close_file(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _open_connection(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=5)


def _is_sound(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")


def _is_damage(error: sqlite3.DatabaseError | UnicodeDecodeError) -> bool:
    """Return whether the file itself is damaged, as opposed to a full disk or a lock.

    The message quotes a damaged schema, which may not be valid text.
    """
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_ERROR)
    return primary is None or primary in damage
