"""What can go wrong in an operation, in words for a person: what is wrong, and what to do."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
_DENIED: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


class OperationError(Exception):
    """An operation cannot be done; its message is one line for a person."""


class NotInLibraryError(OperationError):
    """A file that was named is not in the library."""


class ForeignImageError(OperationError):
    """An image from outside the library, by which photos were to be ranked, cannot be read."""


class NothingIndexedError(OperationError):
    """The library holds no described photo yet, so there is nothing to rank or to learn from."""


class NothingToLearnError(OperationError):
    """There are neither judgements nor tags that the learner could use."""


class NoPatchesError(OperationError):
    """An image has no edge, hence no patches and no local distance."""


class UnreadableMetricError(OperationError):
    """The file of a metric is missing, damaged or of a newer version."""


def not_written(what: str | Path, error: OSError) -> OperationError:
    """Return what is told where a file or a folder that a person named cannot be written, and what to do about it.

    Parameters
    ----------
    what : str or Path
        Begins the message: the path, or "The archive PATH".
    error : OSError
    """
    told = f"{what} cannot be written: {error.strerror or error}."
    if error.errno in _FULL:
        told += " Free some room, or choose another place."
    elif error.errno in _DENIED:
        told += " Choose another place, or change its permissions."
    elif error.errno in _GONE:
        told += " Choose a folder that is there."
    return OperationError(told)
