"""Environment of numpy and its libraries. Import this module before them."""

from __future__ import annotations

import os

# numpy and scipy each load an OpenBLAS, whose threads spin while they wait for work and so slow each other down. The
# value is log2 of the number of spins: with 4, threads sleep almost at once (OpenBLAS, issue 5171).
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

WORKER_ENVIRONMENT = {
    # One thread per process: there are as many processes as cores.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONFAULTHANDLER": "",
    # By default, the GNU allocator returns the memory of one photo's filter responses to the system and requests it
    # again page by page for the next photo: that takes as long as the transforms. Let it retain up to 32 MB.
    "MALLOC_MMAP_THRESHOLD_": str(16 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(32 << 20),
}
"""Environment variables of worker processes."""
