"""One worker process as its parent sees it: how it is started, asked and ended."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import focal_photos
from focal_photos.browser.environment import WORKER_ENVIRONMENT
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.channel import enlarge_buffer, receive, send
from focal_photos.browser.operations.workers.watchdog import Cancellation, Watchdog
from focal_photos.browser.operations.workers.worker_main import RETURNED, UNREADABLE
from focal_photos.features.decoding.limits import UnreadableImageError

START_SECONDS: Final = 60.0
"""How long a process may take to start, its setup included."""

_END_SECONDS: Final = 5.0  # for which the end of a killed process is waited for: one that hangs in a disk stays


class EndedProcessError(UnreadableImageError):
    """Decoding ended the process: out of memory, or a fault in the decoder."""


class TookTooLongError(UnreadableImageError):
    """Decoding did not end within the time limit."""


class CancelledError(OperationError):
    """The call was cancelled, or the program is about to end."""


class StartError(OperationError):
    """A process cannot be started, or ended or hung while it started."""

    def __init__(self) -> None:
        super().__init__("The processes that read photos cannot be started: free some memory and try again.")


@dataclass(frozen=True)
class ProcessSettings:
    """How the processes of a pool are started.

    Attributes
    ----------
    memory : int
        Bytes that each may take, where the system can keep to that.
    setup : tuple of (callable, tuple), optional
        A function, importable by its name, and its arguments: called in each process before it takes calls.
    background : bool
        Whether it gives way to what the user does.
    """

    memory: int
    setup: tuple[Callable[..., None], tuple[Any, ...]] | None = None
    background: bool = False


class WorkerProcess:
    """One process, used by one thread at a time; only `interrupt` may come from another one.

    Raises
    ------
    StartError
        The system starts no process.
    """

    def __init__(self, settings: ProcessSettings, setup: bytes, watchdog: Watchdog) -> None:
        try:
            self._process = _start(settings)
        except OSError as error:
            raise StartError from error
        if self._process.stdin is None or self._process.stdout is None:  # pragma: no cover - for the types
            raise RuntimeError("Popen gave no pipes.")
        self._to, self._from = self._process.stdin, self._process.stdout
        self.setup, self._watchdog = setup, watchdog
        self._ready = self._broken = False
        self.interrupted = False
        enlarge_buffer(self._from)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can take calls."""
        return not self._broken and self._process.poll() is None

    def wait_until_ready(self, cancelled: Cancellation | None) -> None:
        """Wait for the end of the start; at once where that is over.

        The setup goes through the pipe, which may block until the process reads. It may die or hang before it does:
        the watchdog then kills it, and writing fails, since nobody else holds the reading end.

        Raises
        ------
        StartError
            It ended, or it took too long.
        CancelledError
        """
        if self._ready:
            return
        with self._watchdog.limit(self.kill, START_SECONDS, cancelled) as limit:
            try:
                send(self._to, self.setup, [])
                receive(self._from)
                self._ready = True
            except (OSError, EOFError) as error:
                self._broken = True
                self._check_wanted(limit.is_cancelled)
                raise StartError from error
            except BaseException:
                self._broken = True
                raise

    def set_up_again(self, setup: bytes, request: bytes, cancelled: Cancellation | None) -> None:
        """Give it another setup than the one that it was started with, while it has no call.

        Parameters
        ----------
        setup : bytes
            As `packed_setup` gives it.
        request : bytes
            The same as a request with one call.
        cancelled : Cancellation, optional

        Raises
        ------
        StartError
            It ended, took too long, or the setup failed.
        CancelledError
        """
        try:
            with closing(self.answers(request, 1, START_SECONDS, cancelled)) as answers:
                kinds = [kind for kind, _ in answers]
        except UnreadableImageError as error:
            self._broken = True
            raise StartError from error
        if kinds != [RETURNED]:
            self._broken = True
            raise StartError
        self.setup = setup

    def answers(
        self, request: bytes, count: int, seconds: float, cancelled: Cancellation | None
    ) -> Generator[tuple[str, Any], None, None]:
        """Yield the answer of each call of a request, as `browser.operations.workers.worker_main.serve` gives it.

        Parameters
        ----------
        request : bytes
        count : int
            Number of its calls.
        seconds : float
            Limit of each call.
        cancelled : Cancellation, optional

        Raises
        ------
        EndedProcessError, TookTooLongError, CancelledError
            With the call whose answer would have been the next; none comes after it. An answer at the very end of its
            time is taken, and may be the last.
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
                            return  # killed at the very moment of its answer: the next call is not to blame
                except GeneratorExit:
                    raise
                except Exception as error:  # it died, or what it said cannot be understood
                    self._check_wanted(limit.is_cancelled)
                    if limit.is_late:
                        raise TookTooLongError(f"Its decoding took longer than {seconds:g} seconds.") from None
                    message = "Its decoding ended the process (out of memory, or a fault in the decoder)."
                    raise EndedProcessError(message) from error
        finally:
            # What else would come through the pipe is not known where not all was taken.
            self._broken = self._broken or received < count

    def interrupt(self) -> None:
        """Kill it, so that its call ends with `CancelledError`."""
        self.interrupted = True
        self.kill()

    def kill(self) -> None:
        """Kill it, and do not wait."""
        with suppress(OSError):
            self._process.kill()

    def end(self) -> None:
        """Kill it and free what it took."""
        self.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        for stream in (self._to, self._from):
            with suppress(OSError):
                stream.close()

    def _check_wanted(self, cancelled: bool) -> None:
        if cancelled or self.interrupted:
            raise CancelledError("The photo is no longer wanted.") from None


def packed_setup(settings: ProcessSettings) -> bytes:
    """Return the setup as it is sent to each process."""
    return pickle.dumps(settings.setup, protocol=5)


def _start(settings: ProcessSettings) -> subprocess.Popen[bytes]:
    """Start a process that runs `browser.operations.workers.worker_main.serve`: the only place that does."""
    command = [
        sys.executable,
        "-c",
        "from focal_photos.browser.operations.workers.worker_main import serve; serve()",
        str(settings.memory),
        str(int(settings.background)),
    ]
    with _without_interrupts():
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # decoders complain about odd files there
            bufsize=0,
            env=_environment(),
        )


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes that start here ignore Ctrl+C: the terminal sends it to all, and their parent ends them."""
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
    return {**os.environ, **WORKER_ENVIRONMENT, "PYTHONPATH": path}
