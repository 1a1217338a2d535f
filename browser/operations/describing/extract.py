"""Describe the photos that lack something: decode once, store vectors, patches, thumbnail, size and date."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from browser.catalog.arrays.patches import PatchStore
from browser.catalog.arrays.vectors import VectorStore
from browser.catalog.library import Library
from browser.operations.describing.descriptors import description_plan
from browser.operations.describing.families import record_complete
from browser.operations.jobs.progress import Job, Meter
from browser.operations.workers.describe_photos import describe_photos
from browser.operations.workers.photo_tasks import PhotoResult, PhotoTask
from features.description import Description, DescriptionPlan

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
        Processor time by stage, added up over photos and processes: ``"decode"``, each descriptor, ``"thumbnail"``,
        ``"write"``.
    """

    done: int = 0
    failed: list[tuple[Path, str]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def extract(
    library: Library,
    *,
    workers: int | None = None,
    names: Sequence[str] | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
    first: Callable[[], Sequence[int]] | None = None,
) -> Job[ExtractReport]:
    """Describe every photo that lacks a vector, its patches, its size or its date, unless it failed before.

    Results are written in batches: vectors, patches and thumbnails first, then the catalogue's rows. If the program is
    killed in between, at most a batch is done again. A photo that has some descriptors gets only those that it lacks.

    Parameters
    ----------
    library : Library
    workers : int, optional
        Processes; as many as there are cores, if not given. A few photos are described in the sandbox.
    names : sequence of str, optional
        Descriptors that are switched on and ready; all of these, if not given.
    backend, scheduler, first
        Who describes, and which photos first; see `browser.operations.workers.describe_photos.describe_photos`.

    Yields
    ------
    Progress

    Returns
    -------
    ExtractReport

    Raises
    ------
    OperationError
        A name is unknown, switched off or not learned yet, the file of a network is gone, or no process can be started.
    """
    plan = description_plan(library, names)
    meter = Meter("Reading photos")
    yield meter.state()
    tasks = _lacking(library, plan)
    meter = Meter("Reading photos", len(tasks))
    yield meter.state()
    writer = _Writer(library, plan)
    try:
        described = describe_photos(tasks, plan, workers=workers, backend=backend, scheduler=scheduler, first=first)
        with closing(described):
            for results in described:
                writer.add(results)
                yield meter.advance(len(results), str(results[-1].task.path) if results else "")
    finally:
        # What is described already is kept, whether this ends by itself, by an error or by being cancelled.
        writer.flush()
    record_complete(library)
    return writer.report


def _lacking(library: Library, plan: DescriptionPlan) -> list[PhotoTask]:
    """Return what is to be done, photos of one folder next to each other."""
    ids = library.photos.ids("-failed -missing")
    lacking: dict[int, list[str]] = defaultdict(list)
    for photo_id in library.photos.undescribed(ids):
        lacking[int(photo_id)] = []
    for name, store in {**_vector_stores(library, plan), **_patch_stores(library, plan)}.items():
        for photo_id in store.missing(ids):
            lacking[int(photo_id)].append(name)
    ordered = [int(photo_id) for photo_id in ids if int(photo_id) in lacking]
    paths = library.photos.paths(ordered)
    return [PhotoTask(i, path, tuple(lacking[i])) for i, path in zip(ordered, paths, strict=True)]


def _vector_stores(library: Library, plan: DescriptionPlan) -> dict[str, VectorStore]:
    return {one.name: library.vectors.store(str(one.key), one.dimension) for one in plan.global_descriptors}


def _patch_stores(library: Library, plan: DescriptionPlan) -> dict[str, PatchStore]:
    return {one.name: library.patches.store(str(one.key), one.dimension) for one in plan.local_descriptors}


class _Writer:
    """Collects results and writes them in batches."""

    def __init__(self, library: Library, plan: DescriptionPlan) -> None:
        self.report = ExtractReport()
        self._library = library
        self._vectors = _vector_stores(library, plan)
        self._patches = _patch_stores(library, plan)
        self._waiting: list[PhotoResult] = []
        self._last = time.monotonic()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, results: Sequence[PhotoResult]) -> None:
        self._waiting.extend(results)
        if len(self._waiting) >= _BATCH or time.monotonic() - self._last > _PAUSE:
            self.flush()

    def flush(self) -> None:
        start = time.thread_time()
        batch, self._waiting = self._waiting, []
        described = [(r.task.photo_id, r.description) for r in batch if r.description is not None]
        self._write_arrays(described)
        if described:
            self._library.photos.set_descriptions(
                [(i, d.header.width, d.header.height, d.header.taken) for i, d in described]
            )
        lasting = [(r.task.photo_id, r.failure) for r in batch if r.failure and r.lasting]
        if lasting:
            self._library.photos.set_failures(lasting)
        self.report.done += len(described)
        self.report.failed.extend((r.task.path, r.failure) for r in batch if r.failure)
        for _, description in described:
            for stage, seconds in description.seconds.items():
                self._seconds[stage] += seconds
        self._seconds["write"] += time.thread_time() - start
        self._last = time.monotonic()
        self.report.seconds = dict(self._seconds)

    def _write_arrays(self, described: Sequence[tuple[int, Description]]) -> None:
        for name, store in self._vectors.items():
            rows = [(i, d.vectors[name]) for i, d in described if name in d.vectors]
            if rows:
                store.append(np.array([i for i, _ in rows], dtype=np.int64), np.stack([v for _, v in rows]))
        for name, patches in self._patches.items():
            found = [(i, d.patches[name]) for i, d in described if name in d.patches]
            if found:
                patches.append([i for i, _ in found], [(p.points, p.vectors) for _, p in found])
        thumbnails = [(i, d.thumbnail) for i, d in described if d.thumbnail is not None]
        if thumbnails:
            self._library.thumbnails.put_many(dict(thumbnails))
