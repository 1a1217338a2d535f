"""Keys and mouse for a window, as a person uses them: for the walk without a display, and for tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from browser.models.work.message import Severity
from browser.views.window.main_window import MainWindow

NONE: Final = Qt.KeyboardModifier.NoModifier
CTRL: Final = Qt.KeyboardModifier.ControlModifier
SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
ALT: Final = Qt.KeyboardModifier.AltModifier


def pause(milliseconds: int) -> None:
    """Let the window and the background work go on for a while; `QTest.qWait` would hold up all other threads."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class HandsError(Exception):
    """Something did not come out as it should."""


class Hands:
    """A person at the keyboard of a window."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.session = window.session
        self.navigator = window.session.navigator
        self.grid = window.grid

    def spot(self, row: int) -> QPoint:
        """Scroll to a tile and return its middle."""
        index = self.session.grid.index(row)
        self.grid.scrollTo(index)
        pause(5)
        return self.grid.visualRect(index).center()

    def focal_name(self) -> str:
        """Return the name of the focal image."""
        return self.navigator.focal.name if self.navigator.focal is not None else ""

    def click(self, row: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Click a tile."""
        QTest.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, modifiers, self.spot(row))

    def hover(self, row: int) -> None:
        """Move the pointer over a tile."""
        spot = self.spot(row)
        for at in (spot - QPoint(2, 2), spot):  # a pointer that stands still tells nobody where it is
            QTest.mouseMove(self.grid.viewport(), at)
            pause(5)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key where the keyboard is."""
        QTest.keyClick(self.focused(), key, modifiers)
        pause(5)

    def focused(self) -> QWidget:
        """Return the widget that has the keyboard."""
        widget: QWidget | None = self.window.focusWidget()
        return self.window if widget is None else widget

    def type(self, text: str) -> None:
        """Type a text."""
        for letter in text:
            QTest.keyClicks(self.focused(), letter)

    def settle(self, what: str, seconds: float = 60) -> None:
        """Wait until nothing is going on."""
        session = self.session
        quiet = 0
        deadline = time.monotonic() + seconds
        while quiet < 3:
            pause(15)
            busy = not (session.runner.idle and session.loader.idle and session.settled)
            quiet = 0 if busy else quiet + 1
            if time.monotonic() > deadline:
                raise HandsError(f"waited {seconds:.0f} s in vain for {what}")
        message = self.window.message_bar.message
        if message is not None and message.severity is Severity.ERROR:
            raise HandsError(message.text)

    def until(self, condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
        """Wait for something."""
        deadline = time.monotonic() + seconds
        while not condition():
            pause(15)
            if time.monotonic() > deadline:
                raise HandsError(f"waited {seconds:.0f} s in vain for {what}")
