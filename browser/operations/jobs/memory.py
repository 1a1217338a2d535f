# SPDX-License-Identifier: MIT
"""Return memory to the system after and during memory-intensive work."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any, Final

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
"""Parameters of mallopt(3)."""

_MIN_MAPPED_BYTES: Final = 16 << 20
"""Minimum bytes of an array with separate pages, which are released with the array.

With 1 MB, training took a third longer, because short-lived arrays got new pages each time.
"""

_ARENAS: Final = 4
"""Maximum number of allocation arenas for threads; each retains freed memory."""


def release_memory() -> None:
    """Let the allocator release freed memory to the system, if possible; takes milliseconds.

    The GNU allocator retains freed memory below memory in use: the memory of a training of seconds would count as used
    until the program ends. Other allocators release it automatically.
    """
    trim = _of_the_allocator("malloc_trim")
    if trim is not None:
        trim(0)


def limit_free_memory() -> None:
    """Limit the freed memory that the allocator retains in a long-running program, if possible.

    By default, the GNU allocator retains up to 64 MB for each thread once an array of 32 MB was freed. With a library
    of 100,000 photos, the window used 740 MB after two trainings by default, and 530 MB with this limit. Call it before
    threads start.
    """
    option = _of_the_allocator("mallopt")
    if option is not None:
        option(_MMAP_THRESHOLD, _MIN_MAPPED_BYTES)
        option(_TRIM_THRESHOLD, _MIN_MAPPED_BYTES)
        option(_ARENA_MAX, _ARENAS)


@cache
def _of_the_allocator(name: str) -> Any:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
