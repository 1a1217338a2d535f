# SPDX-License-Identifier: MIT
"""Run one computation in a subprocess, which leaves the interpreter of this process free."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from focal_photos.browser.operations.workers.memory import usable_memory
from focal_photos.browser.operations.workers.process_pool import Importable, ProcessPool
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError

T = TypeVar("T")

_SECONDS: Final = 60.0  # time limit of an answer, which comes within `_HEARTBEAT`
_HEARTBEAT: Final = 0.2  # seconds between queries of the progress


class LostError(Exception):
    """The process ended without a result, for lack of memory."""


def run_in_subprocess(
    function: Importable[T],
    *args: Any,
    report: Callable[[float], None],
    tell: Callable[[Any], None] = lambda _: None,
) -> T:
    """Return ``function(*args, report, tell)``, computed in a subprocess.

    An idle process is reused if available, and stays available after success; otherwise it is ended.

    Parameters
    ----------
        Importable by name; must leave no state in its process. Its last two arguments are functions, to be called with
        the completed share, 0..1, and with intermediate results.
    report : callable
        Called here with the completed share; its exceptions end the computation.
    tell : callable
        Called here with the latest intermediate result, if any.

    Raises
    ------
    LostError
        If the process ended.
    OperationError
        If no process can be started.
    Exception
        Exceptions of the function.
    """
    with closing(ProcessPool(1, usable_memory(), background=True, reuse_idle=True)) as pool:
        try:
            pool.call(_begin, function, args, seconds=_SECONDS)
            while True:
                said = pool.call(_listen, seconds=_SECONDS)
                if said.message is not None:
                    tell(said.message)
                report(said.share)
                if said.ended:
                    pool.leave()
                    return said.result  # type: ignore[no-any-return]
        except (EndedProcessError, TookTooLongError) as error:
            raise LostError from error


@dataclass
class _Said:
    """Messages of a computation since the last query."""

    share: float = 0.0
    message: Any = None
    ended: bool = False
    result: Any = None


# ------------------------------------------------------------------ in the worker process
@dataclass
class _Running:
    future: Future[Any] = field(default_factory=Future)
    news: threading.Event = field(default_factory=threading.Event)
    share: float = 0.0
    message: Any = None

    def report(self, done: float) -> None:
        self.share = done
        self.news.set()

    def tell(self, message: Any) -> None:
        self.message = message
        self.news.set()

    def work(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        try:
            self.future.set_result(function(*args, self.report, self.tell))
        except BaseException as error:
            self.future.set_exception(error)
        self.news.set()


_running: _Running | None = None


def _begin(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    global _running  # noqa: PLW0603 - what this process does, from one call to the next
    _running = _Running()
    threading.Thread(target=_running.work, args=(function, args), daemon=True).start()


def _listen() -> _Said:
    global _running  # noqa: PLW0603 - as above
    running = _running
    if running is None:  # a repeated call after a death, in another process without this computation
        raise EndedProcessError("The process ended.")
    running.news.wait(_HEARTBEAT)
    running.news.clear()
    if ended := running.future.done():
        _running = None  # leave neither state nor memory
    message, running.message = running.message, None
    return _Said(running.share, message, ended, running.future.result() if ended else None)
