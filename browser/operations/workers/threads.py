# SPDX-License-Identifier: MIT
"""Threads for work that consists mostly of matrix products, which release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

K = TypeVar("K")
T = TypeVar("T")

_AHEAD: Final = 2  # tasks submitted per core
_HEARTBEAT: Final = 0.2  # seconds after which an empty list is yielded without results


def available_cores() -> int:
    """Return the number of cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover - a system without affinity, such as macOS


def thread_pool() -> ThreadPoolExecutor:
    """Return a pool with one thread per core."""
    return ThreadPoolExecutor(available_cores(), thread_name_prefix="focal-threads")


def completed(tasks: Iterable[tuple[K, Callable[[], T]]]) -> Generator[list[tuple[K, T]], None, None]:
    """Run tasks in threads.

    Parameters
    ----------
    tasks : iterable of (key, callable)
        Consumed as threads become free.

    Yields
    ------
    list of (key, result)
        In order of completion; an empty list after some time without results. Closing the generator waits for the tasks
        in progress and drops the others. Exceptions of tasks are raised.
    """
    waiting = iter(tasks)
    running: dict[Future[T], K] = {}
    executor = thread_pool()
    try:
        while True:
            while len(running) < _AHEAD * available_cores() and (task := next(waiting, None)) is not None:
                running[executor.submit(task[1])] = task[0]
            if not running:
                return
            done, _ = wait(running, _HEARTBEAT, FIRST_COMPLETED)
            yield [(running.pop(future), future.result()) for future in done]
    finally:
        executor.shutdown(cancel_futures=True)
