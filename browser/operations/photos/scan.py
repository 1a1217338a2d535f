# SPDX-License-Identifier: MIT
"""Find the photos in folders and record their files, without decoding."""
# ruff: noqa: PTH112, PTH116, PTH118, PTH122

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import FileState, FoundFile, KnownFile, Root
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import MEGABYTES
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.pauses import job_pause
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.offline import save_offline, why_offline
from focal_photos.browser.operations.photos.rotated_files import note_edited
from focal_photos.browser.operations.photos.unsupported_files import save_unsupported
from focal_photos.browser.operations.photos.walk import WalkedFile, WalkFailure, may_be_photo, photo_head, walk, why
from focal_photos.features.decoding.decoders.dicom_signature import can_decode, is_dicom
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.regular_file import open_regular

_BATCH: Final = 256  # files recorded per transaction
_PAUSE: Final = 2.0  # seconds after which a smaller batch is recorded, so that the window can show it
_THREADS: Final = 4  # hashing waits for the disk and releases the GIL
_AHEAD: Final = 64  # files read ahead of recording
_REPORT_EVERY: Final = 500  # files between two progress reports while folders are read
_ENDINGS: Final = tuple(suffix.encode() for suffix in IMAGE_SUFFIXES)


@dataclass
class ScanReport:
    """Result of a scan."""

    new: int = 0
    changed: int = 0
    moved: int = 0
    missing: int = 0
    """`new`, `changed`, `moved` and `missing`: numbers of new photos, edited photos, photos whose file has moved, and
    photos without any file."""
    unreadable: list[tuple[Path, str]] = field(default_factory=list)
    """Files and folders that could not be read, with the reason."""
    not_walked: list[tuple[Path, str]] = field(default_factory=list)
    """Folders and links among these of which no photo was found."""
    unreachable: list[tuple[Path, str]] = field(default_factory=list)
    """Offline roots among these."""
    newly_unreachable: list[Path] = field(default_factory=list)
    """Roots among these that were online at their last scan."""
    total: int = 0
    """Number of existing photo files."""
    placed: int = 0
    """Number of known photos found at a new path: moved, copied or restored."""
    misnamed: list[Path] = field(default_factory=list)
    """Photos recognized only by content, because their suffix is not that of a photo."""
    without_pydicom: int = 0
    """Number of DICOM files left out because pydicom is not installed."""
    passed_over: dict[str, int] = field(default_factory=dict)
    """Number of unsupported pictures and videos by suffix."""
    newly_unsupported: bool = False
    """Whether a folder has more unsupported files of a kind than at its last scan."""

    @property
    def anything(self) -> bool:
        """Whether the scan found any change."""
        return bool(self.new or self.changed or self.moved or self.missing or self.placed or self.unreadable)


@dataclass
class _Place:
    """What is compared: a root, a part of a root, or single files of a root."""

    root: Root
    below: bytes  # relative to the root; empty for the whole root
    failed: dict[bytes, KnownFile] = field(default_factory=dict)  # previously unreadable files that must be read
    fresh: list[WalkedFile] = field(default_factory=list)
    changed: list[WalkedFile] = field(default_factory=list)
    vanished: list[bytes] = field(default_factory=list)
    passed_over: dict[str, int] = field(default_factory=dict)

    @property
    def folder(self) -> bytes:
        return os.path.join(os.fsencode(self.root.path), self.below) if self.below else os.fsencode(self.root.path)

    def sort_in(self, file: WalkedFile, known: KnownFile | None) -> None:
        """Queue an existing file for reading, unless it is unchanged."""
        if known is not None and known.failure is not None:
            self.failed[file.path] = known
        if known is None or known.photo_id is None:
            self.fresh.append(file)
        elif known.failure is not None or (known.bytes, known.mtime_ns) != (file.bytes, file.mtime_ns):
            self.changed.append(file)
        elif known.state is FileState.MISSING:
            self.fresh.append(file)


