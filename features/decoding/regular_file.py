# SPDX-License-Identifier: MIT
"""Opening of files named by the user or another program: only regular files of limited size.

Opening or reading a pipe or a device could block forever; a sparse file of terabytes takes hours.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from focal_photos.text import Text


def open_regular(path: Path | str | bytes, most_bytes: int | None = None) -> BufferedReader:
    """Open a regular file for reading; symbolic links are followed.

    Parameters
    ----------
    path : Path, str or bytes
    most_bytes : int, optional
        Maximum file size.

    Raises
    ------
    OSError
        If it cannot be opened, is not a regular file (``EINVAL``), or is too large (``EFBIG``). `strerror` is a message
        for the user; nothing was read.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, or a missing device
            raise _not_regular(path) from None
        raise
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), os.fsdecode(path))
        if not stat.S_ISREG(status.st_mode):
            raise _not_regular(path)
        if most_bytes is not None and status.st_size > most_bytes:
            raise OSError(errno.EFBIG, too_large(status.st_size, most_bytes), os.fsdecode(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def too_large(size: int, most_bytes: int) -> str:
    """Return the message about a file with too many bytes."""
    return Text("it has {0:,} bytes, more than the allowed {1:,}", size, most_bytes)


def _not_regular(path: Path | str | bytes) -> OSError:
    return OSError(errno.EINVAL, Text("it is not a regular file"), os.fsdecode(path))
