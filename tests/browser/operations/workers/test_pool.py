from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from joblib.parallel import BACKENDS, ThreadingBackend

from browser.operations.jobs.errors import OperationError
from browser.operations.workers.backends import ProcessCrew
from browser.operations.workers.pool import AHEAD, BATCH, collect_in_processes, describe_in_processes
from browser.operations.workers.worker import Outcome, Task, describe_photo
from features.color.color_moments import ColorMoments
from features.decoding.decode import DecodeLimits
from features.description import DescriptionPlan
from tests.browser.operations.album import Album
from tests.browser.operations.strange import DEADLY, ENDLESS, FAULTY, GREEDY, SLOW, Diagonal, Strange, paint


class Registered(ThreadingBackend):  # type: ignore[misc]
    """What a package for another cluster would register with joblib."""


class Failing(ThreadingBackend):  # type: ignore[misc]
    """Does not work."""

    def submit(self, func: object, callback: object = None) -> None:
        raise RuntimeError("no electricity")


@pytest.fixture(autouse=True)
def other_back_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "registered", Registered)
    monkeypatch.setitem(BACKENDS, "failing", Failing)


PLAN = DescriptionPlan((ColorMoments(), Strange(), Diagonal(7)))
NAMES = tuple(PLAN.by_name)


def tasks_of(paths: Sequence[Path]) -> list[Task]:
    return [Task(number, path, NAMES) for number, path in enumerate(paths)]


def describe_all(tasks: Sequence[Task], plan: DescriptionPlan = PLAN, **options: object) -> dict[str, Outcome]:
    outcomes = [o for many in describe_in_processes(tasks, plan, **options) for o in many]  # type: ignore[arg-type]
    assert sorted(o.task.photo_id for o in outcomes) == sorted(task.photo_id for task in tasks)
    return {o.task.path.name: o for o in outcomes}


def assert_same(outcome: Outcome, plan: DescriptionPlan = PLAN) -> None:
    """Compare an outcome with what this process finds, bit for bit."""
    here = describe_photo(outcome.task, plan)
    assert outcome.failure == here.failure == ""
    assert outcome.description is not None
    assert here.description is not None
    assert outcome.description.thumbnail == here.description.thumbnail
    assert outcome.description.header == here.description.header
    assert list(outcome.description.vectors) == [name for name in outcome.task.names if name != "diagonal"]
    for name, vector in here.description.vectors.items():
        np.testing.assert_array_equal(outcome.description.vectors[name], vector, strict=True)
    for name, found in here.description.patches.items():
        np.testing.assert_array_equal(outcome.description.patches[name].points, found.points, strict=True)
        np.testing.assert_array_equal(outcome.description.patches[name].vectors, found.vectors, strict=True)


