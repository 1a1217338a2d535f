"""Temporary folders that do not stay for ever when the program is killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

_PREFIX: Final = "focal-"
_OWNER: Final = "owner"  # a file in each folder, locked as long as the program lives that made it


class Scratch:
    """A temporary folder that only this user can look into; a context manager that deletes it.

    Where the program ends without that, the next one deletes it, see `remove_abandoned`.

    Attributes
    ----------
    path : pathlib.Path

    Raises
    ------
    OSError
    """

    def __init__(self) -> None:
        import tempfile  # here: every command looks for abandoned folders, and few make one

        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._owner: int | None = None
        with suppress(ImportError):
            import fcntl  # not on Windows, where nothing abandoned is deleted

            unseen = self.path / f"{_OWNER}.new"  # it has its name when it is locked
            self._owner = os.open(unseen, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._owner, fcntl.LOCK_EX)
            unseen.rename(self.path / _OWNER)

    def cleanup(self) -> None:
        """Delete the folder; a second time does nothing."""
        import shutil

        shutil.rmtree(self.path, ignore_errors=True)
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()


def remove_abandoned(folder: Path | None = None) -> list[Path]:
    """Delete temporary folders of this user whose program is dead.

    Only those that have the file of an owner which nobody holds locked: what else begins with the same letters, and
    what a program of this computer still uses, stays.

    Parameters
    ----------
    folder : pathlib.Path, optional
        Where temporary files lie, if not where the system says.

    Returns
    -------
    list of pathlib.Path
        What was deleted.
    """
    gone: list[Path] = []
    with suppress(OSError, ImportError):
        import fcntl

        with os.scandir(_temporary() if folder is None else folder) as entries:
            for entry in entries:
                if entry.name.startswith(_PREFIX) and _is_abandoned(entry, fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    import shutil

                    shutil.rmtree(entry.path, ignore_errors=True)
                    gone.append(Path(entry.path))
    return gone


def _temporary() -> str:
    """Return where temporary files lie, as `tempfile` says; unless it is loaded, its first choice, writable or not."""
    loaded = sys.modules.get("tempfile")
    if loaded is not None:
        return str(loaded.gettempdir())
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
