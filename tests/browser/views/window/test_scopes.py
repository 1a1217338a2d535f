# SPDX-License-Identifier: MIT
"""Review, "Ask me next", Duplicates and Map of the photos in Browse, in the real window, by mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.base.scope_bar import ScopeBar
from focal_photos.browser.views.review.progress_line import ProgressLine
from focal_photos.browser.views.review.tag_chooser import TagList
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver
from tests.browser.copies import copied
from tests.browser.operations.duplicates.test_same_picture import scene
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.review.review_driver import ReviewDriver

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
Clear = Callable[[WindowDriver], None]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders with six photos each; "summer" has two copies of one, and "winter" a third."""
    folder, photos = tmp_path_factory.mktemp("scopes") / "library", tmp_path_factory.mktemp("photos")
    for place, first in (("summer", 0), ("winter", 10)):
        (photos / place).mkdir()
        for number in range(first, first + 6):
            scene(number).save(photos / place / f"{number:02}.jpg", quality=95)
    scene(0).resize((120, 80), Image.Resampling.LANCZOS).save(photos / "summer" / "half.jpg")
    scene(0).save(photos / "winter" / "pressed.jpg", quality=30)
    scene(10).save(photos / "winter" / "other.jpg", quality=60)
    with Library.open(folder) as library:
        finish(index(library, [photos], backend="threads", workers=1))
        paths = library.photos.paths(library.photos.ids().tolist())
        assert {path.parent for path in paths} == {photos / "summer", photos / "winter"}
    return folder


@pytest.fixture
def driver(indexed: Path, tmp_path: Path, open_window: OpenWindow) -> WindowDriver:
    return open_window(copied(indexed, tmp_path / "library"))


def in_folder(driver: WindowDriver, name: str) -> list[int]:
    ids = driver.session.library.photos.ids().tolist()
    paths = driver.session.library.photos.paths(ids)
    return [photo_id for photo_id, path in zip(ids, paths, strict=True) if path.parent.name == name]


def show_folder(driver: WindowDriver, name: str) -> None:
    path = driver.session.library.photos.get(in_folder(driver, name)[:1])[0].path.parent
    driver.navigator.show_folder(path)
    driver.wait_until_idle("the folder")


def open_mode(driver: WindowDriver, mode: Mode) -> None:
    QTest.mouseClick(driver.window.top_bar.mode_buttons[mode], LEFT)
    driver.wait_until_idle("the page")


def bar(driver: WindowDriver) -> ScopeBar:
    """Return the visible scope bar."""
    (seen,) = [one for one in driver.window.findChildren(ScopeBar) if one.isVisible()]
    return seen


def clear_by_mouse(driver: WindowDriver) -> None:
    QTest.mouseClick(bar(driver).chip, LEFT)
    driver.wait_until_idle("the whole library")


def clear_by_keys(driver: WindowDriver) -> None:
    driver.press(Key.Key_X, CTRL | SHIFT)
    driver.wait_until_idle("the whole library")


def asked(driver: WindowDriver) -> set[int]:
    return {photo_id for question in driver.session.review.questions for photo_id in question.photo_ids.tolist()}


def in_groups(driver: WindowDriver) -> list[list[str]]:
    session = driver.session
    groups = [group.photo_ids for group in session.duplicates.groups]
    return [sorted(path.stem for path in session.library.photos.paths(ids)) for ids in groups]


@pytest.mark.slow
@pytest.mark.parametrize("clear", [clear_by_mouse, clear_by_keys])
def test_review_covers_a_folder_or_the_whole_library(driver: WindowDriver, clear: Clear) -> None:
    show_folder(driver, "summer")
    open_mode(driver, Mode.REVIEW)
    assert bar(driver).text() == "Review of folder: summer"
    assert bar(driver).chip.full_text() == "folder: summer"
    assert asked(driver)
    assert asked(driver) <= set(in_folder(driver, "summer"))
    (progress,) = driver.window.modes.review_page.findChildren(ProgressLine)
    assert progress.text() == "7 of 7 left"
    clear(driver)
    assert bar(driver).text() == "Review of the whole library"
    assert not bar(driver).chip.isVisible()
    assert asked(driver) & set(in_folder(driver, "winter"))
    driver.press(Key.Key_Escape)
    open_mode(driver, Mode.REVIEW)
    assert bar(driver).text() == "Review of folder: summer", "the scope is the list shown in Browse, each time"


