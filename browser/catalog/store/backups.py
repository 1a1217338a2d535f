# SPDX-License-Identifier: MIT
"""Complete copies of the catalogue and its metric files in the folder ``backups``.

A copy has two files: the catalogue, such as ``catalog-000012-20240601T080000000000-v4.sqlite``, and a manifest of the
same name with ``.json``, which lists the contents and the digest of the catalogue. Metric files are in
``backups/metrics`` under their digests, as hard links where possible, so a metric in twenty copies is stored once. The
catalogue is renamed last, after reading back and checking it: a copy is either complete and sound, or absent.

Which copies are retained depends on their order of creation, not on the clock alone; see `kept`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.store import migrations, timestamps
from focal_photos.browser.catalog.store.atomic_file import atomic_file, replacing, sync
from focal_photos.browser.catalog.store.deferred import dataclass, field
from focal_photos.browser.catalog.store.errors import LibraryDamagedError, disk_full
from focal_photos.browser.catalog.store.integrity.commit_count import forget_token
from focal_photos.browser.catalog.store.schema.changed_rows import changed_rows
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions
from focal_photos.browser.catalog.store.schema.objects import strange_objects
from focal_photos.browser.catalog.store.verified import damaged_among
from focal_photos.browser.catalog.text import Text

INTERVAL: Final = timedelta(hours=1)
NEWEST_RETAINED: Final = 5  # newest copies, retained regardless of date
PLANS: Final = ((24, 7, 4, 12), (12, 7, 4, 6), (6, 5, 3, 4), (3, 3, 2, 2), (1, 2, 1, 1), (0, 1, 1, 0), (0, 0, 0, 0))
"""Numbers of hours, days, weeks and months with a retained copy; the first plan that fits into the space is used."""
MAX_TOTAL_BYTES: Final = 2 << 30  # default limit in bytes of all copies together
_SHARE_OF_DISK: Final = 0.25  # largest share of the free space, counting the copies as free
_PAGES: Final = 256  # copied at a time
_BLOCK: Final = 1 << 20
# The number counts the copies, because a clock may be set back. Copies of earlier versions have no number, and sort
# before numbered ones.
_NAME: Final = re.compile(r"catalog-(?:(\d{6,})-)?(\d{8}T\d{12})-v(\d+)\.sqlite")
_DIGEST: Final = re.compile(r"[0-9a-f]{32}")
_EARLY_MANIFEST: Final = {"reason", "digest", "counts", "metrics", "token", "commits"}
_COUNTED: Final = {
    "photos": "SELECT count(*) FROM photo",
    "tags": "SELECT count(*) FROM photo_tag",
    "judgements": "SELECT count(*) FROM judgement",
    "relations": "SELECT count(*) FROM judged_relation",
    "texts": "SELECT count(*) FROM text_judgement",
    "regions": "SELECT count(*) FROM region_judgement",
    "boxes": "SELECT count(*) FROM box",
    "metrics": "SELECT count(*) FROM metric WHERE file IS NOT NULL",
}
FURTHER_JUDGEMENTS: Final = ("relations", "texts", "regions")
"""Counts of judgements beside those of photos against photos."""

Report = Callable[[float], None]
"""Called with the progress, 0..1. An exception from it cancels the work without leaving files."""


@dataclass(frozen=True)
class Backup:
    """One backup copy."""

    path: Path
    """The catalogue."""
    number: int
    """Sequence number of the copy in its library; 0 for those of early versions."""
    at: datetime
    version: int
    bytes: int
    reason: str = ""
    """``hourly``, ``by hand``, ``before an update``, ...; empty if unknown."""
    digest: str | None = None
    """BLAKE2b-128 of the catalogue; None for copies of early versions."""
    counts: dict[str, int] = field(default_factory=dict)
    """``photos``, ``tags`` (of photos), ``judgements``, ``relations`` (relative judgements and visual pairs), ``texts``
    and ``regions`` (judgements against texts and of regions), ``boxes`` (these four are absent in copies of early
    versions), ``metrics``; empty if unknown."""
    metrics: dict[str, str] = field(default_factory=dict)
    """Names of the metric files, with their digests, which are their names in `metrics_folder`."""
    token: str = ""
    commits: int = -1
    """`token` and `commits`: identity of the copied catalogue, and its number of commits."""
    manifest_damaged: bool = False

    @property
    def name(self) -> str:
        """Return the file name without suffix."""
        return self.path.stem

    @property
    def manifest(self) -> Path:
        """Return the path of the manifest."""
        return self.path.with_suffix(".json")

    @property
    def shown_counts(self) -> dict[str, int]:
        """`counts` for the user: the judgements include those of all kinds."""
        return judgements_together(self.counts)

    @property
    def metrics_folder(self) -> Path:
        """Return the folder of the metric files."""
        return self.path.parent / "metrics"


def judgements_together(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts for the user, whose number of judgements includes those of `FURTHER_JUDGEMENTS`, if counted."""
    shown = {name: number for name, number in counts.items() if name not in FURTHER_JUDGEMENTS}
    if "judgements" in shown:
        shown["judgements"] += sum(counts.get(name, 0) for name in FURTHER_JUDGEMENTS)
    return shown


