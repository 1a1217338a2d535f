# SPDX-License-Identifier: MIT
"""First-come, first-served queue of programs that wait for the lock of a library.

Each waiting program holds a numbered file, its ticket, in the library's folder ``queue``. It waits until the locks of
all lower tickets are free. The system frees the lock of a killed program, and wakes waiting programs; nothing is
polled.

The system's own order is not used: Linux serves waiters of one lock in order only as long as none is killed.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from focal_photos.browser.catalog.store.files.file_lock import FileLock


class Queue:
    """A place in the queue of a library."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "queue"
        self._number = 0
        self._ticket: FileLock | None = None
        self._before: tuple[int, FileLock] | None = None

    def is_empty(self) -> bool:
        """Return whether there is no ticket; tickets of killed programs count."""
        return not self._numbers()

    def join(self) -> None:
        """Take the last place. On systems without locks there is no queue, and everyone is first.

        Raises
        ------
        OSError
        """
        self._folder.mkdir(exist_ok=True)
        self._number = max(self._numbers(), default=0) + 1
        while not (ticket := FileLock(self._path(self._number))).acquire():
            self._number += 1  # another program came at the same time
        self._ticket = ticket
        if not ticket.is_released_by_system:
            self.leave()

    def wait(self, seconds: float) -> bool:
        """Wait to be first, and return whether this program is.

        Raises
        ------
        OSError
        """
        end = time.monotonic() + seconds
        while self._ticket is not None:
            if self._before is None:
                lower = [number for number in self._numbers() if number < self._number]
                if not lower:
                    break
                self._before = max(lower), FileLock(self._path(max(lower)))
            number, ticket = self._before
            if not ticket.acquire(end - time.monotonic()):
                return False
            self._path(number).unlink(missing_ok=True)  # its owner is done or dead
            ticket.release()
            self._before = None
        return True

    def leave(self) -> None:
        """Leave the queue; safe to call repeatedly."""
        if self._before is not None:
            self._before[1].release()
            self._before = None
        if self._ticket is not None:
            with suppress(OSError):
                self._path(self._number).unlink(missing_ok=True)
            self._ticket.release()
            self._ticket = None

    def _path(self, number: int) -> Path:
        return self._folder / str(number)

    def _numbers(self) -> list[int]:
        try:
            return [int(path.name) for path in self._folder.iterdir() if path.name.isdecimal()]
        except (FileNotFoundError, NotADirectoryError):
            return []
