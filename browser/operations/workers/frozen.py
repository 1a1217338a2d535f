# SPDX-License-Identifier: MIT
"""Support for frozen programs with their own Python, as made by PyInstaller, which are their own workers."""

from __future__ import annotations

import sys
from typing import Final

WORKER: Final = "--focal-worker"
"""First argument of a frozen program started as a worker process."""

IS_WORKER: Final = "FOCAL_WORKER"
"""Environment variable of worker processes.

It keeps a frozen program that ignores `WORKER` from starting itself endlessly.
"""


def is_frozen() -> bool:
    """Tell whether the executable of this process is the program itself, which takes no code as an argument."""
    return bool(getattr(sys, "frozen", False))


def freeze_support() -> None:
    """Run as a worker process and exit if this process was started as one; otherwise return at once.

    A frozen program calls this before anything else, instead of `multiprocessing.freeze_support`, which is called too.
    The command ``focal`` does so.
    """
    if not is_frozen():
        return
    if sys.argv[1:2] == [WORKER]:
        from focal_photos.browser.operations.workers.worker_main import serve  # here: it loads numpy

        serve()
    import multiprocessing

    multiprocessing.freeze_support()