# ---------------------------------------------------------------------- reading
def backups(folder: Path) -> list[Path]:
    """Return the catalogues of the backups of the library in `folder`, oldest first."""
    return [backup.path for backup in all_in(folder / "backups")]


def newest(folder: Path) -> Path | None:
    """Return the newest backup of the library in `folder`, or None."""
    return next(reversed(backups(folder)), None)


def all_in(place: Path) -> list[Backup]:
    """Return the copies in a folder, oldest first."""
    found = []
    for match in sorted(_named(place), key=_place_of):
        with suppress(OSError, ValueError):
            found.append(_read(place / match.string, match))
    return found


def _named(place: Path) -> list[re.Match[str]]:
    """Return the names of the copies in a folder, in any order."""
    with suppress(OSError):
        return [match for path in place.iterdir() if (match := _NAME.fullmatch(path.name))]
    return []


def _place_of(name: re.Match[str]) -> tuple[int, str]:
    """Return the sort key of a copy by creation."""
    return int(name[1] or 0), name.string


def _moment(name: re.Match[str]) -> datetime | None:
    """Return the creation time in a copy's name; None if it is not a date."""
    try:
        return datetime.fromisoformat(f"{name[2][:15]}.{name[2][15:]}").replace(tzinfo=UTC)
    except ValueError:
        return None


def _read(path: Path, match: re.Match[str]) -> Backup:
    at = _moment(match)
    if at is None:
        raise ValueError(f"{path.name} names no date")
    plain = Backup(path, int(match[1] or 0), at, int(match[3]), path.stat().st_size)
    try:
        known = _read_manifest(plain.manifest.read_bytes())
        return Backup(
            *(plain.path, plain.number, plain.at, plain.version, plain.bytes),
            reason=str(known["reason"]),
            digest=str(known["digest"]),
            counts={str(name): int(number) for name, number in known["counts"].items()},
            metrics={
                str(name): str(digest)
                for name, digest in known["metrics"].items()
                if Path(name).name == name and _DIGEST.fullmatch(digest)
            },
            token=str(known["token"]),
            commits=int(known["commits"]),
        )
    except FileNotFoundError:  # of an early version
        return plain
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Backup(plain.path, plain.number, plain.at, plain.version, plain.bytes, manifest_damaged=True)


def _manifest(known: dict[str, Any]) -> bytes:
    """Return the text of a manifest, including a digest of its other fields."""
    digest = hashlib.blake2b(json.dumps(known, indent=1).encode(), digest_size=16).hexdigest()
    return json.dumps({**known, "manifest": digest}, indent=1).encode()


def _read_manifest(content: bytes) -> dict[str, Any]:
    """Parse a manifest; ValueError if it is damaged. Manifests of early versions have no digest."""
    known = json.loads(content)
    if "manifest" not in known and set(known) != _EARLY_MANIFEST:
        raise ValueError("the digest of the manifest is missing")
    if known.pop("manifest", None) is not None and _manifest(known) != content:
        raise ValueError("the manifest has changed (digest mismatch)")
    return dict(known)


