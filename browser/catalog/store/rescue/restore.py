# SPDX-License-Identifier: MIT
"""Atomically replaces a library's catalogue by another, and saves the replaced one.

The replaced catalogue with its log is moved to a folder below ``replaced``. The new catalogue is valid as soon as the
file ``restoring.json`` exists: a program that finds this file completes the replacement that another, killed program
began.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.atomic_file import atomic_file, replacing, sync
from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.catalog.store.errors import LibraryError, disk_full
from focal_photos.browser.catalog.store.integrity.commit_count import forget_token

CATALOGUE: Final = "catalog.sqlite"
_PARTS: Final = (CATALOGUE, f"{CATALOGUE}-wal", "catalog.commits")  # files that form the state of a catalogue
_MARKER: Final = "restoring.json"
_RESTORED_NAME: Final = f"{CATALOGUE}.restored"
_REPLACED_RETAINED: Final = 3  # number of replaced catalogues to retain


@dataclass(frozen=True)
class Replaced:
    """A saved catalogue that was replaced by another."""

    path: Path
    """Folder with the catalogue, its log, its commit count, and replaced metric files."""
    number: int
    at: datetime


def replaced_in(folder: Path) -> list[Replaced]:
    """Return the replaced catalogues of the library in `folder`, oldest replacement first."""
    found = []
    with suppress(OSError):
        for path in (folder / "replaced").iterdir():
            number, _, stamp = path.name.partition("-")
            with suppress(ValueError):
                at = datetime.strptime(stamp, "%Y%m%dT%H%M%S%f%z")
                found.append(Replaced(path, int(number), at))
    return sorted(found, key=lambda one: one.number)


def replace_catalogue(
    folder: Path,
    fill: Callable[[Path], None],
    metrics: dict[str, Path],
    *,
    beside: dict[str, Path] | None = None,
    step: Callable[[str], None] = lambda _name: None,
) -> Replaced | None:
    """Replace the library's catalogue by a new one.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the library. The caller holds its lock, and the library is not open.
    fill : callable
        Called with a path; writes the new catalogue there as a single file.
    metrics : dict of str to pathlib.Path
        Metric files of the new catalogue by name, with their current paths. A different file of the same name is saved
        with the replaced catalogue.
    beside : dict of str to pathlib.Path, optional
        Its log and its commit count by name, if it has these, with their current paths.
    step : callable
        Called with the name of each step before it, for tests.

    Returns
    -------
    Replaced or None
        The saved old catalogue; None if there was none.

    Raises
    ------
    OSError, sqlite3.Error, LibraryFullError
        If it fails; nothing has changed then.
    """
    new = folder / _RESTORED_NAME
    _forget_new(folder)
    former = _next_place(folder)
    step("write")
    try:
        with replacing(new) as part:
            fill(part)
        for name, source in (beside or {}).items():
            _copy(source, folder / f"{name}.restored")
        step("keep")
        former.path.mkdir(parents=True, mode=0o700)
        there = [name for name in _PARTS if (folder / name).exists()]
        size = sum((folder / name).stat().st_size for name in there)
        if shutil.disk_usage(folder).free < size and there:
            raise disk_full(folder)
        for name in there:
            _copy(folder / name, former.path / name)
        _keep_metrics(folder, metrics, former.path, step)
        sync(former.path)
        sync(former.path.parent)
    except BaseException:
        _forget_new(folder)
        shutil.rmtree(former.path, ignore_errors=True)
        raise
    step("mark")
    with atomic_file(folder / _MARKER) as stream:
        stream.write(json.dumps({"kept": former.path.name}).encode())
    finish_replacing(folder, step=step)
    for old in replaced_in(folder)[:-_REPLACED_RETAINED]:
        shutil.rmtree(old.path, ignore_errors=True)
    return former if there else None


def finish_replacing(folder: Path, *, step: Callable[[str], None] = lambda _name: None) -> bool:
    """Complete an interrupted `replace_catalogue`; return whether there was one.

    The caller holds the library's lock, and the library is not open.
    """
    marker, new = folder / _MARKER, folder / _RESTORED_NAME
    if not marker.exists():
        _forget_new(folder)
        return False
    if new.exists():  # else the renaming was already done
        for end in ("-wal", "-shm", "-journal"):
            step(f"delete {end}")
            Path(f"{folder / CATALOGUE}{end}").unlink(missing_ok=True)
        (folder / "catalog.commits").unlink(missing_ok=True)
        sync(folder)
        step("rename")
        new.replace(folder / CATALOGUE)
        sync(folder)
    for name in _PARTS[1:]:
        step(f"rename {name}")
        with suppress(FileNotFoundError):
            (folder / f"{name}.restored").replace(folder / name)
    sync(folder)
    step("unmark")
    marker.unlink()
    sync(folder)
    return True


def is_replacing(folder: Path) -> bool:
    """Return whether a replacement of the library's catalogue is incomplete."""
    return (folder / _MARKER).exists()


