# SPDX-License-Identifier: MIT
"""Focal's SQL functions: case folding in any script, and digests of rows."""

from __future__ import annotations

import sqlite3
import struct
import unicodedata
import zlib

from focal_photos.browser.catalog.store.schema import plain_words


def add_to(connection: sqlite3.Connection) -> None:
    """Register ``fold(text)``, ``row_digest(...)`` and the functions of migrations."""
    connection.create_function("fold", 1, fold, deterministic=True)
    connection.create_function("row_digest", -1, row_digest, deterministic=True)
    plain_words.add_to(connection)


def fold(text: str) -> str:
    """Case-fold `text`, in any script."""
    return unicodedata.normalize("NFC", text).casefold()


def last_name(path: bytes) -> str:
    """Return the case-folded last part of a path, with � for bytes that are not UTF-8."""
    return fold(path.rpartition(b"/")[2].decode(errors="replace"))


def row_digest(*values: int | float | bytes | None) -> int:
    """Return the CRC32 of a row's columns, with text as bytes. It is stored, so it must never change."""
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
