# SPDX-License-Identifier: MIT
from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from joblib.parallel import BACKENDS, ThreadingBackend
from PIL import Image

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers import process_executor
from focal_photos.browser.operations.workers.describe_photos import AHEAD, BATCH, MIN_POOL_PHOTOS, describe_photos
from focal_photos.browser.operations.workers.executor import ThreadExecutor
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult, PhotoTask, describe_photo
from focal_photos.browser.operations.workers.process_executor import ProcessExecutor, background_pool
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.decoding.limits import DecodeLimits
from focal_photos.features.description import DescriptionPlan
from tests.browser.operations.album import Album
from tests.browser.operations.strange import DEADLY, ENDLESS, FAULTY, GREEDY, SLOW, Diagonal, Strange, paint
from tests.browser.operations.workers.processes import workers_of


class Registered(ThreadingBackend):  # type: ignore[misc]
    """Backend as a package for another cluster would register it with joblib."""


class Failing(ThreadingBackend):  # type: ignore[misc]
    """Backend that always fails."""

    def submit(self, func: object, callback: object = None) -> None:
        raise RuntimeError("no electricity")


@pytest.fixture(autouse=True)
def other_back_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "registered", Registered)
    monkeypatch.setitem(BACKENDS, "failing", Failing)


SECONDS = 5.0
"""Time limit for a photo in tests of slow photos, in seconds: a hundred times what the others need."""

PLAN = DescriptionPlan((ColorMoments(), Strange(), Diagonal(7)))
NAMES = tuple(PLAN.by_name)


def tasks_of(paths: Sequence[Path]) -> list[PhotoTask]:
    return [PhotoTask(number, path, NAMES) for number, path in enumerate(paths)]


def describe_all(tasks: Sequence[PhotoTask], plan: DescriptionPlan = PLAN, **options: object) -> dict[str, PhotoResult]:
    results = [r for many in describe_photos(tasks, plan, **options) for r in many]  # type: ignore[arg-type]
    assert sorted(r.task.photo_id for r in results) == sorted(task.photo_id for task in tasks)
    assert not any(r.try_alone for r in results), "no photo needs another try"
    return {r.task.path.name: r for r in results}


def assert_same(result: PhotoResult, plan: DescriptionPlan = PLAN) -> None:
    """Compare a result with that of this process, bit by bit."""
    here = describe_photo(result.task, plan)
    assert result.failure == here.failure == ""
    assert result.description is not None
    assert here.description is not None
    assert result.description.thumbnail == here.description.thumbnail
    assert result.description.header == here.description.header
    assert list(result.description.vectors) == [name for name in result.task.names if name != "diagonal"]
    for name, vector in here.description.vectors.items():
        np.testing.assert_array_equal(result.description.vectors[name], vector, strict=True)
    for name, found in here.description.patches.items():
        np.testing.assert_array_equal(result.description.patches[name].points, found.points, strict=True)
        np.testing.assert_array_equal(result.description.patches[name].vectors, found.vectors, strict=True)


@pytest.mark.parametrize("backend", ["processes", "threads", "registered"])
def test_every_backend_gives_identical_results(album: Album, backend: str) -> None:
    results = describe_all(tasks_of(album.draw_many(30)), workers=2, backend=backend)
    for result in results.values():
        assert_same(result)
    assert multiprocessing.active_children() == []


def test_only_the_descriptors_of_a_task_are_computed(album: Album) -> None:
    task = PhotoTask(4, album.draw("a.jpg"), ("diagonal",))
    (result,) = describe_all([task], workers=1).values()
    assert result.description is not None
    assert (result.description.vectors, list(result.description.patches)) == ({}, ["diagonal"])


