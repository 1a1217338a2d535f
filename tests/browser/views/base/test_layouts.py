# SPDX-License-Identifier: MIT
"""The layout that wraps into lines, and the order of Tab through layouts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import FlowLayout, clear_layout, focus_neighbor


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


class Window(QWidget):
    def focusNextPrevChild(self, forward: bool) -> bool:
        return focus_neighbor(self, forward=forward)


def test_low_items_are_centred_in_their_line(qtbot: QtBot) -> None:
    holder = QWidget()
    flow = FlowLayout(4)
    holder.setLayout(flow)
    items = [QLabel(holder) for _ in range(3)]
    for item, height in zip(items, (20, 30, 16), strict=True):
        item.setFixedSize(100, height)
        flow.addWidget(item)
    qtbot.addWidget(holder)
    holder.resize(210, 100)
    holder.show()
    assert [item.geometry().top() for item in items] == [5, 0, 34]


def test_a_widget_with_ignored_width_takes_the_space_that_its_line_leaves(qtbot: QtBot) -> None:
    holder = QWidget()
    flow = FlowLayout(4)
    holder.setLayout(flow)
    items = [QLabel(holder), ElidedLabel("a long name"), QLabel(holder)]
    for item in items:
        item.setFixedHeight(20)
        flow.addWidget(item)
    items[0].setFixedWidth(100)
    items[2].setFixedWidth(50)
    qtbot.addWidget(holder)
    holder.show()
    for width, places in ((300, [(0, 100), (104, 142), (250, 50)]), (140, [(0, 100), (104, 36), (0, 50)])):
        holder.resize(width, 100)
        flow.activate()
        assert [(item.x(), item.width()) for item in items] == places
    assert items[2].y() == 24


def test_tab_follows_reading_order_for_later_widgets_too(qtbot: QtBot) -> None:
    window = Window()
    qtbot.addWidget(window)
    below, columns, left = QPushButton("below"), QSplitter(), QPushButton("left")
    grid = QGridLayout()
    named = {name: QPushButton(name) for name in ("third", "second", "first")}
    for name, place in {"third": (1, 0), "second": (0, 1), "first": (0, 0)}.items():
        grid.addWidget(named[name], *place)
    cells = QWidget()
    cells.setLayout(grid)
    cells.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    cells.setFocusProxy(named["first"])  # back from the first one leads past it, not to the first one again
    columns.addWidget(left)
    columns.addWidget(cells)
    rows = QVBoxLayout(window)
    rows.addWidget(below)
    rows.insertWidget(0, columns)
    for row, name in enumerate(("off", "hidden", "by click alone")):
        button = QPushButton(name)
        grid.addWidget(button, 2 + row, 0)
        button.setEnabled(name != "off")
        button.setHidden(name == "hidden")
        button.setFocusPolicy(Qt.FocusPolicy.ClickFocus if name == "by click alone" else Qt.FocusPolicy.StrongFocus)
    window.show()
    rows.insertWidget(0, QPushButton("made later"))
    QApplication.processEvents()
    window.activateWindow()
    expected = ["made later", "left", "first", "second", "third", "below"]
    left.setFocus()
    for step, names in ((Qt.Key.Key_Tab, expected), (Qt.Key.Key_Backtab, expected[::-1])):
        at = names.index("left")
        for name in [*names[at + 1 :], *names[: at + 1]]:
            focused = window.focusWidget()
            QTest.keyClick(focused, step)
            now = window.focusWidget()
            assert isinstance(now, QPushButton)
            assert now.text() == name
