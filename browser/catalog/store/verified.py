# SPDX-License-Identifier: MIT
"""Record of the last check of each backup of a library, with its result.

The record is in ``derived/``: it is specific to this computer and its disks, is not archived, and without it backups
count as unchecked. An entry is valid as long as the file has the same size and modification time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked

MONTH: Final = timedelta(days=30)
_NAME: Final = "verified-backups.json"


@dataclass(frozen=True)
class Verification:
    """Result of the check of a backup."""

    at: datetime
    problem: str | None
    """Error text; None if the backup is sound."""


def note(folder: Path, catalogue: Path, problem: str | None) -> None:
    """Record that a backup was checked now; on read-only media, do nothing.

    Parameters
    ----------
    catalogue : pathlib.Path
        Catalogue file of the backup, in any folder.
    """
    known = _read(folder)
    with suppress(OSError):
        known[_key(folder, catalogue)] = {
            "at": timestamps.to_text(timestamps.now()),
            "problem": problem,
            "file": _file(catalogue),
        }
        # An offline second folder may come back: only files deleted from the library are dropped.
        existing = {key: entry for key, entry in known.items() if Path(key).is_absolute() or (folder / key).exists()}
        write_checked(folder / "derived" / _NAME, existing)


def verifications(folder: Path, catalogues: Iterable[Path]) -> dict[Path, Verification]:
    """Return the recorded checks of backups whose files are unchanged."""
    known = _read(folder)
    found = {}
    for path in catalogues if known else ():
        entry = known.get(_key(folder, path))
        with suppress(OSError, ValueError, KeyError, TypeError):
            if entry is not None and entry["file"] == _file(path):
                problem = entry["problem"]
                found[path] = Verification(timestamps.from_text(entry["at"]), None if problem is None else str(problem))
    return found


def damaged_among(folder: Path, catalogues: Iterable[Path]) -> set[Path]:
    """Return the backups that were damaged at their last check."""
    return {path for path, one in verifications(folder, catalogues).items() if one.problem is not None}


def is_overdue(checks: Collection[Verification], oldest_backup: datetime | None) -> bool:
    """Return whether no backup was found sound for a month.

    Parameters
    ----------
    oldest_backup : datetime or None
        Time of the oldest backup, from which to count if none was checked. None: there are no backups.
    """
    if oldest_backup is None:
        return False
    last = max((one.at for one in checks if one.problem is None), default=oldest_backup)
    # A time in the future came from a wrong clock.
    return not timedelta(0) <= timestamps.now() - last < MONTH


def _read(folder: Path) -> dict[str, Any]:
    content = read_checked(folder / "derived" / _NAME)
    return content if isinstance(content, dict) else {}


def _key(folder: Path, catalogue: Path) -> str:
    """Return the key of a backup in the record: relative inside the library, which may be moved."""
    return str(catalogue.relative_to(folder) if catalogue.is_relative_to(folder) else catalogue)


def _file(catalogue: Path) -> list[int]:
    status = catalogue.stat()
    return [status.st_size, status.st_mtime_ns]
