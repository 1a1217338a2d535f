# SPDX-License-Identifier: MIT
"""Protect files from exports: the library's own files, photos, and files of other kinds."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES


def require_replaceable(library: Library, path: Path, suffixes: Collection[str], *, force: bool = False) -> None:
    """Check that a file given by the user may be written.

    Parameters
    ----------
    path : pathlib.Path
        Links are followed.
    suffixes : collection of str
        Lower-case suffixes of the kind of file; existing files with one of these, and empty files, may be replaced.
    force : bool
        Whether other files may be replaced too, except files of the library and photos.

    Raises
    ------
    OperationError
        If it may not; the message names the remedy.
    """
    place = Path(os.path.realpath(path))
    if place.is_relative_to(Path(os.path.realpath(library.path))):
        raise OperationError("{0} is in the library itself: choose another folder.", path)
    if not place.is_file():
        return
    inside = any(place.is_relative_to(os.path.realpath(root.path)) for root in library.roots.all())
    if library.photos.by_path(path) is not None or (inside and place.suffix.lower() in IMAGE_SUFFIXES):
        raise OperationError("{0} is a photo, and Focal never overwrites photos: choose another name.", path)
    if not force and place.suffix.lower() not in suffixes and place.stat().st_size:
        raise OperationError("{0} exists and looks like another kind of file: --force replaces it.", path)


def require_folder_outside(library: Library, folder: Path) -> None:
    """Check that a folder is neither in the library nor in one of its photo folders.

    Raises
    ------
    OperationError
    """
    place = Path(os.path.realpath(folder))
    if place.is_relative_to(os.path.realpath(library.path)):
        raise OperationError("{0} is in the library itself: choose another folder.", folder)
    for root in library.roots.all():
        if place.is_relative_to(os.path.realpath(root.path)):
            raise OperationError(
                "{0} is in {1}, whose photos Focal shows: choose a folder elsewhere.", folder, root.path
            )


@contextmanager
def new_folder(library: Library, target: Path) -> Iterator[Path]:
    """Provide a path for a folder to be made by the caller, which is renamed to `target` at the end.

    Raises
    ------
    OperationError
        If the target is a file or a folder that is not empty, or is in the library or its photo folders.
    """
    place = Path(os.path.realpath(target))
    require_folder_outside(library, target)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise OperationError("{0} exists already: name a new or an empty folder.", target)
    part = place.with_name(f".{place.name}.{secrets.token_hex(4)}.part")
    try:
        yield part
        if place.is_dir():
            place.rmdir()
        part.rename(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)
