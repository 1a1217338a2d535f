# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.review.photo_by_photo import PhotoByPhoto
from focal_photos.browser.operations.tagging import incremental_tags
from focal_photos.browser.operations.tagging.incremental_tags import INCREMENTAL
from focal_photos.browser.views.review.photo_page import PhotoPage, TagButton
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.review.review_driver import Key, ReviewDriver


class PhotoDriver:
    """Drives the page that asks about single photos."""

    def __init__(self, driver: WindowDriver) -> None:
        self.driver = driver
        self.page: PhotoPage = driver.window.modes.review_page.photo_page
        self.asked: PhotoByPhoto = driver.session.review_pages.photo_by_photo

    @property
    def photo_id(self) -> int:
        assert self.asked.photo is not None
        return self.asked.photo.photo_id

    def tags(self, photo_id: int) -> list[str]:
        self.driver.wait_until_idle("the answer")
        return self.driver.session.library.tags.of([photo_id])[photo_id]

    def chip(self, tag: str) -> TagButton:
        return next(chip for chip in self.page.chips() if chip.objectName() == f"tag {tag}")

    def click(self, tag: str, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
        chip = self.chip(tag)
        QTest.mouseMove(chip, chip.rect().center())
        QTest.mouseClick(chip, button, Qt.KeyboardModifier.NoModifier, chip.rect().center())


@pytest.fixture
def asked(driver: WindowDriver) -> PhotoDriver:
    """All but two photos have the tag of their folder, and some have other tags too.

    For those two, the tag of the folder was a question already; their other tags were not.
    """
    session = driver.session
    by_kind: dict[str, list[int]] = {}
    for photo in session.library.photos.get(session.grid.ids.tolist()):
        by_kind.setdefault(photo.path.parent.name, []).append(photo.id)
    kinds = sorted(by_kind)
    with session.library.journal.action("Tag"):
        for kind, ids in by_kind.items():
            session.library.tags.change(ids[1 if kind in kinds[:2] else 0 :], [kind])
            session.library.tags.change(ids[-1:], ["framed", "signed"])
    session.feed.publish(ChangeSet(kinds=frozenset({Kind.TAGS})))
    driver.wait_until_idle("tagging")
    reviewing = ReviewDriver(driver)
    reviewing.open()
    while reviewing.review.question is not None:
        tag, answers = reviewing.review.question.tag, reviewing.review.answers
        assert tag is not None
        right = [photo_id in by_kind.get(tag, []) for photo_id in answers.photo_ids]
        for row, each in enumerate(right):
            if answers.is_yes(row) != each:
                reviewing.review.tiles.flip([row])
        reviewing.press(Key.Key_Return)
        reviewing.wait()
    found = PhotoDriver(driver)
    assert found.page.isVisible()
    for tag in found.asked.chosen:  # a tag that is likely enough is chosen from the start
        found.asked.toggle(tag)
    return found


def test_clicks_give_tags_in_one_step_and_the_last_click_moves_on(asked: PhotoDriver) -> None:
    photo = asked.photo_id
    first, second = asked.asked.offered()[:2]
    asked.click(first)
    assert asked.asked.chosen == [first]
    assert asked.chip(first).isChecked()
    assert asked.tags(photo) == [], "tags are given only when the photo is finished"
    asked.click(second, Qt.MouseButton.MiddleButton)
    assert asked.photo_id != photo
    assert asked.tags(photo) == sorted([first, second])
    asked.driver.press(Key.Key_Z, CTRL)
    assert asked.tags(photo) == []
    assert asked.photo_id == photo, "undo returns to that photo"


def test_the_incremental_ridge_is_cached_while_review_is_open(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incremental_tags, "MIN_PHOTOS", 5)
    session, kept = driver.session, driver.session.library.cache
    ids = session.grid.ids.tolist()
    session.library.tags.change(ids[:12], ["sea", "sky"])
    session.library.tags.change(ids[12:16], ["sky"])
    session.feed.publish(ChangeSet(kinds=frozenset({Kind.TAGS})))
    driver.wait_until_idle("tagging")
    reviewing = ReviewDriver(driver)
    reviewing.open()
    assert INCREMENTAL in kept._values
    session.editor.tag(ids[16:17], ["sky"])
    reviewing.wait()
    assert len(kept._values[INCREMENTAL][1].ids) == 17
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the photos")
    assert INCREMENTAL not in kept._values
    reviewing.open()
    session.editor.tag(ids[17:18], ["sky"])  # closed during the search for the next question
    session.review.leave()
    driver.wait_until_idle("the photos")
    assert INCREMENTAL not in kept._values


def test_a_double_click_gives_a_tag_once_and_tags_not_chosen_are_skipped(asked: PhotoDriver) -> None:
    photo, review = asked.photo_id, asked.driver.session.review
    first, second, *others = asked.asked.offered()
    asked.click(first)
    asked.driver.wait_until_idle("the tags")
    chip, left = asked.chip(first), Qt.MouseButton.LeftButton
    QTest.mouseDClick(chip, left, Qt.KeyboardModifier.NoModifier, chip.mapFromGlobal(QCursor.pos()))
    assert asked.asked.chosen == [first]
    asked.click(second, Qt.MouseButton.MiddleButton)
    assert asked.tags(photo) == sorted([first, second])
    passed = {tag for photo_id, tag in review._record.passed if photo_id == photo}
    assert passed.isdisjoint({first, second}), "chosen tags are proposed again once removed"
    assert passed.issuperset(others)


@pytest.mark.slow
def test_a_photo_is_answered_by_keys_alone(asked: PhotoDriver) -> None:
    photo, driver = asked.photo_id, asked.driver
    confirmed = {each.photo_id for each in asked.asked.photos}
    second = driver.session.review_pages.tag_keys.tag(2)
    driver.press(Key.Key_1)
    driver.press(Key.Key_1)
    assert asked.asked.chosen == [], "the same digit removes the tag"
    driver.press(Key.Key_2)
    driver.type("Mou")
    offered = [chip.objectName().removeprefix("tag ") for chip in asked.page.chips() if not chip.isChecked()]
    assert offered[:2] == ["mountain", "mouse"], "the commonest words come first"
    assert all(text.casefold().startswith("mou") for text in offered)
    driver.press(Key.Key_Tab)
    driver.type("new: one")
    driver.press(Key.Key_Return)
    assert asked.page.field.text() == ""
    assert asked.photo_id == photo, "Enter after a name gives that tag"
    driver.press(Key.Key_Return)
    assert asked.tags(photo) == sorted({second, "mountain", "new: one"})
    driver.press(Key.Key_Left)
    assert asked.photo_id == photo
    assert asked.asked.chosen == [second, "mountain", "new: one"]
    driver.press(Key.Key_2)
    driver.press(Key.Key_Return)
    assert asked.tags(photo) == ["mountain", "new: one"], "a tag taken back is removed from the photo"
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the next question")
    assert not asked.page.isVisible()
    assert driver.window.modes.review_page.isVisible()
    again = [photo_id for each in driver.session.review.questions for photo_id in each.photo_ids.tolist()]
    assert confirmed.isdisjoint(again), "confirmed photos are not asked about again"


def test_enter_takes_the_first_tag_found_and_shift_and_enter_make_a_new_one(asked: PhotoDriver) -> None:
    driver = asked.driver
    driver.type("Mou")
    driver.press(Key.Key_Return)
    assert asked.asked.chosen == ["mountain"]
    driver.type("Mou")
    driver.press(Key.Key_Return, SHIFT)
    assert asked.asked.chosen == ["mountain", "Mou"]
    driver.type("a//b")
    driver.press(Key.Key_Return)
    assert asked.asked.chosen == ["mountain", "Mou"], "it cannot be a tag"
    assert asked.page.field.text() == "a//b"


def test_the_key_of_a_matching_tag_chooses_it(asked: PhotoDriver) -> None:
    driver = asked.driver
    driver.type("Mou")
    third = asked.page.chips()[2]
    assert third.text() == f"Ctrl+3  {asked.asked.offered('Mou')[2]}"
    tag = third.objectName().removeprefix("tag ")
    driver.press(Key.Key_3, CTRL)
    assert asked.asked.chosen == [tag]
    assert asked.page.field.text() == ""


def test_tab_skips_a_photo_and_escape_leaves_review(asked: PhotoDriver) -> None:
    photo = asked.photo_id
    asked.driver.press(Key.Key_1)
    asked.driver.press(Key.Key_Tab)
    assert asked.photo_id != photo
    assert asked.tags(photo) == []
    asked.driver.type("x")
    asked.driver.press(Key.Key_Escape)
    assert asked.page.isVisible(), "the first Esc clears the field"
    asked.driver.press(Key.Key_Escape)
    assert not asked.driver.window.modes.review_page.isVisible()
    asked.driver.press(Key.Key_G, CTRL | SHIFT)
    asked.driver.wait_until_idle("the questions")
    assert len(asked.asked.photos) == 2, "reopening asks about them again"


def test_leaving_the_last_new_kind_open_asks_photo_by_photo(driver: WindowDriver) -> None:
    session = driver.session
    by_kind: dict[str, list[int]] = {}
    for photo in session.library.photos.get(session.grid.ids.tolist()):
        by_kind.setdefault(photo.path.parent.name, []).append(photo.id)
    new, *kinds = sorted(by_kind)
    for kind in kinds:
        session.library.tags.change(by_kind[kind], [kind])
        session.library.tags.change(by_kind[kind][-1:], ["framed"])
    session.feed.publish(ChangeSet(kinds=frozenset({Kind.TAGS})))
    driver.wait_until_idle("tagging")
    reviewing = ReviewDriver(driver)
    reviewing.open()
    asked = []
    page = driver.window.modes.review_page.photo_page
    while reviewing.review.question is not None and not page.isVisible():
        asked.append(reviewing.review.question.tag)
        reviewing.press(Key.Key_Tab)
        reviewing.wait()
    assert None in asked
    assert page.isVisible()
    assert {photo.photo_id for photo in session.review_pages.photo_by_photo.photos} == set(by_kind[new])


def test_not_now_or_leaving_during_the_search_asks_nothing(asked: PhotoDriver) -> None:
    driver, review = asked.driver, asked.driver.session.review
    QTest.mouseClick(asked.page.later_button, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the questions")
    assert not asked.page.isVisible()
    assert driver.window.modes.review_page.isVisible()
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the photos")
    review.open()
    review.leave()  # before there is a result
    driver.wait_until_idle("the photos")
    assert not asked.asked.photos


@pytest.mark.slow
def test_undoing_an_answer_after_the_last_photo_reopens_it(asked: PhotoDriver) -> None:
    driver, first = asked.driver, asked.photo_id
    driver.press(Key.Key_1)
    driver.press(Key.Key_Return)
    assert asked.tags(first)
    while asked.asked.photos:
        driver.press(Key.Key_Tab)
        driver.wait_until_idle("the next photo")
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undoing")
    assert asked.tags(first) == []
    assert [photo.photo_id for photo in asked.asked.photos] == [first], "the photo lacks all its tags"
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the end")
    assert not asked.asked.photos


def test_chosen_tags_follow_renames(asked: PhotoDriver) -> None:
    driver, photo = asked.driver, asked.photo_id
    keys = driver.session.review_pages.tag_keys
    first, second = keys.tag(1), keys.tag(2)
    driver.press(Key.Key_1)
    asked.driver.session.naming.rename_tag(first, "quite another")
    driver.wait_until_idle("renaming")
    assert asked.chip("quite another").isChecked()
    driver.press(Key.Key_Return)
    assert asked.tags(photo) == ["quite another"]
    driver.press(Key.Key_Left)
    assert asked.asked.chosen == ["quite another"]
    asked.driver.session.naming.rename_tag("quite another", f"{second}/below")
    driver.wait_until_idle("renaming")
    asked.asked.toggle(f"{second}/below")
    driver.press(Key.Key_Return)
    assert asked.tags(photo) == []
