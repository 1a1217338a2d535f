# SPDX-License-Identifier: MIT
"""Describe photos with a joblib back end registered by another package."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs, parallel_config

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.executor import PhotoExecutor
from focal_photos.browser.operations.workers.memory import decoding_memory
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask, describe_within_limit
from focal_photos.features.description import DescriptionPlan


class JoblibPhotoExecutor(PhotoExecutor):
    """The workers of a joblib back end. The plan is sent with each batch.

    Parameters
    ----------
    size : int or None
        Number of simultaneous batches; None: number of workers of the back end.

    Raises
    ------
    OperationError
        If joblib knows no such back end.
    """

    def __init__(self, plan: DescriptionPlan, size: int | None, backend: str) -> None:
        self._plan = plan
        try:
            with parallel_config(backend=backend, n_jobs=size or -1):
                self.size = effective_n_jobs(size or -1)
        except (ValueError, ImportError) as error:
            raise OperationError(
                "The back end {0!r} cannot be used ({1}): use processes, threads, dask or a joblib back end.",
                backend,
                error,
            ) from error
        self._share: int | None = decoding_memory() // self.size
        self._executor = _JoblibExecutor(backend, self.size)

    def submit(self, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        """Submit a batch; see `PhotoExecutor.submit`."""
        return self._executor.submit(describe_within_limit, batch, self._plan, self._share)

    def continue_alone(self) -> None:
        """Give all the memory to one photo."""
        self._share = None

    def close(self) -> None:
        """Wait for the batches in progress."""
        self._executor.shutdown(wait=True, cancel_futures=True)


class _JoblibExecutor(Executor):
    """joblib.Parallel as an executor: a thread submits all pending calls together and sets results as they arrive."""

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
                calls = [first]
                while not self._waiting.empty():
                    if (more := self._waiting.get()) is None:
                        return
                    calls.append(more)
                self._run_calls(calls)

    def _run_calls(self, calls: list[tuple[Future[Any], Any]]) -> None:
        futures = iter([future for future, _ in calls])
        try:
            results = Parallel(return_as="generator", batch_size=1, pre_dispatch="all")(call for _, call in calls)
            for result in results:
                next(futures).set_result(result)
        except Exception as error:
            for future in futures:  # joblib does not tell which call raised
                future.set_exception(error)