class _KnownFiles:
    """The catalogue's records of the files of a place, loaded folder by folder.

    Records of all files at once would take 300 bytes each, and freeing them would block every thread: for a fifth of a
    second with a million files.
    """

    def __init__(self, library: Library, place: _Place) -> None:
        self._library = library
        self._root_id = place.root.id
        self._unread = library.files.folders(place.root.id, place.below)
        self._files: dict[bytes, KnownFile] = {}

    def read(self, folder: bytes) -> None:
        """Load the records of a folder; before listing it, so that files added meanwhile do not seem deleted."""
        if folder in self._unread:
            self._unread.remove(folder)
            self._files.update(self._library.files.inside(self._root_id, folder))

    def get(self, path: bytes) -> KnownFile | None:
        """Return the record of a file in a loaded folder; None if there is none or it was taken."""
        return self._files.get(path)

    def take(self, path: bytes) -> KnownFile | None:
        """Return the record of a file in a loaded folder, and remove it."""
        return self._files.pop(path, None)

    def left(self) -> dict[bytes, KnownFile]:
        """Return the records that were not taken."""
        for folder in sorted(self._unread):
            self.read(folder)
        return self._files


def scan(library: Library, folders: Sequence[Path] = ()) -> Job[ScanReport]:
    """Add the photo files in folders to the library.

    A folder outside all roots becomes a root. Files with the recorded size and time are not read again. All others are
    identified by the BLAKE2b-128 of their content, unless they exceed ``decode.megabytes``. The photos of an offline
    root stay unchanged, except that photos found elsewhere, because the folder was moved, get their new paths.

    Parameters
    ----------
    folders : sequence of Path
        Folders; all roots of the library if empty.

    Raises
    ------
    OperationError
        If a folder does not exist and was never in the library, or there is nothing to scan.
    """
    report = ScanReport()
    places = _places(library, folders)
    roots = [place.root for place in places]
    places = [place for place in places if _reachable(place.root, library, report)]
    report.newly_unreachable = save_offline(library, roots, dict(report.unreachable))
    meter = Meter(Text("Scanning files"))
    yield meter.state()
    for place in places:
        for found in _compare(library, place, report):
            if found % _REPORT_EVERY == 0:
                yield meter.advance(_REPORT_EVERY, os.fsdecode(place.folder))
    yield from _take_in(library, places, report)
    for place in places:
        for suffix, count in place.passed_over.items():
            report.passed_over[suffix] = report.passed_over.get(suffix, 0) + count
        if not place.below:
            report.newly_unsupported |= save_unsupported(library, place.root, place.passed_over)
    _follow_moved_roots(library, report)
    return report


def scan_paths(library: Library, paths: Sequence[Path]) -> Job[ScanReport]:
    """Scan only single files and folders that may have changed, and record the changes.

    Parameters
    ----------
    paths : sequence of Path
        New and changed files are read, and folders are scanned recursively. For a path that no longer exists, the file
        and all files below it are marked as missing. Hidden paths, paths outside the library's folders and files that
        are no photos are ignored.
    """
    report = ScanReport()
    meter = Meter(Text("Looking for changed photos"), len(paths))
    yield meter.state()
    places: list[_Place] = []
    for root, inside in _by_root(library, paths).items():
        if _reachable(root, library, report):
            for place in _changed_places(library, root, inside, report):
                places.append(place)
                yield meter.state()
    yield from _take_in(library, places, report)
    return report


def differing(library: Library, root: Root, stop: Callable[[], bool] = lambda: False) -> Iterator[Path]:
    """Yield the files below a root that differ from the catalogue: new, changed or deleted. Reads no contents.

    Yields nothing if `stop` returns True during the walk.
    """
    place = _Place(root, b"")
    for _ in _compare(library, place, ScanReport()):
        if stop():
            return
    # Every scan retries unreadable files, but they are no difference.
    for file in (*place.fresh, *place.changed):
        before = place.failed.get(file.path)
        if before is None or before[:2] != (file.bytes, file.mtime_ns) or before.state is FileState.MISSING:
            yield root.path / os.fsdecode(file.path)
    for path in place.vanished:
        yield root.path / os.fsdecode(path)


