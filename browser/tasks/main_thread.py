# SPDX-License-Identifier: MIT
"""Gives the main thread priority: pictures and jobs wait while it has something to show."""

from __future__ import annotations

import threading
import time
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

MAX_WAIT: Final = 0.1
"""Longest wait of background work in seconds: a main thread that is busy for longer does not stop it."""


class MainThreadPriority(QObject):
    """Tells background threads whether the main thread is busy.

    Painting the window releases and takes the GIL dozens of times, and waits each time if another thread runs Python.
    So pictures and jobs call `wait` before each piece of work, and continue when the main thread is idle, that is, when
    its event loop has no more events.

    Parameters
    ----------
    patience : float
        Longest wait in seconds, see `MAX_WAIT`.
    """

    def __init__(self, parent: QObject | None = None, *, patience: float = MAX_WAIT) -> None:
        super().__init__(parent)
        self._patience = patience
        self._gate = threading.Lock()  # held during one busy period
        self._at_work = False
        self._since = 0.0
        # An event loop handles timers with zero interval after all other events.
        self._last = QTimer(self, singleShot=True, interval=0)
        self._last.timeout.connect(self._rest)

    def take(self) -> None:
        """Mark the main thread as busy; called on the main thread."""
        if not self._at_work:
            # A new lock for each period, because a thread that passed the last one may still hold it.
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
        """Wait in another thread until the main thread is idle, at most for the patience."""
        until = 0.0
        while self._at_work:
            now = time.monotonic()
            until = until or now + self._patience
            left = min(self._since + self._patience, until) - now
            gate = self._gate
            if left <= 0 or not gate.acquire(timeout=left):
                return
            gate.release()  # for other waiting threads; the main thread may be busy again by now
