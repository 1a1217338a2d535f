# SPDX-License-Identifier: MIT
"""Buttons that ignore presses until the pointer has moved."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from focal_photos.browser.views.base.buttons import FreshButton
from focal_photos.browser.views.review.photo_page import TagButton

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


class Pressed:
    """A button that was created under a resting pointer, and its presses.

    The window moves, not the pointer, since a pointer offscreen does not always follow `QTest.mouseMove`.
    """

    def __init__(self, qtbot: QtBot, kind: type[FreshButton]) -> None:
        self.window = QWidget()
        self.window.resize(200, 100)
        qtbot.addWidget(self.window)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.window.move(self.window.pos() + QCursor.pos() - self.window.mapToGlobal(self.window.rect().center()))
        QApplication.processEvents()
        self.button = kind("beach")
        self.button.setParent(self.window)
        self.button.setGeometry(50, 35, 100, 30)
        self.button.show()
        self.place = self.button.mapFromGlobal(QCursor.pos())
        self.count = 0
        self.button.clicked.connect(self._add)
        if isinstance(self.button, TagButton):
            self.button.clicked_last.connect(self._add)

    def _add(self) -> None:
        self.count += 1

    def move(self, by: QPoint) -> None:
        near = QPointF(self.place + by)
        none = Qt.MouseButton.NoButton
        moved = QMouseEvent(QEvent.Type.MouseMove, near, self.button.mapToGlobal(near), none, none, NO_KEYS)
        QApplication.sendEvent(self.button, moved)

    def leave(self) -> None:
        QApplication.sendEvent(self.button, QEvent(QEvent.Type.Leave))


@pytest.fixture(params=[(FreshButton, LEFT), (TagButton, LEFT), (TagButton, MIDDLE)], ids=["any", "tag", "tag, middle"])
def pressed(qtbot: QtBot, request: pytest.FixtureRequest) -> tuple[Pressed, Qt.MouseButton]:
    kind, mouse = request.param
    return Pressed(qtbot, kind), mouse


@pytest.mark.parametrize("outside", [True, False])
def test_presses_count_once_the_pointer_has_moved(pressed: tuple[Pressed, Qt.MouseButton], outside: bool) -> None:
    fresh, mouse = pressed
    assert fresh.button.rect().contains(fresh.place)
    QTest.mouseClick(fresh.button, mouse, NO_KEYS, fresh.place)
    fresh.move(QPoint(2, 0))  # a hand that rests
    QTest.mouseClick(fresh.button, mouse, NO_KEYS, fresh.place)
    QTest.mouseDClick(fresh.button, mouse, NO_KEYS, fresh.place)
    assert fresh.count == 0
    if outside:
        fresh.leave()
    else:
        fresh.move(QPoint(16, 0))
    QTest.mouseClick(fresh.button, mouse, NO_KEYS, fresh.place)
    assert fresh.count == 1


def test_a_press_elsewhere_counts_at_once(pressed: tuple[Pressed, Qt.MouseButton]) -> None:
    fresh, mouse = pressed
    QTest.mouseClick(fresh.button, mouse, NO_KEYS, fresh.place + QPoint(20, 3))
    assert fresh.count == 1
