# SPDX-License-Identifier: MIT
"""Draws boxes by mouse and keys in the viewer of a window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.records import Box, Region
from focal_photos.browser.walkthrough.window_driver import NONE, WindowDriver, pause

Key: Final = Qt.Key
LEFT: Final = Qt.MouseButton.LeftButton


class BoxDriver:
    """The viewer of a window on its first photo.

    Parameters
    ----------
    driver : WindowDriver
    """

    def __init__(self, driver: WindowDriver) -> None:
        self.driver = driver
        self.photos = driver.window.photos
        self.viewer, self.layer = driver.window.photos.viewer, driver.window.photos.boxes
        self.field = self.layer.field
        self.model = driver.session.tagging.boxes
        self.list = driver.window.right_column.boxes

    def open(self, row: int = 0) -> int:
        """Show a photo in the viewer and return it."""
        self.driver.click(row)
        self.driver.press(Key.Key_E)
        self.settle()
        assert self.viewer.photo_id is not None
        return self.viewer.photo_id

    def settle(self) -> None:
        """Wait until everything is written and shown."""
        self.driver.wait_until_idle("the boxes")

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key, and wait until its effect is shown."""
        self.driver.press(key, modifiers)
        self.settle()

    def at(self, x: float, y: float) -> QPoint:
        """Return the place in the viewer of a point of the displayed photo, in shares of width and height."""
        photo = self.viewer.photo_rect()
        return QPointF(photo.left() + x * photo.width(), photo.top() + y * photo.height()).toPoint()

    def drag(self, start: QPoint, end: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Drag the pointer over the viewer with the left button, and wait."""
        QTest.mousePress(self.layer, LEFT, modifiers, start)
        for at in (start + (end - start) / 2, end):
            QTest.mouseMove(self.layer, at)
            pause(5)
        QTest.mouseRelease(self.layer, LEFT, modifiers, end)
        self.settle()

    def click(self, at: QPoint) -> None:
        """Click the viewer."""
        QTest.mouseClick(self.layer, LEFT, NONE, at)
        self.settle()

    def draw(self, x0: float, y0: float, x1: float, y1: float, tag: str = "") -> Box:
        """Draw a box by dragging, and name it by typing; Esc leaves it unnamed."""
        self.drag(self.at(x0, y0), self.at(x1, y1))
        assert self.field.hasFocus()
        if tag:
            self.driver.type(tag)
            self.press(Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        else:
            self.press(Key.Key_Escape)
        return self.stored()[-1]

    def stored(self) -> list[Box]:
        """Return the boxes of the photo in the library."""
        assert self.viewer.photo_id is not None
        return self.driver.session.library.boxes.of([self.viewer.photo_id]).get(self.viewer.photo_id, [])

    def tags(self) -> list[str]:
        """Return the tags of the photo in the library."""
        assert self.viewer.photo_id is not None
        return self.driver.session.library.tags.of([self.viewer.photo_id])[self.viewer.photo_id]

    def rect(self, number: int = 0) -> QRectF:
        """Return the rectangle of a box in the viewer."""
        return self.layer.rect_of(self.model.boxes[number])


def close_to(region: Region, x0: float, y0: float, x1: float, y1: float, by: float = 0.01) -> bool:
    """Return whether a region has these sides, up to a small difference."""
    sides = (region.x0 - x0, region.y0 - y0, region.x1 - x1, region.y1 - y1)
    return max(map(abs, sides)) <= by
