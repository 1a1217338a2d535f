"""Describe many photos on all cores, and survive a photo that kills the process which describes it."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager
from typing import Final

from joblib.externals.loky import ProcessPoolExecutor

from browser.operations.errors import OperationError
from browser.operations.worker import Outcome, Task, describe_photos, ping, prepare_worker

BATCH: Final = 8
"""Photos that a worker takes at a time: few, so that cancelling is quick and a crash costs little."""

AHEAD: Final = 3
"""Batches that are handed out for each worker, so that none waits while results are written."""

HEARTBEAT: Final = 0.2
"""Seconds after which an empty list is yielded when there was no result."""

STALL: Final = 300.0
"""Seconds without any result after which the workers are taken to hang."""

_NICENESS: Final = 10
_ENVIRONMENT: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONFAULTHANDLER": "",
}

_DIED = "Its decoding ended the process (out of memory, or a fault in the decoder)."
_HANGS = f"Its decoding took longer than {STALL:.0f} seconds."

Results = Generator[list[Outcome], None, None]
Describer = Callable[[Sequence[Task]], list[Outcome]]


def describe_in_processes(
    tasks: Sequence[Task], workers: int | None = None, *, describer: Describer = describe_photos
) -> Results:
    """Describe photos in worker processes.

    When a worker dies, the batches that were in flight are done again photo by photo in a process of their own; a
    photo that kills this one too gets a failure, and all others go on.

    Parameters
    ----------
    tasks : sequence of Task
        Handed out in this order.
    workers : int, optional
        Processes; as many as there are cores, if not given.
    describer : callable
        What the processes do with a batch; it must be importable there.

    Yields
    ------
    list of Outcome
        In the order in which they are ready; an empty list where nothing was ready for a while. Closing the
        generator ends the processes.

    Raises
    ------
    OperationError
        No worker process can be started.
    """
    count = max(1, min(workers or available_cores(), -(-len(tasks) // BATCH)))
    waiting = deque(tasks[i : i + BATCH] for i in range(0, len(tasks), BATCH))
    while waiting:
        suspects = yield from _many(waiting, count, describer)
        yield from _one_by_one(suspects, describer)


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _many(
    waiting: deque[Sequence[Task]], workers: int, describer: Describer
) -> Generator[list[Outcome], None, list[Task]]:
    """Work off `waiting`; if a worker dies, stop and return the photos that were in flight."""
    with _workers(workers) as executor:
        flying: dict[Future[list[Outcome]], Sequence[Task]] = {}
        last = time.monotonic()
        while waiting or flying:
            try:
                while waiting and len(flying) < workers * AHEAD:
                    with _without_interrupts():
                        future = executor.submit(describer, waiting[0])
                    flying[future] = waiting.popleft()
            except BrokenExecutor:
                return [task for batch in flying.values() for task in batch]
            ready, _ = wait(flying, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            outcomes: list[Outcome] = []
            broken = False
            for future in ready:
                try:
                    outcomes.extend(future.result())
                except BrokenExecutor:
                    broken = True
                else:
                    del flying[future]
            if ready:
                last = time.monotonic()
            yield outcomes
            if broken or time.monotonic() - last > STALL:
                return [task for batch in flying.values() for task in batch]
    return []


def _one_by_one(suspects: list[Task], describer: Describer) -> Results:
    """Describe each photo alone in a process, to find the one that kills it."""
    remaining = deque(suspects)
    while remaining:
        with _workers(1) as executor:
            try:
                with _without_interrupts():
                    started = executor.submit(ping)
                started.result(timeout=STALL)
            except (BrokenExecutor, TimeoutError) as error:
                raise OperationError(
                    "The processes that read photos cannot be started: free some memory and try again."
                ) from error
            broken = False
            while remaining and not broken:
                task = remaining.popleft()
                future = executor.submit(describer, [task])
                begun = time.monotonic()
                while not wait([future], timeout=HEARTBEAT).done and time.monotonic() - begun <= STALL:
                    yield []
                try:
                    yield future.result(timeout=0)
                except (BrokenExecutor, TimeoutError) as error:
                    broken = True
                    reason = _HANGS if isinstance(error, TimeoutError) else _DIED
                    yield [Outcome(task, None, reason, lasting=True)]


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    executor = ProcessPoolExecutor(
        count, timeout=None, initializer=prepare_worker, initargs=(_NICENESS, os.getpid()), env=dict(_ENVIRONMENT)
    )
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, kill_workers=True)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes that start here ignore Ctrl+C: the terminal sends it to all, and their parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
