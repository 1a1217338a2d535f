"""For all tests: Qt draws offscreen, and what is left running or stands still fails the test that began it.

A test that stands still for as long as `faulthandler_timeout` in `pyproject.toml` ends its process, inside an event
loop of Qt too, with what all its threads were doing. What is to come is waited for with `PATIENCE`: a slow machine that
does much else needs many seconds for what is there at once elsewhere.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import gc
import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final

import joblib
import pytest
from filelock import FileLock
from hypothesis import HealthCheck, is_hypothesis_test, settings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.hand_back import keep_little_memory
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.workers import kept_processes
from focal_photos.resources.demo_album import draw_demo_album
from tests.examples import THOROUGH

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is loaded
keep_little_memory()  # as the window does; before threads begin

PATIENCE: Final = 60.0
"""Seconds for which tests wait at most for what is to come."""

# Nothing is asserted by the clock: an example may take long beside other processes, and so may making one up.
settings.register_profile("focal", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(THOROUGH, settings.get_profile("focal"), max_examples=100)
settings.load_profile("focal")


_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 3 << 30
"""Bytes that the folders of tests may take; as much again has to be there for what the tests run."""


def _write_to_memory() -> None:
    """Let temporary folders lie in memory, where the system has such a place with room for them.

    What a library confirms is synced, and on a disk most tests wait for that longer than they compute. Nothing hangs on
    it: elsewhere the folders lie where they always do, and where ``TMPDIR`` says so.
    """
    if "TMPDIR" in os.environ or not (_MEMORY.is_dir() and os.access(_MEMORY, os.W_OK)):
        return
    runs_programs = not os.statvfs(_MEMORY).f_flag & getattr(os, "ST_NOEXEC", 0)  # tests make environments
    if runs_programs and shutil.disk_usage(_MEMORY).free > _ROOM and _free_memory() > 2 * _ROOM:
        os.environ["TMPDIR"] = str(_MEMORY)  # for the processes that tests start, too
        tempfile.tempdir = None  # it may have been asked for before


def _free_memory() -> int:
    """Return how many bytes this process may still take, on Linux; 0 where that cannot be told."""
    told, limit = Path("/proc/meminfo"), Path("/sys/fs/cgroup/memory.max")
    if not told.exists():
        return 0
    values = dict(line.split(":") for line in told.read_text().splitlines())
    free = int(values["MemAvailable"].split()[0]) << 10
    most = limit.read_text().strip() if limit.exists() else "max"
    return free if most == "max" else min(free, int(most))


_write_to_memory()

_COLLECTIONS: Final = (5_000, 10, 20)
"""Objects more than before from which on the young ones are looked through for garbage, and after how many of these
looks the older ones are."""


def pytest_configure(config: pytest.Config) -> None:
    # The offscreen platform says this whenever a window changes its least size; it is no message of ours.
    config.addinivalue_line("qt_log_ignore", "This plugin does not support")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of made-up examples, which `make test-all` runs with more examples."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("property")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is collected out of later garbage collections, as the program does with what it loads.

    That are a million objects, none of them garbage: to look through all of them takes as long as a window. And garbage
    is looked for about as often as in the program, not after every 700 objects: that took 2 % of the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*_COLLECTIONS)
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many processes ``-n auto`` starts: half as many again as cores that this process may use.

    Tests of processes and windows wait more than they compute.
    """
    cores = int(joblib.cpu_count())
    return cores + cores // 2


class PatientBot(QtBot):
    """Waits for `PATIENCE`, where that of pytest-qt waits for 5 s."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = round(1000 * PATIENCE)) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, **options: Any) -> Any:
        return super().waitSignal(signal, **{"timeout": round(1000 * PATIENCE), **options})


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def no_second_try(request: pytest.FixtureRequest, shared_folder: Path) -> Iterator[None]:
    """Fail a test at once that has ended another process of this run: pytest-xdist tries it again in the next one."""
    under_way = shared_folder / "under way" / hashlib.sha256(request.node.nodeid.encode()).hexdigest()
    under_way.parent.mkdir(exist_ok=True)
    if under_way.exists():
        pytest.fail(
            "It stood still in another process, or ended it: what its threads did then is further up.", pytrace=False
        )
    under_way.touch()
    yield
    under_way.unlink()


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """Fail a test after which a lane's thread still runs."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + PATIENCE
    while left := [thread.name for thread in _ours() if thread not in before]:
        if time.monotonic() > deadline:
            pytest.fail(f"Threads are left running: {', '.join(left)}")
        time.sleep(0.01)


def _ours() -> list[threading.Thread]:
    """Return what must end with a test: not the thread that ends processes which are kept for later ones."""
    return [t for t in threading.enumerate() if t.name.startswith("focal-") and t.name != kept_processes.THREAD]


@pytest.fixture(autouse=True)
def what_is_shared_stays(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test during which the drawn album, or the library in which it is indexed, was changed.

    Whose test it was is told by those that fail: each was under way then, in this process or in another one. Rights
    would not keep a test from it: where tests run as root everything may be written.
    """
    shared = [request.getfixturevalue(name) for name in _SHARED if name in request.fixturenames]
    before = [_state(folder) for folder in shared]
    yield
    for folder, files in zip(shared, before, strict=True):
        changed = sorted({path for path, _ in files ^ _state(folder)})
        if changed:
            pytest.fail(f"It belongs to all tests, and was changed while this one ran: {', '.join(changed)}")


_SHARED: Final = ("drawn_album", "indexed_album")


def _state(folder: Path) -> set[tuple[str, tuple[int, int, int]]]:
    """Return all that is in a folder, with what changes when it is written or replaced."""
    found = set()
    for path in folder.rglob("*"):
        file = path.stat()
        found.add((str(path), (file.st_ino, file.st_size, file.st_mtime_ns)))
    return found


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this run of the tests; their processes share it."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def drawn_album(shared_folder: Path) -> Path:
    """A folder with 32 drawn photos, four of each of eight kinds; not to be changed."""
    folder = shared_folder / "drawn" / "album"
    with FileLock(shared_folder / "drawn.lock"):
        if not folder.exists():
            draw_demo_album(folder, count=32)
    return folder


@pytest.fixture(scope="session")
def indexed_album(drawn_album: Path, shared_folder: Path) -> Path:
    """A library's folder in which the drawn album is indexed; not to be changed."""
    folder = shared_folder / "indexed" / "library"
    with FileLock(shared_folder / "indexed.lock"):
        if not folder.exists():
            with Library.open(folder) as library:
                finish(index(library, [drawn_album]))
    return folder


@pytest.fixture
def library_folder(indexed_album: Path, tmp_path: Path) -> Path:
    """A library of its own, in which the drawn album is indexed."""
    folder = tmp_path / "library"
    shutil.copytree(indexed_album, folder, ignore=shutil.ignore_patterns("lock*"))
    return folder
