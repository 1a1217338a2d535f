"""How much memory there is for photos that are decoded: of the machine, of the container, and now."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

_SHARE: Final = 0.75  # of all memory that what is done here may take together
_LEAST: Final = 1 << 30  # one photo of 100 megapixels must always be possible
_UNKNOWN: Final = 8 << 30
_FREE: Final = Path("/proc/meminfo")
_CONTAINER: Final = (
    Path("/sys/fs/cgroup/memory.max"),  # version 2
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),  # version 1
)


def usable_memory() -> int:
    """Return the bytes that all that is done here may take together."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        whole = _UNKNOWN
    return int(_SHARE * min([whole, *_limits(_CONTAINER)]))


def decoding_memory(free: Path = _FREE) -> int:
    """Return the bytes that photos which are decoded at the same time may take together.

    Half of what is free now, so that other programs need not make room; where the system does not say what is free,
    half of `usable_memory`. Never less than 1 GiB, never more than `usable_memory`.
    """
    usable = usable_memory()
    available = usable
    with suppress(OSError, ValueError, StopIteration):
        line = next(line for line in free.read_text().splitlines() if line.startswith("MemAvailable:"))
        available = int(line.split()[1]) << 10
    return min(usable, max(_LEAST, min(available, usable) // 2))


def own_memory(pid: int) -> int | None:
    """Return the bytes that a process shares with no other, about; None where the system does not tell.

    Parameters
    ----------
    pid : int
        Its number.
    """
    try:
        _, resident, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[:3])
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _limits(files: Iterable[Path]) -> list[int]:
    """Return what the system allows this group of processes; a number beyond all memory, or no number, is no limit."""
    found = []
    for file in files:
        with suppress(OSError, ValueError):
            found.append(int(file.read_text()))
    return found
