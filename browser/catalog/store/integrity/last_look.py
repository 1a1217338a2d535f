# SPDX-License-Identifier: MIT
"""Remembers when a catalogue's file was last checked, so that not every command checks it again.

The note is in ``derived/``. If it is missing, or the file is not as its last writer left it, the whole file is checked.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.store.files.own_file import read_own_text, write_own_text

_RECHECK_SECONDS: Final = 86_400.0
"""Seconds after which even an untouched file is checked again, because disks can lose data."""


def last_look(path: Path) -> float | None:
    """Return when a catalogue was last checked, in seconds since 1970; None if it must be checked now."""
    try:
        at, *state = json.loads(read_own_text(_note(path)))
        return float(at) if 0 <= time.time() - at < _RECHECK_SECONDS and state == _state(path) else None
    except (OSError, ValueError, TypeError):
        return None


def note_look(path: Path, at: float) -> None:
    """Store that a checked catalogue is now as its last writer leaves it.

    Parameters
    ----------
    path : pathlib.Path
        The closed catalogue.
    at : float
        When it was checked, in seconds since 1970.
    """
    with suppress(OSError):
        state = _state(path)
        if state is None or last_look(path) == at:
            return
        # Systems round write times to milliseconds. A time between two steps cannot come from another write.
        os.utime(path, ns=(path.stat().st_atime_ns, time.time_ns()))
        write_own_text(_note(path), json.dumps([at, *(_state(path) or ())]))


def _state(path: Path) -> list[int] | None:
    """Return the file's identity, size and modification time; None if it is incomplete without its log."""
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        return None
    status = path.stat()
    return [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns]


def _note(path: Path) -> Path:
    return path.parent / "derived" / "looked-through"
