# SPDX-License-Identifier: MIT
"""Index folders: find their photos, describe them, and prepare the rankings."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.display import prepare_display
from focal_photos.browser.operations.describing.enabled import absent_names
from focal_photos.browser.operations.describing.extraction.describe_by_plugins import describe_by_plugins
from focal_photos.browser.operations.describing.extraction.description_writer import ExtractReport
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.describing.extraction.fit_descriptors import FitReport, fit_descriptors
from focal_photos.browser.operations.describing.networks import renew_networks
from focal_photos.browser.operations.describing.plugin_records import forget_records
from focal_photos.browser.operations.exchange.lenses.open_lens import describe_for_lenses
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.library.describe_for_metrics import describe_for_metrics
from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport
from focal_photos.browser.operations.metadata.read_metadata import read_metadata
from focal_photos.browser.operations.photos.rotated_files import follow_rotated_files
from focal_photos.browser.operations.photos.scan import ScanReport, scan, scan_paths
from focal_photos.browser.operations.ranking.galleries.gallery import embedding
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.space import described, prepare_space
from focal_photos.browser.operations.workers.process_executor import background_pool
from focal_photos.browser.operations.workers.process_pool import leaving
from focal_photos.learners.core.arrays.distinct import without


@dataclass
class IndexReport:
    """Result of `index`."""

    files: int = 0
    """Number of photo files in the folders."""
    photos: int = 0
    """Number of photos; a photo with several copies counts once."""
    new: int = 0
    """Number of photos that were not in the library."""
    untagged: int = 0
    """Number of photos of the library without a tag."""
    failed: list[tuple[Path, str]] = field(default_factory=list)
    """Files in the folders that cannot be read or decoded, now or since an earlier run, with the reason."""
    newly_failed: list[Path] = field(default_factory=list)
    """Files among these that were readable before, or unknown."""
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    """Milliseconds of processor time per described photo, by stage; empty if none was described."""
    newly_described: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), compare=False)
    """Photos described for the first time, ascending; shape (n,)."""
    rotated: ChangeSet = field(default_factory=ChangeSet)
    """Photos whose rotation was dropped because another program has rotated their files."""
    scan: ScanReport = field(default_factory=ScanReport)
    metadata: MetadataReport = field(default_factory=MetadataReport)
    plugins: list[Text] = field(default_factory=list)
    """A sentence for each descriptor of a plug-in that failed or is absent."""
    learn: FitReport = field(default_factory=FitReport)
    extract: ExtractReport = field(default_factory=ExtractReport)


def index(
    library: Library,
    folders: Sequence[Path] = (),
    *,
    workers: int | None = None,
    retry: bool = False,
    backend: str = "processes",
    scheduler: str | None = None,
    first: Callable[[], Sequence[int]] | None = None,
    changed: Sequence[Path] | None = None,
    describe: bool = True,
    import_tags: bool = False,
    taken_over: Callable[[MetadataReport], None] | None = None,
) -> Job[IndexReport]:
    """Scan folders, import metadata of other programs, describe new photos, and prepare the ranking.

    New photos are described in the whole library, after descriptors were fitted. Photos that took too long, or whose
    process was killed, are tried again once per run, unless only some files are scanned.

    It may be cancelled or killed at any time; the next run resumes.

    Parameters
    ----------
    folders : sequence of Path
        Folders; default: all roots of the library.
    workers : int, optional
        Number of processes; default: number of cores.
    retry : bool
        Whether to try photos again that could not be decoded before.
    backend, scheduler, first
        Where photos are described, and which come first; see
        `browser.operations.workers.describe_photos.describe_photos`.
    changed : sequence of Path, optional
        The only files and folders to scan, instead of `folders`; see `scan_paths`. If they are unchanged, nothing else
        is done.
    describe : bool
        If False, photos are only found and recorded.
    import_tags : bool
        Whether to import the tags in the files of these folders, now and whenever files change. Otherwise they are only
        counted, unless the user has chosen to import those of a folder.
    taken_over : callable, optional
        Called with the report once metadata of other programs were found, imported or rejected, long before all photos
        are described.

    Raises
    ------
    OperationError
        If a folder does not exist or there is none, the file of a network is missing, or the back end cannot describe
        photos.
    """
    start = time.perf_counter()
    report = IndexReport()
    renew_networks(library)  # report a missing network before hours of work
    failed_before = {path for path, _ in library.photos.failed()}
    described_before = _described(library)
    report.scan = yield from scan(library, folders) if changed is None else scan_paths(library, changed)
    if not describe or (changed is not None and not report.scan.anything):
        _count(library, report, folders)
        report.failed = sorted(report.scan.unreadable)
        report.newly_failed = [path for path, _ in report.failed if path not in failed_before]
        return report
    roots = [root.id for root in library.roots.all() if _concerns(root.path, folders)] if import_tags else []
    report.metadata = yield from read_metadata(library, with_sidecars=changed is None, import_tags_of=roots)
    if taken_over is not None and (report.metadata.changes or report.metadata.left_out or report.metadata.found_tags):
        taken_over(report.metadata)
    if changed is None:  # not whenever a file changes: a slow photo would take its time each time
        library.photos.forget_passing_failures()
    if retry:
        failed = library.photos.ids("failed")
        library.photos.set_failures((int(photo_id), None) for photo_id in failed)
        forget_records(library)
    yield from prepare_display(library)
    # Fitting comes first because keys depend on it: each photo is then decoded once for all descriptors.
    who: dict[str, Any] = {"workers": workers, "backend": backend, "scheduler": scheduler}
    with leaving(background_pool(workers)) as pool:
        report.learn = yield from fit_descriptors(library, describe=True, first=first, pool=pool, **who)
        report.extract = report.learn.extract
        report.extract.join((yield from extract(library, first=first, pool=pool, **who)))
        yield from describe_for_lenses(library, pool=pool, **who)
        yield from describe_for_metrics(library, pool=pool, **who)
    found = yield from describe_by_plugins(library, first=first, **who)
    report.extract.join(found.extract)
    absent = (Text("{0} is switched on, but not installed or not working.", name) for name in absent_names(library))
    report.plugins = [*found.failures, *absent]
    report.newly_described = without(_described(library), described_before)
    report.rotated = follow_rotated_files(library)
    if len(described(library)):
        yield from prepare_space(library)
        # Coordinates in the library's space are always stored: training and suggestions are based on them.
        for name in dict.fromkeys(("euclidean", library.metrics.current().name)):
            with suppress(OperationError):  # an unreadable metric is reported where it is used
                yield from embedding(library, load_metric(library, library.metrics.by_name(name)))
    _count(library, report, folders)
    library.keep_columns()  # so that a window killed from now on opens as fast
    report.failed = _failed(library, report, folders)
    report.newly_failed = [path for path, _ in report.failed if path not in failed_before]
    report.seconds = time.perf_counter() - start
    if report.extract.done:
        report.stages = {
            stage: 1000 * seconds / report.extract.done for stage, seconds in report.extract.seconds.items()
        }
    return report


def _described(library: Library) -> NDArray[np.int64]:
    """Return all described photos, including missing ones."""
    ids = library.photos.ids()
    return without(ids, library.photos.undescribed(ids))


def _concerns(root: Path, folders: Sequence[Path]) -> bool:
    """Return whether a root contains one of the folders; True without folders."""
    return not folders or any(absolute(folder).is_relative_to(root) for folder in folders)


def _count(library: Library, report: IndexReport, folders: Sequence[Path]) -> None:
    inside = [library.photos.listed("-missing", absolute(folder)) for folder in folders]
    shown = set().union(*(ids.tolist() for ids in inside)) if inside else library.photos.listed("-missing")
    report.files, report.photos, report.new = report.scan.total, len(shown), report.scan.new
    report.untagged = len(library.photos.listed("untagged -missing"))


def _failed(library: Library, report: IndexReport, folders: Sequence[Path]) -> list[tuple[Path, str]]:
    """Join present and known failures, without repeating a path."""
    inside = [absolute(folder) for folder in folders]
    known = dict(report.scan.unreadable)
    for path, reason in [*report.extract.failed, *library.photos.failed()]:
        if not inside or any(path.is_relative_to(folder) for folder in inside):
            known.setdefault(path, reason)
    return sorted(known.items())
