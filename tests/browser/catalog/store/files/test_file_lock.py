# SPDX-License-Identifier: MIT
"""The lock of a library has one holder, within and across processes, with every kind of lock that a system supports."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock as OtherLock
from filelock import Timeout

from focal_photos.browser.catalog.store.files import file_lock
from focal_photos.browser.catalog.store.files.file_lock import FileLock

HOLD = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.store.files.file_lock import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.acquire(), flush=True)
sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    """Start a process that takes the lock and holds it until its standard input is closed."""
    command = [sys.executable, "-c", HOLD, str(path)]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    assert started.stdout.readline() == "True\n"
    return started


def without_locks(_file: int, _how: int) -> None:
    """Raise the error of a drive without locks."""
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))


@pytest.fixture(params=["flock", "filelock"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Both implementations: the system call, and filelock, as on Windows."""
    if request.param == "filelock":
        monkeypatch.setattr(file_lock, "fcntl", None)
    return request.param


@pytest.mark.usefixtures("way")
def test_the_lock_is_held_until_released(tmp_path: Path) -> None:
    one, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert one.acquire()
    assert one.is_held
    assert one.acquire()
    assert not other.acquire()
    assert not other.is_held
    one.release()
    one.release()
    assert not one.is_held
    assert other.acquire()
    other.release()
    assert (tmp_path / "lock").exists()


@pytest.mark.usefixtures("way")
def test_the_lock_of_another_process_is_held_until_it_is_killed(tmp_path: Path) -> None:
    process = holder(tmp_path / "lock")
    lock = FileLock(tmp_path / "lock")
    assert not lock.acquire()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert lock.acquire()
    lock.release()


def test_the_lock_works_together_with_earlier_versions(tmp_path: Path) -> None:
    own, earlier = FileLock(tmp_path / "lock"), OtherLock(tmp_path / "lock", thread_local=False)
    assert own.acquire()
    with pytest.raises(Timeout):
        earlier.acquire(blocking=False)
    own.release()
    with earlier:
        assert not own.acquire()
    assert own.acquire()
    own.release()


def test_a_lock_without_references_is_released(tmp_path: Path) -> None:
    forgotten = FileLock(tmp_path / "lock")
    assert forgotten.acquire()
    del forgotten
    lock = FileLock(tmp_path / "lock")
    assert lock.acquire()
    lock.release()


def test_a_file_marks_the_lock_on_drives_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    monkeypatch.setattr("fcntl.flock", without_locks)
    one, other = FileLock(path), FileLock(path)
    with pytest.warns(UserWarning, match="not supported on this filesystem"):
        assert one.acquire()
    with pytest.warns(UserWarning, match="not supported on this filesystem"):
        assert not other.acquire()
    one.release()
    with pytest.warns(UserWarning, match="not supported on this filesystem"):
        assert other.acquire()
    other.release()


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("what is there")
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        FileLock(tmp_path / "lock").acquire()
    assert (tmp_path / "elsewhere").read_text() == "what is there"


def test_a_deleted_lock_file_is_recreated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, deletions, flock = tmp_path / "lock", iter([True]), fcntl.flock

    def meanwhile_deleted(file: int, how: int) -> None:
        if next(deletions, False):
            path.unlink()
        flock(file, how)

    monkeypatch.setattr("fcntl.flock", meanwhile_deleted)
    lock, other = FileLock(path), FileLock(path)
    assert lock.acquire()
    assert path.exists()
    assert not other.acquire()
    lock.release()


def test_only_one_of_many_threads_gets_the_lock(tmp_path: Path) -> None:
    locks, begin, found = [FileLock(tmp_path / "lock") for _ in range(16)], threading.Barrier(16), []

    def ask(lock: FileLock) -> None:
        begin.wait()
        found.append(lock.acquire())

    threads = [threading.Thread(target=ask, args=(lock,)) for lock in locks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(True) == 1
    for lock in locks:
        lock.release()
