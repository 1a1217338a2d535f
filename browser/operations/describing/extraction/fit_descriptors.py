# SPDX-License-Identifier: MIT
"""Fit descriptors to a library before they can describe it: vocabularies and principal axes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import complete, fitted_states_of, sources_of, with_sources
from focal_photos.browser.operations.describing.enabled import AnyDescriptor, enabled_descriptors
from focal_photos.browser.operations.describing.extraction.description_writer import ExtractReport
from focal_photos.browser.operations.describing.extraction.sample import Sample
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.features.base import Fitted
from focal_photos.learners.core.linalg import one_thread

SAMPLE: Final = 400
"""Number of photos in the fitting sample."""

GROWTH: Final = 4
"""Factor of library growth after which a state fitted to fewer than `SAMPLE` photos is fitted again."""

_LEARNING: Final = Text("Refining rankings: learning from your photos")


@dataclass
class FitReport:
    """Result of `fit_descriptors`."""

    learned: list[str] = field(default_factory=list)
    """Names of the descriptors fitted in this run."""
    photos: int = 0
    """Number of photos that they were fitted to; 0 if none was fitted."""
    extract: ExtractReport = field(default_factory=ExtractReport)
    """Photos described at the same time."""


def fit_descriptors(
    library: Library,
    *,
    describe: bool = False,
    workers: int | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
    first: Callable[[], Sequence[int]] | None = None,
    pool: ProcessPool | None = None,
) -> Job[FitReport]:
    """Fit all enabled descriptors to a sample of the library, unless they are fitted already.

    The sample is a seeded draw from the photos in the order of their paths, so that the same photos give the same
    states and keys. Existing states stay, unless they were fitted to fewer than `SAMPLE` photos and there are now
    `GROWTH` times as many. All sources are computed from one decoding of the sample; descriptors that depend on other
    fitted descriptors follow later. Each state is saved as soon as it is fitted, so that nothing is repeated after
    cancellation or a crash.

    With `describe`, photos outside the sample are described by the ready descriptors during fitting. Rankings then need
    not wait for the fitted descriptors, which refine them later, at the cost of decoding these photos once more.

    Parameters
    ----------
    describe : bool
        Whether the photos of the sample are also described as by `extract`, since they are decoded anyway: first by
        descriptors without fitting, then by fitted ones computed from local vectors alone (see `Sample`).
    workers, backend, scheduler, first, pool
        See `browser.operations.workers.describe_photos.describe_photos`.

    Raises
    ------
    OperationError
        As for `browser.operations.workers.describe_photos.describe_photos`.
    """
    report = FitReport()
    if library.read_only:
        return report
    ids = library.photos.ids("-failed -missing")
    sample = _sample(ids)
    photos = list(zip(sample.tolist(), library.photos.paths(sample), strict=True))
    tried: set[str] = set()
    made: list[AnyDescriptor] = []
    described = Sample(
        library,
        photos,
        complete=describe,
        workers=workers,
        backend=backend,
        scheduler=scheduler,
        first=first,
        pool=pool,
    )
    with closing(described):
        while True:
            every, waiting = _to_fit(library, len(ids))
            unfitted = [one for one in every if str(one.key) not in tried]
            if not unfitted:
                break
            tried.update(str(one.key) for one in unfitted)
            yield from described.read(unfitted, waiting)
            todo = [one for one in unfitted if described.rows[_source(one)]]  # no rows: no photo could be decoded
            learned: dict[str, AnyDescriptor] = {}
            done = threading.Event()
            others = described.describe_others(ids, waiting, enough=done.is_set)
            with (
                closing(_fit_all(todo, described.rows, scheduler if backend == "dask" else None)) as learning,
                closing(others),
            ):
                for found in learning:
                    if found is not None:
                        one, fitted = found
                        state = _fitted(fitted).fitted_state()
                        fitted_states_of(library).keep(str(fitted.key), str(one.key), len(sample), state)
                        learned[one.name] = fitted
                    if describe:
                        next(others, None)
                    yield Progress(_LEARNING, len(learned), len(todo))
                done.set()
                if describe:
                    yield from others
            for one in todo:
                report.learned.append(one.name)
                report.photos = max(report.photos, len(described.rows[_source(one)]))
                made += _made_of(library, learned[one.name])
        if describe:
            yield from described.complete_with(made)
        report.extract = described.report()
    return report


def unfitted_names(library: Library) -> list[str]:
    """Return the names of the enabled descriptors that are not fitted yet."""
    return [name for name, one in enabled_descriptors(library).items() if complete(library, one) is None]


def _made_of(library: Library, fitted: AnyDescriptor) -> list[AnyDescriptor]:
    """Return the enabled ones among a newly fitted descriptor and those computed from it without a fit."""
    whole = [complete(library, one) for one in enabled_descriptors(library).values()]
    made = [one for one in whole if one is not None and not isinstance(one, Fitted)]
    derived = [one for one in made if fitted in sources_of(one).values()]
    return [fitted, *derived] if fitted in whole else derived


def _to_fit(library: Library, photos: int) -> tuple[list[AnyDescriptor], set[str]]:
    """Return the descriptors to fit now, with complete sources, and the names of these and all that depend on them."""
    found: dict[str, AnyDescriptor] = {}
    waiting: set[str] = set()

    def visit(bare: AnyDescriptor) -> bool:
        """Add descriptors to fit; return whether there were any."""
        waits = [visit(part) for part in sources_of(bare).values()]
        if any(waits):
            waiting.add(bare.name)
            return True
        whole = with_sources(library, bare)
        if whole is None or not isinstance(whole, Fitted):
            return False
        state = fitted_states_of(library).newest(str(whole.key))
        outgrown = state is not None and state.sampled < SAMPLE and photos >= GROWTH * state.sampled
        if outgrown or complete(library, bare) is None:
            found[str(whole.key)] = whole
            waiting.add(bare.name)
            return True
        return False

    if photos:
        for one in enabled_descriptors(library).values():
            visit(one)
    return list(found.values()), waiting


def _sample(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(ids) <= SAMPLE:
        return ids
    return ids[np.sort(np.random.default_rng(0).choice(len(ids), SAMPLE, replace=False))]


def _fitted(one: AnyDescriptor) -> Fitted:
    assert isinstance(one, Fitted)
    return one


def _source(one: AnyDescriptor) -> str:
    return str(_fitted(one).learned_from.key)


def _fit_all(
    todo: Sequence[AnyDescriptor], rows: Mapping[str, Sequence[NDArray[np.float32]]], scheduler: str | None
) -> Generator[tuple[AnyDescriptor, AnyDescriptor] | None, None, None]:
    """Fit descriptors concurrently, here or on a cluster; yield each with its fitted version, and None in between."""
    if scheduler is not None:
        yield from _fit_there(todo, rows, scheduler)
        return
    waiting = list(todo)
    running: list[tuple[AnyDescriptor, Job[AnyDescriptor]]] = []
    try:
        while waiting or running:
            while waiting and len(running) < max(1, available_cores() // 2):
                one = waiting.pop(0)
                running.append((one, in_thread(_LEARNING, partial(_fit, one, rows[_source(one)]), keeps=False)))
            for one, job in list(running):
                try:
                    next(job)
                except StopIteration as stop:
                    running.remove((one, job))
                    yield one, stop.value
            yield None
    finally:
        for _, job in running:
            job.close()


def _fit_there(
    todo: Sequence[AnyDescriptor], rows: Mapping[str, Sequence[NDArray[np.float32]]], scheduler: str
) -> Generator[tuple[AnyDescriptor, AnyDescriptor] | None, None, None]:
    # an optional dependency, slow to import
    from focal_photos.browser.operations.workers.cluster.cluster import Cluster

    with (
        Cluster(scheduler) as cluster,
        closing(cluster.completed((one, _fit, (one, rows[_source(one)])) for one in todo)) as fitted,
    ):
        for found in fitted:
            yield from found
            yield None


def _fit(
    one: AnyDescriptor, samples: Sequence[NDArray[np.float32]], _report: Callable[[float], None] | None = None
) -> AnyDescriptor:
    # Fitting to the same photos must be reproducible to the last bit, since the key depends on it; the order of
    # summation in several threads varies.
    with one_thread():
        fitted: AnyDescriptor = _fitted(one).fit(samples, seed=0)  # type: ignore[assignment]
        return fitted
