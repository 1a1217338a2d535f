# SPDX-License-Identifier: MIT
"""Boxes are drawn, moved, resized, named and removed in the viewer, by mouse and by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.settings.user_settings import DIGITS
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.dialogs.shortcuts_dialog import ShortcutsDialog
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.photos.boxes.box_driver import BoxDriver, Key, close_to


@pytest.fixture
def boxes(driver: WindowDriver) -> BoxDriver:
    """Return the viewer on the first photo, in box mode."""
    found = BoxDriver(driver)
    found.open()
    found.press(Key.Key_B)
    assert found.model.editing
    return found


# ---------------------------------------------------------------------- mouse
def test_a_drag_draws_a_box_and_asks_for_its_name(boxes: BoxDriver) -> None:
    boxes.drag(boxes.at(0.2, 0.3), boxes.at(0.5, 0.7))
    (box,) = boxes.stored()
    assert close_to(box.region, 0.2, 0.3, 0.5, 0.7)
    assert box.tag is None
    assert boxes.model.current == box
    assert boxes.field.hasFocus()
    assert not boxes.viewer.rect().contains(boxes.field.geometry()) or boxes.field.isVisible()
    boxes.driver.type("dog")
    boxes.press(Key.Key_Return)
    assert boxes.stored()[0].tag == "dog"
    assert boxes.tags() == ["dog"]
    assert not boxes.field.isVisible()
    assert boxes.viewer.hasFocus()
    assert "New tag: dog" in boxes.driver.message_text


def test_several_boxes_of_a_kind_take_a_drag_and_a_key_each(boxes: BoxDriver) -> None:
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    for x in (0.4, 0.7):
        boxes.drag(boxes.at(x, 0.1), boxes.at(x + 0.2, 0.3))
        assert boxes.field.text() == "dog"
        boxes.press(Key.Key_Return)
    assert [box.tag for box in boxes.stored()] == ["dog"] * 3


def test_recent_tags_of_boxes_are_offered_first_and_others_are_completed(boxes: BoxDriver) -> None:
    boxes.draw(0.1, 0.1, 0.3, 0.3, "animal/dog")
    boxes.draw(0.4, 0.1, 0.6, 0.3, "tree")
    boxes.drag(boxes.at(0.7, 0.1), boxes.at(0.9, 0.3))
    boxes.driver.press(Key.Key_Down)
    boxes.press(Key.Key_Return)
    assert boxes.stored()[-1].tag == "animal/dog"
    boxes.press(Key.Key_T)
    assert boxes.field.text() == "animal/dog"
    boxes.driver.type("tre")
    boxes.press(Key.Key_Return)
    assert boxes.stored()[-1].tag == "tree"


def test_the_most_likely_tag_is_proposed(boxes: BoxDriver) -> None:
    library, editor = boxes.driver.session.library, boxes.driver.session.editor
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    boxes.draw(0.1, 0.6, 0.3, 0.8, "tree")
    boxes.draw(0.6, 0.6, 0.8, 0.8, "boat")

    def proposed() -> str:
        boxes.drag(boxes.at(0.4, 0.1), boxes.at(0.6, 0.3))
        text = boxes.field.text()
        boxes.press(Key.Key_Escape)
        boxes.press(Key.Key_Delete)
        return text

    first = boxes.viewer.photo_id
    boxes.press(Key.Key_N)
    second = boxes.viewer.photo_id
    assert second is not None
    assert second != first
    assert proposed() == "boat", "the last one, without any evidence"
    editor.publish(library.suggestions.replace_open([Suggestion(second, "tree", 0.8, SuggestionState.OPEN, ())], None))
    boxes.settle()
    assert proposed() == "tree", "it is suggested for the photo"
    editor.publish(library.tags.change([second], ["dog", "holiday"]))
    boxes.settle()
    assert proposed() == "dog", "the photo carries it, and it names boxes"
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    assert proposed() == "tree", "the dog has its box"


def test_a_drag_inside_moves_a_box_and_its_handles_resize_it(boxes: BoxDriver) -> None:
    boxes.draw(0.2, 0.2, 0.5, 0.5, "dog")
    boxes.drag(boxes.at(0.35, 0.35), boxes.at(0.55, 0.45))
    assert close_to(boxes.stored()[0].region, 0.4, 0.3, 0.7, 0.6)
    boxes.drag(boxes.at(0.7, 0.6), boxes.at(0.9, 0.8))  # a corner
    assert close_to(boxes.stored()[0].region, 0.4, 0.3, 0.9, 0.8)
    boxes.drag(boxes.at(0.4, 0.5), boxes.at(0.3, 0.9))  # a side
    assert close_to(boxes.stored()[0].region, 0.3, 0.3, 0.9, 0.8)
    assert len(boxes.stored()) == 1
    assert not boxes.field.isVisible()
    assert boxes.stored()[0].tag == "dog"


def test_a_box_stays_inside_the_photo(boxes: BoxDriver) -> None:
    boxes.draw(0.2, 0.2, 0.5, 0.5)
    boxes.drag(boxes.at(0.35, 0.35), boxes.at(0.35, 0.35) + QPoint(3000, 3000))
    assert close_to(boxes.stored()[0].region, 0.7, 0.7, 1, 1)
    boxes.drag(boxes.at(0.7, 0.7), boxes.at(0.7, 0.7) + QPoint(3000, 0))
    region = boxes.stored()[0].region
    assert 0 < region.x1 - region.x0 < 0.05
    boxes.drag(boxes.at(0.5, 0.5), boxes.at(0.5, 0.5) - QPoint(3000, 3000))
    assert close_to(boxes.stored()[1].region, 0, 0, 0.5, 0.5)


def test_shift_draws_inside_a_box_and_a_click_selects_the_smaller_one(boxes: BoxDriver) -> None:
    outer = boxes.draw(0.1, 0.1, 0.9, 0.9)
    boxes.drag(boxes.at(0.4, 0.4), boxes.at(0.6, 0.6), SHIFT)
    boxes.press(Key.Key_Escape)
    assert len(boxes.stored()) == 2
    inner = boxes.stored()[1]
    assert boxes.stored()[0] == outer
    boxes.click(boxes.at(0.2, 0.2))
    assert boxes.model.current == outer
    boxes.click(boxes.at(0.5, 0.5))
    assert boxes.model.current == inner
    boxes.click(boxes.at(0.02, 0.02))
    assert boxes.model.current is None
    assert len(boxes.stored()) == 2, "clicks draw nothing"


def test_the_middle_button_moves_the_zoomed_photo_in_box_mode(boxes: BoxDriver) -> None:
    boxes.viewer.zoom(4)
    before, middle = boxes.viewer.photo_rect().topLeft(), boxes.viewer.rect().center()
    QTest.mousePress(boxes.layer, Qt.MouseButton.MiddleButton, pos=middle)
    QTest.mouseMove(boxes.layer, middle + QPoint(30, 20))
    QTest.mouseRelease(boxes.layer, Qt.MouseButton.MiddleButton, pos=middle + QPoint(30, 20))
    assert boxes.viewer.photo_rect().topLeft() == before + QPointF(30, 20)
    assert not boxes.stored()


def test_a_double_click_names_a_box(boxes: BoxDriver) -> None:
    boxes.draw(0.2, 0.2, 0.6, 0.6, "dog")
    boxes.click(boxes.at(0.9, 0.9))
    QTest.mouseDClick(boxes.layer, Qt.MouseButton.LeftButton, pos=boxes.at(0.4, 0.4))
    assert boxes.field.hasFocus()
    assert boxes.field.text() == "dog"


# ---------------------------------------------------------------------- keys
def test_boxes_are_drawn_without_a_mouse(boxes: BoxDriver) -> None:
    boxes.press(Key.Key_B)
    boxes.press(Key.Key_Insert)
    assert len(boxes.stored()) == 2
    placed = boxes.stored()[1].region
    assert close_to(placed, 0.35, 0.35, 0.65, 0.65)
    assert not boxes.field.isVisible()
    boxes.press(Key.Key_Left)
    boxes.press(Key.Key_Up)
    moved = boxes.stored()[1].region
    assert moved.x0 < placed.x0
    assert moved.y0 < placed.y0
    assert moved.x1 - moved.x0 == pytest.approx(placed.x1 - placed.x0)
    boxes.press(Key.Key_Right, SHIFT)
    boxes.press(Key.Key_Down, SHIFT)
    larger = boxes.stored()[1].region
    assert (larger.x0, larger.y0) == (moved.x0, moved.y0)
    assert larger.x1 > moved.x1
    assert larger.y1 > moved.y1
    boxes.press(Key.Key_T)
    boxes.driver.type("dog")
    boxes.press(Key.Key_Return)
    assert [box.tag for box in boxes.stored()] == [None, "dog"]


def test_with_ctrl_a_box_moves_by_a_pixel(boxes: BoxDriver) -> None:
    boxes.press(Key.Key_B)
    wide, high = boxes.viewer.pixels
    before = boxes.stored()[0].region
    boxes.press(Key.Key_Right, CTRL)
    boxes.press(Key.Key_Down, CTRL)
    after = boxes.stored()[0].region
    assert (after.x0 - before.x0) * wide == pytest.approx(1)
    assert (after.y0 - before.y0) * high == pytest.approx(1)


def test_a_held_arrow_key_is_one_step_of_undo(boxes: BoxDriver) -> None:
    boxes.press(Key.Key_B)
    before = boxes.stored()[0].region
    for _ in range(5):
        QTest.keyPress(boxes.viewer, Key.Key_Right)
    QTest.keyRelease(boxes.viewer, Key.Key_Right)
    boxes.settle()
    assert boxes.stored()[0].region.x0 > before.x0
    boxes.press(Key.Key_Z, CTRL)
    assert boxes.stored()[0].region == before
    assert boxes.layer.region_of(boxes.model.boxes[0]) == before


def test_tab_goes_from_box_to_box_and_delete_removes(boxes: BoxDriver) -> None:
    first, second, third = (boxes.draw(x, 0.1, x + 0.2, 0.3) for x in (0.1, 0.4, 0.7))
    for key, expected in (
        (Key.Key_Tab, first),
        (Key.Key_Tab, second),
        (Key.Key_Backtab, first),
        (Key.Key_Backtab, third),
    ):
        boxes.press(key, SHIFT if key == Key.Key_Backtab else Qt.KeyboardModifier.NoModifier)
        assert boxes.model.current == expected
        assert boxes.viewer.hasFocus()
    boxes.press(Key.Key_Delete)
    assert boxes.stored() == [first, second]
    assert boxes.model.current == second
    message = boxes.driver.window.message_bar.message
    assert message is not None
    assert message.action is MessageAction.UNDO
    boxes.press(Key.Key_Z, CTRL)
    assert boxes.stored() == [first, second, third]


def test_digits_name_the_current_box_by_pinned_tags(boxes: BoxDriver) -> None:
    boxes.driver.session.tagging.pinned.pin(3, "cat")
    boxes.drag(boxes.at(0.1, 0.1), boxes.at(0.3, 0.3))
    boxes.press(Key.Key_3)  # while the name is asked for
    assert [box.tag for box in boxes.stored()] == ["cat"]
    assert not boxes.field.isVisible()
    boxes.press(Key.Key_B)
    boxes.driver.window.dialogs.user_settings.set(DIGITS, "stars")
    boxes.press(Key.Key_3)
    assert [box.tag for box in boxes.stored()] == ["cat", "cat"]
    assert boxes.tags() == ["cat"]


def test_a_digit_after_a_letter_is_text(boxes: BoxDriver) -> None:
    boxes.driver.session.tagging.pinned.pin(3, "cat")
    boxes.draw(0.1, 0.1, 0.3, 0.3, "mp3")
    assert boxes.stored()[0].tag == "mp3"


def test_esc_leaves_first_the_field_then_box_mode_then_the_viewer(boxes: BoxDriver) -> None:
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    boxes.drag(boxes.at(0.4, 0.1), boxes.at(0.6, 0.3))
    boxes.press(Key.Key_Escape)
    assert not boxes.field.isVisible()
    assert boxes.model.editing
    boxes.press(Key.Key_Escape)
    assert not boxes.model.editing
    assert boxes.viewer.isVisible()
    assert [box.tag for box in boxes.stored()] == ["dog", None]
    boxes.press(Key.Key_Escape)
    assert not boxes.viewer.isVisible()


def test_keys_keep_their_meaning_without_box_mode(boxes: BoxDriver) -> None:
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    boxes.press(Key.Key_Escape)
    photo = boxes.viewer.photo_id
    boxes.driver.session.tagging.pinned.pin(3, "cat")
    boxes.press(Key.Key_3)
    assert boxes.tags() == ["cat", "dog"]
    boxes.press(Key.Key_Right)
    assert boxes.viewer.photo_id != photo
    assert not boxes.stored()
    boxes.press(Key.Key_Left)
    assert [box.tag for box in boxes.stored()] == ["dog"]
    assert len(boxes.model.boxes) == 1


def test_box_mode_stays_from_photo_to_photo(boxes: BoxDriver) -> None:
    first = boxes.viewer.photo_id
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    boxes.press(Key.Key_N)
    assert boxes.viewer.photo_id != first
    assert boxes.model.editing
    assert not boxes.model.boxes
    boxes.draw(0.5, 0.5, 0.7, 0.7, "cat")
    boxes.press(Key.Key_Backspace)
    assert [box.tag for box in boxes.model.boxes] == ["dog"]


def test_another_page_ends_box_mode(boxes: BoxDriver) -> None:
    boxes.draw(0.1, 0.1, 0.3, 0.3, "dog")
    boxes.driver.window.show_mode(Mode.MAP)
    assert not boxes.model.editing
    boxes.driver.window.show_mode(Mode.BROWSE)
    boxes.settle()
    assert boxes.viewer.isVisible()
    boxes.press(Key.Key_B)
    assert boxes.model.editing
    assert len(boxes.stored()) == 1


def test_f1_and_the_list_of_keys_explain_boxes(boxes: BoxDriver) -> None:
    window = boxes.driver.window
    assert boxes.viewer.property("guide") == "reviewing.md#boxes"
    boxes.driver.press(Key.Key_Question)
    listed = next(one for one in window.findChildren(ShortcutsDialog) if one.isVisible())
    texts = [one.text() for one in listed.findChildren(QLabel)]
    assert "Put a box in the middle" in texts
    QTest.keyClick(listed, Key.Key_Escape)
    boxes.press(Key.Key_Escape)
    assert not boxes.viewer.property("guide")


def test_b_expands_duplicates_in_the_grid(driver: WindowDriver) -> None:
    driver.click(0)
    driver.press(Key.Key_B)
    assert "no duplicates" in driver.message_text
    assert not driver.session.tagging.boxes.editing


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
def test_the_hint_takes_two_lines_at_most_in_a_small_window(
    speaking: str, open_window: OpenWindow, library_folder: Path
) -> None:
    boxes = BoxDriver(open_window(library_folder, watching=False))
    boxes.driver.window.resize(900, 600)
    boxes.open()
    boxes.press(Key.Key_B)
    hint = boxes.layer.hint
    assert hint.isVisible()
    line = hint.fontMetrics().lineSpacing()
    assert hint.height() < 3 * line + 14
    whole = hint.fontMetrics().boundingRect(hint.contentsRect(), Qt.TextFlag.TextWordWrap, hint.text())
    assert hint.contentsRect().contains(whole), "nothing is cut off"
    assert hint.text().startswith("Rahmen:" if speaking == "de" else "Boxes:")
    boxes.driver.window.resize(1800, 900)
    boxes.settle()
    assert hint.text() == hint.full_text()
    assert hint.height() < 2 * line + 14
