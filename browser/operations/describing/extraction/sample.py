# SPDX-License-Identifier: MIT
"""Describe the sample for fitting once: the data to fit descriptors to, and the photos' missing descriptors."""

from __future__ import annotations

import dataclasses
import math
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.codes import CodeStore
from focal_photos.browser.catalog.arrays.vectors import VectorStore
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import decode_limits, description_plan, vector_store
from focal_photos.browser.operations.describing.enabled import AnyDescriptor, all_descriptors
from focal_photos.browser.operations.describing.extraction.description_writer import DescriptionWriter, ExtractReport
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.features.base import CodeDescriptor, Fitted, GlobalDescriptor, LocalDescriptor, image_of_local
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.fitted.fisher_vectors import DrawnPoints
from focal_photos.learners.core.linalg import one_thread

MOST_CACHED: Final = 1 << 30
"""Maximum bytes of local vectors stored on disk during fitting.

Those of 400 square photos for both standard Fisher vectors take 620 MB.
"""

_BATCH: Final = 64  # photos computed before a job can be cancelled

Rows = NDArray[np.float32]


class Sample:
    """The photos to which descriptors are fitted, and their data during fitting.

    The fitting data are in memory; for dense descriptors, these are at most 1000 sampled points per photo. All local
    vectors are in an unnamed file of at most `MOST_CACHED` bytes and half of the free disk space, so that Fisher
    vectors and bags of words need no second decoding. Photos that do not fit are described again by `extract`.

    Parameters
    ----------
    photos : sequence of (int, pathlib.Path)
        Id and file of each photo.
    complete : bool
        Whether photos are also described by the ready descriptors that they lack; otherwise nothing is stored.
    workers, backend, scheduler, first, pool
        See `browser.operations.workers.describe_photos.describe_photos`.

    Attributes
    ----------
    rows : dict of str to list of ndarray of float32, each of shape (r, d)
        Fitting data of each photo by key of the source, in the order of `photos`; failed photos are absent.
    """

    def __init__(
        self,
        library: Library,
        photos: Sequence[tuple[int, Path]],
        *,
        complete: bool = False,
        workers: int | None = None,
        backend: str = "processes",
        scheduler: str | None = None,
        first: Callable[[], Sequence[int]] | None = None,
        pool: ProcessPool | None = None,
    ) -> None:
        self.rows: dict[str, list[Rows]] = {}
        self._library = library
        self._photos = list(photos)
        self._complete = complete
        self._workers = workers
        self._describe = partial(
            describe_photos, workers=workers, backend=backend, scheduler=scheduler, first=first, pool=pool
        )
        self._failed: dict[int, PhotoResult] = {}
        self._to_record: list[PhotoResult] = []
        self._cached = CachedVectors(library.path / "derived", MOST_CACHED)
        self._report = ExtractReport()

    def close(self) -> None:
        """Delete the file."""
        self._cached.close()

    def read(self, unfitted: Sequence[AnyDescriptor], waiting: Collection[str]) -> Job[None]:
        """Fill `rows` with the missing fitting data of descriptors.

        Parameters
        ----------
        unfitted : sequence of Descriptor
            Each is `Fitted`.
        waiting : collection of str
            Names of the descriptors about to be fitted; their former states are no longer used for photos.
        """
        learners = [one for one in unfitted if isinstance(one, Fitted)]
        sources = {str(one.learned_from.key): one.learned_from for one in learners}
        new = [source for key, source in sources.items() if key not in self.rows and not self._take_stored(source)]
        for several in _of_different_names(new):
            self.rows |= yield from self._describe_for(several, unfitted, waiting)

    def describe_others(
        self, ids: NDArray[np.int64], waiting: Collection[str], enough: Callable[[], bool]
    ) -> Job[None]:
        """Describe photos outside the sample by ready descriptors, so that they can be ranked, until it is `enough`.

        Parameters
        ----------
        ids : ndarray of int64, shape (n,)
            All photos, including the sample.
        waiting : collection of str
            See `read`.
        enough : callable
            See `browser.operations.workers.describe_photos.describe_photos`.
        """
        shared = {part for parts in self._computed_from(waiting).values() for part in parts}
        # Those computed from the same points as a waiting descriptor wait, too: then the points are computed once.
        ready = tuple(one for one in self._ready(waiting, {}) if shared.isdisjoint(_parts(one)))
        if not ready:
            return
        plan = DescriptionPlan(
            ready, decode_limits(self._library), seconds_per_photo=settings.SECONDS.get(self._library)
        )
        others = ids[~np.isin(ids, self._ids())]
        writer = DescriptionWriter(self._library, plan)
        tasks = writer.lacking(others)
        meter = Meter(Text("Reading photos"), len(tasks))
        yield meter.state()
        try:
            with closing(self._describe(tasks, plan, enough=enough)) as described:
                for results in described:
                    writer.add([result for result in results if result.description is not None])
                    self._to_record += [result for result in results if result.description is None]
                    yield meter.advance(len(results))
        finally:
            writer.flush()
            self._report.join(writer.report)

    def complete_with(self, fitted: Sequence[AnyDescriptor]) -> Job[None]:
        """Store the vectors of newly fitted descriptors for photos with saved local vectors."""
        by_source: dict[LocalDescriptor, list[GlobalDescriptor | CodeDescriptor]] = {}
        for one in fitted:
            if not isinstance(one, LocalDescriptor) and _parts(one):
                by_source.setdefault(_parts(one)[0], []).append(one)
        for several in by_source.values():
            yield from self._complete_from_one(several)

    def _complete_from_one(self, several: Sequence[GlobalDescriptor | CodeDescriptor]) -> Job[None]:
        """Store the vectors of descriptors that share a local descriptor, so that each photo is read once."""
        parts = tuple(dict.fromkeys(part for one in several for part in _parts(one)))
        there = np.array(self._cached.photos(*(str(part.key) for part in parts)), np.int64)
        stores = {one.name: self._store(one) for one in several}
        lacking = {name: frozenset(store.missing(there).tolist()) for name, store in stores.items()}
        ids = [photo_id for photo_id in there.tolist() if any(photo_id in some for some in lacking.values())]

        def describe(photo_id: int) -> dict[str, tuple[NDArray[Any], float]]:
            cached = [self._cached.read(str(part.key), photo_id) for part in parts]
            whole = [one for one in cached if one is not None]
            found: dict[str, tuple[NDArray[Any], float]] = {}
            if len(whole) == len(parts):
                image = image_of_local(parts, whole)
                for one in several:
                    start = time.thread_time()
                    row = one.extract(image)
                    found[one.name] = row, time.thread_time() - start
            return found

        def work(report: Callable[[float], None]) -> None:
            # One core is left to the window.
            size = max(1, min(self._workers or available_cores(), available_cores() - 1))
            with one_thread(), ThreadPoolExecutor(size, thread_name_prefix="focal-sample") as threads:
                for start in range(0, len(ids), _BATCH):
                    batch = ids[start : start + _BATCH]
                    found = list(threads.map(describe, batch))
                    for name, store in stores.items():
                        rows = [(i, *some[name]) for i, some in zip(batch, found, strict=True) if name in some]
                        # Unreadable and non-finite vectors are left to `extract`, which reports the error.
                        good = [(i, row) for i, row, _ in rows if i in lacking[name] and np.isfinite(row).all()]
                        if good:
                            store.append([i for i, _ in good], np.stack([row for _, row in good]))
                            self._report.described.update(i for i, _ in good)
                        taken = sum(seconds for _, _, seconds in rows)
                        self._report.seconds[name] = self._report.seconds.get(name, 0.0) + taken
                    report((start + len(batch)) / len(ids))

        if ids:
            yield from in_thread(Text("Refining rankings: {0}", Text(several[0].title)), work)

    def _store(self, one: GlobalDescriptor | CodeDescriptor) -> VectorStore | CodeStore:
        if isinstance(one, CodeDescriptor):
            return self._library.codes.store(str(one.key), one.dimension)
        return vector_store(self._library, one)

    def report(self) -> ExtractReport:
        """Record failed photos, and return the report.

        They are recorded last, so that the sample stays the same until all descriptors are fitted, even after a crash.
        """
        writer = DescriptionWriter(self._library, DescriptionPlan())
        writer.add(self._to_record)
        writer.flush()
        self._report.join(writer.report)
        return self._report

    def _take_stored(self, source: AnyDescriptor) -> bool:
        """Read the rows of a source from the library, if it has those of all photos."""
        if not isinstance(source, GlobalDescriptor):
            return False
        store = vector_store(self._library, source)
        ids = np.array([photo_id for photo_id, _ in self._photos if photo_id not in self._failed], np.int64)
        if len(store.missing(ids)):
            return False
        self.rows[str(source.key)] = [row[None] for row in np.array(store.rows(ids))]
        return True

    def _describe_for(
        self, sources: Sequence[AnyDescriptor], unfitted: Sequence[AnyDescriptor], waiting: Collection[str]
    ) -> Job[dict[str, list[Rows]]]:
        """Describe all photos by some sources and by the descriptors that they lack."""
        needed = {one.name: one for one in map(_computed, sources)}
        stages = {_computed(one.learned_from).name: one.name for one in reversed(unfitted) if isinstance(one, Fitted)}
        whole: set[LocalDescriptor] = set()
        for name, parts in self._computed_from(waiting).items():
            if self._complete and not needed.keys().isdisjoint(part.name for part in parts):
                whole.update(parts)
                stages |= {part.name: name for part in parts if part.name not in stages}
        needed |= {one.name: one for one in whole if one.name not in needed}
        ready = self._ready(waiting, needed)
        writer = DescriptionWriter(self._library, DescriptionPlan(ready))
        lacking = writer.lacking(self._ids()) if self._complete else []
        tasks = {task.photo_id: task.names for task in lacking}
        plan = DescriptionPlan(
            (*needed.values(), *(one for one in ready if one.name not in needed)),
            decode_limits(self._library),
            DescriptionPlan.thumbnail_side if tasks else None,
            settings.SECONDS.get(self._library),
        )
        wanted = [
            PhotoTask(photo_id, path, tuple(dict.fromkeys([*needed, *tasks.get(photo_id, ())])))
            for photo_id, path in self._photos
            if photo_id not in self._failed
        ]
        not_stored = needed.keys() - {one.name for one in ready}
        found: dict[int, dict[str, Rows]] = {}
        meter = Meter(Text("Choosing training photos"), len(wanted))
        yield meter.state()
        try:
            with closing(self._describe(wanted, plan)) as described:
                for results in described:
                    for result in results:
                        photo_id = result.task.photo_id
                        if result.description is None:
                            self._failed[photo_id] = result
                            continue
                        local = {name: _rows(result, one) for name, one in needed.items()}
                        found[photo_id] = {str(source.key): _drawn(source, local) for source in sources}
                        if self._complete:
                            for one in whole & set(needed.values()):
                                self._cached.keep(str(one.key), photo_id, local[one.name])
                        if photo_id in tasks:
                            writer.add([_without(result, not_stored, stages)])
                    yield meter.advance(len(results), str(results[-1].task.path) if results else "")
        finally:
            writer.flush()
            self._report.join(writer.report)
        self._to_record += [result for photo_id, result in self._failed.items() if photo_id in tasks]
        keys = [str(source.key) for source in sources]
        return {key: [found[photo_id][key] for photo_id, _ in self._photos if photo_id in found] for key in keys}

    def _computed_from(self, names: Collection[str]) -> dict[str, tuple[LocalDescriptor, ...]]:
        """Return the local descriptors that determine the vectors of descriptors, by name."""
        every = all_descriptors(self._library, ())
        return {name: _parts(every[name]) for name in sorted(names) if name in every}

    def _ids(self) -> NDArray[np.int64]:
        return np.array([photo_id for photo_id, _ in self._photos], np.int64)

    def _ready(self, waiting: Collection[str], needed: dict[str, AnyDescriptor]) -> tuple[AnyDescriptor, ...]:
        """Return further descriptors for the photos; other versions of a source cannot share a decoding."""
        if not self._complete:
            return ()
        try:
            ready = description_plan(self._library).descriptors
        except OperationError:  # missing file of a network: `extract` reports it
            return ()
        return tuple(one for one in ready if one.name not in waiting and needed.get(one.name, one) == one)


