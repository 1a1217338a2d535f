# SPDX-License-Identifier: MIT
"""Temporary folders that are eventually deleted even if the program is killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from focal_photos.browser.lazy_imports import is_executed

_PREFIX: Final = "focal-"
_OWNER: Final = "owner"  # file in each folder, locked while its program is alive


class Scratch:
    """A private temporary folder; a context manager that deletes it.

    If the program is killed, the next one deletes the folder, see `remove_abandoned`.

    Raises
    ------
    OSError
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._owner: int | None = None
        with suppress(ImportError):
            import fcntl  # not on Windows, where abandoned folders are not deleted

            unseen = self.path / f"{_OWNER}.new"  # renamed once it is locked
            self._owner = os.open(unseen, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._owner, fcntl.LOCK_EX)
            unseen.rename(self.path / _OWNER)

    def cleanup(self) -> None:
        """Delete the folder; safe to call repeatedly."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()


def remove_abandoned(folder: Path | None = None) -> list[Path]:
    """Delete this user's temporary folders of dead programs.

    Only folders with an unlocked owner file are deleted, not others with the same prefix or folders still in use on
    this computer.

    Parameters
    ----------
    folder : pathlib.Path, optional
        Parent folder; default: the system's folder for temporary files.

    Returns
    -------
    list of pathlib.Path
        The deleted folders.
    """
    gone: list[Path] = []
    with suppress(OSError, ImportError):
        import fcntl

        with os.scandir(_temporary() if folder is None else folder) as entries:
            for entry in entries:
                if entry.name.startswith(_PREFIX) and _is_abandoned(entry, fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    shutil.rmtree(entry.path, ignore_errors=True)
                    gone.append(Path(entry.path))
    return gone


def _temporary() -> str:
    """Return `tempfile.gettempdir`; if `tempfile` is not executed, its first choice, writable or not."""
    if is_executed(tempfile):
        return tempfile.gettempdir()
    named = (os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    return next((folder for folder in named if folder), "/tmp")


def _is_abandoned(entry: os.DirEntry[str], lock: Callable[[int, int], object], how: int) -> bool:
    try:
        if not entry.is_dir(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_uid != os.getuid():
            return False
        flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(Path(entry.path) / _OWNER, flags)
    except OSError:
        return False
    try:
        lock(descriptor, how)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
