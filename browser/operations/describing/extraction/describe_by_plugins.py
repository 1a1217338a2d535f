# SPDX-License-Identifier: MIT
"""Describe photos by the descriptors of plug-ins, apart from all other descriptors.

Each plug-in has its own decoding, its own plan and its own workers. Whatever it does - errors, wrong results, endless
loops, crashes, classes that workers cannot load - concerns its own vectors only.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import decode_limits, ready_descriptors
from focal_photos.browser.operations.describing.extraction.description_writer import DescriptionWriter, ExtractReport
from focal_photos.browser.operations.describing.families import record_complete
from focal_photos.browser.operations.describing.plugin_records import PluginRecord, keep_record, plugin_records
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.workers.describe_photos import MIN_POOL_PHOTOS, describe_photos
from focal_photos.browser.operations.workers.photo_tasks import DIED, PhotoResult, PhotoTask
from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.plugins import is_of_plugin
from focal_photos.plugin_registry import Group, find

MOST_FAILURES: Final = 20
"""Failures after which a plug-in is left out, if it has described fewer photos than that."""

MOST_LATE: Final = 3
"""Photos that may exceed the time limit, or end their process, before a plug-in is left out."""


_FIRST_BLOCK: Final = MIN_POOL_PHOTOS - 1  # photos of the first block, which the sandbox describes one by one
_MAX_BLOCK: Final = 8192  # photos of a block


@dataclass
class PluginReport:
    """Result of `describe_by_plugins`."""

    extract: ExtractReport = field(default_factory=ExtractReport)
    """Photos described."""
    failures: list[Text] = field(default_factory=list)
    """A sentence for each descriptor that failed."""


def describe_by_plugins(
    library: Library,
    *,
    workers: int | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
    first: Callable[[], Sequence[int]] | None = None,
) -> Job[PluginReport]:
    """Describe the photos that lack vectors of the enabled descriptors of plug-ins.

    Only photos are described that Focal itself has described. A photo that a plug-in cannot describe is tried again if
    the version of the package or the key of the descriptor changes; a plug-in that fails too often is left out as long.

    Parameters
    ----------
    workers, backend, scheduler, first
        See `browser.operations.workers.describe_photos.describe_photos`.
    """
    report = PluginReport()
    for one in ready_descriptors(library):
        if isinstance(one, GlobalDescriptor) and is_of_plugin(one):
            found = yield from describe_by_plugin(
                library, one, workers=workers, backend=backend, scheduler=scheduler, first=first
            )
            report.extract.join(found.extract)
            report.failures += found.failures
    if report.extract.done:
        record_complete(library)
    return report


def describe_by_plugin(
    library: Library,
    descriptor: GlobalDescriptor,
    *,
    workers: int | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
    first: Callable[[], Sequence[int]] | None = None,
) -> Job[PluginReport]:
    """Describe photos by one descriptor of a plug-in; see `describe_by_plugins`."""
    report, name = PluginReport(), descriptor.name
    plugin = find(Group.DESCRIPTORS, name)
    version = "" if plugin is None else plugin.version
    record = plugin_records(library.path).get(name)
    if record is None or (record.key, record.version) != (str(descriptor.key), version):
        record = PluginRecord(str(descriptor.key), version)
    if record.gave_up:
        report.failures.append(_sentence(descriptor, record))
        return report
    plan = DescriptionPlan(
        (descriptor,), decode_limits(library), thumbnail_side=None, seconds_per_photo=settings.SECONDS.get(library)
    )
    writer = DescriptionWriter(library, plan)
    ids = library.photos.ids("-failed -missing")
    ids = ids[~np.isin(ids, library.photos.undescribed(ids)) & ~np.isin(ids, record.failed)]
    tasks = [task for task in writer.lacking(ids) if task.names]
    if not tasks:
        if record.failed:
            report.failures.append(_sentence(descriptor, record))
        return report
    meter = Meter(Text("Describing photos by {0}", Text(descriptor.title)), len(tasks))
    yield meter.state()
    trial = _Trial(descriptor)
    try:
        for some in _growing(tasks):
            described = describe_photos(some, plan, workers=workers, backend=backend, scheduler=scheduler, first=first)
            with closing(described):
                while (results := trial.next_of(described)) is not None:
                    writer.add([result for result in results if trial.takes(result)])
                    if trial.is_hopeless or trial.stopped:
                        break  # without waiting for photos in progress
                    yield meter.advance(len(results))
            if trial.is_hopeless or trial.stopped:
                break
    finally:
        writer.flush()
        record = trial.added_to(record)
        keep_record(library, name, record)
    report.extract = writer.report
    if trial.stopped:
        title = Text(descriptor.title)
        report.failures.append(Text("The plug-in {0} has not described all photos: {1}", title, trial.stopped))
    elif record.error:
        report.failures.append(_sentence(descriptor, record))
    return report


def _growing(tasks: Sequence[PhotoTask]) -> Iterator[Sequence[PhotoTask]]:
    """Yield the tasks in blocks, the first ones small.

    Photos whose processes end are tried again at the end of their block, and only then counted.
    """
    size, start = _FIRST_BLOCK, 0
    while start < len(tasks):
        yield tasks[start : start + size]
        start, size = start + size, min(4 * size, _MAX_BLOCK)


class _Trial:
    """Counts how a descriptor does."""

    def __init__(self, descriptor: GlobalDescriptor) -> None:
        self.stopped = ""
        """Why the workers cannot be used, which is no fault of the plug-in: the next indexing tries it again."""
        self._descriptor = descriptor
        self._failed: list[int] = []
        self._good = self._late = 0
        self._seconds = 0.0
        self._error = ""
        self._is_unusable = False

    @property
    def is_hopeless(self) -> bool:
        """Whether it is a waste of time to describe more photos."""
        return self._is_unusable or self._late >= MOST_LATE or len(self._failed) >= MOST_FAILURES + self._good

    def next_of(self, described: Generator[list[PhotoResult], None, None]) -> list[PhotoResult] | None:
        """Return the next results; None at the end, or if workers cannot load or run the descriptor."""
        try:
            return next(described, None)
        except OperationError as error:
            self.stopped = error.args[0]
            return None
        except Exception as error:  # of any kind: it comes from the code of the plug-in, or from packing it for workers
            self._error, self._is_unusable = f"{type(error).__name__}: {error}", True
            return None

    def takes(self, result: PhotoResult) -> bool:
        """Count a result; return whether it has a vector that can be stored."""
        name = self._descriptor.name
        reason = result.failure
        if result.description is not None:
            vector = result.description.vectors.get(name)
            if isinstance(vector, np.ndarray) and (vector.shape, vector.dtype) == (
                (self._descriptor.dimension,),
                np.dtype(np.float32),
            ):
                self._good += 1
                self._seconds += result.description.seconds.get(name, 0.0)
                return True
            reason = Text(
                "It returned {0} instead of {1} numbers of the type float32.",
                f"{getattr(vector, 'dtype', type(vector).__name__)} {getattr(vector, 'shape', '')}".strip(),
                self._descriptor.dimension,
            )
        self._late += result.passing or reason == DIED
        self._error = reason
        self._failed.append(result.task.photo_id)
        return False

    def added_to(self, record: PluginRecord) -> PluginRecord:
        """Return the record with these counts added."""
        return PluginRecord(
            record.key,
            record.version,
            self._seconds / self._good if self._good else record.seconds,
            (*record.failed, *self._failed),
            self.is_hopeless,
            self._error or record.error,
        )


def _sentence(descriptor: GlobalDescriptor, record: PluginRecord) -> Text:
    if record.gave_up:
        return Text("The plug-in {0} was left out because it failed: {1}", Text(descriptor.title), record.error)
    photos = counted(len(record.failed), "1 photo", "{0} photos")
    return Text("The plug-in {0} failed for {1}: {2}", Text(descriptor.title), photos, record.error)
