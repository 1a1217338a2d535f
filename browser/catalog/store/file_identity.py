"""Whether files are still those that they were: not deleted, moved or replaced under the same name."""

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
