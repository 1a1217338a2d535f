# SPDX-License-Identifier: MIT
"""The filter field and the sidebar, which select the shown photos."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.records import Root, Verdict
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.sidebar.folder_model import Folders
from focal_photos.browser.models.sidebar.tree_model import TreeRole
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.window.sidebar import MANY_FOLDERS
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


def test_the_filter_limits_the_photos(driver: WindowDriver) -> None:
    driver.session.editor.tag(driver.session.grid.ids[:3].tolist(), ["sea"])
    driver.wait_until_idle("tagging")
    driver.press(Key.Key_F, CTRL)
    driver.type("tag:se")
    driver.press(Key.Key_Tab)
    assert driver.window.sidebar.search.text() == "tag:sea "
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the filter")
    assert driver.session.grid.rowCount() == 3
    assert "filter: tag:sea" in driver.window.status_bar.text()
    assert driver.window.focusWidget() is driver.grid
    focal = walk_to(driver, 0)
    assert len(driver.session.grid.ids) == 2, "the filter limits the ranking"
    driver.press(Key.Key_F, CTRL)
    driver.type("tag:nothing")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the filter")
    assert driver.navigator.focal_id == focal
    assert driver.window.photos.empty_page.isVisible()
    driver.window.photos.empty_page.clear_button.click()
    driver.wait_until_idle("all photos")
    assert driver.session.grid.rowCount() == 32
    assert driver.window.sidebar.search.text() == ""


def test_a_filter_that_hides_everything_can_be_cleared(driver: WindowDriver) -> None:
    for leave in (Key.Key_Escape, Key.Key_Return):
        driver.press(Key.Key_F, CTRL)
        driver.type("zzzq")
        driver.wait_until(driver.window.photos.empty_page.isVisible, "the empty page")
        driver.press(leave)
        assert driver.window.focusWidget() is driver.window.photos.empty_page
        driver.press(Key.Key_S)
        assert driver.window.sidebar.search.text() == "zzzq"
        driver.press(Key.Key_Escape)
        driver.wait_until_idle("all photos")
        assert driver.window.sidebar.search.text() == ""
        assert driver.session.grid.rowCount() == 32
        assert driver.window.focusWidget() is driver.grid


def test_hidden_photos_are_not_selected(driver: WindowDriver) -> None:
    driver.session.editor.tag(driver.session.grid.ids[:1].tolist(), ["sea"])
    for row in (0, 1):
        driver.click(row, CTRL)
    driver.wait_until_idle("tagging")
    kept = driver.session.grid.photo_id(0)
    driver.navigator.set_query("tag:sea")
    driver.wait_until_idle("the filter")
    assert driver.grid.selected_ids() == [kept]
    assert driver.navigator.targets == (kept,)
    driver.navigator.set_query("zzzq")
    driver.wait_until_idle("the filter")
    assert not driver.navigator.targets
    assert not driver.window.right_column.tags.field.isEnabled()


@pytest.mark.slow
def test_editing_the_filter_is_one_step(driver: WindowDriver) -> None:
    def labels() -> list[str]:
        return [step.label for step in driver.navigator.trail.steps]

    driver.press(Key.Key_F, CTRL)
    for text in ("unt", "agged", " -judged"):
        driver.type(text)
        driver.wait_until(lambda: not driver.window.sidebar.search.waiting, "the pause")
        driver.wait_until_idle("the filter")
    assert labels() == ["All photos", "untagged -judged"]
    driver.press(Key.Key_Return)
    driver.press(Key.Key_F, CTRL)
    driver.type("untagged")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the filter")
    assert labels() == ["All photos", "untagged -judged", "untagged"]


def test_the_sidebar_opens_folders_and_lists(driver: WindowDriver) -> None:
    tree, model = driver.window.sidebar.folder_tree, driver.session.sidebar.folders
    folder = model.index(0, 0, model.index(0, 0))
    tree.expandAll()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(folder).center())
    driver.wait_until_idle("the folder")
    assert driver.session.grid.rowCount() == 4
    assert folder.data() in driver.window.status_bar.text()
    untagged = driver.window.sidebar.library_tree.model().index(1, 0)
    driver.window.sidebar.library_tree.setCurrentIndex(untagged)
    QTest.keyClick(driver.window.sidebar.library_tree, Key.Key_Return)
    driver.wait_until_idle("the untagged photos")
    assert driver.session.grid.rowCount() == 32
    assert driver.window.sidebar.search.text() == "untagged"


def test_typed_text_survives_a_step_of_the_trail(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_F, CTRL)
    driver.type("judged")
    driver.navigator.back()
    driver.wait_until(lambda: driver.navigator.focal_id is None, "the step back")
    assert driver.window.sidebar.search.text() == "judged"
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the filter")
    assert driver.navigator.collection.query == "judged"
    driver.navigator.back()
    driver.wait_until_idle("going back")
    assert driver.window.sidebar.search.text() == "", "without typing, the field shows the current filter"


@pytest.mark.slow
def test_many_folders_start_closed_and_few_open(open_window: OpenWindow, driver: WindowDriver, tmp_path: Path) -> None:
    album = Album(tmp_path / "photos")
    for number in range(MANY_FOLDERS + 1):
        album.draw(f"{number:02}/a.jpg", kind="warm", seed=number)
    many = open_window(tmp_path / "many", album.folder)
    for window, opened in ((many, False), (driver, True)):
        tree = window.window.sidebar.folder_tree
        top = tree.model().index(0, 0)
        assert tree.isExpanded(top) is opened, tree.model().rowCount(top)
        assert (tree.model().rowCount(top) <= MANY_FOLDERS) is opened


def test_a_folder_opened_beside_others_is_shown_with_its_photos(driver: WindowDriver, album: Album) -> None:
    driver.session.photo_folders.opening.open_folders([album.folder])
    driver.wait_until_idle("indexing", 120)
    session = driver.session
    assert session.navigator.collection.folder == album.folder
    assert len(session.grid.ids) == 10
    tree = driver.window.sidebar.folder_tree
    assert tree.currentIndex().data() == album.folder.name
    assert session.overview.now.photos == 42
    message = driver.window.message_bar.message
    assert message is not None
    assert message.text.startswith("10 photos indexed in ")
    assert message.action is MessageAction.REVIEW, "the photos are shown already"


def test_the_message_leads_to_the_opened_folder_after_moving_on(driver: WindowDriver, album: Album) -> None:
    driver.session.photo_folders.opening.open_folders([album.folder])
    driver.navigator.focus(driver.session.grid.photo_id(3))  # at once: a click takes time, and the folder may arrive
    driver.wait_until_idle("indexing", 120)
    assert driver.navigator.ranked, "the ranking stays open"
    message = driver.window.message_bar.message
    assert message is not None
    assert message.action is MessageAction.SHOW_FOLDER
    driver.window.show_mode(Mode.REVIEW)
    driver.window.message_bar._offer.click()
    driver.wait_until_idle("the folder")
    assert driver.window.mode is Mode.BROWSE
    assert driver.navigator.collection.folder == album.folder
    assert len(driver.session.grid.ids) == 10


def test_a_deleted_filter_does_not_return(driver: WindowDriver) -> None:
    driver.navigator.set_query("untagged")
    driver.wait_until_idle("the filter")
    driver.press(Key.Key_F, CTRL)
    driver.press(Key.Key_A, CTRL)
    driver.press(Key.Key_Backspace)
    driver.press(Key.Key_Escape)  # before the pause after which a filter is applied
    driver.wait_until_idle("the filter")
    assert driver.window.sidebar.search.text() == ""
    assert driver.navigator.collection.query == ""


def test_the_error_of_a_filter_is_shown_until_the_filter_changes(driver: WindowDriver) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.wait_until_idle("tagging")
    search = driver.window.sidebar.search

    def assert_no_error(text: str) -> None:
        assert search.text() == text
        assert search.property("wrong") is False
        assert search.toolTip() == search._help()

    def enter_a_wrong_filter() -> None:
        driver.press(Key.Key_F, CTRL)
        driver.type("date:yesterday")
        driver.press(Key.Key_Return)
        driver.wait_until_idle("the filter")
        assert search.property("wrong") is True
        assert "date" in search.toolTip() != search._help()
        assert driver.session.grid.rowCount() == 32

    enter_a_wrong_filter()
    search.setFocus()
    driver.press(Key.Key_Escape)
    assert_no_error("")
    driver.press(Key.Key_F, CTRL)
    driver.type("date:yesterday")
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the filter")
    assert_no_error("")
    enter_a_wrong_filter()
    driver.navigator.show_tag("sea")
    driver.wait_until_idle("the tag")
    assert_no_error("tag:sea")
    driver.press(Key.Key_F, CTRL)
    driver.press(Key.Key_A, CTRL)
    driver.type("date:yesterday")
    search._apply()
    search.setText("sea")  # typed before the result has arrived
    driver.wait_until_idle("the filter")
    assert_no_error("sea")


def test_the_trees_start_as_high_as_their_rows(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder, settled=False)
    tree = driver.window.sidebar.library_tree
    rows = tree.model().rowCount()
    assert rows >= 2
    assert tree.height() >= rows * tree.sizeHintForRow(0), "otherwise the heading below covers the second row"


def test_a_section_leaves_unused_height_to_others(driver: WindowDriver) -> None:
    sidebar, session = driver.window.sidebar, driver.session
    driver.window.resize(1200, 900)
    session.editor.tag(session.grid.ids[:1].tolist(), ["sea", "sky"])
    session.naming.save_search("blue", "tag:sea")
    driver.wait_until_idle("a search")
    root = session.overview.now.roots[0].path
    session.sidebar.folders.update_folders(Folders({Root(1, root): [(Path(f"{n:02}"), 1) for n in range(40)]}))
    sidebar.folder_tree.expandAll()
    tags, folders = sidebar.tag_section, sidebar.folder_section
    driver.wait_until(lambda: folders.height() > 2 * tags.height(), "the heights", 5)
    assert tags.scrolled.verticalScrollBar().maximum() == 0, "all tags are visible"
    short = tags.height()
    session.editor.tag(session.grid.ids[:1].tolist(), [f"t{n}" for n in range(8)])
    driver.wait_until_idle("more tags")
    driver.wait_until(lambda: tags.height() > short, "the heights", 5)


def test_unused_height_is_below_all_sections(driver: WindowDriver) -> None:
    sidebar = driver.window.sidebar
    driver.window.resize(1200, 1400)
    driver.wait_until(lambda: sidebar.height() > 1000, "the height", 5)
    driver.wait_until(lambda: sidebar.sections.geometry().bottom() < 1000, "the sections", 5)
    top = sidebar.search.geometry().bottom()
    assert sidebar.search.y() < 60
    assert sidebar.library_tree.y() < top + 20
    assert sidebar.sections.y() < sidebar.library_tree.geometry().bottom() + 20


def test_g_focuses_the_photos(driver: WindowDriver) -> None:
    driver.window.sidebar.library_tree.setFocus()
    driver.press(Key.Key_G)
    driver.wait_until_idle("nothing")
    assert driver.grid.hasFocus()
    driver.press(Key.Key_End)
    assert driver.grid.current_id() == driver.session.grid.photo_id(31)


@pytest.mark.slow
@pytest.mark.parametrize("by_key", [False, True])
def test_a_step_of_the_trail_focuses_the_photos(driver: WindowDriver, *, by_key: bool) -> None:
    focal = walk_to(driver, 3)
    window = driver.window
    tree = window.sidebar.library_tree
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(tree.model().index(0, 0)).center())
    driver.wait_until_idle("all photos")
    assert driver.navigator.focal_id is None
    step = window.top_bar.trail.steps()[1]
    if by_key:
        step.setFocus(Qt.FocusReason.TabFocusReason)
        driver.press(Key.Key_Space)
    else:
        QTest.mouseClick(step, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == focal
    assert driver.grid.hasFocus()
    driver.press(Key.Key_Right)
    driver.press(Key.Key_S)
    driver.wait_until_idle("judging")
    assert list(driver.navigator.marks.values()) == [Verdict.SIMILAR]
    driver.press(Key.Key_Right)
    driver.press(Key.Key_D)
    driver.wait_until_idle("judging")
    assert sorted(driver.navigator.marks.values()) == [Verdict.DISSIMILAR, Verdict.SIMILAR]


def test_a_folder_stays_highlighted_while_a_filter_is_typed(driver: WindowDriver) -> None:
    tree, roots = driver.window.sidebar.folder_tree, driver.session.overview.now.roots
    driver.session.editor.tag(driver.session.grid.ids[:3].tolist(), ["sea"])
    driver.navigator.show_folder(roots[0].path)
    driver.wait_until_idle("the folder")
    assert tree.currentIndex().data(TreeRole.KEY) == roots[0].path
    driver.press(Key.Key_F, CTRL)
    driver.type("tag:sea")
    driver.wait_until(lambda: driver.session.grid.rowCount() == 3, "the filter")
    assert tree.currentIndex().data(TreeRole.KEY) == roots[0].path
    assert tree.selectionModel().isSelected(tree.currentIndex())
    driver.navigator.show_tag("sea")
    driver.wait_until_idle("the tag")
    assert not tree.selectionModel().hasSelection()
    driver.navigator.show_folder(None)
    driver.wait_until_idle("all photos")
    assert not tree.currentIndex().isValid()
