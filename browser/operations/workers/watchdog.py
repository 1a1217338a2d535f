# SPDX-License-Identifier: MIT
"""Kill processes whose time is up or whose call was cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

_TICK: Final = 0.05  # seconds between checks
_IDLE_SECONDS: Final = 0.05  # idle time after which the thread ends; starting it again is cheap
_LONGEST_TICK: Final = 1.0  # maximum seconds counted per check


class Cancellation(Protocol):
    """Cancellation state of a call: a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether the call was cancelled."""


class Limit:
    """Limit of a process during a call.

    Attributes
    ----------
    is_late, is_cancelled : bool
        Why the watchdog killed the process, if it did.
    """

    def __init__(self, kill: Callable[[], None], seconds: float, cancelled: Cancellation | None) -> None:
        self._kill, self._seconds, self._cancelled = kill, seconds, cancelled
        self._left = seconds
        self.is_late = self.is_cancelled = False

    def restart(self) -> None:
        """Restart the time limit for the next of several calls."""
        self._left = self._seconds

    def count(self, elapsed: float) -> None:
        """Subtract seconds, and kill the process if none are left or the call was cancelled."""
        self._left -= elapsed
        if self.is_late or self.is_cancelled:
            return
        self.is_cancelled = self._cancelled is not None and self._cancelled.is_set()
        self.is_late = not self.is_cancelled and self._left <= 0
        if self.is_late or self.is_cancelled:
            self._kill()


class Watchdog:
    """A thread that watches all limits of a pool of processes; it ends soon after the last limit.

    Time in which this program was stopped or the computer slept does not count, so that an answer that arrived
    meanwhile is not late.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._limits: set[Limit] = set()
        self._thread: threading.Thread | None = None

    @contextmanager
    def limit(self, kill: Callable[[], None], seconds: float, cancelled: Cancellation | None = None) -> Iterator[Limit]:
        """Set a limit for the block.

        Parameters
        ----------
        kill : callable
            Kills the process; called at most once, and never after the end of the block.
        seconds : float
            Time limit; 0 or less kills at once.
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
