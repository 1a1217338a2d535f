# SPDX-License-Identifier: MIT
"""Calls on a real Dask cluster of two worker processes: cancelled, failing and deadly ones."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.cluster import cluster as module
from focal_photos.browser.operations.workers.cluster.cluster import Cluster
from focal_photos.learners.core.estimator import LearnerError
from tests.browser.operations.workers.cluster.clusters import LocalCluster, two_workers
from tests.browser.operations.workers.processes import wait_for


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with two_workers(tmp_path_factory.mktemp("cluster"), failures=0) as cluster:
        yield cluster


@pytest.fixture
def cluster(running: Any) -> Iterator[Cluster]:
    with Cluster(running.scheduler_address) as opened:
        yield opened


def fail(kind: type[Exception]) -> None:
    raise kind("it cannot be learned")


@pytest.mark.slow
def test_results_have_their_keys_and_shared_data_is_sent_once(cluster: Cluster) -> None:
    sent = cluster.keep([5, 6, 7])
    calls = ((place, list.__getitem__, (sent, place)) for place in (2, 0, 1))
    found = [pair for some in cluster.completed(calls) for pair in some]
    assert sorted(found) == [(0, 5), (1, 6), (2, 7)]


@pytest.mark.slow
def test_the_scheduler_releases_finished_calls(running: Any, cluster: Cluster) -> None:
    before = len(running.scheduler.tasks)
    list(cluster.completed((number, abs, (-number,)) for number in range(12)))
    wait_for(lambda: len(running.scheduler.tasks) <= before, "that nobody holds what is done")


@pytest.mark.slow
def test_no_more_calls_are_submitted_than_the_cluster_can_hold(cluster: Cluster) -> None:
    taken: list[int] = []

    def calls() -> Iterator[tuple[int, Any, tuple[float, ...]]]:
        for number in range(100):
            taken.append(number)
            yield number, time.sleep, (0.05,)

    done = cluster.completed(calls())
    next(done)
    assert len(taken) == 4  # two for each thread
    done.close()


@pytest.mark.slow
def test_a_learner_error_is_raised_unchanged_and_any_other_with_advice(cluster: Cluster) -> None:
    with pytest.raises(LearnerError, match=r"^it cannot be learned$"):
        list(cluster.completed([(0, fail, (LearnerError,))]))
    with pytest.raises(OperationError, match=r"^it cannot be learned$"):
        list(cluster.completed([(0, fail, (OperationError,))]))
    with pytest.raises(OperationError, match=r"KeyError: .*: install this version of Focal and the"):
        list(cluster.completed([(0, fail, (KeyError,))]))


@pytest.mark.slow
def test_the_number_of_workers_can_be_limited(running: Any) -> None:
    with Cluster(running.scheduler_address) as every, Cluster(running.scheduler_address, 1) as one:
        assert (every.size, one.size) == (2, 1)


def test_a_cluster_without_workers_is_given_up_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        LocalCluster(
            n_workers=0, dashboard_address=":0", local_directory=str(tmp_path / "dask"), silence_logs=50
        ) as empty,
        Cluster(empty.scheduler_address) as opened,
    ):
        monkeypatch.setattr(module, "_COUNT_INTERVAL", 0.0)
        done = opened.completed([(0, list.__len__, ([5],))])
        assert [next(done), next(done)] == [[], []]
        monkeypatch.setattr(module, "EMPTY_SECONDS", 0.0)
        with pytest.raises(OperationError, match="has no workers: start some"):
            list(done)


@pytest.mark.slow
def test_a_call_that_kills_workers_is_reported(cluster: Cluster) -> None:
    with pytest.raises(OperationError, match="The workers of the cluster crash on this task"):
        list(cluster.completed([(0, signal.raise_signal, (signal.SIGKILL,))]))


@pytest.mark.slow
def test_closing_the_results_cancels_unfinished_calls(running: Any, cluster: Cluster) -> None:
    """Must be the last test: its calls sleep in the workers until these are terminated."""
    calls = cluster.completed((number, time.sleep, (600.0,)) for number in range(10))
    while not running.scheduler.tasks:
        next(calls)
    calls.close()
    wait_for(lambda: not running.scheduler.tasks, "the end of the calls")