class CachedVectors:
    """Local vectors of photos in an unnamed file that is deleted with this object or the process. Thread-safe.

    Parameters
    ----------
    folder : pathlib.Path
        Folder on the disk to use; created when needed.
    most : int
        Maximum number of bytes; at most half of the free space is used.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most
        self._lock = threading.Lock()
        self._places: dict[str, dict[int, tuple[int, tuple[int, ...]]]] = {}
        self._end = 0
        self._file: IO[bytes] | None = None

    def keep(self, key: str, photo_id: int, vectors: Rows) -> bool:
        """Store all vectors (n, d) of a photo; return whether there was space."""
        with self._lock:
            try:
                if self._file is None and self._most:
                    self._folder.mkdir(parents=True, exist_ok=True)
                    self._most = min(self._most, shutil.disk_usage(self._folder).free // 2)
                    self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115
                if self._file is None or self._end + vectors.nbytes > self._most:
                    return False
                self._file.seek(self._end)
                self._file.write(np.ascontiguousarray(vectors).data)
                self._file.flush()
            except OSError:  # full disk or quota: nothing more is stored
                self._most = 0
                return False
            self._places.setdefault(key, {})[photo_id] = (self._end, vectors.shape)
            self._end += vectors.nbytes
            return True

    def photos(self, key: str, *others: str) -> list[int]:
        """Return the photos with stored vectors of all these keys."""
        return [one for one in self._places.get(key, {}) if all(one in self._places.get(other, {}) for other in others)]

    def read(self, key: str, photo_id: int) -> Rows | None:
        """Return the vectors (n, d) of a photo, read-only; None if unreadable."""
        place, shape = self._places[key][photo_id]
        with self._lock, suppress(OSError, ValueError):
            if self._file is not None:
                self._file.seek(place)
                return np.frombuffer(self._file.read(4 * math.prod(shape)), np.float32).reshape(shape)
        return None

    def close(self) -> None:
        """Delete the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
            self._file, self._most = None, 0