def filled_from(backup: Path) -> Callable[[Path], None]:
    """Return a function that copies a sound catalogue to a single file, with a new identity."""

    def fill(target: Path) -> None:
        shutil.copyfile(backup, target)
        with closing(sqlite3.connect(target)) as copy:
            forget_token(copy)
            copy.commit()
            copy.execute("PRAGMA journal_mode = DELETE")

    return fill


def metrics_of(backup: Backup) -> dict[str, Path]:
    """Return the metric files of a backup by their names in a library."""
    return {name: backup.metrics_folder / digest for name, digest in backup.metrics.items()}


def take_back(folder: Path, replaced: Replaced) -> Replaced | None:
    """Restore a replaced catalogue with its log, damaged or not; the present one is saved in turn.

    Raises
    ------
    OSError
    LibraryError
        If its files are missing.
    """
    old = replaced.path / CATALOGUE
    if not old.exists():
        raise LibraryError("There is no catalogue in {0}, so it cannot be restored.", replaced.path)
    metrics = {path.name: path for path in (replaced.path / "metrics").glob("*") if path.is_file()}
    beside = {name: replaced.path / name for name in _PARTS[1:] if (replaced.path / name).exists()}

    def fill(target: Path) -> None:
        shutil.copyfile(old, target)

    return replace_catalogue(folder, fill, metrics, beside=beside)


def _forget_new(folder: Path) -> None:
    """Delete prepared files that are not yet valid."""
    prepared = {f"{name}.restored" for name in _PARTS}
    strays = tuple(f".{name}." for name in (*prepared, _MARKER))  # left by a killed program
    for path in folder.iterdir():  # one pass, because every command that writes does this
        if path.name in prepared or (path.name.startswith(strays) and ".part" in path.name):
            path.unlink(missing_ok=True)


def _next_place(folder: Path) -> Replaced:
    at = timestamps.now()
    number = max((one.number for one in replaced_in(folder)), default=0) + 1
    return Replaced(folder / "replaced" / f"{number:04d}-{at:%Y%m%dT%H%M%S%f%z}", number, at)


def _keep_metrics(folder: Path, metrics: dict[str, Path], to: Path, step: Callable[[str], None]) -> None:
    """Copy metric files into the library, and save different files of the same name."""
    for name, source in metrics.items():
        target = folder / "metrics" / name
        if target.exists():
            if target.read_bytes() == source.read_bytes():
                continue
            (to / "metrics").mkdir(exist_ok=True)
            _copy(target, to / "metrics" / name)
            sync(to / "metrics")
        step(f"metric {name}")
        target.parent.mkdir(exist_ok=True)
        _copy(source, target)


def _copy(source: Path, target: Path) -> None:
    """Copy a file atomically."""
    with replacing(target) as part:
        shutil.copyfile(source, part)
