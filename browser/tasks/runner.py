# SPDX-License-Identifier: MIT
"""All background work: three types of lanes whose results arrive on the main thread.

write
    Actions of the user. Strictly in order, never dropped, finished before the program ends.
read
    Queries to the library. The latest request of a channel wins; stale answers are dropped on arrival. Queries for
    secondary information have separate threads, which wait until the window has shown the primary information.
compute
    Indexing, training, suggesting: generator jobs with progress, paused or cancelled at a yield. Jobs of one lane run
    one after the other; different lanes run concurrently.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.lazy_imports import ask_before_executing
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.tasks.garbage import MainThreadGarbage
from focal_photos.browser.tasks.lanes import JobCancelledError, JobLane, JobRun, ReadLane, WriteLane
from focal_photos.browser.tasks.main_thread import MainThreadPriority
from focal_photos.browser.tasks.messages import in_words
from focal_photos.learners.core.learner.base import LearnerError

log = logging.getLogger(__name__)

T = TypeVar("T")

LONG_SECONDS = 0.004
"""Seconds of delivering results after which the window processes its events first."""

REPORT_MILLISECONDS = 80
"""Interval between progress reports."""

SHUTDOWN_SECONDS = 30.0
"""Longest time that `Runner.close` waits for a running query or the current step of a job."""


class TaskStatus(StrEnum):
    """Status of a task."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class TaskState:
    """A compute task as shown to the user."""

    number: int
    """Identity within the runner."""
    title: str
    """Description such as "Indexing photos"."""
    status: TaskStatus = TaskStatus.WAITING
    progress: Progress | None = None
    """The latest report; None before the first."""
    paused: bool = False
    """Whether it is paused at a yield, or will be at the next."""


@dataclass(frozen=True)
class Failure:
    """An error to show: what was attempted, and a message with the cause and remedy."""

    attempt: str
    message: str


def describe(error: BaseException) -> str:
    """Return an error as one line for the user; unexpected errors are logged with their traceback."""
    if isinstance(error, (LibraryError, OperationError, LearnerError, OSError)):
        return " ".join(in_words(str(error)).split()) or type(error).__name__
    log.error("Unexpected error in a background lane.", exc_info=error)
    return f"An unexpected error: {type(error).__name__}: {error}"


class _Mailbox(QObject):
    """Transfers calls from any thread to the main thread, in order.

    After long calls, the window first handles keys, the pointer and painting. Qt alone would execute all queued calls
    before it paints.
    """

    letter = Signal(object)

    def __init__(self, parent: QObject, priority: MainThreadPriority) -> None:
        super().__init__(parent)
        self._priority = priority
        self._waiting: deque[Callable[[], None]] = deque()
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._open)
        self.letter.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def _take(self, call: Callable[[], None]) -> None:
        self._waiting.append(call)
        if not self._next.isActive():
            self._next.start()
        self._priority.take()  # last: it starts a timer, which must come after the one above

    def _open(self) -> None:
        self._priority.take()
        begin = time.monotonic()
        while self._waiting:  # at least one call, even if this begins late; otherwise nothing would continue
            call = self._waiting.popleft()
            if self._waiting:  # before the call, which may show a dialog and return only when that is closed
                self._next.start()
            call()
            if time.monotonic() - begin >= LONG_SECONDS:
                break
        if self._waiting:
            self._priority.take()  # again, after starting the timer


