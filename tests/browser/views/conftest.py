# SPDX-License-Identifier: MIT
"""The real window on a real library, and a driver that presses its keys and moves the mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSettings, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.views.base import translation
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.operations.album import Album
from tests.browser.views.review.review_driver import ReviewDriver
from tests.browser.views.settings.settings_driver import SettingsDriver

OpenWindow = Callable[..., WindowDriver]

FEW: Final = ("color_moments", "gabor")
"""Descriptors of new libraries in these tests."""


@pytest.fixture(scope="session")
def dark(qapp: QApplication) -> tuple[Theme, str]:
    """Return the dark theme of the program, and its style sheet.

    All windows share it, as in the program, because each theme draws all icons and restyles all windows.
    """
    return Theme(qapp, ThemeChoice.DARK), qapp.styleSheet()


@pytest.fixture
def theme(qapp: QApplication, dark: tuple[Theme, str]) -> Theme:
    """Return the theme, reset to dark."""
    theme, sheet = dark
    if theme.choice is not ThemeChoice.DARK or qapp.styleSheet() != sheet:
        theme.choose(ThemeChoice.DARK)
    return theme


@pytest.fixture(autouse=True)
def no_button_held() -> None:
    """Release the mouse buttons that an earlier test holds: after `QTest.mouseDClick`, Qt takes them as pressed."""
    if QGuiApplication.instance() is None or QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
        return
    window = QWindow()
    window.resize(9, 9)
    window.create()
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
        if QGuiApplication.mouseButtons() & button:
            QTest.mouseRelease(window, button, Qt.KeyboardModifier.NoModifier, QPoint(4, 4))
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def open_window(qtbot: QtBot, theme: Theme, settings: QSettings) -> Iterator[OpenWindow]:
    """Yield a function that opens a window on a library's folder; all windows are closed at the end.

    A new library has few descriptors. The pointer rests at the top left, wherever an earlier test has left it.
    """
    QCursor.setPos(10, 10)
    opened: list[MainWindow] = []

    def open_it(
        folder: Path, *folders: Path, read_only: bool = False, settled: bool = True, watching: bool = True
    ) -> WindowDriver:
        is_new = not folder.exists()
        library = Library.open(folder, read_only=read_only)
        if is_new:
            set_enabled(library, FEW)  # describing and fitting all takes seconds
        window = MainWindow(Session(library), theme, settings)
        opened.append(window)
        window.resize(1200, 800)
        window.show()
        window.session.show()
        if watching:
            window.session.begin_work(folders)
        driver = WindowDriver(window)
        if settled:
            driver.wait_until_idle("the library")
        return driver

    yield open_it
    for window in opened:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # delete them now, with all their children


@pytest.fixture
def driver(open_window: OpenWindow, library_folder: Path) -> WindowDriver:
    """Return a window on a library with 32 photos; it does not look for changed files."""
    return open_window(library_folder, watching=False)


@pytest.fixture
def own_photos(open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    """Return a window on six separate photos, whose files and folder a test may change."""
    album = Album(tmp_path / "photos")
    album.draw_many(6)
    album.index(tmp_path / "library", FEW)
    return open_window(tmp_path / "library")


@pytest.fixture
def speaking(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """Use the language of the parameter in all new windows."""
    kept = translation.install(qapp, request.param)
    yield request.param
    translation.remove(qapp, kept)


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    kept = translation.install(qapp, "de")
    yield
    translation.remove(qapp, kept)


@pytest.fixture
def opened(driver: WindowDriver) -> SettingsDriver:
    """Return the settings dialog of a window on a library with 32 photos."""
    return SettingsDriver(driver)


@pytest.fixture
def reviewing(driver: WindowDriver) -> ReviewDriver:
    """Return the review of a library without tags."""
    found = ReviewDriver(driver)
    found.open()
    return found


@pytest.fixture
def large_font(qapp: QApplication) -> Iterator[None]:
    """Set all texts to 20 points, and restore the font afterwards."""
    before = qapp.font()
    font = qapp.font()
    font.setPointSizeF(20)
    qapp.setFont(font)
    yield
    qapp.setFont(before)
