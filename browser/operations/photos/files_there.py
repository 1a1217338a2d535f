"""Find out which of many files exist, and where they really are, with a few system calls for each folder."""

# ruff: noqa: PTH118 - a Path for each row of a table would take longer than everything else

from __future__ import annotations

import os
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

_FEW: Final = 4  # names that are looked up one by one in a folder; after them the folder is listed
_MOST_NAMES: Final = 100_000  # of listed folders that are kept; a folder with more is not listed
_MOST_FOLDERS: Final = 10_000
_MOST_PARTS: Final = 100  # of a path that is looked at folder by folder


class FilesThere:
    """Resolves symbolic links in many paths, and remembers folders and the names in them.

    Changes on disk may go unnoticed: use a new object for each table.
    """

    def __init__(self) -> None:
        self._folder = lru_cache(_MOST_FOLDERS)(self.real)
        self._looked_up: dict[str, int] = {}
        self._listings: dict[str, _Listing | None] = {}
        self._names = 0  # in the listings

    def real(self, path: str) -> tuple[str, bool]:
        """Return the path without symbolic links, as `os.path.realpath` does, and whether anything may be there.

        Parameters
        ----------
        path : str
            Absolute.
        """
        folder, name = os.path.split(path)
        if folder == path or name in ("", ".", "..") or path.count(os.sep) > _MOST_PARTS:
            return os.path.realpath(path), True
        folder, is_there = self._folder(folder)
        path = os.path.join(folder, name)
        if not is_there:
            return path, False
        listing = self._listing(folder)
        if listing is None:
            return (os.path.realpath(path), True) if os.path.lexists(path) else (path, False)
        if name in listing.plain:
            return path, True
        # It is a link, or the file system may ignore case or the way in which letters are composed.
        return (os.path.realpath(path), True) if _folded(name) in listing.folded else (path, False)

    def _listing(self, folder: str) -> _Listing | None:
        """Return the names in a folder; None if few were looked up, there are too many, or it cannot be listed."""
        if folder not in self._listings:
            count = self._looked_up[folder] = self._looked_up.get(folder, 0) + 1
            if count <= _FEW:
                return None
            listing = _listed(folder)
            size = _MOST_NAMES if listing is None else len(listing.folded)
            # Once it is forgotten, listing it again must pay: that takes as long as looking up a tenth of its names.
            self._looked_up[folder] = -size // 10
            kept = 0 if listing is None else size
            if self._names + kept > _MOST_NAMES or len(self._listings) >= _MOST_FOLDERS:
                self._listings.clear()
                self._names = 0
            self._names += kept
            self._listings[folder] = listing
        return self._listings[folder]


class _Listing(NamedTuple):
    """The names in a folder: those that are no symbolic links, and all of them as `_folded` returns them."""

    plain: frozenset[str]
    folded: frozenset[str]


def _listed(folder: str) -> _Listing | None:
    try:
        with os.scandir(folder) as entries:
            links = {entry.name: entry.is_symlink() for entry in islice(entries, _MOST_NAMES + 1)}
    except OSError:
        return None
    if len(links) > _MOST_NAMES:
        return None
    return _Listing(frozenset(name for name, is_link in links.items() if not is_link), frozenset(map(_folded, links)))


def _folded(name: str) -> str:
    """Return a name in one of the forms that a file system may take for the same."""
    return unicodedata.normalize("NFC", name).casefold()
