"""Find the photos of folders and record their files; nothing is decoded yet."""
# ruff: noqa: PTH112, PTH118, PTH123

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from browser.catalog.facts.records import FileState, FoundFile, KnownFile, Root
from browser.catalog.library import Library
from browser.catalog.store.location import absolute
from browser.operations.jobs.errors import OperationError
from browser.operations.jobs.progress import Job, Meter
from browser.operations.photos.walk import WalkedFile, WalkFailure, walk, why
from features.decoding.formats import IMAGE_SUFFIXES

_BATCH: Final = 256  # files recorded in one transaction
_PAUSE: Final = 2.0  # seconds after which a smaller batch is recorded, so that the window can show it
_THREADS: Final = 4  # hashing waits for the disk and releases the interpreter
_AHEAD: Final = 64  # files read ahead of what is recorded
_REPORT_EVERY: Final = 500  # files between two reports while folders are read


@dataclass
class ScanReport:
    """What a scan found.

    Attributes
    ----------
    new, changed, moved, missing : int
        Photos seen for the first time, edited photos, photos whose file is elsewhere now, photos without any file.
    unreadable : list of (Path, str)
        Files and folders that could not be read, with the reason.
    unreachable : list of (Path, str)
        Those of them that are whole folders of the library, which are not there now.
    total : int
        Photo files that are there.
    """

    new: int = 0
    changed: int = 0
    moved: int = 0
    missing: int = 0
    unreadable: list[tuple[Path, str]] = field(default_factory=list)
    unreachable: list[tuple[Path, str]] = field(default_factory=list)
    total: int = 0


@dataclass
class _Place:
    """A folder to scan: a root, or a part of one."""

    root: Root
    below: bytes  # relative to the root, empty for the whole root
    known: dict[bytes, KnownFile]
    fresh: list[WalkedFile] = field(default_factory=list)
    changed: list[WalkedFile] = field(default_factory=list)
    vanished: list[bytes] = field(default_factory=list)

    @property
    def folder(self) -> bytes:
        return os.path.join(os.fsencode(self.root.path), self.below) if self.below else os.fsencode(self.root.path)


def scan(library: Library, folders: Sequence[Path] = ()) -> Job[ScanReport]:
    """Take the photo files of folders into the library.

    A folder that no root contains becomes a root. Files whose size and time are as recorded are not read again; of all
    others the BLAKE2b-128 of the content is taken. A root that is not there (its drive is not connected) leaves
    everything as it was; only if its photos lie in another root now, because the folder was moved, they are taken from
    there.

    Parameters
    ----------
    library : Library
    folders : sequence of Path
        Folders; all roots of the library, if empty.

    Yields
    ------
    Progress

    Returns
    -------
    ScanReport

    Raises
    ------
    OperationError
        A folder is not there and was never part of the library, or there is nothing to scan.
    """
    report = ScanReport()
    places = [place for place in _places(library, folders) if _reachable(place, report)]
    meter = Meter("Looking for photos")
    yield meter.state()
    for place in places:
        for found in _compare(place, report):
            if found % _REPORT_EVERY == 0:
                yield meter.advance(_REPORT_EVERY, os.fsdecode(place.folder))
    # New files come first and files that are gone next: then a moved file is never without a photo, and an edited
    # file keeps its photo only if the old content is nowhere else.
    work = [(place, file) for place in places for file in place.fresh]
    edited = [(place, file) for place in places for file in place.changed]
    meter = Meter("Reading new photos", len(work) + len(edited))
    yield from _record(library, work, meter, report)
    for place in places:
        if place.vanished:
            gone = library.files.mark_missing(place.root.id, place.vanished)
            report.missing += len(gone.missing)
            report.moved += len(gone.moved)
    yield from _record(library, edited, meter, report)
    _follow_moved_roots(library, report)
    return report


def _follow_moved_roots(library: Library, report: ScanReport) -> None:
    """Note the files of roots that are not there as missing where their photos lie in one that is."""
    roots = library.roots.all()
    gone = [root for root in roots if _why_not_there(root.path) is not None]
    if not gone:
        return
    living = {
        file.photo_id
        for root in roots
        if root not in gone
        for file in library.files.known(root.id).values()
        if file.state is FileState.PRESENT and file.photo_id is not None
    }
    for root in gone:
        known = library.files.known(root.id).items()
        dead = [path for path, file in known if file.state is FileState.PRESENT and file.photo_id in living]
        if dead:
            report.moved += len(library.files.mark_missing(root.id, dead).moved)


def _why_not_there(folder: Path) -> str | None:
    """Return why a root counts as not there: it cannot be read, or nothing is in it; None if it is there."""
    try:
        with os.scandir(os.fsencode(folder)) as entries:
            if next(entries, None) is None:
                return "The folder is empty, its drive may not be connected: its photos stay as they were."
    except OSError as error:
        return f"The folder cannot be read ({why(error)}): connect its drive; its photos stay as they were."
    return None


