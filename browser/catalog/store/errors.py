"""What can go wrong with a library, in words for a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LibraryError(Exception):
    """A library cannot do what was asked. The message is one line for a person and says what to do."""


class LibraryInUseError(LibraryError):
    """Another program has the library open for writing."""


class LibraryTooNewError(LibraryError):
    """The library was written by a later version of Focal."""


class LibraryDamagedError(LibraryError):
    """The catalogue's file is damaged."""


class StrangeValueError(LibraryDamagedError, ValueError):
    """The catalogue holds a value that Focal did not write."""


class LibraryReadOnlyError(LibraryError):
    """The library was opened read-only, or lies where nothing can be written."""


class LibraryReplacedError(LibraryError):
    """The library's files were deleted, moved or replaced while it was open; nothing more is saved to it."""


class LibraryFullError(LibraryError):
    """There is no room left on the disk; nothing was half written."""


class UnknownPhotoError(LibraryError):
    """A photo id that the library does not know."""


class UndoError(LibraryError):
    """A step of the journal can no longer be undone or redone."""


@contextmanager
def reading_value(what: str) -> Iterator[None]:
    """Raise what goes wrong in the block as a `StrangeValueError`.

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
        f"The catalogue holds {what} that Focal did not write: see focal check. To take out what is sound, call focal "
        "rescue, to go back to a backup, focal restore."
    )


def disk_full(folder: Path) -> LibraryFullError:
    """Return the error for a full disk under `folder`."""
    return LibraryFullError(
        f"The disk that holds the library {folder} is full: nothing was saved by this step. "
        "Free some space and repeat it."
    )


def replaced(folder: Path, path: Path) -> LibraryReplacedError:
    """Return the error for a library in `folder` whose file `path` is another one than when it was opened."""
    return LibraryReplacedError(
        f"The library {folder} was deleted, moved or replaced while it was open ({path.name} is not the same file): "
        "nothing was saved by this step. Put the folder back, or open the library again."
    )


def not_writable(folder: Path) -> LibraryReadOnlyError:
    """Return the error for a library that cannot be written."""
    return LibraryReadOnlyError(
        f"The library {folder} cannot be written: open it read-only, or make its folder writable."
    )
