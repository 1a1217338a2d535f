"""Describe many photos on all cores, and survive a photo that kills whatever describes it."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from browser.operations.jobs.errors import OperationError
from browser.operations.workers.backends import Crew, ProcessCrew, available_cores, crew
from browser.operations.workers.worker import Outcome, Task, too_late
from features.base import GlobalDescriptor, LocalDescriptor
from features.decoding.decode import DecodeLimits
from features.description import DescriptionPlan

__all__ = ["AHEAD", "BATCH", "Results", "available_cores", "collect_in_processes", "describe_in_processes"]

BATCH: Final = 8
"""Photos that a worker takes at a time: few, so that cancelling is quick and a crash costs little."""

AHEAD: Final = 3
"""Batches that are handed out for each worker, so that none waits while results are written."""

HEARTBEAT: Final = 0.2
"""Seconds after which an empty list is yielded when there was no result."""

GRACE: Final = 60.0
"""Seconds beyond the photos' own limits without any result, after which the workers are taken to hang."""

_DIED: Final = "Its decoding ended the process (out of memory, or a fault in the decoder)."

Results = Generator[list[Outcome], None, None]
Rows = dict[str, NDArray[np.float32]]


def describe_in_processes(
    tasks: Sequence[Task],
    plan: DescriptionPlan,
    *,
    workers: int | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
) -> Results:
    """Describe photos in worker processes, or with another back end.

    When a worker dies, the photos that were being described at that moment are done again, each in a process of its
    own; one that kills this too gets a failure, and so does one that takes longer than the plan allows. All others
    go on. At most ``AHEAD * BATCH`` photos a worker are under way at a time, which bounds the memory.

    Parameters
    ----------
    tasks : sequence of Task
        Handed out in this order. No photo occurs twice.
    plan : DescriptionPlan
        Descriptors and limits; it travels once to each worker.
    workers : int, optional
        At most so many; as many as there are cores, or as the cluster has, if not given.
    backend : str
        ``"processes"``: on this computer. ``"threads"``: of this process, which a photo may then end. ``"dask"``: a
        cluster. Any other name: a back end of joblib.
    scheduler : str, optional
        Address of the cluster's scheduler, for ``"dask"``.

    Yields
    ------
    list of Outcome
        In the order in which they are ready; an empty list where nothing was ready for a while. Closing the
        generator ends the processes.

    Raises
    ------
    OperationError
        There is no such back end, no worker can be started, or the scheduler cannot be reached.
    """
    waiting = deque(tasks[i : i + BATCH] for i in range(0, len(tasks), BATCH))
    while waiting:
        with crew(backend, plan, len(waiting), workers=workers, scheduler=scheduler) as engaged:
            suspects = yield from _many(waiting, engaged, plan)
            own = isinstance(engaged, ProcessCrew)
            if not own:
                yield from _alone(suspects, engaged)
        if own:
            yield from _in_own_processes(suspects, plan)


def collect_in_processes(
    photos: Iterable[tuple[int, Path]],
    sources: Sequence[GlobalDescriptor | LocalDescriptor],
    limits: DecodeLimits | None = None,
    *,
    seconds_per_photo: float = 60.0,
    workers: int | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
) -> Generator[Rows, None, None]:
    """Compute descriptors of photos to learn from; photos that cannot be described give nothing.

    Parameters
    ----------
    photos : iterable of (int, pathlib.Path)
        Id and file of each.
    sources : sequence of GlobalDescriptor or LocalDescriptor
        Of different names.
    limits : DecodeLimits, optional
        What is refused before decoding.
    seconds_per_photo, workers, backend, scheduler
        See `features.description.DescriptionPlan` and `describe_in_processes`.

    Yields
    ------
    dict of str to ndarray of float32, shape (r, d)
        By ``str(source.key)``: r = 1 for a global descriptor, the vectors at all points for a local one. In the
        order of `photos`, so that what is learned from them does not depend on which worker was faster.

    Raises
    ------
    OperationError
        See `describe_in_processes`.
    """
    plan = DescriptionPlan(tuple(sources), limits or DecodeLimits(), None, seconds_per_photo)
    names = tuple(plan.by_name)
    tasks = [Task(photo_id, path, names) for photo_id, path in photos]
    results = describe_in_processes(tasks, plan, workers=workers, backend=backend, scheduler=scheduler)
    early: dict[int, Outcome] = {}
    turn = 0
    with closing(results):
        for outcomes in results:
            early.update((outcome.task.photo_id, outcome) for outcome in outcomes)
            while turn < len(tasks) and tasks[turn].photo_id in early:
                outcome = early.pop(tasks[turn].photo_id)
                turn += 1
                if outcome.description is not None:
                    found = outcome.description
                    rows: Rows = {}
                    for name, source in plan.by_name.items():
                        local = found.patches.get(name)
                        rows[str(source.key)] = found.vectors[name][None] if local is None else local.vectors
                    yield rows


