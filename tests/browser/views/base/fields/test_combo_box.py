# SPDX-License-Identifier: MIT
"""The list of a combo box."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.theme import Theme, ThemeChoice


@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
def test_the_line_at_the_keyboard_is_highlighted_as_in_other_lists(
    theme: Theme, qtbot: QtBot, choice: ThemeChoice
) -> None:
    theme.choose(choice)
    box = ComboBox(theme)
    qtbot.addWidget(box)
    box.addItems(["tags", "stars"])
    box.show()
    box.showPopup()
    offered = box.view()
    QTest.keyClick(offered, Qt.Key.Key_Down)
    image = offered.viewport().grab().toImage()
    lines = [offered.visualRect(box.model().index(row, 0)).center() for row in range(2)]
    colors = [image.pixelColor(8, line.y()).name() for line in lines]
    assert colors == [theme.color("panel").name(), theme.color("accent").name()]
    box.hidePopup()
