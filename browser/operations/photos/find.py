"""Find the photo that a path means, or the photos that the rows of a table mean."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from focal_photos.browser.catalog.facts.photos import LookUp
from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.operations.jobs.errors import NotInLibraryError
from focal_photos.browser.operations.photos.files_there import FilesThere


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


class PhotoFinder:
    """Finds the photos that the rows of a table mean, as `find_photo` does, with few calls to the file system.

    Files of photos cost none, and those that are not there a few for each folder. What was found out of folders is
    remembered: use a new finder for each table.

    Parameters
    ----------
    library : Library
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._there = FilesThere()
        self._look_up: LookUp | None = None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Find several photos with the same reader of the catalogue, which takes less time."""
        with self._library.photos.looking_up() as self._look_up:
            try:
                yield
            finally:
                self._look_up = None

    def find(self, content_hash: str | None, files: Iterable[str]) -> int | None:
        """Return the id of the photo with a content, else that of the first of some files that is known.

        Parameters
        ----------
        content_hash : str or None
            What is no hash is no photo's.
        files : iterable of str
            What no file can be called is no photo.
        """
        if self._look_up is None:
            with self.at_once():
                return self.find(content_hash, files)
        # What is not ASCII may be nothing that a database can be asked for.
        if content_hash is not None and content_hash.isascii():
            photo_id = self._look_up.with_content(content_hash)
            if photo_id is not None:
                return photo_id
        return next((found for found in map(self._in_file, files) if found is not None), None)

    def _in_file(self, file: str) -> int | None:
        assert self._look_up is not None
        try:
            path = os.path.abspath(file)  # noqa: PTH100  links as they are; a Path would take longer than all the rest
            found = self._look_up.in_file(os.fsencode(path))
            if found is not None:
                return found[1]
            real, is_there = self._there.real(file if file.startswith(os.sep) else str(Path(file).absolute()))
            found = self._look_up.in_file(os.fsencode(real)) if real != path else None
        except ValueError:  # a NUL, or half of a character
            return None
        if found is not None:
            return found[1]
        photo = find_content(self._library, Path(real)) if is_there else None
        return None if photo is None else photo.id


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
