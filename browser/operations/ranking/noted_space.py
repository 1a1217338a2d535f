"""Which space the library's own metric ranks in, noted for those who rank once: they ask no descriptor for it."""

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
_TABLE: Final = "focal_photos.features.table"
_SETTLED: Final = 3_000_000_000
"""Nanoseconds after which a file that is written again has another time: a file system may count in steps of 2 s."""


class SpaceNote(NamedTuple):
    """What `ranking.space.current_space` returned, and that its rows are stored for all described photos.

    Attributes
    ----------
    stamp : str
        What changes with all that it stands on.
    rows : str
        What changes with the rows (`RecordStore.print`).
    key : str
        Under which the rows are stored.
    """

    stamp: str
    rows: str
    key: str


def are_notes_used() -> bool:
    """Tell whether notes are read and written: who has loaded the descriptors anyway asks them."""
    return _TABLE not in sys.modules


def noted_space(library: Library) -> SpaceNote | None:
    """Return what was noted of a library, if all that it stands on is as it was."""
    content = read_checked(_path(library))
    try:
        note = SpaceNote(*map(str, content))
    except TypeError:  # there is none, or one of another version
        return None
    return note if note.stamp == stamp_of(library) else None


def note_space(library: Library, note: SpaceNote) -> None:
    """Note which space rankings are in, unless nothing may be written, or something was written just now."""
    if library.read_only or note.stamp != stamp_of(library) or not _is_settled(library):
        return
    with suppress(OSError):
        write_checked(_path(library), list(note))


def stamp_of(library: Library) -> str:
    """Return what changes with what a library's space stands on.

    That is the program, what is switched on, which photos are described, and files by name, number, size and time of
    the last change: those of the descriptors, of what these learned, of which are complete, and of spaces.
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
    """Tell whether a change from now on shows in the time of a file."""
    latest = max((_state(entry)[-1] for entry in _files(library)), default=0)
    return latest < time.time_ns() - _SETTLED


def _files(library: Library) -> Iterator[os.DirEntry[str]]:
    derived = library.path / "derived"
    for entry in _entries(derived):
        if entry.name == "complete.json" or (entry.name.startswith("space-") and entry.name.endswith(".npz")):
            yield entry
    yield from _entries(derived / "fitted")
    for entry in _entries(derived / "vectors"):
        if not entry.name.startswith(("space-", "metric-")):  # made of the others
            yield entry


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return [entry for entry in entries if entry.is_file()]
    return []


def _state(entry: os.DirEntry[str]) -> tuple[str, int, int, int]:
    """Return name, number, size and time of the last change, 0 where that does not matter."""
    try:
        status = os.stat(entry.path)  # noqa: PTH116 - there are a hundred; what the entry says may be old on Windows
    except OSError:  # another program has deleted it
        return entry.path, 0, 0, 0
    # Whatever comes or goes stands in the index, and so does the checksum of each row: of rows the size does.
    at = 0 if entry.name.endswith(".rows") else status.st_mtime_ns
    return entry.path, entry.inode(), status.st_size, at


def _program() -> int:
    """Return a number that is another one in another version of what makes a space."""
    if getattr(sys, "frozen", False):
        status = Path(sys.executable).stat()
        return zlib.crc32(repr((status.st_size, status.st_mtime_ns)).encode())
    rooms = Path(__file__).resolve().parents[3]
    folders = [rooms / "browser" / "operations" / "describing", rooms / "browser" / "operations" / "ranking"]
    folders += [rooms / "learners" / "core", *_rooms(rooms / "features")]
    files = [_state(entry)[1:] for folder in folders for entry in _entries(folder) if entry.name.endswith(".py")]
    # Where it does not lie in files of its own, nothing tells its versions apart, and no note holds.
    return zlib.crc32(repr(sorted(files) or time.time_ns()).encode())


def _rooms(folder: Path) -> list[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        return [folder, *(Path(entry.path) for entry in entries if entry.is_dir() and entry.name != "__pycache__")]
    return []
