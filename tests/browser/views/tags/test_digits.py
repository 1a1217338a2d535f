# SPDX-License-Identifier: MIT
"""The effect of the digits, the number of photos they apply to, and the visibility of both."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.models.settings.user_settings import DIGITS
from focal_photos.browser.views.photos.grid.tile_arrangement import TILE_SIZES
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver

Key = Qt.Key


def _pin(driver: WindowDriver) -> None:
    driver.session.tagging.pinned.pin(1, "sea")
    driver.wait_until_idle("the key")


def _press(driver: WindowDriver, key: Qt.Key) -> None:
    driver.press(key)
    driver.wait_until_idle("the change")


def test_a_change_beyond_the_screen_is_announced_and_undone_by_one_click(driver: WindowDriver) -> None:
    session, bar, library = driver.session, driver.window.message_bar, driver.session.library
    _pin(driver)
    driver.grid.set_tile_size(TILE_SIZES[-1])
    driver.wait_until_idle("large tiles")
    seen = len(session.grid.visible_ids)
    assert seen < 32
    driver.grid.setFocus()
    driver.press(Key.Key_A, CTRL)
    assert len(session.navigator.targets) == 32
    _press(driver, Key.Key_1)
    assert library.photos.count("tag:sea") == 32
    message = bar.message
    assert message is not None
    assert message.text == "Applied to 32 photos."
    assert message.prominent
    assert bar.property("tone") == "prominent"
    assert not bar._timer.isActive(), "the message stays until the next action"
    (undo,) = [one for one in bar.findChildren(QPushButton) if one.isVisible() and one.text() == "Undo"]
    QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("undo")
    assert library.photos.count("tag:sea") == 0
    driver.click(0)
    _press(driver, Key.Key_1)
    assert library.photos.count("tag:sea") == 1
    assert not any(each.prominent for each in bar.unread), "one visible photo needs no message"


def test_a_visible_switch_shows_whether_digits_give_tags_or_stars(driver: WindowDriver) -> None:
    session, panel, library = driver.session, driver.window.right_column.tags, driver.session.library
    _pin(driver)
    switch = panel.digit_switch
    driver.click(0)
    driver.wait_until_idle("the selection")
    assert switch.isVisible()
    assert switch.text() == "1\N{EN DASH}9: tags"
    assert [one.text() for one in panel.pinned()] == ["1  sea"]
    photo = session.grid.photo_id(0)
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert switch.text() == "1\N{EN DASH}5: stars"
    assert driver.grid.hasFocus(), "the photos keep the keyboard focus"
    assert [one.text() for one in panel.pinned()] == ["sea"]
    _press(driver, Key.Key_1)
    _press(driver, Key.Key_4)
    _press(driver, Key.Key_7)
    assert library.tags.of([photo]) == {photo: []}
    assert library.marks.of([photo]) == {photo: Mark(4, "Yellow")}
    _press(driver, Key.Key_0)
    assert library.marks.of([photo]) == {photo: Mark(None, "Yellow")}
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    _press(driver, Key.Key_1)
    assert library.tags.of([photo]) == {photo: ["sea"]}
    assert [one.text() for one in panel.pinned()] == ["1  sea"]


def test_the_meaning_of_the_digits_is_saved(driver: WindowDriver) -> None:
    user_settings, switch = driver.window.dialogs.user_settings, driver.window.right_column.tags.digit_switch
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert user_settings.get(DIGITS) == "stars"
    user_settings.set(DIGITS, "tags")
    assert switch.text() == "1\N{EN DASH}9: tags"
