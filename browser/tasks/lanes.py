"""The three kinds of background lane as plain threads; they know nothing of Qt.

What a lane has to say it says by calling a function it was given, from its own thread. `runner.Runner` carries these
calls over to the main thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from focal_photos.browser.operations.jobs.hand_back import hand_back_memory
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.turn import at_once, waiting_by

log = logging.getLogger(__name__)

_LONG: Final = 0.5
"""Seconds from which on a job may have needed much memory."""

Answer = Callable[[Any, BaseException | None], None]
"""Called once with (result, None) or (None, error)."""


class WriteLane:
    """Runs functions one after the other in the order they came; none is ever dropped."""

    def __init__(self, name: str) -> None:
        self._queue: deque[tuple[Callable[[], Any], Answer]] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._busy = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, function: Callable[[], Any], answer: Answer) -> None:
        """Queue `function`; after `close` it is refused with RuntimeError."""
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
        """Finish everything that was queued, then end the thread: what a person did is never lost."""
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
    """Runs functions by channel: a newer request replaces the waiting one of the same channel.

    A request already running cannot be stopped; whoever asked checks on arrival whether the answer is stale.
    Channels are served in the order of their oldest waiting request. Before it takes one a thread calls `turn`, which
    may wait.
    """

    def __init__(self, name: str, threads: int = 2, turn: Callable[[], None] = at_once) -> None:
        self._turn = turn
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
        """Queue `function` in place of what waits in its channel.

        Returns
        -------
        int
            Number of requests that will now never be answered: 1 if one was replaced or the lane is closed, else 0.
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
        """Drop what waits and end the threads, waiting for at most `timeout` seconds."""
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
            self._turn()
            with self._changed:
                if self._closing:
                    return
                if not self._waiting:
                    continue  # another thread has taken it
                _, (function, answer) = self._waiting.popitem(last=False)
                self._running += 1
            try:
                _call(function, answer)
            finally:
                with self._changed:
                    self._running -= 1


@dataclass(eq=False)
class JobRun:
    """One job in a `JobLane` and the switches that steer it; the switches may be set from any thread."""

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
    """Given to the answer of a job that was cancelled."""


class JobLane:
    """Runs generator jobs one at a time; each is paused or cancelled at its next yield, where `turn` may wait."""

    def __init__(self, name: str, turn: Callable[[], None] = at_once) -> None:
        self._turn = turn
        self._queue: deque[JobRun] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._current: JobRun | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, run: JobRun) -> None:
        """Queue a job; after `close` it is refused with RuntimeError."""
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
        """Cancel everything and end the thread, waiting for at most `timeout` seconds."""
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
            with waiting_by(self._turn):
                _call(lambda run=run: self._drive(run), run.answer)  # type: ignore[misc]
            if time.monotonic() - began > _LONG:
                hand_back_memory()

    def _drive(self, run: JobRun) -> Any:
        if run.cancelled.is_set():
            raise JobCancelledError
        job = run.make()
        try:
            while True:
                run.report(next(job))
                run.unpaused.wait()
                self._turn()
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
        if thread.is_alive():
            log.warning("The thread %s did not end within %.0f s.", thread.name, timeout)
