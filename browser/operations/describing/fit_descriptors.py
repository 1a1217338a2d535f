"""Learn what descriptors need to know of a library before they can describe it: vocabularies, principal axes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.catalog.library import Library
from browser.operations.describing import settings
from browser.operations.describing.descriptors import complete, limits, parts, states, with_sources
from browser.operations.describing.enabled import Either, chosen, table
from browser.operations.jobs.errors import OperationError
from browser.operations.jobs.progress import Job, Meter
from browser.operations.jobs.thread import in_thread
from browser.operations.workers.pool import Rows, collect_in_processes
from browser.operations.workers.sandbox import apart
from features.base import Fitted, FittedState
from features.description import DescriptionPlan, describe
from learners.core.linalg import one_thread

SAMPLE: Final = 400
"""Photos that are learned from."""

GROWTH: Final = 4
"""What was learned from fewer photos is learned anew when the library has so many times more."""


_SMALL: Final = 16  # with fewer photos, one process is quicker than many


@dataclass
class LearnReport:
    """What `learn` did.

    Attributes
    ----------
    learned : list of str
        Names of the descriptors that learned in this run.
    photos : int
        Photos that they learned from; 0 if none did.
    """

    learned: list[str] = field(default_factory=list)
    photos: int = 0


def learn(
    library: Library, *, workers: int | None = None, backend: str = "processes", scheduler: str | None = None
) -> Job[LearnReport]:
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
        See `browser.operations.workers.pool.describe_in_processes`.

    Yields
    ------
    Progress

    Returns
    -------
    LearnReport

    Raises
    ------
    OperationError
        As `browser.operations.workers.pool.describe_in_processes`.
    """
    report = LearnReport()
    if library.read_only:
        return report
    ids = library.photos.ids("-failed -missing")
    sample = _sample(ids)
    paths = library.photos.paths(sample)
    tried: set[str] = set()
    rows: dict[str, list[NDArray[np.float32]]] = {}
    while due := [one for one in _due(library, len(ids)) if str(one.key) not in tried]:
        tried.update(str(one.key) for one in due)
        sources = {str(one.learned_from.key): one.learned_from for one in due if isinstance(one, Fitted)}
        sources = {key: source for key, source in sources.items() if key not in rows}
        rows |= {key: [] for key in sources}
        # Sources of one name and different keys cannot share a decoding.
        for group in _of_different_names(list(sources.values())):
            meter = Meter("Looking for what photos have in common", len(sample))
            yield meter.state()
            photos = list(zip(sample.tolist(), paths, strict=True))
            plan = DescriptionPlan(tuple(group), limits(library), None, settings.SECONDS.get(library))
            if len(photos) < _SMALL and backend == "processes":
                found = _collect_apart([path for _, path in photos], plan)
            else:
                found = collect_in_processes(
                    photos,
                    plan.descriptors,
                    plan.limits,
                    seconds_per_photo=plan.seconds_per_photo,
                    workers=workers,
                    backend=backend,
                    scheduler=scheduler,
                )
            with closing(found):
                for photo in found:
                    for key, some in photo.items():
                        rows[key].append(some)
                    yield meter.advance()
        for one in due:
            assert isinstance(one, Fitted)
            samples = rows[str(one.learned_from.key)]
            if not samples:
                continue  # not one photo can be decoded: there will be others
            state = yield from in_thread(f"Learning {one.title}", partial(_fit, one, samples))
            states(library).keep(str(one.with_state(state).key), str(one.key), len(sample), state)
            report.learned.append(one.name)
            report.photos = max(report.photos, len(samples))
    return report


def unlearned(library: Library) -> list[str]:
    """Return the names of what is switched on and has not learned yet."""
    every = table(library)
    return [name for name in chosen(library) if complete(library, every[name]) is None]


def _due(library: Library, photos: int) -> list[Either]:
    """Return what has to learn now, with its sources complete; what waits for one of these is not among them."""
    every = table(library)
    found: dict[str, Either] = {}

    def visit(bare: Either) -> bool:
        """Note what is due; return whether there was anything."""
        waits = [visit(part) for part in parts(bare).values()]
        if any(waits):
            return True
        whole = with_sources(library, bare)
        if whole is None or not isinstance(whole, Fitted):
            return False
        kept = states(library).newest(str(whole.key))
        old = kept is not None and kept.sampled < SAMPLE and photos >= GROWTH * kept.sampled
        if old or complete(library, bare) is None:
            found[str(whole.key)] = whole
            return True
        return False

    if photos:
        for name in chosen(library):
            visit(every[name])
    return list(found.values())


def _collect_apart(paths: Sequence[Path], plan: DescriptionPlan) -> Generator[Rows, None, None]:
    """Do for a few photos what `collect_in_processes` does: starting all its processes would take longer."""
    for path in paths:
        try:
            found = apart().call(describe, path, plan, seconds=plan.seconds_per_photo)
        except OperationError:
            raise
        except Exception:  # what is wrong with a photo is reported when it is described
            continue
        rows = {str(plan.by_name[name].key): vector[None] for name, vector in found.vectors.items()}
        rows |= {str(plan.by_name[name].key): local.vectors for name, local in found.patches.items()}
        yield rows


def _sample(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(ids) <= SAMPLE:
        return ids
    return ids[np.sort(np.random.default_rng(0).choice(len(ids), SAMPLE, replace=False))]


def _of_different_names(sources: Sequence[Either]) -> list[list[Either]]:
    groups: list[list[Either]] = []
    for source in sources:
        for group in groups:
            if all(source.name != other.name for other in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def _fit(one: Fitted, samples: Sequence[NDArray[np.float32]], _report: Callable[[float], None]) -> FittedState:
    # What is learned again from the same photos must be the same to the last bit, since the key depends on it; and how
    # several threads share a sum differs from one time to the next.
    with one_thread():
        return one.fit(samples, seed=0).fitted_state()
