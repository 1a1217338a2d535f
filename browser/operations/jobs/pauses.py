# SPDX-License-Identifier: MIT
"""Time slices: jobs of a program with a window pause while the window has something to show.

The runner of a job sets how its work waits in its thread (`pausing_by`). Computations that the job starts in other
threads get that function from `job_pause`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def at_once() -> None:
    """Return at once: nothing has priority."""


class _Waits(threading.local):
    wait: Callable[[], None] = staticmethod(at_once)


_waits = _Waits()


@contextmanager
def pausing_by(wait: Callable[[], None]) -> Iterator[None]:
    """Let jobs in this thread wait by calling `wait`, from any thread, within the block."""
    former, _waits.wait = _waits.wait, wait
    try:
        yield
    finally:
        _waits.wait = former


def job_pause() -> Callable[[], None]:
    """Return the function that this thread's job must call before each piece of work; it waits for the window."""
    return _waits.wait
