# SPDX-License-Identifier: MIT
"""The hints for a user's first minutes with their own photos."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.models.photos.first_steps import FirstStep
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


@pytest.fixture
def first(open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    """Return a window in which the first folder of a library was just opened."""
    album = Album(tmp_path / "photos")
    album.draw_many(12)
    driver = open_window(tmp_path / "library")
    driver.window.dialogs.open_folders([album.folder])
    driver.wait_until_idle("the first folder", 180)
    return driver


def test_the_hints_lead_from_a_double_click_to_the_moved_photos(first: WindowDriver) -> None:
    bar, steps = first.window.photos.first_steps_bar, first.session.first_steps
    assert bar.isVisible()
    assert "Double-click a photo" in bar.words.full_text()
    first.walk(0)
    first.wait_until_idle("the ranking")
    assert "press S" in bar.words.full_text()
    assert not bar.example_button.isVisible()
    before = list(first.session.grid.ids)
    last = len(before) - 1
    first.click(last)
    first.press(Key.Key_S)
    first.wait_until_idle("the judgement")
    assert steps.step is FirstStep.MOVED
    moved = sum(now != was for now, was in zip(first.session.grid.ids, before, strict=True))
    assert steps.moved == moved > last / 2, "the last photo moved to the front, and others down"
    assert f"{moved} photos moved" in bar.words.full_text()
    tile = first.session.grid.index(0).data(257)
    assert tile.rose == last
    first.click(4)
    first.press(Key.Key_D)
    first.wait_until_idle("the second judgement")
    assert steps.moved <= last, "the photo judged first stays at the front"
    assert f"{steps.moved} photos moved" in bar.words.full_text()
    assert any(first.session.grid.index(row).data(257).rose for row in range(last))
    first.walk(3)
    first.wait_until_idle("another ranking")
    assert not bar.isVisible()


def test_another_metric_ends_the_hints(first: WindowDriver) -> None:
    """The number of photos that a judgement moved says nothing about the new order."""
    first.walk(0)
    first.wait_until_idle("the ranking")
    first.click(len(first.session.grid.ids) - 1)
    first.press(Key.Key_S)
    first.wait_until_idle("the judgement")
    assert first.window.photos.first_steps_bar.isVisible()
    first.session.jobs.training.retrain("rca")
    first.wait_until_idle("training", 120)
    assert first.session.library.metrics.current().name != "euclidean"
    assert not first.window.photos.first_steps_bar.isVisible()


def test_the_program_chooses_the_example_and_the_hint_can_be_closed(first: WindowDriver) -> None:
    bar = first.window.photos.first_steps_bar
    QTest.mouseClick(bar.example_button, Qt.MouseButton.LeftButton)
    first.wait_until_idle("the example")
    assert first.navigator.focal_id is not None
    assert first.session.first_steps.step is FirstStep.JUDGE
    QTest.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    first.walk(2)
    first.wait_until_idle("the ranking")
    assert not bar.isVisible()


def test_a_library_with_photos_shows_no_hint(driver: WindowDriver) -> None:
    assert driver.session.first_steps.step is FirstStep.NONE
    assert not driver.window.photos.first_steps_bar.isVisible()
