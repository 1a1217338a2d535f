"""Gives memory back to the system after work that needed much of it."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any


def hand_back_memory() -> None:
    """Let the allocator return what it keeps of freed memory, where it can be told to; takes milliseconds.

    The GNU allocator keeps freed memory as long as something above it is in use: what a training needed for seconds
    would count as this program's until it ends. Others return it by themselves.
    """
    trim = _malloc_trim()
    if trim is not None:
        trim(0)


@cache
def _malloc_trim() -> Any:
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
