"""How numpy and its libraries are loaded, and with which settings: import this module before them."""

from __future__ import annotations

import os

# numpy and scipy carry an OpenBLAS each, whose threads spin while they wait for work and so take the cores from one
# another. 4 is the logarithm to base 2 of the turns they spin: they sleep at once (OpenBLAS, issue 5171).
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

WORKER_ENVIRONMENT = {
    # One thread each: there are as many of them as cores.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONFAULTHANDLER": "",
    # The GNU allocator would hand the memory of one photo's filter responses back to the system and ask again, page
    # by page, for the next: that costs as much as the transforms. So it keeps up to 32 MB.
    "MALLOC_MMAP_THRESHOLD_": str(16 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(32 << 20),
}
"""Environment of worker processes."""
