"""What can go wrong in an operation, in words for a person: what is wrong, and what to do."""

from __future__ import annotations


class OperationError(Exception):
    """An operation cannot be done; its message is one line for a person."""


class NotInLibraryError(OperationError):
    """A file that was named is not in the library."""


class NothingIndexedError(OperationError):
    """The library holds no described photo yet, so there is nothing to rank or to learn from."""


class NothingToLearnError(OperationError):
    """There are neither judgements nor tags that the learner could use."""


class NoPatchesError(OperationError):
    """An image has no edge, hence no patches and no local distance."""


class UnreadableMetricError(OperationError):
    """The file of a metric is missing, damaged or of a newer version."""
