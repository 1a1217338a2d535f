# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

import pytest

from focal_photos.browser.operations.jobs.pauses import pausing_by
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.jobs.thread import in_thread, left_running, on_all_cores
from tests.browser.operations.jobs.waiting import stands_in, until


def test_a_job_returns_its_result_and_shows_progress() -> None:
    seen = threading.Event()

    def compute(report: Callable[[float], None]) -> str:
        report(0.25)
        assert seen.wait(30)
        return threading.current_thread().name

    job = in_thread("Learning", compute)
    while (progress := next(job)).total is None:  # no report of the thread yet
        assert progress.done == 0
    assert (progress.stage, progress.done, progress.total) == ("Learning", 250, 1000)
    assert progress.is_share
    seen.set()
    assert finish(job) == "Learning"


def test_a_computation_without_reports_is_shown_once_without_a_total() -> None:
    job = in_thread("Comparing tags", lambda _report: 7)
    first = next(job)
    assert (first.done, first.total) == (0, None)
    assert finish(job) == 7


def test_an_exception_in_the_thread_is_raised_by_the_job() -> None:
    def compute(_report: Callable[[float], None]) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        finish(in_thread("Learning", compute))


def test_a_report_waits_for_the_scheduling_of_its_job() -> None:
    asked = list[str]()

    def compute(report: Callable[[float], None]) -> None:
        report(0.25)
        report(0.5)

    def wait() -> None:
        asked.append(threading.current_thread().name)

    with pausing_by(wait):
        finish(in_thread("Learning", compute))
    assert asked == ["Learning", "Learning"]
    finish(in_thread("Learning", compute))
    assert len(asked) == 2, "without a way to wait, nothing waits"


def test_closing_the_job_ends_the_computation_at_its_next_report() -> None:
    begun, ended = threading.Event(), threading.Event()
    go_on = threading.Event()

    def compute(report: Callable[[float], None]) -> None:
        begun.set()
        try:
            assert go_on.wait(30)
            while True:
                report(0.5)
        finally:
            ended.set()

    job = in_thread("Learning", compute)
    next(job)
    assert begun.wait(30)
    go_on.set()
    job.close()  # waits for the thread
    assert ended.is_set()
    assert not any(thread.name == "Learning" for thread in threading.enumerate())


def test_a_computation_without_side_effects_is_abandoned_and_ends_at_its_next_report() -> None:
    begun, go_on, reported = threading.Event(), threading.Event(), threading.Event()

    def compute(report: Callable[[float], None]) -> None:
        begun.set()
        assert go_on.wait(30), "the job does not wait for a computation without side effects"
        report(0.5)
        reported.set()

    job = in_thread("Learning", compute, keeps=False)
    next(job)
    assert begun.wait(30)
    job.close()
    assert left_running()
    go_on.set()
    for thread in threading.enumerate():
        if thread.name == "Learning":
            thread.join(30)
    assert not left_running()
    assert not reported.is_set(), "the job ends at its next report"


def test_a_finished_computation_is_not_left_running() -> None:
    job = in_thread("Learning", lambda _report: 7, keeps=False)
    assert finish(job) == 7
    assert not left_running()


def test_an_interruption_does_not_hide_a_running_computation() -> None:
    go_on, main = threading.Event(), threading.current_thread()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt() -> None:
        until(lambda: stands_in(main, "in_thread", "wait"))
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    try:
        sender.start()
        with pytest.raises(KeyboardInterrupt):
            finish(in_thread("Learning", lambda _report: go_on.wait(30), keeps=False))
        assert left_running()
    finally:
        go_on.set()
        sender.join()
        signal.signal(signal.SIGINT, before)
    until(lambda: not left_running())


def test_results_come_in_order_and_parts_run_in_parallel() -> None:
    meeting = threading.Barrier(2)

    def work(part: int) -> int:
        if part < 2 and (os.cpu_count() or 1) > 1:
            meeting.wait(60)  # passed only if both run at the same time
        return part * part

    assert list(on_all_cores(work, range(20))) == [part * part for part in range(20)]
    assert list(on_all_cores(work, [7])) == [49]
    assert list(on_all_cores(work, [])) == []


def test_closing_the_results_begins_no_further_parts() -> None:
    done: list[int] = []

    def work(part: int) -> int:
        done.append(part)
        return part

    results = on_all_cores(work, range(1000))
    assert next(results) == 0
    results.close()
    begun = len(done)
    assert begun <= 2 * (os.cpu_count() or 1) + 2
    assert sorted(done) == list(range(begun))
    assert len(done) == begun


def test_closing_while_parts_run_begins_no_further_parts() -> None:
    threads = os.cpu_count() or 1
    begun: list[int] = []
    go_on = threading.Event()

    def work(part: int) -> int:
        begun.append(part)
        if part:
            assert go_on.wait(60)
        return part

    results = on_all_cores(work, range(1000))
    assert next(results) == 0
    wanted = list(range(threads + 1)) if threads > 1 else [0]  # one for each core, as the first is done
    assert until(lambda: len(begun) == len(wanted))
    closing = threading.Thread(target=results.close)
    closing.start()
    assert until(lambda: not closing.is_alive() or stands_in(closing, "shutdown", "join"))  # it waits for those
    go_on.set()
    closing.join(60)
    assert sorted(begun) == wanted


def test_an_exception_is_raised_at_the_position_of_its_part() -> None:
    def work(part: int) -> int:
        if part == 3:
            raise KeyError(part)
        return part

    results = on_all_cores(work, range(10))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError):
        next(results)
