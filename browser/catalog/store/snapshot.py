"""A private copy of a catalogue whose write-ahead log is unfinished, where nothing can be written."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path


def copy_of(path: Path) -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """Copy a database and its write-ahead log into a temporary folder.

    Returns
    -------
    tempfile.TemporaryDirectory
        To be cleaned up when the copy is closed.
    pathlib.Path
        The copied database; opening it takes the log in.
    """
    folder = tempfile.TemporaryDirectory(prefix="focal-")
    try:
        target = Path(folder.name) / path.name
        shutil.copyfile(path, target)
        shutil.copyfile(f"{path}-wal", f"{target}-wal")
    except BaseException:
        folder.cleanup()
        raise
    return folder, target
