"""When each backup of a library was read and checked last, and what was wrong with it.

The record lies in ``derived/``: it holds for this computer and its disks, no archive takes it along, and without it
backups count as not checked yet. What it says of a file holds as long as the file has the same size and date.
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
    """What was found when a backup was read and checked.

    Attributes
    ----------
    at : datetime
        When, as the clock said then.
    problem : str or None
        What was wrong with it; None where it is sound.
    """

    at: datetime
    problem: str | None


def note(folder: Path, catalogue: Path, problem: str | None) -> None:
    """Record that a backup was checked now; nothing is recorded where nothing can be written.

    Parameters
    ----------
    folder : pathlib.Path
        Of the library.
    catalogue : pathlib.Path
        The file of the backup, in any place.
    problem : str or None
        What is wrong with it.
    """
    known = _read(folder)
    with suppress(OSError):
        known[_key(folder, catalogue)] = {
            "at": timestamps.to_text(timestamps.now()),
            "problem": problem,
            "file": _file(catalogue),
        }
        # A second place that is away may come back: only what is gone from the library is forgotten.
        kept = {key: entry for key, entry in known.items() if Path(key).is_absolute() or (folder / key).exists()}
        write_checked(folder / "derived" / _NAME, kept)


def verifications(folder: Path, catalogues: Iterable[Path]) -> dict[Path, Verification]:
    """Return what is recorded of backups whose files are as they were then."""
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
    """Return the backups that were found damaged when they were checked last."""
    return {path for path, one in verifications(folder, catalogues).items() if one.problem is not None}


def is_overdue(checks: Collection[Verification], oldest_backup: datetime | None, *, after: timedelta = MONTH) -> bool:
    """Return whether no backup was found sound for a long time.

    Parameters
    ----------
    checks : collection of Verification
    oldest_backup : datetime or None
        When the oldest backup was made: time counts from there where none was checked yet. None if there is none.
    after : datetime.timedelta
    """
    if oldest_backup is None:
        return False
    last = max((one.at for one in checks if one.problem is None), default=oldest_backup)
    # What is dated in the future was dated by a clock that was wrong.
    return not timedelta(0) <= timestamps.now() - last < after


def _read(folder: Path) -> dict[str, Any]:
    content = read_checked(folder / "derived" / _NAME)
    return content if isinstance(content, dict) else {}


def _key(folder: Path, catalogue: Path) -> str:
    """Return the name of a backup in the record: relative in the library, which may be moved."""
    return str(catalogue.relative_to(folder) if catalogue.is_relative_to(folder) else catalogue)


def _file(catalogue: Path) -> list[int]:
    status = catalogue.stat()
    return [status.st_size, status.st_mtime_ns]