def lost_in(place: Path) -> list[str]:
    """Return the names of backups in a folder that have a manifest but no catalogue."""
    with suppress(OSError):
        names = {path.name for path in place.iterdir()}
        return sorted(
            Path(name).stem
            for name in names
            if name.endswith(".json") and _NAME.fullmatch(one := f"{Path(name).stem}.sqlite") and one not in names
        )
    return []


def has_traces(folder: Path) -> bool:
    """Return whether `folder` contains files that only a used library has: backups, metrics or vectors.

    The folders alone do not count, because they are created before the catalogue.
    """
    return any(
        path.is_file() and not path.name.startswith(".")
        for place in (folder / "backups", folder / "metrics", folder / "derived" / "vectors")
        if place.is_dir()
        for path in place.iterdir()
    )


def is_due(folder: Path, *, every: timedelta = INTERVAL) -> bool:
    """Return whether the newest backup is older than `every`, or dated in the future.

    Backups known to be damaged do not count.
    """
    place = folder / "backups"
    names = sorted(_named(place), key=_place_of, reverse=True)
    broken = damaged_among(folder, [place / name.string for name in names])
    newest_first = [name for name in names if place / name.string not in broken]
    # Uses the file names alone, because every command calls this function.
    made = next((at for at in map(_moment, newest_first) if at is not None), None)
    return made is None or not timedelta(0) <= timestamps.now() - made < every


def is_changed(connection: sqlite3.Connection, folder: Path) -> bool:
    """Return whether the open catalogue has new commits since its newest backup that is not known to be damaged."""
    found = not_damaged(folder, all_in(folder / "backups"))
    return not found or found[-1].commits < 0 or (found[-1].token, found[-1].commits) != _state(connection)


def not_damaged(folder: Path, copies: Sequence[Backup]) -> list[Backup]:
    """Return the copies of the library in `folder` whose last check did not find damage."""
    broken = damaged_among(folder, [copy.path for copy in copies])
    return [copy for copy in copies if copy.path not in broken]


# ---------------------------------------------------------------------- copying and checking
def back_up(
    connection: sqlite3.Connection,
    folder: Path,
    *,
    reason: str = "by hand",
    room: int = MAX_TOTAL_BYTES,
    report: Report = lambda _share: None,
) -> Path:
    """Copy the open catalogue and its metric files into the ``backups`` folder; delete copies beyond `kept`.

    The copy is complete in one file (no write-ahead log) and shows one state of the catalogue. It is made in steps, so
    others can read and write meanwhile, unless `connection` is the writer's.

    Parameters
    ----------
    connection : sqlite3.Connection
        Connection outside a transaction.
    reason : str
        Why the copy is made, shown to the user.
    room : int
        Limit in bytes of all copies together; see `kept`.

    Raises
    ------
    LibraryFullError
        If the disk has no space for it.
    LibraryDamagedError
        If the copy is unsound because the catalogue is; the copy is then deleted.
    """
    place = folder / "backups"
    place.mkdir(exist_ok=True, mode=0o700)
    _clear(place)
    connection.execute("BEGIN")
    try:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()  # begins the snapshot
        if shutil.disk_usage(place).free < 2 * pages * page:
            raise disk_full(folder)
        token, commits = _state(connection)
        stamp = timestamps.now().strftime("%Y%m%dT%H%M%S%f")
        number = max((backup.number for backup in all_in(place)), default=0) + 1
        target = place / f"catalog-{number:06d}-{stamp}-v{version}.sqlite"

        def copied(_status: int, left: int, total: int) -> None:
            report(0.5 * (total - left) / max(total, 1))

        with replacing(target) as part:
            try:
                with closing(sqlite3.connect(part)) as copy:
                    connection.backup(copy, pages=_PAGES, progress=copied)
                    forget_token(copy)
                    copy.commit()
                    copy.execute("PRAGMA journal_mode = DELETE")
                sync(part)
                metrics = _keep_metrics(part, folder / "metrics", place / "metrics")
                counts = require_sound(part, lambda share: report(0.5 + 0.5 * share))
                known = {
                    "reason": reason,
                    "digest": digest_of(part),
                    "counts": counts,
                    "metrics": metrics,
                    "token": token,
                    "commits": commits,
                }
                with atomic_file(target.with_suffix(".json")) as stream:
                    stream.write(_manifest(known))
            except BaseException:
                for end in ("-journal", "-wal", "-shm"):
                    Path(f"{part}{end}").unlink(missing_ok=True)
                raise
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise LibraryDamagedError(
            "No backup was made of {0}: its catalogue is damaged ({1}).", folder, error
        ) from error
    finally:
        connection.rollback()
    thin(place, room=room, damaged=damaged_among(folder, [copy.path for copy in all_in(place)]))
    return target


