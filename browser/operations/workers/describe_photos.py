"""Describe many photos on all cores, or with any other back end, and survive a photo that kills its worker."""

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
"""Photos that a worker takes at a time: few, so that cancelling is quick; towards the end fewer, down to one, so that
none has nothing to do while others have a batch."""

AHEAD: Final = 3
"""Batches that are handed out for each worker, so that none waits while results are written."""

FEW: Final = 16
"""With fewer photos, to start several processes would take longer than to describe them in the sandbox."""

HEARTBEAT: Final = 0.2
"""Seconds after which an empty list is yielded when there was no result."""

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
    """Describe photos in worker processes, or with another back end.

    When a worker dies, the photo that it was describing is done again when all others are done, with nothing beside it;
    one that kills its worker then too gets a failure, and so does one that takes longer than the plan allows. At most
    ``AHEAD * BATCH`` photos a worker are under way at a time, which bounds the memory.

    Parameters
    ----------
    tasks : sequence of PhotoTask
        Handed out in this order. No photo occurs twice.
    plan : DescriptionPlan
        Descriptors and limits; it travels once to each worker.
    workers : int, optional
        The most that are used; as many as there are cores, or as the cluster has, if not given.
    backend : str
        ``"processes"``: on this computer; fewer than `FEW` photos take turns in the sandbox. ``"threads"``: of this
        process, which a photo may then end. ``"dask"``: a cluster. Any other name: a back end of joblib; those of its
        own that stay on this computer mean the first two.
    scheduler : str, optional
        Address of the cluster's scheduler, for ``"dask"``.
    first : callable, optional
        Returns the ids of the photos that are wanted before all others, the most wanted first; asked whenever photos
        are handed out, and looked through again when it returns another sequence.
    pool : ProcessPool, optional
        For ``"processes"``: processes that are there already, and stay (`process_executor.background_pool`).
    enough : callable, optional
        Asked whenever photos are handed out: from when it returns True none is, and this ends with those under way.

    Yields
    ------
    list of PhotoResult
        In the order in which they are ready; an empty list where nothing was ready for a while. Closing the
        generator ends the processes that have something to do; others stay for a while, for whoever describes next
        (`kept_processes`).

    Raises
    ------
    OperationError
        There is no such back end, no worker can be started, or the scheduler cannot be reached.
    """
    if not tasks:
        return
    backend = _ALIASES.get(backend, backend)
    if backend == "processes" and len(tasks) < FEW:
        yield from _describe_in_sandbox(_Waiting(tasks, first, enough), plan)
        return
    with _executor(backend, plan, len(tasks), workers, scheduler, pool) as executor:
        doubtful = yield from _describe_together(_Waiting(tasks, first, enough), executor)
        if doubtful:
            yield from _describe_alone(doubtful, executor)


class _Waiting:
    """The photos that are not handed out yet: those that are wanted first, then the others in their order."""

    def __init__(
        self,
        tasks: Sequence[PhotoTask],
        first: Callable[[], Sequence[int]] | None,
        enough: Callable[[], bool] | None,
    ) -> None:
        self._tasks = {task.photo_id: task for task in tasks}
        self._first, self._enough = first, enough
        self._asked: Sequence[int] = ()
        self._wanted: deque[int] = deque()

    def __bool__(self) -> bool:
        if self._enough is not None and self._enough():
            self._tasks.clear()
        return bool(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def take(self, count: int) -> list[PhotoTask]:
        """Take some of them out, as many as there are if these are fewer."""
        if self._first is not None and (asked := self._first()) is not self._asked:
            self._asked, self._wanted = asked, deque(asked)
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
    """Engage workers, no more than there are batches, and let them go at the end."""
    size = max(1, min(workers or available_cores(), -(-photos // BATCH)))
    executor: PhotoExecutor
    if backend == "processes":
        executor = ProcessExecutor(plan, size, pool=pool)
    elif backend == "threads":
        executor = ThreadExecutor(plan, size)
    elif backend == "dask":
        from focal_photos.browser.operations.workers.cluster.dask_executor import (
            DaskExecutor,  # an optional part, and slow to import
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
    """Yield results; return the photos that are to be tried alone."""
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
    """Describe photos one after the other, to find the one that kills."""
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
    """Return what a future that is done gives; raise what it raises, unless its worker died."""
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
