# SPDX-License-Identifier: MIT
"""Detects files that were deleted, moved, replaced under the same name or overwritten."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

Identity = tuple[int, int]
"""Device and inode: unique as long as the file is open."""


def identity(path: Path) -> Identity | None:
    """Return the identity of the file at a path; None if there is no visible file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class FileIdentities:
    """Identities of open files at the time of creation of this object.

    Parameters
    ----------
    paths : iterable of pathlib.Path
        Files; missing ones are skipped.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        found = ((path, identity(path)) for path in paths)
        self._files = [(path, file) for path, file in found if file is not None]

    def changed(self) -> Path | None:
        """Return the first path whose file is missing or replaced; None if all are unchanged."""
        return next((path for path, file in self._files if identity(path) != file), None)


class FileContents:
    """States of files after the last write of their only legitimate writer.

    A write by another program shows in the size or the modification time. (The inode change time is unsuitable, because
    creating a hard link changes it too.)
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._states: dict[Path, tuple[Identity, int, int] | None] = {}
        for path in paths:
            self.note(path)

    def note(self, path: Path) -> None:
        """Store the current state of a file as written by its holder."""
        self._states[path] = _state(path)

    def has_shrunk(self, path: Path) -> bool:
        """Return whether a file is smaller than at the last `note`."""
        before, now = self._states[path], _state(path)
        return before is not None and now is not None and now[1] < before[1]

    def changed(self) -> list[Path]:
        """Return the files written since `note`, except missing or replaced files."""
        found = []
        for path, before in self._states.items():
            now = _state(path)
            if before is not None and now is not None and before[0] == now[0] and before != now:
                found.append(path)
        return found


def _state(path: Path) -> tuple[Identity, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns
