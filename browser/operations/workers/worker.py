"""What a worker does: describe photos, one after the other. Imports neither the catalogue nor Qt."""

from __future__ import annotations

import faulthandler
import os
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from features.decoding.decode import ImageError
from features.description import Description, DescriptionPlan, describe

_NOTE: Final = struct.Struct("<qd")  # a photo's id and when it was begun
_IDLE: Final = _NOTE.pack(-1, 0.0)


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


class _Desk:
    """What a worker process keeps from batch to batch: the plan, and the note on which it says what it is doing.

    The note, a file under the process's id, outlives the process, so that whoever started it can tell which photo
    ended it.
    """

    def __init__(self, plan: DescriptionPlan, notes: Path) -> None:
        self.plan = plan
        self._note = os.open(notes / str(os.getpid()), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.pwrite(self._note, _IDLE, 0)  # takes the room on the disk

    @contextmanager
    def watched(self, photo_id: int) -> Iterator[None]:
        """End this process if what is done inside takes too long."""
        self._write(_NOTE.pack(photo_id, time.monotonic()))
        # A thread of C's own, which needs no lock of Python's: a decoder that holds that lock is ended too.
        faulthandler.dump_traceback_later(self.plan.seconds_per_photo, exit=True)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
            self._write(_IDLE)

    def _write(self, note: bytes) -> None:
        with suppress(OSError):  # without a note, all photos that were handed out are suspects
            os.pwrite(self._note, note, 0)


_desk: _Desk | None = None


def prepare_worker(niceness: int, parent: int, plan: DescriptionPlan, notes: Path) -> None:
    """Make this process a worker and a good neighbor: one thread, low priority, an end when its parent ends.

    Parameters
    ----------
    niceness : int
    parent : int
        Id of the process without which this one ends.
    plan : DescriptionPlan
        For `describe_here`.
    notes : pathlib.Path
        Folder for the note on the photo that is being described; see `read_notes`.
    """
    global _desk  # noqa: PLW0603 - a process is one worker
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
    _desk = _Desk(plan, notes)


def read_notes(notes: Path) -> dict[int, float]:
    """Return which photos the workers were describing when they ended, with the moment when each was begun."""
    begun: dict[int, float] = {}
    for path in notes.iterdir():
        data = path.read_bytes()
        if len(data) == _NOTE.size and data != _IDLE:
            photo_id, moment = _NOTE.unpack(data)
            begun[photo_id] = moment
    return begun


def ping() -> bool:
    """Return True: the process lives and could import what it needs."""
    return True


def describe_here(tasks: Sequence[Task]) -> list[Outcome]:
    """Describe a batch by the plan that `prepare_worker` left in this process; a photo that takes too long ends it."""
    if _desk is None:
        raise RuntimeError("prepare_worker was not called in this process")
    outcomes = []
    for task in tasks:
        with _desk.watched(task.photo_id):
            outcomes.append(describe_photo(task, _desk.plan))
    return outcomes


def describe_with(tasks: Sequence[Task], plan: DescriptionPlan) -> list[Outcome]:
    """Describe a batch in a process that is not ours to end: in a thread, or on a cluster.

    A photo that takes too long is left to a thread of its own, and the others go on.
    """
    return [_within(task, plan) for task in tasks]


def describe_photo(task: Task, plan: DescriptionPlan) -> Outcome:
    """Describe one photo; whatever goes wrong with it is an outcome too."""
    try:
        description = describe(task.path, plan, task.names)
    except ImageError as error:
        unread = _reading_error(task.path)
        return Outcome(task, None, unread or str(error), lasting=not unread)
    except Exception as error:  # a fault of ours with one odd photo must not keep all others from being described
        return Outcome(task, None, f"Focal cannot describe it ({type(error).__name__}: {error}).", lasting=True)
    arrays = [*description.vectors.values(), *(found.vectors for found in description.patches.values())]
    if not all(np.isfinite(array).all() for array in arrays):
        return Outcome(task, None, "Focal cannot describe it (values that are not finite).", lasting=True)
    return Outcome(task, description)


def too_late(task: Task, seconds: float) -> Outcome:
    """Return the outcome for a photo that took longer than it may."""
    reason = f"Its decoding took longer than {seconds:g} seconds: raise the limit if your disk or computer is slow."
    return Outcome(task, None, reason, lasting=True)


def _within(task: Task, plan: DescriptionPlan) -> Outcome:
    found: list[Outcome] = []
    thread = threading.Thread(target=lambda: found.append(describe_photo(task, plan)), daemon=True)
    thread.start()
    thread.join(plan.seconds_per_photo)
    return found[0] if found else too_late(task, plan.seconds_per_photo)


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
