# SPDX-License-Identifier: MIT
"""Drivers of the settings dialog and the network form."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from focal_photos.browser.models.settings.descriptor_model import Column, DescriptorRole
from focal_photos.browser.views.settings.network_dialog import NetworkDialog
from focal_photos.browser.views.settings.settings_dialog import SettingsDialog
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver, pause

Key = Qt.Key
D = TypeVar("D", bound=QDialog)
LEFT = Qt.MouseButton.LeftButton


class SettingsDriver:
    """Opens the settings dialog of a window, shows the descriptors and drives it by keys and mouse."""

    def __init__(self, driver: WindowDriver) -> None:
        self.driver = driver
        driver.window.activateWindow()  # as a window manager does after another dialog was closed
        driver.wait_until(driver.window.isActiveWindow, "the window")
        driver.press(Key.Key_Comma, CTRL)
        self.dialog = shown(driver, SettingsDialog)
        self.tree = self.dialog.descriptors.tree
        self.model = driver.session.preferences.descriptors
        driver.wait_until_idle("the settings")
        driver.wait_until(self.dialog.isActiveWindow, "the dialog")
        self.dialog.show_page(self.dialog.descriptors)
        driver.wait_until(self.tree.hasFocus, "the keyboard")

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the focused widget."""
        QTest.keyClick(focused(self.dialog), key, modifiers)
        pause(5)

    def row(self, name: str) -> QModelIndex:
        return self.model.find(name)

    def go_to(self, name: str) -> None:
        """Go to a descriptor with the arrow keys, expanding its group if needed."""
        self.press(Key.Key_Home)
        while self.tree.currentIndex().data(DescriptorRole.NAME) != name:
            before = self.tree.currentIndex()
            if before == self.row(name).parent() and not self.tree.isExpanded(before):
                self.press(Key.Key_Right)
            self.press(Key.Key_Down)
            assert self.tree.currentIndex() != before, f"{name} was not reached"

    def click(self, index: QModelIndex) -> None:
        self.tree.scrollTo(index)
        QTest.mouseClick(self.tree.viewport(), LEFT, pos=self.tree.visualRect(index).center())

    def checked(self, name: str) -> bool:
        return bool(self.row(name).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked)

    def text(self, name: str, column: Column) -> str:
        return str(self.row(name).siblingAtColumn(column).data())


def focused(dialog: QDialog) -> QWidget:
    widget: QWidget | None = dialog.focusWidget()
    return dialog if widget is None else widget


def visible(driver: WindowDriver, kind: type[D]) -> list[D]:
    return [each for each in driver.window.findChildren(kind) if each.isVisible()]


def shown(driver: WindowDriver, kind: type[D]) -> D:
    driver.wait_until(lambda: bool(visible(driver, kind)), "the dialog")
    return visible(driver, kind)[0]


def closed(driver: WindowDriver, kind: type[QDialog]) -> bool:
    driver.wait_until(lambda: not visible(driver, kind), "the end of the dialog")
    return True


class NetworkFormDriver:
    """Opens the form of a network and fills it in."""

    def __init__(self, opened: SettingsDriver) -> None:
        self.opened = opened
        opened.dialog.descriptors.add_button.setFocus()
        opened.press(Key.Key_Space)
        self.form = shown(opened.driver, NetworkDialog)
        opened.driver.wait_until(self.form.file_field.hasFocus, "the keyboard")

    def put(self, field: QLineEdit, text: str) -> None:
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)

    def enter(self) -> None:
        QTest.keyClick(focused(self.form), Key.Key_Return)
