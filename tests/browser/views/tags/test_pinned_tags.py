# SPDX-License-Identifier: MIT
"""Tags pinned to digits stay there and can be moved; recent ones are beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import tags_of

Key = Qt.Key


def give(driver: WindowDriver, *tags: str) -> None:
    """Add tags one after the other to the first photo."""
    driver.click(0, CTRL)
    for tag in tags:
        driver.session.targets.tag(add=[tag])
        driver.wait_until_idle("tagging")


@pytest.mark.slow
def test_a_digit_always_gives_the_same_tag(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    give(driver, "one", "two", "three")
    for row, (key, tag) in enumerate([(Key.Key_1, "one"), (Key.Key_3, "three"), (Key.Key_1, "one")], start=1):
        driver.press(Key.Key_Right)
        driver.press(key)
        driver.wait_until_idle("tagging")
        assert tags_of(driver, row) == [tag]
    assert driver.session.tagging.pinned.tags[:4] == ("one", "two", "three", "")
    driver.window.close()
    again = open_window(library_folder)
    assert again.session.tagging.pinned.tags[:4] == ("one", "two", "three", "")


def test_at_most_nine_tags_are_pinned(driver: WindowDriver) -> None:
    give(driver, *"abcdefghi", "later")
    assert driver.session.tagging.pinned.tags == tuple("abcdefghi")
    texts = [button.text() for button in driver.window.right_column.tags.recent()]
    assert texts == ["later"], "tags without a digit follow those with one"


def test_the_last_tag_is_pinned_to_a_digit_by_a_key(driver: WindowDriver) -> None:
    give(driver, *"abcdefghi", "later")
    driver.press(Key.Key_4, CTRL)
    driver.wait_until_idle("pinning")
    assert driver.session.tagging.pinned.tags == (*"abc", "later", *"efghi")
    driver.press(Key.Key_Right)
    driver.press(Key.Key_4)
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 1) == ["later"]
    driver.press(Key.Key_1, CTRL)
    driver.wait_until_idle("pinning")
    assert driver.session.tagging.pinned.tags == ("later", "b", "c", "a", *"efghi"), "the two tags swap places"


def test_a_tag_is_unpinned_from_its_digit(driver: WindowDriver) -> None:
    give(driver, "one", "two")
    driver.session.tagging.pinned.unpin(1)
    driver.wait_until_idle("pinning")
    assert driver.session.tagging.pinned.tags[:2] == ("", "two")
    driver.press(Key.Key_Right)
    driver.press(Key.Key_1)
    driver.wait_until_idle("nothing")
    assert tags_of(driver, 1) == []
    assert "Ctrl+1" in driver.message_text
    give(driver, "three")
    assert driver.session.tagging.pinned.tags[:2] == ("three", "two"), "a free digit takes the next new tag"


@pytest.mark.slow
def test_a_button_that_has_just_come_under_the_pointer_does_not_answer(driver: WindowDriver) -> None:
    give(driver, *"abcdefghi", "tenth", "eleventh")
    panel = driver.window.right_column.tags
    first = panel.recent()[1]
    assert first.text() == "tenth"
    driver.click(1, CTRL)
    driver.wait_until_idle("the selection")
    QTest.mouseMove(first, QPoint(5, 3))
    QTest.mouseMove(first, QPoint(14, 9))
    QTest.mouseClick(first, Qt.MouseButton.LeftButton, pos=QPoint(14, 9))
    driver.wait_until_idle("tagging")
    there = panel.recent()
    assert [button.text() for button in there] == ["tenth", "eleventh"], "the latest comes first"
    under = there[1]
    QTest.mouseClick(under, Qt.MouseButton.LeftButton, pos=under.mapFromGlobal(first_place(driver)))
    driver.wait_until_idle("nothing")
    assert tags_of(driver, 1) == ["tenth"]
    QTest.mouseMove(under, QPoint(20, 12))
    QTest.mouseClick(under, Qt.MouseButton.LeftButton, pos=QPoint(20, 12))
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 1) == ["eleventh", "tenth"]


def first_place(driver: WindowDriver) -> QPoint:
    return driver.window.cursor().pos()


def test_a_right_click_moves_a_tag_to_another_key(driver: WindowDriver) -> None:
    give(driver, "one", "two")
    panel = driver.window.right_column.tags
    first = panel.pinned()[0]
    assert first.text() == "1  one"
    first.customContextMenuRequested.emit(QPoint(3, 3))
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts == ["Key 1: one", "Key 2: two", *(f"Key {digit}" for digit in range(3, 10)), "No key"]
    assert not menu.actions()[0].isEnabled(), "the tag is pinned already"
    menu.actions()[4].trigger()
    menu.close()
    driver.wait_until_idle("pinning")
    assert [button.text() for button in panel.pinned()] == ["2  two", "5  one"]


def test_pinning_without_a_tag_shows_a_hint(driver: WindowDriver) -> None:
    driver.click(0, CTRL)
    driver.press(Key.Key_3, CTRL)
    assert "Add a tag first" in driver.message_text


@pytest.mark.slow
@pytest.mark.parametrize("kept", [{"one": 1}, [7, None, "two"], list("abcdefghijkl")])
def test_invalid_pinned_tags_are_ignored(open_window: OpenWindow, library_folder: Path, kept: object) -> None:
    with Library.open(library_folder) as library:
        library.settings.set("tags.pinned", kept)
    driver = open_window(library_folder)
    tags = driver.session.tagging.pinned.tags
    assert len(tags) == 9
    assert all(isinstance(tag, str) for tag in tags)


def test_undo_unpins_a_new_tag_and_redo_pins_it(driver: WindowDriver) -> None:
    give(driver, "sea", "slpi")
    assert driver.session.tagging.pinned.tags[:3] == ("sea", "slpi", "")
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert driver.session.tagging.pinned.tags[:3] == ("sea", "", "")
    driver.press(Key.Key_Z, CTRL | SHIFT)
    driver.wait_until_idle("redo")
    assert driver.session.tagging.pinned.tags[:3] == ("sea", "slpi", "")
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    driver.session.targets.tag(add=["slip"])
    driver.wait_until_idle("tagging")
    assert driver.session.tagging.pinned.tags[:3] == ("sea", "slip", "")


def test_a_renamed_tag_keeps_its_digit(driver: WindowDriver) -> None:
    give(driver, "crab", "ferry")
    driver.session.naming.rename_tag("crab", "sea/crab")
    driver.wait_until_idle("renaming")
    assert driver.session.tagging.pinned.tags[:3] == ("sea/crab", "ferry", "")
