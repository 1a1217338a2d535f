"""Errors of a library, with messages for the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LibraryError(Exception):
    """A request to a library failed. The message is one line for the user and says what to do."""


class LibraryInUseError(LibraryError):
    """Another program has the library open for writing."""


class LibraryTooNewError(LibraryError):
    """The library was written by a later version of Focal."""


class LibraryDamagedError(LibraryError):
    """The catalogue's file is damaged."""


class StrangeValueError(LibraryDamagedError, ValueError):
    """The catalogue contains a value that Focal did not write."""


class LibraryReadOnlyError(LibraryError):
    """The library was opened read-only, or is not writable."""


class LibraryReplacedError(LibraryError):
    """The library's files were deleted, moved or replaced while it was open; nothing more is saved to it."""


class LibraryFullError(LibraryError):
    """The disk is full; nothing was partially written."""


class UnknownPhotoError(LibraryError):
    """The library has no photo with this id."""


class UndoError(LibraryError):
    """A step of the journal can no longer be undone or redone."""


@contextmanager
def reading_value(what: str) -> Iterator[None]:
    """Re-raise errors of the block as `StrangeValueError`.

    Parameters
    ----------
    what : str
        The stored value that the block reads, such as "a date of a photo".
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise strange_value(what) from error


def strange_value(what: str) -> StrangeValueError:
    """Return the error for a stored value, such as "a date of a photo"."""
    return StrangeValueError(
        f"The catalogue holds {what} that Focal did not write: see focal check. To extract the intact data, run "
        "focal rescue; to go back to a backup, run focal restore."
    )


def disk_full(folder: Path) -> LibraryFullError:
    """Return the error for a full disk under `folder`."""
    return LibraryFullError(
        f"The disk that holds the library {folder} is full: nothing was saved by this step. "
        "Free some space and repeat it."
    )


def replaced(folder: Path, path: Path) -> LibraryReplacedError:
    """Return the error for a library in `folder` whose file `path` was replaced since it was opened."""
    return LibraryReplacedError(
        f"The library {folder} was deleted, moved or replaced while it was open ({path.name} is not the same file): "
        "nothing was saved by this step. Put the folder back, or open the library again."
    )


def not_writable(folder: Path) -> LibraryReadOnlyError:
    """Return the error for a library that cannot be written."""
    return LibraryReadOnlyError(
        f"The library {folder} cannot be written: open it read-only, or make its folder writable."
    )
