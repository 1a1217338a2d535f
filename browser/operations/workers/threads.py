"""Threads that share work that is mostly matrix products: these let others work meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

K = TypeVar("K")
T = TypeVar("T")

_AHEAD: Final = 2  # tasks handed out for each core
_HEARTBEAT: Final = 0.2  # seconds after which an empty list is yielded when there was no result


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover - a system without affinity, such as macOS


def thread_pool() -> ThreadPoolExecutor:
    """Return one thread for each core."""
    return ThreadPoolExecutor(available_cores(), thread_name_prefix="focal-threads")


def completed(tasks: Iterable[tuple[K, Callable[[], T]]]) -> Generator[list[tuple[K, T]], None, None]:
    """Do tasks in threads.

    Parameters
    ----------
    tasks : iterable of (key, callable)
        Taken as threads get free.

    Yields
    ------
    list of (key, result)
        As they are ready; an empty list where nothing was ready for a while. Closing the generator waits for those
        that were begun, and begins no more. What a task raises is raised.
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
