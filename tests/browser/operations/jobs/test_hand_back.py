"""Memory that was freed is the system's again."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.operations.jobs.hand_back import hand_back_memory

_MB = 1 << 20


def resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="other allocators cannot be told to")
def test_what_is_freed_below_something_in_use_is_handed_back() -> None:
    hand_back_memory()
    blocks = [np.ones(12_000) for _ in range(2500)]  # 96 kB each: too small for a map of its own
    held = blocks[::100]  # keeps the allocator from giving back what lies below
    full = resident()
    del blocks
    hand_back_memory()
    assert resident() < full - 150 * _MB
    assert all(block[0] == 1 for block in held)
