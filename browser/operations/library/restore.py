# SPDX-License-Identifier: MIT
"""Restore a backup, or rescue a damaged catalogue: verified first, then replaced atomically.

Both require that no program has the library open, and keep the replaced catalogue.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.errors import LibraryDamagedError
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.catalog.store.lock import LibraryLock
from focal_photos.browser.catalog.store.migrations import migrations
from focal_photos.browser.catalog.store.rescue.difference import Difference, difference
from focal_photos.browser.catalog.store.rescue.rescue import RescueReport, rescue
from focal_photos.browser.catalog.store.rescue.restore import (
    CATALOGUE,
    filled_from,
    finish_replacing,
    metrics_of,
    replace_catalogue,
    replaced_in,
    take_back,
)
from focal_photos.browser.catalog.store.translation import translated
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread

_RESTORING: Final = Text("Restoring the library")
_RESCUING: Final = "Rescuing the library"

Report = Callable[[float], None]


@dataclass(frozen=True)
class Restored:
    """Result of a restore or rescue, done or simulated."""

    backup: Backup | None = None
    """The restored backup; None after a rescue or `take_back_last`."""
    rescued: RescueReport | None = None
    """Data recovered from the damaged catalogue."""
    differences: list[Difference] = field(default_factory=list)
    """Changes of the library: data lost and recovered."""
    kept: Path | None = None
    """Folder of the replaced catalogue."""
    damaged: bool = False
    """Whether the previous catalogue is damaged; its readable part was compared."""
    output: Path | None = None
    """The new library, if requested."""


def find_backup(folder: Path, name: str | None = None, places: tuple[Path, ...] = ()) -> Backup:
    """Return a backup of a library by name, number or path; default: the newest.

    Raises
    ------
    OperationError
        If there is no such backup.
    """
    found = backups.all_in(folder / "backups")
    for place in places:
        found += [one for one in backups.all_in(place) if one.name not in {near.name for near in found}]
    if name is None:
        if not found:
            raise OperationError(
                "There is no backup of the library {0}: focal rescue extracts the intact data.", folder
            )
        return max(found, key=lambda one: one.number)
    path = Path(name).expanduser()
    if path.is_file():
        found = backups.all_in(absolute(path).parent)
        path = absolute(path)
    wanted = next(
        (one for one in found if name in (one.name, one.path.name, str(one.number)) or one.path == path), None
    )
    if wanted is None:
        raise OperationError("There is no backup {0}: focal backup --list shows all backups.", name)
    return wanted


def restore(folder: Path, backup: Backup, *, dry_run: bool = False) -> Job[Restored]:
    """Replace the library's catalogue by a backup.

    All bytes and rows of the backup are verified first. The present catalogue, damaged or not, is kept in a folder
    below ``replaced``; `take_back_last` restores it.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the library, which no program may have open.
    dry_run : bool
        Whether to compare only.

    Raises
    ------
    LibraryInUseError
        If a program has the library open.
    OperationError
        If the backup is damaged or of a later version; nothing was changed.
    LibraryError
    """

    def work(report: Report) -> Restored:
        with _alone(folder), translated(folder):
            problem = backups.problem_of(backup, lambda share: report(0.4 * share))
            if problem is None and backup.version > _latest():
                problem = Text(
                    "The backup {0} was written by a later version of Focal: update Focal first.", backup.path
                )
            if problem is not None:
                raise OperationError(problem)
            with tempfile.TemporaryDirectory(prefix="focal-") as scratch:
                present, damaged = _present(folder, Path(scratch), None, lambda share: report(0.4 + 0.4 * share))
                found = [] if present is None else difference(present, backup.path)
            report(0.9)
            if dry_run:
                return Restored(backup, None, found, None, damaged)
            former = replace_catalogue(folder, filled_from(backup.path), metrics_of(backup))
            return Restored(backup, None, found, None if former is None else former.path, damaged)

    result = yield from in_thread(_RESTORING, work)
    if not dry_run:
        _require_open(folder)
    return result


def compare(library: Library, backup: Backup) -> Job[list[Difference]]:
    """Return the data that restoring a backup would remove from and add to an open library.

    Raises
    ------
    OperationError
        If the backup is damaged.
    """

    def work(report: Report) -> list[Difference]:
        problem = backups.problem_of(backup, lambda share: report(0.5 * share))
        if problem is not None:
            raise OperationError(problem)
        with tempfile.TemporaryDirectory(prefix="focal-") as scratch:
            present = Path(scratch) / "present.sqlite"
            library.database.copy_to(present)
            report(0.7)
            return difference(present, backup.path)

    return (yield from in_thread(Text("Comparing"), work))


def take_back_last(folder: Path) -> Job[Restored]:
    """Restore the catalogue that the last restore or rescue replaced, and keep the present one.

    Raises
    ------
    LibraryInUseError
    OperationError
        If nothing was replaced yet.
    """

    def work(_report: Report) -> Restored:
        with _alone(folder), translated(folder):
            there = replaced_in(folder)
            if not there:
                raise OperationError("No catalogue of {0} has been replaced yet: there is nothing to undo.", folder)
            former = take_back(folder, there[-1])
            return Restored(kept=None if former is None else former.path)

    return (yield from in_thread(_RESTORING, work))


def rescue_library(folder: Path, *, output: Path | None = None, dry_run: bool = False) -> Job[Restored]:
    """Recover all sound rows of the library's catalogue, join them with the newest sound backup, and use the result.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the library, which no program may have open.
    output : pathlib.Path, optional
        A new or empty folder for a new library; the old one then stays unchanged. By default, the old library gets the
        new catalogue, as in `restore`.

    Returns
    -------
    Restored
        Its differences are between the newest sound backup and the rescued data.

    Raises
    ------
    LibraryInUseError, LibraryDamagedError, OperationError
    """

    def work(report: Report) -> Restored:
        if output is not None and output.exists() and (not output.is_dir() or any(output.iterdir())):
            raise OperationError("{0} exists already: choose a new or an empty folder.", output)
        with _alone(folder), translated(folder), tempfile.TemporaryDirectory(prefix="focal-") as scratch:
            backup = next((one for one in reversed(backups.all_in(folder / "backups")) if _is_good(one)), None)
            place = Path(scratch)
            new, found = place / "rescued.sqlite", RescueReport()
            older, damaged = None if backup is None else backup.path, True
            try:
                original = _original(folder, place)
                found = rescue(original, new, older, report=lambda share: report(0.8 * share))
                damaged = found.damaged or _whole(original, place) is None
            except (LibraryDamagedError, FileNotFoundError):
                if backup is None:
                    raise
                shutil.copyfile(backup.path, new)
                found.problems.append("The catalogue cannot be read at all: the newest backup replaces it.")
            backups.require_sound(new)
            differences = [] if backup is None else difference(backup.path, new)
            metrics = {} if backup is None else metrics_of(backup)
            metrics = {name: path for name, path in metrics.items() if not (folder / "metrics" / name).exists()}
            result = Restored(backup, found, differences, damaged=damaged)
            if dry_run:
                return result
            if output is None:
                former = replace_catalogue(folder, filled_from(new), metrics)
                return Restored(backup, found, differences, None if former is None else former.path, damaged)
            _fill_new(output, folder, new, metrics)
            return Restored(backup, found, differences, None, damaged, output)

    result = yield from in_thread(_RESCUING, work)
    if not dry_run:
        _require_open(folder if output is None else output)
    return result


# ---------------------------------------------------------------------- details
@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the library's lock, and complete a replacement that a killed program has begun."""
    if not folder.is_dir():
        raise LibraryError("There is no library in {0}.", folder)
    lock = LibraryLock(folder)
    try:
        finish_replacing(folder)
        yield
    finally:
        lock.release()


