"""Gives memory back to the system: what work needed that took much of it, and what is freed while it goes on."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any, Final

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
"""Of mallopt(3)."""

_LARGE: Final = 16 << 20
"""Bytes from which on an array has pages of its own, which are gone as soon as it is. From 1 MB on, training took a
third longer, for its arrays of a moment got new pages each time."""

_ARENAS: Final = 4
"""Places that threads allocate from: each keeps what was freed there, and every thread would begin one."""


def hand_back_memory() -> None:
    """Let the allocator return what it keeps of freed memory, where it can be told to; takes milliseconds.

    The GNU allocator keeps freed memory as long as something above it is in use: what a training needed for seconds
    would count as this program's until it ends. Others return it by themselves.
    """
    trim = _of_the_allocator("malloc_trim")
    if trim is not None:
        trim(0)


def keep_little_memory() -> None:
    """Let the allocator keep little of what is freed, in a program that runs for hours; where it can be told to.

    By itself the GNU allocator keeps up to 64 MB for each thread that ever ran, once an array of 32 MB was freed: of a
    library of 100,000 photos the window held 740 MB after two trainings, and so 530. Call it before threads begin.
    """
    option = _of_the_allocator("mallopt")
    if option is not None:
        option(_MMAP_THRESHOLD, _LARGE)
        option(_TRIM_THRESHOLD, _LARGE)
        option(_ARENA_MAX, _ARENAS)


@cache
def _of_the_allocator(name: str) -> Any:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
