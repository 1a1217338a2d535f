"""Programs that carry their own Python, as PyInstaller makes them ("frozen"): they are their own worker processes."""

from __future__ import annotations

import sys
from typing import Final

WORKER: Final = "--focal-worker"
"""First argument of a frozen program that is started as a worker process."""

IS_WORKER: Final = "FOCAL_WORKER"
"""Set in the environment of worker processes: a frozen program that does not look for `WORKER` would start itself
again and again."""


def is_frozen() -> bool:
    """Tell whether the executable of this process is the program itself, which takes no code from its arguments."""
    return bool(getattr(sys, "frozen", False))


def freeze_support() -> None:
    """Do the work of a worker process, and end, if this process was started as one; otherwise return at once.

    A frozen program calls this where it begins, before anything else, as it would call
    `multiprocessing.freeze_support`, which is called here too. The command ``focal`` does.
    """
    if not is_frozen():
        return
    if sys.argv[1:2] == [WORKER]:
        from focal_photos.browser.operations.workers.worker_main import serve  # here: it loads numpy

        serve()
    import multiprocessing

    multiprocessing.freeze_support()
