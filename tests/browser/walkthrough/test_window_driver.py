# SPDX-License-Identifier: MIT
"""The driver of the window waits until all work is done and raises its errors."""

from __future__ import annotations

import pytest

from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.walkthrough.window_driver import DriverError, WindowDriver


def test_waiting_ends_when_all_work_is_done(driver: WindowDriver) -> None:
    done: list[int] = []
    driver.session.runner.read("test", lambda: 7, done.append)
    driver.wait_until_idle("the answer")
    assert done == [7]


def test_an_error_in_the_window_is_raised_by_the_driver(driver: WindowDriver) -> None:
    driver.session.notices.post("a warning", Severity.WARNING)
    driver.wait_until_idle("nothing")
    driver.session.notices.post("the disk is full", Severity.ERROR)
    with pytest.raises(DriverError, match="the disk is full"):
        driver.wait_until_idle("nothing")


def test_a_timeout_is_an_error(driver: WindowDriver) -> None:
    with pytest.raises(DriverError, match="in vain for the sun"):
        driver.wait_until(lambda: False, "the sun", seconds=0)
