# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.models.review.questions.pace import Pace


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def answer(pace: Pace, clock: Clock, seconds: float, photos: int) -> None:
    pace.ask()
    clock.now += seconds
    pace.answer(photos)
    clock.now += 1000.0  # the user pauses between an answer and the next question


def test_the_pace_is_the_median_time_over_the_mean_number_of_photos() -> None:
    clock = Clock()
    pace = Pace(clock)
    for seconds, photos in ((4.0, 1), (6.0, 3)):
        answer(pace, clock, seconds, photos)
        assert pace.seconds_for(10) is None, "too few answers"
    answer(pace, clock, 3600.0, 2)
    assert pace.seconds_for(10) == pytest.approx(6 * 10 / 2), "a long break counts as a usual answer"


def test_only_recent_answers_count_and_no_settled_photos_give_no_pace() -> None:
    clock = Clock()
    pace = Pace(clock)
    for _ in range(12):
        answer(pace, clock, 2.0, 0)
    assert pace.seconds_for(10) is None
    for _ in range(12):
        answer(pace, clock, 5.0, 1)
    assert pace.seconds_for(10) == pytest.approx(50)


def test_an_answer_without_a_question_is_ignored() -> None:
    clock = Clock()
    pace = Pace(clock)
    for _ in range(4):
        pace.answer(1)
    assert pace.seconds_for(10) is None
