# SPDX-License-Identifier: MIT
"""A worker process as seen by its parent: start, calls and end."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import focal_photos
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.channel import enlarge_buffer, receive, send
from focal_photos.browser.operations.workers.frozen import IS_WORKER, WORKER, is_frozen
from focal_photos.browser.operations.workers.watchdog import Cancellation, Watchdog
from focal_photos.browser.operations.workers.worker_main import RETURNED, UNREADABLE
from focal_photos.features.decoding.limits import UnreadableImageError

START_SECONDS: Final = 60.0
"""Time limit in seconds for the start of a process, including its setup."""

WORKER_ENVIRONMENT: Final = {
    # One thread per process: there are as many processes as cores.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONFAULTHANDLER": "",
    # By default, the GNU allocator returns the memory of one photo's filter responses to the system and requests it
    # again page by page for the next photo: that takes as long as the transforms. Let it retain up to 32 MB.
    "MALLOC_MMAP_THRESHOLD_": str(16 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(32 << 20),
}
"""Environment variables of worker processes."""

_TOO_SLOW: Final = f"they were not ready within {START_SECONDS:g} seconds: close other programs and try again"
_INSTALL_AGAIN: Final = "start Focal again, and if that does not help install it again"
_SIGNS_OF_MEMORY: Final = ("MemoryError", "Cannot allocate memory", "failed to map segment", "can't start new thread")
_MOST_SAID: Final = 1 << 16  # maximum bytes read from its messages
_LONGEST_LINE: Final = 400  # maximum characters of a line in a message

_END_SECONDS: Final = 5.0  # seconds to wait for the end of a killed process; one that hangs in disk access is left


class EndedProcessError(UnreadableImageError):
    """Decoding ended the process: out of memory, or a fault in the decoder."""

    killed = False
    """Whether it was killed from outside, as the system does when memory is short."""


class TookTooLongError(UnreadableImageError):
    """Decoding exceeded the time limit."""


class CancelledError(OperationError):
    """The call was cancelled, or the program is about to end."""


class StartError(OperationError):
    """A process cannot be started, or ended or hung while starting."""


@dataclass(frozen=True)
class ProcessSettings:
    """Settings for starting the processes of a pool."""

    memory: int
    """Maximum bytes per process, if the system can enforce it."""
    setup: tuple[Callable[..., None], tuple[Any, ...]] | None = None
    """A function, importable by name, and its arguments; called in each process before other calls."""
    background: bool = False
    """Whether it yields priority to the user's work."""


