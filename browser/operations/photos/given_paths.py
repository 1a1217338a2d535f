# SPDX-License-Identifier: MIT
"""Classify the paths that the user named, dropped or double-clicked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from focal_photos.browser.catalog.library import Library


@dataclass(frozen=True)
class GivenPaths:
    """Existing paths, by kind."""

    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    """`files` and `folders`: in the given order, without repetitions."""
    photo_id: int | None = None
    """Photo id of the first file, if it is in the library."""


def sort_paths(library: Library, paths: Sequence[Path]) -> GivenPaths:
    """Separate files from folders, ignoring paths that do not exist.

    Blocks while the disk responds: an unplugged network folder may take minutes.
    """
    each = list(dict.fromkeys(paths))
    files = tuple(path for path in each if path.is_file())
    known = library.photos.by_path(files[0]) if files else None
    return GivenPaths(files, tuple(path for path in each if path.is_dir()), None if known is None else known.id)


def libraries_among(folders: Sequence[Path]) -> frozenset[Path]:
    """Return the folders that contain a library. Blocks while the disk responds."""
    return frozenset(folder for folder in folders if (folder / "catalog.sqlite").is_file())


@dataclass(frozen=True)
class LibraryPlace:
    """A folder chosen by the user for a library."""

    library: bool = False
    empty: bool = False
    problem: str = ""
    """Why it cannot be read; empty if it can."""


def look_at_place(folder: Path) -> LibraryPlace:
    """Inspect a folder. Blocks while the disk responds."""
    try:
        with os.scandir(folder) as entries:
            empty = next(entries, None) is None
    except OSError as error:
        return LibraryPlace(problem=error.strerror or str(error))
    return LibraryPlace(bool(libraries_among([folder])), empty)
