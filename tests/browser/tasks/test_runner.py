# SPDX-License-Identifier: MIT
from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.tasks import runner as runner_module
from focal_photos.browser.tasks.runner import LONG_SECONDS, REPORT_MILLISECONDS, Failure, Runner, TaskState, TaskStatus
from tests.browser.operations.jobs.waiting import until


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[Runner]:
    runner = Runner()
    yield runner
    runner.close()


def counting(steps: int, gate: threading.Event | None = None) -> Job[int]:
    for step in range(steps):
        yield Progress("Counting", step + 1, steps)
        if gate is not None:
            gate.wait(60)
    return steps


def test_results_arrive_on_the_main_thread(runner: Runner, qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    runner.write("Writing", threading.current_thread, threads.append)
    runner.read("a", threading.current_thread, threads.append)
    runner.write("Writing", lambda: None, lambda _: threads.append(threading.current_thread()))
    qtbot.waitUntil(lambda: runner.idle)
    assert len(threads) == 3
    assert threads.count(threading.main_thread()) == 1


class Paint(QObject):
    """Stands for the events that Qt has queued for the window."""

    wanted = Signal()


def test_the_event_loop_runs_after_each_slow_result(runner: Runner, qtbot: QtBot) -> None:
    order: list[object] = []
    paint = Paint()
    paint.wanted.connect(lambda: order.append("paint"), Qt.ConnectionType.QueuedConnection)

    def take(number: int) -> None:
        order.append(number)
        paint.wanted.emit()
        time.sleep(2 * LONG_SECONDS)

    for number in range(3):
        runner.write("Writing", lambda number=number: number, take)  # type: ignore[misc]
    while not runner._write.idle:  # wait until all results are available before the first is delivered
        time.sleep(0.001)
    qtbot.waitUntil(lambda: len(order) == 6)
    assert order == [0, "paint", 1, "paint", 2, "paint"]


def test_secondary_results_are_computed_after_the_requested_one_is_shown(
    runner: Runner, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner.priority, "_patience", 600.0)
    order: list[object] = []

    def show(_: object) -> None:
        runner.read("beside", lambda: order.append("beside"), order.append, aside=True)
        runner.read("asked", lambda: order.append("asked"), lambda _: None)
        assert until(lambda: "asked" in order)
        time.sleep(0.05)
        order.append("shown")

    runner.read("first", lambda: None, show)
    qtbot.waitUntil(lambda: runner.idle, timeout=60_000)
    assert order == ["asked", "shown", "beside", None]


def test_results_arrive_while_one_waits_for_the_user(runner: Runner, qtbot: QtBot) -> None:
    answers: list[int] = []

    def ask(_: object) -> None:  # waits for the user, as a dialog does
        qtbot.waitUntil(lambda: answers == [1, 2])
        answers.append(0)

    runner.write("Asking", lambda: None, ask)
    for number in (1, 2):
        runner.write("Writing", lambda number=number: number, answers.append)  # type: ignore[misc]
    while not runner._write.idle:
        time.sleep(0.001)
    qtbot.waitUntil(lambda: runner.idle)
    assert answers == [1, 2, 0]


def test_results_arrive_although_the_main_thread_is_blocked_at_first(
    runner: Runner, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = itertools.count(step=2 * LONG_SECONDS)  # other threads run between any two readings of the clock
    monkeypatch.setattr(runner_module, "time", SimpleNamespace(monotonic=lambda: next(late)))
    answers: list[int] = []
    for number in range(3):
        runner.write("Writing", lambda number=number: number, answers.append)  # type: ignore[misc]
    qtbot.waitUntil(lambda: runner.idle)
    assert answers == [0, 1, 2]


def test_stale_results_are_dropped(runner: Runner, qtbot: QtBot) -> None:
    gate, answers = threading.Event(), list[int]()
    started = threading.Event()

    def slow() -> int:
        started.set()
        gate.wait(60)
        return 1

    runner.read("a", slow, answers.append)
    started.wait(60)
    runner.read("a", lambda: 2, answers.append)
    gate.set()
    qtbot.waitUntil(lambda: runner.idle)
    assert answers == [2]
    runner.read("a", lambda: 3, answers.append)
    runner.forget("a")
    qtbot.waitUntil(lambda: runner.idle)
    assert answers == [2]


def test_many_reads_leave_the_runner_idle(runner: Runner, qtbot: QtBot) -> None:
    answers: list[int] = []
    for number in range(500):
        runner.read("a", lambda number=number: number, answers.append)  # type: ignore[misc]
    qtbot.waitUntil(lambda: runner.idle)
    assert answers[-1] == 499


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (LibraryError("The disk\nis full."), "The disk is full."),
        (OSError(5, "Input/output error"), "[Errno 5] Input/output error"),
    ],
)
def test_errors_become_one_line(runner: Runner, qtbot: QtBot, error: Exception, message: str) -> None:
    def fail() -> None:
        raise error

    with qtbot.waitSignal(runner.failed) as blocker:
        runner.write("Tagging", fail)
    assert blocker.args == [Failure("Tagging", message)]


