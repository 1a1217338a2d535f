"""Functions of our own in SQL: text without regard to case in any script, paths that need not be UTF-8, digests."""

from __future__ import annotations

import os
import sqlite3
import struct
import unicodedata
import zlib


def add_to(connection: sqlite3.Connection) -> None:
    """Make ``fold(text)``, ``last_name(path)``, ``path_contains(folder, path, needle)``, ``row_digest(...)`` known."""
    connection.create_function("fold", 1, fold, deterministic=True)
    connection.create_function("last_name", 1, last_name, deterministic=True)
    connection.create_function("path_contains", 3, path_contains, deterministic=True)
    connection.create_function("row_digest", -1, row_digest, deterministic=True)


def fold(text: str) -> str:
    """Return `text` as it is compared without regard to case, in any script."""
    return unicodedata.normalize("NFC", text).casefold()


def last_name(path: bytes) -> str:
    """Return the folded last part of a path, with � for what is not UTF-8."""
    return fold(path.rpartition(b"/")[2].decode(errors="replace"))


def path_contains(folder: bytes, path: bytes, needle: bytes) -> bool:
    """Tell whether a path contains the folded `needle`; all three are as `os.fsencode` gives them."""
    return os.fsdecode(needle) in fold(os.fsdecode(folder + b"/" + path))


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
