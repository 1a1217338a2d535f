"""Which of many files are there, and where their folders really are: asked once a folder, not once a file."""

# ruff: noqa: PTH112, PTH118 - a Path for each row of a table would take longer than all the rest

from __future__ import annotations

import os
import stat
import unicodedata
from itertools import islice
from typing import Final

_FEW: Final = 4  # files of a folder that are asked for one by one; for more of them the folder is listed
_MOST_NAMES: Final = 100_000  # kept of listed folders; a folder with more is not listed
_MOST_FOLDERS: Final = 10_000
_MOST_PARTS: Final = 100  # of a path that is looked at folder by folder

_FILE, _LINK = "file", "link"


class FilesThere:
    """Remembers folders, so that a table with many files costs few calls to the file system.

    What it remembers may be out of date later: use a new one for each table.
    """

    def __init__(self) -> None:
        self._real: dict[str, tuple[str, bool]] = {}
        self._asked: dict[str, int] = {}
        self._listed: dict[str, _Listing | None] = {}
        self._names = 0

    def real(self, path: str) -> tuple[str, bool]:
        """Return a path without symbolic links, and whether a file can be there; see `os.path.realpath`.

        Parameters
        ----------
        path : str
            Absolute.
        """
        folder, name = os.path.split(path)
        if not name or name in (".", ".."):
            return os.path.realpath(path), True
        folder, there = self._real_folder(folder)
        real = os.path.join(folder, name)
        kind = self._kind(folder, name) if there else None
        return (os.path.realpath(real), True) if kind is _LINK else (real, kind is not None)

    def _real_folder(self, folder: str) -> tuple[str, bool]:
        found = self._real.get(folder)
        if found is None:
            if len(self._real) >= _MOST_FOLDERS:
                self._real.clear()
            found = self._real[folder] = self._find_folder(folder)
        return found

    def _find_folder(self, folder: str) -> tuple[str, bool]:
        above, name = os.path.split(folder)
        if above == folder or name in ("", ".", "..") or folder.count(os.sep) > _MOST_PARTS:
            real = os.path.realpath(folder)
            return real, os.path.isdir(real)
        above, there = self._real_folder(above)
        real = os.path.join(above, name)
        if not there:
            return real, False
        kind = self._kind(above, name)
        if kind is _LINK:
            real = os.path.realpath(real)
            return real, os.path.isdir(real)
        return real, kind is not None

    def _kind(self, folder: str, name: str) -> str | None:
        """Return whether a name in a folder is a link or something else; None where it is not there."""
        if folder not in self._listed:
            asked = self._asked[folder] = self._asked.get(folder, 0) + 1
            if asked <= _FEW:
                return _kind(folder, name)
            self._list(folder)
        listing = self._listed[folder]
        if listing is None:
            return _kind(folder, name)
        if name in listing.links:
            return _LINK
        if name in listing.files:
            return _FILE
        # Some file systems take names for the same that differ in case, or in how letters are composed.
        return _kind(folder, name) if _folded(name) in listing.folded else None

    def _list(self, folder: str) -> None:
        try:
            with os.scandir(folder) as entries:
                found = {entry.name: entry.is_symlink() for entry in islice(entries, _MOST_NAMES + 1)}
        except OSError:
            self._listed[folder] = None
            return
        if len(found) > _MOST_NAMES:
            self._listed[folder] = None
            return
        self._names += len(found)
        if self._names > _MOST_NAMES or len(self._listed) >= _MOST_FOLDERS:
            self._listed.clear()
            self._asked.clear()
            self._names = len(found)
        self._listed[folder] = _Listing(found)


class _Listing:
    """The names in a folder."""

    def __init__(self, names: dict[str, bool]) -> None:
        self.files = frozenset(name for name, is_link in names.items() if not is_link)
        self.links = frozenset(name for name, is_link in names.items() if is_link)
        self.folded = frozenset(map(_folded, names))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _kind(folder: str, name: str) -> str | None:
    try:
        mode = os.lstat(os.path.join(folder, name)).st_mode
    except OSError:
        return None
    return _LINK if stat.S_ISLNK(mode) else _FILE