def _take_in(library: Library, places: Sequence[_Place], report: ScanReport) -> Job[None]:
    """Read and record files that are new, changed or deleted."""
    # New files come first, then deleted ones: a moved file then never lacks a photo, and an edited file keeps its photo
    # only if no other file has the old content.
    work = [(place, file) for place in places for file in place.fresh]
    edited = [(place, file) for place in places for file in place.changed]
    meter = Meter(Text("Reading new photos"), len(work) + len(edited))
    placed: list[int] = []
    yield from _record(library, work, meter, report, placed)
    for place in places:
        # A drive disconnected meanwhile leaves an empty folder, which does not mean that its files were deleted.
        if place.vanished and _reachable(place.root, library, report):
            gone = library.files.mark_missing(place.root.id, place.vanished)
            report.missing += len(gone.missing)
            report.moved += len(gone.moved)
    before = _photos_of(library, edited)
    note_edited(library, {photo: photo for photo in before.values()})
    yield from _record(library, edited, meter, report, placed)
    after = _photos_of(library, edited)
    note_edited(library, {photo: after[file] for file, photo in before.items() if after.get(file, photo) != photo})
    _leave_dead_places(library, placed, report)


def _photos_of(library: Library, work: Sequence[tuple[_Place, WalkedFile]]) -> dict[tuple[int, bytes], int]:
    """Return the photo ids recorded for files, by root and path."""
    paths: dict[int, list[bytes]] = {}
    for place, file in work:
        paths.setdefault(place.root.id, []).append(file.path)
    return {
        (root_id, path): known.photo_id
        for root_id, inside in paths.items()
        for path, known in library.files.at(root_id, inside).items()
        if known.photo_id is not None
    }


def _leave_dead_places(library: Library, placed: Sequence[int], report: ScanReport) -> None:
    """Mark other files of photos found at a new path as missing if they no longer exist, even in unscanned folders."""
    dead: dict[int, list[bytes]] = {}
    for root, path in library.files.of_photos(placed):
        if not os.path.lexists(os.path.join(os.fsencode(root.path), path)):
            dead.setdefault(root.id, []).append(path)
    for root_id, paths in dead.items():
        report.moved += len(library.files.mark_missing(root_id, paths).moved)


def _follow_moved_roots(library: Library, report: ScanReport) -> None:
    """Mark files of offline roots as missing if their photos are in an online root."""
    roots = library.roots.all()
    gone = [root for root in roots if why_offline(root, library) is not None]
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


def _places(library: Library, folders: Sequence[Path]) -> list[_Place]:
    """Return the places to walk, adding roots where needed."""
    paths = [absolute(folder) for folder in folders] or [root.path for root in library.roots.all()]
    if not paths:
        raise OperationError("The library has no photo folder yet: add one.")
    for path in paths:
        if library.roots.containing(path) is None:
            if not path.is_dir():
                if path.exists():
                    raise OperationError("{0} is a file, not a folder: name a folder with photos.", path)
                raise OperationError("{0} is not there: name a folder with photos.", path)
            library.roots.add(path)
    # After adding all: a later root may have absorbed an earlier one.
    places: dict[tuple[int, bytes], _Place] = {}
    for path in paths:
        found = library.roots.containing(path)
        if found is not None:
            root, relative = found
            below = b"" if relative == Path() else os.fsencode(relative)
            places[root.id, below] = _Place(root, below)
    return [
        place
        for place in places.values()
        if not any(_contains(other, place) for other in places.values() if other is not place)
    ]


def _contains(outer: _Place, inner: _Place) -> bool:
    prefix = outer.below + b"/" if outer.below else b""
    return outer.root.id == inner.root.id and inner.below.startswith(prefix)


