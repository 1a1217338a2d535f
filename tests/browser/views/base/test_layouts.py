"""The layout that breaks into lines."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from focal_photos.browser.views.base.layouts import FlowLayout, clear_layout


def test_the_height_follows_the_width_and_the_items(qtbot: QtBot) -> None:
    area = QWidget()
    qtbot.addWidget(area)
    layout = FlowLayout(spacing=5)
    area.setLayout(layout)
    labels = [QLabel("x") for _ in range(3)]
    for each in labels:
        each.setFixedSize(40, 20)
        layout.addWidget(each)
    assert [layout.heightForWidth(width) for width in (200, 90, 40)] == [20, 45, 70]
    labels[2].setFixedSize(40, 30)
    assert [layout.heightForWidth(width) for width in (200, 90, 40)] == [30, 55, 80]
    more = QLabel("y")
    more.setFixedSize(40, 20)
    layout.addWidget(more)
    assert [layout.heightForWidth(width) for width in (200, 90, 40)] == [30, 55, 105]
    layout.takeAt(0)
    assert [layout.heightForWidth(width) for width in (200, 90, 40)] == [30, 55, 80]
    clear_layout(layout)
    assert layout.heightForWidth(40) == 0
