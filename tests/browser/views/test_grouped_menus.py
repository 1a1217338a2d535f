# SPDX-License-Identifier: MIT
"""The menus File and Learn have few entries at the top level, and each action is in one of their groups."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from focal_photos.browser.views.settings.settings_dialog import SettingsDialog
from focal_photos.browser.views.window.actions import ACTIONS
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.window_steps import Key


def menu_called(driver: WindowDriver, title: str) -> QMenu:
    found = next(entry.menu() for entry in driver.window.menuBar().actions() if entry.text().replace("&", "") == title)
    assert isinstance(found, QMenu)
    return found


def titles(menu: QMenu) -> list[str]:
    return [entry.text().replace("&", "") for entry in menu.actions() if not entry.isSeparator()]


def entries(menu: QMenu) -> Iterator[QAction]:
    """Yield the entries of a menu and its submenus."""
    for entry in menu.actions():
        inside = entry.menu()
        if isinstance(inside, QMenu):
            yield from entries(inside)
        else:
            yield entry


def test_the_file_menu_has_few_entries(driver: WindowDriver) -> None:
    menu = menu_called(driver, "File")
    groups = ["Folders", "Import", "Export", "Library"]
    assert titles(menu) == ["Open a folder of photos…", "Rescan folders", *groups, "Quit"]
    inside = {entry.text().replace("&", ""): entry.menu() for entry in menu.actions() if entry.menu() is not None}
    folders, exports = inside["Folders"], inside["Export"]
    assert isinstance(folders, QMenu)
    assert isinstance(exports, QMenu)
    assert titles(folders)[0] == "Watch folders for changes"
    assert "Data sets of other programs…" in titles(exports)


def test_every_action_is_in_a_menu(driver: WindowDriver) -> None:
    bar = driver.window.menuBar().actions()
    shown = [entry for title in bar if isinstance(menu := title.menu(), QMenu) for entry in entries(menu)]
    missing = [spec.name for spec in ACTIONS if driver.window.window_actions.by_name[spec.name] not in shown]
    assert missing == []


def test_experimental_settings_are_under_advanced(driver: WindowDriver) -> None:
    driver.press(Key.Key_Comma, CTRL)
    driver.wait_until_idle("the settings")
    (dialog,) = (one for one in driver.window.findChildren(SettingsDialog) if one.isVisible())
    shown = [tab.text() for tab in dialog.page_buttons if tab.isVisible()]
    assert shown == ["General", "Learning and display", "Keys"]
    dialog.advanced.setFocus()
    QTest.keyClick(dialog.advanced, Key.Key_Space)
    shown = [tab.text() for tab in dialog.page_buttons if tab.isVisible()]
    assert shown[3:] == ["Descriptors", "Networks", "Reading photos", "Plug-ins"]
    QTest.keyClick(dialog.advanced, Key.Key_Space)
    for _ in range(3):
        dialog.next_page()
    assert dialog.page_buttons[3].isVisible(), "the current page is visible"
    assert dialog.page_buttons[3].isChecked()
    dialog.close()
