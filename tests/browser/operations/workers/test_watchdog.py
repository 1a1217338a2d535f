# SPDX-License-Identifier: MIT
from __future__ import annotations

import threading

from focal_photos.browser.operations.workers.watchdog import Limit, Watchdog
from tests.browser.operations.workers.processes import wait_for


class Victim:
    """Counts how often it is killed."""

    def __init__(self) -> None:
        self.kills = 0

    def kill(self) -> None:
        self.kills += 1


def test_the_time_is_counted_down_and_kills_once() -> None:
    victim = Victim()
    limit = Limit(victim.kill, 2.0, None)
    for _ in range(3):
        limit.count(0.5)
        assert (victim.kills, limit.is_late) == (0, False)
    limit.count(0.5)  # 2 seconds, not more
    assert (victim.kills, limit.is_late, limit.is_cancelled) == (1, True, False)
    limit.count(5.0)
    assert victim.kills == 1


def test_each_of_several_calls_has_the_full_time() -> None:
    victim = Victim()
    limit = Limit(victim.kill, 2.0, None)
    for _ in range(10):
        limit.count(1.5)
        limit.restart()
    assert victim.kills == 0
    limit.count(2.0)
    assert limit.is_late


def test_a_cancelled_call_is_not_late() -> None:
    victim, cancelled = Victim(), threading.Event()
    limit = Limit(victim.kill, 2.0, cancelled)
    limit.count(1.0)
    assert not limit.is_cancelled
    cancelled.set()
    limit.count(5.0)
    assert (victim.kills, limit.is_late, limit.is_cancelled) == (1, False, True)


def test_a_time_limit_of_zero_kills_immediately() -> None:
    victim = Victim()
    with Watchdog().limit(victim.kill, 0.0) as limit:
        assert victim.kills == 1
        assert limit.is_late


def test_time_while_the_program_was_suspended_does_not_count() -> None:
    victim = Victim()
    now, looks = [0.0], [0.0]

    def clock() -> float:
        looks[0] += 1
        return now[0]

    watchdog = Watchdog(clock)
    with watchdog.limit(victim.kill, 60.0) as limit:
        wait_for(lambda: looks[0] > 3, "a look")
        now[0] += 3600.0  # the computer was asleep
        seen = looks[0]
        wait_for(lambda: looks[0] > seen + 3, "a look")
        assert not limit.is_late
        for _ in range(60):  # while the program runs, every second counts
            now[0] += 1.0
            seen = looks[0]
            wait_for(lambda: looks[0] > seen + 1, "a look")  # noqa: B023
        wait_for(lambda: limit.is_late, "the end of the time")
    assert victim.kills == 1


def test_nothing_is_killed_after_the_end_of_the_block() -> None:
    now, looks = [0.0], [0.0]

    def clock() -> float:
        looks[0] += 1
        return now[0]

    watchdog, early, late = Watchdog(clock), Victim(), Victim()
    with watchdog.limit(late.kill, 0.5):
        with watchdog.limit(early.kill, 0.5):
            pass
        now[0] += 1.0
        wait_for(lambda: late.kills, "the end of the time")
    assert early.kills == 0