def _places(library: Library, folders: Sequence[Path]) -> list[_Place]:
    """Return what to walk, adding roots where needed."""
    paths = [absolute(folder) for folder in folders] or [root.path for root in library.roots.all()]
    if not paths:
        raise OperationError("The library has no photo folder yet: name one.")
    for path in paths:
        if library.roots.containing(path) is None:
            if not path.is_dir():
                what = "is a file, not a folder" if path.exists() else "is not there"
                raise OperationError(f"{path} {what}: name a folder with photos.")
            library.roots.add(path)
    # Looked up when all are added: a root that came later may have swallowed one that came before.
    places: dict[tuple[int, bytes], _Place] = {}
    for path in paths:
        found = library.roots.containing(path)
        if found is not None:
            root, relative = found
            below = b"" if relative == Path() else os.fsencode(relative)
            places[root.id, below] = _Place(root, below, library.files.known(root.id, below))
    return [
        place
        for place in places.values()
        if not any(_contains(other, place) for other in places.values() if other is not place)
    ]


def _contains(outer: _Place, inner: _Place) -> bool:
    prefix = outer.below + b"/" if outer.below else b""
    return outer.root.id == inner.root.id and inner.below.startswith(prefix)


def _reachable(place: _Place, report: ScanReport) -> bool:
    """Return whether the root is there; a part of it that is gone is a deleted folder, a whole root is a drive."""
    reason = _why_not_there(place.root.path)
    if reason is None:
        return True
    known = any(file.state is FileState.PRESENT for file in place.known.values())
    if not known and place.root.path.is_dir() and os.access(place.root.path, os.R_OK | os.X_OK):
        return True  # an empty folder that was always empty
    for listed in (report.unreadable, report.unreachable):
        listed.append((place.root.path, reason))
    return False


def _compare(place: _Place, report: ScanReport) -> Iterator[int]:
    """Sort what is on disk into new, changed and vanished files; yield the count of files seen."""
    prefix = place.below + b"/" if place.below else b""
    unseen: list[bytes] = []
    present: set[bytes] = set()
    seen = 0
    gone = not os.path.isdir(place.folder)
    for found in () if gone else walk(place.folder, IMAGE_SUFFIXES):
        path = prefix + found.path
        if isinstance(found, WalkFailure):
            absolute = Path(os.fsdecode(os.path.join(place.folder, found.path) if found.path else place.folder))
            report.unreadable.append((absolute, found.reason))
            if found.is_folder:
                unseen.append(prefix + found.path + b"/" if found.path else prefix)
            else:
                present.add(path)
            continue
        seen += 1
        present.add(path)
        file = WalkedFile(path, found.bytes, found.mtime_ns)
        known = place.known.get(path)
        if known is None or known.photo_id is None:
            place.fresh.append(file)
        elif known.failure is not None or (known.bytes, known.mtime_ns) != (file.bytes, file.mtime_ns):
            place.changed.append(file)
        elif known.state is FileState.MISSING:
            place.fresh.append(file)
        yield seen
    report.total += seen
    place.vanished = [
        path
        for path, file in place.known.items()
        if path not in present and file.state is FileState.PRESENT and not path.startswith(tuple(unseen))
    ]


def _record(library: Library, work: list[tuple[_Place, WalkedFile]], meter: Meter, report: ScanReport) -> Job[None]:
    """Read and record files in their order, in batches."""
    batch: list[FoundFile] = []
    last = time.monotonic()
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="hash")
    try:
        waiting = deque(work)
        flying: deque[Future[FoundFile]] = deque()
        while waiting or flying:
            while waiting and len(flying) < _AHEAD:
                flying.append(pool.submit(_read, *waiting.popleft()))
            if not wait([flying[0]], timeout=0.2, return_when=FIRST_COMPLETED).done:
                yield meter.state()
                continue
            found = flying.popleft().result()
            batch.append(found)
            if found.failure is not None:
                root = next(place.root for place, _ in work if place.root.id == found.root_id)
                report.unreadable.append((root.path / os.fsdecode(found.path), found.failure))
            if len(batch) >= _BATCH or time.monotonic() - last > _PAUSE:
                _write(library, batch, report)
                yield meter.advance(len(batch), os.fsdecode(found.path))
                batch, last = [], time.monotonic()
        if batch:
            _write(library, batch, report)
            yield meter.advance(len(batch))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _write(library: Library, batch: list[FoundFile], report: ScanReport) -> None:
    recorded = library.files.record(batch)
    report.new += len(recorded.new)
    report.changed += len(recorded.changed)


def _read(place: _Place, file: WalkedFile) -> FoundFile:
    """Return the file with the hash of its content, or with the reason why it cannot be read."""
    content_hash, failure = None, None
    try:
        with open(os.path.join(os.fsencode(place.root.path), file.path), "rb") as stream:
            content_hash = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError as error:
        failure = f"The file cannot be read: {why(error)}."
    return FoundFile(place.root.id, file.path, file.bytes, file.mtime_ns, content_hash, failure)
