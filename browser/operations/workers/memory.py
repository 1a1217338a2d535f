# SPDX-License-Identifier: MIT
"""Memory available for decoding, considering the machine, the container and free memory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

_SHARE: Final = 0.75  # share of all memory that Focal may use
_MIN_BYTES: Final = 1 << 30  # enough for any photo of 100 megapixels
_UNKNOWN: Final = 8 << 30
_FREE: Final = Path("/proc/meminfo")
_CONTAINER: Final = (
    Path("/sys/fs/cgroup/memory.max"),  # version 2
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),  # version 1
)


def usable_memory() -> int:
    """Return the bytes that Focal may use in total."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        whole = _UNKNOWN
    return int(_SHARE * min([whole, *_limits(_CONTAINER)]))


def decoding_memory(free: Path = _FREE) -> int:
    """Return the bytes for photos decoded at the same time.

    This is half of the free memory, so that other programs are not displaced; if unknown, half of `usable_memory`. It
    is at least 1 GiB and at most `usable_memory`.
    """
    usable = usable_memory()
    available = usable
    with suppress(OSError, ValueError, StopIteration):
        line = next(line for line in free.read_text().splitlines() if line.startswith("MemAvailable:"))
        available = int(line.split()[1]) << 10
    return min(usable, max(_MIN_BYTES, min(available, usable) // 2))


def own_memory(pid: int) -> int | None:
    """Return the approximate private bytes of a process; None if unknown."""
    try:
        _, resident, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[:3])
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _limits(files: Iterable[Path]) -> list[int]:
    """Return the memory limits of this group of processes; huge or missing numbers mean no limit."""
    found = []
    for file in files:
        with suppress(OSError, ValueError):
            found.append(int(file.read_text()))
    return found
