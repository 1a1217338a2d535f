"""Ctrl+C and SIGTERM while a command runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

INTERRUPTED: Final = 128 + signal.SIGINT
TERMINATED: Final = 128 + signal.SIGTERM


class Interruption:
    """Both signals are raised as exceptions, so that jobs are closed and worker processes are ended."""

    def __init__(self) -> None:
        self._raised: BaseException | None = None

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Raise `KeyboardInterrupt` and `SystemExit` where they come; nothing outside the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {signal.SIGTERM: signal.signal(signal.SIGTERM, self._terminate)}
        # Where Ctrl+C is ignored, as in the background of a script, it stays so.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            before[signal.SIGINT] = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Raise the interruption again where it has become an error on its way.

        SQLite makes an error of its own out of what is raised in a function of ours in the middle of a statement, and
        so do the starts of some modules; what is closed after an interruption may fail, too.
        """
        try:
            yield
        except Exception as error:
            if self._raised is None:
                raise
            raise self._raised from error

    def _interrupt(self, *_: object) -> None:
        self._raised = KeyboardInterrupt()
        raise self._raised

    def _terminate(self, *_: object) -> None:
        self._raised = SystemExit(TERMINATED)
        raise self._raised
