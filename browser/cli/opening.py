"""Open the library as a command needs it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from focal_photos.browser.catalog.library import (
    Library,
    LibraryError,
    LibraryFullError,
    LibraryInUseError,
    LibraryReadOnlyError,
    default_path,
)
from focal_photos.browser.catalog.store.backups import has_traces
from focal_photos.browser.catalog.store.lock import LibraryLock, Patience
from focal_photos.browser.cli.command import Access
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.operations.ranking.similar_photos import let_filter_rank

_QUIET_SECONDS = 1.0
"""Seconds of waiting of which nothing is said."""


def open_library(path: Path | None, access: Access, patience: Patience | None = None) -> Library:
    """Open a library.

    Parameters
    ----------
    path : pathlib.Path or None
        Its folder; None is the user's own library.
    access : Access
    patience : Patience, optional
        How to wait for another program, where this one has to write.

    Raises
    ------
    LibraryError
        It is not there, or cannot be opened; see `Library.open`.
    """
    library = _open(default_path() if path is None else path, access, patience)
    let_filter_rank(library)
    return library


def _open(path: Path, access: Access, patience: Patience | None) -> Library:
    if access is not Access.CREATE and not (path / "catalog.sqlite").exists() and not has_traces(path):
        raise LibraryError(f"There is no library in {path.absolute()}: run focal index on a folder with photos first.")
    match access:
        case Access.READ:
            library = Library.open(path, read_only=True)
            if library.database.brought_up_to_date:  # once and for all, rather than for every command, where possible
                with suppress(LibraryInUseError, LibraryReadOnlyError):
                    updated = Library.open(path)
                    library.close()
                    return updated
            return library
        case Access.WRITE_IF_FREE:
            try:
                return Library.open(path)
            except (LibraryFullError, LibraryInUseError, LibraryReadOnlyError):
                return Library.open(path, read_only=True)  # what is worked out is kept in memory
        case Access.WRITE | Access.CREATE:
            return _open_patiently(path, patience)


def _open_patiently(path: Path, patience: Patience | None) -> Library:
    try:
        return Library.open(path, patience=patience)
    except LibraryInUseError as error:
        if patience is None:
            raise
        raise too_long(error, patience) from error


def run_alone(path: Path, patience: Patience, run: Callable[[], int]) -> int:
    """Run what takes the lock of a library itself, once no other program holds it.

    Raises
    ------
    LibraryInUseError
        It was held for too long.
    """
    end = time.monotonic() + patience.seconds
    while True:
        with suppress(LibraryReadOnlyError, LibraryFullError):  # what runs may only read
            if (path / "lock").exists():
                try:
                    LibraryLock(path, patience._replace(seconds=max(0.0, end - time.monotonic()))).release()
                except LibraryInUseError as error:
                    raise too_long(error, patience) from error
        try:
            return run()
        except LibraryInUseError:
            if time.monotonic() >= end:
                raise


def patience_of(seconds: float, terminal: Terminal, first: Callable[[], None]) -> Patience:
    """Return how a command waits: it says for whom after a second, once.

    Parameters
    ----------
    seconds : float
    terminal : Terminal
    first : callable
        Called when the command is first of those that wait; what it raises ends the waiting.
    """
    begin, said = time.monotonic(), False

    def waits(holder: str) -> None:
        nonlocal said
        if not said and time.monotonic() - begin >= _QUIET_SECONDS:
            said = True
            terminal.say(f"focal: waiting for up to {seconds:g} s (--wait): the library is in use by {holder}")

    return Patience(seconds, waits, lambda _: first())


def too_long(error: LibraryInUseError, patience: Patience) -> LibraryInUseError:
    """Return the error of a command that has waited in vain."""
    if not patience.seconds:
        return error
    return LibraryInUseError(f"{error} Gave up after {patience.seconds:g} s; --wait SECONDS waits longer.")
