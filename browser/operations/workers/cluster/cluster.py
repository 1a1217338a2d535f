"""A Dask cluster that is there already, as its client sees it. Its workers need Focal and the same paths."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Any, Final, Self, TypeVar

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.learners.core.estimator import LearnerError

try:
    import dask
    import distributed
except ImportError as error:
    how = "install distributed (pip install 'focal-photos[cluster]')"
    raise OperationError(f"Dask is not here: {how}.") from error

_Client: Any = distributed.Client  # without types

K = TypeVar("K")

ANSWER_SECONDS: Final = 10.0
"""Seconds in which a scheduler has to answer."""

EMPTY_SECONDS: Final = 60.0
"""Seconds after which a cluster without any worker is given up."""

_COUNT_INTERVAL: Final = 2.0  # seconds between two counts of the workers
_AHEAD: Final = 2  # calls handed out for each thread of the cluster
_HEARTBEAT: Final = 0.2  # seconds after which an empty list is yielded when there was no result


class Cluster:
    """Calls of functions on the workers of a Dask cluster.

    When a worker dies of a call, the scheduler gives that to others as often as its setting
    ``distributed.scheduler.allowed-failures`` says (three times), and then to us as a death.

    Parameters
    ----------
    scheduler : str or None
        Address, e.g. ``"tcp://10.0.0.1:8786"``.
    workers : int, optional
        Calls at work at the same time, at most; as many as the cluster has threads, if not given.

    Attributes
    ----------
    size : int
        Calls that are worked on at the same time.

    Raises
    ------
    OperationError
        There is no address, or no scheduler answers there.
    """

    def __init__(self, scheduler: str | None, workers: int | None = None) -> None:
        if not scheduler:
            raise OperationError("A Dask cluster needs the address of its scheduler: --scheduler tcp://HOST:PORT.")
        self._address, self._max_workers = scheduler, workers
        try:
            self._client = _Client(scheduler, timeout=ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:  # a time-out is an OSError
            raise OperationError(
                f"No Dask scheduler answers at {scheduler}: check the address and that it runs."
            ) from error
        self._tasks: set[Any] = set()  # the scheduler forgets a task that nobody holds
        self._seen_workers = time.monotonic()
        self._counted = 0.0
        self.size = 1
        try:
            self.check()
        except BaseException:
            self._client.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def keep(self, value: object) -> Any:
        """Send something that many calls need once, and return what stands for it among their arguments.

        Not scattered: what a task returned is made again when the workers that hold it die.
        """
        # Dask warns of tasks as large as a plan with vocabularies, because it expects many of them.
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
            return self._client.submit(_same, value, pure=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Begin a call; the function is importable by its name on the workers."""
        future: Future[Any] = Future()
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
            task = self._client.submit(function, *arguments, pure=False)
        self._tasks.add(task)
        self._client.loop.add_callback(self._relay, task, future)
        return future

    def completed(
        self, calls: Iterable[tuple[K, Callable[..., Any], tuple[Any, ...]]]
    ) -> Generator[list[tuple[K, Any]], None, None]:
        """Do calls on the cluster, as `browser.operations.workers.threads.completed` does them in threads.

        Parameters
        ----------
        calls : iterable of (key, function, arguments)
            Taken as threads of the cluster get free.

        Yields
        ------
        list of (key, result)
            As they are ready; an empty list where nothing was ready for a while. Closing the generator takes back what
            is not done.

        Raises
        ------
        OperationError
            The cluster is lost or without workers, they die of a call, or cannot run it.
        LearnerError
            What a call raises of it.
        """
        waiting = iter(calls)
        running: dict[Future[Any], K] = {}
        try:
            while True:
                self.check()
                while len(running) < _AHEAD * self.size and (call := next(waiting, None)) is not None:
                    running[self.submit(call[1], *call[2])] = call[0]
                if not running:
                    return
                done, _ = wait(running, _HEARTBEAT, FIRST_COMPLETED)
                yield [(running.pop(future), self._result(future)) for future in done]
        finally:
            if running:
                self.take_back()

    def is_death(self, error: BaseException) -> bool:
        """Tell whether a call's error means that workers died of it.

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
            f"The workers of the cluster cannot do this ({type(error).__name__}: {error}): "
            "install this version of Focal on them."
        ) from error

    def check(self) -> None:
        """Count the workers, now and then.

        Raises
        ------
        OperationError
            The scheduler is gone, or has had no workers for a minute.
        """
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

    def take_back(self) -> None:
        """Take back the calls that are not done."""
        if self._client.status == "running":
            self._client.cancel(list(self._tasks))

    def close(self) -> None:
        """Take back what is not done, and leave the cluster."""
        self.take_back()
        self._client.close(timeout=ANSWER_SECONDS)

    def _result(self, future: Future[Any]) -> Any:
        try:
            return future.result()
        except (OperationError, LearnerError):
            raise
        except (Exception, CancelledError) as error:
            self.is_death(error)
            raise OperationError(
                "The workers of the cluster die of this: look into their logs, they may lack memory."
            ) from error

    async def _relay(self, task: Any, future: Future[Any]) -> None:
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

    def _lost(self) -> OperationError:
        return OperationError(
            f"The connection to the Dask scheduler at {self._address} is lost: what was done is kept; "
            "start the scheduler and run this again."
        )


def _same(value: object) -> object:  # pragma: no cover - in workers, which end by force
    return value
