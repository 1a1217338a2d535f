# SPDX-License-Identifier: MIT
"""The queue for a library: first come, first served, also if waiting processes are killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.store.errors import LibraryInUseError
from focal_photos.browser.catalog.store.files import file_lock
from focal_photos.browser.catalog.store.files.file_lock import FileLock
from focal_photos.browser.catalog.store.lock import LibraryLock, Patience
from focal_photos.browser.catalog.store.queue import Queue
from tests.browser.catalog.store.files.test_file_lock import without_locks
from tests.browser.operations.workers.processes import wait_for

WAIT = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.store.lock import LibraryLock, Patience
lock = LibraryLock(Path(sys.argv[1]), Patience(120.0))
with open(sys.argv[2], "a") as order:
    order.write(sys.argv[3] + "\\n")
lock.release()
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no queue without locks that can be waited for")


def tickets(folder: Path) -> list[int]:
    place = folder / "queue"
    return sorted(int(path.name) for path in place.iterdir()) if place.exists() else []


class Waiting:
    """Ten processes that queue one after another while this one holds the lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = LibraryLock(folder)
        self._processes: list[subprocess.Popen[bytes]] = []
        for number in range(10):
            command = [sys.executable, "-c", WAIT, str(folder), str(folder / "order"), str(number)]
            self._processes.append(subprocess.Popen(command))
            wait_for(lambda number=number: len(tickets(folder)) > number, "a ticket")  # type: ignore[misc]

    def kill(self, *numbers: int) -> None:
        for number in numbers:
            self._processes[number].send_signal(signal.SIGKILL)
            self._processes[number].wait()

    def served(self) -> list[int]:
        """Release the lock and return the order in which the processes acquired it."""
        self._lock.release()
        for process in self._processes:
            process.wait(timeout=120)
        return [int(line) for line in (self._folder / "order").read_text().split()]

    def end(self) -> None:
        self._lock.release()
        self.kill(*range(len(self._processes)))


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Waiting]:
    waiting = Waiting(tmp_path)
    yield waiting
    waiting.end()


def test_the_first_waiter_is_served_first(tmp_path: Path, waiting: Waiting) -> None:
    assert waiting.served() == list(range(10))
    assert tickets(tmp_path) == []


def test_a_killed_waiter_leaves_no_gap(tmp_path: Path, waiting: Waiting) -> None:
    waiting.kill(0, 4, 5, 9)
    assert waiting.served() == [1, 2, 3, 6, 7, 8]
    LibraryLock(tmp_path, Patience(60.0)).release()
    assert tickets(tmp_path) == [], "the ticket of the killed process is removed"


def test_a_later_process_does_not_overtake_a_waiter(tmp_path: Path) -> None:
    first = Queue(tmp_path)
    first.join()
    with pytest.raises(LibraryInUseError):
        LibraryLock(tmp_path, Patience(0.1))
    LibraryLock(tmp_path, Patience(0.0)).release()  # does not queue
    first.leave()
    LibraryLock(tmp_path, Patience(0.1)).release()


def test_a_library_without_waiters_has_no_queue(tmp_path: Path) -> None:
    LibraryLock(tmp_path, Patience(60.0)).release()
    assert not (tmp_path / "queue").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell which process is suspended")
def test_the_error_says_how_to_continue_a_suspended_program(tmp_path: Path) -> None:
    program = "import signal; signal.pause()"
    hold = WAIT.replace("lock.release()", program)
    command = [sys.executable, "-c", hold, str(tmp_path), str(tmp_path / "order"), "held"]
    with subprocess.Popen(command) as holder:
        try:
            wait_for((tmp_path / "order").exists, "the lock")
            for way, told in ((signal.SIGSTOP, True), (signal.SIGCONT, False)):
                holder.send_signal(way)
                wait_for(lambda told=told: ("suspended" in in_use(tmp_path)) == told, "the state")  # type: ignore[misc]
            holder.send_signal(signal.SIGSTOP)
            wait_for(lambda: f"kill -CONT {holder.pid} continues it" in in_use(tmp_path), "the remedy")
        finally:
            holder.kill()


def in_use(folder: Path) -> str:
    with pytest.raises(LibraryInUseError) as error:
        LibraryLock(folder)
    return str(error.value)


def test_the_error_names_the_holder_of_the_library(tmp_path: Path) -> None:
    held = LibraryLock(tmp_path)
    note = tmp_path / "lock.json"
    owner = json.loads(note.read_text())
    note.write_text(json.dumps({**owner, "program": "focal", "since": "2026-03-02T12:04:05.000006"}))
    found: list[str] = []
    with pytest.raises(LibraryInUseError) as error:
        LibraryLock(tmp_path, Patience(0.0, first=found.append))
    holder = rf"focal, since 2026-03-0\d \d\d:\d\d:05, process {os.getpid()} on {re.escape(owner['host'])}"
    assert re.fullmatch(holder, found[0])
    assert re.search(f"in use by {holder}: close that program and try again", str(error.value))
    held.release()


def test_an_exception_ends_the_waiting_and_admits_the_next(tmp_path: Path) -> None:
    def leave(_holder: str) -> None:
        raise KeyError

    held = LibraryLock(tmp_path)
    with pytest.raises(KeyError):
        LibraryLock(tmp_path, Patience(60.0, first=leave))
    assert tickets(tmp_path) == []
    held.release()
    LibraryLock(tmp_path, Patience(60.0)).release()


def test_a_waiter_that_gave_up_does_not_get_the_lock_later(tmp_path: Path) -> None:
    held = LibraryLock(tmp_path)
    with pytest.raises(LibraryInUseError):
        LibraryLock(tmp_path, Patience(0.05))
    held.release()
    wait_for(lambda: not any(thread.name == "focal-lock" for thread in threading.enumerate()), "the end")
    LibraryLock(tmp_path).release()


@pytest.mark.parametrize("way", ["filelock", "no locks"])
@pytest.mark.filterwarnings("ignore:.*not supported on this filesystem")
def test_without_system_locks_waiters_poll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    if way == "filelock":
        monkeypatch.setattr(file_lock, "fcntl", None)
    else:
        monkeypatch.setattr("fcntl.flock", without_locks)
    held = LibraryLock(tmp_path)
    with pytest.raises(LibraryInUseError):
        LibraryLock(tmp_path, Patience(0.3))
    assert tickets(tmp_path) == [], "a ticket that the system cannot remove would block all others"
    later = threading.Timer(0.3, held.release)
    later.start()
    LibraryLock(tmp_path, Patience(60.0)).release()
    later.join()


def test_a_lock_file_deleted_during_the_wait_is_not_held(tmp_path: Path) -> None:
    holder, waiting = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert holder.acquire()
    assert not waiting.acquire(0.05)
    (tmp_path / "lock").unlink()
    holder.release()
    assert waiting.acquire(60.0)
    assert not FileLock(tmp_path / "lock").acquire(), "the waiting lock holds the new file"
    waiting.release()