def _by_root(library: Library, paths: Sequence[Path]) -> dict[Root, list[bytes]]:
    """Return the paths below each root, relative to it, without hidden paths and repetitions."""
    roots = [(root, os.fsencode(root.path)) for root in library.roots.all()]
    found: dict[Root, dict[bytes, None]] = {}
    for path in paths:
        name = os.fsencode(absolute(path))
        for root, folder in roots:
            if name != folder and not name.startswith(folder.rstrip(b"/") + b"/"):
                continue
            relative = name[len(folder.rstrip(b"/")) + 1 :]
            if not any(part.startswith(b".") for part in relative.split(b"/")):
                found.setdefault(root, {})[relative] = None
    return {root: sorted(inside) for root, inside in found.items()}


def _changed_places(library: Library, root: Root, paths: Sequence[bytes], report: ScanReport) -> Iterator[_Place]:
    """Compare single sorted paths of a root with the catalogue."""
    top = os.fsencode(root.path)
    single, known_files = _Place(root, b""), library.files.at(root.id, paths)
    scanned: bytes | None = None  # a folder compared as a whole
    for path in paths:
        if scanned is not None and path.startswith(scanned):
            continue
        what, file = _look(top, path, known_files.get(path), report)
        if what in ("folder", "linked folder"):
            # Only a walk of the whole root resolves links.
            below = path if what == "folder" else b""
            place = _Place(root, below)
            for _ in _compare(library, place, report):
                pass
            yield place
            if what == "linked folder":
                return
            scanned = below + b"/" if below else b""
        elif what != "unknown":
            _vanish_below(library, single, path)
        known = known_files.get(path)
        if file is not None:
            report.total += 1
            single.sort_in(file, known)
        elif known is not None and known.state is FileState.PRESENT and what != "unknown":
            single.vanished.append(path)
    yield single


def _vanish_below(library: Library, place: _Place, path: bytes) -> None:
    """Mark all files below a path as deleted, because it is no longer a folder."""
    below = library.files.known(place.root.id, path)
    place.vanished.extend(name for name, file in below.items() if file.state is FileState.PRESENT)


def _look(top: bytes, path: bytes, known: KnownFile | None, report: ScanReport) -> tuple[str, WalkedFile | None]:
    """Return the kind of a path (gone, folder, linked folder, file or unknown), and the file if it is a photo."""
    name = os.path.join(top, path) if path else top
    try:
        status = os.lstat(name) if path else os.stat(name)
        if stat.S_ISDIR(status.st_mode):
            return "folder", None
        if stat.S_ISLNK(status.st_mode):
            if os.path.isdir(name):
                return "linked folder", None
            if os.path.realpath(name).startswith(os.path.realpath(top).rstrip(b"/") + b"/"):
                return "file", None  # the file itself is in the library
            status = os.stat(name)
    except (FileNotFoundError, NotADirectoryError):
        return "gone", None
    except OSError:
        return "unknown", None
    photo = stat.S_ISREG(status.st_mode) and path.lower().endswith(_ENDINGS)
    if stat.S_ISREG(status.st_mode) and not photo and may_be_photo(path):
        photo = _take_by_content(name, known, report)
    return "file", WalkedFile(path, status.st_size, status.st_mtime_ns) if photo else None


def _reachable(root: Root, library: Library, report: ScanReport) -> bool:
    """Return whether a root is online. A missing part of a root was deleted; a missing root is offline."""
    reason = why_offline(root, library)
    if reason is not None and root.path not in dict(report.unreachable):
        for listed in (report.unreadable, report.unreachable):
            listed.append((root.path, reason))
    return reason is None