def test_an_unexpected_error_is_logged(runner: Runner, qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise KeyError("oops")

    with qtbot.waitSignal(runner.failed) as blocker:
        runner.read("a", fail, lambda _: None)
    assert "KeyError" in blocker.args[0].message
    assert "oops" in caplog.text


def test_a_caller_may_handle_the_error(runner: Runner, qtbot: QtBot) -> None:
    taken: list[Exception] = []

    def fail() -> None:
        raise LibraryError("no")

    def take(error: Exception) -> bool:
        taken.append(error)
        return True

    with qtbot.assertNotEmitted(runner.failed):
        runner.write("Tagging", fail, failed=take)
        qtbot.waitUntil(lambda: bool(taken))


def test_a_task_signals_its_start_progress_and_end(runner: Runner, qtbot: QtBot) -> None:
    states, results = list[TaskState](), list[int]()
    runner.task_changed.connect(states.append)
    number = runner.start("Counting to 3", lambda: counting(3), results.append)
    qtbot.waitUntil(lambda: runner.idle)
    assert results == [3]
    assert states[0].status is TaskStatus.WAITING
    assert states[-1].status is TaskStatus.DONE
    assert states[-1].progress == Progress("Counting", 3, 3)
    assert {state.number for state in states} == {number}
    assert runner.tasks() == []


def test_progress_is_throttled_but_never_late(runner: Runner, qtbot: QtBot) -> None:
    gate, reports = threading.Event(), list[Progress]()
    runner.task_changed.connect(lambda state: reports.append(state.progress) if state.progress else None)

    def slow_at_the_end() -> Job[None]:
        yield from counting(5000)
        gate.wait(60)

    begin = time.monotonic()
    runner.start("Counting", slow_at_the_end)
    qtbot.waitUntil(lambda: bool(reports) and reports[-1].done == 5000)
    milliseconds = 1000 * (time.monotonic() - begin)
    assert len(reports) <= 1 + milliseconds / (0.9 * REPORT_MILLISECONDS), "Qt's timers may be 5 % early"
    gate.set()
    qtbot.waitUntil(lambda: runner.idle)


def test_jobs_can_be_paused_and_cancelled(runner: Runner, qtbot: QtBot) -> None:
    results, states = list[int](), list[TaskState]()
    runner.task_changed.connect(states.append)
    number = runner.start("Counting", lambda: counting(10_000_000), results.append)
    qtbot.waitUntil(lambda: states[-1].progress is not None)
    runner.pause(number)
    assert runner.tasks()[0].paused
    runner.pause(number, False)
    assert not runner.tasks()[0].paused
    runner.cancel(number)
    qtbot.waitUntil(lambda: runner.idle)
    assert states[-1].status is TaskStatus.CANCELLED
    assert results == []


def test_lanes_run_side_by_side(runner: Runner, qtbot: QtBot) -> None:
    gate, results = threading.Event(), list[int]()
    runner.start("Slow", lambda: counting(3, gate), results.append, lane="index")
    runner.start("Fast", lambda: counting(2), results.append, lane="learn")
    qtbot.waitUntil(lambda: results == [2])
    gate.set()
    qtbot.waitUntil(lambda: results == [2, 3])


def test_closing_finishes_writes_and_delivers_nothing(qtbot: QtBot) -> None:
    runner, written, delivered = Runner(), list[int](), list[object]()
    for number in range(20):
        runner.write("Writing", lambda number=number: written.append(number), delivered.append)  # type: ignore[misc]
    runner.start("Counting", lambda: counting(10_000_000), delivered.append)
    runner.read("a", lambda: 1, delivered.append)
    runner.close()
    runner.close()
    qtbot.wait(20)
    assert written == list(range(20))
    assert delivered == []
