# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.operations.jobs.progress import Job, Meter, Progress, finish


class Clock:
    """Clock that only a test moves forward."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_meter_counts_and_estimates() -> None:
    clock = Clock()
    meter = Meter("Reading photos", 50, clock=clock)
    assert meter.state() == Progress("Reading photos", 0, 50, None, None, "")
    clock.now += 2
    assert meter.advance(10, "a.jpg") == Progress("Reading photos", 10, 50, 5.0, 8.0, "a.jpg")
    clock.now += 2
    assert meter.advance() == Progress("Reading photos", 11, 50, 11 / 4, 39 / (11 / 4), "")
    assert meter.state("b.jpg") == Progress("Reading photos", 11, 50, 11 / 4, 39 / (11 / 4), "b.jpg")


def test_progress_without_a_total_has_a_rate_and_no_end() -> None:
    clock = Clock()
    meter = Meter("Looking for photos", clock=clock)
    clock.now += 4
    assert meter.advance(8) == Progress("Looking for photos", 8, None, 2.0, None, "")


def test_no_progress_gives_no_rate() -> None:
    clock = Clock()
    meter = Meter("Waiting", 3, clock=clock)
    clock.now += 5
    assert meter.advance(0).rate is None
    assert meter.advance(0).seconds_left is None


def test_the_rate_covers_the_last_seconds() -> None:
    clock = Clock()
    meter = Meter("Reading photos", 1000, window=10.0, clock=clock)
    for _ in range(10):  # 100 per second
        clock.now += 1
        meter.advance(100)
    for _ in range(11):  # then 1 per second
        clock.now += 1
        last = meter.advance(1)
    assert last.rate == 1.0


def test_the_rate_of_a_slow_item_covers_its_own_duration() -> None:
    clock = Clock()
    meter = Meter("Reading photos", 10, window=10.0, clock=clock)
    clock.now += 60  # longer than the window: two marks remain
    assert meter.advance(3).rate == 3 / 60
    clock.now += 60
    assert meter.advance(6).rate == 6 / 60


def test_finish_runs_a_job_and_returns_its_result() -> None:
    def job() -> Job[str]:
        yield Progress("one", 1)
        yield Progress("two", 2)
        return "done"

    said: list[str] = []
    assert finish(job(), lambda progress: said.append(progress.stage)) == "done"
    assert said == ["one", "two"]
    assert finish(job()) == "done"
