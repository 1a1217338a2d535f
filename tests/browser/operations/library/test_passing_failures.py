# SPDX-License-Identifier: MIT
"""Temporary failures: a stalled or killed worker, a failing disk. The next indexing tries these photos again."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path

import numpy as np
import pytest
from joblib.parallel import BACKENDS, ThreadingBackend
from PIL import Image

from focal_photos.browser.catalog.facts.photos import TRIED_AGAIN
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import IndexReport, index
from focal_photos.browser.operations.workers import photo_tasks
from focal_photos.browser.operations.workers.describe_photos import MIN_POOL_PHOTOS
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask, describe_photo
from focal_photos.features.decoding.limits import UnreadableImageError
from focal_photos.features.description import DescriptionPlan
from tests.browser.operations.album import Album
from tests.browser.operations.workers.processes import wait_for, workers_of

pytestmark = pytest.mark.usefixtures("no_idle_processes")


def draw_heavy(path: Path) -> Path:
    """Draw a photo that takes long enough to decode to be interrupted."""
    noise = np.random.default_rng(0).integers(0, 256, (3000, 4000, 3), np.uint8)
    Image.fromarray(noise).save(path, compress_level=1)
    return path


def has_open(pid: int, path: Path) -> bool:
    for link in Path(f"/proc/{pid}/fd").glob("*"):
        try:
            if link.readlink() == path:
                return True
        except OSError:  # the process ended meanwhile
            continue
    return False


def index_and_strike(library: Library, album: Album, path: Path, number: signal.Signals, times: int) -> IndexReport:
    """Index, and send a signal to the first `times` processes that have the photo open."""
    struck: list[int] = []

    def strike() -> None:
        while len(struck) < times:
            pid = wait_for(
                lambda: next((p for p in workers_of() if p not in struck and has_open(p, path)), 0), "a worker"
            )
            os.kill(pid, number)
            struck.append(pid)

    thread = threading.Thread(target=strike)
    thread.start()
    try:
        report = finish(index(library, [album.folder], workers=1))
    finally:
        thread.join()
    assert len(struck) == times
    return report


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not tell what processes have open")
@pytest.mark.parametrize("others", [2, MIN_POOL_PHOTOS + 4])
@pytest.mark.parametrize(
    ("number", "times", "reason"),
    [(signal.SIGSTOP, 1, "took longer than 3 seconds"), (signal.SIGKILL, 2, "was killed")],
)
def test_a_photo_with_a_stopped_or_killed_worker_is_described_by_the_next_indexing(
    library: Library, album: Album, others: int, number: signal.Signals, times: int, reason: str
) -> None:
    album.draw_many(others)
    heavy = draw_heavy(album.path("heavy.png"))
    settings.SECONDS.set(library, 3.0)
    report = index_and_strike(library, album, heavy, number, times)
    settings.SECONDS.set(library, 60.0)
    [(path, told)] = report.failed
    assert path == heavy
    assert reason in told
    assert told.endswith(TRIED_AGAIN)
    assert library.photos.failed() == [(heavy, told)]
    assert report.extract.done == others

    again = finish(index(library, [album.folder]))
    assert (again.failed, again.extract.done) == ([], 1)
    assert library.photos.failed() == []
    assert len(library.photos.ids("-failed")) == others + 1


class Lossy(ThreadingBackend):  # type: ignore[misc]
    """Joblib backend that loses its workers."""

    def submit(self, func: object, callback: object = None) -> None:
        raise BrokenExecutor("a worker was lost")


def test_a_photo_with_a_lost_worker_of_another_backend_is_described_by_the_next_indexing(
    library: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BACKENDS, "lossy", Lossy)
    path = album.draw("a.jpg")
    report = finish(index(library, [album.folder], backend="lossy"))
    [(failed, told)] = report.failed
    assert (failed, report.extract.done) == (path, 0)
    assert "was lost" in told
    assert told.endswith(TRIED_AGAIN)
    assert library.photos.failed() == [(path, told)]
    assert finish(index(library, backend="threads", workers=1)).extract.done == 1
    assert library.photos.failed() == []


def strike_out(library: Library, album: Album, reason: str) -> Path:
    path = album.draw("a.jpg")
    finish(index(library, [album.folder]))
    (photo,) = library.photos.ids()
    library.photos.set_failures([(int(photo), reason)])
    return path


def test_permanent_time_outs_of_an_earlier_version_are_tried_again(library: Library, album: Album) -> None:
    strike_out(
        library, album, "Its decoding took longer than 60 seconds: raise the limit if your disk or computer is slow."
    )
    assert finish(index(library)).failed == []
    assert library.photos.failed() == []


def test_a_failed_photo_is_tried_once_per_run_and_not_at_each_change_of_a_file(
    library: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    album.draw("a.jpg")
    tried: list[Path] = []

    def call(_function: Callable[..., object], task: PhotoTask, *_rest: object, **_options: object) -> object:
        tried.append(task.path)
        return photo_tasks.took_too_long(task, 60)

    monkeypatch.setattr("focal_photos.browser.operations.workers.process_pool.ProcessPool.call", call_of(call))
    finish(index(library, [album.folder]))
    assert len(tried) == 1
    other = album.draw("b.jpg", seed=2)
    finish(index(library, changed=[other]))
    assert tried == [album.path("a.jpg"), other]
    finish(index(library))
    assert sorted(tried) == sorted([album.path("a.jpg"), other] * 2)


def call_of(function: Callable[..., object]) -> Callable[..., object]:
    return lambda _pool, *args, **options: function(*args, **options)


def test_a_damaged_photo_is_tried_again_only_after_a_change_of_its_file(library: Library, album: Album) -> None:
    whole = album.draw("a.png").read_bytes()
    album.path("a.png").write_bytes(whole[:40])
    (failed,) = finish(index(library, [album.folder])).failed
    assert TRIED_AGAIN not in failed[1]
    assert finish(index(library)).extract.failed == []
    album.path("a.png").write_bytes(whole)
    assert finish(index(library)).extract.done == 1


@pytest.mark.slow
def test_a_temporary_failure_leaves_a_described_photo_in_the_rankings(library: Library, album: Album) -> None:
    heavy = draw_heavy(album.path("heavy.png"))
    finish(index(library, [album.folder]))
    (photo,) = library.photos.ids()
    library.vectors.forget([int(photo)])
    settings.SECONDS.set(library, 3.0)
    report = index_and_strike(library, album, heavy, signal.SIGSTOP, 1)
    assert [path for path, _ in report.failed] == [heavy]
    assert library.photos.failed() == []


def test_a_disk_error_is_not_reported_as_damage_of_the_photo(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    # By the time that the whole file is read after the failure, the disk works again.
    path = album.draw("a.jpg")

    def describe(*_: object) -> None:
        try:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        except OSError:
            raise UnreadableImageError("The file is damaged or incomplete (Input/output error).") from None

    monkeypatch.setattr(photo_tasks, "describe", describe)
    result = describe_photo(PhotoTask(1, path, ()), DescriptionPlan())
    assert result.failure == f"The file cannot be read: {os.strerror(errno.EIO)}."
    assert not result.lasting
