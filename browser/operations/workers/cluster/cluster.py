# SPDX-License-Identifier: MIT
"""Client of an existing Dask cluster. Its workers need Focal and the same paths."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from functools import cached_property
from typing import Any, Final, Self, TypeVar

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.learners.core.estimator import LearnerError

try:
    import dask
    import distributed
except ImportError as error:
    how = "install distributed (in Focal's checkout: pip install '.[cluster]')"
    raise OperationError("Dask is not installed: {0}.", how) from error

_Client: Any = distributed.Client  # without types

K = TypeVar("K")

ANSWER_SECONDS: Final = 10.0
"""Seconds within which a scheduler must answer."""

EMPTY_SECONDS: Final = 60.0
"""Seconds after which a cluster without workers is abandoned."""

_COUNT_INTERVAL: Final = 2.0  # seconds between counts of the workers
_AHEAD: Final = 2  # calls submitted per thread of the cluster
_HEARTBEAT: Final = 0.2  # seconds after which an empty list is yielded without results


class Cluster:
    """Calls of functions on the workers of a Dask cluster.

    If a worker dies during a call, the scheduler retries the call as often as
    ``distributed.scheduler.allowed-failures`` allows (three times), and then reports a death.

    Parameters
    ----------
    scheduler : str or None
        Address, e.g. ``"tcp://10.0.0.1:8786"``.
    workers : int, optional
        Maximum number of simultaneous calls; default: number of threads of the cluster.

    Raises
    ------
    OperationError
        If there is no address, or no scheduler answers there.
    """

    def __init__(self, scheduler: str | None, workers: int | None = None) -> None:
        if not scheduler:
            raise OperationError("A Dask cluster needs the address of its scheduler: --scheduler tcp://HOST:PORT.")
        self._address, self._max_workers = scheduler, workers
        try:
            self._client = _Client(scheduler, timeout=ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:  # a time-out is an OSError
            raise OperationError(
                "No Dask scheduler answers at {0}: check the address and that it runs.", scheduler
            ) from error
        self._tasks: set[Any] = set()  # the scheduler forgets unreferenced tasks
        self._seen_workers = time.monotonic()
        self._counted = 0.0
        self.size = 1
        """Number of simultaneous calls."""
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
        """Send a value needed by many calls once, and return a handle to pass as their argument.

        It is not scattered, because the result of a task is recomputed when the workers that hold it die.
        """
        # Dask warns about tasks as large as a plan with vocabularies, because it expects many tasks.
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
            return self._client.submit(_same, _Packed(value), pure=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a call; the workers must be able to import the function by name."""
        future: Future[Any] = Future()
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
            task = self._client.submit(_run, function, *map(_packed, arguments), pure=False)
        self._tasks.add(task)
        self._client.loop.add_callback(self._relay, task, future)
        return future

    def completed(
        self, calls: Iterable[tuple[K, Callable[..., Any], tuple[Any, ...]]]
    ) -> Generator[list[tuple[K, Any]], None, None]:
        """Run calls on the cluster, as `browser.operations.workers.threads.completed` does in threads.

        Parameters
        ----------
        calls : iterable of (key, function, arguments)
            Consumed as threads of the cluster become free.

        Yields
        ------
        list of (key, result)
            In order of completion; an empty list after some time without results. Closing the generator cancels pending
            calls.

        Raises
        ------
        OperationError
            If the cluster is lost or has no workers, they die during a call, or cannot run it.
        LearnerError
            If a call raises it.
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
        """Tell whether a call's error means that workers died during it.

        Raises
        ------
        OperationError
            If the scheduler is lost, or the workers cannot run the call.
        """
        if isinstance(error, distributed.KilledWorker):
            return True
        if isinstance(error, CancelledError) or self._client.status != "running":
            raise self._lost() from error
        raise OperationError(
            "The workers of the cluster cannot run this task ({0}: {1}): install this version of Focal and the same "
            "plug-ins on them.",
            type(error).__name__,
            error,
        ) from error

    def check(self) -> None:
        """Count the workers from time to time.

        Raises
        ------
        OperationError
            If the scheduler is lost, or has had no workers for a minute.
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
            raise OperationError("The Dask cluster at {0} has no workers: start some and try again.", self._address)
        self.size = max(1, min(threads, self._max_workers or threads))

    def take_back(self) -> None:
        """Cancel the pending calls."""
        if self._client.status == "running":
            self._client.cancel(list(self._tasks))

    def close(self) -> None:
        """Cancel pending calls and disconnect from the cluster."""
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
                "The workers of the cluster crash on this task: check their logs; they may lack memory."
            ) from error

    async def _relay(self, task: Any, future: Future[Any]) -> None:
        """Transfer a task's outcome to a future.

        Dask's own executor queries the state of a task after waiting for the result: if the worker that holds the
        result is lost in between, it mistakes the result for an error and fails to unpack it.
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
            "The connection to the Dask scheduler at {0} is lost. Finished work is saved: start "
            "the scheduler and run the command again.",
            self._address,
        )


class _Packed:
    """A value as bytes, which a call unpacks: Dask drops a worker that cannot unpack what it receives.

    A worker that lacks the package of a plug-in then reports an error like that of any other call.
    """

    def __init__(self, value: object) -> None:
        self.data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (self.data,)

    @cached_property
    def value(self) -> Any:
        """The value, unpacked once in each worker."""
        return pickle.loads(self.data)


def _received(data: bytes) -> _Packed:
    packed = _Packed.__new__(_Packed)
    packed.data = data
    return packed


def _packed(argument: object) -> object:
    """Pack an argument, unless it is a handle of `Cluster.keep`."""
    return argument if isinstance(argument, distributed.Future) else _Packed(argument)


def _same(value: object) -> object:  # pragma: no cover - in workers, which end by force
    return value


def _run(function: Callable[..., Any], *arguments: _Packed) -> Any:  # pragma: no cover - in workers
    return function(*(one.value for one in arguments))