def _compare(library: Library, place: _Place, report: ScanReport) -> Iterator[int]:
    """Sort the files on disk into new, changed and vanished ones; yield the number of files seen."""
    prefix = place.below + b"/" if place.below else b""
    unseen: list[bytes] = []
    seen = 0
    known = _KnownFiles(library, place)
    gone = not os.path.isdir(place.folder)

    def take(path: bytes) -> bool:
        return _take_by_content(os.path.join(place.folder, path), known.get(prefix + path), report)

    def pass_over(path: bytes) -> None:
        suffix = os.fsdecode(os.path.splitext(path)[1].lower())
        place.passed_over[suffix] = place.passed_over.get(suffix, 0) + 1

    def enter(folder: bytes) -> None:
        known.read(prefix + folder if folder else place.below)

    for found in () if gone else walk(place.folder, IMAGE_SUFFIXES, take, enter, pass_over, job_pause()):
        path = prefix + found.path
        if isinstance(found, WalkFailure):
            absolute = Path(os.fsdecode(os.path.join(place.folder, found.path) if found.path else place.folder))
            for listed in (report.unreadable, report.not_walked):
                listed.append((absolute, found.reason))
            if found.is_folder:
                unseen.append(prefix + found.path + b"/" if found.path else prefix)
            else:
                known.take(path)
            continue
        seen += 1
        place.sort_in(WalkedFile(path, found.bytes, found.mtime_ns), known.take(path))
        yield seen
    report.total += seen
    place.vanished = [
        path
        for path, file in known.left().items()
        if file.state is FileState.PRESENT and not path.startswith(tuple(unseen))
    ]


def _take_by_content(path: bytes, known: KnownFile | None, report: ScanReport) -> bool:
    """Return whether a file is a photo by content in spite of its suffix; unchanged known files are not read."""
    try:
        status = os.stat(path)
        if known is None or (known.bytes, known.mtime_ns) != (status.st_size, status.st_mtime_ns):
            head = photo_head(path)
            if head is None:
                return False
            if is_dicom(head) and not can_decode():
                report.without_pydicom += 1
                return False
    except OSError:
        if known is None:
            return False
    report.misnamed.append(Path(os.fsdecode(path)))
    return True


def _record(
    library: Library, work: list[tuple[_Place, WalkedFile]], meter: Meter, report: ScanReport, placed: list[int]
) -> Job[None]:
    """Read and record files in order, in batches; append photos found at new paths to `placed`."""
    batch: list[FoundFile] = []
    last = time.monotonic()
    most_bytes = MEGABYTES.get(library) << 20
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="hash")
    try:
        waiting = deque(work)
        flying: deque[Future[FoundFile]] = deque()
        while waiting or flying:
            while waiting and len(flying) < _AHEAD:
                flying.append(pool.submit(_read, *waiting.popleft(), most_bytes))
            if not wait([flying[0]], timeout=0.2, return_when=FIRST_COMPLETED).done:
                yield meter.state()
                continue
            found = flying.popleft().result()
            batch.append(found)
            if found.failure is not None:
                root = next(place.root for place, _ in work if place.root.id == found.root_id)
                report.unreadable.append((root.path / os.fsdecode(found.path), found.failure))
            if len(batch) >= _BATCH or time.monotonic() - last > _PAUSE:
                placed += _write(library, batch, report)
                yield meter.advance(len(batch), os.fsdecode(found.path))
                batch, last = [], time.monotonic()
        if batch:
            placed += _write(library, batch, report)
            yield meter.advance(len(batch))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _write(library: Library, batch: list[FoundFile], report: ScanReport) -> Sequence[int]:
    recorded = library.files.record(batch)
    report.new += len(recorded.new)
    report.changed += len(recorded.changed)
    report.placed += len(recorded.placed)
    return recorded.placed


def _read(place: _Place, file: WalkedFile, most_bytes: int) -> FoundFile:
    """Return the file with the hash of its content, or with the reason why it is unreadable."""
    content_hash, failure = None, None
    try:
        with open_regular(os.path.join(os.fsencode(place.root.path), file.path), most_bytes) as stream:
            content_hash = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError as error:
        failure = Text("The file cannot be read: {0}.", why(error))
        if isinstance(error, PermissionError):
            failure = Text("Focal may not read this file: change its permissions.")
        if error.errno == errno.EFBIG:
            failure = Text(
                "The file cannot be read: {0}: raise {1} in the settings if it is a photo.", why(error), MEGABYTES.name
            )
    return FoundFile(place.root.id, file.path, file.bytes, file.mtime_ns, content_hash, failure)
