"""When the file of a catalogue was last looked through, and which file that was: not every command does it again.

The note lies in ``derived/``: without it, or where the file is not as its last writer left it, all of it is looked at.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.store.files.own_file import read_own_text, write_own_text

_AGAIN: Final = 86_400.0
"""Seconds after which a file is looked through though nobody touched it: disks forget by themselves."""


def last_look(path: Path) -> float | None:
    """Return when a catalogue was last looked through, in seconds since 1970; None if that has to be done now.

    Parameters
    ----------
    path : pathlib.Path
        The catalogue.
    """
    try:
        at, *state = json.loads(read_own_text(_note(path)))
        return float(at) if 0 <= time.time() - at < _AGAIN and state == _state(path) else None
    except (OSError, ValueError, TypeError):
        return None


def note_look(path: Path, at: float) -> None:
    """Note that a catalogue that was looked through is now as its last writer leaves it.

    Parameters
    ----------
    path : pathlib.Path
        The catalogue, which is closed.
    at : float
        When it was looked through.
    """
    with suppress(OSError):
        state = _state(path)
        if state is None or last_look(path) == at:
            return
        # Systems count the time of a write in steps of milliseconds. One between two steps is that of no other write.
        os.utime(path, ns=(path.stat().st_atime_ns, time.time_ns()))
        write_own_text(_note(path), json.dumps([at, *(_state(path) or ())]))


def _state(path: Path) -> list[int] | None:
    """Return which file it is, its size and the time of its last write; None where it is not whole without its log."""
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        return None
    status = path.stat()
    return [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns]


def _note(path: Path) -> Path:
    return path.parent / "derived" / "looked-through"