def _latest() -> int:
    return migrations()[-1].version


def _is_good(backup: Backup) -> bool:
    return backup.version <= _latest() and backups.problem_of(backup) is None


def _original(folder: Path, scratch: Path) -> Path:
    """Copy the catalogue and its log unchanged, without opening the originals."""
    copy = scratch / "original" / CATALOGUE
    copy.parent.mkdir(exist_ok=True)
    shutil.copyfile(folder / CATALOGUE, copy)
    with suppress(FileNotFoundError):
        shutil.copyfile(f"{folder / CATALOGUE}-wal", f"{copy}-wal")
    return copy


def _present(folder: Path, scratch: Path, backup: Path | None, report: Report) -> tuple[Path | None, bool]:
    """Return a sound copy of the catalogue in one file (None if impossible), and whether the original is damaged."""
    try:
        copy = _original(folder, scratch)
    except FileNotFoundError:
        return None, False
    whole = _whole(copy, scratch, report)
    if whole is not None:
        return whole, False
    with suppress(LibraryDamagedError):
        rescued = scratch / "rescued.sqlite"
        rescue(copy, rescued, backup, report=report)
        return rescued, True
    return None, True


def _whole(copy: Path, scratch: Path, report: Report = lambda _share: None) -> Path | None:
    """Return a copied catalogue and its log as one file; None if they are damaged."""
    whole = scratch / "whole.sqlite"
    try:
        shutil.copytree(copy.parent, scratch / "opened")
        with closing(sqlite3.connect(scratch / "opened" / CATALOGUE)) as old, closing(sqlite3.connect(whole)) as new:
            old.backup(new)
        backups.require_sound(whole, report)
        return whole
    except (sqlite3.Error, LibraryDamagedError):
        return None


