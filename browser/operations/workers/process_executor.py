# SPDX-License-Identifier: MIT
"""Describe photos in worker processes on this computer, with one thread per process."""

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
    """Worker processes; a photo that kills its process is tried once more, alone.

    The number of pixels decoded at the same time is limited: photos that may exceed their process's share of memory are
    described later, alone.

    Parameters
    ----------
    plan : DescriptionPlan
        Sent to each process once.
    memory : int, optional
        Bytes for all processes together; default: `usable_memory`, of which photos decoded at the same time use at most
        `decoding_memory`.
    pool : ProcessPool, optional
        From `background_pool`, with at least this size; its processes are used and not closed.
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
        """Submit a batch; see `PhotoExecutor.submit`."""
        return self._threads.submit(self._describe, batch)

    def continue_alone(self) -> None:
        """Give all the memory to one process."""
        self._pool.release()
        if self._pool is not self._lent:
            self._pool.close()
        self._pool, self._alone = self._start_pool(1, None), True

    def close(self) -> None:
        """Kill busy processes; leave its own idle ones to later pools, except one for heavy photos."""
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
        return ProcessPool(size, self._memory, setup=setup, background=True, reuse_idle=share is not None)

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
    """Return a pool for several consecutive calls of `describe_photos`; processes start on first use.

    Starting a process and loading its code takes as long as describing fifty photos, so idle processes of earlier pools
    are used first.

    Parameters
    ----------
    workers : int, optional
        Maximum number of processes; default: number of cores.
    """
    return ProcessPool(max(1, workers or available_cores()), usable_memory(), background=True, reuse_idle=True)


# ------------------------------------------------------------------ in the worker process
_plan: DescriptionPlan | None = None
_share: int | None = None


def _take_plan(plan: DescriptionPlan, share: int | None) -> None:  # pragma: no cover - in workers, which end by force
    """Set the plan for all tasks of this process, and the memory limit of a photo beside others, if any."""
    global _plan, _share
    _plan, _share = plan, share


def _describe_by_plan(task: PhotoTask) -> PhotoResult:  # pragma: no cover - in workers, which end by force
    if _plan is None:
        raise RuntimeError("this process has no plan")
    if _share is not None and is_heavy(task.path, _plan, _share):
        return PhotoResult(task, try_alone=True)
    return describe_photo(task, _plan)
