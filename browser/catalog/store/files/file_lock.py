# SPDX-License-Identifier: MIT
"""File lock that the operating system releases when the process ends, even if it is killed.

filelock provides this on all platforms, but also loads its locks for asyncio and for multiple readers, which takes
longer than opening a library. So on Linux and macOS this module calls ``flock`` as filelock does (each respects the
other's locks), and uses filelock only where there is no such call: on Windows, and on drives without locks.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from focal_photos.browser.catalog.store.files.own_file import open_own

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from filelock import BaseFileLock

_LOCKED_ERRORS: Final = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES})
_MODE: Final = 0o644
_LOOK: Final = 0.2
"""Seconds between two attempts, where the system cannot wait for a lock."""


class FileLock:
    """An exclusive lock; releasing it does not delete the file.

    Parameters
    ----------
    path : pathlib.Path
        File in an existing folder. Links are rejected.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._other: BaseFileLock | None = None
        self._waiting: _Waiting | None = None
        self._waits_by_looking = False

    @property
    def is_held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None or self._other is not None

    @property
    def is_released_by_system(self) -> bool:
        """Whether the system releases the held lock when the process ends; False on drives without locks."""
        return self._descriptor is not None

    def acquire(self, seconds: float = 0.0) -> bool:
        """Acquire the lock, unless another holder exists in this process or another.

        Parameters
        ----------
        seconds : float
            Time to wait for it. The system wakes the waiting thread; on drives without locks, the file is polled. A
            second call continues the wait of the first.

        Returns
        -------
        bool
            Whether the lock is held now.

        Raises
        ------
        OSError
        """
        end = time.monotonic() + seconds
        while self._waiting is not None or not self._take():
            if self._waits_by_looking:
                if time.monotonic() >= end:
                    return False
                time.sleep(max(0.0, min(_LOOK, end - time.monotonic())))
                continue
            if self._waiting is None:
                if seconds <= 0:
                    return False
                self._waiting = _Waiting(self._open()[0])
            descriptor = self._waiting.result(end - time.monotonic())
            if descriptor is None:
                return False
            self._waiting = None
            if os.fstat(descriptor).st_nlink:
                self._descriptor = descriptor
                return True
            os.close(descriptor)  # the file was deleted meanwhile, so this is not the lock
        return True

    def _take(self) -> bool:
        """Acquire the lock if it is free, and return whether it is held."""
        if fcntl is None:
            self._waits_by_looking = True
            return self.is_held or self._acquire_other()
        while not self.is_held:
            descriptor, is_new = self._open()
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(descriptor).st_nlink:  # else it was deleted meanwhile, and others will lock another file
                    self._descriptor, descriptor = descriptor, -1
            except OSError as error:
                if error.errno in _LOCKED_ERRORS:
                    return False
                if error.errno != errno.ENOSYS:
                    raise
                self._waits_by_looking = True
                if is_new:  # without locks, the existence of the file means that it is locked
                    self._path.unlink(missing_ok=True)
                return self._acquire_other()
            finally:
                if descriptor >= 0:
                    os.close(descriptor)
        return True

    def release(self) -> None:
        """Release the lock, or stop waiting for it; safe to call repeatedly."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.leave()
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_UN)  # a forked process may still have the file open
            finally:
                os.close(descriptor)
        other, self._other = self._other, None
        if other is not None:
            other.release()

    def __del__(self) -> None:
        with suppress(OSError):
            self.release()

    def _open(self) -> tuple[int, bool]:
        """Return a descriptor of the file, and whether the file was created."""
        try:
            return open_own(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE), True
        except FileExistsError:
            pass
        try:
            # Without O_CREAT: in a shared folder (/tmp), the system may refuse to open another user's file with it.
            return open_own(self._path, os.O_RDWR), False
        except FileNotFoundError:  # deleted meanwhile
            return open_own(self._path, os.O_RDWR | os.O_CREAT, _MODE), True

    def _acquire_other(self) -> bool:
        from filelock import FileLock as OtherLock
        from filelock import Timeout

        lock = OtherLock(self._path, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        self._other = lock
        return True


class _Waiting:
    """Waits for a lock in a separate thread, because the system call has no time limit.

    An abandoned thread stays blocked until the lock is free, and then releases it at once.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._guard = threading.Lock()
        self._is_left = False
        self._done = threading.Event()
        self._error: OSError | None = None
        threading.Thread(target=self._run, name="focal-lock", daemon=True).start()

    def result(self, seconds: float) -> int | None:
        """Return the descriptor of the locked file, or None if it is still locked after some seconds."""
        if not self._done.wait(max(0.0, seconds)):
            return None
        if self._error is not None:
            os.close(self._descriptor)
            raise self._error
        return self._descriptor

    def leave(self) -> None:
        """Stop waiting for the lock."""
        with self._guard:
            self._is_left = True
            if self._done.is_set():
                os.close(self._descriptor)

    def _run(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        except OSError as error:
            self._error = error
        with self._guard:
            if self._is_left:
                os.close(self._descriptor)
            self._done.set()
