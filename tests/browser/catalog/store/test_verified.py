# SPDX-License-Identifier: MIT
"""When the checks of backups are overdue."""

from __future__ import annotations

from datetime import timedelta

from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.verified import Verification, is_overdue


def check(age: timedelta, problem: str | None = None) -> Verification:
    """Return the result of a check made some time ago."""
    return Verification(at=timestamps.now() - age, problem=problem)


def test_without_backups_nothing_is_overdue() -> None:
    assert not is_overdue([], None)
    assert not is_overdue([check(timedelta(days=400))], None)


def test_a_check_is_overdue_a_month_after_the_last_sound_backup() -> None:
    old = timestamps.now() - timedelta(days=100)
    assert is_overdue([], old), "never checked"
    assert not is_overdue([], timestamps.now() - timedelta(days=20)), "too young"
    assert not is_overdue([check(timedelta(days=2))], old)
    assert is_overdue([check(timedelta(days=40))], old)
    assert is_overdue([check(timedelta(days=40)), check(timedelta(days=1), "damaged")], old)
    assert is_overdue([check(timedelta(days=-3))], old), "a wrong clock"
