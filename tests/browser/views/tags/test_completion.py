# SPDX-License-Identifier: MIT
"""Completion of typed tags: Enter takes the offered tag, Shift+Enter creates a new one, which is announced."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView

from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver
from tests.browser.views.review.review_driver import ReviewDriver

Key = Qt.Key


@pytest.fixture
def lilies(driver: WindowDriver) -> WindowDriver:
    """Photo 9 has the tag tiger lily, photo 8 sea, photo 7 seaside; photo 0 is selected."""
    for row, tag in ((9, "tiger lily"), (8, "sea"), (7, "seaside")):
        driver.session.editor.tag([driver.session.grid.photo_id(row)], [tag])
    driver.click(0, CTRL)
    driver.wait_until_idle("tagging")
    return driver


def tags_of(driver: WindowDriver, row: int) -> list[str]:
    photo_id = driver.session.grid.photo_id(row)
    return driver.session.library.tags.of([photo_id])[photo_id]


def names(driver: WindowDriver) -> set[str]:
    return {tag.name for tag in driver.session.library.tags.all()}


def enter(driver: WindowDriver, text: str, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    if not driver.window.right_column.tags.field.hasFocus():
        driver.press(Key.Key_T)
    driver.type(text)
    driver.press(Key.Key_Return, modifiers)
    driver.wait_until_idle("tagging")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("ti", ["tiger lily"]),
        ("dog, ti", ["dog", "tiger lily"]),
        ("sea", ["sea"]),
        ("SEA", ["sea"]),
        ("seas", ["seaside"]),
        ("beach", ["beach"]),
    ],
)
def test_enter_takes_the_offered_tag_unless_a_whole_name_is_typed(
    lilies: WindowDriver, typed: str, given: list[str]
) -> None:
    enter(lilies, typed)
    assert tags_of(lilies, 0) == given


def test_keys_decide_whether_the_offered_tag_is_taken(lilies: WindowDriver) -> None:
    enter(lilies, "ti", SHIFT)
    assert tags_of(lilies, 0) == ["ti"], "Shift makes a new tag as typed"
    lilies.session.editor.undo()
    lilies.wait_until_idle("undo")
    for text, key, given in (("ti", Key.Key_Escape, "ti"), ("motorbi", Key.Key_Down, "motorbikes")):
        if not lilies.window.right_column.tags.field.hasFocus():
            lilies.press(Key.Key_T)
        lilies.type(text)
        lilies.press(key)  # hides the offer, or goes to the plural
        lilies.press(Key.Key_Return)
        lilies.wait_until_idle("tagging")
        assert tags_of(lilies, 0) == [given]
        lilies.session.editor.undo()
        lilies.wait_until_idle("undo")


def test_the_offered_tag_is_marked_and_the_last_line_keeps_the_text(lilies: WindowDriver) -> None:
    lilies.press(Key.Key_T)
    lilies.type("se")
    offered = lilies.window.findChild(QListView, "completions")
    assert offered is not None
    assert offered.currentIndex().data() == "sea"
    line = offered.visualRect(offered.currentIndex())
    picture = offered.viewport().grab(line.translated(line.width() // 2, 0)).toImage()
    assert picture.pixelColor(0, line.height() // 2) == lilies.window.theme.color("accent")
    last = offered.model().index(offered.model().rowCount() - 1, 0)
    assert last.data().startswith("New tag: se")
    while offered.currentIndex() != last:
        lilies.press(Key.Key_Down)
    lilies.press(Key.Key_Return)
    lilies.wait_until_idle("tagging")
    assert tags_of(lilies, 0) == ["se"]


def test_the_key_of_a_line_takes_it(lilies: WindowDriver) -> None:
    pinned = lilies.session.tagging.pinned.tags
    lilies.press(Key.Key_T)
    lilies.type("se")
    offered = lilies.window.findChild(QListView, "completions")
    assert offered is not None
    assert offered.model().index(1, 0).data() == "seaside"
    rect = offered.visualRect(offered.model().index(1, 0))
    key = offered.viewport().grab(rect.adjusted(rect.width() * 2 // 3, 0, 0, 0)).toImage()
    assert len({key.pixel(x, y) for x in range(key.width()) for y in range(key.height())}) > 1, "the key is shown"
    lilies.press(Key.Key_2, CTRL)
    lilies.wait_until_idle("tagging")
    assert tags_of(lilies, 0) == ["seaside"]
    assert lilies.session.tagging.pinned.tags == pinned, "the window's shortcut waits for an empty list"
    lilies.type("dog, timb")
    count = offered.model().rowCount()
    lilies.press(Key.Key_0, CTRL)
    assert count < 10
    assert tags_of(lilies, 0) == ["seaside"], "there is no tenth line"
    last = offered.model().index(count - 1, 0)
    assert last.data().startswith("New tag: timb")
    lilies.press(Key(Key.Key_0.value + count), CTRL)
    lilies.wait_until_idle("tagging")
    assert sorted(tags_of(lilies, 0)) == ["dog", "seaside", "timb"]


def test_enter_takes_the_plural_if_most_tags_are_plurals(lilies: WindowDriver) -> None:
    lilies.session.editor.tag([lilies.session.grid.photo_id(6)], ["boats", "animal/dogs", "trees", "cars"])
    lilies.wait_until_idle("tags")
    enter(lilies, "motorbi")
    assert tags_of(lilies, 0) == ["motorbikes"]


def test_a_new_tag_is_announced_and_undone_by_its_button(lilies: WindowDriver) -> None:
    bar = lilies.window.message_bar
    enter(lilies, "ti")
    assert bar.message is None, "a known tag is not announced"
    enter(lilies, "ti, se, fish", SHIFT)
    message = bar.message
    assert message is not None
    assert message.action is MessageAction.UNDO
    assert message.text == "New tags: fish, se, ti"
    QTest.mouseClick(bar._offer, Qt.MouseButton.LeftButton)
    lilies.wait_until_idle("undo")
    assert tags_of(lilies, 0) == ["tiger lily"]
    assert names(lilies) == {"tiger lily", "sea", "seaside"}


@pytest.mark.slow
def test_the_offer_to_undo_ends_with_the_next_change(lilies: WindowDriver) -> None:
    enter(lilies, "fish")
    assert lilies.message_text == "New tag: fish"
    lilies.session.editor.tag([lilies.session.grid.photo_id(3)], ["sea"])
    lilies.wait_until_idle("another change")
    assert lilies.window.message_bar.message is None, "Undo would revert something else"


def test_in_the_review_enter_names_a_group_as_offered(reviewing: ReviewDriver) -> None:
    review, driver = reviewing.review, reviewing.driver
    driver.session.editor.tag([driver.session.grid.photo_id(9)], ["tiger lily"])
    reviewing.wait()
    review.go_to(next(question for question in review.questions if question.tag is None))
    driver.type("ti")
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    assert names(driver) == {"tiger lily"}
    assert driver.window.message_bar.message is None
    assert len([given for given in reviewing.tags().values() if given]) > 1


def test_in_the_review_a_new_name_is_announced(reviewing: ReviewDriver) -> None:
    driver = reviewing.driver
    for modifiers, name in ((NONE, "tiger"), (SHIFT, "ti")):
        driver.type("ti")
        reviewing.press(Key.Key_Return, modifiers)
        reviewing.wait()
        message = driver.window.message_bar.message
        assert message is not None
        assert (message.text, message.action) == (f"New tag: {name}", MessageAction.UNDO)
        QTest.mouseClick(driver.window.message_bar._offer, Qt.MouseButton.LeftButton)
        reviewing.wait()
        assert names(driver) == set()


def test_in_the_review_the_key_of_a_line_names_a_group(reviewing: ReviewDriver) -> None:
    driver = reviewing.driver
    driver.type("ti")
    offered = driver.window.findChild(QListView, "completions")
    assert offered is not None
    third = offered.model().index(2, 0).data()
    reviewing.press(Key.Key_3, CTRL)
    reviewing.wait()
    assert names(driver) == {third}
    assert len([given for given in reviewing.tags().values() if given]) > 1


def test_the_last_of_several_words_is_completed(lilies: WindowDriver) -> None:
    enter(lilies, "tiger lil")
    assert tags_of(lilies, 0) == ["tiger lily"], "a known tag comes first"
    enter(lilies, "garden li")
    assert tags_of(lilies, 0) == ["garden li", "tiger lily"], "Enter takes the text as typed"
    lilies.type("mount")
    lilies.press(Key.Key_Tab)
    lilies.type(" li")
    offered = lilies.window.findChild(QListView, "completions")
    assert offered is not None
    second = offered.model().index(1, 0).data()
    assert second.startswith("mountain li")
    lilies.press(Key.Key_2, CTRL)
    lilies.wait_until_idle("tagging")
    assert tags_of(lilies, 0) == ["garden li", second, "tiger lily"]


def test_photo_by_photo_and_ask_me_next_complete_tags(lilies: WindowDriver) -> None:
    session = lilies.session
    lilies.press(Key.Key_K, CTRL)
    lilies.wait_until_idle("the photos")
    asked = session.review_pages.ask_next.photo_id
    assert asked is not None
    lilies.type("ti")
    lilies.press(Key.Key_Return)
    lilies.wait_until_idle("the answer")
    assert session.library.tags.of([asked])[asked] == ["tiger lily"]
