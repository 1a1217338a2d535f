"""Look for damage in a library, and make anew what can be worked out again."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.operations.errors import OperationError
from browser.operations.extract import extract
from browser.operations.gallery import load_metric
from browser.operations.progress import Job, Meter
from browser.operations.space import current_space, described, space_key, stores
from features import DESCRIPTORS


@dataclass
class CheckReport:
    """What `check` found.

    Attributes
    ----------
    problems : list of str
        What is wrong and cannot be put right by Focal; each says what to do.
    repaired : list of str
        What was wrong with derived data and was made anew.
    """

    problems: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)


def check(library: Library) -> Job[CheckReport]:
    """Check the catalogue, the metrics and all derived data.

    The catalogue (SQLite's own checks and all references) and the files of the metrics hold what a person did: damage
    there is reported. Vectors (a checksum each) and thumbnails are derived: what is damaged is dropped and made anew. A
    library that was opened read-only is looked at and not changed.

    Parameters
    ----------
    library : Library

    Yields
    ------
    Progress

    Returns
    -------
    CheckReport
    """
    report = CheckReport()
    keys = library.vectors.keys()
    metrics = library.metrics.all()
    meter = Meter("Checking the library", 2 + len(metrics) + len(keys))
    yield meter.state("catalogue")
    report.problems += [f"The catalogue is damaged: {problem}." for problem in library.database.check()]
    yield meter.advance(message="catalogue")
    for metric in metrics:
        if metric.file is not None:
            try:
                load_metric(library, metric)
            except OperationError as error:
                report.problems.append(str(error))
        yield meter.advance(message=metric.name)

    known = np.sort(library.photos.ids())
    # Read-only, vectors are as they were when the library was opened, while rows may have come since.
    dropped = 0 if library.read_only else _find_lost(library, report)
    for key in keys:
        dropped += _check_vectors(library, key, known, report)
        yield meter.advance(message=key)
    damaged = library.thumbnails.check()
    if damaged:
        dropped += len(damaged)
        report.repaired.append(f"{len(damaged)} thumbnails were damaged.")
    yield meter.advance(message="thumbnails")
    if library.read_only:
        report.problems += [
            f"{found} Check the library while no other program has it open." for found in report.repaired
        ]
        report.repaired.clear()
        return report
    if dropped:
        yield from extract(library)
    _tidy(library)
    return report


def _find_lost(library: Library, report: CheckReport) -> int:
    """Return how many vectors are gone of photos that were described: the end of a file may be torn off."""
    photos = np.setdiff1d(library.photos.ids("-failed -missing"), library.photos.undescribed())
    found = 0
    for store in stores(library):
        lost = len(store.missing(photos))
        if lost:
            report.repaired.append(f"{lost} vectors of {store.key} were lost.")
        found += lost
    return found


def _check_vectors(library: Library, key: str, known: NDArray[np.int64], report: CheckReport) -> int:
    """Check one store and return how many vectors were dropped."""
    store = library.vectors.open(key)
    if store is None:
        report.repaired.append(f"The vectors {key} could not be read.")
        return 1
    damaged = store.check()
    if damaged:
        report.repaired.append(f"{len(damaged)} vectors of {key} were damaged.")
    strange = np.setdiff1d(store.ids, known)
    if len(strange):
        report.repaired.append(f"{len(strange)} vectors of {key} belonged to no photo.")
        if not library.read_only:
            store.forget(strange)
    return len(damaged)


def _tidy(library: Library) -> None:
    """Delete derived data that nothing refers to any more: old descriptors, spaces, metrics."""
    keep = {str(descriptor.key) for descriptor in DESCRIPTORS.values()}
    if len(described(library)):
        keep.add(space_key(current_space(library)))
    stored = library.vectors.keys()
    keep |= {key for key in stored if key.startswith("metric-")}
    library.vacuum(keep)
