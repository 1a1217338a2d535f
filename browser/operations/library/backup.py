# SPDX-License-Identifier: MIT
"""Back up a library in the background when it has changed, with a copy in a second place."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.location import is_path
from focal_photos.browser.catalog.store.verified import damaged_among
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread

_TITLE: Final = Text("Backing up the library")
# Declared in `browser.operations.describing.settings`, which would load the description code: a command that backs up
# at its end does not need that.
_FOLDER: Final = "backup.folder"
_MEGABYTES: Final = "backup.megabytes"


@dataclass(frozen=True)
class BackupReport:
    """Result of `back_up`."""

    backup: Backup | None = None
    """The new backup; None if nothing had changed or none was due."""
    copied: Path | None = None
    """Its copy in the second place."""
    away: str | None = None
    """Why it was not copied to the second place; the next backup tries again."""


def back_up(library: Library, *, reason: str = "by hand", to: Path | None = None) -> Job[BackupReport]:
    """Make a backup now and copy it to the second place.

    Parameters
    ----------
    library : Library
        Open for writing. Other operations on it may continue.
    to : pathlib.Path, optional
        The second place, created if needed; default: that of the settings.

    Raises
    ------
    LibraryError
    OperationError
        If the given second place cannot be written.
    """

    def work(report: Callable[[float], None]) -> BackupReport:
        room = _room(library)
        path = library.database.back_up(reason, room=room, report=lambda share: report(0.7 * share))
        made = next(one for one in backups.all_in(path.parent) if one.path == path)
        try:
            return BackupReport(made, _copy(library, made, to, lambda share: report(0.7 + 0.3 * share)))
        except OSError as error:
            away = Text(
                "The second backup folder, {0}, cannot be used ({1}).", error.filename or to, error.strerror or error
            )
            if to is not None:
                raise OperationError("{0} The backup itself is in {1}.", away, path) from error
            return BackupReport(made, away=Text("{0} Focal tries it again at the next backup.", away))

    return (yield from in_thread(_TITLE, work))


def backup_is_due(library: Library, *, every: timedelta = backups.INTERVAL) -> bool:
    """Return whether the library has changed since the last backup and that is older than `every`.

    Also True if the second place is online again and lacks the newest backup.
    """
    if library.read_only:
        return False
    if library.database.changed_since_backup():
        # A library without a journal contains no user changes.
        journal = library.database.row("SELECT 1 FROM journal LIMIT 1")
        return journal is not None and backups.is_due(library.path, every=every)
    return _lacks_copy(library) is not None


def back_up_if_due(library: Library, *, every: timedelta = backups.INTERVAL) -> Job[BackupReport]:
    """Make a backup or the missing copy if `backup_is_due`; see `back_up`."""
    if not backup_is_due(library, every=every):
        return BackupReport()
    made = _lacks_copy(library)
    if made is None or library.database.changed_since_backup():
        return (yield from back_up(library, reason="hourly" if every == backups.INTERVAL else "daily"))

    def retry(report: Callable[[float], None]) -> BackupReport:
        try:
            return BackupReport(copied=_copy(library, made, None, report))
        except OSError as error:
            return BackupReport(
                away=Text("{0} cannot be written ({1}).", second_place(library), error.strerror or error)
            )

    return (yield from in_thread(_TITLE, retry))


def _lacks_copy(library: Library) -> Backup | None:
    """Return the newest backup if the second place is online and lacks it."""
    made = backups.not_damaged(library.path, backups.all_in(library.path / "backups"))
    place = second_place(library)
    if not made or place is None or not place.parent.is_dir():
        return None
    there = backups.not_damaged(library.path, backups.all_in(place))
    return None if made[-1].name in {one.name for one in there} else made[-1]


def second_place(library: Library, to: Path | None = None) -> Path | None:
    """Return the folder of a library's backups in the second place, which may be offline; None without one.

    Its name contains the name of the library's folder and a digest of its path, so that several libraries can share a
    second place.
    """
    folder = library.settings.get(_FOLDER, "") if to is None else str(to)
    if to is None and not is_path(folder):
        return None
    digest = hashlib.blake2b(os.fsencode(library.path), digest_size=4).hexdigest()
    return Path(folder) / f"focal-{library.path.name}-{digest}"


def all_backups(library: Library) -> list[Backup]:
    """Return a library's backups in both places by time; of backups in both, the one in the library."""
    return backups_of(library.path, second_place(library))


def backups_of(folder: Path, second: Path | None = None) -> list[Backup]:
    """Return the backups of the library in a folder, and those only in a second place."""
    near = backups.all_in(folder / "backups")
    known = {one.name for one in near}
    far = [] if second is None else [one for one in backups.all_in(second) if one.name not in known]
    return sorted([*near, *far], key=lambda one: (one.number, one.at))


def _copy(library: Library, made: Backup, to: Path | None, report: Callable[[float], None]) -> Path | None:
    place = second_place(library, to)
    if place is None:
        return None
    if to is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
    place.mkdir(exist_ok=True, mode=0o700)  # without parents: an offline drive has an empty mount point or none
    damaged = damaged_among(library.path, [one.path for one in backups.all_in(place)])
    return backups.copy_to(made, place, room=_room(library), damaged=damaged, report=report)


def _room(library: Library) -> int:
    """Return the maximum number of bytes of backups in one place."""
    stored = library.settings.get(_MEGABYTES)
    return stored << 20 if isinstance(stored, int) and stored > 0 else backups.MAX_TOTAL_BYTES
