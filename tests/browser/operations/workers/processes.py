"""Worker processes as the system sees them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")


def workers_of(parent: int | None = None) -> list[int]:
    """Return the worker processes that a process started; this one, if not given."""
    found = []
    for task in Path(f"/proc/{parent or os.getpid()}/task").glob("*"):
        try:
            children = (task / "children").read_text().split()
            found += [int(pid) for pid in children if b"worker_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            continue
    return sorted(found)


def is_running(pid: int) -> bool:
    """Tell whether a process is there and no mere entry that its parent has not read yet, as far as that is known."""
    if not Path("/proc/self/stat").exists():
        try:
            os.kill(pid, 0)
        except OSError:
            return False
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(condition: Callable[[], T], what: str, seconds: float = 60.0) -> T:
    """Return the first result that is true, and fail if there is none in time."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not come in {seconds:g} s")
        time.sleep(0.002)
    return found


def finish_within(seconds: float, function: Callable[[], T]) -> T:
    """Return what a function returns or raises, and fail where it hangs."""
    results: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        pytest.fail(f"it hangs: not done after {seconds:g} s")
    if errors:
        raise errors[0]
    return results[0]
