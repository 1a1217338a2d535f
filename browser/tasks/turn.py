"""Who goes first: pictures and jobs begin nothing new while the main thread has something to show."""

from __future__ import annotations

import threading
import time
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

PATIENCE: Final = 0.1
"""Seconds for which background work waits at most: a main thread that is at work for longer does not stop it."""


class Turn(QObject):
    """Tells background threads whether the main thread is at work.

    Painting the window gives the interpreter up and takes it back dozens of times, and a thread that runs Python beside
    it makes it wait each time. So pictures and jobs ask before their next piece of work (`wait`), and go on when the
    main thread rests. That is from when its event loop has nothing left to do.

    Parameters
    ----------
    patience : float
        Seconds, see `PATIENCE`.
    """

    def __init__(self, parent: QObject | None = None, *, patience: float = PATIENCE) -> None:
        super().__init__(parent)
        self._patience = patience
        self._gate = threading.Lock()  # of one spell of work: closed until it is over
        self._at_work = False
        self._since = 0.0
        # Of all that an event loop has to do, timers of no time at all come last.
        self._last = QTimer(self, singleShot=True, interval=0)
        self._last.timeout.connect(self._rest)

    def take(self) -> None:
        """Say on the main thread that it has something to do now."""
        if not self._at_work:
            # A new one for each spell: one who was let through may not have gone on yet, and holds the former still.
            self._gate = threading.Lock()
            self._gate.acquire()
            self._at_work, self._since = True, time.monotonic()
        self._last.start()

    @Slot()
    def _rest(self) -> None:
        if self._at_work:
            self._at_work = False
            self._gate.release()

    def wait(self) -> None:
        """Wait in another thread until the main thread rests; never for longer than its patience."""
        until = 0.0
        while self._at_work:
            now = time.monotonic()
            until = until or now + self._patience
            left = min(self._since + self._patience, until) - now
            gate = self._gate
            if left <= 0 or not gate.acquire(timeout=left):
                return
            gate.release()  # for the others who wait; it may be at work again by now
