# SPDX-License-Identifier: MIT
"""Describe photos that lack descriptors: decode once, then store vectors, patches, thumbnail, size and date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import description_plan
from focal_photos.browser.operations.describing.extraction.description_writer import DescriptionWriter, ExtractReport
from focal_photos.browser.operations.describing.families import record_complete
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.process_pool import ProcessPool

_LOOKING: Final = Text("Looking for photos to describe")
_READING: Final = Text("Reading photos")
_SHARPENING: Final = Text("Refining rankings")  # adding descriptors to photos that can be ranked already


def extract(
    library: Library,
    *,
    workers: int | None = None,
    names: Sequence[str] | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
    first: Callable[[], Sequence[int]] | None = None,
    pool: ProcessPool | None = None,
) -> Job[ExtractReport]:
    """Describe each photo that lacks a vector, patches, size or date, unless it failed before.

    Results are written in batches, first vectors, patches and thumbnails, then the catalogue. If the program is killed,
    at most one batch is repeated. A photo that has some descriptors gets only the missing ones, before new photos are
    described, because rankings use the descriptors that all described photos have.

    Parameters
    ----------
    workers : int, optional
        Number of processes; default: number of cores. A few photos are described in the sandbox.
    names : sequence of str, optional
        Descriptors that are enabled and ready; default: all of these.
    backend, scheduler, first, pool
        Where photos are described, and which come first; see
        `browser.operations.workers.describe_photos.describe_photos`.

    Raises
    ------
    OperationError
        If a name is unknown, disabled or not fitted yet, the file of a network is missing, or no process can be
        started.
    """
    plan = description_plan(library, names)
    yield Meter(_LOOKING).state()
    writer = DescriptionWriter(library, plan)
    tasks = writer.lacking(library.photos.ids("-failed -missing"))
    new = frozenset(library.photos.undescribed(np.array([task.photo_id for task in tasks], np.int64)).tolist())
    tasks.sort(key=lambda task: task.photo_id in new)
    count = sum(task.photo_id in new for task in tasks)
    meters = {True: Meter(_READING, count), False: Meter(_SHARPENING, len(tasks) - count)}
    state = meters[len(tasks) == count].state()
    if tasks:
        yield state
    try:
        described = describe_photos(
            tasks, plan, workers=workers, backend=backend, scheduler=scheduler, first=first, pool=pool
        )
        with closing(described):
            for results in described:
                writer.add(results)
                for result in results:
                    state = meters[result.task.photo_id in new].advance(1, str(result.task.path))
                yield state
    finally:
        # Completed results are stored even after an error or cancellation.
        writer.flush()
    record_complete(library)
    return writer.report
