# SPDX-License-Identifier: MIT
"""Describing on a real Dask cluster of two worker processes."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import distributed
import pytest

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.photo_tasks import PhotoResult
from focal_photos.features.color.color_moments import ColorMoments
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.texture.gabor import Gabor
from tests.browser.operations.album import Album
from tests.browser.operations.strange import DEADLY, SLOW, Diagonal, Strange, paint
from tests.browser.operations.workers.cluster.clusters import two_workers
from tests.browser.operations.workers.test_describe_photos import assert_same, describe_all, tasks_of

PLAN = DescriptionPlan((ColorMoments(), Strange(), Diagonal(7), Gabor()))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[distributed.LocalCluster]:
    """Two workers with one thread each; the scheduler drops a call after the first killed worker."""
    with two_workers(tmp_path, failures=0) as running:
        yield running


@pytest.mark.slow
def test_a_cluster_gives_identical_results_and_survives_the_death_of_workers(
    album: Album, cluster: distributed.LocalCluster
) -> None:
    paths = album.draw_many(40)
    paths.insert(10, paint(album.path("deadly.png"), DEADLY))
    paths.insert(30, paint(album.path("slow.png"), SLOW))
    tasks = tasks_of(paths)
    plan = DescriptionPlan(PLAN.descriptors, seconds_per_photo=5.0)
    results = describe_all(tasks, plan, backend="dask", scheduler=cluster.scheduler_address)
    failures = {name: result.failure for name, result in results.items() if result.failure}
    assert set(failures) == {"deadly.png", "slow.png"}
    assert "was lost" in failures["deadly.png"]
    assert results["deadly.png"].passing, "a cluster does not report why it lost a worker"
    assert not results["deadly.png"].lasting
    assert "took longer than 5 seconds" in failures["slow.png"]
    for name, result in results.items():
        if name not in failures:
            assert_same(result, plan)
    check_a_scheduler_that_goes_away(album, cluster)


def check_a_scheduler_that_goes_away(album: Album, cluster: distributed.LocalCluster) -> None:
    tasks = tasks_of(album.draw_many(100))
    done: list[PhotoResult] = []
    with closing(describe_photos(tasks, PLAN, backend="dask", scheduler=cluster.scheduler_address)) as results:
        while not done:
            done += next(results)
        cluster.close()
        with pytest.raises(OperationError, match=r"The connection to the Dask scheduler at tcp://.* is lost"):
            done.extend(result for many in results for result in many)
    assert len(done) < 100


def test_a_missing_scheduler_is_reported(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = tasks_of([album.draw("a.jpg")])
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        nobody = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
    monkeypatch.setattr("focal_photos.browser.operations.workers.cluster.cluster.ANSWER_SECONDS", 0.5)
    for address, reason in (
        (None, "needs the address"),
        (nobody, "No Dask scheduler answers at"),
        ("??", "answers at"),
    ):
        with pytest.raises(OperationError, match=reason):
            list(describe_photos(tasks, PLAN, backend="dask", scheduler=address))


def test_missing_dask_is_reported(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for name in ("cluster", "dask_executor"):
        monkeypatch.delitem(sys.modules, f"focal_photos.browser.operations.workers.cluster.{name}", raising=False)
    with pytest.raises(OperationError, match="install distributed"):
        list(describe_photos(tasks_of([album.draw("a.jpg")]), PLAN, backend="dask", scheduler="tcp://x:1"))
