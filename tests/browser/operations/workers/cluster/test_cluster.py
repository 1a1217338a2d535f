"""Calls on a real Dask cluster of two worker processes: taken back, failing, deadly."""

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


def test_calls_come_with_their_keys_and_what_was_sent_once(cluster: Cluster) -> None:
    sent = cluster.keep([5, 6, 7])
    calls = ((place, list.__getitem__, (sent, place)) for place in (2, 0, 1))
    found = [pair for some in cluster.completed(calls) for pair in some]
    assert sorted(found) == [(0, 5), (1, 6), (2, 7)]


def test_the_scheduler_forgets_what_is_done(running: Any, cluster: Cluster) -> None:
    before = len(running.scheduler.tasks)
    list(cluster.completed((number, abs, (-number,)) for number in range(12)))
    wait_for(lambda: len(running.scheduler.tasks) <= before, "that nobody holds what is done")


def test_no_more_is_handed_out_than_the_cluster_has_room_for(cluster: Cluster) -> None:
    taken: list[int] = []

    def calls() -> Iterator[tuple[int, Any, tuple[float, ...]]]:
        for number in range(100):
            taken.append(number)
            yield number, time.sleep, (0.05,)

    done = cluster.completed(calls())
    next(done)
    assert len(taken) == 4  # two for each thread
    done.close()


def test_a_learner_s_error_comes_as_it_is_and_any_other_says_what_to_do(cluster: Cluster) -> None:
    with pytest.raises(LearnerError, match=r"^it cannot be learned$"):
        list(cluster.completed([(0, fail, (LearnerError,))]))
    with pytest.raises(OperationError, match=r"^it cannot be learned$"):
        list(cluster.completed([(0, fail, (OperationError,))]))
    with pytest.raises(OperationError, match=r"KeyError: .*: install this version of Focal on them"):
        list(cluster.completed([(0, fail, (KeyError,))]))


def test_the_most_workers_are_those_that_were_asked_for(running: Any) -> None:
    with Cluster(running.scheduler_address) as every, Cluster(running.scheduler_address, 1) as one:
        assert (every.size, one.size) == (2, 1)


def test_a_cluster_without_workers_is_waited_for_and_then_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_call_that_workers_die_of_is_told(cluster: Cluster) -> None:
    with pytest.raises(OperationError, match="The workers of the cluster die of this"):
        list(cluster.completed([(0, signal.raise_signal, (signal.SIGKILL,))]))


def test_what_is_not_done_is_taken_back_when_nobody_waits_for_it(running: Any, cluster: Cluster) -> None:
    """The last one: its calls sleep in the workers until these are ended."""
    calls = cluster.completed((number, time.sleep, (600.0,)) for number in range(10))
    while not running.scheduler.tasks:
        next(calls)
    calls.close()
    wait_for(lambda: not running.scheduler.tasks, "the end of the calls")