def require_sound(path: Path, report: Report = lambda _share: None) -> dict[str, int]:
    """Read all of a catalogue that nobody has open: its structure, and the digest of every row.

    Returns
    -------
    dict of str to int
        Numbers as in `Backup.counts`, without those that the schema lacks.

    Raises
    ------
    LibraryDamagedError
    sqlite3.Error
    """
    _forget_pages(path)
    try:
        return _counts_if_sound(path, report)
    except UnicodeDecodeError as error:  # SQLite quotes a damaged schema in its message
        raise LibraryDamagedError("The catalogue is damaged (its schema is unreadable).") from error


def _counts_if_sound(path: Path, report: Report) -> dict[str, int]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
        add_functions(connection)
        connection.execute("PRAGMA cell_size_check = ON")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        problems = [] if verdict == "ok" else [str(verdict)]
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        if tables and connection.execute("PRAGMA user_version").fetchone() < (1,):
            problems.append(Text("its schema has no version"))
        for done, table in enumerate(tables):
            report(done / len(tables))
            problems += changed_rows(connection, table)
        if problems:
            raise LibraryDamagedError("The catalogue is damaged ({0}).", problems[0])
        return {
            name: int(connection.execute(sql).fetchone()[0])
            for name, sql in _COUNTED.items()
            if sql.split()[3] in tables
        }


