"""How long the main thread of a window does not answer, and how much of that it works itself."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer

_TICK = 5  # milliseconds


class MainThread:
    """A timer on the main thread that notes how late it comes.

    Wall time grows with what else runs on the machine, and so does what the main thread waits for the interpreter
    while another thread has it. Processor time does not.

    Attributes
    ----------
    longest : float
        Seconds between two answers at most, since `begin`.
    longest_work : float
        Seconds of processor time that the main thread took at most between two answers.
    longest_of_all : float
        Seconds of processor time that all threads took at most between two answers: on a core of its own the main
        thread would not have been held up for longer.
    """

    def __init__(self) -> None:
        self._timer = QTimer(interval=_TICK, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._answer)
        self._timer.start()
        self.begin()

    def begin(self) -> None:
        """Begin to note for something new."""
        self._times = self._now()
        self.longest = self.longest_of_all = self.longest_work = 0.0

    def _answer(self) -> None:
        late, of_all, own = (now - before for now, before in zip(self._now(), self._times, strict=True))
        self.longest, self.longest_of_all = max(self.longest, late), max(self.longest_of_all, of_all)
        self.longest_work = max(self.longest_work, own)
        self._times = self._now()

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), time.process_time(), time.thread_time()
