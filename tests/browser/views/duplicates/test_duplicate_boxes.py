# SPDX-License-Identifier: MIT
"""Duplicates of boxes in the real window: the scope, and boxes deleted, named and kept apart by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver
from tests.browser.catalog.albums import id_of
from tests.browser.copies import copied_with_photos
from tests.browser.operations.duplicates.test_box_duplicates import part, with_sticker
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.duplicates.test_duplicates_page import names, press
from tests.conftest import MadeOnce

Key = Qt.Key


@pytest.fixture
def driver(open_window: OpenWindow, made_once: MadeOnce, tmp_path: Path) -> WindowDriver:
    """Return a window that shows two groups: a box drawn twice in photo 0 and once in 1, and another one in 2."""

    def fill(made: Path) -> None:
        photos = made / "photos"
        photos.mkdir()
        with_sticker(1, 20, 30, 500).save(photos / "0.png")
        with_sticker(2, 130, 70, 500).save(photos / "1.png")
        with_sticker(3, 20, 30, 501).save(photos / "2.png")
        with Library.open(made / "library") as library:
            finish(index(library, [photos], backend="threads", workers=1))
            zero, one, two = (id_of(library, photos / f"{name}.png") for name in range(3))
            library.boxes.add([(zero, part(20, 30), "card"), (zero, part(21, 31, 78, 58), None)])
            library.boxes.add([(one, part(130, 70), None)])
            library.boxes.add([(two, part(20, 30), "sign"), (two, part(22, 32, 76, 56), "sign")])

    folder = copied_with_photos(made_once("boxes drawn twice", fill), tmp_path / "photos", tmp_path / "library")
    driver = open_window(folder, watching=False)
    press(driver, Key.Key_D, CTRL)
    press(driver, Key.Key_R, CTRL | SHIFT)
    return driver


def boxes(driver: WindowDriver) -> list[list[int]]:
    return [box_ids_of(group.photo_ids) for group in driver.session.duplicates.groups]


def tags(driver: WindowDriver) -> list[str | None]:
    return [box.tag for box in driver.session.library.boxes.all()]


def test_groups_of_boxes_are_listed_with_their_crops(driver: WindowDriver) -> None:
    page = driver.window.modes.duplicates_page
    assert driver.window.mode is Mode.DUPLICATES
    assert boxes(driver) == [[1, 2, 3], [4, 5]]
    assert page.counts() == "2 groups, 5 boxes"
    assert page.tiles[0].verdict.text() == "Keep: named"
    assert page.tiles[0].name.text() == "0.png"
    assert page.tiles[0].facts.text() == "80 \N{MULTIPLICATION SIGN} 60  \N{MIDDLE DOT}  card"
    assert page.tiles[1].facts.text().endswith("no name")
    assert page.tiles[0].picture.aspect == pytest.approx(80 / 60, rel=0.05)
    hidden = (page.reject_button, page.field, page.compare_button, page.everywhere_button)
    assert not any(widget.isVisible() for widget in hidden), "photos are rejected, tagged and compared"
    assert page.delete_button.isVisible()
    assert page.list.item(0).text() == "3 boxes"
    gap = page.select_button.x() - page.apart_button.geometry().right()
    assert gap == page.apart_button.x() - page.merge_button.geometry().right(), "hidden buttons leave no gap"
    press(driver, Key.Key_Down)
    assert page._title.text() == "Same part of a photo"
    QTest.mouseClick(page.scope_bar.boxes_button, Qt.MouseButton.LeftButton, NONE)
    driver.wait_until_idle("the photos")
    assert not driver.session.duplicates.groups
    assert not page.delete_button.isVisible()


def test_delete_removes_the_other_boxes_of_the_same_photo_until_undo(driver: WindowDriver) -> None:
    library, session = driver.session.library, driver.session
    files = {path: path.read_bytes() for path in library.photos.paths(library.photos.ids())}
    press(driver, Key.Key_Delete)
    assert [box.id for box in library.boxes.all()] == [1, 3, 4, 5], "the box of the other photo stays"
    assert boxes(driver) == [[1, 3], [4, 5]]
    assert not driver.window.modes.duplicates_page.delete_button.isEnabled()
    press(driver, Key.Key_Delete)
    assert library.boxes.count() == 4
    press(driver, Key.Key_Z, CTRL)
    assert boxes(driver) == [[1, 2, 3], [4, 5]]
    press(driver, Key.Key_Down)
    press(driver, Key.Key_Right)
    press(driver, Key.Key_Delete)
    assert [box.id for box in library.boxes.all()] == [1, 2, 3, 5], "the chosen box stays"
    assert boxes(driver) == [[1, 2, 3]]
    assert library.tags.of([3])[3] == ["sign"]
    assert session.duplicates.current == 0
    assert all(path.read_bytes() == content for path, content in files.items())


def test_a_key_gives_all_boxes_the_name_of_the_kept_one(driver: WindowDriver) -> None:
    page = driver.window.modes.duplicates_page
    press(driver, Key.Key_M)
    assert tags(driver) == ["card", "card", "card", "sign", "sign"]
    press(driver, Key.Key_Z, CTRL)
    assert tags(driver) == ["card", None, None, "sign", "sign"]
    press(driver, Key.Key_Delete)
    press(driver, Key.Key_M)
    assert tags(driver) == ["card", "card", "sign", "sign"]
    assert page.list.item(1).text() == "2 boxes"
    assert page.list.item(0).text().endswith("\N{CHECK MARK}"), "one box for each photo, and one name"
    press(driver, Key.Key_Z, CTRL)
    press(driver, Key.Key_Right)
    assert not page.merge_button.isEnabled(), "the chosen box has no name"
    press(driver, Key.Key_M)
    assert tags(driver) == ["card", None, "sign", "sign"]


def test_boxes_that_are_not_duplicates_leave_the_list_until_undo(driver: WindowDriver) -> None:
    press(driver, Key.Key_N)
    assert boxes(driver) == [[4, 5]]
    press(driver, Key.Key_Z, CTRL)
    assert boxes(driver) == [[1, 2, 3], [4, 5]]


def test_keys_for_photos_have_no_effect_and_enter_shows_the_photos_of_boxes(driver: WindowDriver) -> None:
    library = driver.session.library
    for key, modifiers in ((Key.Key_R, NONE), (Key.Key_R, SHIFT), (Key.Key_C, NONE), (Key.Key_T, NONE)):
        press(driver, key, modifiers)
    assert driver.window.modes.duplicates_page.isVisible()
    assert not driver.window.modes.duplicates_page.field.hasFocus()
    assert not any(mark.rating for mark in library.marks.of(library.photos.ids().tolist()).values())
    press(driver, Key.Key_Return)
    assert driver.window.mode is Mode.BROWSE
    assert sorted(names(driver, driver.grid.selected_ids())) == ["0", "1"]


def test_the_scope_limits_the_boxes(driver: WindowDriver) -> None:
    driver.window.show_mode(Mode.BROWSE)
    driver.session.navigator.show_collection(Collection("name:0"))
    driver.wait_until_idle("the filter")
    press(driver, Key.Key_D, CTRL)
    assert boxes(driver) == [[1, 2]]
    press(driver, Key.Key_X, CTRL | SHIFT)
    assert boxes(driver) == [[1, 2, 3], [4, 5]]


def test_rankings_fold_photos_while_boxes_are_shown(driver: WindowDriver) -> None:
    duplicates, photos = driver.session.duplicates, driver.session.library.photos.ids()
    copy = driver.session.library.photos.paths(photos)[0].with_name("copy.jpg")
    with_sticker(1, 20, 30, 500).save(copy, quality=60)
    driver.session.photo_folders.opening.open([copy.parent])
    driver.wait_until(lambda: duplicates.others_of(1) != [], "the copy")
    driver.wait_until_idle("the groups")
    assert boxes(driver) == [[1, 2, 3], [4, 5]], "the groups of photos do not replace those of boxes"
    QTest.mouseClick(driver.window.modes.duplicates_page.scope_bar.boxes_button, Qt.MouseButton.LeftButton, NONE)
    driver.wait_until_idle("the photos")
    assert [sorted(names(driver, group.photo_ids)) for group in duplicates.groups] == [["0", "copy"]]


def test_boxes_drawn_elsewhere_are_searched_for_when_boxes_are_shown_again(driver: WindowDriver) -> None:
    session = driver.session
    press(driver, Key.Key_R, CTRL | SHIFT)
    session.editor.remove_boxes([5], lambda: None)
    driver.wait_until_idle("the removal")
    assert not session.duplicates.groups
    press(driver, Key.Key_R, CTRL | SHIFT)
    assert boxes(driver) == [[1, 2, 3]]
