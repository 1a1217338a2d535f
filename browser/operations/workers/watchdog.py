"""Ends processes whose time is up, or whose call is no longer wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

_TICK: Final = 0.05  # seconds between two looks
_IDLE_SECONDS: Final = 0.05  # after which the thread ends when there is nothing to watch: to start one costs little
_LONGEST_TICK: Final = 1.0  # seconds that a look counts at most


class Cancellation(Protocol):
    """What tells that a call is no longer wanted: a `threading.Event`."""

    def is_set(self) -> bool:
        """Return True from when it is no longer wanted."""


class Limit:
    """What holds for a process while it works for somebody.

    Attributes
    ----------
    is_late, is_cancelled : bool
        Why the process was killed, if the watchdog did it.
    """

    def __init__(self, kill: Callable[[], None], seconds: float, cancelled: Cancellation | None) -> None:
        self._kill, self._seconds, self._cancelled = kill, seconds, cancelled
        self._left = seconds
        self.is_late = self.is_cancelled = False

    def restart(self) -> None:
        """Give the whole time again: the next call of several begins."""
        self._left = self._seconds

    def count(self, elapsed: float) -> None:
        """Take time off, in seconds, and kill the process where that was the last or the call was cancelled."""
        self._left -= elapsed
        if self.is_late or self.is_cancelled:
            return
        self.is_cancelled = self._cancelled is not None and self._cancelled.is_set()
        self.is_late = not self.is_cancelled and self._left <= 0
        if self.is_late or self.is_cancelled:
            self._kill()


class Watchdog:
    """One thread for all limits of a pool of processes; it ends soon after the last.

    Time in which this program could not run itself, because it was stopped or the computer slept, does not count: an
    answer that came meanwhile is not taken for late.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._limits: set[Limit] = set()
        self._thread: threading.Thread | None = None

    @contextmanager
    def limit(self, kill: Callable[[], None], seconds: float, cancelled: Cancellation | None = None) -> Iterator[Limit]:
        """Keep a limit on what is done inside.

        Parameters
        ----------
        kill : callable
            Ends the process; called once at the most, and never after the end of the block.
        seconds : float
            0 or less ends it at once.
        cancelled : Cancellation, optional
        """
        limit = Limit(kill, seconds, cancelled)
        limit.count(0.0)
        with self._changed:
            self._limits.add(limit)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="focal-watchdog", daemon=True)
                self._thread.start()
            elif len(self._limits) == 1:
                self._changed.notify()
        try:
            yield limit
        finally:
            with self._changed:
                self._limits.discard(limit)

    def _watch(self) -> None:
        last = self._clock()
        with self._changed:
            while True:
                if not self._limits:
                    self._changed.wait(_IDLE_SECONDS)
                    last = self._clock()
                    if not self._limits:
                        self._thread = None
                        return
                self._changed.wait(_TICK)
                now = self._clock()
                for limit in self._limits:
                    limit.count(min(now - last, _LONGEST_TICK))
                last = now
