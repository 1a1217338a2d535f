# SPDX-License-Identifier: MIT
"""Single calls in worker processes: a dead or blocked process is replaced and reported, and affects no other call."""

from __future__ import annotations

import ctypes
import importlib
import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.operations.workers.memory import usable_memory
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.sandbox import decode_in_sandbox, sandbox
from focal_photos.browser.operations.workers.worker_process import (
    CancelledError,
    EndedProcessError,
    StartError,
    TookTooLongError,
)
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.limits import DecodeLimits, ImageError, ImageTooLargeError, UnreadableImageError
from tests.browser.operations.workers.processes import is_running, wait_for
from tests.features.pictures import file_bytes, scene

LONG = 600
"""Duration of a call that is to be terminated, in seconds."""

SOON = 60.0
"""Longest time for its termination on a busy machine, in seconds."""


@pytest.fixture(scope="module")
def children() -> Iterator[ProcessPool]:
    made = ProcessPool()
    yield made
    made.close()
    assert made.pids == []


def crash() -> None:
    ctypes.string_at(0)


def crash_once(note: str) -> str:
    if not Path(note).exists():
        Path(note).touch()
        os._exit(3)
    return "done"


def block() -> None:
    time.sleep(LONG)


def block_with_the_lock() -> None:
    """Sleep in C while holding Python's lock, as a hanging decoder may."""
    ctypes.PyDLL(None).sleep(LONG)


def block_and_tell(note: str) -> None:
    Path(note).touch()
    time.sleep(LONG)


def take_memory(size: int) -> int:
    return int(np.ones(size, np.uint8)[-1])


def chatter() -> str:
    print("to standard output", flush=True)
    os.write(1, b"more of it")
    return sys.stdin.read()


class _Nowhere:
    def __call__(self) -> None:
        raise AssertionError("this cannot be called")

    def __reduce__(self) -> tuple[object, ...]:
        return importlib.import_module, ("no_such_module",)


def test_the_sandbox_decodes_as_this_process(children: ProcessPool, tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(file_bytes(scene(500, 300)))
    for source in (path, path.read_bytes()):
        far, here = decode_in_sandbox(source, side=200), decode(source, side=200)
        np.testing.assert_array_equal(far.rgb, here.rgb)
        assert far.header == here.header
        assert not far.rgb.flags.writeable
    with pytest.raises(ImageTooLargeError, match="150,000"):
        decode_in_sandbox(path, side=200, limits=DecodeLimits(max_pixels=1000))
    with pytest.raises(UnreadableImageError):
        decode_in_sandbox(b"no image", side=200)


@pytest.mark.slow
def test_results_of_any_size_arrive_complete(children: ProcessPool) -> None:
    for size in (0, 1, 1 << 20, (1 << 24) + 3):
        rows: NDArray[np.int64] = children.call(np.arange, size)
        np.testing.assert_array_equal(rows, np.arange(size))
    assert children.call(len, b"x" * 3_000_000) == 3_000_000


@pytest.mark.slow
def test_a_dead_process_is_replaced(children: ProcessPool) -> None:
    with pytest.raises(EndedProcessError, match="ended the process") as caught:
        children.call(crash)
    assert isinstance(caught.value, ImageError)
    assert children.call(abs, -3) == 3


def test_a_single_death_is_repaired_by_a_second_try(children: ProcessPool, tmp_path: Path) -> None:
    assert children.call(crash_once, str(tmp_path / "note")) == "done"


def test_a_process_that_ended_between_two_calls_is_replaced(children: ProcessPool) -> None:
    children.call(abs, 1)
    for pid in children.pids:
        os.kill(pid, 9)
    assert children.call(abs, -2) == 2


@pytest.mark.parametrize("keeps_the_lock", [False, True])
def test_a_call_beyond_its_time_limit_is_terminated(children: ProcessPool, keeps_the_lock: bool) -> None:
    children.call(abs, 1)
    start = time.monotonic()
    with pytest.raises(TookTooLongError, match=r"longer than 0\.3 seconds"):
        children.call(block_with_the_lock if keeps_the_lock else block, seconds=0.3)
    assert time.monotonic() - start < SOON
    assert children.call(abs, -3) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a limit of memory")
def test_memory_is_limited() -> None:
    children = ProcessPool(memory=1 << 30)
    try:
        assert children.call(take_memory, 1 << 20) == 1
        with pytest.raises(ImageTooLargeError, match="memory"):
            children.call(take_memory, 2 << 30)
        assert children.call(take_memory, 1 << 20) == 1
    finally:
        children.close()


def test_printed_text_does_not_disturb_the_answers(children: ProcessPool) -> None:
    assert children.call(chatter) == ""
    assert children.call(abs, -3) == 3


def test_exceptions_and_objects_that_cannot_be_pickled_are_raised(children: ProcessPool) -> None:
    with pytest.raises(ZeroDivisionError):
        children.call(divmod, 1, 0)
    with pytest.raises(ModuleNotFoundError):  # a function that only this process has
        children.call(_Nowhere())
    with pytest.raises(RuntimeError, match="cannot travel"):
        children.call(threading.Lock)
    assert children.call(abs, -3) == 3


def test_a_call_can_be_cancelled(children: ProcessPool, tmp_path: Path) -> None:
    note, cancelled = tmp_path / "note", threading.Event()

    def cancel() -> None:
        wait_for(note.exists, "the call")
        cancelled.set()

    thread = threading.Thread(target=cancel)
    thread.start()
    start = time.monotonic()
    with pytest.raises(CancelledError):
        children.call(block_and_tell, str(note), cancelled=cancelled)
    thread.join()
    with pytest.raises(CancelledError):
        children.call(abs, 1, cancelled=cancelled)
    assert time.monotonic() - start < SOON
    assert children.call(abs, -3) == 3


def test_many_threads_share_few_processes(children: ProcessPool) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: children.call(abs, -n), range(200))) == list(range(200))
    assert 1 <= len(children.pids) <= 2


