"""Describe photos on a Dask cluster that is there already. Its workers need Focal and the same paths to the photos."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, Final

import cv2

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.executor import PhotoExecutor
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask, describe_within_limit
from focal_photos.features.description import DescriptionPlan

try:
    import dask
    import distributed
except ImportError as error:
    how = "install distributed (pip install 'focal-photos[cluster]')"
    raise OperationError(f"Dask is not here: {how}.") from error

_Client: Any = distributed.Client  # without types

ANSWER_SECONDS: Final = 10.0
"""Seconds in which a scheduler has to answer."""

EMPTY_SECONDS: Final = 60.0
"""Seconds after which a cluster without any worker is given up."""

_COUNT_INTERVAL: Final = 2.0  # seconds between two counts of the workers


class DaskExecutor(PhotoExecutor):
    """The workers of a Dask cluster.

    When a worker dies of a batch, the scheduler gives it to others as often as its setting
    ``distributed.scheduler.allowed-failures`` says (three times), and then to us as a death.

    Parameters
    ----------
    plan : DescriptionPlan
        Sent to the scheduler once, and from there to each worker once.
    workers : int or None
        Batches at work at the same time, at most; None for as many as the cluster has threads.
    scheduler : str or None
        Address, e.g. ``"tcp://10.0.0.1:8786"``.

    Raises
    ------
    OperationError
        There is no address, or no scheduler answers there.
    """

    def __init__(self, plan: DescriptionPlan, workers: int | None, scheduler: str | None) -> None:
        if not scheduler:
            raise OperationError("A Dask cluster needs the address of its scheduler: --scheduler tcp://HOST:PORT.")
        self._address, self._max_workers = scheduler, workers
        try:
            self._client = _Client(scheduler, timeout=ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:  # a time-out is an OSError
            raise OperationError(
                f"No Dask scheduler answers at {scheduler}: check the address and that it runs."
            ) from error
        try:
            self._tasks: set[Any] = set()  # the scheduler forgets a task that nobody holds
            # Not scattered: what a task returned is made again when the workers that hold it die. Dask warns of tasks
            # as large as a plan with vocabularies, because it expects many of them.
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
                self._plan = self._client.submit(_keep, plan, pure=False)
            self._seen_workers = time.monotonic()
            self._counted = 0.0
            self.size = 1
            self.check()
        except BaseException:
            self._client.close()
            raise

    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Hand a batch out; see `PhotoExecutor.submit`."""
        future: Future[list[PhotoResult]] = Future()
        task = self._client.submit(_describe, batch, self._plan, pure=False)
        self._tasks.add(task)
        self._client.loop.add_callback(self._relay, task, future)
        return future

    async def _relay(self, task: Any, future: Future[list[PhotoResult]]) -> None:
        """Give a task's outcome to a future.

        Dask's own executor asks for the state of a task after it has waited for the result: when the worker that holds
        the result is lost in between, it takes the result for an error that it then cannot unpack.
        """
        try:
            result = await self._client.gather(task, asynchronous=True)
        except asyncio.CancelledError:  # the client's loop ends
            future.set_exception(CancelledError())
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            self._tasks.discard(task)

    def is_death(self, error: BaseException) -> bool:
        """Tell deaths from other errors; see `PhotoExecutor.is_death`.

        Raises
        ------
        OperationError
            The scheduler is gone, or the workers cannot run what they got.
        """
        if isinstance(error, distributed.KilledWorker):
            return True
        if isinstance(error, CancelledError) or self._client.status != "running":
            raise self._lost() from error
        raise OperationError(
            f"The workers of the cluster cannot describe photos ({type(error).__name__}: {error}): "
            "install this version of Focal on them."
        ) from error

    def check(self) -> None:
        """Count the workers; see `PhotoExecutor.check`."""
        now = time.monotonic()
        if now - self._counted < _COUNT_INTERVAL:
            return
        self._counted = now
        if self._client.status != "running":
            raise self._lost()
        try:
            threads = sum(self._client.nthreads().values())
        except (OSError, CancelledError) as error:
            raise self._lost() from error
        if threads:
            self._seen_workers = now
        elif now - self._seen_workers > EMPTY_SECONDS:
            raise OperationError(f"The Dask cluster at {self._address} has no workers: start some and try again.")
        self.size = max(1, min(threads, self._max_workers or threads))

    def close(self) -> None:
        """Take back what is not begun and leave the cluster; see `PhotoExecutor.close`."""
        if self._client.status == "running":
            self._client.cancel(list(self._tasks))
        self._client.close(timeout=ANSWER_SECONDS)

    def _lost(self) -> OperationError:
        return OperationError(
            f"The connection to the Dask scheduler at {self._address} is lost: what was described is kept; "
            "start the scheduler and run this again."
        )


def _keep(plan: DescriptionPlan) -> DescriptionPlan:  # pragma: no cover - in workers, which end by force
    return plan


def _describe(
    batch: Sequence[PhotoTask], plan: DescriptionPlan
) -> list[PhotoResult]:  # pragma: no cover - in workers, which end by force
    cv2.setNumThreads(1)  # the cluster counts one core for a task
    return describe_within_limit(batch, plan)
