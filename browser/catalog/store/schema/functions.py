"""Functions of our own in SQL: text without regard to case in any script, and digests of rows."""

from __future__ import annotations

import sqlite3
import struct
import unicodedata
import zlib

from focal_photos.browser.catalog.store.schema import plain_words


def add_to(connection: sqlite3.Connection) -> None:
    """Make ``fold(text)``, ``row_digest(...)`` and the functions of migrations known."""
    connection.create_function("fold", 1, fold, deterministic=True)
    connection.create_function("row_digest", -1, row_digest, deterministic=True)
    plain_words.add_to(connection)


def fold(text: str) -> str:
    """Return `text` as it is compared without regard to case, in any script."""
    return unicodedata.normalize("NFC", text).casefold()


def last_name(path: bytes) -> str:
    """Return the folded last part of a path, with � for what is not UTF-8."""
    return fold(path.rpartition(b"/")[2].decode(errors="replace"))


def row_digest(*values: int | float | bytes | None) -> int:
    """Return the CRC32 of a row's columns; text is given as its bytes. The catalogue keeps it: it may never change."""
    parts = []
    for value in values:
        if value is None:
            parts.append(b"n")
        elif isinstance(value, bytes):
            parts.append(b"b%d:%b" % (len(value), value))
        elif isinstance(value, float):
            parts.append(b"f" + struct.pack("<d", value))
        else:
            parts.append(b"i%d;" % value)
    return zlib.crc32(b"".join(parts))
