"""Worker processes that calls take turns at: what kills or blocks one of them ends that call and nothing else.

This is the program's own because nothing else survives a process that is killed or stopped as it starts: with a setup
of 450 kB, joblib's loky and Pebble 5.2 then hang. Nor does loky limit the time of a call, and one death breaks all its
processes. Speed is no reason to change: of small photos 31 a second here, 23 with loky and with Pebble; a trivial task
takes 140, 140 and 70 microseconds (`tests/benchmarks/results/workers.md`, measured on a busy machine).
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.kept_processes import kept_processes
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
"""Time limit of a call, if not given."""

_STARTS: Final = 3  # processes that may die while they start, one after the other
_TURN: Final = 0.05  # seconds between two looks whether a call that waits for its turn was cancelled

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Importable(Protocol[T_co]):
    """A function that another process can import by its name."""

    def __call__(self, *args: Any, **options: Any) -> T_co:
        """Do it."""


class ProcessPool:
    """Up to `size` worker processes. Any thread may call.

    A process is started when a call finds all others busy, and kept. One that died, or was killed because its call took
    too long, is replaced at the next call. All end with the pool, but for those that are left to later ones (`leave`),
    and with this program even if that is killed.

    Parameters
    ----------
    size : int
    memory : int, optional
        Bytes that a process may take; three quarters of the machine's, if not given.
    setup : tuple of (callable, tuple), optional
        See `browser.operations.workers.worker_process.ProcessSettings`; pickled here, once.
    background : bool
        See there.
    kept : bool
        Whether it takes processes that earlier pools have left before it starts any.
    """

    def __init__(
        self,
        size: int = 2,
        memory: int | None = None,
        *,
        setup: tuple[Callable[..., None], tuple[Any, ...]] | None = None,
        background: bool = False,
        kept: bool = False,
    ) -> None:
        self._size, self._takes_kept = size, kept
        self._settings = ProcessSettings(usable_memory() if memory is None else memory, setup, background)
        self._setup, self._setup_request = packed_setup(self._settings), _setup_request(self._settings)
        self._watchdog = Watchdog()
        self._changed = threading.Condition()  # its lock may be taken again by who holds it
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._closed = False

    def set_up(self, setup: tuple[Callable[..., None], tuple[Any, ...]]) -> None:
        """Give all processes another setup, those that are there before their next call, while none has a call."""
        settings = replace(self._settings, setup=setup)
        with self._changed:
            self._settings, self._setup = settings, packed_setup(settings)
            self._setup_request = _setup_request(settings)

    def warm_up(self) -> None:
        """Start a process if there is none, and do not wait for it."""
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
        """Return ``function(*args, **options)``, worked out in a process.

        Arguments and result travel by pickle; large arrays of the result come without a copy beyond that through the
        pipe. A call whose process dies is tried once more: the process may have died of something else, its memory
        wanted elsewhere.

        Parameters
        ----------
        function : callable
            Importable by its name.
        seconds : float
            After so long the process is killed. The time in which the call waits for its turn, or for the start of a
            process, does not count.
        cancelled : Cancellation, optional
            Ends the call early, and the process with it.

        Raises
        ------
        EndedProcessError
            The process died, and a second one too.
        TookTooLongError
            The time is up.
        CancelledError
            The call was cancelled, or this was closed or interrupted.
        OperationError
            No process can be started.
        Exception
            Whatever the function raises.
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
            Importable by its name.
        items : sequence
        seconds : float
            For each item.

        Returns
        -------
        list
            What the function returned for each item; the `EndedProcessError`, `TookTooLongError` or
            `ImageTooLargeError` for one that killed its process, took too long or lacked memory. Those after it went
            on in another process.

        Raises
        ------
        CancelledError, OperationError, Exception
            As `call`.
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
        """End the calls that are being worked on with `CancelledError`; later ones start new processes."""
        with self._changed:
            for process in self._all.difference(self._idle):
                process.interrupt()

    def release(self) -> None:
        """End the processes, and calls with `CancelledError`, so that their memory is free; later ones start new.

        What earlier pools have left ends too.
        """
        with self._changed:
            self._end_all()
        kept_processes().end()

    def close(self) -> None:
        """End the processes and all calls, these with `CancelledError`. Twice does no harm."""
        with self._changed:
            self._closed = True
            self._end_all()
            self._changed.notify_all()

    def leave(self) -> None:
        """Close, and leave processes that have nothing to do to later pools, for a while (`kept_processes`).

        For who knows that nothing is left in them but what is set up again.
        """
        with self._changed:
            left, self._idle = self._idle, []
            self._all.difference_update(left)
            self.close()
        kept_processes().keep(left, self._settings)

    @property
    def pids(self) -> list[int]:
        """The processes that there are."""
        with self._changed:
            return [process.pid for process in self._all]

    def _results(
        self, request: bytes, count: int, seconds: float, cancelled: Cancellation | None
    ) -> Generator[Any, None, None]:
        """Yield what each call of a request returns; raise what one raises."""
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
                    process = self._kept_one() or WorkerProcess(self._settings, self._setup, self._watchdog)
                    self._all.add(process)
                    return process
                self._changed.wait(_TURN)

    def _give_back(self, process: WorkerProcess) -> None:
        with self._changed:
            if process.alive and not self._closed:
                self._idle.append(process)
            else:
                self._drop(process)
            self._changed.notify()

    def _kept_one(self) -> WorkerProcess | None:
        return kept_processes().take(self._settings) if self._takes_kept else None

    def _end_all(self) -> None:
        self.interrupt()
        while self._idle:
            self._drop(self._idle.pop())

    def _drop(self, process: WorkerProcess) -> None:
        self._all.discard(process)
        process.end()


@contextmanager
def leaving(pool: ProcessPool) -> Iterator[ProcessPool]:
    """Leave the processes of a pool to later ones at the end of the block, however that ends (`ProcessPool.leave`)."""
    try:
        yield pool
    finally:
        pool.leave()


def _nothing() -> None:
    """Do so where a process that was set up otherwise before needs no setup."""


def _setup_request(settings: ProcessSettings) -> bytes:
    """Return the setup as it is sent to a process that was set up otherwise before."""
    function, arguments = settings.setup or (_nothing, ())
    return pickle.dumps((function, [arguments], {}, SECONDS), protocol=5)