def digest_of(path: Path) -> str:
    """Return the BLAKE2b-128 of a file, hexadecimal."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def problem_of(backup: Backup, report: Report = lambda _share: None) -> str | None:
    """Read every byte of a copy and return an error text, or None."""
    try:
        if backup.digest is not None and digest_of(backup.path) != backup.digest:
            return Text("The backup {0} is damaged (digest mismatch).", backup.path)
        require_sound(backup.path, report)
        for name, digest in backup.metrics.items():
            path = backup.metrics_folder / digest
            if not path.exists():
                return Text("The backup {0} lacks the metric {1}.", backup.path, name)
            if digest_of(path) != digest:
                return Text("The metric {0} of the backup {1} is damaged.", name, backup.path)
    except (sqlite3.Error, LibraryDamagedError) as error:
        return Text("The backup {0} is damaged ({1}).", backup.path, error)
    except OSError as error:
        return Text("The backup {0} cannot be read ({1}).", backup.path, error.strerror or error)
    return None


def verify(backup: Backup, report: Report = lambda _share: None) -> str | None:
    """Return an error text, or None; checks more than `problem_of`, and takes longer.

    Besides every byte and row, it checks the manifest, indexes against tables, references between tables and the
    schema.
    """
    if backup.manifest_damaged:
        return Text(
            "The backup {0} is damaged: its manifest, {1}, has changed (digest mismatch).",
            backup.path,
            backup.manifest.name,
        )
    problem = problem_of(backup, lambda share: report(0.6 * share))
    if problem is not None:
        return problem
    try:
        with closing(sqlite3.connect(f"{backup.path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            add_functions(connection)
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            report(0.9)
            row = connection.execute("PRAGMA foreign_key_check").fetchone()
            steps = migrations.migrations()
            strange = strange_objects(connection, steps) if 0 < backup.version <= steps[-1].version else []
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return Text("The backup {0} is damaged ({1}).", backup.path, error)
    if verdict != "ok":
        return Text("The backup {0} is damaged ({1}).", backup.path, verdict)
    if row is not None:
        return Text(
            "The backup {0} is damaged (the table {1} refers to a row of {2} that does not exist).",
            backup.path,
            row[0],
            row[2],
        )
    if strange:
        return Text(
            "The backup {0} is damaged (its schema has {1}, which Focal did not create).",
            backup.path,
            ", ".join(strange),
        )
    return None


def copy_to(
    backup: Backup,
    place: Path,
    *,
    room: int = MAX_TOTAL_BYTES,
    damaged: Collection[Path] = (),
    report: Report = lambda _share: None,
) -> Path:
    """Copy a backup into another, existing folder: the catalogue last, read back and compared.

    Parameters
    ----------
    room, damaged
        As in `thin`.

    Raises
    ------
    OSError
    """
    _clear(place)
    known = next((one for one in all_in(place) if one.name == backup.name and one.digest == backup.digest), None)
    if known is not None and backup.digest is not None and known.path not in damaged:
        return known.path
    (place / "metrics").mkdir(exist_ok=True)
    total, done = backup.bytes + sum(_size(backup.metrics_folder / one) for one in backup.metrics.values()), 0

    def copy(source: Path, target: Path, digest: str | None) -> None:
        nonlocal done
        with replacing(target) as part:
            with source.open("rb") as old, part.open("wb") as new:
                while block := old.read(_BLOCK):
                    new.write(block)
                    done += len(block)
                    report(done / max(total, 1))
            sync(part)
            _forget_pages(part)
            if digest is not None and digest_of(part) != digest:
                raise OSError(None, f"the data read from {place} differs from the data written")

    for digest in set(backup.metrics.values()):
        there = place / "metrics" / digest
        if not there.exists() or digest_of(there) != digest:
            copy(backup.metrics_folder / digest, there, digest)
    if backup.manifest.exists():
        copy(backup.manifest, place / backup.manifest.name, None)
    copy(backup.path, place / backup.path.name, backup.digest)
    thin(place, room=room, damaged=damaged)
    return place / backup.path.name


# ---------------------------------------------------------------------- deleting
def kept(copies: Sequence[Backup], plan: Sequence[int] = PLANS[0]) -> list[Backup]:
    """Return the copies to retain.

    The last five are retained, and the last one of each schema version; of earlier ones, the newest of each of the last
    24 hours, 7 days, 4 weeks and 12 months in which copies were made. Going back in the sequence, a new hour begins at
    each copy with a different hour, be it later or earlier. A clock that jumps therefore only adds periods, and never
    makes copies older: the last ones are always retained.

    Parameters
    ----------
    copies : sequence of Backup
        Copies, oldest first.
    plan : sequence of int
        Numbers of hours, days, weeks and months.
    """
    stay = {copy.path for copy in copies[-NEWEST_RETAINED:]}
    stay |= {copy.path for copy in {copy.version: copy for copy in copies}.values()}
    for many, period in zip(plan, (_hour, _day, _week, _month), strict=True):
        before, found = None, 0
        for copy in reversed(copies):
            if found == many:
                break
            if period(copy.at) != before:
                before = period(copy.at)
                found += 1
                stay.add(copy.path)
    return [copy for copy in copies if copy.path in stay]


def thin(place: Path, *, room: int = MAX_TOTAL_BYTES, damaged: Collection[Path] = ()) -> list[Path]:
    """Delete the copies in a folder that need not be retained, and unreferenced metric files; never the newest copy.

    Damaged copies do not count, so that they replace no sound one, and remain until the user deletes them.

    If the copies of the whole plan take more than `room`, or more than a quarter of the disk's free space, the plan
    with fewer hours, days, weeks and months applies; of the last five, at least two are retained.

    Returns
    -------
    list of pathlib.Path
        The deleted copies.
    """
    copies = [copy for copy in all_in(place) if copy.path not in damaged]
    free = shutil.disk_usage(place).free + sum(copy.bytes for copy in copies)
    most = min(room, int(free * _SHARE_OF_DISK))
    stay = next(
        (one for one in (kept(copies, plan) for plan in PLANS) if sum(copy.bytes for copy in one) <= most),
        None,
    )
    if stay is None:
        stay = kept(copies, PLANS[-1])
        while len(stay) > 2 and sum(copy.bytes for copy in stay) > most:
            stay = stay[1:]
    paths = {copy.path for copy in stay}
    gone = [copy for copy in copies if copy.path not in paths]
    for copy in gone:
        with suppress(OSError):  # a superfluous copy is harmless
            copy.path.unlink()
            copy.manifest.unlink(missing_ok=True)
    if (place / "metrics").is_dir():
        used = {digest for copy in all_in(place) for digest in copy.metrics.values()}
        for path in (place / "metrics").iterdir():
            if _DIGEST.fullmatch(path.name) and path.name not in used:
                with suppress(OSError):
                    path.unlink()
    return [copy.path for copy in gone]


def _hour(at: datetime) -> Any:
    return at.date(), at.hour


def _day(at: datetime) -> Any:
    return at.date()


def _week(at: datetime) -> Any:
    return at.isocalendar()[:2]


def _month(at: datetime) -> Any:
    return at.year, at.month


# ---------------------------------------------------------------------- helpers
def _state(connection: sqlite3.Connection) -> tuple[str, int]:
    """Return the identity of the catalogue and its number of commits."""
    try:
        token, commits = connection.execute("SELECT token, commits FROM commit_count").fetchone()
    except (sqlite3.OperationalError, TypeError):  # early schemas have no count
        return "", -1
    return str(token), int(commits)


def _keep_metrics(copy: Path, folder: Path, place: Path) -> dict[str, str]:
    """Store the metric files that a copied catalogue refers to; return their digests by name."""
    with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?immutable=1", uri=True)) as connection:
        names = metric_files(connection)
    digests = {}
    for name in names:
        with suppress(OSError):  # missing files are reported by the check; back up the others
            digests[name] = digest_of(folder / name)
            target = place / digests[name]
            if target.exists() and (target.samefile(folder / name) or digest_of(target) == digests[name]):
                continue
            place.mkdir(exist_ok=True)
            with replacing(target) as part:
                try:
                    os.link(folder / name, part)
                except OSError:  # the file system has no hard links
                    shutil.copyfile(folder / name, part)
    return digests


def metric_files(connection: sqlite3.Connection) -> list[str]:
    """Return the metric files that a catalogue refers to, including those of undone metrics."""
    names = {name for (name,) in connection.execute("SELECT file FROM metric WHERE file IS NOT NULL")}
    for (changes,) in connection.execute("SELECT changes FROM journal WHERE changes LIKE '%\"metric\"%'"):
        with suppress(ValueError, TypeError, RecursionError):
            for table, _, *rows in json.loads(changes):
                if table == "metric":
                    names.update(
                        value for row in rows if row for value in row if isinstance(value, str) and ".npz" in value
                    )
    return sorted(name for name in names if Path(name).name == name)


def _clear(place: Path) -> None:
    """Delete leftovers of programs that were killed while copying."""
    catalogues = {path.stem for path in place.glob("catalog-*.sqlite")}
    for stray in _strays(place):
        if ".part" in stray.name or stray.stem not in catalogues:
            stray.unlink(missing_ok=True)


def _strays(place: Path) -> Iterable[Path]:
    yield from list(place.glob("*.part*"))
    yield from list(place.glob(".*.part*"))
    yield from list(place.glob("metrics/.*.part"))
    yield from [path for path in place.glob("catalog-*.json") if _NAME.fullmatch(f"{path.stem}.sqlite")]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _forget_pages(path: Path) -> None:
    """Drop a file from the page cache, if possible, so that the next read comes from the disk."""
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as stream, suppress(OSError):
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
