# SPDX-License-Identifier: MIT
"""The settings pages of the user: choices take effect at once, and stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QImage, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.models.settings.user_settings import CAPTIONS, CLICK, SHAPE, THEME
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.dialogs.shortcuts_dialog import ShortcutsDialog
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.settings.keys_page import KeysPage
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.settings.settings_driver import SettingsDriver, shown

Key = Qt.Key


def choose(box: QComboBox, value: object) -> None:
    row = box.findData(value)
    box.setCurrentIndex(row)
    box.activated.emit(row)


@pytest.fixture
def keys(opened: SettingsDriver) -> KeysPage:
    opened.dialog.show_page(opened.dialog.keys)
    return opened.dialog.keys


@pytest.mark.slow
def test_choices_apply_at_once_and_are_saved(
    open_window: OpenWindow, library_folder: Path, theme: Theme, settings: QSettings
) -> None:
    driver = open_window(library_folder)
    opened = SettingsDriver(driver)
    page = opened.dialog.general
    opened.dialog.show_page(page)
    assert not driver.grid.mouse.walks_on_click
    choose(page.boxes[CLICK.name], "walk")
    choose(page.boxes[SHAPE.name], "square")
    choose(page.boxes[THEME.name], "light")
    page.switches[CAPTIONS.name].click()
    assert driver.grid.mouse.walks_on_click
    assert driver.grid.shape is TileShape.SQUARE
    assert theme.choice is ThemeChoice.LIGHT
    themes = driver.window.view_menu._themes
    assert themes[ThemeChoice.LIGHT].isChecked()
    themes[ThemeChoice.DARK].trigger()
    assert page.boxes[THEME.name].currentData() == "dark"
    opened.dialog.close()
    driver.window.close()
    again = open_window(library_folder)
    assert again.grid.mouse.walks_on_click
    assert again.grid.shape is TileShape.SQUARE
    assert settings.value("window/theme") == "dark"


def test_keys_are_changed_reported_and_reset(opened: SettingsDriver, keys: KeysPage) -> None:
    actions = opened.driver.window.window_actions.by_name
    keys.choose("about")
    assert keys.field.keySequence().isEmpty()
    keys.field.setKeySequence(QKeySequence("Ctrl+Alt+B"))
    keys.set_button.click()
    assert actions["about"].shortcut() == QKeySequence("Ctrl+Alt+B")
    assert keys.reset_button.isEnabled()
    keys.field.setKeySequence(QKeySequence("Ctrl+R"))
    keys.set_button.click()
    assert "Ctrl+R is Retrain. Press Set again" in keys.message.text()
    assert actions["about"].shortcut() == QKeySequence("Ctrl+Alt+B")
    keys.set_button.click()
    assert actions["about"].shortcut() == QKeySequence("Ctrl+R")
    assert actions["retrain"].shortcuts() == []
    keys.field.setKeySequence(QKeySequence("Alt+X"))
    keys.set_button.click()
    assert "Alt+X is Rating: Rejected. Press Set again" in keys.message.text()
    assert actions["about"].shortcut() == QKeySequence("Ctrl+R")
    keys.reset_all_button.click()
    assert actions["retrain"].shortcut() == QKeySequence("Ctrl+R")
    assert actions["about"].shortcuts() == []
    assert not keys.reset_all_button.isEnabled()


def test_chosen_keys_work_and_are_shown(driver: WindowDriver) -> None:
    driver.window.dialogs.shortcuts.set("shortcuts", ["F4"])
    driver.window.dialogs.shortcuts.set("rescan", [])
    driver.press(Key.Key_F4)
    dialog = shown(driver, ShortcutsDialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert texts[texts.index("Keys") + 1] == "F4"
    assert "Rescan folders" not in texts
    assert texts[texts.index("Add the tag of this key") + 1] == "1"
    assert texts[texts.index("Add tags") + 1] == "T"
    dialog.accept()
    assert driver.window.window_actions.by_name["rescan"].shortcuts() == []


def test_keys_of_digits_ratings_and_view_entries_can_be_chosen(driver: WindowDriver) -> None:
    shortcuts, session = driver.window.dialogs.shortcuts, driver.session
    photo_id = session.grid.photo_id(0)
    driver.click(0)
    session.tagging.pinned.pin(1, "sea")
    shortcuts.set("tag.1", ["F6"])
    shortcuts.set("rating.3", ["F7"])
    shortcuts.set("label.Red", ["F8"])
    shortcuts.set("view.captions", ["Ctrl+B"])
    shortcuts.set("view.order.name", ["Ctrl+N"])
    driver.wait_until_idle("the keys")
    for key in (Key.Key_1, Key.Key_F6, Key.Key_F7, Key.Key_F8):
        driver.press(key)
        driver.wait_until_idle("what the key does")
    mark = session.library.marks.of([photo_id])[photo_id]
    assert session.library.tags.of([photo_id])[photo_id] == ["sea"]
    assert (mark.rating, mark.label) == (3, "Red")
    driver.press(Key.Key_B, CTRL)
    assert driver.window.dialogs.user_settings.get(CAPTIONS)
    driver.press(Key.Key_N, CTRL)
    driver.wait_until_idle("the order")
    assert session.navigator.collection.order is Order.NAME
    driver.press(Key.Key_Question)
    dialog = shown(driver, ShortcutsDialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert texts[texts.index("Add the tag of key 1") + 1] == "F6"
    assert texts[texts.index("Add the tag of key 2") + 1] == "2"
    assert "Add the tag of this key" not in texts
    assert texts[texts.index("Add tags") + 1] == "T"
    assert texts[texts.index("Sort: By name") + 1] == "Ctrl+N"
    dialog.accept()


@pytest.mark.slow
@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
def test_the_action_of_the_edited_keys_is_shown(opened: SettingsDriver, keys: KeysPage, choice: ThemeChoice) -> None:
    opened.driver.window.theme.choose(choice)

    def row_of(name: str) -> QImage:
        keys.list.scrollToItem(keys._items["tag"])
        return keys.list.viewport().grab(keys.list.visualItemRect(keys._items[name])).toImage()

    keys.choose("tag")
    chosen, other = row_of("tag"), row_of("review")
    keys.choose("review")
    assert row_of("tag") != chosen
    assert row_of("review") != other
    assert "Review" in keys.title.full_text()


def test_tab_leaves_the_field_of_keys(opened: SettingsDriver, keys: KeysPage) -> None:
    keys.field.setFocus()
    before = keys.field.keySequence()
    QTest.keyClick(keys.field, Key.Key_Tab)
    assert keys.field.keySequence() == before