@pytest.mark.slow
def test_lent_processes_serve_one_plan_after_another_and_stay(album: Album) -> None:
    tasks = tasks_of(album.draw_many(MIN_POOL_PHOTOS))
    narrow = DescriptionPlan((ColorMoments(),), thumbnail_side=None)
    with closing(background_pool(2)) as pool:
        assert pool.pids == []
        first = {result.task.photo_id: result for some in describe_photos(tasks, PLAN, pool=pool) for result in some}
        processes = set(pool.pids)
        assert 1 <= len(processes) <= 2
        moments = [PhotoTask(task.photo_id, task.path, ("color_moments",)) for task in tasks]
        second = [result for some in describe_photos(moments, narrow, pool=pool) for result in some]
        assert len(second) == len(first) == len(tasks)
        assert set(pool.pids) >= processes
        for result in first.values():
            assert_same(result)
        for result in second:
            assert result.description is not None
            assert result.description.thumbnail is None
            assert_same(result, narrow)
        closed = describe_photos(tasks, PLAN, pool=pool)
        next(closed)
        closed.close()
        third = [result for some in describe_photos(tasks, PLAN, pool=pool) for result in some]
        assert len(third) == len(tasks), "a closed run leaves a usable pool"
    assert pool.pids == []


def test_priority_photos_come_first_in_the_sandbox_too(album: Album) -> None:
    tasks = tasks_of(album.draw_many(5))
    wanted = (3, 1, 99, 4)
    results = [r.task.photo_id for many in describe_photos(tasks, PLAN, first=lambda: wanted) for r in many]
    assert results == [3, 1, 4, 0, 2], "one at a time"


@pytest.mark.slow
def test_a_deadly_photo_leaves_a_lent_pool_usable(album: Album) -> None:
    paths = [*album.draw_many(MIN_POOL_PHOTOS), paint(album.path("deadly.png"), DEADLY)]
    plan = DescriptionPlan((Strange(),), thumbnail_side=None)
    tasks = [PhotoTask(number, path, ("strange",)) for number, path in enumerate(paths)]
    with closing(background_pool(2)) as pool:
        for _ in range(2):
            found = [result for some in describe_photos(tasks, plan, pool=pool) for result in some]
            assert [result.task.photo_id for result in found if result.failure] == [MIN_POOL_PHOTOS]
            assert len(found) == len(tasks)


def test_no_process_is_started_without_photos() -> None:
    assert list(describe_photos([], PLAN)) == []


@pytest.mark.parametrize(("backend", "count"), [("processes", 1), ("processes", MIN_POOL_PHOTOS), ("threads", 1)])
def test_the_limits_of_the_plan_apply_in_the_workers(album: Album, backend: str, count: int) -> None:
    plan = DescriptionPlan((ColorMoments(),), DecodeLimits(max_pixels=100), thumbnail_side=None)
    tasks = [PhotoTask(number, path, ("color_moments",)) for number, path in enumerate(album.draw_many(count))]
    for result in describe_all(tasks, plan, workers=1, backend=backend).values():
        assert "declares 6,144 pixels" in result.failure


@pytest.mark.parametrize("others", [0, MIN_POOL_PHOTOS])
def test_exceptions_and_values_that_are_not_finite_are_failures(album: Album, others: int) -> None:
    paths = [paint(album.path("faulty.png"), FAULTY), paint(album.path("endless.png"), ENDLESS), album.draw("good.jpg")]
    paths += album.draw_many(others)
    results = describe_all(tasks_of(paths), workers=1)
    assert results["faulty.png"].failure == "Focal cannot describe it (RuntimeError: that is magenta)."
    assert results["endless.png"].failure == "Focal cannot describe it (values that are not finite)."
    assert results["faulty.png"].lasting
    assert results["endless.png"].lasting
    assert_same(results["good.jpg"])


@pytest.mark.slow
@pytest.mark.parametrize("others", [5, 40])
def test_a_photo_that_kills_its_process_fails_and_the_others_are_described(album: Album, others: int) -> None:
    paths = [
        *album.draw_many(others),
        paint(album.path("deadly-1.png"), DEADLY),
        paint(album.path("deadly-2.png"), DEADLY),
    ]
    paths.insert(5, paths.pop())
    results = describe_all(tasks_of(paths), workers=2)
    failed = {name: r for name, r in results.items() if r.failure}
    assert set(failed) == {"deadly-1.png", "deadly-2.png"}
    assert all(r.lasting and "ended the process" in r.failure for r in failed.values())


