# SPDX-License-Identifier: MIT
"""Atomic writing of files: after a crash, a file is either complete or unchanged."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

_NOT_OF_FOLDERS: Final = frozenset({errno.EINVAL, errno.ENOTSUP})


@contextmanager
def replacing(path: Path, *, follow_link: bool = False) -> Iterator[Path]:
    """Yield a temporary path in the folder of `path`; at the end, the file written there is renamed to `path`.

    The file is synced before it is renamed, and the name is synced when the block has ended. If the block raises, the
    temporary file is deleted and the earlier file stays.

    Parameters
    ----------
    path : pathlib.Path
        Target in an existing folder.
    follow_link : bool
        If `path` is a symbolic link, replace its target, as users expect of files they name, rather than the link.
        Inside a library, only Focal creates files, and the target of a link there is foreign.

    Raises
    ------
    OSError
    """
    target = Path(os.path.realpath(path)) if follow_link else path
    part = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    try:
        yield part
        sync(part)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync(target.parent)


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing bytes, which is renamed to `path` when the block has ended; see `replacing`."""
    with replacing(path) as part, part.open("wb") as stream:
        yield stream


def sync(path: Path) -> None:
    """Wait until a file's bytes, or a folder's names, are on the disk.

    Some network drives report that they cannot sync folders; this error is ignored.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_OF_FOLDERS or not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise
    finally:
        os.close(descriptor)
