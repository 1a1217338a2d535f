# SPDX-License-Identifier: MIT
"""A slideshow in the real window; its clock is advanced by hand."""

from __future__ import annotations

import random

from PySide6.QtCore import Qt

from focal_photos.browser.operations.describing.settings import SLIDESHOW_RANDOM, SLIDESHOW_SECONDS
from focal_photos.browser.views.window.slideshow import Slideshow
from focal_photos.browser.walkthrough.window_driver import WindowDriver

Key = Qt.Key


def begin(driver: WindowDriver, row: int) -> Slideshow:
    SLIDESHOW_SECONDS.set(driver.session.library, 600)
    driver.grid.setFocus()
    driver.grid.make_current(row)
    driver.press(Key.Key_P)
    driver.wait_until_idle("the first photo")
    return driver.window.window_actions.show


def pass_time(show: Slideshow, driver: WindowDriver) -> None:
    assert show.timer.isActive()
    show.timer.stop()
    show.timer.timeout.emit()
    driver.wait_until_idle("the next photo")


def test_the_slideshow_runs_from_the_current_photo_to_the_last(driver: WindowDriver) -> None:
    ids = driver.session.grid.ids.tolist()
    show = begin(driver, len(ids) - 3)
    assert show.running
    assert driver.window.isFullScreen()
    assert show.timer.interval() == 600_000
    seen = [driver.window.photos.viewer.photo_id]
    for _ in range(2):
        pass_time(show, driver)
        seen.append(driver.window.photos.viewer.photo_id)
    assert seen == ids[-3:]
    pass_time(show, driver)
    assert not show.running
    assert not driver.window.isFullScreen()


def test_the_key_pauses_and_resumes_and_esc_ends(driver: WindowDriver) -> None:
    ids = driver.session.grid.ids.tolist()
    show = begin(driver, 0)
    driver.press(Key.Key_P)
    assert show.running
    assert not show.timer.isActive()
    driver.press(Key.Key_Right)
    driver.wait_until_idle("the step")
    assert driver.window.photos.viewer.photo_id == ids[1], "keys move to the next photo during the slideshow"
    driver.press(Key.Key_P)
    driver.wait_until_idle("the next photo")
    assert driver.window.photos.viewer.photo_id == ids[2]
    assert show.timer.isActive()
    driver.press(Key.Key_Space)
    assert driver.window.photos.viewing
    assert not show.timer.isActive(), "Space pauses too"
    driver.press(Key.Key_Space)
    driver.wait_until_idle("the photo after that")
    assert show.timer.isActive()
    driver.press(Key.Key_Escape)
    assert not show.running
    assert not show.timer.isActive()
    assert not driver.window.isFullScreen()
    assert not driver.window.photos.viewing


def test_a_random_slideshow_shows_each_photo_once(driver: WindowDriver) -> None:
    ids = driver.session.grid.ids.tolist()
    SLIDESHOW_RANDOM.set(driver.session.library, True)
    driver.window.window_actions.show._rng = random.Random(3)
    show = begin(driver, 4)
    seen = [driver.window.photos.viewer.photo_id]
    while len(seen) < len(ids):
        pass_time(show, driver)
        seen.append(driver.window.photos.viewer.photo_id)
    assert seen[0] == ids[4]
    assert sorted(seen) == sorted(ids)  # type: ignore[type-var]
    assert seen != ids
    pass_time(show, driver)
    assert not show.running


def test_a_slideshow_without_photos_shows_a_hint(driver: WindowDriver) -> None:
    driver.session.navigator.set_query("nothing-is-called-so")
    driver.wait_until_idle("the filter")
    driver.window.window_actions.slideshow()
    driver.wait_until_idle("nothing")
    assert not driver.window.window_actions.show.running
    assert not driver.window.isFullScreen()