def _many(
    waiting: deque[Sequence[Task]], engaged: Crew, plan: DescriptionPlan
) -> Generator[list[Outcome], None, list[Task]]:
    """Work off `waiting`; if a worker dies, stop, put back what is innocent and return the other photos."""
    flying: dict[Future[list[Outcome]], Sequence[Task]] = {}
    suspects: list[Task] = []
    useful = False
    # Threads keep the limit themselves, and a cluster may be busy with something else.
    stall = BATCH * plan.seconds_per_photo + GRACE if isinstance(engaged, ProcessCrew) else math.inf
    last = time.monotonic()
    while waiting or flying:
        engaged.check()
        broken = False
        try:
            while waiting and len(flying) < engaged.size * AHEAD:
                flying[engaged.submit(waiting[0])] = waiting[0]
                waiting.popleft()
        except BrokenExecutor:
            broken = True
        ready, _ = wait(flying, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
        outcomes: list[Outcome] = []
        for future in ready:
            error = _error(future)
            if error is None:
                outcomes.extend(future.result())
                del flying[future]
            elif isinstance(error, BrokenExecutor):
                broken = True  # all that was handed out is lost
            elif engaged.is_death(error):
                suspects.extend(flying.pop(future))
            else:
                raise error
        if ready:
            last = time.monotonic()
        useful = useful or bool(outcomes)
        if not broken and time.monotonic() - last <= stall:
            yield outcomes
            continue
        lost = [task for batch in flying.values() for task in batch]
        blame = engaged.blame(lost)  # now: who takes the outcomes may take his time
        if not (blame.late or blame.suspects or useful):
            return suspects + lost  # it did nothing but die: whoever does them one by one will see
        innocent = [task for task in lost if task.photo_id not in blame.late | blame.suspects]
        waiting.extendleft(reversed([innocent[i : i + BATCH] for i in range(0, len(innocent), BATCH)]))
        outcomes += [too_late(task, plan.seconds_per_photo) for task in lost if task.photo_id in blame.late]
        yield outcomes
        return suspects + [task for task in lost if task.photo_id in blame.suspects]
    return suspects


def _alone(suspects: Sequence[Task], engaged: Crew) -> Results:
    """Describe each photo alone with a crew that outlives deaths, to find the one that kills."""
    for task in suspects:
        future = engaged.submit([task])
        while not wait([future], timeout=HEARTBEAT).done:
            engaged.check()
            yield []
        error = _error(future)
        if error is None:
            yield future.result()
        elif engaged.is_death(error):
            yield [Outcome(task, None, _DIED, lasting=True)]
        else:
            raise error


def _in_own_processes(suspects: Sequence[Task], plan: DescriptionPlan) -> Results:
    """Describe each photo alone in a process that ends with it, to find the one that kills."""
    remaining = deque(suspects)
    while remaining:
        with closing(ProcessCrew(plan, 1)) as engaged:
            try:
                engaged.start()
            except (BrokenExecutor, TimeoutError) as error:
                raise OperationError(
                    "The processes that read photos cannot be started: free some memory and try again."
                ) from error
            broken = False
            while remaining and not broken:
                task = remaining.popleft()
                future = engaged.submit([task])
                begun = time.monotonic()
                while not wait([future], timeout=HEARTBEAT).done and time.monotonic() - begun <= (
                    plan.seconds_per_photo + GRACE
                ):
                    yield []
                fault = _error(future) if future.done() else TimeoutError()
                broken = fault is not None
                if fault is None:
                    yield future.result()
                elif not isinstance(fault, BrokenExecutor | TimeoutError):
                    raise fault
                elif time.monotonic() - begun >= plan.seconds_per_photo:
                    yield [too_late(task, plan.seconds_per_photo)]
                else:
                    yield [Outcome(task, None, _DIED, lasting=True)]


def _error(future: Future[list[Outcome]]) -> BaseException | None:
    """Return what a future that is done raises, if anything."""
    try:
        return future.exception()
    except BaseException as error:  # it was cancelled
        return error