@pytest.mark.slow
@pytest.mark.parametrize("others", [5, 30])
def test_a_slow_photo_is_given_up_even_if_it_holds_pythons_lock(album: Album, others: int) -> None:
    paths = album.draw_many(others)
    paths.insert(3, paint(album.path("slow.png"), SLOW))
    paths.insert(20, paint(album.path("greedy.png"), GREEDY))
    plan = DescriptionPlan(PLAN.descriptors, seconds_per_photo=SECONDS)
    results = describe_all(tasks_of(paths), plan, workers=2)
    failed = {name: r for name, r in results.items() if r.failure}
    assert set(failed) == {"slow.png", "greedy.png"}
    assert all(
        r.passing and not r.lasting and f"took longer than {SECONDS:g} seconds: " in r.failure for r in failed.values()
    )


def test_threads_give_up_a_slow_photo_too(album: Album) -> None:
    paths = [paint(album.path("slow.png"), SLOW), *album.draw_many(10)]
    results = describe_all(
        tasks_of(paths), DescriptionPlan(PLAN.descriptors, seconds_per_photo=SECONDS), workers=2, backend="threads"
    )
    assert [name for name, r in results.items() if r.failure] == ["slow.png"]
    assert f"took longer than {SECONDS:g} seconds" in results["slow.png"].failure


def test_exceptions_of_a_backend_are_raised_and_nothing_hangs(album: Album) -> None:
    with pytest.raises(RuntimeError, match="no electricity"):
        list(describe_photos(tasks_of(album.draw_many(30)), PLAN, workers=2, backend="failing"))


@pytest.mark.slow
@pytest.mark.usefixtures("no_idle_processes")
def test_a_killed_worker_loses_no_photo(album: Album) -> None:
    tasks = tasks_of(album.draw_many(100))
    results: list[PhotoResult] = []
    killed, before = False, workers_of()
    with closing(describe_photos(tasks, PLAN, workers=2)) as described:
        for many in described:
            results += many
            if results and not killed:
                os.kill(next(pid for pid in workers_of() if pid not in before), signal.SIGKILL)
                killed = True
    assert sorted(r.task.photo_id for r in results) == list(range(100))
    assert not any(r.failure for r in results)


@pytest.mark.slow
def test_photos_that_need_much_memory_are_described_last(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_executor, "usable_memory", lambda: 700 << 20)
    monkeypatch.setattr(process_executor, "decoding_memory", lambda: 700 << 20)
    plan = DescriptionPlan((ColorMoments(),), thumbnail_side=None)
    paths = album.draw_many(MIN_POOL_PHOTOS)
    for place in (0, 5):
        Image.new("L", (10_000, 6_200), 90).save(album.path(f"heavy-{place}.png"), compress_level=1)
        paths.insert(place, album.path(f"heavy-{place}.png"))
    tasks = [PhotoTask(number, path, ("color_moments",)) for number, path in enumerate(paths)]
    results = [r for many in describe_photos(tasks, plan, workers=2) for r in many]
    assert {r.task.path.name for r in results[-2:]} == {"heavy-0.png", "heavy-5.png"}
    assert sorted(r.task.photo_id for r in results) == list(range(MIN_POOL_PHOTOS + 2))
    assert all(r.description is not None and not r.failure and not r.try_alone for r in results)


@pytest.mark.usefixtures("no_idle_processes")
def test_closing_ends_the_processes_immediately(album: Album) -> None:
    paths = [*album.draw_many(BATCH), *(paint(album.path(f"slow-{n}.png"), SLOW) for n in range(BATCH))]
    before = workers_of()
    results = describe_photos(tasks_of(paths), PLAN, workers=1)
    while not next(results):
        pass
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < 60, "the slow photos take ten minutes each"
    assert multiprocessing.active_children() == []
    assert workers_of() == before


