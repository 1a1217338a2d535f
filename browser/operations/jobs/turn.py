"""Whose turn it is: jobs of a program with a window begin nothing new while that has something to show.

What runs a job says how its work waits (`waiting_by`), in the thread that runs it; computations that the job begins in
threads of their own ask there (`my_turn`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def at_once() -> None:
    """Wait for nothing: nobody else has a turn."""


class _Waits(threading.local):
    wait: Callable[[], None] = staticmethod(at_once)


_waits = _Waits()


@contextmanager
def waiting_by(wait: Callable[[], None]) -> Iterator[None]:
    """Let what jobs do in this thread from here on wait by calling `wait`, from any thread."""
    former, _waits.wait = _waits.wait, wait
    try:
        yield
    finally:
        _waits.wait = former


def my_turn() -> Callable[[], None]:
    """Return what work of the job of this thread calls before each piece; it may wait, for a moment."""
    return _waits.wait
