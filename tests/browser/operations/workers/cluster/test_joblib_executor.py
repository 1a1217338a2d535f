# SPDX-License-Identifier: MIT
"""Batches when a joblib backend fails; `test_describe_photos` tests that all backends describe."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait

import pytest
from joblib.externals.loky import get_reusable_executor
from joblib.parallel import BACKENDS, LokyBackend, ThreadingBackend

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.cluster.joblib_executor import JoblibPhotoExecutor
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.description import DescriptionPlan
from tests.browser.operations.album import Album
from tests.browser.operations.strange import DEADLY, Strange, paint


@pytest.fixture(autouse=True)
def _end_processes() -> Iterator[None]:
    """End joblib's processes, which would otherwise outlive the tests of this file."""
    yield
    get_reusable_executor().shutdown(wait=True)


PLAN = DescriptionPlan((ColorMoments(),))


class Failing(ThreadingBackend):  # type: ignore[misc]
    """Backend that always fails."""

    def submit(self, func: object, callback: object = None) -> None:
        raise RuntimeError("no electricity")


def test_every_batch_fails_with_its_backend(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "failing", Failing)
    task = PhotoTask(0, album.draw("a.jpg"), ("color_moments",))
    executor = JoblibPhotoExecutor(PLAN, 2, "failing")
    try:
        futures = [executor.submit([task]) for _ in range(5)]
        assert not wait(futures, timeout=60).not_done
        assert {str(future.exception()) for future in futures} == {"no electricity"}
    finally:
        executor.close()


def test_results_belong_to_their_batches(album: Album) -> None:
    tasks = [PhotoTask(n, path, ("color_moments",)) for n, path in enumerate(album.draw_many(6))]
    executor = JoblibPhotoExecutor(PLAN, 2, "threading")
    try:
        futures = [executor.submit(tasks[n : n + 2]) for n in (0, 2, 4)]
        assert [[r.task.photo_id for r in future.result(60)] for future in futures] == [[0, 1], [2, 3], [4, 5]]
        assert executor.size == 2
    finally:
        executor.close()


def test_an_unregistered_backend_is_refused() -> None:
    with pytest.raises(OperationError, match="The back end 'smoke signals' cannot be used"):
        JoblibPhotoExecutor(PLAN, 2, "smoke signals")


@pytest.mark.slow
def test_a_photo_with_a_dead_worker_may_be_tried_again_and_the_others_are_described(
    album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BACKENDS, "other processes", LokyBackend)
    paths = [*album.draw_many(4), paint(album.path("deadly.png"), DEADLY)]
    tasks = [PhotoTask(n, path, ("strange",)) for n, path in enumerate(paths)]
    plan = DescriptionPlan((Strange(),))
    found = describe_photos(tasks, plan, workers=2, backend="other processes")
    results = {result.task.photo_id: result for some in found for result in some}
    assert [n for n, result in results.items() if result.failure] == [4]
    assert len(results) == 5
    assert "was lost" in results[4].failure
    assert (results[4].passing, results[4].lasting) == (True, False)
