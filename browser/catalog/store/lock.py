# SPDX-License-Identifier: MIT
"""Lock of a library for its only writer, released by the system even if the program is killed."""

from __future__ import annotations

import json
import os
import platform
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
from focal_photos.browser.catalog.text import Text

_STEP: Final = 1.0
"""Longest time in seconds between two progress calls of a waiting program."""


def _no_more(_holder: str) -> None:
    pass


class Patience(NamedTuple):
    """How a program waits for a library that another one holds; earlier waiters go first."""

    seconds: float
    """Time limit; with 0, the program does not join the queue."""
    waits: Callable[[str], None] = _no_more
    """Called every second while waiting, with a description of the holder."""
    first: Callable[[str], None] = _no_more
    """Called while first in the queue, at once and then every second, with a description of the holder. An exception
    from it ends the wait."""


class LibraryLock:
    """The lock of the library in a folder, acquired on creation.

    Parameters
    ----------
    patience : Patience, optional
        How to wait while another program holds the lock; None: do not wait, and ignore the queue.

    Raises
    ------
    LibraryInUseError
        If another program holds it.
    LibraryFullError, LibraryReadOnlyError
    """

    def __init__(self, folder: Path, patience: Patience | None = None) -> None:
        self.path = folder / "lock"
        """The lock file; ``lock.json`` beside it describes the holder."""
        self._owner = folder / "lock.json"
        self._lock = FileLock(self.path)
        with translated(folder):
            if not (self._lock.acquire() if patience is None else self._wait(patience)):
                raise LibraryInUseError(
                    "The library {0} is in use by {1}: close that program and try again.", folder, self._holder()
                )
            self._file = FileIdentities([self.path])
            try:
                self._write_owner()
            except BaseException:
                self._lock.release()
                raise

    def release(self) -> None:
        """Release the lock; safe to call repeatedly."""
        if self._lock.is_held and self._file.changed() is None:  # else ``lock.json`` describes another program
            with suppress(OSError):
                self._owner.unlink(missing_ok=True)
        self._lock.release()

    def _wait(self, patience: Patience) -> bool:
        """Queue for the lock, and return whether it was acquired in time."""
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

    def _write_owner(self) -> None:
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
            process = int(owner["pid"])
            holder = Text(
                "{0}, since {1}, process {2} on {3}",
                owner["program"] or Text("a program"),
                since,
                process,
                owner["host"],
            )
            if owner["host"] == _host() and _is_suspended(process):
                return Text("{0} (suspended; kill -CONT {1} continues it)", holder, process)
            return holder
        except (OSError, ValueError, KeyError, TypeError):
            return Text("another program")


def _is_suspended(process: int) -> bool:
    """Return whether a process of this computer is suspended, as by Ctrl+Z in a terminal; False where unknown."""
    try:
        state = Path(f"/proc/{process}/stat").read_bytes().rpartition(b") ")[2][:1]
    except OSError:
        return False
    return state == b"T"


def _program() -> str:
    """Return the name of this program; ``focal`` for ``python -m focal_photos.browser``."""
    path = Path(sys.argv[0]) if sys.argv else Path()
    return "focal" if path.name == "__main__.py" and path.parent.name == "browser" else path.name


def _host() -> str:
    """Return the name of this computer."""
    if hasattr(os, "uname"):
        return os.uname().nodename

    return platform.node()
