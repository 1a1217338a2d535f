"""Blocking computations in threads: one that can report, be waited for and be cancelled, or many on all cores."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from itertools import islice
from typing import Final, TypeVar

from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.turn import my_turn

T = TypeVar("T")
Part = TypeVar("Part")

_HEARTBEAT: Final = 0.1  # seconds between two looks at the computation
_PATIENCE: Final = 0.3  # seconds for a computation that nothing is lost with to end by itself
_STEPS: Final = 1000  # shares of 0..1 are reported as whole numbers


class _CancelledError(Exception):
    """Raised in the computation, out of its own report of progress."""


_left: Final[set[threading.Thread]] = set()


def left_running() -> bool:
    """Return whether computations whose jobs were closed are still running.

    They hold nothing that could be lost. A program that ends meanwhile leaves through `os._exit`: what they compute
    with must not be taken down under them.
    """
    _left.difference_update([thread for thread in _left if not thread.is_alive()])
    return bool(_left)


def in_thread(stage: str, computation: Callable[[Callable[[float], None]], T], *, keeps: bool = True) -> Job[T]:
    """Run `computation` in a thread of its own.

    Parameters
    ----------
    stage : str
        What is being done, for a person.
    computation : callable
        Gets a function to call with the share done, 0..1; that raises once the job is closed, and returns when it is
        this work's turn.
    keeps : bool
        Whether it changes anything but what it returns. A job that is closed waits for such a computation; one that
        only works something out is left to itself, and ends the next time it reports.

    Yields
    ------
    Progress
        At least once, in thousandths; without a total until the computation has reported.

    Returns
    -------
    object
        What the computation returns; what it raises is raised.
    """
    share = 0.0
    cancelled = threading.Event()
    from concurrent.futures import Future  # here: it loads logging, and most commands begin no thread

    future: Future[T] = Future()
    turn = my_turn()

    def report(done: float) -> None:
        nonlocal share
        if cancelled.is_set():
            raise _CancelledError
        share = done
        turn()

    def work() -> None:
        try:
            future.set_result(computation(report))
        except BaseException as error:
            future.set_exception(error)

    thread = threading.Thread(target=work, name=stage, daemon=True)
    thread.start()
    try:
        while True:
            thread.join(_HEARTBEAT)
            # One that has said nothing yet, and may never, has no total: a bar at nought would look stuck.
            yield Progress(stage, round(share * _STEPS), _STEPS, is_share=True) if share else Progress(stage, 0)
            if not thread.is_alive():
                break
    finally:
        cancelled.set()
        thread.join(None if keeps else _PATIENCE)
        if thread.is_alive():
            _left.add(thread)
    return future.result()


def on_all_cores(work: Callable[[Part], T], parts: Sequence[Part]) -> Generator[T, None, None]:
    """Yield the results for parts of a whole in their order, working on one for each core at a time.

    Parameters
    ----------
    work : callable
        From a part to its result; what takes time in it lets other threads run. What it raises is raised here.
    parts : sequence

    Yields
    ------
    object
        What `work` returns. When this is closed, parts that are being worked on are waited for, and the others are
        left alone; results are not worked out far ahead of where they are taken.
    """
    threads = min(len(parts), os.cpu_count() or 1)
    if threads <= 1:
        yield from map(work, parts)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        left = iter(parts)
        waiting = deque(pool.submit(work, part) for part in islice(left, threads + 1))
        try:
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(work, part) for part in islice(left, 1))
                yield result
        finally:
            pool.shutdown(cancel_futures=True)
