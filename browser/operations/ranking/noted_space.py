# SPDX-License-Identifier: MIT
"""Note of the space of the library's own metric, which lets a single ranking start without loading descriptors."""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked
from focal_photos.browser.operations.describing.settings import ENABLED, NETWORKS

_NAME: Final = "space.json"
_SETTLED: Final = 3_000_000_000
"""Nanoseconds after which rewriting a file surely changes its time; some file systems count in steps of 2 s."""


class SpaceNote(NamedTuple):
    """Result of `ranking.space.current_space`, noted once its rows are stored for all described photos."""

    stamp: str
    """State of everything that the space depends on (`stamp_of`)."""
    rows: str
    """State of the stored rows (`RecordStore.print`)."""
    key: str
    """Key under which the rows are stored."""


def noted_space(library: Library) -> SpaceNote | None:
    """Return the note of a library, or None if there is none or it is out of date."""
    content = read_checked(_path(library))
    try:
        note = SpaceNote(*map(str, content))
    except TypeError:  # no note, or one written by another version
        return None
    return note if note.stamp == stamp_of(library) else None


def note_space(library: Library, note: SpaceNote) -> None:
    """Write a note, unless the library is read-only or one of its files changed just now."""
    if library.read_only or note.stamp != stamp_of(library) or not _is_settled(library):
        return
    with suppress(OSError):
        write_checked(_path(library), list(note))


def stamp_of(library: Library) -> str:
    """Return a stamp that changes with anything that a library's space depends on.

    It covers the program, the enabled descriptors, the described photos, and the name, number, size and time of change
    of the files of descriptors, fitted descriptors, completeness and spaces.
    """
    listed = library.photos.listed("-failed -missing")
    lacking = library.photos.undescribed(listed)
    settings = [library.settings.get(one.name) for one in (ENABLED, NETWORKS)]
    files = sorted(_state(entry) for entry in _files(library))
    photos = f"{len(listed)}-{zlib.crc32(listed.tobytes()):08x}-{zlib.crc32(lacking.tobytes()):08x}"
    return f"{_program():08x} {photos} {zlib.crc32(repr((settings, files)).encode()):08x}"


def _path(library: Library) -> Path:
    return library.path / "derived" / _NAME


def _is_settled(library: Library) -> bool:
    """Tell whether any later change will show in the time of a file."""
    latest = max((_state(entry)[-1] for entry in _files(library)), default=0)
    return latest < time.time_ns() - _SETTLED


def _files(library: Library) -> Iterator[os.DirEntry[str]]:
    derived = library.path / "derived"
    for entry in _entries(derived):
        if entry.name == "complete.json" or (entry.name.startswith("space-") and entry.name.endswith(".npz")):
            yield entry
    yield from _entries(derived / "fitted")
    for entry in _entries(derived / "vectors"):
        if not entry.name.startswith(("space-", "metric-")):  # derived from the other rows
            yield entry


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return [entry for entry in entries if entry.is_file()]
    return []


def _state(entry: os.DirEntry[str]) -> tuple[str, int, int, int]:
    """Return name, number, size and time of the last change; a time of 0 where the time does not matter."""
    try:
        status = os.stat(entry.path)  # noqa: PTH116 - there are a hundred; what the entry says may be old on Windows
    except OSError:  # deleted by another program
        return entry.path, 0, 0, 0
    # The index lists all added and removed rows with their checksums, so the size of a rows file suffices.
    at = 0 if entry.name.endswith(".rows") else status.st_mtime_ns
    return entry.path, entry.inode(), status.st_size, at


def _program() -> int:
    """Return a number that changes with the version of the code that makes a space."""
    if getattr(sys, "frozen", False):
        status = Path(sys.executable).stat()
        return zlib.crc32(repr((status.st_size, status.st_mtime_ns)).encode())
    rooms = Path(__file__).resolve().parents[3]
    folders = [rooms / "browser" / "operations" / "describing", rooms / "browser" / "operations" / "ranking"]
    folders += [rooms / "learners" / "core", *_rooms(rooms / "features")]
    files = [_state(entry)[1:] for folder in folders for entry in _entries(folder) if entry.name.endswith(".py")]
    # Code that is not in separate files has no version to check: no note is valid then.
    return zlib.crc32(repr(sorted(files) or time.time_ns()).encode())


def _rooms(folder: Path) -> list[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        return [folder, *(Path(entry.path) for entry in entries if entry.is_dir() and entry.name != "__pycache__")]
    return []
