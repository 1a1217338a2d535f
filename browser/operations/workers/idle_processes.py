# SPDX-License-Identifier: MIT
"""Idle processes that the next job can reuse instead of starting new ones.

Starting a process and loading the code for describing photos costs half a second of a core, as much as describing
dozens of small photos. When photos are added after others were described, or mapped, the processes are still available.
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

IDLE_SECONDS: Final = 20.0
"""Seconds for which an idle process stays."""

THREAD: Final = "focal-kept-processes"
"""Name of the thread that ends them, which runs as long as there are any."""

_MAX_IDLE: Final = 8
_MOST_OF_ITS_OWN: Final = 128 << 20
"""Maximum private bytes of an idle process; after describing photos, they are about 50 MB."""

_MOST_TOGETHER: Final = 512 << 20
_SHARE: Final = 1 / 32  # maximum share of the usable memory for all together: 384 MB of 16 GB


@dataclass(frozen=True)
class _IdleProcess:
    process: WorkerProcess
    memory: int
    background: bool
    own: int
    until: float


class IdleProcesses:
    """Idle processes. Thread-safe.

    A process is accepted if it is alive and ready, was never interrupted and holds at most 128 MB of private memory. It
    stays for `IDLE_SECONDS`. At most eight processes stay, with at most 512 MB together, or a thirty-second of the
    usable memory if that is less; the oldest are dropped first. The pool that takes a process sets it up again.
    Otherwise, processes must be free of state: pools whose calls leave state must be closed instead.

    Parameters
    ----------
    seconds : float
        Lifetime of an idle process.
    room : int, optional
        Maximum bytes of all together.
    """

    def __init__(
        self, seconds: float = IDLE_SECONDS, room: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds, self._clock = seconds, clock
        self._room = min(_MOST_TOGETHER, int(_SHARE * usable_memory())) if room is None else room
        self._changed = threading.Condition()
        self._idle: list[_IdleProcess] = []  # oldest first
        self._thread: threading.Thread | None = None
        self._closed = False

    def keep(self, processes: Iterable[WorkerProcess], settings: ProcessSettings) -> None:
        """Accept suitable processes, and end the others.

        Parameters
        ----------
        processes : iterable of WorkerProcess
            Without calls or other users.
        settings : ProcessSettings
            Settings with which they were started.
        """
        refused = []
        with self._changed:
            for process in processes:
                # unknown on some systems; the number of processes is then the only limit
                own = own_memory(process.pid) or 0
                if self._closed or not process.untouched or own > _MOST_OF_ITS_OWN:
                    refused.append(process)
                    continue
                until = self._clock() + self._seconds
                self._idle.append(_IdleProcess(process, settings.memory, settings.background, own, until))
            while len(self._idle) > _MAX_IDLE or sum(idle.own for idle in self._idle) > self._room:
                refused.append(self._idle.pop(0).process)
            if self._idle and self._thread is None:
                self._thread = threading.Thread(target=self._watch, name=THREAD, daemon=True)
                self._thread.start()
        for process in refused:
            process.end()

    def take(self, settings: ProcessSettings) -> WorkerProcess | None:
        """Return a process started with these settings, apart from the setup, or None."""
        with self._changed:
            for idle in reversed(self._idle):
                if (idle.memory, idle.background) != (settings.memory, settings.background):
                    continue
                self._idle.remove(idle)
                if idle.process.alive:
                    return idle.process
                idle.process.end()  # dead already: this does not wait
        return None

    def end(self) -> None:
        """End all idle processes now."""
        with self._changed:
            ended, self._idle = self._idle, []
            self._changed.notify()
        for idle in ended:
            idle.process.kill()
        for idle in ended:
            idle.process.end()

    def close(self) -> None:
        """End all idle processes now and accept no more."""
        with self._changed:
            self._closed = True
        self.end()

    @property
    def pids(self) -> list[int]:
        """Process ids of the idle processes."""
        with self._changed:
            return [idle.process.pid for idle in self._idle]

    def _watch(self) -> None:
        while True:
            with self._changed:
                if not self._idle:
                    self._thread = None
                    return
                left = min(idle.until for idle in self._idle) - self._clock()
                if left > 0:
                    self._changed.wait(left)
                now = self._clock()
                late = [idle for idle in self._idle if idle.until <= now]
                self._idle = [idle for idle in self._idle if idle.until > now]
            for idle in late:
                idle.process.end()


_shared: IdleProcesses | None = None
_shared_lock = threading.Lock()


def idle_processes() -> IdleProcesses:
    """Return the program's idle processes, which end with it."""
    global _shared  # noqa: PLW0603 - one for the whole program
    with _shared_lock:
        if _shared is None:
            _shared = IdleProcesses()
            atexit.register(_shared.close)
        return _shared
