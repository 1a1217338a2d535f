"""Describe the photos that lack something: decode once, store vectors, thumbnail, size and date."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from browser.catalog.library import Library
from browser.operations.errors import OperationError
from browser.operations.pool import Results, describe_in_processes
from browser.operations.progress import Job, Meter
from browser.operations.worker import Outcome, Task, describe_photo
from features import DESCRIPTORS

_SMALL: Final = 16  # with fewer photos, starting processes would take longer than describing them
_BATCH: Final = 64  # photos written at a time
_PAUSE: Final = 2.0  # seconds after which fewer are written


@dataclass
class ExtractReport:
    """What `extract` did.

    Attributes
    ----------
    done : int
        Photos described.
    failed : list of (Path, str)
        Photos that could not be described in this run, with the reason.
    seconds : dict of str to float
        Time by stage, added up over photos and processes: ``"decode"``, each descriptor, ``"thumbnail"``, ``"write"``.
    """

    done: int = 0
    failed: list[tuple[Path, str]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def extract(library: Library, *, workers: int | None = None, names: Sequence[str] | None = None) -> Job[ExtractReport]:
    """Describe every photo that lacks a vector, its size or its date, unless it failed before.

    Results are written in batches: vectors and thumbnails first, then the catalogue's rows. If the program is killed
    in between, at most a batch is done again.

    Parameters
    ----------
    library : Library
    workers : int, optional
        Processes; as many as there are cores, if not given. A few photos are described without any.
    names : sequence of str, optional
        Of the table of descriptors; all, if not given.

    Yields
    ------
    Progress

    Returns
    -------
    ExtractReport

    Raises
    ------
    OperationError
        A name is not in the table, or no process can be started.
    """
    wanted = list(DESCRIPTORS) if names is None else list(names)
    if unknown := [name for name in wanted if name not in DESCRIPTORS]:
        raise OperationError(f"There is no descriptor {unknown[0]!r}; there are {', '.join(DESCRIPTORS)}.")
    meter = Meter("Reading photos")
    yield meter.state()
    tasks = _lacking(library, wanted)
    meter = Meter("Reading photos", len(tasks))
    yield meter.state()
    writer = _Writer(library, wanted)
    # A fatal fault of a decoder in this process would end the program, and again at its next start: the marker that
    # it leaves behind sends the photos to processes then.
    marker = library.path / "derived" / "describing"
    if len(tasks) < _SMALL and not marker.exists():
        results = _describe_here(tasks, marker)
    else:
        results = describe_in_processes(tasks, workers)
    try:
        with closing(results):
            for outcomes in results:
                writer.add(outcomes)
                yield meter.advance(len(outcomes), str(outcomes[-1].task.path) if outcomes else "")
    finally:
        # What is described already is kept, whether this ends by itself, by an error or by being cancelled.
        writer.flush()
    marker.unlink(missing_ok=True)
    return writer.report


def _lacking(library: Library, names: Sequence[str]) -> list[Task]:
    """Return what is to be done, photos of one folder next to each other."""
    ids = library.photos.ids("-failed -missing")
    lacking: dict[int, list[str]] = defaultdict(list)
    for photo_id in library.photos.undescribed(ids):
        lacking[int(photo_id)] = []
    for name in names:
        descriptor = DESCRIPTORS[name]
        store = library.vectors.store(str(descriptor.key), descriptor.dimension)
        for photo_id in store.missing(ids):
            lacking[int(photo_id)].append(name)
    ordered = [int(photo_id) for photo_id in ids if int(photo_id) in lacking]
    paths = library.photos.paths(ordered)
    return [Task(i, path, tuple(lacking[i])) for i, path in zip(ordered, paths, strict=True)]


def _describe_here(tasks: Sequence[Task], marker: Path) -> Results:
    if not tasks:
        return
    marker.write_text(f"{os.getpid()}\n")
    try:
        for task in tasks:
            yield [describe_photo(task)]
    finally:
        marker.unlink(missing_ok=True)


class _Writer:
    """Collects outcomes and writes them in batches."""

    def __init__(self, library: Library, names: Sequence[str]) -> None:
        self.report = ExtractReport()
        self._library = library
        self._stores = {
            name: library.vectors.store(str(DESCRIPTORS[name].key), DESCRIPTORS[name].dimension) for name in names
        }
        self._waiting: list[Outcome] = []
        self._last = time.monotonic()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, outcomes: Sequence[Outcome]) -> None:
        self._waiting.extend(outcomes)
        if len(self._waiting) >= _BATCH or time.monotonic() - self._last > _PAUSE:
            self.flush()

    def flush(self) -> None:
        start = time.perf_counter()
        batch, self._waiting = self._waiting, []
        described = [(o.task.photo_id, o.description) for o in batch if o.description is not None]
        for name, store in self._stores.items():
            rows = [(i, d.vectors[name]) for i, d in described if name in d.vectors]
            if rows:
                store.append(np.array([i for i, _ in rows], dtype=np.int64), np.stack([v for _, v in rows]))
        thumbnails = [(i, d.thumbnail) for i, d in described if d.thumbnail is not None]
        if thumbnails:
            self._library.thumbnails.put_many(dict(thumbnails))
        if described:
            self._library.photos.set_descriptions(
                [(i, d.header.width, d.header.height, d.header.taken) for i, d in described]
            )
        lasting = [(o.task.photo_id, o.failure) for o in batch if o.failure and o.lasting]
        if lasting:
            self._library.photos.set_failures(lasting)
        self.report.done += len(described)
        self.report.failed.extend((o.task.path, o.failure) for o in batch if o.failure)
        for _, description in described:
            for stage, seconds in description.seconds.items():
                self._seconds[stage] += seconds
        self._seconds["write"] += time.perf_counter() - start
        self._last = time.monotonic()
        self.report.seconds = dict(self._seconds)
