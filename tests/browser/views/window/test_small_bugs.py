"""What went wrong in the window once: keys, texts and places that did not fit what was shown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from focal_photos.browser.models.session import SMALL
from focal_photos.browser.models.work.message import MessageAction
from focal_photos.browser.views.photos.grid_view import TILE_SIZES
from focal_photos.browser.views.photos.tile_delegate import COUNT_HEIGHT, count_places
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


def test_a_filter_that_was_just_deleted_does_not_come_back(driver: WindowDriver) -> None:
    driver.navigator.set_query("untagged")
    driver.wait_until_idle("the filter")
    driver.press(Key.Key_F, CTRL)
    driver.press(Key.Key_A, CTRL)
    driver.press(Key.Key_Backspace)
    driver.press(Key.Key_Escape)  # before the pause after which a filter is applied
    driver.wait_until_idle("the filter")
    assert driver.window.sidebar.search.text() == ""
    assert driver.navigator.collection.query == ""


def test_escape_leaves_no_refused_filter_in_the_field(driver: WindowDriver) -> None:
    driver.press(Key.Key_F, CTRL)
    driver.type("date:yesterday")
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the filter")
    search = driver.window.sidebar.search
    assert search.text() == ""
    assert search.property("wrong") is False
    assert search.toolTip() == search._help()


def test_the_reason_of_an_older_filter_is_not_shown(driver: WindowDriver) -> None:
    search = driver.window.sidebar.search
    driver.press(Key.Key_F, CTRL)
    driver.type("date:yesterday")
    search._apply()
    driver.type("x")
    search.setText("sea")  # typed before the answer was there
    driver.wait_until_idle("the filter")
    assert search.property("wrong") is False
    assert search.toolTip() == search._help()


def test_end_without_a_current_photo_goes_to_the_last(driver: WindowDriver) -> None:
    driver.grid.setFocus()
    QApplication.processEvents()  # where the window is active, Qt makes the first photo the current one now
    driver.grid.setCurrentIndex(QModelIndex())
    assert driver.grid.current_id() is None
    driver.press(Key.Key_End)
    assert driver.grid.current_id() == driver.session.grid.photo_id(31)


def test_the_empty_page_speaks_of_the_filter_that_holds(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    for query in ("zzzq", "zzzr"):
        driver.navigator.set_query(query)
        driver.wait_until_idle("the filter")
        texts = [each.text() for each in driver.window.photos.empty_page.findChildren(QLabel)]
        assert any(query in text for text in texts)


def test_the_empty_page_says_what_holds_after_the_ranking_was_left(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.navigator.set_query("zzzq")
    driver.wait_until_idle("the filter")
    page = driver.window.photos.empty_page
    assert page._text.text().startswith("No other photo fits")
    driver.navigator.leave_ranking()
    driver.wait_until_idle("the order of the folders")
    assert page.isVisible()
    assert page._text.text() == "No photo fits “zzzq”."
    driver.navigator.set_query("")
    driver.wait_until_idle("the filter")
    assert not page.isVisible()


def test_what_was_wrong_with_a_filter_goes_when_a_tag_is_chosen(driver: WindowDriver) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.wait_until_idle("tagging")
    search = driver.window.sidebar.search
    driver.press(Key.Key_F, CTRL)
    driver.type("date:yesterday")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the filter")
    assert search.toolTip() != search._help()
    assert search.property("wrong") is True
    driver.navigator.show_tag("sea")
    driver.wait_until_idle("the tag")
    assert search.text() == "tag:sea"
    assert search.property("wrong") is False
    assert search.toolTip() == search._help()


def test_escape_after_the_order_of_the_folders_stays_there(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("nothing")
    assert driver.navigator.focal_id is None, "not back into the ranking that was left"


def test_escape_leaves_a_ranking(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the order of the folders")
    assert driver.navigator.focal_id is None


def test_the_trees_are_as_high_as_their_rows_when_they_are_first_seen(
    open_window: OpenWindow, library_folder: Path
) -> None:
    driver = open_window(library_folder, settled=False)
    tree = driver.window.sidebar.library_tree
    rows = tree.model().rowCount()
    assert rows >= 2
    assert tree.height() >= rows * tree.sizeHintForRow(0), "else the heading below is painted over the second row"


@pytest.mark.parametrize("size", TILE_SIZES)
def test_the_buttons_under_the_pointer_cover_no_count(driver: WindowDriver, size: int) -> None:
    driver.grid.set_tile_size(size)
    parts = driver.grid.parts_of(0)
    places = count_places(parts, [31.0, 31.0], COUNT_HEIGHT)
    assert len(places) == (2 if size > 132 else 1)
    for place in places:
        assert not any(place.intersects(button) for button in parts.buttons.values())
        assert parts.picture.contains(place)


def test_a_tool_tip_does_not_lie_over_its_photo(driver: WindowDriver) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(1)], ["sea"])
    driver.wait_until_idle("tagging")
    viewport = driver.grid.viewport()
    spot = driver.tile_center(1)
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, spot, viewport.mapToGlobal(spot)))
    assert "sea" in QToolTip.text()
    shown = next(widget for widget in QApplication.topLevelWidgets() if widget.inherits("QTipLabel"))
    picture = driver.grid.parts_of(1).picture.toRect()
    picture.moveTopLeft(viewport.mapToGlobal(picture.topLeft()))
    assert not shown.geometry().intersects(picture)
    QToolTip.hideText()


def test_a_tool_tip_that_says_no_more_than_the_tile_is_not_shown(driver: WindowDriver) -> None:
    viewport = driver.grid.viewport()
    spot = driver.tile_center(2)
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, spot, viewport.mapToGlobal(spot)))
    assert QToolTip.text() == ""


@pytest.fixture
def with_broken(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> WindowDriver:
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    (folder / "a-broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    return driver


def test_unreadable_files_are_last(with_broken: WindowDriver) -> None:
    grid = with_broken.session.grid
    names = [grid.index(row).data() for row in range(grid.rowCount())]
    assert names[-1] == "a-broken.jpg"
    assert names[:-1] == sorted(names[:-1])


def test_a_click_on_an_unreadable_file_says_what_is_wrong_with_it(with_broken: WindowDriver) -> None:
    driver = with_broken
    driver.walk(driver.session.grid.rowCount() - 1)
    driver.wait_until_idle("nothing")
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity == "warning"
    assert message.action is MessageAction.SHOW_FAILURES
    assert message.text.startswith("a-broken.jpg cannot be read: ")
    assert driver.navigator.focal_id is None


# ---------------------------------------------------------------------- folders that are gone, or elsewhere
def test_a_folder_that_is_gone_is_named(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    folder = tmp_path / "stick"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    folder.rename(tmp_path / "elsewhere")
    driver.press(Key.Key_F5)
    driver.wait_until_idle("the scan", 60)
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity == "warning"
    assert "stick" in message.text
    assert "connect its drive" in message.text
    assert driver.session.overview.missing_photos == 0, "its photos stay as they were"
    photo_id = driver.session.grid.photo_id(0)
    card = driver.session.grid.card(photo_id)
    assert card is not None
    assert card.away, "its tile is marked"
    driver.wait_until(lambda: driver.session.loader.image(photo_id, SMALL) is not None, "the thumbnail that is kept")
    assert driver.session.grid.rowCount() == 4


def test_photos_of_a_moved_folder_are_opened_where_they_are_now(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    folder = tmp_path / "a-before"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    photo_id = driver.session.grid.photo_id(0)
    driver.session.editor.tag([photo_id], ["kept"])
    driver.wait_until_idle("tagging")
    folder.rename(tmp_path / "b-now")
    driver.window.dialogs.open_folders([tmp_path / "b-now"])
    driver.wait_until_idle("indexing", 120)
    assert driver.session.overview.photos == 4
    [photo] = driver.session.library.photos.get([photo_id])
    assert photo.path.parent == tmp_path / "b-now"
    assert not photo.missing
    (tmp_path / "b-now").rename(folder)
    driver.press(Key.Key_F5)
    driver.wait_until_idle("the scan", 60)
    [photo] = driver.session.library.photos.get([photo_id])
    assert photo.path.parent == folder
    assert driver.session.library.tags.of([photo_id])[photo_id] == ["kept"]
