"""What the paths are that a person named, dropped or double-clicked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from focal_photos.browser.catalog.library import Library


@dataclass(frozen=True)
class GivenPaths:
    """Paths that are there, sorted.

    Attributes
    ----------
    files, folders : tuple of Path
        In the order in which they were given, each once.
    photo_id : int or None
        The photo of the library that the first file is.
    """

    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    photo_id: int | None = None


def sort_paths(library: Library, paths: Sequence[Path]) -> GivenPaths:
    """Tell files from folders; what is not there is left out.

    Blocks as long as the disks do: a network folder that is unplugged may not answer for minutes.
    """
    each = list(dict.fromkeys(paths))
    files = tuple(path for path in each if path.is_file())
    known = library.photos.by_path(files[0]) if files else None
    return GivenPaths(files, tuple(path for path in each if path.is_dir()), None if known is None else known.id)


def libraries_among(folders: Sequence[Path]) -> frozenset[Path]:
    """Return which folders hold a library. Blocks as long as the disks do."""
    return frozenset(folder for folder in folders if (folder / "catalog.sqlite").is_file())


@dataclass(frozen=True)
class LibraryPlace:
    """A folder that a person has chosen for a library.

    Attributes
    ----------
    library : bool
        Whether it holds one.
    empty : bool
    problem : str
        Why it cannot be read; empty if it can.
    """

    library: bool = False
    empty: bool = False
    problem: str = ""


def look_at_place(folder: Path) -> LibraryPlace:
    """Return what a folder holds. Blocks as long as the disk does."""
    try:
        with os.scandir(folder) as entries:
            empty = next(entries, None) is None
    except OSError as error:
        return LibraryPlace(problem=error.strerror or str(error))
    return LibraryPlace(bool(libraries_among([folder])), empty)
