# SPDX-License-Identifier: MIT
"""The three types of background lanes as plain threads, without Qt.

A lane reports by calling a given function from its own thread. `runner.Runner` transfers these calls to the main
thread.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from focal_photos.browser.operations.jobs.memory import release_memory
from focal_photos.browser.operations.jobs.pauses import at_once, pausing_by
from focal_photos.browser.operations.jobs.progress import Job, Progress

log = logging.getLogger(__name__)

_LONG_JOB_SECONDS: Final = 0.5
"""Seconds; after a longer job, unused memory is released."""

Answer = Callable[[Any, BaseException | None], None]
"""Called once, with (result, None) or (None, error)."""


class WriteLane:
    """Runs functions one after the other in the order of arrival; none is ever dropped."""

    def __init__(self, name: str) -> None:
        self._queue: deque[tuple[Callable[[], Any], Answer]] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._busy = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, function: Callable[[], Any], answer: Answer) -> None:
        """Queue `function`; raises RuntimeError after `close`."""
        with self._changed:
            if self._closing:
                raise RuntimeError("The write lane is closed.")
            self._queue.append((function, answer))
            self._changed.notify()

    @property
    def idle(self) -> bool:
        """Whether nothing is queued or running."""
        with self._changed:
            return not self._queue and not self._busy

    def close(self) -> None:
        """Finish all queued functions, then end the thread, so that no action of the user is lost."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                while not self._queue and not self._closing:
                    self._changed.wait()
                if not self._queue:
                    return
                function, answer = self._queue.popleft()
                self._busy = True
            _call(function, answer)


class ReadLane:
    """Runs functions by channel: a new request replaces the waiting one of the same channel.

    A running request cannot be stopped; its receiver must check whether the answer is stale. Channels are served in the
    order of their oldest waiting request. Before taking a request, a thread calls `pause`, which may wait.
    """

    def __init__(self, name: str, threads: int = 2, pause: Callable[[], None] = at_once) -> None:
        self._pause = pause
        self._waiting: OrderedDict[str, tuple[Callable[[], Any], Answer]] = OrderedDict()
        self._changed = threading.Condition()
        self._closing = False
        self._running = 0
        self._threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True) for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def put(self, channel: str, function: Callable[[], Any], answer: Answer) -> int:
        """Queue `function`, replacing the waiting request of its channel.

        Returns
        -------
        int
            Number of requests that will never be answered: 1 if one was replaced or the lane is closed, else 0.
        """
        with self._changed:
            if self._closing:
                return 1
            dropped = int(channel in self._waiting)
            self._waiting[channel] = (function, answer)
            self._changed.notify()
            return dropped

    @property
    def idle(self) -> bool:
        """Whether nothing is waiting or running."""
        with self._changed:
            return not self._waiting and not self._running

    def close(self, timeout: float) -> None:
        """Drop waiting requests and end the threads, waiting for at most `timeout` seconds."""
        with self._changed:
            self._closing = True
            self._waiting.clear()
            self._changed.notify_all()
        _join(self._threads, timeout)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closing:
                    self._changed.wait()
            self._pause()
            with self._changed:
                if self._closing:
                    return
                if not self._waiting:
                    continue  # another thread has taken the request
                _, (function, answer) = self._waiting.popitem(last=False)
                self._running += 1
            try:
                _call(function, answer)
            finally:
                with self._changed:
                    self._running -= 1


@dataclass(eq=False)
class JobRun:
    """A job in a `JobLane` with its control switches, which may be set from any thread."""

    make: Callable[[], Job[Any]]
    report: Callable[[Progress], None]
    answer: Answer
    cancelled: threading.Event = field(default_factory=threading.Event)
    unpaused: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.unpaused.set()

    def cancel(self) -> None:
        """End the job at its next yield."""
        self.cancelled.set()
        self.unpaused.set()


class JobCancelledError(Exception):
    """Passed to the answer of a cancelled job."""


class JobLane:
    """Runs generator jobs one at a time; they can pause, be cancelled and wait for `pause` at each yield."""

    def __init__(self, name: str, pause: Callable[[], None] = at_once) -> None:
        self._pause = pause
        self._queue: deque[JobRun] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._current: JobRun | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, run: JobRun) -> None:
        """Queue a job; raises RuntimeError after `close`."""
        with self._changed:
            if self._closing:
                raise RuntimeError("The compute lane is closed.")
            self._queue.append(run)
            self._changed.notify()

    @property
    def idle(self) -> bool:
        """Whether nothing is queued or running."""
        with self._changed:
            return not self._queue and self._current is None

    def close(self, timeout: float) -> None:
        """Cancel all jobs and end the thread, waiting for at most `timeout` seconds."""
        with self._changed:
            self._closing = True
            for run in [*self._queue, *([self._current] if self._current else [])]:
                run.cancel()
            self._changed.notify()
        _join([self._thread], timeout)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._current = None
                while not self._queue and not self._closing:
                    self._changed.wait()
                if not self._queue:
                    return
                run = self._current = self._queue.popleft()
            began = time.monotonic()
            with pausing_by(self._pause):
                _call(lambda run=run: self._drive(run), run.answer)  # type: ignore[misc]
            if time.monotonic() - began > _LONG_JOB_SECONDS:
                release_memory()

    def _drive(self, run: JobRun) -> Any:
        if run.cancelled.is_set():
            raise JobCancelledError
        job = run.make()
        try:
            while True:
                run.report(next(job))
                run.unpaused.wait()
                self._pause()
                if run.cancelled.is_set():
                    raise JobCancelledError
        except StopIteration as stop:
            return stop.value
        finally:
            job.close()


def _call(function: Callable[[], Any], answer: Answer) -> None:
    try:
        result = function()
    except Exception as error:
        answer(None, error)
    else:
        answer(result, None)


def _join(threads: list[threading.Thread], timeout: float) -> None:
    deadline = time.monotonic() + timeout
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
        frame = sys._current_frames().get(thread.ident or 0)
        if frame is not None:
            where = "".join(traceback.format_stack(frame))
            log.warning("The thread %s did not end within %.0f s. Its stack:\n%s", thread.name, timeout, where)
