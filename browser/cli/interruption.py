# SPDX-License-Identifier: MIT
"""Handling of Ctrl+C and SIGTERM while a command runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

INTERRUPTED: Final = 128 + signal.SIGINT
TERMINATED: Final = 128 + signal.SIGTERM


class Interruption:
    """Raises both signals as exceptions, so that jobs are closed and worker processes end."""

    def __init__(self) -> None:
        self._raised: BaseException | None = None

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Raise `KeyboardInterrupt` and `SystemExit` on signals; do nothing outside the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {signal.SIGTERM: signal.signal(signal.SIGTERM, self._terminate)}
        # If Ctrl+C is ignored, as in a background job of a script, it remains ignored.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            before[signal.SIGINT] = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Re-raise the interruption if it was converted to another error.

        SQLite converts exceptions of user-defined functions to its own errors, and some modules do so during import.
        Closing resources after an interruption may fail, too.
        """
        try:
            yield
        except Exception as error:
            if self._raised is None:
                raise
            raise self._raised from error

    def check(self) -> None:
        """Raise the interruption again if it was lost: some modules ignore exceptions during their import."""
        if self._raised is not None:
            raise self._raised

    def _interrupt(self, *_: object) -> None:
        self._raised = KeyboardInterrupt()
        raise self._raised

    def _terminate(self, *_: object) -> None:
        self._raised = SystemExit(TERMINATED)
        raise self._raised
