# SPDX-License-Identifier: MIT
"""Describe many photos on all cores or with another back end, surviving photos that kill their worker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from focal_photos.browser.operations.workers.executor import PhotoExecutor, ThreadExecutor
from focal_photos.browser.operations.workers.photo_tasks import (
    PhotoResult,
    PhotoTask,
    describe_photo,
    died,
    took_too_long,
    worker_lost,
)
from focal_photos.browser.operations.workers.process_executor import ProcessExecutor
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError
from focal_photos.features.description import DescriptionPlan

BATCH: Final = 8
"""Number of photos in a batch, small for quick cancellation.

Towards the end, batches shrink to one photo, so that no worker is idle.
"""

AHEAD: Final = 3
"""Number of batches submitted per worker, so that none waits while results are written."""

MIN_POOL_PHOTOS: Final = 16
"""Number of photos below which the sandbox is used, because starting several processes would take longer."""

HEARTBEAT: Final = 0.2
"""Seconds after which an empty list is yielded without results."""

_ALIASES: Final = {"loky": "processes", "multiprocessing": "processes", "threading": "threads"}

Results = Generator[list[PhotoResult], None, None]


def describe_photos(
    tasks: Sequence[PhotoTask],
    plan: DescriptionPlan,
    *,
    workers: int | None = None,
    backend: str = "processes",
    scheduler: str | None = None,
    first: Callable[[], Sequence[int]] | None = None,
    pool: ProcessPool | None = None,
    enough: Callable[[], bool] | None = None,
) -> Results:
    """Describe photos in worker processes or with another back end.

    When a worker dies, its photo is tried again alone after all others. If it kills its worker again or exceeds the
    time limit of the plan, it is reported as a failure. At most ``AHEAD * BATCH`` photos per worker are in progress,
    which limits the memory.

    Parameters
    ----------
    tasks : sequence of PhotoTask
        In the order of submission, without repetitions.
    plan : DescriptionPlan
        Descriptors and limits; sent to each worker once.
    workers : int, optional
        Maximum number of workers; default: number of cores, or of the cluster's threads.
    backend : str
        ``"processes"``: on this computer; fewer than `MIN_POOL_PHOTOS` photos are described in the sandbox.
        ``"threads"``: in this process, which a photo may then kill. ``"dask"``: a cluster. Any other name: a back end
        of joblib, whose local back ends are mapped to the first two.
    scheduler : str, optional
        Address of the cluster's scheduler, for ``"dask"``.
    first : callable, optional
        Returns the ids of the photos wanted first, most wanted first. Called at each submission; its result is
        processed when it is another sequence.
    pool : ProcessPool, optional
        For ``"processes"``: an existing pool, which is not closed (`process_executor.background_pool`).
    enough : callable, optional
        Called at each submission; once it returns True, no more photos are submitted.

    Yields
    ------
    list of PhotoResult
        In order of completion; an empty list after some time without results. Closing the generator ends busy
        processes; idle ones stay for a while for later use (`idle_processes`).

    Raises
    ------
    OperationError
        If there is no such back end, no worker can be started, or the scheduler cannot be reached.
    """
    if not tasks:
        return
    backend = _ALIASES.get(backend, backend)
    if backend == "processes" and len(tasks) < MIN_POOL_PHOTOS:
        yield from _describe_in_sandbox(_Waiting(tasks, first, enough), plan)
        return
    with _executor(backend, plan, len(tasks), workers, scheduler, pool) as executor:
        doubtful = yield from _describe_together(_Waiting(tasks, first, enough), executor)
        if doubtful:
            yield from _describe_alone(doubtful, executor)


class _Waiting:
    """The photos not submitted yet: wanted ones first, then the others in order."""

    def __init__(
        self,
        tasks: Sequence[PhotoTask],
        first: Callable[[], Sequence[int]] | None,
        enough: Callable[[], bool] | None,
    ) -> None:
        self._tasks = {task.photo_id: task for task in tasks}
        self._first, self._enough = first, enough
        self._requested: Sequence[int] = ()
        self._wanted: deque[int] = deque()

    def __bool__(self) -> bool:
        if self._enough is not None and self._enough():
            self._tasks.clear()
        return bool(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def take(self, count: int) -> list[PhotoTask]:
        """Remove and return up to `count` photos."""
        if self._first is not None and (requested := self._first()) is not self._requested:
            self._requested, self._wanted = requested, deque(requested)
        taken: list[PhotoTask] = []
        while self._wanted and len(taken) < count:
            wanted = self._tasks.pop(self._wanted.popleft(), None)
            if wanted is not None:
                taken.append(wanted)
        while self._tasks and len(taken) < count:
            taken.append(self._tasks.pop(next(iter(self._tasks))))
        return taken


@contextmanager
def _executor(
    backend: str,
    plan: DescriptionPlan,
    photos: int,
    workers: int | None,
    scheduler: str | None,
    pool: ProcessPool | None,
) -> Iterator[PhotoExecutor]:
    """Start workers, no more than there are batches, and close them at the end."""
    size = max(1, min(workers or available_cores(), -(-photos // BATCH)))
    executor: PhotoExecutor
    if backend == "processes":
        executor = ProcessExecutor(plan, size, pool=pool)
    elif backend == "threads":
        executor = ThreadExecutor(plan, size)
    elif backend == "dask":
        from focal_photos.browser.operations.workers.cluster.dask_executor import (
            DaskExecutor,  # an optional dependency, slow to import
        )

        executor = DaskExecutor(plan, workers, scheduler)
    else:
        from focal_photos.browser.operations.workers.cluster.joblib_executor import (
            JoblibPhotoExecutor,  # here: joblib is slow to load
        )

        executor = JoblibPhotoExecutor(plan, workers, backend)
    try:
        yield executor
    finally:
        executor.close()


def _describe_in_sandbox(waiting: _Waiting, plan: DescriptionPlan) -> Results:
    while waiting:
        [task] = waiting.take(1)
        try:
            result = sandbox().call(describe_photo, task, plan, seconds=plan.seconds_per_photo)
        except EndedProcessError as error:
            result = died(task, killed=error.killed)
        except TookTooLongError:
            result = took_too_long(task, plan.seconds_per_photo)
        yield [_final(result)]


def _describe_together(
    waiting: _Waiting, executor: PhotoExecutor
) -> Generator[list[PhotoResult], None, list[PhotoTask]]:
    """Yield results; return the photos to be tried alone."""
    running: dict[Future[list[PhotoResult]], Sequence[PhotoTask]] = {}
    doubtful: list[PhotoTask] = []
    while waiting or running:
        executor.check()
        while waiting and len(running) < executor.size * AHEAD:
            batch = waiting.take(min(BATCH, -(-len(waiting) // (2 * executor.size))))
            running[executor.submit(batch)] = batch
        ready, _ = wait(running, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
        found = [result for future in ready for result in _results(future, running.pop(future), executor)]
        doubtful.extend(result.task for result in found if result.try_alone)
        yield [result for result in found if not result.try_alone]
    return doubtful


def _describe_alone(tasks: Sequence[PhotoTask], executor: PhotoExecutor) -> Results:
    """Describe photos one by one, to find the one that kills its worker."""
    executor.continue_alone()
    for task in tasks:
        future = executor.submit([task])
        while not wait([future], timeout=HEARTBEAT).done:
            executor.check()
            yield []
        yield [_final(result) for result in _results(future, [task], executor)]


def _final(result: PhotoResult) -> PhotoResult:
    return replace(result, try_alone=False)


def _results(
    future: Future[list[PhotoResult]], batch: Sequence[PhotoTask], executor: PhotoExecutor
) -> list[PhotoResult]:
    """Return the results of a completed future; raise its error, unless its worker died."""
    error: BaseException | None
    try:
        error = future.exception()
    except CancelledError as cancelled:
        error = cancelled
    if error is None:
        return future.result()
    if executor.is_death(error):
        return [worker_lost(task) for task in batch]
    raise error
