# SPDX-License-Identifier: MIT
from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.tasks.lanes import JobCancelledError, JobLane, JobRun, ReadLane, WriteLane

Answers = list[tuple[object, BaseException | None]]


def test_writes_run_in_order_and_are_finished_at_the_end() -> None:
    lane, done, answers = WriteLane("focal-test"), list[int](), Answers()
    gate = threading.Event()
    lane.put(lambda: gate.wait(60), lambda *answer: answers.append(answer))
    for number in range(50):
        lane.put(lambda number=number: done.append(number), lambda *answer: answers.append(answer))  # type: ignore[misc]
    gate.set()
    lane.close()
    assert done == list(range(50))
    assert len(answers) == 51


def test_a_lane_that_runs_its_last_function_is_not_idle() -> None:
    writes, reads = WriteLane("focal-test"), ReadLane("focal-test", threads=1)
    gate, begun = threading.Event(), threading.Semaphore(0)

    def wait() -> None:
        begun.release()
        gate.wait(60)

    assert writes.idle
    assert reads.idle
    writes.put(wait, lambda *_: None)
    reads.put("channel", wait, lambda *_: None)
    for _ in range(2):
        assert begun.acquire(timeout=60)
    assert not writes.idle
    assert not reads.idle
    gate.set()
    writes.close()
    reads.close(60)
    assert writes.idle
    assert reads.idle


def test_a_closed_write_lane_refuses() -> None:
    lane = WriteLane("focal-test")
    lane.close()
    with pytest.raises(RuntimeError, match="closed"):
        lane.put(lambda: None, lambda *_: None)


def test_an_error_is_returned_and_the_lane_continues() -> None:
    lane, answers = WriteLane("focal-test"), Answers()

    def fail() -> None:
        raise OSError("no")

    lane.put(fail, lambda *answer: answers.append(answer))
    lane.put(lambda: 7, lambda *answer: answers.append(answer))
    lane.close()
    assert isinstance(answers[0][1], OSError)
    assert answers[1] == (7, None)


def test_only_the_latest_waiting_read_of_a_channel_runs() -> None:
    lane, ran = ReadLane("focal-test", threads=1), list[str]()
    gate, busy, last = threading.Event(), threading.Event(), threading.Event()

    def block() -> None:
        busy.set()
        gate.wait(60)

    assert lane.put("other", block, lambda *_: None) == 0
    busy.wait(60)
    assert lane.put("a", lambda: ran.append("first"), lambda *_: None) == 0
    assert lane.put("b", lambda: ran.append("b"), lambda *_: None) == 0
    assert lane.put("a", lambda: ran.append("second"), lambda *_: None) == 1
    lane.put("c", last.set, lambda *_: None)
    gate.set()
    assert last.wait(60)
    lane.close(60)
    assert ran == ["second", "b"]
    assert lane.put("a", lambda: None, lambda *_: None) == 1, "a closed lane returns no result"


def counting(log: list[str], steps: int = 1000) -> Job[str]:
    try:
        for step in range(steps):
            log.append(f"step {step}")
            yield Progress("Counting", step + 1, steps)
    finally:
        log.append("closed")
    return "all"


class Run:
    """A job in a lane with its reports; it can be paused at its first report, before the lane checks for a pause."""

    def __init__(self, lane: JobLane, log: list[str], steps: int = 1000, *, pauses: bool = False) -> None:
        self._pauses = pauses
        self.reports: list[Progress] = []
        self.answer: tuple[object, BaseException | None] | None = None
        self.reported, self.ended = threading.Event(), threading.Event()
        self.run = JobRun(lambda: counting(log, steps), self._report, self._answer)
        lane.put(self.run)

    def _report(self, progress: Progress) -> None:
        self.reports.append(progress)
        if self._pauses and not self.reported.is_set():
            self.run.unpaused.clear()
        self.reported.set()

    def _answer(self, result: object, error: BaseException | None) -> None:
        self.answer = result, error
        self.ended.set()


@pytest.fixture
def lane() -> Iterator[JobLane]:
    lane = JobLane("focal-test")
    yield lane
    lane.close(60)


def test_a_job_reports_progress_and_its_result(lane: JobLane) -> None:
    run = Run(lane, [])
    assert run.ended.wait(60)
    assert run.answer == ("all", None)
    assert [progress.done for progress in run.reports] == list(range(1, 1001))


def test_a_paused_job_resumes(lane: JobLane) -> None:
    log: list[str] = []
    run = Run(lane, log, pauses=True)
    assert run.reported.wait(60)
    assert not run.ended.wait(0.1)
    assert log == ["step 0"], "the lane pauses"
    run.run.unpaused.set()
    assert run.ended.wait(60)
    assert run.answer == ("all", None)


def test_a_paused_job_can_be_cancelled(lane: JobLane) -> None:
    log: list[str] = []
    run = Run(lane, log, pauses=True)
    assert run.reported.wait(60)
    run.run.cancel()
    assert run.ended.wait(60)
    assert run.answer is not None
    assert isinstance(run.answer[1], JobCancelledError)
    assert log == ["step 0", "closed"]


def test_a_cancelled_job_is_closed(lane: JobLane) -> None:
    log: list[str] = []
    run = Run(lane, log, 10_000_000)
    assert run.reported.wait(60)
    run.run.cancel()
    assert run.ended.wait(60)
    assert run.answer is not None
    assert isinstance(run.answer[1], JobCancelledError)
    assert log[-1] == "closed"


def test_jobs_run_one_by_one_and_closing_cancels_all() -> None:
    lane, first, second = JobLane("focal-test"), list[str](), list[str]()
    running, waiting = Run(lane, first, 10_000_000), Run(lane, second)
    assert running.reported.wait(60)
    assert second == []
    lane.close(60)
    assert running.ended.is_set()
    assert waiting.ended.is_set()
    assert second == [], "the waiting job does not begin"


def test_a_thread_that_does_not_end_is_logged_with_its_stack(caplog: pytest.LogCaptureFixture) -> None:
    lane, release, begun = ReadLane("focal-test", threads=1), threading.Event(), threading.Event()

    def endless() -> None:
        begun.set()
        release.wait(60)

    lane.put("channel", endless, lambda _result, _error: None)
    assert begun.wait(60)
    lane.close(0.0)
    release.set()
    assert "The thread focal-test-0 did not end" in caplog.text
    assert "in endless" in caplog.text
