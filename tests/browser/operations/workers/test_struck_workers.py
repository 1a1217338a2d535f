# SPDX-License-Identifier: MIT
"""Worker processes killed, stopped or starved of memory at any moment: nothing hangs, and nothing else is lost."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from focal_photos.browser.operations.workers import worker_process
from focal_photos.browser.operations.workers.describe_photos import MIN_POOL_PHOTOS, describe_photos
from focal_photos.browser.operations.workers.idle_processes import idle_processes
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.worker_process import StartError, TookTooLongError
from focal_photos.features.decoding.limits import ImageError, ImageTooLargeError
from focal_photos.features.description import DescriptionPlan
from tests.browser.operations.album import Album
from tests.browser.operations.workers.announced import DESCRIBING, READING, Announced, double
from tests.browser.operations.workers.processes import finish_within, is_running, wait_for, workers_of

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="processes are watched in /proc"),
    pytest.mark.usefixtures("no_idle_processes"),
]

STARTING = "starting"
STATES = [STARTING, READING, DESCRIBING]
HANGS = 120.0  # seconds; a hundred times what is needed
SECONDS = 8.0  # time limit of a photo or a call
PHOTOS = MIN_POOL_PHOTOS + 4


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)


def starve(pid: int) -> None:
    """Limit the memory of the process to its current use."""
    resource.prlimit(pid, resource.RLIMIT_AS, (1, 1))


STRIKES = [kill, stop, starve]


@contextmanager
def striking(
    folder: Path, state: str, strike: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Interrupt the first worker process that gets into a state, while it is in that state.

    A process stopped at its start is given up soon; its successor gets enough time for a busy machine.
    """
    # delays the end of its start until it is interrupted
    hold = folder / f"hold-{READING if state == STARTING else state}"
    hold.touch()
    before = workers_of()
    struck: list[int] = []
    if strike is stop and state != DESCRIBING:
        monkeypatch.setattr(worker_process, "START_SECONDS", 5.0 if state == STARTING else 15.0)

    def reached() -> list[int]:
        if state == STARTING:
            return [pid for pid in workers_of() if pid not in before]
        return [pid for pid in announced(folder, state) if is_running(pid)]

    def work() -> None:
        pid = wait_for(reached, f"a worker that is {state}")[0]
        strike(pid)
        struck.append(pid)
        hold.unlink()
        if strike is stop:
            wait_for(lambda: not is_running(pid), "the end of the stopped worker")
        monkeypatch.setattr(worker_process, "START_SECONDS", 60.0)

    thread = threading.Thread(target=work)
    thread.start()
    yield
    thread.join()
    assert struck


def announced(folder: Path, state: str) -> list[int]:
    """Return the processes that have announced a state."""
    return [int(path.name.rsplit("-", 1)[1]) for path in folder.glob(f"{state}-*")]


@pytest.mark.slow
@pytest.mark.parametrize("strike", STRIKES)
@pytest.mark.parametrize("state", STATES)
def test_photos_are_described_despite_an_interrupted_worker(
    album: Album, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, strike: Callable[[int], None]
) -> None:
    plan = DescriptionPlan((Announced(str(tmp_path)),), seconds_per_photo=SECONDS)
    tasks = [PhotoTask(number, path, ("announced",)) for number, path in enumerate(album.draw_many(PHOTOS))]

    def describe() -> list[PhotoResult]:
        return [result for some in describe_photos(tasks, plan, workers=1) for result in some]

    with striking(tmp_path, state, strike, monkeypatch):
        results = finish_within(HANGS, describe)
    assert sorted(result.task.photo_id for result in results) == list(range(PHOTOS))
    failures = [result.failure for result in results if result.failure]
    if (state, strike) == (DESCRIBING, stop):
        assert len(failures) == 1
        assert f"took longer than {SECONDS:g} seconds" in failures[0]
    else:
        assert failures == []
    left = {pid for pid in announced(tmp_path, READING) if is_running(pid)}
    assert left <= set(idle_processes().pids)
    idle_processes().end()
    assert not any(is_running(pid) for pid in left)


@pytest.mark.slow
@pytest.mark.parametrize("strike", STRIKES)
@pytest.mark.parametrize("state", STATES)
def test_a_single_call_ends_despite_an_interrupted_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, strike: Callable[[int], None]
) -> None:
    pool = ProcessPool(size=1)

    def call() -> float:
        return pool.call(double, Announced(str(tmp_path)), seconds=SECONDS)

    try:
        with striking(tmp_path, state, strike, monkeypatch):
            expected: tuple[object, ...] = (2.0,)
            if strike is stop and state != STARTING:
                expected = (TookTooLongError,)
            elif strike is starve and state != STARTING:  # its memory may be sufficient
                expected = (2.0, ImageTooLargeError)
            try:
                result: object = finish_within(HANGS, call)
            except ImageError as error:
                result = type(error)
            assert result in expected
        assert pool.call(abs, -3) == 3
    finally:
        finish_within(HANGS, pool.close)
    assert pool.pids == []


def test_a_process_that_never_starts_raises_an_error_instead_of_hanging(tmp_path: Path) -> None:
    pool = ProcessPool(size=1, memory=1 << 20)  # too little for an interpreter with its libraries
    with pytest.raises(StartError, match=r"too little memory .*: free some memory"):
        finish_within(HANGS, lambda: pool.call(abs, -1))
    assert pool.pids == []
    pool.close()


def test_stopped_processes_end_with_their_pool() -> None:
    pool = ProcessPool(size=1)
    assert pool.call(abs, -1) == 1
    (pid,) = pool.pids
    stop(pid)
    finish_within(HANGS, pool.close)
    wait_for(lambda: not is_running(pid), "the end of the process")


@pytest.mark.slow
@pytest.mark.parametrize("state", [READING, DESCRIBING])
def test_workers_end_with_a_killed_parent_in_any_state(album: Album, tmp_path: Path, state: str) -> None:
    paths = album.draw_many(PHOTOS)
    (tmp_path / f"hold-{state}").touch()
    script = """
        import sys
        from pathlib import Path
        from focal_photos.browser.operations.workers.describe_photos import describe_photos
        from focal_photos.browser.operations.workers.photo_tasks import PhotoTask
        from focal_photos.features.description import DescriptionPlan
        from tests.browser.operations.workers.announced import Announced
        tasks = [PhotoTask(n, Path(path), ("announced",)) for n, path in enumerate(sys.argv[2:])]
        list(describe_photos(tasks, DescriptionPlan((Announced(sys.argv[1]),)), workers=2))
    """
    command: list[str | Path] = [sys.executable, "-c", textwrap.dedent(script), tmp_path, *paths]
    with subprocess.Popen(command, cwd=Path(__file__).parents[4]) as parent:
        pids = wait_for(lambda: announced(tmp_path, state), "the workers")
        parent.kill()
    wait_for(lambda: not any(is_running(pid) for pid in pids), "the end of the workers")
