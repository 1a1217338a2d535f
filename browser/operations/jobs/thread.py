"""Run a blocking computation in a thread, so that it can report, be waited for and be cancelled as a job."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

from browser.operations.jobs.progress import Job, Progress

T = TypeVar("T")

_HEARTBEAT: Final = 0.1  # seconds between two looks at the computation
_STEPS: Final = 1000  # shares of 0..1 are reported as whole numbers


class _CancelledError(Exception):
    """Raised in the computation, out of its own report of progress."""


def in_thread(stage: str, computation: Callable[[Callable[[float], None]], T]) -> Job[T]:
    """Run `computation` in a thread of its own.

    Parameters
    ----------
    stage : str
        What is being done, for a person.
    computation : callable
        Gets a function to call with the share done, 0..1; that raises once the job is closed.

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
    future: Future[T] = Future()

    def report(done: float) -> None:
        nonlocal share
        if cancelled.is_set():
            raise _CancelledError
        share = done

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
            yield Progress(stage, round(share * _STEPS), _STEPS) if share else Progress(stage, 0)
            if not thread.is_alive():
                break
    finally:
        cancelled.set()
        thread.join()
    return future.result()
