"""Whole copies of the catalogue in the folder ``backups``: before migrations and once a day; the last five stay."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from browser.catalog.store import timestamps
from browser.catalog.store.atomic_file import replacing
from browser.catalog.store.commit_count import forget_token
from browser.catalog.store.errors import disk_full

KEEP = 5
EVERY = timedelta(days=1)
# The number counts the copies: what order they were made in is not left to a clock, which may be set back. Copies of
# earlier versions have none, and come before those that have one.
_NAME = re.compile(r"catalog-(?:(\d{6,})-)?(\d{8}T\d{12})-v(\d+)\.sqlite")


def backups(folder: Path) -> list[Path]:
    """Return the backups of the library in `folder`, in the order of their making."""
    try:
        found = [path for path in (folder / "backups").iterdir() if _NAME.fullmatch(path.name)]
    except OSError:
        return []
    return sorted(found, key=lambda path: (_number(path), path.name))


def newest(folder: Path) -> Path | None:
    """Return the newest backup of the library in `folder`, or None."""
    return next(reversed(backups(folder)), None)


def has_traces(folder: Path) -> bool:
    """Return whether `folder` holds what only a library that was in use leaves: backups, metrics or vectors.

    The folders alone are none: a first start that was killed has made them before the catalogue.
    """
    return any(
        path.is_file() and not path.name.startswith(".")
        for place in (folder / "backups", folder / "metrics", folder / "derived" / "vectors")
        if place.is_dir()
        for path in place.iterdir()
    )


def is_due(folder: Path) -> bool:
    """Return whether the newest backup is older than a day (or dated in the future)."""
    last = newest(folder)
    match = _NAME.fullmatch(last.name) if last else None
    if match is None:
        return True
    at = datetime.strptime(match[2], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
    return not timedelta(0) <= timestamps.now() - at < EVERY


def back_up(connection: sqlite3.Connection, folder: Path) -> Path:
    """Copy the open catalogue into the ``backups`` folder and drop the oldest copies beyond `KEEP`.

    The copy is complete in one file (no write-ahead log) and appears under its name only when it is on the
    disk.

    Raises
    ------
    LibraryFullError
        If the disk has no room for it.
    """
    place = folder / "backups"
    place.mkdir(exist_ok=True)
    for stray in place.glob("*.part*"):  # left by a program that was killed while copying
        stray.unlink(missing_ok=True)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if shutil.disk_usage(place).free < 2 * pages * page:
        raise disk_full(folder)
    stamp = timestamps.now().strftime("%Y%m%dT%H%M%S%f")
    number = max(map(_number, backups(folder)), default=0) + 1
    target = place / f"catalog-{number:06d}-{stamp}-v{version}.sqlite"
    with replacing(target) as part:
        try:
            with closing(sqlite3.connect(part)) as copy:
                connection.backup(copy)
                forget_token(copy)
                copy.commit()
                copy.execute("PRAGMA journal_mode = DELETE")
        except BaseException:
            for end in ("-journal", "-wal", "-shm"):
                Path(f"{part}{end}").unlink(missing_ok=True)
            raise
    for old in backups(folder)[:-KEEP]:
        with suppress(OSError):  # a copy too many harms nobody
            old.unlink()
    return target


def _number(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    return int(match[1] or 0) if match else 0