def workers_of_this_process() -> list[int]:
    children = [
        int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()
    ]
    return [pid for pid in children if b"LokyProcess" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.parametrize("backend", ["processes", "threads", "registered"])
def test_every_back_end_gives_the_same_bits(album: Album, backend: str) -> None:
    outcomes = describe_all(tasks_of(album.draw_many(30)), workers=2, backend=backend)
    for outcome in outcomes.values():
        assert_same(outcome)
    assert multiprocessing.active_children() == []


def test_only_the_names_of_a_task_are_described(album: Album) -> None:
    task = Task(4, album.draw("a.jpg"), ("diagonal",))
    (outcome,) = describe_all([task], workers=1).values()
    assert outcome.description is not None
    assert (outcome.description.vectors, list(outcome.description.patches)) == ({}, ["diagonal"])


def test_nothing_to_do_starts_nothing() -> None:
    assert list(describe_in_processes([], PLAN)) == []


def test_the_limits_of_the_plan_hold_in_the_workers(album: Album) -> None:
    plan = DescriptionPlan((ColorMoments(),), DecodeLimits(max_pixels=100), thumbnail_side=None)
    task = Task(1, album.draw("a.jpg"), ("color_moments",))
    for backend in ("processes", "threads"):
        (outcome,) = describe_all([task], plan, workers=1, backend=backend).values()
        assert "claims 6,144 pixels" in outcome.failure


def test_faults_and_values_that_are_not_finite_are_failures(album: Album) -> None:
    paths = [paint(album.path("faulty.png"), FAULTY), paint(album.path("endless.png"), ENDLESS), album.draw("good.jpg")]
    outcomes = describe_all(tasks_of(paths), workers=1)
    assert outcomes["faulty.png"].failure == "Focal cannot describe it (RuntimeError: that is magenta)."
    assert outcomes["endless.png"].failure == "Focal cannot describe it (values that are not finite)."
    assert outcomes["faulty.png"].lasting
    assert outcomes["endless.png"].lasting
    assert_same(outcomes["good.jpg"])


def test_a_photo_that_kills_its_process_gets_a_failure_and_all_others_go_on(album: Album) -> None:
    paths = [*album.draw_many(40), paint(album.path("deadly-1.png"), DEADLY), paint(album.path("deadly-2.png"), DEADLY)]
    paths.insert(5, paths.pop())
    outcomes = describe_all(tasks_of(paths), workers=2)
    failed = {name: o for name, o in outcomes.items() if o.failure}
    assert set(failed) == {"deadly-1.png", "deadly-2.png"}
    assert all(o.lasting and "ended the process" in o.failure for o in failed.values())


def test_a_photo_that_takes_too_long_is_given_up_even_if_it_holds_pythons_lock(album: Album) -> None:
    paths = album.draw_many(30)
    paths.insert(3, paint(album.path("slow.png"), SLOW))
    paths.insert(20, paint(album.path("greedy.png"), GREEDY))
    plan = DescriptionPlan(PLAN.descriptors, seconds_per_photo=1.5)
    outcomes = describe_all(tasks_of(paths), plan, workers=2)
    failed = {name: o for name, o in outcomes.items() if o.failure}
    assert set(failed) == {"slow.png", "greedy.png"}
    assert all(o.lasting and "took longer than 1.5 seconds: " in o.failure for o in failed.values())


def test_threads_give_up_a_slow_photo_too(album: Album) -> None:
    paths = [paint(album.path("slow.png"), SLOW), *album.draw_many(10)]
    outcomes = describe_all(
        tasks_of(paths), DescriptionPlan(PLAN.descriptors, seconds_per_photo=1.0), workers=2, backend="threads"
    )
    assert [name for name, o in outcomes.items() if o.failure] == ["slow.png"]
    assert "took longer than 1 seconds" in outcomes["slow.png"].failure


def test_faults_of_a_back_end_are_raised_and_nothing_hangs(album: Album) -> None:
    with pytest.raises(RuntimeError, match="no electricity"):
        list(describe_in_processes(tasks_of(album.draw_many(30)), PLAN, workers=2, backend="failing"))


def test_a_worker_that_is_killed_from_outside_costs_nothing(album: Album) -> None:
    tasks = tasks_of(album.draw_many(100))
    outcomes: list[Outcome] = []
    killed = False
    with closing(describe_in_processes(tasks, PLAN, workers=2)) as results:
        for many in results:
            outcomes += many
            if outcomes and not killed:
                os.kill(workers_of_this_process()[0], signal.SIGKILL)
                killed = True
    assert sorted(o.task.photo_id for o in outcomes) == list(range(100))
    assert not any(o.failure for o in outcomes)


def test_closing_ends_the_processes_at_once(album: Album) -> None:
    paths = [*album.draw_many(BATCH), *(paint(album.path(f"slow-{n}.png"), SLOW) for n in range(BATCH))]
    results = describe_in_processes(tasks_of(paths), PLAN, workers=1)
    while not next(results):
        pass
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < 5
    assert multiprocessing.active_children() == []
    assert workers_of_this_process() == []


def test_a_crew_closed_right_after_a_batch_was_handed_out_drops_it_without_a_fault() -> None:
    # A fault in a thread of the crew's fails this test, as any unhandled one does.
    for _ in range(5):
        engaged = ProcessCrew(PLAN, 1)
        engaged.start()
        futures = [engaged.submit([]) for _ in range(2)]
        engaged.close()
        assert all(future.done() for future in futures)


def test_not_more_is_handed_out_than_the_memory_is_meant_for(album: Album) -> None:
    tasks = tasks_of(album.draw_many(80))
    with closing(describe_in_processes(tasks, PLAN, workers=1, backend="threads")) as results:
        first: list[Outcome] = []
        while not first:
            first = next(results)
        time.sleep(1.0)  # the threads work on, but only at what they have
        second = next(results)
    assert len(first) + len(second) <= (AHEAD + 1) * BATCH


def test_an_unknown_back_end_is_refused(album: Album) -> None:
    with pytest.raises(OperationError, match="The back end 'smoke signals' cannot be used"):
        list(describe_in_processes(tasks_of([album.draw("a.jpg")]), PLAN, backend="smoke signals"))


def test_rows_to_learn_from_come_in_order_and_failures_give_none(album: Album) -> None:
    paths = album.draw_many(25)
    album.path("text.jpg").write_text("no photo")
    photos = list(enumerate([*paths[:10], album.path("text.jpg"), *paths[10:]], start=100))
    sources = (Strange(), Diagonal(9))
    rows = list(collect_in_processes(photos, sources, workers=2))
    assert len(rows) == 25
    for path, found in zip(paths, rows, strict=True):
        here = describe_photo(Task(0, path, NAMES), DescriptionPlan((*sources, ColorMoments()))).description
        assert here is not None
        assert list(found) == [str(source.key) for source in sources]
        np.testing.assert_array_equal(found[str(sources[0].key)], here.vectors["strange"][None], strict=True)
        np.testing.assert_array_equal(found[str(sources[1].key)], here.patches["diagonal"].vectors, strict=True)


def test_tasks_and_outcomes_travel(album: Album) -> None:
    outcome = describe_photo(Task(1, album.draw("a.jpg"), NAMES), PLAN)
    assert_same(pickle.loads(pickle.dumps(outcome)))
