# SPDX-License-Identifier: MIT
"""Pool of worker processes: a crash or hang in one of them ends that call and nothing else.

Existing libraries do not survive a process that is killed or stopped while starting: with a setup of 450 kB, joblib's
loky and Pebble 5.2 then hang. loky also has no time limit for calls, and one death breaks all its processes. Speed is
no reason to change: 31 small photos per second here, 23 with loky and with Pebble; a trivial task takes 140, 140 and 70
microseconds (measured on a busy machine).
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.idle_processes import idle_processes
from focal_photos.browser.operations.workers.memory import usable_memory
from focal_photos.browser.operations.workers.watchdog import Cancellation, Watchdog
from focal_photos.browser.operations.workers.worker_main import RETURNED
from focal_photos.browser.operations.workers.worker_process import (
    CancelledError,
    EndedProcessError,
    ProcessSettings,
    StartError,
    TookTooLongError,
    WorkerProcess,
    packed_setup,
)
from focal_photos.features.decoding.limits import ImageError, ImageTooLargeError

SECONDS: Final = 60.0
"""Default time limit of a call in seconds."""

_STARTS: Final = 3  # consecutive processes that may die while starting
_CANCEL_INTERVAL: Final = 0.05  # seconds between checks whether a waiting call was cancelled

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Importable(Protocol[T_co]):
    """A function that another process can import by name."""

    def __call__(self, *args: Any, **options: Any) -> T_co:
        """Call it."""


class ProcessPool:
    """Up to `size` worker processes. Thread-safe.

    A process is started when a call finds all others busy, and stays. Processes that died, or were killed because a
    call took too long, are replaced at the next call. All end with the pool, except those left to later pools
    (`leave`), and with this program even if it is killed.

    Parameters
    ----------
    memory : int, optional
        Maximum bytes per process; default: three quarters of the machine's memory.
    setup : tuple of (callable, tuple), optional
        See `browser.operations.workers.worker_process.ProcessSettings`; pickled here once.
    background : bool
        See `ProcessSettings`.
    reuse_idle : bool
        Whether idle processes of earlier pools are reused.
    """

    def __init__(
        self,
        size: int = 2,
        memory: int | None = None,
        *,
        setup: tuple[Callable[..., None], tuple[Any, ...]] | None = None,
        background: bool = False,
        reuse_idle: bool = False,
    ) -> None:
        self._size, self._reuses_idle = size, reuse_idle
        self._settings = ProcessSettings(usable_memory() if memory is None else memory, setup, background)
        self._setup, self._setup_request = packed_setup(self._settings), _setup_request(self._settings)
        self._watchdog = Watchdog()
        self._changed = threading.Condition()  # its lock is reentrant
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._closed = False

    def set_up(self, setup: tuple[Callable[..., None], tuple[Any, ...]]) -> None:
        """Change the setup of all processes, applied before their next call; no call may be active."""
        settings = replace(self._settings, setup=setup)
        with self._changed:
            self._settings, self._setup = settings, packed_setup(settings)
            self._setup_request = _setup_request(settings)

    def warm_up(self) -> None:
        """Start a process if there is none, without waiting for it."""
        with suppress(OperationError), self._changed:
            if not self._closed and not any(process.alive for process in self._all):
                self._give_back(self._take(None))

    def call(
        self,
        function: Importable[T_co],
        *args: Any,
        seconds: float = SECONDS,
        cancelled: Cancellation | None = None,
        **options: Any,
    ) -> T_co:
        """Return ``function(*args, **options)``, computed in a process.

        Arguments and result are pickled; large arrays in the result are copied only through the pipe. If the process
        dies, the call is repeated once, because the cause may have been elsewhere, such as lack of memory.

        Parameters
        ----------
        function : callable
            Importable by name.
        seconds : float
            Time after which the process is killed, without the time spent waiting for a process or its start.
        cancelled : Cancellation, optional
            Ends the call early, together with the process.

        Raises
        ------
        EndedProcessError
            If the process died, and a second one too.
        TookTooLongError
            If the time limit was exceeded.
        CancelledError
            If the call was cancelled, or the pool was closed or interrupted.
        OperationError
            If no process can be started.
        Exception
            Exceptions of the function.
        """
        request = pickle.dumps((function, [args], options, seconds), protocol=5)
        try:
            (result,) = self._results(request, 1, seconds, cancelled)
        except EndedProcessError:
            (result,) = self._results(request, 1, seconds, cancelled)
        return result  # type: ignore[no-any-return]

    def call_each(
        self, function: Importable[T], items: Sequence[Any], *, seconds: float = SECONDS
    ) -> list[T | ImageError]:
        """Call a function of one argument for each item, in one process as long as that lives.

        Parameters
        ----------
        function : callable
            Importable by name.
        seconds : float
            Time limit per item.

        Returns
        -------
        list
            Result for each item, or the `EndedProcessError`, `TookTooLongError` or `ImageTooLargeError` if the item
            killed its process, took too long or lacked memory. Later items then use another process.

        Raises
        ------
        CancelledError, OperationError, Exception
            As for `call`.
        """
        results: list[T | ImageError] = []
        while len(results) < len(items):
            rest = [(item,) for item in items[len(results) :]]
            request = pickle.dumps((function, rest, {}, seconds), protocol=5)
            try:
                with closing(self._results(request, len(rest), seconds, None)) as found:
                    results.extend(found)
            except (EndedProcessError, TookTooLongError, ImageTooLargeError) as error:
                results.append(error)
        return results

    def interrupt(self) -> None:
        """End active calls with `CancelledError`; later calls start new processes."""
        with self._changed:
            for process in self._all.difference(self._idle):
                process.interrupt()

    def release(self) -> None:
        """End all processes to free their memory, and active calls with `CancelledError`; later calls start new ones.

        Idle processes of earlier pools end too.
        """
        with self._changed:
            self._end_all()
        idle_processes().end()

    def close(self) -> None:
        """End all processes, and active calls with `CancelledError`. May be called repeatedly."""
        with self._changed:
            self._closed = True
            self._end_all()
            self._changed.notify_all()

    def leave(self) -> None:
        """Close, but leave idle processes to later pools for a while (`idle_processes`).

        Only allowed if calls leave no state except the setup, which is repeated.
        """
        with self._changed:
            left, self._idle = self._idle, []
            self._all.difference_update(left)
            self.close()
        idle_processes().keep(left, self._settings)

    @property
    def pids(self) -> list[int]:
        """Ids of all processes."""
        with self._changed:
            return [process.pid for process in self._all]

    def _results(
        self, request: bytes, count: int, seconds: float, cancelled: Cancellation | None
    ) -> Generator[Any, None, None]:
        """Yield the result of each call of a request; raise its exceptions."""
        process = self._take_ready(cancelled)
        try:
            with closing(process.answers(request, count, seconds, cancelled)) as answers:
                for kind, value in answers:
                    if kind != RETURNED:
                        raise value
                    yield value
        finally:
            self._give_back(process)

    def _take_ready(self, cancelled: Cancellation | None) -> WorkerProcess:
        for attempt in range(_STARTS):
            process = self._take(cancelled)
            try:
                process.wait_until_ready(cancelled)
                if process.setup is not self._setup:
                    process.set_up_again(self._setup, self._setup_request, cancelled)
                return process
            except BaseException as error:
                self._give_back(process)
                if not isinstance(error, StartError) or attempt == _STARTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")  # pragma: no cover - as it says

    def _take(self, cancelled: Cancellation | None) -> WorkerProcess:
        with self._changed:
            while True:
                if self._closed or (cancelled is not None and cancelled.is_set()):
                    raise CancelledError("The photo is no longer wanted.")
                while self._idle:
                    process = self._idle.pop()
                    if process.alive:
                        return process
                    self._drop(process)
                if len(self._all) < self._size:
                    process = self._idle_one() or WorkerProcess(self._settings, self._setup, self._watchdog)
                    self._all.add(process)
                    return process
                self._changed.wait(_CANCEL_INTERVAL)

    def _give_back(self, process: WorkerProcess) -> None:
        with self._changed:
            if process.alive and not self._closed:
                self._idle.append(process)
            else:
                self._drop(process)
            self._changed.notify()

    def _idle_one(self) -> WorkerProcess | None:
        return idle_processes().take(self._settings) if self._reuses_idle else None

    def _end_all(self) -> None:
        self.interrupt()
        while self._idle:
            self._drop(self._idle.pop())

    def _drop(self, process: WorkerProcess) -> None:
        self._all.discard(process)
        process.end()


@contextmanager
def leaving(pool: ProcessPool) -> Iterator[ProcessPool]:
    """Leave the processes of a pool to later ones at the end of the block, in any case (`ProcessPool.leave`)."""
    try:
        yield pool
    finally:
        pool.leave()


def _nothing() -> None:
    """Do nothing: the setup of a reused process that needs none."""


def _setup_request(settings: ProcessSettings) -> bytes:
    """Return the setup as a request for a process that had another setup."""
    function, arguments = settings.setup or (_nothing, ())
    return pickle.dumps((function, [arguments], {}, SECONDS), protocol=5)
