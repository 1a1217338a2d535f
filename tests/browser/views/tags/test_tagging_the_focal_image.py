# SPDX-License-Identifier: MIT
"""The focal image is above the grid, and is tagged too if it is selected."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.window_steps import tags_of, walk_to

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


def tags_of_photo(driver: WindowDriver, photo_id: int) -> list[str]:
    return driver.session.library.tags.of([photo_id])[photo_id]


def tag(driver: WindowDriver, text: str) -> None:
    driver.press(Key.Key_T)
    driver.type(text)
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    driver.press(Key.Key_Escape)


def test_the_focal_image_is_selected_by_a_key_and_tagged_with_the_others(driver: WindowDriver) -> None:
    focal = walk_to(driver, 0)
    driver.click(0, CTRL)
    driver.click(2, SHIFT)
    driver.wait_until_idle("the selection")
    tag(driver, "without")
    driver.press(Key.Key_F)
    driver.wait_until_idle("the selection")
    assert driver.navigator.focal_selected
    assert len(driver.navigator.targets) == 4
    assert "4 selected" in driver.window.status_bar.text()
    tag(driver, "both")
    assert tags_of_photo(driver, focal) == ["both"]
    assert [tags_of(driver, row) for row in range(4)] == [["both", "without"]] * 3 + [[]]
    driver.press(Key.Key_F)
    tag(driver, "again")
    assert tags_of_photo(driver, focal) == ["both"]


def test_the_focal_image_is_selected_by_ctrl_and_a_click(driver: WindowDriver) -> None:
    focal = walk_to(driver, 0)
    picture = driver.window.photos.focal_panel.picture
    QTest.mouseClick(picture, LEFT, CTRL)
    driver.click(1, CTRL)
    driver.wait_until_idle("the selection")
    assert not driver.window.photos.viewing
    assert list(driver.navigator.targets) == [focal, driver.session.grid.photo_id(1)]
    QTest.mouseClick(picture, LEFT, CTRL)
    assert list(driver.navigator.targets) == [driver.session.grid.photo_id(1)]


def test_select_all_includes_the_focal_image_and_escape_deselects_it(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_A, CTRL)
    assert len(driver.navigator.targets) == 32
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the selection")
    assert not driver.navigator.focal_selected


def test_another_selection_or_focal_image_deselects_the_old_one(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.click(0, CTRL)
    driver.press(Key.Key_F)
    driver.press(Key.Key_Right)
    assert not driver.navigator.focal_selected, "only another photo was selected"
    driver.press(Key.Key_F)
    walk_to(driver, 3)
    assert not driver.navigator.focal_selected


def test_selecting_a_missing_focal_image_shows_a_hint(driver: WindowDriver) -> None:
    driver.grid.setFocus()
    driver.press(Key.Key_F)
    assert "focal image" in driver.message_text
