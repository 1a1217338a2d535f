"""One writer a library: a lock that the system releases when the program ends, however it ends."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from focal_photos.browser.catalog.store.errors import LibraryInUseError
from focal_photos.browser.catalog.store.files.file_lock import FileLock
from focal_photos.browser.catalog.store.files.own_file import read_own_text, write_own_text
from focal_photos.browser.catalog.store.integrity.file_identity import FileIdentities
from focal_photos.browser.catalog.store.timestamps import now, to_text
from focal_photos.browser.catalog.store.translation import translated


class LibraryLock:
    """The lock of the library in a folder, held from the moment when this is made.

    Attributes
    ----------
    path : pathlib.Path
        The locked file; ``lock.json`` beside it tells who holds it.

    Raises
    ------
    LibraryInUseError
        If another program holds it.
    LibraryFullError, LibraryReadOnlyError
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "lock"
        self._owner = folder / "lock.json"
        self._lock = FileLock(self.path)
        with translated(folder):
            if not self._lock.acquire():
                raise LibraryInUseError(
                    f"The library {folder} is in use by {self._holder()}: close that program and try again."
                )
            self._file = FileIdentities([self.path])
            try:
                self._tell()
            except BaseException:
                self._lock.release()
                raise

    def release(self) -> None:
        """Let other programs in; a second time does nothing."""
        if self._lock.is_held and self._file.changed() is None:  # else the file beside it speaks of another program
            with suppress(OSError):
                self._owner.unlink(missing_ok=True)
        self._lock.release()

    def _tell(self) -> None:
        owner = {
            "pid": os.getpid(),
            "host": _host(),
            "program": Path(sys.argv[0]).name if sys.argv else "",
            "since": to_text(now()),
        }
        write_own_text(self._owner, json.dumps(owner))

    def _holder(self) -> str:
        try:
            owner = json.loads(read_own_text(self._owner))
            return f"process {int(owner['pid'])} on {owner['host']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another program"


def _host() -> str:
    """Return the name of this computer."""
    if hasattr(os, "uname"):
        return os.uname().nodename
    import platform  # here: elsewhere it would be loaded, with many patterns, for that name alone

    return platform.node()
