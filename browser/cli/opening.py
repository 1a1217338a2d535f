"""Open the library as a command needs it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import (
    Library,
    LibraryError,
    LibraryFullError,
    LibraryInUseError,
    LibraryReadOnlyError,
    default_path,
)
from focal_photos.browser.catalog.store.backups import has_traces
from focal_photos.browser.cli.command import Access
from focal_photos.browser.operations.ranking.similar_photos import let_filter_rank

_PATIENCE: Final = 3.0
"""Seconds to wait for another command that holds the library and is about to end."""


def open_library(path: Path | None, access: Access) -> Library:
    """Open a library.

    Parameters
    ----------
    path : pathlib.Path or None
        Its folder; None is the user's own library.
    access : Access

    Raises
    ------
    LibraryError
        It is not there, or cannot be opened; see `Library.open`.
    """
    library = _open(default_path() if path is None else path, access)
    let_filter_rank(library)
    return library


def _open(path: Path, access: Access) -> Library:
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
            return _open_patiently(path)


def _open_patiently(path: Path) -> Library:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return Library.open(path)
        except LibraryInUseError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
