"""Take over what other programs wrote about photos: read it from the files and the sidecars, enter it into the library.

Reading comes first, in batches, and what was read waits in the catalogue; then all that waits is taken over in one step
of the journal. So the program may be killed at any moment, goes on where it was, and one indexing is one step of undo.

What a person did in Focal is never overridden. What was taken over from a photo the last time is known, so that only
what is new in its file or its sidecars comes in: a tag that was taken off in Focal does not come back, and a rating
that was changed in Focal stays. Nothing is ever taken off because it is no longer in a file: programs that change
pictures lose metadata.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from focal_photos.browser.catalog.facts.marks import MAX_RATING, REJECTED, MarkError, clean_label
from focal_photos.browser.catalog.facts.records import (
    Exchanged,
    Information,
    Mark,
    Reading,
    TagSource,
    Waiting,
    Written,
)
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.describing.settings import TAKE_OVER
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.turn import my_turn
from focal_photos.browser.operations.metadata.embedded import read_embedded
from focal_photos.browser.operations.metadata.metadata import Metadata, one_line
from focal_photos.browser.operations.metadata.sidecars import SUFFIX, Folder, read_sidecars
from focal_photos.browser.operations.photos.walk import why

_BATCH: Final = 256  # photos noted in one transaction
_PAUSE: Final = 2.0  # seconds after which fewer are noted
_THREADS: Final = 4  # they wait for the disk
_AHEAD: Final = 64  # photos read ahead of what is noted
_REPORT_EVERY: Final = 500  # photos between two reports while sidecars are looked for

T = TypeVar("T")


@dataclass
class MetadataReport:
    """What `read_metadata` did.

    Attributes
    ----------
    read : int
        Photos that were read.
    tags, ratings, labels : int
        What was given to photos.
    kinds : int
        Different tags among them.
    photos : int
        Photos that got something.
    left_out : list of (Path, str)
        Tags and labels that Focal cannot have, with the reason.
    problems : list of (Path, str)
        Files whose metadata, or a part of them, cannot be read, with the reason.
    changes : ChangeSet
        Of the one step of the journal.
    """

    read: int = 0
    tags: int = 0
    kinds: int = 0
    ratings: int = 0
    labels: int = 0
    photos: int = 0
    left_out: list[tuple[Path, str]] = field(default_factory=list)
    problems: list[tuple[Path, str]] = field(default_factory=list)
    changes: ChangeSet = field(default_factory=ChangeSet)

    def in_words(self) -> str:
        """Return what was taken over: "412 tags of 9 kinds, 120 ratings from 300 photos"; empty if nothing."""
        counts = [
            _count(self.tags, "tag") + (f" of {_count(self.kinds, 'kind')}" if self.tags else ""),
            _count(self.ratings, "rating"),
            _count(self.labels, "label"),
        ]
        said = [text for text, number in zip(counts, (self.tags, self.ratings, self.labels), strict=True) if number]
        return f"{', '.join(said)} from {_count(self.photos, 'photo')}" if said else ""


def read_metadata(library: Library, *, with_sidecars: bool = True) -> Job[MetadataReport]:
    """Read the photos that were not read yet, or whose file or sidecars have changed, and take over what is new.

    Of a photo that lies in several places the first file is read, and the sidecars of all. A photo that cannot be read
    now is tried again the next time. Where the setting ``metadata.take_over`` is off, nothing is read.

    Parameters
    ----------
    library : Library
    with_sidecars : bool
        Look for sidecars that have changed in the folders of all photos; else only at photos that were not read yet.

    Yields
    ------
    Progress

    Returns
    -------
    MetadataReport
    """
    report = MetadataReport()
    if not TAKE_OVER.get(library):
        return report
    meter = Meter("Looking for sidecars")
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
    if waiting:
        yield Meter("Importing tags", len(waiting)).state()
        _take_over(library, waiting, report)
    return report


# ---------------------------------------------------------------------- what is to be read
@dataclass(frozen=True)
class _Task:
    """A photo that is to be read.

    Attributes
    ----------
    files : tuple of (Path, Folder or None)
        Where it lies; without a folder where that holds no sidecars.
    sidecars : str
        Tells its sidecars as they are now.
    """

    photo_id: int
    content_hash: str
    files: tuple[tuple[Path, Folder | None], ...]
    sidecars: str


@dataclass(frozen=True)
class _Looked:
    """A folder that was looked at: the sizes and times of all sidecars in it; no folder if there are none."""

    folder: Folder | None
    stamps: Mapping[str, str]


def _wanted(library: Library, with_sidecars: bool) -> Iterator[_Task | None]:
    """Yield each photo that is to be read, and None for each that is not.

    Photos in a folder that cannot be listed now, that of a drive that is away, are left for the next time.
    """
    unread = set(library.information.unread().tolist())
    known = library.information.sidecars()
    looked: dict[str, _Looked | None] = {}
    wait = my_turn()
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
    """Look at a folder; None if it cannot be listed."""
    stamps = {}
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name.lower().endswith(SUFFIX):
                    with suppress(OSError):  # it went meanwhile
                        status = entry.stat()
                        stamps[entry.name] = f"{status.st_size} {status.st_mtime_ns}"
    except OSError:
        return None
    return _Looked(Folder(path) if stamps else None, stamps)


def _fingerprint(files: Sequence[tuple[str, _Looked]]) -> str:
    """Return a text that changes when a sidecar of a photo comes, goes or is written; empty if there is none."""
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
    """What reading one photo came to; no reading if its file cannot be read."""

    path: Path
    reading: Reading | None = None
    left_out: list[str] = field(default_factory=list)
    problems: list[tuple[Path, str]] = field(default_factory=list)


def _read_all(library: Library, tasks: Sequence[_Task], report: MetadataReport) -> Job[None]:
    meter = Meter("Reading what other programs wrote", len(tasks))
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
        result.problems.append((path, f"The file cannot be read: {why(error)}."))
        return result
    result.problems.extend((path, f"Of the metadata {problem}.") for problem in embedded.problems)
    sidecars = [one for file, folder in task.files if folder is not None for one in read_sidecars(file, folder)]
    result.problems.extend((one.path, one.problem) for one in sidecars if one.problem)
    # A sidecar was written after the photo.
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
    )
    return result


def _written(metadata: Metadata, left_out: list[str]) -> Written:
    """Return what Focal can have of what a photo is said to have; add to `left_out` what it cannot, and why not."""
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


# ---------------------------------------------------------------------- taking over
def _take_over(library: Library, waiting: Sequence[Waiting], report: MetadataReport) -> None:
    """Enter what is new of what was read, in one step of the journal."""
    with library.journal.action("") as action:
        ids = [one.photo_id for one in waiting]
        tags, marks, exchanged = library.tags.of(ids), library.marks.of(ids), library.exchange.of(ids)
        rejected = library.suggestions.rejected_pairs()
        given: dict[int, list[str]] = {}
        wanted: dict[Mark, list[int]] = {}
        for one in waiting:
            # What was exchanged with a sidecar is no news either: it may be gone from Focal since.
            rows = exchanged[one.photo_id]
            known = {*one.before.tags, *tags[one.photo_id], *(name for row in rows for name in row.tags)}
            new = [name for name in one.found.tags if name not in known and (one.photo_id, name) not in rejected]
            if new:
                given[one.photo_id] = new
            old = marks[one.photo_id]
            ratings = (one.before.rating or None, *(row.rating for row in rows))
            labels = (one.before.label, *(row.label for row in rows))
            mark = Mark(
                _newer(ratings, one.found.rating, old.rating) or None, _newer(labels, one.found.label, old.label)
            )
            if mark != old:
                wanted.setdefault(mark, []).append(one.photo_id)
                report.ratings += mark.rating != old.rating
                report.labels += mark.label != old.label
        library.tags.give(given, TagSource.IMPORT)
        for mark, photos in wanted.items():
            library.marks.set(photos, rating=mark.rating, label=mark.label)
        # By itself it is no step that a person could take back.
        library.exchange.record(_made_alike(library, waiting), journaled=bool(given or wanted))
        library.information.note_taken_over(waiting)
        report.tags += sum(map(len, given.values()))
        report.kinds += len({name for line in given.values() for name in line})
        report.photos += len({*given, *(photo for photos in wanted.values() for photo in photos)})
        counts = {"tags": report.tags, "ratings": report.ratings, "labels": report.labels}
        what = _listed([name for name, number in counts.items() if number])
        action.label = f"Take over {what} of {_count(report.photos, 'photo')}"
    report.changes = action.changes


def _newer(before: Sequence[T | None], found: T | None, present: T | None) -> T | None:
    """Return what a photo shall have: what its file says if that is new and no person has changed it in Focal since.

    `before` is what was taken over from there, or exchanged with it.
    """
    return found if found is not None and found not in before and present in before else present


def _made_alike(library: Library, waiting: Sequence[Waiting]) -> Iterator[Exchanged]:
    """Yield what photos and their sidecars have in common now.

    Where they differ, what they had in common before is kept: it tells later which of them has changed.
    """
    ids = [one.photo_id for one in waiting if one.said]
    tags, marks, before = library.tags.of(ids), library.marks.of(ids), library.exchange.of(ids)
    for one in waiting:
        for said in one.said:
            here, there = set(tags[one.photo_id]), set(said.tags)
            old = next((row for row in before[one.photo_id] if row.sidecar == said.sidecar), None)
            base = (here & there) | (set(old.tags) & (here ^ there) if old is not None else set())
            mark = marks[one.photo_id]
            yield replace(
                said,
                at=timestamps.now(),  # after the tags were given: what is given later is given again
                tags=tuple(sorted(base)),
                rating=_alike(mark.rating, said.rating or None, old.rating if old is not None else None),
                label=_alike(mark.label, said.label, old.label if old is not None else None),
            )


def _alike(here: T | None, there: T | None, before: T | None) -> T | None:
    return here if here == there else before


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}" + ("" if number == 1 else "s")