class Runner(QObject):
    """Runs background work and delivers results on the thread it belongs to (the main thread)."""

    task_changed = Signal(object)
    """A compute task started, progressed, paused or ended (TaskState)."""
    failed = Signal(object)
    """An error that no caller handled (Failure)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.priority = MainThreadPriority(self)
        """Makes pictures, steps of jobs and secondary queries wait while the main thread is busy."""
        self._garbage = MainThreadGarbage(self)
        self._stop_asking = ask_before_executing(self.priority.wait)
        self._mailbox = _Mailbox(self, self.priority)
        self._write = WriteLane("focal-write")
        self._read = ReadLane("focal-read")  # never waits, because the user waits for its answers
        self._aside = ReadLane("focal-aside", pause=self.priority.wait)
        self._compute: dict[str, JobLane] = {}
        self._runs: dict[int, JobRun] = {}
        self._states: dict[int, TaskState] = {}
        self._tokens: dict[str, int] = {}
        self._numbers = itertools.count(1)
        self._reports: dict[int, Progress] = {}
        self._reports_due = QTimer(self, singleShot=True, interval=REPORT_MILLISECONDS)
        self._reports_due.timeout.connect(self._take_reports)
        self._undelivered = 0
        self._closed = False

    # ------------------------------------------------------------------ write
    def write(
        self,
        attempt: str,
        function: Callable[[], T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[Exception], bool] | None = None,
    ) -> None:
        """Queue an action of the user.

        Parameters
        ----------
        attempt : str
            Description for the error message, such as "Tagging".
        function : callable
            Runs in the write lane.
        done : callable, optional
            Called with the result on the main thread.
        failed : callable, optional
            Called with the error on the main thread; returns True if it handled the error.
        """
        self._write.put(function, self._answer(attempt, done, failed))

    # ------------------------------------------------------------------ read
    def read(
        self,
        channel: str,
        function: Callable[[], T],
        done: Callable[[T], None],
        attempt: str = "Reading the library",
        failed: Callable[[Exception], bool] | None = None,
        *,
        aside: bool = False,
    ) -> None:
        """Query the library; a later request on the same `channel` makes this one stale.

        Parameters
        ----------
        function : callable
            Runs in the read lane.
        done, attempt, failed
            As in `write`.
        aside : bool
            Whether the answer is secondary: it is computed after the window has shown the primary information.
        """
        token = self._tokens[channel] = self._tokens.get(channel, 0) + 1

        def current() -> bool:
            return self._tokens[channel] == token

        answer = self._answer(attempt, done, failed, current)
        self._undelivered -= (self._aside if aside else self._read).put(channel, function, answer)

    def forget(self, channel: str) -> None:
        """Make the last request of a channel stale, so that its answer is dropped."""
        self._tokens[channel] = self._tokens.get(channel, 0) + 1

    # ------------------------------------------------------------------ compute
    def start(
        self,
        title: str,
        make: Callable[[], Job[T]],
        done: Callable[[T], None] | None = None,
        failed: Callable[[Exception], bool] | None = None,
        cancelled: Callable[[], None] | None = None,
        *,
        lane: str = "compute",
    ) -> int:
        """Queue a job and return its number.

        Parameters
        ----------
        title : str
            Description for the user, such as "Indexing photos".
        make : callable
            Returns the generator; called in the lane's thread.
        done, failed : callable, optional
            As in `write`; neither is called for a cancelled job.
        cancelled : callable, optional
            Called on the main thread instead if the job is cancelled; the user can cancel any job.
        lane : str
            Jobs with the same lane name run one after the other.

        Raises
        ------
        RuntimeError
            After `close`.
        """
        if self._closed:  # a new lane would never end
            raise RuntimeError("The runner is closed.")
        number = next(self._numbers)
        self._states[number] = TaskState(number, title)

        def report(progress: Progress) -> None:
            # Only the latest report counts; the main thread reads it when the timer is due.
            due, self._reports[number] = number in self._reports, progress
            if not due:
                self._post(self._reports_due.start)

        def answer(result: Any, error: BaseException | None) -> None:
            self._post(lambda: self._ended(number, result, error, done, failed, cancelled))

        def begin() -> Job[T]:
            self._post(lambda: self._begun(number))
            return make()

        run = self._runs[number] = JobRun(begin, report, answer)
        if lane not in self._compute:
            self._compute[lane] = JobLane(f"focal-{lane}", self.priority.wait)
        self.task_changed.emit(self._states[number])
        self._compute[lane].put(run)
        return number

    def tasks(self) -> list[TaskState]:
        """Return the unfinished tasks, oldest first."""
        return list(self._states.values())

    def cancel(self, number: int) -> None:
        """End a task at its next yield; its completed work remains."""
        if number in self._runs:
            self._runs[number].cancel()

    def pause(self, number: int, paused: bool = True) -> None:
        """Pause a task at its next yield, or continue it."""
        if number in self._runs and not self._runs[number].cancelled.is_set():
            event = self._runs[number].unpaused
            if paused:
                event.clear()
            else:
                event.set()
            self._change(number, paused=paused)

    # ------------------------------------------------------------------ closing
    @property
    def idle(self) -> bool:
        """Whether nothing is queued, running or undelivered."""
        if self._undelivered or self._states:
            return False
        if not (self._write.idle and self._read.idle and self._aside.idle):
            return False
        return all(lane.idle for lane in self._compute.values())

    def close(self) -> None:
        """Cancel jobs, drop queries, finish the user's actions, and end all threads; deliver nothing afterwards."""
        if self._closed:
            return
        self._closed = True
        self._stop_asking()
        self._reports_due.stop()
        self._read.close(SHUTDOWN_SECONDS)
        self._aside.close(SHUTDOWN_SECONDS)
        for lane in self._compute.values():
            lane.close(SHUTDOWN_SECONDS)
        self._write.close()
        self._garbage.close()

    # ------------------------------------------------------------------ delivery
    def _post(self, call: Callable[[], None]) -> None:
        if not self._closed:
            self._mailbox.letter.emit(call)

    def _answer(
        self,
        attempt: str,
        done: Callable[[T], None] | None,
        failed: Callable[[Exception], bool] | None,
        current: Callable[[], bool] = lambda: True,
    ) -> Callable[[Any, BaseException | None], None]:
        self._undelivered += 1

        def deliver(result: Any, error: BaseException | None) -> None:
            self._undelivered -= 1
            if not self._closed and current():
                self._deliver(attempt, result, error, done, failed)

        def answer(result: Any, error: BaseException | None) -> None:
            if self._closed and error is not None:
                log.error("%s failed while the program ended: %s", attempt, describe(error))
            self._post(lambda: deliver(result, error))

        return answer

    def _deliver(
        self,
        attempt: str,
        result: Any,
        error: BaseException | None,
        done: Callable[[Any], None] | None,
        failed: Callable[[Exception], bool] | None,
    ) -> None:
        if error is None:
            if done is not None:
                done(result)
        elif not (failed is not None and isinstance(error, Exception) and failed(error)):
            self.failed.emit(Failure(attempt, describe(error)))

    def _begun(self, number: int) -> None:
        if not self._closed and number in self._states:
            self._change(number, status=TaskStatus.RUNNING)

    def _take_reports(self) -> None:
        for number in list(self._reports):
            progress = self._reports.pop(number)
            if number in self._states and not self._closed:
                self._change(number, progress=progress)

    def _ended(
        self,
        number: int,
        result: Any,
        error: BaseException | None,
        done: Callable[[Any], None] | None,
        failed: Callable[[Exception], bool] | None,
        cancelled: Callable[[], None] | None,
    ) -> None:
        if self._closed:
            return
        status = TaskStatus.DONE if error is None else TaskStatus.FAILED
        if isinstance(error, JobCancelledError):
            status = TaskStatus.CANCELLED
        state = self._states.pop(number)
        state = replace(state, status=status, progress=self._reports.pop(number, state.progress))
        del self._runs[number]
        self.task_changed.emit(state)
        if status is not TaskStatus.CANCELLED:
            self._deliver(state.title, result, error, done, failed)
        elif cancelled is not None:
            cancelled()

    def _change(self, number: int, **changes: Any) -> None:
        self._states[number] = replace(self._states[number], **changes)
        self.task_changed.emit(self._states[number])
