# SPDX-License-Identifier: MIT
"""The modes of the window: their buttons, and the way back to the photos."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from focal_photos.browser.views.base import translation
from focal_photos.browser.views.base.modes import Mode, ModePage
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver, pause
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


class _Page(ModePage):
    """Counts how often it is entered and left."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.entered = self.times_left = 0

    def enter(self) -> None:
        self.entered += 1
        super().enter()

    def leave(self) -> None:
        self.times_left += 1


def test_a_button_shows_its_mode_and_browse_returns(driver: WindowDriver) -> None:
    window = driver.window
    for mode in (Mode.REVIEW, Mode.BROWSE):
        window.top_bar.mode_buttons[mode].click()
        driver.wait_until_idle("the mode")
        assert window.mode is mode
        checked = [each for each, button in window.top_bar.mode_buttons.items() if button.isChecked()]
        assert checked == [mode]
    assert window.photos.grid.hasFocus()
    assert not driver.session.review.active


def test_a_page_is_notified_when_shown_and_hidden_and_esc_returns(driver: WindowDriver) -> None:
    window, page = driver.window, _Page()
    window.modes.__dict__["review_page"] = window.modes._added(Mode.REVIEW, page, "reviewing.md#review")
    window.show_mode(Mode.REVIEW)
    assert (page.entered, page.times_left) == (1, 0)
    assert page.hasFocus()
    assert window.status_bar._slider.isHidden(), "no tiles, no tile size"
    driver.press(Key.Key_Escape)
    assert window.mode is Mode.BROWSE
    assert (page.entered, page.times_left) == (1, 1)
    assert not window.status_bar._slider.isHidden()
    assert window.photos.grid.hasFocus()


def test_the_key_of_the_review_toggles_it(driver: WindowDriver) -> None:
    for mode in (Mode.REVIEW, Mode.BROWSE):
        driver.press(Key.Key_G, CTRL | SHIFT)
        driver.wait_until_idle("the mode")
        assert driver.window.mode is mode


@pytest.mark.parametrize("mode", [Mode.MAP, Mode.COMPARE, Mode.DUPLICATES, Mode.LEARNING])
def test_the_key_of_the_grid_returns_from_every_mode_and_keeps_the_ranking(driver: WindowDriver, mode: Mode) -> None:
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    focal = driver.navigator.focal_id
    driver.window.show_mode(mode)
    driver.wait_until_idle("the mode", 120)
    driver.press(Key.Key_G)
    assert driver.window.mode is Mode.BROWSE
    assert driver.navigator.focal_id == focal
    driver.press(Key.Key_G)
    assert driver.navigator.focal_id is None


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_mode_makes_a_small_window_wider(
    qapp: QApplication, open_window: OpenWindow, library_folder: Path, language: str
) -> None:
    kept = translation.install(qapp, language)
    driver = open_window(library_folder)
    driver.window.resize(1024, 700)
    library = driver.session.library
    for photo in library.photos.get(library.photos.ids().tolist()):
        driver.session.editor.tag([photo.id], [f"a longer name than most of {photo.path.parent.name}"])
    driver.wait_until_idle("tagging")
    for row, modifiers in ((0, Qt.KeyboardModifier.NoModifier), (1, CTRL), (2, CTRL), (3, CTRL)):
        driver.click(row, modifiers)
    for mode in Mode:
        driver.window.show_mode(mode)
        driver.wait_until_idle("the mode")
        pause(30)
        assert driver.window.size().toTuple() == (1024, 700), mode
    translation.remove(qapp, kept)
