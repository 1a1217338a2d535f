"""Who describes batches of photos: processes, threads, or any back end that joblib knows."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.externals.loky import ProcessPoolExecutor

from browser.environment import READERS
from browser.operations.jobs.errors import OperationError
from browser.operations.workers.worker import (
    Outcome,
    Task,
    describe_here,
    describe_with,
    ping,
    prepare_worker,
    read_notes,
)
from features.description import DescriptionPlan

PATIENCE: Final = 60.0
"""Seconds that starting a worker may take."""

_NICENESS: Final = 10
_OURS: Final = {"loky": "processes", "multiprocessing": "processes", "threading": "threads"}

Batch = Sequence[Task]


@dataclass
class Blame:
    """What the photos that were with a crew when a worker died have to do with it.

    Attributes
    ----------
    late : set of int
        Ids of photos that took longer than they may.
    suspects : set of int
        Ids of photos one of which may have been the cause.
    """

    late: set[int] = field(default_factory=set)
    suspects: set[int] = field(default_factory=set)


class Crew(ABC):
    """Workers that hold a plan and take batches.

    Attributes
    ----------
    size : int
        Batches worked on at the same time.
    """

    size: int

    @abstractmethod
    def submit(self, batch: Batch) -> Future[list[Outcome]]:
        """Hand a batch out.

        Raises
        ------
        BrokenExecutor
            The crew takes nothing any more.
        """

    def is_death(self, error: BaseException) -> bool:
        """Tell whether a future's error means that a worker died of its batch, rather than a fault of ours."""
        return isinstance(error, BrokenExecutor)

    def blame(self, in_flight: Sequence[Task]) -> Blame:
        """Say whose fault it was that this crew broke; all are suspects where nobody knows."""
        return Blame(suspects={task.photo_id for task in in_flight})

    def check(self) -> None:  # noqa: B027 - most crews are always there
        """Raise `OperationError` if nothing can be expected from this crew; called again and again."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the workers; what they still do is not wanted."""


class ProcessCrew(Crew):
    """Processes on this computer. They are killed when they die of a photo or take too long over it."""

    def __init__(self, plan: DescriptionPlan, size: int) -> None:
        self.size = size
        self._seconds = plan.seconds_per_photo
        try:
            self._notes = Path(tempfile.mkdtemp(prefix="focal-"))
        except OSError as error:
            raise OperationError(
                f"Nothing can be written to the folder for temporary files {tempfile.gettempdir()} "
                f"({error.strerror or error}): free some space there."
            ) from error
        self._executor = ProcessPoolExecutor(
            size,
            timeout=None,
            initializer=prepare_worker,
            initargs=(_NICENESS, os.getpid(), plan, self._notes),
            env=dict(READERS),
        )

    def submit(self, batch: Batch) -> Future[list[Outcome]]:
        """Hand a batch out; see `Crew.submit`."""
        with _without_interrupts():  # it may start processes
            future: Future[list[Outcome]] = self._executor.submit(describe_here, batch)
        return future

    def start(self) -> None:
        """Wait until a worker lives.

        Raises
        ------
        BrokenExecutor, TimeoutError
        """
        with _without_interrupts():
            started = self._executor.submit(ping)
        started.result(timeout=PATIENCE)

    def blame(self, in_flight: Sequence[Task]) -> Blame:
        """Read off the notes of the workers what each was doing."""
        now = time.monotonic()
        named = {task.photo_id for task in in_flight}
        begun = {photo_id: moment for photo_id, moment in read_notes(self._notes).items() if photo_id in named}
        late = {photo_id for photo_id, moment in begun.items() if now - moment >= self._seconds}
        return Blame(late, set() if late else set(begun))

    def close(self) -> None:
        """Kill the processes."""
        # loky drops the batches that wait, and its thread dies of not finding those that are still in its list.
        with suppress(Empty):
            while True:
                self._executor._work_ids.get_nowait()
        self._executor.shutdown(wait=True, kill_workers=True)
        shutil.rmtree(self._notes, ignore_errors=True)