class WorkerProcess:
    """One process, used by one thread at a time; only `interrupt` may be called from others.

    Raises
    ------
    StartError
        If the system cannot start a process.
    """

    def __init__(self, settings: ProcessSettings, setup: bytes, watchdog: Watchdog) -> None:
        self._said = _place_for_errors()
        try:
            self._process = _start(settings, self._said)
        except OSError as error:
            self._close_said()
            raise _start_error(_why_not_begun(error)) from error
        if self._process.stdin is None or self._process.stdout is None:  # pragma: no cover - for the types
            raise RuntimeError("Popen gave no pipes.")
        self._to, self._from = self._process.stdin, self._process.stdout
        self.setup, self._watchdog = setup, watchdog
        self._ready = self._broken = False
        self.interrupted = False
        enlarge_buffer(self._from)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can take calls."""
        return not self._broken and self._process.poll() is None

    @property
    def untouched(self) -> bool:
        """Whether it is as good as new: its start and all its calls were completed."""
        return self._ready and not self.interrupted and self.alive

    def wait_until_ready(self, cancelled: Cancellation | None) -> None:
        """Wait for the end of the start, if it has not ended yet.

        The setup is sent through the pipe, which may block until the process reads. If the process dies or hangs
        before, the watchdog kills it and writing fails, because no other process holds the reading end.

        Raises
        ------
        StartError
            If it ended or took too long.
        CancelledError
        """
        if self._ready:
            return
        with self._watchdog.limit(self.kill, START_SECONDS, cancelled) as limit:
            try:
                send(self._to, self.setup, [])
                receive(self._from)
                self._ready = True
                self._close_said()
            except (OSError, EOFError) as error:
                self._broken = True
                self._check_wanted(limit.is_cancelled)
                raise _start_error(_TOO_SLOW if limit.is_late else self._why_ended()) from error
            except BaseException:
                self._broken = True
                raise

    def set_up_again(self, setup: bytes, request: bytes, cancelled: Cancellation | None) -> None:
        """Replace the setup of a process without active calls; raises StartError and CancelledError.

        `setup` is the result of `packed_setup`, and `request` the same as a request with one call.
        """
        try:
            with closing(self.answers(request, 1, START_SECONDS, cancelled)) as answers:
                found = list(answers)
        except TookTooLongError as error:
            raise _start_error(_TOO_SLOW) from error
        except EndedProcessError as error:
            raise _start_error(self._why_ended()) from error
        [(kind, value)] = found
        if kind != RETURNED:
            self._broken = True
            raise _start_error(f"{value or type(value).__name__} ({_INSTALL_AGAIN})") from None
        self.setup = setup

    def answers(
        self, request: bytes, count: int, seconds: float, cancelled: Cancellation | None
    ) -> Generator[tuple[str, Any], None, None]:
        """Yield the answer to each call of a request; see `browser.operations.workers.worker_main.serve`.

        Parameters
        ----------
        seconds : float
            Time limit of each call.

        Raises
        ------
        EndedProcessError, TookTooLongError, CancelledError
            For the first call without an answer; no more answers follow. An answer at the very end of its time is
            accepted, and may be the last.
        """
        received = 0
        try:
            with self._watchdog.limit(self.kill, seconds, cancelled) as limit:
                try:
                    send(self._to, request, [])
                    while received < count:
                        kind, value = receive(self._from)
                        limit.restart()
                        received = count if kind == UNREADABLE else received + 1
                        yield kind, value
                        if limit.is_late and received < count:
                            return  # killed at the moment of its answer: the next call is not at fault
                except GeneratorExit:
                    raise
                except Exception as error:  # it died, or its answer is invalid
                    self._check_wanted(limit.is_cancelled)
                    if limit.is_late:
                        raise TookTooLongError("Its decoding took longer than {0:g} seconds.", seconds) from None
                    message = Text("Decoding it ended the process (out of memory, or the decoder crashed).")
                    ended = EndedProcessError(message)
                    ended.killed = self._was_killed()
                    raise ended from error
        finally:
            # The rest of an incomplete conversation would remain in the pipe.
            self._broken = self._broken or received < count

    def interrupt(self) -> None:
        """Kill it, so that its call ends with `CancelledError`."""
        self.interrupted = True
        self.kill()

    def kill(self) -> None:
        """Kill it without waiting."""
        with suppress(OSError):
            self._process.kill()

    def end(self) -> None:
        """Kill it and release its resources."""
        self.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        for stream in (self._to, self._from):
            with suppress(OSError):
                stream.close()
        self._close_said()

    def _why_ended(self) -> str:
        """Return why the process ended while starting, if known."""
        with suppress(subprocess.TimeoutExpired):  # its pipes are closed: it is about to end
            self._process.wait(_END_SECONDS)
        said = ""
        if self._said is not None:
            with suppress(OSError):
                self._said.seek(0)
                said = self._said.read(_MOST_SAID).decode(errors="replace")
        return _why_ended(self._process.returncode, said)

    def _was_killed(self) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        return self._process.returncode == -getattr(signal, "SIGKILL", 0) != 0

    def _close_said(self) -> None:
        if self._said is not None:
            self._said.close()
            self._said = None

    def _check_wanted(self, cancelled: bool) -> None:
        if cancelled or self.interrupted:
            raise CancelledError("The photo is no longer wanted.") from None


def packed_setup(settings: ProcessSettings) -> bytes:
    """Return the setup in the form sent to each process."""
    return pickle.dumps(settings.setup, protocol=5)


def _start(settings: ProcessSettings, said: IO[bytes] | None) -> subprocess.Popen[bytes]:
    """Start a process that runs `browser.operations.workers.worker_main.serve`; the only place that does."""
    if is_frozen():
        if os.environ.get(IS_WORKER):
            raise _start_error(
                "this program was started as one of them without knowing it: call Focal's freeze_support at its start"
            )
        serve = [WORKER]  # a frozen program has no Python interpreter and serves itself
    else:
        imports = (
            "import focal_photos.browser.environment, focal_photos.browser.operations.workers.worker_main as worker"
        )
        serve = ["-c", f"{imports}; worker.serve()"]
    with _without_interrupts():
        return subprocess.Popen(
            [sys.executable, *serve, str(settings.memory), str(int(settings.background))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if said is None else said,
            bufsize=0,
            env=_environment(),
        )


def _place_for_errors() -> IO[bytes] | None:
    """Return a file for the messages of a starting process; a pipe might fill up unread."""
    with suppress(OSError):
        return tempfile.TemporaryFile()
    return None


def _start_error(why: str) -> StartError:
    return StartError("The processes that read photos cannot be started: {0}.", why)


def _why_not_begun(error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    if error.errno in (errno.ENOMEM, errno.EAGAIN):
        return f"the system cannot start another process ({reason}): free some memory and try again"
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"too many files are open ({reason}): close other programs and try again"
    return f"{sys.executable} cannot be run ({reason}): {_INSTALL_AGAIN}"


def _why_ended(code: int | None, said: str) -> str:
    """Describe how a starting process ended, from its exit code (negative: signal, None: running) and its output."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = lines[-1][:_LONGEST_LINE] if lines else ""
    if code is not None and code == -getattr(signal, "SIGKILL", 0):
        return "the system killed them, probably because memory was low: free some memory and try again"
    if any(sign in said for sign in _SIGNS_OF_MEMORY):
        return f"there is too little memory ({last}): free some memory and try again"
    how = "ended" if code is None else f"ended by signal {-code}" if code < 0 else f"ended with code {code}"
    return f"they {how}{f', saying {last!r}' if last else ''}: {_INSTALL_AGAIN}"


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes started in the block ignore Ctrl+C, which the terminal sends to all; their parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _environment() -> Mapping[str, str]:
    root = str(Path(focal_photos.__file__).absolute().parents[1])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, **WORKER_ENVIRONMENT, "PYTHONPATH": path, IS_WORKER: "1"}
