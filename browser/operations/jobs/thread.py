# SPDX-License-Identifier: MIT
"""Blocking computations in threads: one with progress and cancellation, or many on all cores."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent import futures
from itertools import islice
from typing import Final, TypeVar

from focal_photos.browser.operations.jobs.pauses import job_pause
from focal_photos.browser.operations.jobs.progress import Job, Progress

T = TypeVar("T")
Part = TypeVar("Part")

_HEARTBEAT: Final = 0.1  # seconds between checks of the computation
_END_WAIT: Final = 0.3  # seconds to wait for the end of a computation without side effects
_STEPS: Final = 1000  # shares 0..1 are reported as integers


class _CancelledError(Exception):
    """Raised inside the computation when it reports progress after cancellation."""


_left: Final[set[threading.Event]] = set()  # set when an abandoned computation ends


def left_running() -> bool:
    """Return whether computations of closed jobs are still running.

    They hold no unsaved results. If the program ends meanwhile, it must use `os._exit`, so that nothing they use is
    destroyed.
    """
    _left.difference_update([ended for ended in _left if ended.is_set()])
    return bool(_left)


def in_thread(stage: str, computation: Callable[[Callable[[float], None]], T], *, keeps: bool = True) -> Job[T]:
    """Run `computation` in a separate thread.

    Parameters
    ----------
    computation : callable
        Receives a function to call with the completed share, 0..1. The function raises once the job is closed, and
        waits for the thread's time slice (`pause`).
    keeps : bool
        Whether the computation has side effects. Closing a job waits for such a computation; one without side effects
        is abandoned and ends at its next report.

    Yields
    ------
    Progress
        At least once, in thousandths; without a total until the computation has reported.

    Returns
    -------
    object
        Result of the computation; its exceptions are raised.
    """
    share = 0.0
    # Not Thread.join and is_alive: if a signal interrupts join, Python 3.11 takes the running thread for an ended one.
    cancelled, ended = threading.Event(), threading.Event()

    future: futures.Future[T] = futures.Future()
    pause = job_pause()

    def report(done: float) -> None:
        nonlocal share
        if cancelled.is_set():
            raise _CancelledError
        share = done
        pause()

    def work() -> None:
        try:
            future.set_result(computation(report))
        except BaseException as error:
            future.set_exception(error)
        ended.set()

    thread = threading.Thread(target=work, name=stage, daemon=True)
    thread.start()
    try:
        while True:
            ended.wait(_HEARTBEAT)
            # A computation that has not reported, and may never, has no total: a bar at 0 would look stuck.
            yield Progress(stage, round(share * _STEPS), _STEPS, is_share=True) if share else Progress(stage, 0)
            if ended.is_set():
                break
    finally:
        cancelled.set()
        _left.add(ended)  # remains if another interruption ends the waiting
        if ended.wait(None if keeps else _END_WAIT):
            thread.join()
            _left.discard(ended)
    return future.result()


def on_all_cores(work: Callable[[Part], T], parts: Sequence[Part]) -> Generator[T, None, None]:
    """Yield the results for parts of a whole in order, using all cores.

    Parameters
    ----------
    work : callable
        Computes the result of a part; should release the GIL. Its exceptions are raised.

    Yields
    ------
    object
        Results of `work`, computed only slightly ahead. Closing the generator waits for the parts in progress and drops
        the others.
    """
    threads = min(len(parts), os.cpu_count() or 1)
    if threads <= 1:
        yield from map(work, parts)
        return

    with futures.ThreadPoolExecutor(threads) as pool:
        left = iter(parts)
        waiting = deque(pool.submit(work, part) for part in islice(left, threads + 1))
        try:
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(work, part) for part in islice(left, 1))
                yield result
        finally:
            pool.shutdown(cancel_futures=True)