def test_review_of_a_selection_reports_its_end(driver: WindowDriver) -> None:
    ids = driver.session.grid.ids.tolist()
    driver.click(0)
    driver.click(2, CTRL)
    driver.press(Key.Key_G, CTRL | SHIFT)
    driver.wait_until_idle("the review")
    assert bar(driver).text() == "Review of selection: 2 photos"
    assert asked(driver) == {ids[0], ids[2]}
    driver.session.editor.tag([ids[0], ids[2]], ["sea"])
    driver.wait_until_idle("tagging")
    driver.window.modes.review_page.question_page.leave_open()
    driver.wait_until_idle("the next question")
    assert driver.session.review.question is None
    assert "Every photo here has a tag." in driver.window.modes.review_page.question_page.no_question.why()


def test_ask_me_next_covers_a_filter(driver: WindowDriver) -> None:
    winter = in_folder(driver, "winter")
    driver.session.library.tags.change(winter[:1], ["seen"])
    driver.press(Key.Key_F, CTRL)
    driver.type("path:winter")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the filter")
    driver.press(Key.Key_K, CTRL)
    driver.wait_until_idle("the photos")
    page = driver.window.modes.review_page
    assert page.ask_page.isVisible()
    assert bar(driver).text() == "Review of filter: path:winter"
    assert set(driver.session.review_pages.ask_next.photo_ids) == set(winter[1:])
    below = page.ask_page.mapTo(page, QPoint()).y()
    clear_by_keys(driver)
    assert page.ask_page.mapTo(page, QPoint()).y() == below, "the page does not move"
    assert page.ask_page.isVisible(), "the page keeps asking photo by photo"
    assert set(driver.session.review_pages.ask_next.photo_ids) & set(in_folder(driver, "summer"))


@pytest.mark.parametrize("clear", [clear_by_mouse, clear_by_keys])
def test_duplicates_of_a_folder_omit_copies_in_other_folders(driver: WindowDriver, clear: Clear) -> None:
    show_folder(driver, "summer")
    open_mode(driver, Mode.DUPLICATES)
    assert bar(driver).text() == "Duplicates of folder: summer"
    assert in_groups(driver) == [["00", "half"]]
    clear(driver)
    assert in_groups(driver) == [["00", "half", "pressed"], ["10", "other"]]
    driver.press(Key.Key_Escape)
    show_folder(driver, "winter")
    open_mode(driver, Mode.DUPLICATES)
    assert in_groups(driver) == [["10", "other"]]


def test_duplicates_reports_copies_outside_the_folder(driver: WindowDriver) -> None:
    rows = {photo_id: row for row, photo_id in enumerate(driver.session.grid.ids.tolist())}
    summer = in_folder(driver, "summer")
    driver.click(rows[summer[1]])
    driver.click(rows[summer[2]], CTRL)
    open_mode(driver, Mode.DUPLICATES)
    assert in_groups(driver) == []
    assert "there are some in the whole library" in driver.window.modes.duplicates_page._nothing.text()


@pytest.mark.slow
@pytest.mark.parametrize("clear", [clear_by_mouse, clear_by_keys])
def test_the_map_shows_a_folder(driver: WindowDriver, clear: Clear) -> None:
    show_folder(driver, "summer")
    open_mode(driver, Mode.MAP)
    driver.wait_until(lambda: driver.session.map.drawing is not None and not driver.session.map.busy, "the map")
    driver.wait_until_idle("the map")
    canvas = driver.window.modes.map_page.canvas
    assert bar(driver).text() == "Map of folder: summer"
    assert sum(tile.count for tile in canvas.tiles) == 7
    fitted = canvas.view
    driver.press(Key.Key_0)
    assert canvas.view == fitted
    clear(driver)
    assert sum(tile.count for tile in canvas.tiles) == 15


