# SPDX-License-Identifier: MIT
"""Files under fixed names in a library, where someone may have put a link or a pipe."""

from __future__ import annotations

import os
from pathlib import Path

_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_MOST_BYTES = 1 << 16


def write_own_text(path: Path, text: str) -> None:
    """Write a small file, replacing a link or pipe of that name; the target of a link is not changed.

    Raises
    ------
    OSError
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.unlink()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NO_LINK, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)


def read_own_text(path: Path) -> str:
    """Return the beginning of a small file.

    Raises
    ------
    OSError
        If it cannot be read, or is a link.
    ValueError
        If it is not text.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | _NO_LINK), "rb") as stream:
        return stream.read(_MOST_BYTES).decode()


def open_own(path: Path, flags: int, mode: int = 0o600) -> int:
    """Open a file like `os.open`, but do not follow links.

    Raises
    ------
    OSError
    """
    return os.open(path, flags | _NO_LINK, mode)
