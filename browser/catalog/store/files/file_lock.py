"""A lock on a file that the system takes away when the program ends, however it ends.

filelock does that everywhere, but loads its locks for asyncio and for many readers with it, which takes longer than to
open a library. So the lock of Linux and macOS is asked for here, in the way in which filelock does it and with the same
call (either sees what the other holds), and filelock where there is no such call: on Windows, and on drives that know
no locks.
"""

from __future__ import annotations

import errno
import os
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

_HELD: Final = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES})
_MODE: Final = 0o644


class FileLock:
    """An exclusive lock; the file stays when it is released.

    Parameters
    ----------
    path : pathlib.Path
        In a folder that is there. A link is refused.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._other: BaseFileLock | None = None

    @property
    def is_held(self) -> bool:
        """Whether this one holds it."""
        return self._descriptor is not None or self._other is not None

    def acquire(self) -> bool:
        """Take the lock if nobody holds it, in this program neither, and return whether it was free.

        Raises
        ------
        OSError
        """
        if fcntl is None:
            return self.is_held or self._acquire_other()
        while not self.is_held:
            descriptor, is_new = self._open()
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(descriptor).st_nlink:  # else it was deleted meanwhile, and the next has another file
                    self._descriptor, descriptor = descriptor, -1
            except OSError as error:
                if error.errno in _HELD:
                    return False
                if error.errno != errno.ENOSYS:
                    raise
                if is_new:  # there, that the file exists means that it is held
                    self._path.unlink(missing_ok=True)
                return self._acquire_other()
            finally:
                if descriptor >= 0:
                    os.close(descriptor)
        return True

    def release(self) -> None:
        """Let others have it; a second time does nothing."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_UN)  # a process that was forked may still have the file open
            finally:
                os.close(descriptor)
        other, self._other = self._other, None
        if other is not None:
            other.release()

    def __del__(self) -> None:
        with suppress(OSError):
            self.release()

    def _open(self) -> tuple[int, bool]:
        """Return a descriptor of the file, and whether it was made for that."""
        try:
            return open_own(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE), True
        except FileExistsError:
            pass
        try:
            # Without O_CREAT: in a folder for all (/tmp), the file of somebody else is not opened with it.
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
