# SPDX-License-Identifier: MIT
"""Errors of a library, with messages for the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from focal_photos.browser.catalog.text import TextError


class LibraryError(TextError):
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
        "The catalogue holds {0} that Focal did not write: see focal check. To extract the intact data, run "
        "focal rescue; to go back to a backup, run focal restore.",
        what,
    )


def disk_full(folder: Path) -> LibraryFullError:
    """Return the error for a full disk under `folder`."""
    return LibraryFullError(
        "The disk that holds the library {0} is full: nothing was saved by this step. Free some space and repeat it.",
        folder,
    )


def replaced(folder: Path, path: Path) -> LibraryReplacedError:
    """Return the error for a library in `folder` whose file `path` was replaced since it was opened."""
    return LibraryReplacedError(
        "The library {0} was deleted, moved or replaced while it was open ({1} is not the same file): "
        "nothing was saved by this step. Put the folder back, or open the library again.",
        folder,
        path.name,
    )


def not_writable(folder: Path) -> LibraryReadOnlyError:
    """Return the error for a library that cannot be written."""
    return LibraryReadOnlyError(
        "The library {0} cannot be written: open it read-only, or make its folder writable.", folder
    )
