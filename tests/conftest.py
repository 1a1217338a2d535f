# SPDX-License-Identifier: MIT
"""Fixtures and settings for all tests: Qt draws offscreen, and a test that hangs or leaves a thread running fails.

After `faulthandler_timeout` of `pyproject.toml`, a test that hangs ends its process, also from inside a Qt event loop,
and prints the stacks of all threads. Tests wait for results for up to `PATIENCE` seconds, as a busy machine may be
slow.
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
from focal_photos.browser.operations.jobs.memory import limit_free_memory
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.workers import idle_processes
from focal_photos.resources.demo_album import draw_demo_album
from tests.browser.copies import copied
from tests.examples import THOROUGH

MadeOnce = Callable[[str, Callable[[Path], object]], Path]

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is loaded
limit_free_memory()  # as the window does; before threads begin

PATIENCE: Final = 60.0
"""Longest time that a test waits for a result, in seconds."""

# No deadline: on a busy machine, running or generating an example may take long.
settings.register_profile("focal", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(THOROUGH, settings.get_profile("focal"), max_examples=100)
settings.load_profile("focal")


_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 3 << 30
"""Bytes that the test folders may take. The programs under test need as many again."""


def _write_to_memory() -> None:
    """Put temporary folders in memory if the system has a memory file system with enough space.

    Libraries sync what they confirm, and on a disk most tests spend more time on syncing than on computing. If
    ``TMPDIR`` is set or memory is short, the folders are where they always are.
    """
    if "TMPDIR" in os.environ or not (_MEMORY.is_dir() and os.access(_MEMORY, os.W_OK)):
        return
    runs_programs = not os.statvfs(_MEMORY).f_flag & getattr(os, "ST_NOEXEC", 0)  # tests create environments
    if runs_programs and shutil.disk_usage(_MEMORY).free > _ROOM and _free_memory() > 2 * _ROOM:
        os.environ["TMPDIR"] = str(_MEMORY)  # also for the processes that tests start
        tempfile.tempdir = None  # discard the cached folder


def _free_memory() -> int:
    """Return the number of bytes this process may still allocate on Linux, or 0 if unknown."""
    told, limit = Path("/proc/meminfo"), Path("/sys/fs/cgroup/memory.max")
    if not told.exists():
        return 0
    values = dict(line.split(":") for line in told.read_text().splitlines())
    free = int(values["MemAvailable"].split()[0]) << 10
    most = limit.read_text().strip() if limit.exists() else "max"
    return free if most == "max" else min(free, int(most))


_write_to_memory()

_COLLECTIONS: Final = (5_000, 10, 20)
"""Thresholds of the garbage collector, as in `gc.set_threshold`."""


def pytest_configure(config: pytest.Config) -> None:
    # The offscreen platform prints this whenever a window changes its minimum size.
    config.addinivalue_line("qt_log_ignore", "This plugin does not support")


def pytest_sessionfinish() -> None:
    """Empty the clipboard: offscreen, Qt destroys its content after Python has ended, which crashes at exit."""
    if QApplication.instance() is not None:
        QApplication.clipboard().clear()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that Hypothesis runs; `make test-all` runs them with more examples.

    It begins with the files that have slow tests. Otherwise one process could start a long file when all others are
    done.
    """
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("property")
    if settings.get_current_profile_name() == THOROUGH:
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exclude the objects of the collection phase from later garbage collections, as the program does after loading.

    These are a million objects without any garbage, and scanning them takes as long as opening a window. Collections
    are about as frequent as in the program; with the default threshold of 700 objects they take 2 % of the test time.
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
    """Return the number of processes for ``-n auto``: 1.5 times the available cores, and at least 2 more than these.

    Tests of processes and windows wait more than they compute.
    """
    cores = int(joblib.cpu_count())
    return cores + max(cores // 2, 2)


class PatientBot(QtBot):
    """Bot that waits for up to `PATIENCE` seconds; the default of pytest-qt is 5 s."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = round(1000 * PATIENCE)) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, **options: Any) -> Any:
        return super().waitSignal(signal, **{"timeout": round(1000 * PATIENCE), **options})


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def no_second_try(request: pytest.FixtureRequest, shared_folder: Path) -> Iterator[None]:
    """Fail a test that ended another process of this run; pytest-xdist would retry it in the next process."""
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
    """Fail a test that leaves a thread of a lane running."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + PATIENCE
    while left := [thread.name for thread in _ours() if thread not in before]:
        if time.monotonic() > deadline:
            pytest.fail(f"Threads are left running: {', '.join(left)}")
        time.sleep(0.01)


def _ours() -> list[threading.Thread]:
    """Return Focal's threads except the one that ends cached processes; they must end with a test."""
    return [t for t in threading.enumerate() if t.name.startswith("focal-") and t.name != idle_processes.THREAD]


@pytest.fixture(autouse=True)
def what_is_shared_stays(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test if the drawn album, or the library in which it is indexed, changes while the test runs.

    All tests running at that time fail, in all processes, so the culprit is among them. File permissions would not
    prevent the change where tests run as root.
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
    """Return all paths in a folder with their inode, size and modification time."""
    found = set()
    for path in folder.rglob("*"):
        file = path.stat()
        found.add((str(path), (file.st_ino, file.st_size, file.st_mtime_ns)))
    return found


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder shared by all processes of this test run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def made_once(shared_folder: Path) -> MadeOnce:
    """Return a function that returns a folder by its name, filled by the first process that needs it."""

    def folder_of(name: str, fill: Callable[[Path], object]) -> Path:
        folder = shared_folder / name
        with FileLock(shared_folder / f"{name}.lock"):
            if not folder.exists():
                folder.mkdir()
                fill(folder)
        return folder

    return folder_of


@pytest.fixture(scope="session")
def drawn_album(made_once: MadeOnce) -> Path:
    """Folder with 32 drawn photos, four of each of eight kinds. Tests must not change it."""
    return made_once("drawn", lambda folder: draw_demo_album(folder / "album", count=32)) / "album"


@pytest.fixture(scope="session")
def indexed_album(drawn_album: Path, made_once: MadeOnce) -> Path:
    """Folder of a library in which the drawn album is indexed. Tests must not change it."""

    def fill(folder: Path) -> None:
        with Library.open(folder / "library") as library:
            finish(index(library, [drawn_album]))

    return made_once("indexed", fill) / "library"


@pytest.fixture
def library_folder(indexed_album: Path, tmp_path: Path) -> Path:
    """Private copy of the library in which the drawn album is indexed."""
    return copied(indexed_album, tmp_path / "library")
