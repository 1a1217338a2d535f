# SPDX-License-Identifier: MIT
"""Opens the library with the access that a command needs."""

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
"""Waiting time in seconds before a message is shown."""


def open_library(path: Path | None, access: Access, patience: Patience | None = None) -> Library:
    """Open a library, by default the user's own; it must exist. See `Library.open`.

    Raises
    ------
    LibraryError
        If it does not exist or cannot be opened.
    """
    library = _open(default_path() if path is None else path, access, patience)
    let_filter_rank(library)
    return library


def _open(path: Path, access: Access, patience: Patience | None) -> Library:
    if access is not Access.CREATE and not (path / "catalog.sqlite").exists() and not has_traces(path):
        raise LibraryError(
            "There is no library in {0}: run focal index on a folder with photos first.", path.absolute()
        )
    match access:
        case Access.READ:
            library = Library.open(path, read_only=True)
            if library.database.brought_up_to_date:  # migrate the file once, if possible, instead of at every start
                with suppress(LibraryInUseError, LibraryReadOnlyError):
                    updated = Library.open(path)
                    library.close()
                    return updated
            return library
        case Access.WRITE_IF_FREE:
            try:
                return Library.open(path)
            except (LibraryFullError, LibraryInUseError, LibraryReadOnlyError):
                return Library.open(path, read_only=True)  # results are cached in memory only
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
    """Run a function that locks the library itself, once no other program holds the lock.

    Raises
    ------
    LibraryInUseError
        If it was locked for too long.
    """
    end = time.monotonic() + patience.seconds
    while True:
        with suppress(LibraryReadOnlyError, LibraryFullError):  # the function may only read
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
    """Return how a command waits; after a second, it shows once which program it waits for.

    Parameters
    ----------
    first : callable
        Called when the command is first in the queue. An exception from it ends the wait.
    """
    begin, said = time.monotonic(), False

    def waits(holder: str) -> None:
        nonlocal said
        if not said and time.monotonic() - begin >= _QUIET_SECONDS:
            said = True
            terminal.say(f"focal: waiting for up to {seconds:g} s (--wait): the library is in use by {holder}")

    return Patience(seconds, waits, lambda _: first())


def too_long(error: LibraryInUseError, patience: Patience) -> LibraryInUseError:
    """Return the error of a command that has waited for too long."""
    if not patience.seconds:
        return error
    return LibraryInUseError("{0} Gave up after {1:g} s; --wait SECONDS waits longer.", error, patience.seconds)
