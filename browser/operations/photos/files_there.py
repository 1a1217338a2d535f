# SPDX-License-Identifier: MIT
"""Check which of many files exist and resolve their links, with a few system calls per folder."""

# ruff: noqa: PTH118 - a Path for each row of a table would take longer than everything else

from __future__ import annotations

import os
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

_MAX_SINGLE_LOOKUPS: Final = 4  # names looked up singly in a folder before it is listed
_MOST_NAMES: Final = 100_000  # names cached from listed folders; larger folders are not listed
_MOST_FOLDERS: Final = 10_000
_MOST_PARTS: Final = 100  # longest path that is resolved folder by folder


class FilesThere:
    """Resolves symbolic links in many paths, caching folders and their file names.

    Changes on disk may go unnoticed, so use a new object for each table.
    """

    def __init__(self) -> None:
        self._folder = lru_cache(_MOST_FOLDERS)(self.real)
        self._looked_up: dict[str, int] = {}
        self._listings: dict[str, _Listing | None] = {}
        self._names = 0  # cached in all listings

    def real(self, path: str) -> tuple[str, bool]:
        """Return a path without symbolic links, as `os.path.realpath` does, and whether it may exist.

        Parameters
        ----------
        path : str
            An absolute path.
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
        # A link, or a file system that ignores case or Unicode composition.
        return (os.path.realpath(path), True) if _folded(name) in listing.folded else (path, False)

    def _listing(self, folder: str) -> _Listing | None:
        """Return the names in a folder; None if few were looked up yet, or it is too large or unreadable."""
        if folder not in self._listings:
            count = self._looked_up[folder] = self._looked_up.get(folder, 0) + 1
            if count <= _MAX_SINGLE_LOOKUPS:
                return None
            listing = _listed(folder)
            size = _MOST_NAMES if listing is None else len(listing.folded)
            # List a dropped folder again only after enough lookups: listing takes as long as looking up a tenth of its
            # names.
            self._looked_up[folder] = -size // 10
            listed = 0 if listing is None else size
            if self._names + listed > _MOST_NAMES or len(self._listings) >= _MOST_FOLDERS:
                self._listings.clear()
                self._names = 0
            self._names += listed
            self._listings[folder] = listing
        return self._listings[folder]


class _Listing(NamedTuple):
    """Names in a folder: those that are not symbolic links, and all of them folded by `_folded`."""

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
    """Return a canonical form of a name, equal for all names that a file system may consider the same."""
    return unicodedata.normalize("NFC", name).casefold()
