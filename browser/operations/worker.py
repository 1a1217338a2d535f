"""What a worker process does: describe photos, one after the other. Imports neither the catalogue nor Qt."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from features.description import Description, describe
from features.image import ImageError


@dataclass(frozen=True)
class Task:
    """A photo to describe.

    Attributes
    ----------
    photo_id : int
    path : pathlib.Path
        One of its files.
    names : tuple of str
        Descriptors that it lacks.
    """

    photo_id: int
    path: Path
    names: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What became of one `Task`.

    Attributes
    ----------
    description : Description or None
        None if it failed.
    failure : str
        Why it failed, in words for a person; empty if it did not.
    lasting : bool
        True if the content is to blame, so that another try is of no use until the file changes. False if the file
        could not be read: its disk may be away.
    """

    task: Task
    description: Description | None = None
    failure: str = ""
    lasting: bool = False


def prepare_worker(niceness: int, parent: int) -> None:
    """Make the process a good neighbour: one thread, low priority, and an end when the process `parent` ends."""
    cv2.setNumThreads(1)
    # Decoders written in C complain about odd files there, line by line; what matters comes back as an `Outcome`.
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - no file
        os.dup2(nowhere.fileno(), 2)
    if hasattr(os, "nice"):
        os.nice(niceness)
    if hasattr(os, "sched_setscheduler"):
        # Linux then does not take the core from the window whenever a worker has something to do again.
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def ping() -> bool:
    """Return True: the process lives and could import what it needs."""
    return True


def describe_photo(task: Task) -> Outcome:
    """Describe one photo; whatever goes wrong with it is an outcome too."""
    try:
        description = describe(task.path, task.names)
    except ImageError as error:
        unread = _reading_error(task.path)
        return Outcome(task, None, unread or str(error), lasting=not unread)
    except Exception as error:  # a fault of ours with one odd photo must not keep all others from being described
        return Outcome(task, None, f"Focal cannot describe it ({type(error).__name__}: {error}).", lasting=True)
    if not all(np.isfinite(vector).all() for vector in description.vectors.values()):
        return Outcome(task, None, "Focal cannot describe it (values that are not finite).", lasting=True)
    return Outcome(task, description)


def describe_photos(tasks: Sequence[Task]) -> list[Outcome]:
    """Describe a batch."""
    return [describe_photo(task) for task in tasks]


def _reading_error(path: Path) -> str:
    """Return why the bytes cannot be read, or an empty string if they can: then the content is to blame."""
    try:
        with path.open("rb") as stream:
            while stream.read(1 << 20):
                pass
    except OSError as error:
        return f"The file cannot be read: {error.strerror or type(error).__name__}."
    return ""


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, even if that was killed and could say nothing."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
