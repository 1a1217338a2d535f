# SPDX-License-Identifier: MIT
"""Measures how long the main thread of a window is blocked, and how much of that time it works."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer

_TICK = 5  # milliseconds


class MainThread:
    """A timer on the main thread that records its own delays.

    Wall time also depends on other programs and on waits for the interpreter lock. Processor time does not.

    Attributes
    ----------
    longest : float
        Longest delay in seconds since `begin`.
    longest_work : float
        Maximum processor time of the main thread between two ticks, in seconds.
    longest_of_all : float
        Maximum processor time of all threads between two ticks, in seconds. With a core to itself, the main thread
        would not have been blocked for longer.
    """

    def __init__(self) -> None:
        self._timer = QTimer(interval=_TICK, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._answer)
        self._timer.start()
        self.begin()

    def begin(self) -> None:
        """Reset the maxima."""
        self._times = self._now()
        self.longest = self.longest_of_all = self.longest_work = 0.0

    def _answer(self) -> None:
        late, of_all, own = (now - before for now, before in zip(self._now(), self._times, strict=True))
        self.longest, self.longest_of_all = max(self.longest, late), max(self.longest_of_all, of_all)
        self.longest_work = max(self.longest_work, own)
        self._times = self._now()

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), time.process_time(), time.thread_time()
