"""Find the photo that a path means."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from browser.catalog.facts.records import Photo
from browser.catalog.library import Library
from browser.catalog.store.location import absolute
from browser.operations.jobs.errors import NotInLibraryError


def find_photo(library: Library, path: Path) -> Photo | None:
    """Return the photo that a file holds, or None.

    The path as it was recorded counts first, then the content of the file, which finds a photo that was moved or
    copied since the last scan.
    """
    photo = library.photos.by_path(path)
    if photo is not None:
        return photo
    return find_content(library, path)


def find_content(library: Library, path: Path) -> Photo | None:
    """Return the photo whose content a file has, wherever it lies, or None."""
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16))
    except OSError:
        return None
    return library.photos.by_hash(digest.hexdigest())


def find_photos(library: Library, paths: Sequence[Path]) -> list[int]:
    """Return the ids of photos by their paths, in order, each once.

    Raises
    ------
    NotInLibraryError
        Names the first path that is no photo of the library.
    """
    found: dict[int, None] = {}
    for path in paths:
        photo = find_photo(library, path)
        if photo is None:
            if not path.exists():
                raise NotInLibraryError(f"{absolute(path)} is not there.")
            raise NotInLibraryError(f"{absolute(path)} is not in the library: run focal index on its folder first.")
        found[photo.id] = None
    return list(found)
