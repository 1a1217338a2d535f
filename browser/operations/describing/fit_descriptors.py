"""Fit what descriptors need to know of a library before they can describe it: vocabularies, principal axes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.operations.describing import settings
from browser.operations.describing.descriptors import (
    complete,
    decode_limits,
    fitted_states_of,
    sources_of,
    with_sources,
)
from browser.operations.describing.enabled import AnyDescriptor, all_descriptors, enabled_names
from browser.operations.jobs.progress import Job, Meter
from browser.operations.jobs.thread import in_thread
from browser.operations.workers.describe_photos import describe_photos
from browser.operations.workers.photo_tasks import PhotoResult, PhotoTask
from features.base import Fitted, FittedState
from features.description import DescriptionPlan
from learners.core.linalg import one_thread

SAMPLE: Final = 400
"""Photos that are learned from."""

GROWTH: Final = 4
"""What was learned from fewer photos is learned again when the library has four times as many."""

Rows = dict[str, NDArray[np.float32]]


@dataclass
class FitReport:
    """What `fit_descriptors` did.

    Attributes
    ----------
    learned : list of str
        Names of the descriptors that learned in this run.
    photos : int
        Photos that they learned from; 0 if none did.
    """

    learned: list[str] = field(default_factory=list)
    photos: int = 0


def fit_descriptors(
    library: Library, *, workers: int | None = None, backend: str = "processes", scheduler: str | None = None
) -> Job[FitReport]:
    """Let what is switched on learn from a sample of the library, where it has not yet.

    The sample is a seeded draw from the photos in the order of their paths: the same photos give the same states, and
    thereby the same keys. What was learned is kept, unless there were fewer than `SAMPLE` photos and there are
    `GROWTH` times as many now. All sources that are wanted are worked out of one decoding of the sample; what learns
    from something learned comes after it. Each state is on the disk as soon as it is learned, so that nothing is done
    twice when this is cancelled or killed.

    Parameters
    ----------
    library : Library
    workers, backend, scheduler
        See `browser.operations.workers.describe_photos.describe_photos`.

    Yields
    ------
    Progress

    Returns
    -------
    FitReport

    Raises
    ------
    OperationError
        As `browser.operations.workers.describe_photos.describe_photos`.
    """
    report = FitReport()
    if library.read_only:
        return report
    ids = library.photos.ids("-failed -missing")
    sample = _sample(ids)
    photos = list(zip(sample.tolist(), library.photos.paths(sample), strict=True))
    tried: set[str] = set()
    rows: dict[str, list[NDArray[np.float32]]] = {}
    while unfitted := [one for one in _to_fit(library, len(ids)) if str(one.key) not in tried]:
        tried.update(str(one.key) for one in unfitted)
        sources = {str(one.learned_from.key): one.learned_from for one in unfitted if isinstance(one, Fitted)}
        sources = {key: source for key, source in sources.items() if key not in rows}
        rows |= yield from _read_sources(library, photos, list(sources.values()), workers, backend, scheduler)
        for one in unfitted:
            assert isinstance(one, Fitted)
            samples = rows[str(one.learned_from.key)]
            if not samples:
                continue  # not one photo can be decoded: there will be others
            state = yield from in_thread(f"Learning {one.title}", partial(_fit, one, samples))
            fitted_states_of(library).keep(str(one.with_state(state).key), str(one.key), len(sample), state)
            report.learned.append(one.name)
            report.photos = max(report.photos, len(samples))
    return report


def unfitted_names(library: Library) -> list[str]:
    """Return the names of what is switched on and has not learned yet."""
    every = all_descriptors(library)
    return [name for name in enabled_names(library) if complete(library, every[name]) is None]


def source_rows(
    photos: Iterable[tuple[int, Path]],
    plan: DescriptionPlan,
    *,
    workers: int | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
) -> Generator[Rows, None, None]:
    """Compute descriptors of photos to learn from; photos that cannot be described give nothing.

    Parameters
    ----------
    photos : iterable of (int, pathlib.Path)
        Id and file of each.
    plan : DescriptionPlan
        What is computed, and within which limits.
    workers, backend, scheduler
        See `browser.operations.workers.describe_photos.describe_photos`.

    Yields
    ------
    dict of str to ndarray of float32, shape (r, d)
        By ``str(descriptor.key)``: r = 1 for a global descriptor, the vectors at all points for a local one. In the
        order of `photos`, so that what is learned from them does not depend on which worker was faster.

    Raises
    ------
    OperationError
        See `browser.operations.workers.describe_photos.describe_photos`.
    """
    tasks = [PhotoTask(photo_id, path, tuple(plan.by_name)) for photo_id, path in photos]
    early: dict[int, PhotoResult] = {}
    place = 0
    with closing(describe_photos(tasks, plan, workers=workers, backend=backend, scheduler=scheduler)) as described:
        for results in described:
            early.update((result.task.photo_id, result) for result in results)
            while place < len(tasks) and tasks[place].photo_id in early:
                description = early.pop(tasks[place].photo_id).description
                place += 1
                if description is not None:
                    rows = {name: vector[None] for name, vector in description.vectors.items()}
                    rows |= {name: local.vectors for name, local in description.patches.items()}
                    yield {str(one.key): rows[name] for name, one in plan.by_name.items()}


def _read_sources(
    library: Library,
    photos: Sequence[tuple[int, Path]],
    sources: Sequence[AnyDescriptor],
    workers: int | None,
    backend: str,
    scheduler: str | None,
) -> Job[dict[str, list[NDArray[np.float32]]]]:
    """Return the rows of all photos by the key of each source."""
    rows: dict[str, list[NDArray[np.float32]]] = {str(source.key): [] for source in sources}
    for plan in _plans(library, sources):
        meter = Meter("Looking for what photos have in common", len(photos))
        yield meter.state()
        with closing(source_rows(photos, plan, workers=workers, backend=backend, scheduler=scheduler)) as found:
            for photo in found:
                for key, some in photo.items():
                    rows[key].append(some)
                yield meter.advance()
    return rows


def _to_fit(library: Library, photos: int) -> list[AnyDescriptor]:
    """Return what has to learn now, with its sources complete; what waits for one of these is not among them."""
    every = all_descriptors(library)
    found: dict[str, AnyDescriptor] = {}

    def visit(bare: AnyDescriptor) -> bool:
        """Note what has to learn; return whether there was anything."""
        waits = [visit(part) for part in sources_of(bare).values()]
        if any(waits):
            return True
        whole = with_sources(library, bare)
        if whole is None or not isinstance(whole, Fitted):
            return False
        kept = fitted_states_of(library).newest(str(whole.key))
        outgrown = kept is not None and kept.sampled < SAMPLE and photos >= GROWTH * kept.sampled
        if outgrown or complete(library, bare) is None:
            found[str(whole.key)] = whole
            return True
        return False

    if photos:
        for name in enabled_names(library):
            visit(every[name])
    return list(found.values())


def _sample(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(ids) <= SAMPLE:
        return ids
    return ids[np.sort(np.random.default_rng(0).choice(len(ids), SAMPLE, replace=False))]


def _plans(library: Library, sources: Sequence[AnyDescriptor]) -> list[DescriptionPlan]:
    """Return what computes all sources: one plan, but those of one name and different keys cannot share a decoding."""
    shared: list[list[AnyDescriptor]] = []
    for source in sources:
        for several in shared:
            if all(source.name != other.name for other in several):
                several.append(source)
                break
        else:
            shared.append([source])
    seconds = settings.SECONDS.get(library)
    return [DescriptionPlan(tuple(several), decode_limits(library), None, seconds) for several in shared]


def _fit(one: Fitted, samples: Sequence[NDArray[np.float32]], _report: Callable[[float], None]) -> FittedState:
    # What is learned again from the same photos must be the same to the last bit, since the key depends on it; and how
    # several threads share a sum differs from one time to the next.
    with one_thread():
        return one.fit(samples, seed=0).fitted_state()
