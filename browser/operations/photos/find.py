# SPDX-License-Identifier: MIT
"""Find the photo of a path, or the photos named in the rows of a table."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from focal_photos.browser.catalog.facts.photos import LookUp
from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.operations.jobs.errors import NotInLibraryError
from focal_photos.browser.operations.photos.files_there import FilesThere
from focal_photos.features.decoding import regular_file


def find_photo(library: Library, path: Path) -> Photo | None:
    """Return the photo in a file, or None.

    The recorded path is tried first. Then the content of the file identifies photos moved or copied since the last
    scan. Text that is no valid path, as in a table from another program, yields None.
    """
    try:
        photo = library.photos.by_path(path)
    except ValueError:  # a NUL or a lone surrogate
        return None
    return photo or find_content(library, path)


class PhotoFinder:
    """Finds the photos named in the rows of a table as `find_photo` does, with few calls to the file system.

    Recorded paths need no call and missing files a few per folder; other files are opened. The finder caches folders,
    so use a new one for each table.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._there = FilesThere()
        self._look_up: LookUp | None = None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Keep one reader of the catalogue open for several calls of `find`, for speed."""
        with self._library.photos.looking_up() as self._look_up:
            try:
                yield
            finally:
                self._look_up = None

    def find(self, content_hash: str | None, files: Iterable[str]) -> int | None:
        """Return the id of the photo with this content, otherwise that of the first file that contains a photo."""
        if self._look_up is None:
            with self.at_once():
                return self.find(content_hash, files)
        if content_hash is not None and content_hash.isascii():  # SQLite rejects lone surrogates
            photo_id = self._look_up.with_content(content_hash)
            if photo_id is not None:
                return photo_id
        return next((found for found in map(self._in_file, files) if found is not None), None)

    def _in_file(self, file: str) -> int | None:
        """Return the id of the photo in a file."""
        assert self._look_up is not None
        try:
            path = os.path.abspath(file)  # noqa: PTH100  a Path would take longer than everything else
            found = self._look_up.in_file(os.fsencode(path))
            if found is not None:
                return found[1]
            # Not from `path`: removing ``..`` after a symbolic link would lead to the wrong folder.
            real, is_there = self._there.real(file if os.path.isabs(file) else str(Path(file).absolute()))  # noqa: PTH117
            found = self._look_up.in_file(os.fsencode(real)) if real != path else None
        except ValueError:  # a NUL or a lone surrogate
            return None
        if found is not None:
            return found[1]
        photo = find_content(self._library, Path(real)) if is_there else None
        return None if photo is None else photo.id


def find_content(library: Library, path: Path) -> Photo | None:
    """Return the photo with the content of a file at any path, or None.

    A file is read only if a photo has its size, and opened only if it is a regular file.
    """
    try:
        with regular_file.open_regular(path) as stream:
            if not library.photos.any_of_size(os.fstat(stream.fileno()).st_size):
                return None
            digest = _digest(stream)
    except OSError:
        return None
    return library.photos.by_hash(digest)


def content_hash(path: Path) -> str | None:
    """Return the BLAKE2b-128 of a file as hexadecimal digits; None if it is unreadable."""
    try:
        with regular_file.open_regular(path) as stream:
            return _digest(stream)
    except OSError:
        return None


def _digest(stream: BufferedReader) -> str:
    return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def find_photos(library: Library, paths: Sequence[Path]) -> list[int]:
    """Return the ids of photos by path, in order, without repetitions.

    Raises
    ------
    NotInLibraryError
        If a path is no photo of the library; the message names the first one.
    """
    found: dict[int, None] = {}
    for path in paths:
        photo = find_photo(library, path)
        if photo is None:
            if not path.exists():
                raise NotInLibraryError("{0} is not there.", absolute(path))
            if not path.is_file():
                raise NotInLibraryError("{0} is not a regular file: name a photo.", absolute(path))
            raise NotInLibraryError("{0} is not in the library: run focal index on its folder first.", absolute(path))
        found[photo.id] = None
    return list(found)