@pytest.mark.slow
def test_closing_ends_calls_and_processes(tmp_path: Path) -> None:
    children = ProcessPool(size=1)
    children.warm_up()
    children.warm_up()
    (pid,) = children.pids
    assert children.call(abs, -1) == 1
    with ThreadPoolExecutor(2) as pool:
        notes = [tmp_path / "first", tmp_path / "second"]
        first = pool.submit(children.call, block_and_tell, str(notes[0]))
        wait_for(notes[0].exists, "the first call")
        second = pool.submit(children.call, block_and_tell, str(notes[1]))
        wait_for(second.running, "the second call, which waits for its turn")
        children.interrupt()
        assert isinstance(first.exception(timeout=SOON), CancelledError)
        wait_for(notes[1].exists, "its turn")
        children.close()
        assert isinstance(second.exception(timeout=SOON), CancelledError)
    assert children.pids == []
    wait_for(lambda: not is_running(pid), "the end of the process")
    with pytest.raises(CancelledError):
        children.call(abs, 1)
    children.close()


def test_processes_end_with_a_killed_parent() -> None:
    script = """
        import time
        from focal_photos.browser.operations.workers.sandbox import sandbox
        sandbox().call(abs, -1)
        print(*sandbox().pids, flush=True)
        sandbox().call(time.sleep, 60)
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE)
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    wait_for(lambda: not is_running(pid), "the end of the process")


def test_the_sandbox_of_the_program_ends_with_it() -> None:
    script = (
        "from focal_photos.browser.operations.workers.sandbox import sandbox\n"
        "sandbox().call(abs, -1); print(*sandbox().pids)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stderr == ""
    wait_for(lambda: not is_running(int(done.stdout)), "the end of the process")
    assert sandbox() is sandbox()


def test_the_memory_of_the_system_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    def says_nothing(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(os, "sysconf", says_nothing)
    assert usable_memory() == 6 << 30


def test_a_system_that_starts_no_process_raises_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pool = ProcessPool()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(StartError, match=r"no-python cannot be run \(No such file or directory\)"):
        pool.call(os.getpid)
    assert pool.pids == []
    monkeypatch.undo()
    assert pool.call(os.getpid) != os.getpid()
    pool.close()
