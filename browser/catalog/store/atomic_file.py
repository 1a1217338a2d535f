"""Files that are there complete or not at all, whatever moment the program or the computer stops at."""

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
    """Give a temporary path in the folder of `path`; what was written there takes the name `path` at the end.

    It is on the disk before it takes the name, and the name is on the disk when the block has ended. If the block
    raises, the temporary file is deleted and what had the name before stays.

    Parameters
    ----------
    path : pathlib.Path
        In a folder that exists.
    follow_link : bool
        Where it is a symbolic link: replace the file that it points at, as a person means who names it, rather than the
        link. In a library nobody but Focal makes files, and what a link there points at is none of its own.

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
    """Open a file for writing bytes that takes the name `path` when the block has ended; see `replacing`."""
    with replacing(path) as part, part.open("wb") as stream:
        yield stream


def sync(path: Path) -> None:
    """Wait until a file's bytes, or the names in a folder, are on the disk.

    Some network drives do not know that of folders, and say so: all that can be done there is done then.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_OF_FOLDERS or not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise
    finally:
        os.close(descriptor)
