"""One writer a library: a lock that the system releases when the program ends, however it ends."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from focal_photos.browser.catalog.store.errors import LibraryInUseError
from focal_photos.browser.catalog.store.files.file_lock import FileLock
from focal_photos.browser.catalog.store.files.own_file import read_own_text, write_own_text
from focal_photos.browser.catalog.store.integrity.file_identity import FileIdentities
from focal_photos.browser.catalog.store.queue import Queue
from focal_photos.browser.catalog.store.timestamps import from_text, now, to_text
from focal_photos.browser.catalog.store.translation import translated

_STEP: Final = 1.0
"""Seconds after which a waiting program looks up from its waiting."""


def _no_more(_holder: str) -> None:
    pass


class Patience(NamedTuple):
    """How a program waits for a library that another one holds: those who came before it go first.

    Attributes
    ----------
    seconds : float
        How long. With 0 it does not stand in the queue.
    waits : callable
        Called each second while it waits, with who holds the library.
    first : callable
        Called while it is first in the queue and another program holds the library: at once, then each second. What
        it raises ends the waiting.
    """

    seconds: float
    waits: Callable[[str], None] = _no_more
    first: Callable[[str], None] = _no_more


class LibraryLock:
    """The lock of the library in a folder, held from the moment when this is made.

    Parameters
    ----------
    folder : pathlib.Path
    patience : Patience, optional
        How to wait while another program holds it; without one this is not waited for, and who waits is passed by.

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

    def __init__(self, folder: Path, patience: Patience | None = None) -> None:
        self.path = folder / "lock"
        self._owner = folder / "lock.json"
        self._lock = FileLock(self.path)
        with translated(folder):
            if not (self._lock.acquire() if patience is None else self._wait(patience)):
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

    def _wait(self, patience: Patience) -> bool:
        """Take the lock in turn, and return whether it could be had in time."""
        end, queue = time.monotonic() + patience.seconds, Queue(self.path.parent)

        def step() -> float:
            return max(0.0, min(_STEP, end - time.monotonic()))

        try:
            if patience.seconds > 0:
                if queue.is_empty() and self._lock.acquire():
                    return True
                queue.join()
                while not queue.wait(step()):
                    if not step():
                        return False
                    patience.waits(self._holder())
            elif self._lock.acquire():
                return True
            while not self._lock.acquire():
                patience.first(self._holder())
                if self._lock.acquire(step()):
                    break
                if not step():
                    return False
                patience.waits(self._holder())
            return True
        finally:
            queue.leave()
            if not self._lock.is_held:
                self._lock.release()

    def _tell(self) -> None:
        owner = {
            "pid": os.getpid(),
            "host": _host(),
            "program": _program(),
            "since": to_text(now()),
        }
        write_own_text(self._owner, json.dumps(owner))

    def _holder(self) -> str:
        try:
            owner = json.loads(read_own_text(self._owner))
            since = f"{from_text(owner['since']).astimezone():%Y-%m-%d %H:%M:%S}"
            return f"{owner['program'] or 'a program'}, since {since}, process {int(owner['pid'])} on {owner['host']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another program"


def _program() -> str:
    """Return the name of this program; ``python -m focal_photos.browser`` is focal."""
    path = Path(sys.argv[0]) if sys.argv else Path()
    return "focal" if path.name == "__main__.py" and path.parent.name == "browser" else path.name


def _host() -> str:
    """Return the name of this computer."""
    if hasattr(os, "uname"):
        return os.uname().nodename
    import platform  # here: elsewhere it would be loaded, with many patterns, for that name alone

    return platform.node()
