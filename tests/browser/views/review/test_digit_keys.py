# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from focal_photos.browser.views.review.digit_keys import key_number

NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
PAD, CTRL = Qt.KeyboardModifier.KeypadModifier, Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "scan", "number"),
    [
        (Key.Key_1, NONE, "1", 10, 1),
        (Key.Key_9, NONE, "9", 18, 9),
        (Key.Key_0, NONE, "0", 19, 10),
        (Key.Key_3, PAD, "3", 89, 3),
        (Key.Key_Exclam, SHIFT, "!", 10, 11),
        (Key.Key_ParenLeft, SHIFT, "(", 18, 19),
        (Key.Key_ParenRight, SHIFT, ")", 19, 0),
        (Key.Key_1, SHIFT, "1", 10, 1),  # French: digits need Shift
        (Key.Key_Ampersand, NONE, "&", 10, 0),
        (Key.Key_1, CTRL, "1", 10, 0),
        (Key.Key_A, SHIFT, "A", 38, 0),
        (Key.Key_Shift, SHIFT, "", 50, 0),
    ],
)
def test_each_digit_key_has_its_number(
    qapp: QApplication, key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str, scan: int, number: int
) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, key.value, modifiers, scan, 0, 0, text)
    assert key_number(event) == number
