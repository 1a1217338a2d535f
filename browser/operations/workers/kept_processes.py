"""Processes that have nothing to do between two jobs: the next one takes them, and starts none of its own.

To start a process and to load in it what describes photos costs half a second of a core, as much as to describe dozens
of small photos. Whoever adds some photos to those that were just described, or has a map laid out of them, finds the
processes there.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from focal_photos.browser.operations.workers.memory import own_memory, usable_memory
from focal_photos.browser.operations.workers.worker_process import ProcessSettings, WorkerProcess

KEPT_SECONDS: Final = 20.0
"""How long a process stays without anything to do."""

THREAD: Final = "focal-kept-processes"
"""Name of the thread that ends them; it is there as long as there are any."""

_MOST: Final = 8
_MOST_OF_ITS_OWN: Final = 128 << 20
"""Bytes that a process which is kept has of its own: one that has described photos has about 50 MB."""

_MOST_TOGETHER: Final = 512 << 20
_SHARE: Final = 1 / 32  # of the usable memory that they have together at most: 384 MB of 16 GB


@dataclass(frozen=True)
class _Kept:
    process: WorkerProcess
    memory: int
    background: bool
    own: int
    until: float


class KeptProcesses:
    """Processes without anything to do. Any thread may call.

    A process is kept if it is whole and ready, was never interrupted and holds no more than 128 MB of its own: for
    `KEPT_SECONDS`, and at most eight of them with at most 512 MB together, or a thirty-second of the usable memory if
    that is less. The oldest make room. What was set up in one is set up again by the pool that takes it; nothing else
    may hang on what it did before: a pool whose calls leave something in their processes closes, and keeps none.

    Parameters
    ----------
    seconds : float
        How long each stays.
    room : int, optional
        Bytes that they may have together.
    clock : callable
        Returns seconds.
    """

    def __init__(
        self, seconds: float = KEPT_SECONDS, room: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds, self._clock = seconds, clock
        self._room = min(_MOST_TOGETHER, int(_SHARE * usable_memory())) if room is None else room
        self._changed = threading.Condition()
        self._kept: list[_Kept] = []  # the oldest first
        self._thread: threading.Thread | None = None
        self._closed = False

    def keep(self, processes: Iterable[WorkerProcess], settings: ProcessSettings) -> None:
        """Keep those that can be, and end the others.

        Parameters
        ----------
        processes : iterable of WorkerProcess
            None has a call, and nobody else uses them any more.
        settings : ProcessSettings
            How they were started.
        """
        refused = []
        with self._changed:
            for process in processes:
                own = own_memory(process.pid) or 0  # where the system does not tell, their number has to do
                if self._closed or not process.untouched or own > _MOST_OF_ITS_OWN:
                    refused.append(process)
                    continue
                until = self._clock() + self._seconds
                self._kept.append(_Kept(process, settings.memory, settings.background, own, until))
            while len(self._kept) > _MOST or sum(kept.own for kept in self._kept) > self._room:
                refused.append(self._kept.pop(0).process)
            if self._kept and self._thread is None:
                self._thread = threading.Thread(target=self._watch, name=THREAD, daemon=True)
                self._thread.start()
        for process in refused:
            process.end()

    def take(self, settings: ProcessSettings) -> WorkerProcess | None:
        """Return a process that was started in this way, apart from what is set up in it; None where there is none."""
        with self._changed:
            for kept in reversed(self._kept):
                if (kept.memory, kept.background) != (settings.memory, settings.background):
                    continue
                self._kept.remove(kept)
                if kept.process.alive:
                    return kept.process
                kept.process.end()  # it is dead already: this does not wait
        return None

    def end(self) -> None:
        """End all of them now."""
        with self._changed:
            ended, self._kept = self._kept, []
            self._changed.notify()
        for kept in ended:
            kept.process.kill()
        for kept in ended:
            kept.process.end()

    def close(self) -> None:
        """End all of them now, and keep none any more."""
        with self._changed:
            self._closed = True
        self.end()

    @property
    def pids(self) -> list[int]:
        """The processes that are kept now."""
        with self._changed:
            return [kept.process.pid for kept in self._kept]

    def _watch(self) -> None:
        while True:
            with self._changed:
                if not self._kept:
                    self._thread = None
                    return
                left = min(kept.until for kept in self._kept) - self._clock()
                if left > 0:
                    self._changed.wait(left)
                now = self._clock()
                late = [kept for kept in self._kept if kept.until <= now]
                self._kept = [kept for kept in self._kept if kept.until > now]
            for kept in late:
                kept.process.end()


_shared: KeptProcesses | None = None
_shared_lock = threading.Lock()


def kept_processes() -> KeptProcesses:
    """Return those of the whole program, which end with it."""
    global _shared  # noqa: PLW0603 - one for the whole program
    with _shared_lock:
        if _shared is None:
            _shared = KeptProcesses()
            atexit.register(_shared.close)
        return _shared