def _parts(one: AnyDescriptor) -> tuple[LocalDescriptor, ...]:
    return () if isinstance(one, LocalDescriptor) else one.computed_from


def _computed(source: AnyDescriptor) -> AnyDescriptor:
    """Return the descriptor that workers compute for a source: all points, from which some are sampled here."""
    return source.base if isinstance(source, DrawnPoints) else source


def _rows(result: PhotoResult, one: AnyDescriptor) -> Rows:
    assert result.description is not None
    if isinstance(one, GlobalDescriptor):
        return result.description.vectors[one.name][None]
    return result.description.patches[one.name].vectors


def _drawn(source: AnyDescriptor, rows: Mapping[str, Rows]) -> Rows:
    """Return the fitting data of a source, given computed rows by name."""
    vectors = rows[_computed(source).name]
    return source.draw(vectors) if isinstance(source, DrawnPoints) else vectors


def _without(result: PhotoResult, names: Collection[str], stages: Mapping[str, str]) -> PhotoResult:
    """Return a result without large parts that are not stored; their time goes to the descriptors that need them."""
    found = result.description
    assert found is not None
    seconds: dict[str, float] = {}
    for stage, taken in found.seconds.items():
        stage = stages.get(stage, stage) if stage in names else stage
        seconds[stage] = seconds.get(stage, 0.0) + taken
    patches = {name: some for name, some in found.patches.items() if name not in names}
    vectors = {name: some for name, some in found.vectors.items() if name not in names}
    return dataclasses.replace(
        result, description=dataclasses.replace(found, patches=patches, vectors=vectors, seconds=seconds)
    )


def _of_different_names(sources: Sequence[AnyDescriptor]) -> list[list[AnyDescriptor]]:
    """Group sources into as few lists as possible such that each name occurs with only one key per decoding."""
    shared: list[list[AnyDescriptor]] = []
    for source in sources:
        name = _computed(source).name
        for several in shared:
            if all(name != _computed(other).name or _computed(source) == _computed(other) for other in several):
                several.append(source)
                break
        else:
            shared.append([source])
    return shared
