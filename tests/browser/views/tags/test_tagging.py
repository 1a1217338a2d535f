# SPDX-License-Identifier: MIT
"""Tagging in the window: by keys, with recent tags and completion, and undoing it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.views.base.layouts import FlowLayout
from focal_photos.browser.views.tags.tag_panel import TAGS_SHOWN
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.window_steps import tags_of

Key = Qt.Key


def test_tagging_several_photos_with_mixed_state(driver: WindowDriver) -> None:
    driver.click(0, CTRL)
    driver.press(Key.Key_T)
    driver.type("sea, sky/blue")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 0) == ["sea", "sky/blue"]
    assert driver.window.focusWidget() is driver.window.right_column.tags.field, "the next tag can be typed at once"
    driver.press(Key.Key_Return)
    assert driver.window.focusWidget() is driver.grid, "Enter in an empty field leaves it"
    driver.click(2, SHIFT)
    driver.wait_until_idle("the selection")
    panel = driver.window.right_column.tags
    chips = panel.chips()
    assert [(chip.name.text(), chip.property("mixed")) for chip in chips] == [
        ("sea  1/3", True),
        ("sky/blue  1/3", True),
    ]
    below = chips[0].mapTo(panel, chips[0].rect().topLeft()).y()
    assert below - panel.fold.geometry().bottom() < 15, "the chips are far below the heading"
    chips[0].name.click()
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 2) == ["sea"]
    chips = driver.window.right_column.tags.chips()
    assert chips[0].property("mixed") is False
    chips[0].remove.click()
    driver.wait_until_idle("tagging")
    assert [tags_of(driver, row) for row in range(3)] == [["sky/blue"], [], []]
    assert driver.session.sidebar.tags.find("sky/blue").isValid()


def test_recent_tags_are_offered_and_the_last_one_is_repeated(driver: WindowDriver) -> None:
    driver.click(0, CTRL)
    for text in ("one", "two"):
        driver.press(Key.Key_T)
        driver.type(text)
        driver.press(Key.Key_Return)
        driver.wait_until_idle("tagging")
        driver.press(Key.Key_Escape)
    assert driver.session.overview.now.recent_tags[:2] == ("two", "one")
    driver.press(Key.Key_Right)
    driver.press(Key.Key_1)
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 1) == ["one"]
    driver.press(Key.Key_Right)
    driver.press(Key.Key_Period)
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 2) == ["one"]


def test_tags_are_completed_at_the_end_and_in_the_middle(driver: WindowDriver) -> None:
    field = driver.window.right_column.tags.field
    driver.session.editor.tag([driver.session.grid.photo_id(9)], ["animal/dog", "seaside"])
    driver.click(0, CTRL)
    driver.wait_until_idle("tagging")
    driver.press(Key.Key_T)
    driver.type("sea, do")
    driver.press(Key.Key_Tab)
    assert field.text() == "sea, animal/dog"
    driver.press(Key.Key_Escape)
    assert driver.window.focusWidget() is driver.grid
    field.clear()
    driver.press(Key.Key_T)
    driver.type("s, cat")
    field.setCursorPosition(1)
    driver.type("e")
    driver.press(Key.Key_Tab)
    assert field.text() == "seaside, cat"
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 0) == ["cat", "seaside"]


def test_the_next_untagged_photo(driver: WindowDriver) -> None:
    driver.session.editor.tag(driver.session.grid.ids[:3].tolist(), ["known"])
    driver.wait_until_idle("tagging")
    driver.click(0, CTRL)
    driver.press(Key.Key_J, CTRL)
    driver.wait_until_idle("the search")
    assert driver.grid.current_id() == driver.session.grid.photo_id(3)


def test_undo_and_redo(driver: WindowDriver) -> None:
    driver.click(0, CTRL)
    driver.press(Key.Key_T)
    driver.type("sea")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    driver.press(Key.Key_Escape)
    assert driver.window.window_actions.by_name["undo"].text() == "&Undo: Tag 1 photo: sea"
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert tags_of(driver, 0) == []
    assert not driver.window.window_actions.by_name["undo"].isEnabled()
    driver.press(Key.Key_Z, CTRL | SHIFT)
    driver.wait_until_idle("redo")
    assert tags_of(driver, 0) == ["sea"]


def test_the_most_frequent_tags_are_shown_first(driver: WindowDriver) -> None:
    session = driver.session
    many = [f"tag {number:02}" for number in range(40)]
    session.library.tags.change(session.grid.ids[:1].tolist(), many)
    session.library.tags.change(session.grid.ids[:2].tolist(), ["zebra"])
    driver.click(0)
    driver.click(1, SHIFT)
    driver.wait_until_idle("the selection")
    panel = driver.window.right_column.tags
    names = [chip.name.text() for chip in panel.chips()]
    assert len(names) == TAGS_SHOWN
    assert names[-1].startswith("zebra")
    assert names == sorted(names)
    assert panel.more_button is not None
    assert panel.more_button.text() == "11 more"
    panel.more_button.clicked.emit()
    assert len(panel.chips()) == 41
    driver.click(0)
    driver.wait_until_idle("the selection")
    assert len(panel.chips()) == TAGS_SHOWN, "other photos show a few tags again"


def test_many_new_tags_cause_few_layouts(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.press(Key.Key_A, CTRL)
    driver.session.targets.tag([f"tag {number:02}" for number in range(TAGS_SHOWN)])
    arranged: list[FlowLayout] = []
    arrange = FlowLayout._arrange

    def counted(flow: FlowLayout, rect: QRect, *, move: bool) -> int:
        arranged.append(flow)
        return arrange(flow, rect, move=move)

    monkeypatch.setattr(FlowLayout, "_arrange", counted)
    driver.wait_until_idle("tagging")
    panel = driver.window.right_column.tags
    assert [chip.name.text() for chip in panel.chips()] == [f"tag {number:02}" for number in range(TAGS_SHOWN)]
    assert all(chip.isVisible() for chip in panel.chips())
    assert 0 < arranged.count(panel._chips) < TAGS_SHOWN


def test_chips_of_unchanged_tags_stay(driver: WindowDriver) -> None:
    driver.press(Key.Key_A, CTRL)
    driver.session.targets.tag(["dune", "sea"])
    driver.wait_until_idle("tagging")
    panel = driver.window.right_column.tags
    dune, sea = panel.chips()
    driver.session.targets.tag(["reef"])
    driver.wait_until_idle("tagging")
    assert [chip.name.text() for chip in panel.chips()] == ["dune", "reef", "sea"]
    assert (panel.chips()[0], panel.chips()[2]) == (dune, sea)
    driver.click(0, CTRL)
    driver.session.targets.tag(remove=["reef"])
    driver.wait_until_idle("one tag less")
    driver.press(Key.Key_A, CTRL)
    driver.wait_until_idle("the selection")
    texts = [chip.name.text() for chip in panel.chips()]
    assert texts[0] == "dune"
    assert texts[1].startswith("reef  ")
    assert all(chip.isVisible() for chip in panel.chips())


def _two_photos_with_tags_of_their_own(driver: WindowDriver) -> None:
    change, ids = driver.session.library.tags.change, driver.session.grid.ids
    change(ids[:1].tolist(), ["dune", "sea"])
    change(ids[1:2].tolist(), ["cat", "dog"])
    driver.click(0, CTRL)
    driver.wait_until_idle("the tags of the first photo")


def test_chips_are_reused_for_other_tags(driver: WindowDriver) -> None:
    _two_photos_with_tags_of_their_own(driver)
    panel = driver.window.right_column.tags
    before = panel.chips()
    driver.click(1, SHIFT)
    driver.wait_until_idle("the tags of both photos")
    assert [chip.name.text() for chip in panel.chips()] == ["cat  1/2", "dog  1/2", "dune  1/2", "sea  1/2"]
    assert panel.chips()[:2] == before
    assert [chip.property("mixed") for chip in panel.chips()] == [True] * 4
    cat, dog, *_ = panel.chips()
    assert cat.name.accessibleName() == "Add cat to all 2 photos"
    assert dog.remove.accessibleName() == dog.remove.toolTip() == "Remove dog"
    cat.name.click()
    driver.wait_until_idle("given")
    assert (tags_of(driver, 0), tags_of(driver, 1)) == (["cat", "dune", "sea"], ["cat", "dog"])
    panel.chips()[1].remove.click()
    driver.wait_until_idle("taken")
    assert (tags_of(driver, 0), tags_of(driver, 1)) == (["cat", "dune", "sea"], ["cat"])


def test_unused_chips_are_kept_for_other_tags_and_a_press_begun_before_does_nothing(driver: WindowDriver) -> None:
    _two_photos_with_tags_of_their_own(driver)
    panel = driver.window.right_column.tags
    before = panel.chips()
    driver.session.navigator.select(())
    driver.wait_until_idle("no photo")
    assert panel.chips() == []
    assert not any(chip.isVisible() for chip in before)
    driver.session.navigator.select((driver.session.grid.photo_id(1),))
    driver.wait_until_idle("the tags of the second photo")
    assert panel.chips() == before
    assert [chip.name.text() for chip in before] == ["cat", "dog"]
    assert all(chip.isVisible() for chip in before)
    driver.session.navigator.select((driver.session.grid.photo_id(0),))
    driver.wait_until_idle("the tags of the first photo")
    chip = panel.chips()[0]
    assert chip.name.text() == "dune"
    QTest.mousePress(chip.remove, Qt.MouseButton.LeftButton)
    driver.session.navigator.select((driver.session.grid.photo_id(1),))
    driver.wait_until_idle("the tags of the second photo")
    assert chip.name.text() == "cat"
    QTest.mouseRelease(chip.remove, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("nothing")
    assert (tags_of(driver, 0), tags_of(driver, 1)) == (["dune", "sea"], ["cat", "dog"])


def test_a_minus_sign_removes_and_signs_without_a_tag_are_ignored(driver: WindowDriver) -> None:
    driver.click(0, CTRL)
    driver.press(Key.Key_T)
    for text in ("one, two", "-one, three"):
        driver.type(text)
        driver.press(Key.Key_Return)
        driver.wait_until_idle("tagging")
    assert tags_of(driver, 0) == ["three", "two"]
    undo = driver.session.library.journal.undo_label()
    driver.type("-, +")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("nothing")
    assert driver.session.library.journal.undo_label() == undo
    assert driver.grid.hasFocus(), "the grid has the focus, as after an empty field"
    driver.press(Key.Key_T)
    driver.type("a;b")
    driver.press(Key.Key_Return)
    driver.wait_until(lambda: driver.window.message_bar.message is not None, "the message")
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity == "error"
    assert "semicolon" in message.text
    assert tags_of(driver, 0) == ["three", "two"]
