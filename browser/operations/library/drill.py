# SPDX-License-Identifier: MIT
"""Restore drill: restore a backup to a temporary folder, open and check it there, then delete it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library, LibraryDamagedError, LibraryError, LibraryFullError
from focal_photos.browser.catalog.store import backups, verified
from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.files.scratch import Scratch
from focal_photos.browser.catalog.store.migrations import migrations
from focal_photos.browser.catalog.store.rescue.difference import Difference, difference
from focal_photos.browser.catalog.store.rescue.restore import CATALOGUE, filled_from, metrics_of, replace_catalogue
from focal_photos.browser.catalog.store.translation import translated
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.loaded_metric import load_metric

_TITLE: Final = Text("Trying to restore")
_COUNTED: Final = {
    "photos": "SELECT count(*) FROM photo",
    "tags": "SELECT count(*) FROM tag",
    "tagged": "SELECT count(*) FROM photo_tag",
    "judgements": "SELECT count(*) FROM judgement",
    "relations": "SELECT count(*) FROM judged_relation",
    "texts": "SELECT count(*) FROM text_judgement",
    "regions": "SELECT count(*) FROM region_judgement",
    "boxes": "SELECT count(*) FROM box",
    "metrics": "SELECT count(*) FROM metric WHERE file IS NOT NULL",
}
_NOTED_AS: Final = {"tagged": "tags"}  # tags in a manifest are pairs of a photo and a tag

Report = Callable[[float], None]


@dataclass(frozen=True)
class Drill:
    """Result of a drill."""

    backup: Backup
    problems: list[str]
    """Problems of the backup; empty if it can be restored."""
    restored: dict[str, int] = field(default_factory=dict)
    """Numbers in the restored library: ``photos``, ``tags``, ``tagged`` (pairs of a photo and a tag), ``judgements``
    (of all kinds), ``boxes`` and ``metrics``; empty if it could not be opened."""
    present: dict[str, int] = field(default_factory=dict)
    """The same numbers in the present library; empty if unreadable."""
    changes: int | None = None
    """Number of steps in the undo history since the backup. None if the library is unreadable."""
    differences: list[Difference] = field(default_factory=list)
    """Changes that a restore would make: data lost and recovered."""

    @property
    def sound(self) -> bool:
        """Whether the backup can be restored completely."""
        return not self.problems


def drill(folder: Path, backup: Backup, library: Library | None) -> Job[Drill]:
    """Restore a backup to a temporary folder, open and check it, and compare it with the library.

    The library is only read, and may be open in other programs. The result is recorded in its ``derived`` folder, if
    that is writable. No other files remain, even if the job is closed. Files left by a killed program are deleted when
    the next library is opened.

    Parameters
    ----------
    library : Library or None
        The library, which may be read-only; None if it cannot be opened, in which case only the backup is checked.

    Raises
    ------
    OperationError
        If the drill cannot be done for lack of space. This says nothing about the backup.
    """

    def work(report: Report) -> Drill:
        problem = backups.verify(backup, lambda share: report(0.4 * share))
        latest = migrations()[-1].version
        if problem is None and backup.version > latest:
            raise OperationError(
                "The backup {0} was written by a later version of Focal: update Focal first.", backup.path
            )
        if problem is not None:
            return Drill(backup, [problem])
        try:
            with Scratch() as scratch, translated(scratch.path):
                _require_room(scratch.path, backup, library)
                return _try(backup, library, scratch.path, report)
        except LibraryDamagedError:
            raise
        except (LibraryError, OSError) as error:  # error of the temporary folder: full or not writable
            raise OperationError("The restore cannot be tried: {0}", error) from error

    result = yield from in_thread(_TITLE, work)
    verified.note(folder, backup.path, result.problems[0] if result.problems else None)
    return result


def _require_room(scratch: Path, backup: Backup, library: Library | None) -> None:
    """Raise if the temporary folder has not enough space for all copies."""
    metrics = sum(path.stat().st_size for path in metrics_of(backup).values())
    present = 0 if library is None else (library.path / CATALOGUE).stat().st_size
    needed = 3 * backup.bytes + metrics + present  # the copy, and one copy each for replacing and for migration
    if shutil.disk_usage(scratch).free < needed:
        raise OperationError(
            "The restore cannot be tried: it needs {0:.0f} MB in {1} for a short time. "
            "Free some room there, or name another folder in the environment variable TMPDIR.",
            needed / 1e6,
            tempfile.gettempdir(),
        )


def _try(backup: Backup, library: Library | None, scratch: Path, report: Report) -> Drill:
    place = scratch / "library"
    place.mkdir(mode=0o700)
    replace_catalogue(place, filled_from(backup.path), metrics_of(backup))
    report(0.6)
    problems: list[str] = []
    restored: dict[str, int] = {}
    try:
        with Library.open(place) as tried:
            problems += [Text("The restored catalogue is damaged: {0}.", problem) for problem in tried.database.check()]
            report(0.75)
            restored = _counts(tried)
            for metric in tried.metrics.all():
                if metric.file is not None:
                    try:
                        load_metric(tried, metric)
                    except OperationError as error:
                        problems.append(str(error))
    except LibraryFullError:
        raise
    except LibraryError as error:
        problems.append(Text("The restored library cannot be opened: {0}", error))
    for name, number in restored.items():
        noted = backup.counts.get(_NOTED_AS.get(name, name)) if name != "tags" else None
        if noted not in (None, number):
            problems.append(
                Text("The backup {0} has {1} {2}, but its manifest lists {3}.", backup.path, number, name, noted)
            )
    restored = backups.judgements_together(restored)
    report(0.8)
    if library is None:
        return Drill(backup, problems, restored)
    present = scratch / "present.sqlite"
    try:
        library.database.copy_to(present)
        report(0.9)
        with closing(sqlite3.connect(f"{present.as_uri()}?immutable=1", uri=True)) as connection:
            connection.execute("ATTACH ? AS backup", (f"{backup.path.absolute().as_uri()}?immutable=1",))
            since = "SELECT count(*) FROM main.journal WHERE id > (SELECT coalesce(max(id), 0) FROM backup.journal)"
            (changes,) = connection.execute(since).fetchone()
        now = backups.judgements_together(_counts(library))
        return Drill(backup, problems, restored, now, int(changes), difference(present, backup.path))
    except (LibraryDamagedError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.OperationalError):  # no space or no access: not the library's fault
            raise
        return Drill(backup, problems, restored)


def _counts(library: Library) -> dict[str, int]:
    found = {name: library.database.row(sql) for name, sql in _COUNTED.items()}
    return {name: int(row[0]) for name, row in found.items() if row is not None}


def drill_document(result: Drill) -> dict[str, Any]:
    """Return the ``--json`` document of a drill."""
    return {
        "backup": result.backup.name,
        "path": str(result.backup.path),
        "sound": result.sound,
        "problems": result.problems,
        "counts": {
            name: {"backup": result.restored.get(name), "library": result.present.get(name)}
            for name in _COUNTED
            if name not in backups.FURTHER_JUDGEMENTS
        },
        "changes": result.changes,
        "differences": [
            {
                "kind": one.kind,
                "lost": one.lost,
                "gained": one.gained,
                "lost_examples": list(one.lost_examples),
                "gained_examples": list(one.gained_examples),
            }
            for one in result.differences
        ],
    }