def _require_open(folder: Path) -> None:
    """Open a library once, which migrates it, and check all of it; otherwise raise with the remedy."""
    try:
        with Library.open(folder) as library:
            problems = library.database.check()
    except LibraryError as error:
        raise OperationError("{0} focal restore --undo restores the previous catalogue.", error) from error
    if problems:
        raise OperationError("{0}: focal restore --undo restores the previous catalogue.", problems[0])


def _fill_new(output: Path, folder: Path, catalogue: Path, metrics: dict[str, Path]) -> None:
    """Make a new library: metrics first, catalogue last."""
    output.mkdir(parents=True, exist_ok=True, mode=0o700)
    (output / "metrics").mkdir(exist_ok=True)
    there = {path.name: path for path in (folder / "metrics").glob("*.npz")} if (folder / "metrics").is_dir() else {}
    for name, path in {**metrics, **there}.items():
        with replacing(output / "metrics" / name) as part:
            shutil.copyfile(path, part)
    with replacing(output / CATALOGUE) as part:
        filled_from(catalogue)(part)


def document(result: Restored) -> dict[str, Any]:
    """Return the ``--json`` document of a restore or rescue."""
    rescued = result.rescued
    return {
        "backup": None if result.backup is None else result.backup.name,
        "damaged": result.damaged,
        "kept": None if result.kept is None else str(result.kept),
        "output": None if result.output is None else str(result.output),
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
        "rescued": None
        if rescued is None
        else {
            "rows": rescued.rows,
            "pages": rescued.pages,
            "broken_pages": rescued.broken_pages,
            "lost_frames": rescued.lost_frames,
            "changed": rescued.changed,
            "from_journal": rescued.from_journal,
            "from_backup": rescued.from_backup,
            "from_indexes": rescued.from_indexes,
            "left_out": rescued.left_out,
            "problems": rescued.problems,
        },
    }


def rescue_lines(result: Restored) -> list[str]:
    """Return a summary of the data recovered from a damaged catalogue."""
    found = result.rescued
    if found is None:
        return []
    rows = found.rows
    kinds = {
        "photo": "photos",
        "photo_tag": "tags",
        "judgement": "judgements",
        "box": "boxes",
        "mark": "ratings and labels",
    }
    lines = ["Sound: " + ", ".join(f"{rows.get(table, 0)} {kind}" for table, kind in kinds.items()) + "."]
    if not result.damaged:
        lines.append("Nothing of the catalogue is damaged.")
    if found.broken_pages or found.lost_frames:
        lines.append(
            f"{found.broken_pages} of {found.pages} pages and {found.lost_frames} entries of the log are broken."
        )
    for words, counts in (
        ("damaged, and skipped", found.changed),
        ("found again in the undo history", found.from_journal),
        ("found again in the newest backup", found.from_backup),
        ("found again in indexes", found.from_indexes),
        ("left out, because their tag or photo is lost", found.left_out),
    ):
        if counts:
            lines.append(
                f"{sum(counts.values())} rows {words} ({', '.join(f'{n} of {t}' for t, n in counts.items())})."
            )
    if found.placeholders:
        lines.append(f"{found.placeholders} photos are known only by their files: indexing reads them again.")
    return [*lines, *found.problems]