class ThreadCrew(Crew):
    """Threads of this process: no copies of the results, but whatever kills a decoder kills the program."""

    def __init__(self, plan: DescriptionPlan, size: int) -> None:
        self.size = size
        self._plan = plan
        self._executor: Executor = ThreadPoolExecutor(size, thread_name_prefix="focal-describe")

    def submit(self, batch: Batch) -> Future[list[Outcome]]:
        """Hand a batch out; see `Crew.submit`."""
        return self._executor.submit(describe_with, batch, self._plan)

    def close(self) -> None:
        """Wait for the batches that are being described."""
        self._executor.shutdown(wait=True, cancel_futures=True)


class JoblibCrew(ThreadCrew):
    """A back end of joblib that some package has registered, by its name. The plan travels with each batch.

    Raises
    ------
    OperationError
        joblib knows no such back end.
    """

    def __init__(self, plan: DescriptionPlan, size: int | None, backend: str) -> None:
        self._plan = plan
        try:
            with parallel_config(backend=backend, n_jobs=size or -1):
                self.size = effective_n_jobs()
        except (ValueError, ImportError) as error:
            raise OperationError(
                f"The back end {backend!r} cannot be used ({error}): take processes, threads, dask or one of joblib's."
            ) from error
        self._executor = _JoblibExecutor(backend, self.size)


class _JoblibExecutor(Executor):
    """joblib.Parallel as an executor: a thread gives it all that waits at a time, results come as they are ready."""

    def __init__(self, backend: str, size: int) -> None:
        self._waiting: SimpleQueue[tuple[Future[Any], Any] | None] = SimpleQueue()
        self._backend, self._size = backend, size
        self._thread = threading.Thread(target=self._run, name="focal-joblib")
        self._thread.start()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.put((future, delayed(fn)(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            with suppress(Empty):
                while True:
                    self._waiting.get_nowait()
        self._waiting.put(None)
        if wait:
            self._thread.join()

    def _run(self) -> None:
        with parallel_config(backend=self._backend, n_jobs=self._size):
            while (first := self._waiting.get()) is not None:
                lot = [first]
                while not self._waiting.empty():
                    if (more := self._waiting.get()) is None:
                        return
                    lot.append(more)
                self._work_off(lot)

    def _work_off(self, lot: list[tuple[Future[Any], Any]]) -> None:
        futures = iter([future for future, _ in lot])
        try:
            results = Parallel(return_as="generator", batch_size=1, pre_dispatch="all")(call for _, call in lot)
            for result in results:
                next(futures).set_result(result)
        except Exception as error:
            for future in futures:  # which of them it was is not known
                future.set_exception(error)


@contextmanager
def crew(
    backend: str, plan: DescriptionPlan, batches: int, *, workers: int | None, scheduler: str | None
) -> Iterator[Crew]:
    """Engage workers, and let them go at the end.

    Parameters
    ----------
    backend : str
        ``"processes"``, ``"threads"``, ``"dask"``, or another back end of joblib. Those of joblib that stay on this
        computer mean the first two.
    plan : DescriptionPlan
    batches : int
        So many are to be done: no more workers than that are started here.
    workers : int or None
        At most; None for as many as there are.
    scheduler : str or None
        Address of a Dask scheduler.

    Raises
    ------
    OperationError
        There is no such back end, or its scheduler cannot be reached.
    """
    engaged: Crew
    size = max(1, min(workers or available_cores(), batches))
    backend = _OURS.get(backend, backend)
    if backend == "processes":
        engaged = ProcessCrew(plan, size)
    elif backend == "threads":
        engaged = ThreadCrew(plan, size)
    elif backend == "dask":
        from browser.operations.workers.dask_cluster import DaskCrew  # an optional part, and slow to import

        engaged = DaskCrew(plan, workers, scheduler)
    else:
        engaged = JoblibCrew(plan, workers, backend)
    try:
        yield engaged
    finally:
        engaged.close()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _without_interrupts() -> Generator[None, None, None]:
    """Let processes that start here ignore Ctrl+C: the terminal sends it to all, and their parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
