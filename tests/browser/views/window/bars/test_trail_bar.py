# SPDX-License-Identifier: MIT
"""The trail in the top bar: photos, one chip for filters, and the last place after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt

from focal_photos.browser import app
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.trail import Collection, Step
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.window.bars.trail_bar import shown_together
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


def test_consecutive_filters_and_steps_of_one_photo_share_a_chip() -> None:
    sea, sky = Collection("sea"), Collection("sky")
    steps = [Step(), Step(sea), Step(sky), Step(sky, 1), Step(sea, 1), Step(sea, 2), Step(sea), Step(sea, 2)]
    assert [list(group) for group in shown_together(steps)] == [[0, 1, 2], [3, 4], [5], [6], [7]]


def test_the_trail_shows_photos_and_one_chip_for_filters(driver: WindowDriver) -> None:
    strip = driver.window.top_bar.trail
    driver.session.editor.tag(driver.session.grid.ids[:9].tolist(), ["sea"])
    driver.session.editor.tag(driver.session.grid.ids[:5].tolist(), ["sky"])
    driver.wait_until_idle("tagging")
    for tag in ("sea", "sky", "sea"):
        driver.navigator.show_tag(tag)
        driver.wait_until_idle("the tag")
    first = walk_to(driver, 0)
    for text in ("tag:sky", ""):
        driver.press(Key.Key_F, CTRL)
        driver.window.sidebar.search.clear()
        driver.type(text)
        driver.press(Key.Key_Return)
        driver.wait_until_idle("the filter")
    second = walk_to(driver, 2)
    steps = strip.steps()
    assert [step.photo_id for step in steps] == [None, first, second]
    assert steps[0].text() == "tag:sea"
    assert steps[0].width() > 40, "the chip shows the filter"
    steps[1].click()
    driver.wait_until_idle("the step")
    assert driver.navigator.focal_id == first
    assert [step.photo_id for step in strip.steps()] == [None, first, second]


@pytest.mark.slow
def test_trail_and_position_survive_a_restart(
    open_window: OpenWindow, theme: Theme, settings: QSettings, library_folder: Path
) -> None:
    driver = open_window(library_folder)
    driver.session.editor.tag(driver.session.grid.ids[:30].tolist(), ["sea"])
    driver.wait_until_idle("tagging")
    driver.navigator.show_tag("sea")
    driver.wait_until_idle("the tag")
    first, second = walk_to(driver, 0), walk_to(driver, 3)
    walk_to(driver, 5)
    driver.navigator.back()
    driver.wait_until_idle("back")
    driver.grid.set_tile_size(320)
    driver.click(20)
    driver.wait_until_idle("the selection")
    left, steps = driver.grid.position(), driver.navigator.trail.steps
    assert left.anchor is not None
    assert driver.window.close()

    window = MainWindow(Session(Library.open(library_folder)), theme, settings)
    window.resize(1200, 800)
    window.show()
    app.start(window.session, ())
    driver = WindowDriver(window)
    try:
        driver.wait_until(lambda: driver.navigator.focal_id == second, "the ranking")
        driver.wait_until_idle("the library")
        trail = driver.navigator.trail
        assert [step.shows for step in trail.steps] == [step.shows for step in steps]
        assert trail.at == len(steps) - 2
        assert driver.navigator.collection.query == "tag:sea"
        now = driver.grid.position()
        assert (now.anchor, now.current, now.selected) == (left.anchor, left.current, left.selected)
        driver.navigator.back()
        driver.wait_until_idle("back")
        assert driver.navigator.focal_id == first
    finally:
        window.close()
        window.deleteLater()


def test_an_invalid_saved_position_opens_all_photos(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    first = walk_to(driver, 0)
    driver.window.close()
    with Library.open(library_folder) as library:
        kept = library.settings.get("window.place")
        assert str(first) in kept["steps"]
        library.settings.set("window.place", {"steps": "[{", "at": "no"})
    driver = open_window(library_folder)
    driver.session.show(where_left=True)
    driver.wait_until_idle("the photos")
    assert driver.navigator.focal_id is None
    assert driver.session.grid.rowCount() == 32
