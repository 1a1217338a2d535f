# SPDX-License-Identifier: MIT
"""Read the metadata of other programs from files and sidecars, and import them into the library.

First, all metadata are read in batches and queued in the catalogue. Then `take_over` imports all of them in one journal
step. The program can therefore be killed and resumed at any time, and one indexing is one undo step.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.marks import MAX_RATING, REJECTED, MarkError, clean_label
from focal_photos.browser.catalog.facts.records import Exchanged, Information, Reading, Written
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import TAKE_OVER
from focal_photos.browser.operations.jobs.pauses import job_pause
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.metadata.embedded import read_embedded
from focal_photos.browser.operations.metadata.imports.import_choice import ALL_KEYWORDS
from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport, take_over
from focal_photos.browser.operations.metadata.keywords import Field, keywords_of, without_empty
from focal_photos.browser.operations.metadata.sidecars import SUFFIX, Folder, read_sidecars
from focal_photos.browser.operations.photos.walk import why
from focal_photos.features.metadata.metadata import Metadata, one_line

_BATCH: Final = 256  # photos recorded per transaction
_PAUSE: Final = 2.0  # seconds after which fewer are recorded
_THREADS: Final = 4  # they wait for the disk
_AHEAD: Final = 64  # photos read ahead of recording
_REPORT_EVERY: Final = 500  # photos between two reports during the search for sidecars


def read_metadata(
    library: Library, *, with_sidecars: bool = True, import_tags_of: Collection[int] = ()
) -> Job[MetadataReport]:
    """Read photos that are new or whose file or sidecars have changed, and import new metadata.

    Ratings and labels are imported from all photos; tags from folders whose tags the user has chosen to import
    (`import_choice`). Tags in other folders are counted, and `import_tags` can import them later.

    For a photo with several files, the first file is read, and the sidecars of all files. Unreadable photos are tried
    again next time. If the setting ``metadata.take_over`` is off, nothing is read.

    Parameters
    ----------
    with_sidecars : bool
        Whether to look for changed sidecars of all photos, not only of new ones.
    import_tags_of : collection of int
        Ids of folders whose tags are all imported, now and whenever their files change.
    """
    report = MetadataReport()
    if not TAKE_OVER.get(library):
        return report
    meter = Meter(Text("Looking for sidecars"))
    yield meter.state()
    tasks: list[_Task] = []
    for count, task in enumerate(_wanted(library, with_sidecars), start=1):
        if task is not None:
            tasks.append(task)
        if count % _REPORT_EVERY == 0:
            yield meter.advance(_REPORT_EVERY)
    hashes = library.photos.content_hashes(task.photo_id for task in tasks)
    tasks = [replace(task, content_hash=hashes[task.photo_id]) for task in tasks]
    yield from _read_all(library, tasks, report)
    waiting = library.information.waiting()
    if waiting or import_tags_of:
        yield Meter(Text("Importing ratings and tags"), len(waiting)).state()
        take_over(library, waiting, report, dict.fromkeys(import_tags_of, ALL_KEYWORDS))
    return report


# ---------------------------------------------------------------------- photos to read
@dataclass(frozen=True)
class _Task:
    """A photo to read: its files with their folders (None without sidecars), and the fingerprint of its sidecars."""

    photo_id: int
    content_hash: str
    files: tuple[tuple[Path, Folder | None], ...]
    sidecars: str


@dataclass(frozen=True)
class _Looked:
    """Sizes and times of all sidecars in a folder; `folder` is None if there are none."""

    folder: Folder | None
    stamps: Mapping[str, str]


def _wanted(library: Library, with_sidecars: bool) -> Iterator[_Task | None]:
    """Yield each photo to read, and None for each other one; photos in unreadable folders must wait."""
    unread = set(library.information.unread().tolist())
    known = library.information.sidecars()
    looked: dict[str, _Looked | None] = {}
    wait = job_pause()
    for photo, files in library.files.present_names():
        wait()
        if photo not in unread and not with_sidecars:
            continue
        folders = []
        for folder, name in files:
            if folder not in looked:
                looked[folder] = _look(Path(folder))
            found = looked[folder]
            if found is not None:
                folders.append((folder, name, found))
        if not folders or (len(folders) < len(files) and photo not in unread):
            yield None
            continue
        sidecars = _fingerprint([(name, found) for _, name, found in folders])
        if photo in unread or known.get(photo, "") != sidecars:
            paths = tuple((Path(folder, name), found.folder) for folder, name, found in folders)
            yield _Task(photo, "", paths, sidecars)
        else:
            yield None


def _look(path: Path) -> _Looked | None:
    """List the sidecars of a folder; None if it cannot be listed."""
    stamps = {}
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name.lower().endswith(SUFFIX):
                    with suppress(OSError):  # deleted meanwhile
                        status = entry.stat()
                        stamps[entry.name] = f"{status.st_size} {status.st_mtime_ns}"
    except OSError:
        return None
    return _Looked(Folder(path) if stamps else None, stamps)


def _fingerprint(files: Sequence[tuple[str, _Looked]]) -> str:
    """Return a string that changes when a sidecar of a photo is added, removed or written; empty without sidecars."""
    lines = [
        f"{name} {looked.stamps.get(name, '')}"
        for photo, looked in files
        if looked.folder is not None
        for name, _ in looked.folder.sidecars_of(photo)
    ]
    return hashlib.blake2b(os.fsencode("\0".join(lines)), digest_size=16).hexdigest() if lines else ""


# ---------------------------------------------------------------------- reading
@dataclass
class _Result:
    """Result of reading one photo; `reading` is None if its file cannot be read."""

    path: Path
    reading: Reading | None = None
    left_out: list[str] = field(default_factory=list)
    problems: list[tuple[Path, str]] = field(default_factory=list)


def _read_all(library: Library, tasks: Sequence[_Task], report: MetadataReport) -> Job[None]:
    meter = Meter(Text("Reading metadata"), len(tasks))
    batch: list[_Result] = []
    last = time.monotonic()
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="metadata")
    try:
        waiting = deque(tasks)
        flying: deque[Future[_Result]] = deque()
        while waiting or flying:
            while waiting and len(flying) < _AHEAD:
                flying.append(pool.submit(_read, waiting.popleft()))
            if not wait([flying[0]], timeout=0.2, return_when=FIRST_COMPLETED).done:
                yield meter.state()
                continue
            batch.append(flying.popleft().result())
            if len(batch) >= _BATCH or time.monotonic() - last > _PAUSE or not (waiting or flying):
                _note(library, batch, report)
                yield meter.advance(len(batch), str(batch[-1].path))
                batch, last = [], time.monotonic()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _note(library: Library, batch: Sequence[_Result], report: MetadataReport) -> None:
    library.information.record(one.reading for one in batch if one.reading is not None)
    for one in batch:
        report.read += one.reading is not None
        report.left_out.extend((one.path, reason) for reason in one.left_out)
        report.problems.extend(one.problems)


def _read(task: _Task) -> _Result:
    """Read the file of a photo and its sidecars; called in a thread."""
    path = task.files[0][0]
    result = _Result(path)
    try:
        embedded = read_embedded(path)
    except OSError as error:
        result.problems.append((path, Text("The file cannot be read: {0}.", why(error))))
        return result
    result.problems.extend((path, f"Of the metadata {problem}.") for problem in embedded.problems)
    sidecars = [one for file, folder in task.files if folder is not None for one in read_sidecars(file, folder)]
    result.problems.extend((one.path, one.problem) for one in sidecars if one.problem)
    # Sidecars take precedence: they were written after the photo.
    joined = Metadata().joined(*(one.metadata for one in sidecars), embedded.metadata)
    now = timestamps.now()
    said = []
    for one in sidecars:
        written = _written(one.metadata, [])
        if not one.problem:
            said.append(
                Exchanged(task.photo_id, one.path, one.content_hash, written.tags, written.rating, written.label, now)
            )
    result.reading = Reading(
        task.photo_id,
        task.content_hash,
        task.sidecars,
        _written(joined, result.left_out),
        Information(joined.camera, joined.lens, joined.exposure, joined.latitude, joined.longitude),
        joined.taken,
        tuple(said),
        {**without_empty({Field.SIDECAR: keywords_of(one.metadata for one in sidecars)}), **embedded.fields},
    )
    return result


def _written(metadata: Metadata, left_out: list[str]) -> Written:
    """Return the metadata that are valid in Focal; add the others with the reasons to `left_out`."""
    tags: dict[str, None] = {}
    for name in metadata.tags:
        try:
            tags[normalise(name)] = None
        except TagNameError as error:
            left_out.append(f"The tag “{one_line(name) or ''}” was left out. {error}")
    label = None
    try:
        label = clean_label(metadata.label or "") or None
    except MarkError as error:
        left_out.append(f"The label “{one_line(metadata.label or '') or ''}” was left out. {error}")
    rating = metadata.rating
    return Written(tuple(tags), rating if rating is None or REJECTED <= rating <= MAX_RATING else None, label)
