"""Whether files are still those that they were: not deleted, moved, replaced under the same name, or overwritten."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

Identity = tuple[int, int]
"""Device and inode: no other file has them as long as somebody holds the first one open."""


def identity(path: Path) -> Identity | None:
    """Return which file has this name now; None if there is none that can be seen."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class FileIdentities:
    """Some files that somebody holds open, as they were when this was made.

    Parameters
    ----------
    paths : iterable of pathlib.Path
        Those that are not there are passed over.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        found = ((path, identity(path)) for path in paths)
        self._files = [(path, file) for path, file in found if file is not None]

    def changed(self) -> Path | None:
        """Return the first path that is gone or names another file now; None if all are the same."""
        return next((path for path, file in self._files if identity(path) != file), None)


class FileContents:
    """Some files that nobody but their holder writes, as they were after the last write.

    A write by another program shows in the size or in the time of the last change. (Not in the time at which the
    file's entry changed: a hard link moves that too.)

    Parameters
    ----------
    paths : iterable of pathlib.Path
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._states: dict[Path, tuple[Identity, int, int] | None] = {}
        for path in paths:
            self.note(path)

    def note(self, path: Path) -> None:
        """Take a file as it is now for what the holder wrote."""
        self._states[path] = _state(path)

    def has_shrunk(self, path: Path) -> bool:
        """Return whether a file is smaller than it was at `note`."""
        before, now = self._states[path], _state(path)
        return before is not None and now is not None and now[1] < before[1]

    def changed(self) -> list[Path]:
        """Return the files that were written to since `note`: those that are gone, or are others now, were not."""
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
