# SPDX-License-Identifier: MIT
"""Ctrl+Q quits the program from every mode, field, menu, popup and dialog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMenu, QWidget
from shiboken6 import isValid

from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver, pause
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.places import DIALOGS
from tests.browser.views.window_steps import Key, walk_to


class Closings(QObject):
    """Counts close requests of a window, and keeps it open."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.count = 0
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Close:
            self.count += 1
            event.ignore()
            return True
        return False


@pytest.fixture
def closings(driver: WindowDriver) -> Iterator[Closings]:
    counter = Closings(driver.window)
    yield counter
    driver.window.removeEventFilter(counter)


def press_quit() -> None:
    """Press Ctrl+Q in the popup, or else in the focused widget."""
    popup = QApplication.activePopupWidget()
    widget: QWidget | None = QApplication.focusWidget() if popup is None else popup.focusWidget()
    widget = popup if widget is None else widget
    assert widget is not None
    QTest.keyClick(widget, Key.Key_Q, CTRL)
    pause(5)


def dialogs_open() -> list[QDialog]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]


@pytest.mark.slow
@pytest.mark.parametrize("mode", Mode)
def test_quitting_works_in_every_mode(driver: WindowDriver, closings: Closings, mode: Mode) -> None:
    driver.click(1)
    driver.click(2, CTRL)
    driver.window.show_mode(mode)
    driver.wait_until_idle("the mode", 60)
    press_quit()
    assert closings.count == 1


def test_quitting_works_in_every_panel_and_field(driver: WindowDriver, closings: Closings) -> None:
    walk_to(driver, 3)
    driver.click(1)
    driver.wait_until_idle("the selection")
    window = driver.window
    takers = [
        one
        for one in window.findChildren(QWidget)
        if one.isVisible() and one.isEnabled() and one.focusPolicy() & Qt.FocusPolicy.TabFocus and not one.focusProxy()
    ]
    assert sum(isinstance(one, QLineEdit) for one in takers) >= 2
    for number, widget in enumerate(takers, start=1):
        widget.setFocus()
        press_quit()
        assert closings.count == number, widget
    driver.window.photos.open_viewer(driver.session.grid.photo_id(1))
    driver.wait_until_idle("the photo")
    press_quit()
    assert closings.count == len(takers) + 1


def test_quitting_works_in_the_message_log_and_every_menu(driver: WindowDriver, closings: Closings) -> None:
    window = driver.window
    driver.click(1)
    driver.wait_until_idle("the selection")
    window.message_bar.show_log()
    assert QApplication.activePopupWidget() is not None
    press_quit()
    assert closings.count == 1
    assert QApplication.activePopupWidget() is None
    menus: list[object] = [
        *window.window_actions.menus.values(),
        window.top_bar.learner_button.menu(),
        window.library_button.menu(),
    ]
    menus.append(window.photo_menu.make())
    shown = 1
    for menu in menus:
        assert isinstance(menu, QMenu)
        menu.popup(window.mapToGlobal(window.rect().center()))
        pause(5)
        press_quit()
        shown += 1
        assert closings.count == shown, menu.title()
        assert QApplication.activePopupWidget() is None
    box = window.top_bar.metric_box
    box.showPopup()
    pause(5)
    press_quit()
    assert closings.count == shown + 1


def test_browsing_a_menu_by_keys_adds_no_entries(driver: WindowDriver, closings: Closings) -> None:
    driver.navigator.focus(driver.session.grid.photo_id(1))
    driver.wait_until_idle("the ranking")
    driver.window.top_bar.trail.show_branches(0, driver.window.mapToGlobal(driver.window.rect().center()))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    before = list(menu.actions())
    menu.setFocus()  # as keys and pointer do
    driver.wait_until(menu.hasFocus, "the keyboard")
    assert menu.actions() == before
    press_quit()
    assert closings.count == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", DIALOGS)
def test_quitting_works_in_every_dialog(driver: WindowDriver, closings: Closings, name: str) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea", "sky"])
    driver.wait_until_idle("tagging")
    DIALOGS[name](driver)
    driver.wait_until_idle("the dialog")
    assert len(dialogs_open()) == 1
    assert QApplication.focusWidget() is not None
    press_quit()
    driver.wait_until(lambda: closings.count == 1, "the end")
    assert dialogs_open() == []


def test_quitting_works_in_nested_and_modal_dialogs(
    driver: WindowDriver, closings: Closings, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.window.dialogs.show_settings()
    driver.wait_until_idle("the dialog")
    (settings,) = dialogs_open()
    asked = QFileDialog(settings, "Choose a file", str(Path.home()))
    asked.setOption(QFileDialog.Option.DontUseNativeDialog)

    def quit_once_it_has_the_keyboard() -> None:
        focus = QApplication.focusWidget()
        if focus is None or not asked.isAncestorOf(focus):
            QTimer.singleShot(10, quit_once_it_has_the_keyboard)
            return
        press_quit()
        if isValid(asked) and asked.isVisible():  # otherwise a failure would block the test for ever
            asked.done(-1)

    QTimer.singleShot(0, quit_once_it_has_the_keyboard)
    assert asked.exec() == QDialog.DialogCode.Rejected
    driver.wait_until(lambda: closings.count == 1, "the end")
    assert dialogs_open() == []


def test_quitting_works_in_the_guide(driver: WindowDriver, closings: Closings) -> None:
    driver.press(Key.Key_F1)
    driver.wait_until_idle("the guide")
    press_quit()
    assert closings.count == 1


@pytest.mark.slow
def test_chosen_keys_replace_the_default_keys_for_quitting(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    shortcuts = driver.window.dialogs.shortcuts
    shortcuts.set("quit", ("Ctrl+Shift+X",))
    driver.window.message_bar.show_log()
    press_quit()
    assert driver.window.isVisible()
    driver.window.dialogs.show_settings()
    driver.wait_until_idle("the dialog")
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Key.Key_X, CTRL | SHIFT)
    driver.wait_until(lambda: not driver.window.isVisible(), "the end")
    assert dialogs_open() == []
