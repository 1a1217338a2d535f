# SPDX-License-Identifier: MIT
"""The list of boxes in the right column."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.views.photos.palette import tag_color
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.photos.boxes.box_driver import BoxDriver, Key

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def boxes(driver: WindowDriver) -> BoxDriver:
    return BoxDriver(driver)


def click_row(boxes: BoxDriver, row: int) -> None:
    rows = boxes.list.rows
    QTest.mouseClick(rows.viewport(), LEFT, pos=rows.visualItemRect(rows.item(row)).center())
    boxes.settle()


def test_the_list_is_shown_where_there_are_boxes_or_box_mode(boxes: BoxDriver) -> None:
    boxes.open()
    assert not boxes.list.isVisible()
    boxes.press(Key.Key_B)
    assert boxes.list.isVisible()
    assert not boxes.list.rows.isVisible()
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    boxes.draw(0.5, 0.1, 0.7, 0.3)
    assert [boxes.list.rows.item(row).text() for row in range(2)] == ["dog", "Unnamed box"]
    boxes.press(Key.Key_Escape)
    boxes.press(Key.Key_Escape)
    assert not boxes.viewer.isVisible()
    assert boxes.list.isVisible(), "the photo is still selected"
    boxes.driver.click(3)
    boxes.settle()
    assert not boxes.list.isVisible()
    boxes.driver.click(0)
    boxes.settle()
    assert boxes.list.isVisible()
    boxes.driver.click(1, CTRL)
    boxes.settle()
    assert not boxes.list.isVisible(), "two photos are selected"


def test_a_click_selects_a_box_and_the_button_removes_it(boxes: BoxDriver) -> None:
    boxes.open()
    boxes.press(Key.Key_B)
    first, second, third = (boxes.draw(x, 0.1, x + 0.2, 0.3) for x in (0.1, 0.4, 0.7))
    click_row(boxes, 1)
    assert boxes.model.current == second
    assert boxes.list.remove_button.isEnabled()
    assert boxes.list.remove_button.accessibleName() == "Remove the current box"
    QTest.mouseClick(boxes.list.remove_button, LEFT)
    boxes.settle()
    assert boxes.stored() == [first, third]
    boxes.list.rows.setFocus()
    boxes.press(Key.Key_Up)
    assert boxes.model.current == first
    boxes.press(Key.Key_Delete)
    assert boxes.stored() == [third]
    boxes.click(boxes.at(0.8, 0.2))
    assert boxes.list.rows.currentRow() == 0


def test_many_boxes_scroll(boxes: BoxDriver) -> None:
    photo_id = boxes.open()
    session = boxes.driver.session
    drawn = [(photo_id, Region(n / 200, n / 200, n / 200 + 0.1, n / 200 + 0.1), f"tag {n % 9}") for n in range(120)]
    session.feed.publish(session.library.boxes.add(drawn))
    boxes.settle()
    rows = boxes.list.rows
    assert rows.count() == 120
    assert rows.height() < 9 * (rows.sizeHintForRow(0) + 2)
    boxes.press(Key.Key_B)
    boxes.press(Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert rows.currentRow() == 119
    assert rows.viewport().rect().intersects(rows.visualItemRect(rows.item(119)))


def test_tiles_count_boxes(boxes: BoxDriver) -> None:
    photo_id = boxes.open()
    boxes.press(Key.Key_B)
    boxes.draw(0.1, 0.1, 0.3, 0.3)
    boxes.draw(0.5, 0.1, 0.7, 0.3, "dog")
    card = boxes.driver.session.grid.card(photo_id)
    assert card is not None
    assert len(card.boxes) == 2
    boxes.press(Key.Key_Z, CTRL)
    boxes.press(Key.Key_Z, CTRL)
    card = boxes.driver.session.grid.card(photo_id)
    assert card is not None
    assert len(card.boxes) == 1


def test_a_long_tag_leaves_the_remove_button_whole(boxes: BoxDriver) -> None:
    boxes.open()
    boxes.press(Key.Key_B)
    boxes.draw(0.1, 0.1, 0.3, 0.3, "quite a long name for an animal that nobody has seen before " * 3 + "dog")
    column = boxes.driver.window.right_column
    button = boxes.list.remove_button
    assert button.isVisible()
    right = button.mapTo(column, button.rect().topRight()).x()
    assert right <= column.width() - 12
    assert boxes.list.rows.width() < column.width()


def test_the_swatch_of_the_current_box_has_the_colour_of_its_frame(boxes: BoxDriver) -> None:
    boxes.open()
    boxes.press(Key.Key_B)
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    rows = boxes.list.rows
    assert rows.item(0).isSelected()
    place = rows.visualItemRect(rows.item(0))
    picture = rows.viewport().grab(place).toImage()
    colors = {picture.pixelColor(x, picture.height() // 2).name() for x in range(picture.width())}
    assert tag_color("dog").name() in colors
