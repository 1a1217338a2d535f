# SPDX-License-Identifier: MIT
"""Collects Python's cyclic garbage in the main thread, where Qt objects may be deleted."""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

_INTERVAL: Final = 500
"""Milliseconds between looks for garbage; at most one generation is collected at each."""

_open: Final[set[int]] = set()
"""Identities of the open collectors. Automatic collections are off while there are any."""


class MainThreadGarbage(QObject):
    """Replaces Python's automatic garbage collections by those of a timer in the main thread.

    An automatic collection runs in the thread that allocates. In a thread of a lane it would delete Qt objects
    that the main thread's event loop still uses, and Qt would crash.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        _open.add(id(self))
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect the oldest generation whose threshold is exceeded (`gc.set_threshold`)."""
        due = [count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if any(due):
            gc.collect(max(generation for generation in range(3) if due[generation]))

    def close(self) -> None:
        """End the timer; with the last collector, automatic collections resume."""
        self._timer.stop()
        _open.discard(id(self))
        if not _open:
            gc.enable()
