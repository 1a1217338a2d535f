# SPDX-License-Identifier: MIT
"""Processes between two jobs: which are cached, which pool gets them, and when they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from focal_photos.browser.operations.workers.idle_processes import THREAD, IdleProcesses, idle_processes
from focal_photos.browser.operations.workers.memory import own_memory
from focal_photos.browser.operations.workers.process_pool import ProcessPool, leaving
from focal_photos.browser.operations.workers.watchdog import Watchdog
from focal_photos.browser.operations.workers.worker_process import (
    CancelledError,
    EndedProcessError,
    ProcessSettings,
    WorkerProcess,
    packed_setup,
)
from tests.browser.operations.workers.processes import finish_within, is_running, wait_for

MEMORY: Final = (4 << 30) + 4096
"""Memory limit that no other pool uses: the processes of these tests are not lent to other tests."""

pytestmark = pytest.mark.usefixtures("no_idle_processes")
SETTINGS: Final = ProcessSettings(MEMORY)
LONG: Final = 600.0

_set_up: list[str] = []


def note(text: str) -> None:
    _set_up[:] = [text]


def noted() -> list[str]:
    return _set_up


_held: list[np.ndarray] = []


def hold(megabytes: int) -> None:
    _held.append(np.ones(megabytes << 20, np.uint8))


def new_pool(size: int = 1, text: str = "", *, memory: int = MEMORY, background: bool = False) -> ProcessPool:
    return ProcessPool(size, memory, setup=(note, (text,)) if text else None, background=background, reuse_idle=True)


@pytest.fixture
def processes() -> Iterator[list[WorkerProcess]]:
    """Two ready processes."""
    made = [WorkerProcess(SETTINGS, packed_setup(SETTINGS), Watchdog()) for _ in range(2)]
    for process in made:
        process.wait_until_ready(None)
    yield made
    for process in made:
        process.end()


# ------------------------------------------------------------------ lending
def test_the_next_pool_takes_a_cached_process_with_its_own_setup() -> None:
    with leaving(new_pool(text="first")) as pool:
        pid = pool.call(os.getpid)
        assert pool.call(noted) == ["first"]
    assert pool.pids == []
    assert idle_processes().pids == [pid]
    with leaving(new_pool(text="second")) as pool:
        assert pool.call(noted) == ["second"]
        assert pool.pids == [pid]
        assert idle_processes().pids == []
    with leaving(new_pool()) as pool:
        assert pool.call(os.getpid) == pid, "a call without set-up takes it too"
        pool.set_up((note, ("third",)))
        assert pool.call(noted) == ["third"]


def test_pools_with_other_settings_start_their_own_processes() -> None:
    with leaving(new_pool()) as pool:
        pid = pool.call(os.getpid)
    others = (new_pool(memory=MEMORY + 4096), new_pool(background=True), ProcessPool(1, MEMORY))
    for other in others:
        with closing(other):
            assert other.call(os.getpid) != pid
    assert idle_processes().pids == [pid]


def test_a_closed_pool_leaves_no_process() -> None:
    with closing(new_pool()) as pool:
        pid = pool.call(os.getpid)
    assert idle_processes().pids == []
    assert not is_running(pid)


def test_a_process_that_died_in_the_meantime_is_replaced() -> None:
    with leaving(new_pool()) as pool:
        pid = pool.call(os.getpid)
    os.kill(pid, signal.SIGKILL)
    with closing(new_pool()) as pool:
        assert pool.call(os.getpid) != pid


# ------------------------------------------------------------------ processes that are not cached
def test_an_interrupted_or_dead_process_is_not_cached() -> None:
    with leaving(new_pool(2)) as pool:
        whole = pool.call(os.getpid)
        started = threading.Event()
        raised: list[Exception] = []

        def call() -> None:
            started.set()
            try:
                pool.call(time.sleep, LONG, seconds=LONG)
            except CancelledError as error:
                raised.append(error)

        calling = threading.Thread(target=call)
        calling.start()
        started.wait()
        wait_for(lambda: len(pool.pids) == 1 and not pool._idle, "the call")
        assert pool.call(os.getpid) != whole, "another, idle process"
        (idle,) = set(pool.pids) - {whole}
    finish_within(60, calling.join)
    assert len(raised) == 1
    assert idle_processes().pids == [idle]
    wait_for(lambda: not is_running(whole), "the end of the interrupted process")
    with leaving(new_pool()) as pool, pytest.raises(EndedProcessError):
        pool.call(os._exit, 1)
    assert idle_processes().pids == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell what a process has")
def test_a_process_that_holds_much_memory_is_not_cached() -> None:
    with leaving(new_pool()) as pool:
        pid = pool.call(os.getpid)
        (own,) = [own_memory(pid)]
        assert own is not None
        assert own < 64 << 20
        pool.call(hold, 256)
    assert idle_processes().pids == []
    assert not is_running(pid)


def test_cached_processes_have_a_common_memory_limit(processes: list[WorkerProcess]) -> None:
    first, second = processes
    own = own_memory(second.pid)
    if own is None:
        pytest.skip("the system does not tell what a process has")
    kept = IdleProcesses(LONG, room=own * 3 // 2)
    kept.keep([first], SETTINGS)
    kept.keep([second], SETTINGS)
    assert kept.pids == [second.pid], "the older process was ended"
    assert not is_running(first.pid)
    kept.close()


# ------------------------------------------------------------------ end
def test_cached_processes_end_after_a_while(processes: list[WorkerProcess]) -> None:
    kept = IdleProcesses(0.1)
    kept.keep(processes, SETTINGS)
    wait_for(lambda: not any(is_running(process.pid) for process in processes), "their end")
    wait_for(lambda: not kept.pids, "that they are not offered any more")
    wait_for(lambda: kept._thread is None, "the end of the thread, which has nothing to wait for")
    assert kept.take(SETTINGS) is None


def test_a_lent_process_does_not_end_while_in_use(processes: list[WorkerProcess]) -> None:
    now = 0.0
    kept = IdleProcesses(20.0, clock=lambda: now)
    kept.keep(processes, SETTINGS)
    first, second = processes
    assert kept.take(SETTINGS) is second, "the process used last"
    now = 20.0
    kept.keep([], SETTINGS)
    kept.end()  # wakes the thread
    wait_for(lambda: kept._thread is None, "the end of the thread")
    assert not is_running(first.pid)
    assert second.alive


def test_cached_processes_end_when_memory_is_needed_and_with_the_program(processes: list[WorkerProcess]) -> None:
    with leaving(new_pool()) as pool:
        pid = pool.call(os.getpid)
    with closing(new_pool(memory=MEMORY + 4096)) as other:
        other.release()
    assert idle_processes().pids == []
    assert not is_running(pid)
    kept = IdleProcesses(LONG)
    kept.keep(processes[:1], SETTINGS)
    kept.close()
    kept.keep(processes[1:], SETTINGS)
    assert kept.pids == [], "no process is cached any more"
    assert not any(is_running(process.pid) for process in processes)


SCRIPT: Final = textwrap.dedent("""
    import os, sys
    from focal_photos.browser.operations.workers.idle_processes import idle_processes
    from focal_photos.browser.operations.workers.process_pool import ProcessPool, leaving
    with leaving(ProcessPool(1, reuse_idle=True)) as pool:
        pool.call(os.getpid)
    print(*idle_processes().pids, flush=True)
    sys.stdin.read()
""")


@pytest.mark.parametrize("killed", [False, True])
def test_cached_processes_end_however_the_program_ends(killed: bool) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        if killed:
            parent.kill()
        else:
            assert parent.stdin is not None
            parent.stdin.close()
            assert parent.wait(60) == 0
            assert parent.stderr.read() == b""
            assert not is_running(pid), "at once"
    wait_for(lambda: not is_running(pid), "the end of the process")


def test_the_thread_that_ends_cached_processes_is_named() -> None:
    with leaving(new_pool()) as pool:
        pool.call(os.getpid)
    assert [thread.daemon for thread in threading.enumerate() if thread.name == THREAD] == [True]
