# SPDX-License-Identifier: MIT
"""Errors of operations, whose messages tell the user the problem and the remedy."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.text import TextError

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_GONE_ERRORS: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
_DENIED: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


class OperationError(TextError):
    """An operation cannot be done; the message is one line for the user."""


class FormatError(OperationError):
    """A plug-in for a file format cannot read or write a file; the message states the problem and the remedy."""


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


class OutdatedMetricError(UnreadableMetricError):
    """A metric was trained on descriptions that this version of Focal no longer makes."""


def not_written(what: str | Path, error: OSError) -> OperationError:
    """Return an error for a file or folder that cannot be written, with the remedy.

    Parameters
    ----------
    what : str or Path
        Start of the message: the path, or a text such as "The archive PATH".
    """
    why = error.strerror or error
    if error.errno in _FULL:
        return OperationError("{0} cannot be written: {1}. Free some space, or choose another place.", what, why)
    if error.errno in _DENIED:
        return OperationError("{0} cannot be written: {1}. Choose another place, or change its permissions.", what, why)
    if error.errno in _GONE_ERRORS:
        return OperationError("{0} cannot be written: {1}. Choose an existing folder.", what, why)
    return OperationError("{0} cannot be written: {1}.", what, why)
