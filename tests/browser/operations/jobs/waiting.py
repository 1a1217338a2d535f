# SPDX-License-Identifier: MIT
"""Waiting for other threads."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable


def until(condition: Callable[[], bool]) -> bool:
    """Wait up to a minute for a condition; return False if it stays false."""
    for _ in range(6000):
        if condition():
            return True
        time.sleep(0.01)
    return False


def stands_in(thread: threading.Thread, outer: str, inner: str) -> bool:
    """Return whether a thread is inside a call of `inner` made by `outer`."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and frame.f_back is not None:
        if (frame.f_code.co_name, frame.f_back.f_code.co_name) == (inner, outer):
            return True
        frame = frame.f_back
    return False
