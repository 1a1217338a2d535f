# SPDX-License-Identifier: MIT
"""Freed memory is returned to the system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.operations.jobs.memory import release_memory

_MB = 1 << 20


def resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="other allocators have no such call")
def test_memory_freed_below_a_used_block_is_returned() -> None:
    release_memory()
    blocks = [np.ones(12_000) for _ in range(2500)]  # 96 kB each: too small for a separate memory map
    held = blocks[::100]  # prevents the allocator from returning the memory below
    full = resident()
    del blocks
    release_memory()
    assert resident() < full - 150 * _MB
    assert all(block[0] == 1 for block in held)


_KEEPS = """
import sys, threading
from pathlib import Path
import numpy as np
from focal_photos.browser.operations.jobs.memory import limit_free_memory

def resident():
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 >> 20

if sys.argv[1] == "little":
    limit_free_memory()
del [np.ones(30 << 17)][0]  # from here on the allocator would keep arrays of up to 30 MB
before, held = resident(), []

def work():
    arrays = [np.ones(20 << 17) for _ in range(3)]
    held.extend(np.ones(1000) for _ in range(100))  # some lie above them, and not in a hole below

for _ in range(8):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
arrays = [np.ones(20 << 17) for _ in range(8)]
held.extend(np.ones(1000) for _ in range(100))
del arrays
print(resident() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other allocators have no such call")
def test_large_arrays_are_returned_while_others_are_in_use() -> None:
    def kept(how: str) -> int:
        done = subprocess.run([sys.executable, "-c", _KEEPS, how], check=True, capture_output=True, text=True)
        return int(done.stdout)

    assert kept("little") < 20
    assert kept("all") > 50, "the allocator retains memory (otherwise the release is not needed)"