@pytest.mark.usefixtures("no_idle_processes")
def test_closing_an_executor_after_a_submission_drops_the_batch_silently(album: Album) -> None:
    # An exception in a thread of the executor fails this test, like any unhandled exception.
    tasks, before = tasks_of(album.draw_many(2)), workers_of()
    for _ in range(5):
        executor = ProcessExecutor(PLAN, 1)
        futures = [executor.submit(tasks) for _ in range(3)]
        executor.close()
        assert all(future.done() for future in futures)
    assert workers_of() == before


def test_no_more_photos_are_submitted_than_the_queue_may_hold(album: Album) -> None:
    tasks = tasks_of(album.draw_many(80))
    with closing(describe_photos(tasks, PLAN, workers=1, backend="threads")) as results:
        first: list[PhotoResult] = []
        while not first:
            first = next(results)
        time.sleep(1.0)  # the threads continue, but only with their queue
        second = next(results)
    assert len(first) + len(second) <= (AHEAD + 1) * BATCH


def test_batches_shrink_towards_the_end(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no worker waits while another has a whole batch left."""
    handed_out: list[int] = []
    submit = ThreadExecutor.submit

    def note(self: ThreadExecutor, batch: Sequence[PhotoTask]) -> Future[list[PhotoResult]]:
        handed_out.append(len(batch))
        return submit(self, batch)

    monkeypatch.setattr(ThreadExecutor, "submit", note)
    for workers, sizes in ((1, [8, 8, 8, 8, 4, 2, 1, 1]), (2, [8, 8, 6, 5, 4, 3, 2, 1, 1, 1, 1])):
        handed_out.clear()
        done = list(describe_photos(tasks_of(album.draw_many(40)), PLAN, workers=workers, backend="threads"))
        assert sum(map(len, done)) == 40
        assert handed_out == sizes


def test_an_unknown_backend_is_refused(album: Album) -> None:
    with pytest.raises(OperationError, match="The back end 'smoke signals' cannot be used"):
        list(describe_photos(tasks_of([album.draw("a.jpg")]), PLAN, backend="smoke signals"))


def test_tasks_and_results_can_be_pickled(album: Album) -> None:
    result = describe_photo(PhotoTask(1, album.draw("a.jpg"), NAMES), PLAN)
    assert_same(pickle.loads(pickle.dumps(result)))


def test_priority_photos_come_first_at_any_time(album: Album) -> None:
    tasks = tasks_of([album.draw(f"{number}.jpg") for number in range(6 * BATCH)])
    ids = [task.photo_id for task in tasks]
    wanted: list[list[int]] = [ids[-3:][::-1]]
    seen: list[int] = []
    results = describe_photos(tasks, PLAN, workers=1, backend="threads", first=lambda: wanted[0])
    for some in results:
        seen += [result.task.photo_id for result in some]
        wanted[0] = [ids[-6], 10**9, ids[-5]]  # requested while others are described; one id is unknown
    assert seen[:3] == ids[-3:][::-1]
    assert seen.index(ids[-6]) < seen.index(ids[-7])
    assert sorted(seen) == sorted(ids)


@pytest.mark.parametrize(
    ("backend", "count"), [("processes", MIN_POOL_PHOTOS - 1), ("processes", 100), ("threads", 100)]
)
def test_no_photo_is_submitted_once_enough_are_described(album: Album, count: int, backend: str) -> None:
    done: list[PhotoResult] = []
    tasks = tasks_of(album.draw_many(count))
    enough = threading.Event()
    for results in describe_photos(tasks, PLAN, workers=1, backend=backend, enough=enough.is_set):
        done += results
        if done:
            enough.set()
    assert 1 <= len(done) <= (AHEAD + 1) * BATCH
    assert len(done) < count
    assert not any(result.failure for result in done)  # submitted photos are finished
    assert list(describe_photos(tasks, PLAN, workers=1, backend=backend, enough=enough.is_set)) == []
