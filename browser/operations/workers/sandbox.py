"""Work on files that may kill the process that reads them, in a process apart.

A photo that is indexed among many has the processes of `pool`. This is for one at a time: the photo that is looked at,
a thumbnail that is made again, a focal image from a file. A child process is kept warm for them. A decoder that dies
or hangs takes the child with it and nothing else; the call gets an `ImageError` that says so, the next call a new
child.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from browser.environment import READERS
from browser.operations.jobs.errors import OperationError
from browser.operations.workers.messages import receive, send, widen
from features.decoding.decode import DecodeLimits, UnreadableImageError, decode
from features.decoding.image import WorkingImage

SECONDS: Final = 60.0
"""Time limit of a call, if not given."""

_START_SECONDS: Final = 60.0
_PATIENCE: Final = 0.05  # seconds between two looks whether a call was cancelled
_MEMORY_SHARE: Final = 0.75  # of the machine's memory that a child may take

T_co = TypeVar("T_co", covariant=True)


class EndedProcessError(UnreadableImageError):
    """Decoding ended the process: out of memory, or a fault in the decoder."""


class TookTooLongError(UnreadableImageError):
    """Decoding did not end within the time limit."""


class CancelledError(OperationError):
    """The call was cancelled, or the program is about to end."""


class Cancellation(Protocol):
    """What tells that a call is no longer wanted: a `threading.Event`."""

    def is_set(self) -> bool:
        """Return True from when it is no longer wanted."""


class Work(Protocol[T_co]):
    """A function that the child can import."""

    def __call__(self, *args: Any, **options: Any) -> T_co:
        """Do it."""


class Apart:
    """Up to `most` child processes that calls take turns at. Any thread may call.

    Parameters
    ----------
    most : int
        The second child starts only while the first is busy.
    memory : int, optional
        Bytes that a child may take, where the system can keep to that; three quarters of the machine's, if not given.
    """

    def __init__(self, most: int = 2, memory: int | None = None) -> None:
        self._most = most
        self._memory = _MEMORY_SHARE * _machine_memory() if memory is None else memory
        self._changed = threading.Condition()  # its lock may be taken again by who holds it
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        self._closed = False

    def warm_up(self) -> None:
        """Start a child if there is none, and do not wait for it."""
        with suppress(OperationError), self._changed:
            if not self._closed and not any(child.alive for child in self._all):
                self._give_back(self._take(None))

    def call(
        self,
        function: Work[T_co],
        *args: Any,
        seconds: float = SECONDS,
        cancelled: Cancellation | None = None,
        **options: Any,
    ) -> T_co:
        """Return ``function(*args, **options)``, worked out in a child.

        Arguments and result travel by pickle; arrays of the result come without a copy beyond that through the pipe.

        Parameters
        ----------
        function : callable
            Importable by its name.
        seconds : float
            After so long the child is killed. The time in which the call waits for its turn does not count.
        cancelled : Cancellation, optional
            Ends the call early, and the child with it.

        Raises
        ------
        EndedProcessError
            The child died, and a second one too.
        TookTooLongError
            The time is up.
        CancelledError
            The call was cancelled, or this was closed.
        OperationError
            No child can be started.
        Exception
            Whatever the function raises.
        """
        request = pickle.dumps((function, args, options, seconds), protocol=5)
        for _ in range(2):  # a child may also have died of something else: its memory was wanted elsewhere
            child = self._take(cancelled)
            try:
                succeeded, result = child.call(request, seconds, cancelled)
            except EOFError:
                if child.interrupted:
                    raise CancelledError("The photo is no longer wanted.") from None
                continue
            finally:
                self._give_back(child)
            if not succeeded:
                raise result
            return result  # type: ignore[no-any-return]
        raise EndedProcessError("Its decoding ended the process (out of memory, or a fault in the decoder).")

    def interrupt(self) -> None:
        """End the calls that are being worked on with `CancelledError`; later ones start new children."""
        with self._changed:
            for child in self._all.difference(self._idle):
                child.interrupt()

    def close(self) -> None:
        """End the children and all calls, these with `CancelledError`. Twice does no harm."""
        with self._changed:
            self._closed = True
            self.interrupt()
            while self._idle:
                self._drop(self._idle.pop())
            self._changed.notify_all()

    def _take(self, cancelled: Cancellation | None) -> _Child:
        with self._changed:
            while True:
                if self._closed or (cancelled is not None and cancelled.is_set()):
                    raise CancelledError("The photo is no longer wanted.")
                while self._idle:
                    child = self._idle.pop()
                    if child.alive:
                        return child
                    self._drop(child)
                if len(self._all) < self._most:
                    child = _Child(int(self._memory))
                    self._all.add(child)
                    return child
                self._changed.wait(_PATIENCE)

    def _give_back(self, child: _Child) -> None:
        with self._changed:
            if child.alive and not self._closed:
                self._idle.append(child)
            else:
                self._drop(child)
            self._changed.notify()

    def _drop(self, child: _Child) -> None:
        self._all.discard(child)
        child.end()

    @property
    def pids(self) -> list[int]:
        """The children that there are."""
        with self._changed:
            return [child.pid for child in self._all]


class _Child:
    """One child process, used by one thread at a time; only `interrupt` may come from another one."""

    def __init__(self, memory: int) -> None:
        command = [
            sys.executable,
            "-c",
            "from browser.operations.workers.sandbox_child import serve; serve()",
            str(memory),
        ]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # decoders complain about odd files there
                bufsize=0,
                env=_environment(),
                start_new_session=True,  # Ctrl+C in a terminal goes to all, and this ends with its parent
            )
        except OSError as error:
            raise OperationError(
                "The process that reads photos cannot be started: free some memory and try again."
            ) from error
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("Popen gave no pipes.")
        self._to, self._from = self._process.stdin, self._process.stdout
        self._ready = False
        self._broken = False
        self.interrupted = False
        widen(self._from)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return not self._broken and self._process.poll() is None

    def call(self, request: bytes, seconds: float, cancelled: Cancellation | None) -> tuple[bool, Any]:
        """Return (True, result) or (False, exception); EOFError if the child died."""
        if not self._ready:
            try:
                with _Watch(self.kill, _START_SECONDS, cancelled) as watch:
                    receive(self._from)
            except EOFError:
                self._broken = True
                watch.check_cancelled()
                if self.interrupted:
                    raise
                raise OperationError(
                    "The process that reads photos cannot be started: free some memory and try again."
                ) from None
            self._ready = True
        try:
            with _Watch(self.kill, seconds, cancelled) as watch:
                try:
                    send(self._to, request, [])
                except OSError:
                    raise EOFError from None
                succeeded, result = receive(self._from)
                return bool(succeeded), result
        except BaseException as error:
            self._broken = True  # what else would come through the pipe is not known
            watch.check_cancelled()
            if watch.is_late:
                raise TookTooLongError(f"Its decoding took longer than {seconds:g} seconds.") from None
            if isinstance(error, Exception):  # the child died, or what it said cannot be understood
                raise EOFError from None
            raise

    def interrupt(self) -> None:
        self.interrupted = True
        self.kill()

    def kill(self) -> None:
        with suppress(OSError):
            self._process.kill()

    def end(self) -> None:
        """Kill it and free what it took."""
        self.kill()
        self._process.wait()
        for stream in (self._to, self._from):
            with suppress(OSError):
                stream.close()


class _Watch:
    """Kills a child whose time is up or whose call was cancelled, from a thread of its own."""

    def __init__(self, kill: Callable[[], None], seconds: float, cancelled: Cancellation | None) -> None:
        self._kill, self._seconds, self._cancelled = kill, seconds, cancelled
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="focal-apart", daemon=True)
        self.is_late = self.is_cancelled = False

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._done.set()
        self._thread.join()

    def check_cancelled(self) -> None:
        if self.is_cancelled:
            raise CancelledError("The photo is no longer wanted.") from None

    def _run(self) -> None:
        if self._cancelled is None:
            self.is_late = not self._done.wait(self._seconds)
        else:
            left = self._seconds
            while not self._done.wait(min(_PATIENCE, max(left, 0))):
                left -= _PATIENCE
                self.is_cancelled = self._cancelled.is_set()
                self.is_late = left <= 0
                if self.is_cancelled or self.is_late:
                    break
        if self.is_late or self.is_cancelled:
            self._kill()


# ------------------------------------------------------------------ the program's own
_shared: Apart | None = None
_shared_lock = threading.Lock()


def apart() -> Apart:
    """Return the children of this program, which end with it; none is started before the first call."""
    global _shared  # noqa: PLW0603 - one for the whole program
    with _shared_lock:
        if _shared is None:
            _shared = Apart()
            atexit.register(_shared.close)
        return _shared


def decode_apart(
    source: Path | bytes,
    *,
    side: int | None,
    limits: DecodeLimits | None = None,
    seconds: float = SECONDS,
    cancelled: Cancellation | None = None,
) -> WorkingImage:
    """Decode in a child; see `features.decoding.decode.decode` and `Apart.call`."""
    rgb, header = apart().call(_decode, source, side, limits, seconds=seconds, cancelled=cancelled)
    return WorkingImage(rgb, header)


def _decode(source: Path | bytes, side: int | None, limits: DecodeLimits | None) -> tuple[Any, Any]:
    image = decode(source, side=side, limits=limits)
    return image.rgb, image.header


def _environment() -> Mapping[str, str]:
    root = str(Path(__file__).resolve().parents[3])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, **READERS, "PYTHONPATH": path}


def _machine_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 8 << 30
