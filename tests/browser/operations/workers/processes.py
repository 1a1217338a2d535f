# SPDX-License-Identifier: MIT
"""Worker processes as seen by the system."""

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
    """Return the worker processes started by a process, by default this one."""
    found = []
    for task in Path(f"/proc/{parent or os.getpid()}/task").glob("*"):
        try:
            children = (task / "children").read_text().split()
            found += [int(pid) for pid in children if b"worker_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        except (FileNotFoundError, ProcessLookupError):  # ended in the meantime
            continue
    return sorted(found)


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie, if the system reports it."""
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
    """Return the first true result of a function, or fail after a time limit."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not come in {seconds:g} s")
        time.sleep(0.002)
    return found


def finish_within(seconds: float, function: Callable[[], T]) -> T:
    """Call a function in a thread, return its result or exception, and fail if it hangs."""
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
