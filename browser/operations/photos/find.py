"""Find the photo that a path means."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.operations.jobs.errors import NotInLibraryError


def find_photo(library: Library, path: Path) -> Photo | None:
    """Return the photo that a file holds, or None.

    The path as it was recorded counts first, then the content of the file, which finds a photo that was moved or
    copied since the last scan. What no file can be called, as in a table of another program, is no photo.
    """
    try:
        photo = library.photos.by_path(path)
    except ValueError:  # a NUL, or half of a character
        return None
    return photo or find_content(library, path)


def find_content(library: Library, path: Path) -> Photo | None:
    """Return the photo whose content a file has, wherever it lies, or None.

    A file as large as no photo is not read, and one that is no regular file is not opened.
    """
    import hashlib  # here: it loads OpenSSL

    from focal_photos.features.decoding.regular_file import open_regular  # here: commands that tag load no OpenCV

    try:
        with open_regular(path) as stream:
            if not library.photos.any_of_size(os.fstat(stream.fileno()).st_size):
                return None
            digest = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16))
    except OSError:
        return None
    return library.photos.by_hash(digest.hexdigest())


def content_hash(path: Path) -> str | None:
    """Return the BLAKE2b-128 of a file's bytes, hexadecimal; None if it cannot be read."""
    import hashlib

    from focal_photos.features.decoding.regular_file import open_regular

    try:
        with open_regular(path) as stream:
            return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError:
        return None


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
            if not path.is_file():
                raise NotInLibraryError(f"{absolute(path)} is not a regular file: name a photo.")
            raise NotInLibraryError(f"{absolute(path)} is not in the library: run focal index on its folder first.")
        found[photo.id] = None
    return list(found)
