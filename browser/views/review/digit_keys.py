# SPDX-License-Identifier: MIT
"""Detection of the digit keys, with or without Shift."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

# Shift changes the typed text of digit keys, on each keyboard differently, so they are recognised by their position.
_EVDEV: Final = {10 + place: place + 1 for place in range(9)}
_WINDOWS: Final = {2 + place: place + 1 for place in range(9)}
_MAC: Final = {18: 1, 19: 2, 20: 3, 21: 4, 23: 5, 22: 6, 26: 7, 28: 8, 25: 9}


def key_number(event: QKeyEvent) -> int:
    """Return the place of a key among `browser.models.review.tag_keys.KEYS`.

    Returns
    -------
    int
        1 to 9 for these digits, 10 for 0, 11 to 19 for Shift with 1 to 9; 0 for any other key. On keyboards that need
        Shift for digits, such as French ones, Shift makes no difference.
    """
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers & ~Qt.KeyboardModifier.ShiftModifier:
        return 0
    text = event.text()
    if len(text) == 1 and text in "1234567890":
        return int(text) or 10
    place = _place(event) if modifiers else 0
    return 10 + place if place else 0


def _place(event: QKeyEvent) -> int:
    """Return 1 to 9 for the keys in the row of digits; 0 for any other."""
    platform = QGuiApplication.platformName()
    if platform == "cocoa":
        return _MAC.get(event.nativeVirtualKey(), 0)
    return (_WINDOWS if platform == "windows" else _EVDEV).get(event.nativeScanCode(), 0)
