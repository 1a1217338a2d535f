# SPDX-License-Identifier: MIT
"""Translates errors of SQLite and the operating system to errors of a library."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from focal_photos.browser.catalog.store.backups import newest
from focal_photos.browser.catalog.store.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryInUseError,
    disk_full,
    not_writable,
)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_DENIED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_NO_TEXT = "Could not decode to UTF-8", "user-defined function raised exception"
"""Messages for text that is not UTF-8: in a column, and in an argument of one of Focal's functions."""
_LITTLE_SPACE = 1 << 20  # bytes of free space below which a failed write is attributed to a full disk


def damaged(folder: Path, detail: str) -> LibraryDamagedError:
    """Return the error for a damaged catalogue; it names the newest backup and the remedies."""
    backup, words = newest(folder), " ".join(detail.replace("***", "").split())
    if backup is None:
        return LibraryDamagedError(
            "The catalogue of the library {0} is damaged ({1}). To extract the intact data, run focal rescue. There is "
            "no backup: to start an empty library, move the folder {0} away.",
            folder,
            words,
        )
    return LibraryDamagedError(
        "The catalogue of the library {0} is damaged ({1}). To extract the intact data, run focal rescue, to go back "
        "to its newest backup, {2}, run focal restore; the window offers both.",
        folder,
        words,
        backup.name,
    )


def translate(error: sqlite3.Error | OSError, folder: Path) -> Exception:
    """Return the library error for `error`; `error` itself if it is a bug of the program."""
    if isinstance(error, OSError):
        if error.errno in _FULL:
            return disk_full(folder)
        if error.errno in _DENIED:
            return not_writable(folder)
        return LibraryError("The library {0} cannot be read or written ({1}).", folder, error.strerror or error)
    if str(error).startswith(_NO_TEXT):
        return damaged(folder, str(error))
    code = getattr(error, "sqlite_errorcode", None)  # absent if the sqlite3 module itself raised it
    primary = code & 0xFF if code is not None else None
    if primary == sqlite3.SQLITE_FULL:
        return disk_full(folder)
    if primary == sqlite3.SQLITE_READONLY:
        return not_writable(folder)
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(folder, str(error))
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL):
        return LibraryInUseError(
            "Another program has locked the catalogue of the library {0}: close that program and try again.", folder
        )
    if primary in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
        if _no_room(folder):
            return disk_full(folder)
        if not os.access(folder, os.W_OK):
            return not_writable(folder)
        return LibraryError("The catalogue of the library {0} cannot be read or written ({1}).", folder, error)
    return error


@contextmanager
def translated(folder: Path) -> Iterator[None]:
    """Re-raise errors of SQLite and the operating system as errors of the library in `folder`."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        meaning = translate(error, folder)
        if meaning is error:
            raise
        raise meaning from error


def _no_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _LITTLE_SPACE
    except OSError:
        return False
