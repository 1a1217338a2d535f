# SPDX-License-Identifier: MIT
"""Read and check all backups of a library, in both places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups, verified
from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.library.backup import all_backups, second_place

_TITLE: Final = Text("Verifying the backups")

Report = Callable[[float], None]


class Condition(StrEnum):
    """Condition of a backup."""

    SOUND = "sound"
    DAMAGED = "damaged"
    MISSING = "missing"


@dataclass(frozen=True)
class VerifiedBackup:
    """A backup and its condition."""

    name: str
    """Name of the backup; empty for an offline second place."""
    path: Path
    """Path of its catalogue, or of the offline place."""
    condition: Condition
    reason: str = ""
    """The problem; empty if it is sound."""


def verify_backups(library: Library) -> Job[list[VerifiedBackup]]:
    """Read all backups in the library and in the second place; for the checks see `backups.verify`.

    Damaged backups are recorded. Rotation then ignores them, and only the user can delete them. Missing backups are
    those with a manifest but no catalogue, and the newest one if the second place lacks it.

    Parameters
    ----------
    library : Library
        May be read-only; results are recorded if possible.

    Returns
    -------
    list of VerifiedBackup
        Those in the library first, by time.
    """
    near, far = library.path / "backups", second_place(library)
    places = [near] if far is None else [near, far]
    copies = [one for place in places for one in backups.all_in(place)]
    total, done = sum(one.bytes for one in copies), 0
    found = []
    for one in copies:
        problem = yield from in_thread(_TITLE, _verify(one, done, total), keeps=False)
        done += one.bytes
        if problem is not None and not one.path.exists():
            continue  # deleted by rotation meanwhile
        verified.note(library.path, one.path, problem)
        condition = Condition.SOUND if problem is None else Condition.DAMAGED
        found.append(VerifiedBackup(one.name, one.path, condition, problem or ""))
    for place in places:
        for name in backups.lost_in(place):
            path = place / f"{name}.sqlite"
            reason = Text("The backup {0} is missing: only its manifest exists. The next backup deletes it.", path)
            found.append(VerifiedBackup(name, path, Condition.MISSING, reason))
    if far is not None:
        found += _missing_in(far, near)
    return found


def _verify(one: Backup, done: int, total: int) -> Callable[[Report], str | None]:
    def work(report: Report) -> str | None:
        return backups.verify(one, lambda share: report((done + share * one.bytes) / max(total, 1)))

    return work


def _missing_in(far: Path, near: Path) -> list[VerifiedBackup]:
    """Return the newest backup if the second place lacks it, or that place if it is offline."""
    made = backups.all_in(near)
    if not far.parent.is_dir():
        reason = Text(
            "The second backup folder, {0}, is offline: connect its drive, or choose another folder.", far.parent
        )
        return [VerifiedBackup("", far, Condition.MISSING, reason)]
    if not made or made[-1].name in {one.name for one in backups.all_in(far)}:
        return []
    path = far / made[-1].path.name
    reason = Text(
        "The backup {0} is missing: the newest backup was not copied there. The next backup tries again.", path
    )
    return [VerifiedBackup(made[-1].name, path, Condition.MISSING, reason)]


def last_verified(library: Library) -> dict[Path, verified.Verification]:
    """Return the recorded results for the backups in both places, by path."""
    places = [library.path / "backups", second_place(library)]
    paths = [one.path for place in places if place is not None for one in backups.all_in(place)]
    return verified.verifications(library.path, paths)


def verification_is_due(library: Library) -> bool:
    """Return whether a month has passed since a backup was found sound, or else since the first backup."""
    made = all_backups(library)
    oldest = min((one.at for one in made), default=None)
    return verified.is_overdue(last_verified(library).values(), oldest)
