# SPDX-License-Identifier: MIT
"""Presses keys and moves the mouse in a window, for the offscreen walkthrough and for tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEventLoop, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.views.window.main_window import MainWindow

NONE: Final = Qt.KeyboardModifier.NoModifier
CTRL: Final = Qt.KeyboardModifier.ControlModifier
SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
ALT: Final = Qt.KeyboardModifier.AltModifier

_ROUNDS: Final = 3  # the request, the resulting layout, and its display


def pause(milliseconds: int) -> None:
    """Let the window and the background work continue for a while; `QTest.qWait` would block all other threads.

    Queued events and those that they queue are handled in any case, even if the time is over earlier on a slow machine.
    """
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
    for _ in range(_ROUNDS):
        QCoreApplication.processEvents()


class DriverError(Exception):
    """The window did not behave as expected."""


class WindowDriver:
    """Drives a window by keys and mouse, like a user.

    Parameters
    ----------
    window : MainWindow
        Visible window.
    """

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.session = window.session
        self.navigator = window.session.navigator
        self.grid = window.photos.grid

    def tile_center(self, row: int) -> QPoint:
        """Scroll to the tile of a row and return its centre, in the coordinates of the grid's viewport."""
        index = self.session.grid.index(row)
        self.grid.scrollTo(index)
        pause(5)
        return self.grid.visualRect(index).center()

    def focal_name(self) -> str:
        """Return the name of the focal image."""
        return self.navigator.focal.name if self.navigator.focal is not None else ""

    @property
    def message_text(self) -> str:
        """Text of the message in the window; empty if there is none."""
        message = self.window.message_bar.message
        return "" if message is None else message.text

    def click(self, row: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Click a tile."""
        QTest.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, modifiers, self.tile_center(row))

    def walk(self, row: int) -> None:
        """Double-click a tile to make it the focal image."""
        spot = self.tile_center(row)
        QTest.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, NONE, spot)
        QTest.mouseDClick(self.grid.viewport(), Qt.MouseButton.LeftButton, NONE, spot)

    def hover(self, row: int) -> None:
        """Move the pointer over a tile."""
        center = self.tile_center(row)
        for at in (center - QPoint(9, 9), center):  # hovering needs a movement
            QTest.mouseMove(self.grid.viewport(), at)
            pause(5)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key in the focused widget."""
        QTest.keyClick(self.focus_widget(), key, modifiers)
        pause(5)

    def focus_widget(self) -> QWidget:
        """Return the focused widget, or else the window."""
        widget: QWidget | None = self.window.focusWidget()
        return self.window if widget is None else widget

    def type(self, text: str) -> None:
        """Type a text."""
        for letter in text:
            QTest.keyClicks(self.focus_widget(), letter)

    def wait_until_idle(self, what: str, seconds: float = 60) -> None:
        """Wait until no work is in progress; raise `DriverError` on timeout or if the window shows an error.

        Parameters
        ----------
        what : str
            What is awaited, for the error message.
        """
        session = self.session
        quiet = 0
        deadline = time.monotonic() + seconds
        while quiet < 3:
            pause(15)
            busy = not (session.runner.idle and session.loader.idle and session.selection.resting)
            quiet = 0 if busy else quiet + 1
            if time.monotonic() > deadline:
                raise DriverError(f"waited {seconds:.0f} s in vain for {what}")
        for message in self.window.message_bar.unread:
            if message.severity is Severity.ERROR:
                raise DriverError(message.text)

    def wait_until(self, condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
        """Wait until a condition holds; raise `DriverError` on timeout."""
        deadline = time.monotonic() + seconds
        while not condition():
            pause(15)
            if time.monotonic() > deadline:
                raise DriverError(f"waited {seconds:.0f} s in vain for {what}")
