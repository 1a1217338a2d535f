"""One computation in a process of its own: whoever shows something here meanwhile has the interpreter for itself."""

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

_SECONDS: Final = 60.0  # for an answer, which comes within `_HEARTBEAT`
_HEARTBEAT: Final = 0.2  # seconds between two questions how far it is, where it says nothing


class LostError(Exception):
    """The process ended before it had a result: somebody else wanted its memory."""


def computed_elsewhere(
    function: Importable[T],
    *args: Any,
    report: Callable[[float], None],
    tell: Callable[[Any], None] = lambda _: None,
) -> T:
    """Return ``function(*args, report, tell)``, worked out in a process of its own.

    It may have been left by others, and is left to others once it has returned the result; else it is ended.

    Parameters
    ----------
    function : callable
        Importable by its name; leaves nothing in its process. Its last two arguments are functions, to be called with
        the share done, 0..1, and with what there is to be told so far.
    report : callable
        Called here with the share done, now and then; what it raises ends the computation.
    tell : callable
        Called here with what was told last, where something was.

    Raises
    ------
    LostError
        The process ended.
    OperationError
        No process can be started.
    Exception
        Whatever the function raises.
    """
    with closing(ProcessPool(1, usable_memory(), background=True, kept=True)) as pool:
        try:
            pool.call(_begin, function, args, seconds=_SECONDS)
            while True:
                said = pool.call(_listen, seconds=_SECONDS)
                if said.told is not None:
                    tell(said.told)
                report(said.share)
                if said.ended:
                    pool.leave()
                    return said.result  # type: ignore[no-any-return]
        except (EndedProcessError, TookTooLongError) as error:
            raise LostError from error


@dataclass
class _Said:
    """What a computation has said since it was asked last."""

    share: float = 0.0
    told: Any = None
    ended: bool = False
    result: Any = None


# ------------------------------------------------------------------ in the worker process
@dataclass
class _Running:
    future: Future[Any] = field(default_factory=Future)
    news: threading.Event = field(default_factory=threading.Event)
    share: float = 0.0
    told: Any = None

    def report(self, done: float) -> None:
        self.share = done
        self.news.set()

    def tell(self, told: Any) -> None:
        self.told = told
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
    if running is None:  # a call whose process died is made once more, in another one that knows of nothing
        raise EndedProcessError("The process ended.")
    running.news.wait(_HEARTBEAT)
    running.news.clear()
    if ended := running.future.done():
        _running = None  # nothing stays: neither what others may ask of this process, nor memory
    told, running.told = running.told, None
    return _Said(running.share, told, ended, running.future.result() if ended else None)
