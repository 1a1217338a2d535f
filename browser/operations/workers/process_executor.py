"""Describe photos in worker processes on this computer, a thread here for each process there."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from focal_photos.browser.operations.workers.executor import PhotoExecutor
from focal_photos.browser.operations.workers.memory import decoding_memory, usable_memory
from focal_photos.browser.operations.workers.photo_tasks import (
    PhotoResult,
    PhotoTask,
    describe_photo,
    died,
    is_heavy,
    lacked_memory,
    took_too_long,
)
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.threads import available_cores
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError
from focal_photos.features.decoding.limits import ImageError
from focal_photos.features.description import DescriptionPlan


class ProcessExecutor(PhotoExecutor):
    """Processes that may die of a photo: it is then tried once more, alone.

    The pixels that are decoded at the same time are bounded: a photo that may take more than its process's share of the
    memory comes after the others, alone.

    Parameters
    ----------
    plan : DescriptionPlan
        Travels to each process once.
    size : int
        Processes.
    memory : int, optional
        Bytes that all processes may take together; `usable_memory`, if not given, of which photos that are decoded
        beside others take no more than `decoding_memory`.
    pool : ProcessPool, optional
        Of `background_pool`, at least of this size: its processes are used, and are there afterwards.
    """

    def __init__(
        self, plan: DescriptionPlan, size: int, memory: int | None = None, pool: ProcessPool | None = None
    ) -> None:
        self.size = size
        self._plan = plan
        self._memory = usable_memory() if memory is None else memory
        self._lent, self._alone = pool, False
        share = (decoding_memory() if memory is None else memory) // size
        if pool is None:
            self._pool = self._start_pool(size, share)
        else:
            self._pool = pool
            pool.set_up((_take_plan, (plan, share)))
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="focal-workers")

    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Hand a batch out; see `PhotoExecutor.submit`."""
        return self._threads.submit(self._describe, batch)

    def continue_alone(self) -> None:
        """Leave all of the memory to one process."""
        self._pool.release()
        if self._pool is not self._lent:
            self._pool.close()
        self._pool, self._alone = self._start_pool(1, None), True

    def close(self) -> None:
        """Kill what has something to do; leave others of its own to later pools, but for one of heavy photos."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._pool is self._lent:
            self._pool.interrupt()
        elif self._alone:
            self._pool.close()
        else:
            self._pool.leave()
        self._threads.shutdown(wait=True)

    def _start_pool(self, size: int, share: int | None) -> ProcessPool:
        setup = (_take_plan, (self._plan, share))
        return ProcessPool(size, self._memory, setup=setup, background=True, kept=share is not None)

    def _describe(self, batch: Sequence[PhotoTask]) -> list[PhotoResult]:
        seconds = self._plan.seconds_per_photo
        results = []
        answers = self._pool.call_each(_describe_by_plan, batch, seconds=seconds)
        for task, answer in zip(batch, answers, strict=True):
            if isinstance(answer, EndedProcessError):
                results.append(died(task, killed=answer.killed))
            elif isinstance(answer, TookTooLongError):
                results.append(took_too_long(task, seconds))
            elif isinstance(answer, ImageError):
                results.append(lacked_memory(task))
            else:
                results.append(answer)
        return results


def background_pool(workers: int | None = None) -> ProcessPool:
    """Return processes for several `describe_photos` one after the other; none is started before it is used.

    To start one and to load in it what describes photos takes as long as to describe fifty: those that an earlier pool
    has left are used first.

    Parameters
    ----------
    workers : int, optional
        The most; as many as there are cores, if not given.
    """
    return ProcessPool(max(1, workers or available_cores()), usable_memory(), background=True, kept=True)


# ------------------------------------------------------------------ in the worker process
_plan: DescriptionPlan | None = None
_share: int | None = None


def _take_plan(plan: DescriptionPlan, share: int | None) -> None:  # pragma: no cover - in workers, which end by force
    """Keep for all tasks of this process the plan, and the memory that a photo may take beside others, if any."""
    global _plan, _share
    _plan, _share = plan, share


def _describe_by_plan(task: PhotoTask) -> PhotoResult:  # pragma: no cover - in workers, which end by force
    if _plan is None:
        raise RuntimeError("this process has no plan")
    if _share is not None and is_heavy(task.path, _plan, _share):
        return PhotoResult(task, try_alone=True)
    return describe_photo(task, _plan)
