"""Functions of our own in SQL: text without regard to case in any script, and paths, which need not be UTF-8."""

from __future__ import annotations

import os
import sqlite3
import unicodedata


def add_to(connection: sqlite3.Connection) -> None:
    """Make ``fold(text)``, ``last_name(path)`` and ``path_contains(folder, path, needle)`` known to a connection."""
    connection.create_function("fold", 1, fold, deterministic=True)
    connection.create_function("last_name", 1, last_name, deterministic=True)
    connection.create_function("path_contains", 3, path_contains, deterministic=True)


def fold(text: str) -> str:
    """Return `text` as it is compared without regard to case, in any script."""
    return unicodedata.normalize("NFC", text).casefold()


def last_name(path: bytes) -> str:
    """Return the folded last part of a path, with � for what is not UTF-8."""
    return fold(path.rpartition(b"/")[2].decode(errors="replace"))


def path_contains(folder: bytes, path: bytes, needle: bytes) -> bool:
    """Tell whether a path contains the folded `needle`; all three are as `os.fsencode` gives them."""
    return os.fsdecode(needle) in fold(os.fsdecode(folder + b"/" + path))