def test_a_scope_applies_to_the_next_page_too(driver: WindowDriver) -> None:
    show_folder(driver, "summer")
    open_mode(driver, Mode.REVIEW)
    clear_by_mouse(driver)
    open_mode(driver, Mode.DUPLICATES)
    assert bar(driver).text() == "Duplicates of the whole library", "a cleared scope is not taken from Browse again"
    driver.press(Key.Key_Escape)
    open_mode(driver, Mode.DUPLICATES)
    open_mode(driver, Mode.REVIEW)
    assert bar(driver).text() == "Review of folder: summer"


def test_tags_are_chosen_by_mouse_and_by_keys(driver: WindowDriver) -> None:
    driver.session.editor.tag(in_folder(driver, "summer")[:2], ["sea"])
    driver.wait_until_idle("tagging")
    driver.session.editor.tag(in_folder(driver, "winter")[:2], ["snow"])
    driver.wait_until_idle("tagging")
    reviewing = ReviewDriver(driver)
    reviewing.open()
    chooser = driver.window.modes.review_page.tag_chooser
    assert chooser.full_text() == "tags: all"
    assert {"sea", "snow"} <= {question.tag for question in driver.session.review.questions}
    QTest.mouseClick(chooser, LEFT)
    shown = chooser.popup
    assert isinstance(shown, TagList)
    row = shown.list.visualItemRect(shown.list.item(0))
    QTest.mouseClick(shown.list.viewport(), LEFT, NONE, QPoint(row.right() - 20, row.center().y()))
    assert shown.list.item(0).checkState() is Qt.CheckState.Unchecked
    QTest.mouseClick(shown.new_kinds, LEFT, NONE, QPoint(10, shown.new_kinds.height() // 2))
    QTest.keyClick(shown.list, Key.Key_Escape)
    reviewing.wait()
    assert chooser.full_text() == "tags: snow, no new kinds"
    assert {question.tag for question in driver.session.review.questions} == {"snow"}
    assert driver.session.library.settings.get("review.left_out") == ["sea"]
    QTest.keyClick(chooser, Key.Key_Space)
    shown = chooser.popup
    assert shown is not None
    QTest.keyClick(shown.list, Key.Key_Space)
    QTest.keyClick(shown.list, Key.Key_Down)
    QTest.keyClick(shown.list, Key.Key_Space)
    QTest.keyClick(shown.list, Key.Key_Return)
    reviewing.wait()
    assert chooser.full_text() == "tags: sea, no new kinds"
    assert {question.tag for question in driver.session.review.questions} == {"sea"}
    QTest.mouseClick(chooser, LEFT)
    shown = chooser.popup
    assert shown is not None
    box = QPoint(10, shown.list.visualItemRect(shown.list.item(0)).center().y())
    for state in (Qt.CheckState.Unchecked, Qt.CheckState.Checked):
        QTest.mouseClick(shown.list.viewport(), LEFT, NONE, box)
        assert shown.list.item(0).checkState() is state, "a click on the check box itself"
    QTest.mouseClick(shown.none_button, LEFT)
    QTest.keyClick(shown, Key.Key_Escape)
    reviewing.wait()
    assert chooser.full_text() == "tags: none, no new kinds"
    assert driver.session.review.question is None
    QTest.mouseClick(chooser, LEFT)
    shown = chooser.popup
    assert shown is not None
    QTest.mouseClick(shown.all_button, LEFT)
    shown.new_kinds.setChecked(True)
    shown.close()
    reviewing.wait()
    assert chooser.full_text() == "tags: all"


@pytest.mark.slow
def test_typing_finds_tags_among_many(driver: WindowDriver) -> None:
    for number in range(13):
        driver.session.editor.tag(in_folder(driver, "summer")[:1], [f"tag {number:02}"])
        driver.wait_until_idle("tagging")
    reviewing = ReviewDriver(driver)
    reviewing.open()
    chooser = driver.window.modes.review_page.tag_chooser
    QTest.mouseClick(chooser, LEFT)
    shown = chooser.popup
    assert shown is not None
    assert shown.field.isVisible()
    QTest.keyClicks(shown.field, "G 1")
    QTest.mouseClick(shown.none_button, LEFT)
    shown.close()
    reviewing.wait()
    assert chooser.full_text() == "tags: all but tag 10, tag 11, tag 12"
