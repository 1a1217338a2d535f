# SPDX-License-Identifier: MIT
"""The error message below a field is fully visible."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel

from focal_photos.browser.walkthrough.window_driver import WindowDriver

MISTAKES = ("rating>=99 or (", "tag:", "(" * 9, "date:2024-99", "size>x")


def test_the_reason_is_not_cut(driver: WindowDriver) -> None:
    search = driver.window.sidebar.search
    for text in MISTAKES:
        search.setFocus()
        search.setText(text)
        driver.wait_until_idle("the filter")
        driver.wait_until(lambda: any(each.isVisible() for each in _messages(driver)), f"what is wrong with {text}", 5)
        [message] = [each for each in _messages(driver) if each.isVisible()]
        room = message.contentsRect()
        needed = message.fontMetrics().boundingRect(
            QRect(0, 0, room.width(), 1000), int(Qt.TextFlag.TextWordWrap), message.text()
        )
        assert needed.height() <= room.height() + 1, message.text()
        search.clear()
        driver.wait_until_idle("the filter")


def _messages(driver: WindowDriver) -> list[QLabel]:
    return driver.window.findChildren(QLabel, "field-message")
