# SPDX-License-Identifier: MIT
"""Find the photos that lack descriptors, and write descriptions in batches."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import vector_store
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask
from focal_photos.features.description import Description, DescriptionPlan

_BATCH: Final = 64  # photos written at once
_PAUSE: Final = 2.0  # seconds after which fewer are written


@dataclass
class ExtractReport:
    """Result of `extract`."""

    described: set[int] = field(default_factory=set)
    """Ids of the photos described."""
    failed: list[tuple[Path, str]] = field(default_factory=list)
    """Photos that could not be described in this run, with the reason."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Processor time by stage, summed over photos and processes: ``"decode"``, each descriptor, ``"thumbnail"``,
    ``"write"``."""

    @property
    def done(self) -> int:
        """Number of photos described."""
        return len(self.described)

    def join(self, other: ExtractReport) -> None:
        """Add another report; photos in both count once."""
        self.described |= other.described
        known = {path for path, _ in self.failed}
        self.failed.extend((path, reason) for path, reason in other.failed if path not in known)
        for stage, seconds in other.seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds


class DescriptionWriter:
    """Finds the photos that lack descriptors, collects results and writes them in batches.

    Vectors, patches, codes and thumbnails are written before the catalogue.
    """

    def __init__(self, library: Library, plan: DescriptionPlan) -> None:
        self.report = ExtractReport()
        self._library = library
        self._vectors = {one.name: vector_store(library, one) for one in plan.global_descriptors}
        patches, codes = plan.local_descriptors, plan.code_descriptors
        self._patches = {one.name: library.patches.store(str(one.key), one.dimension) for one in patches}
        self._codes = {one.name: library.codes.store(str(one.key), one.dimension) for one in codes}
        self._waiting: list[PhotoResult] = []
        self._last = time.monotonic()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def lacking(self, ids: NDArray[np.int64]) -> list[PhotoTask]:
        """Return tasks for the photos of `ids` that lack descriptors of the plan, or their size, in the same order."""
        lacking: dict[int, list[str]] = {int(photo_id): [] for photo_id in self._library.photos.undescribed(ids)}
        for name, store in (self._vectors | self._patches | self._codes).items():
            for photo_id in store.missing(ids):
                lacking.setdefault(int(photo_id), []).append(name)
        ordered = [int(photo_id) for photo_id in ids if int(photo_id) in lacking]
        paths = self._library.photos.paths(ordered)
        return [PhotoTask(i, path, tuple(lacking[i])) for i, path in zip(ordered, paths, strict=True)]

    def add(self, results: Sequence[PhotoResult]) -> None:
        """Add results; they are written once they are numerous enough or enough time has passed."""
        self._waiting.extend(results)
        if len(self._waiting) >= _BATCH or time.monotonic() - self._last > _PAUSE:
            self.flush()

    def flush(self) -> None:
        """Write all pending results."""
        start = time.thread_time()
        batch, self._waiting = self._waiting, []
        described = [(r.task.photo_id, r.description) for r in batch if r.description is not None]
        self._write_arrays(described)
        if described:
            self._library.photos.set_descriptions(
                [(i, d.header.width, d.header.height, d.header.taken) for i, d in described]
            )
            self._library.photos.set_incomplete([(i, d.header.warning or None) for i, d in described])
        self.report.described.update(i for i, _ in described)
        self._write_failures([result for result in batch if result.failure])
        for _, description in described:
            for stage, seconds in description.seconds.items():
                self._seconds[stage] += seconds
        self._seconds["write"] += time.thread_time() - start
        self._last = time.monotonic()
        self.report.seconds = dict(self._seconds)

    def _write_failures(self, failed: Sequence[PhotoResult]) -> None:
        """Record why photos failed: permanently, or until the next indexing if the cause may be elsewhere.

        In the second case, a photo that was described before stays in the rankings.
        """
        reasons = {
            r.task.photo_id: Text("{0} Focal tries it again at the next indexing.", r.failure)
            if r.passing
            else r.failure
            for r in failed
        }
        failures = [(r.task.photo_id, r.failure) for r in failed if r.lasting]
        passing = np.array([r.task.photo_id for r in failed if r.passing], np.int64)
        if len(passing):
            failures += [(int(i), reasons[int(i)]) for i in self._library.photos.undescribed(passing)]
        if failures:
            self._library.photos.set_failures(failures)
        self.report.failed.extend((r.task.path, reasons[r.task.photo_id]) for r in failed)

    def _write_arrays(self, described: Sequence[tuple[int, Description]]) -> None:
        for name, store in self._vectors.items():
            rows = [(i, d.vectors[name]) for i, d in described if name in d.vectors]
            if rows:
                store.append(np.array([i for i, _ in rows], dtype=np.int64), np.stack([v for _, v in rows]))
        for name, patches in self._patches.items():
            found = [(i, d.patches[name]) for i, d in described if name in d.patches]
            if found:
                patches.append([i for i, _ in found], [(p.points, p.vectors) for _, p in found])
        for name, codes in self._codes.items():
            coded = [(i, d.codes[name]) for i, d in described if name in d.codes]
            if coded:
                codes.append([i for i, _ in coded], np.stack([code for _, code in coded]))
        thumbnails = [(i, d.thumbnail) for i, d in described if d.thumbnail is not None]
        if thumbnails:
            self._library.thumbnails.put_many(dict(thumbnails))
