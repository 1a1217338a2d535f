"""Errors of operations, whose messages tell the user the problem and the remedy."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
_DENIED: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


class OperationError(Exception):
    """An operation cannot be done; the message is one line for the user."""


class NotInLibraryError(OperationError):
    """A file is not in the library."""


class ForeignImageError(OperationError):
    """An image outside the library cannot be read as a query."""


class NothingIndexedError(OperationError):
    """The library contains no described photo to rank or to learn from."""


class NothingToLearnError(OperationError):
    """There are no judgements or tags that the learner could use."""


class NoPatchesError(OperationError):
    """An image has no edges, therefore no patches and no local distance."""


class UnreadableMetricError(OperationError):
    """The file of a metric is missing, damaged or of a newer version."""


def not_written(what: str | Path, error: OSError) -> OperationError:
    """Return an error for a file or folder that cannot be written, with the remedy.

    Parameters
    ----------
    what : str or Path
        Start of the message: the path, or "The archive PATH".
    error : OSError
    """
    told = f"{what} cannot be written: {error.strerror or error}."
    if error.errno in _FULL:
        told += " Free some space, or choose another place."
    elif error.errno in _DENIED:
        told += " Choose another place, or change its permissions."
    elif error.errno in _GONE:
        told += " Choose an existing folder."
    return OperationError(told)
