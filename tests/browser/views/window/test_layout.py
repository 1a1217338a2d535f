# SPDX-License-Identifier: MIT
"""The layout of the window: with a large font, between columns and panels, and after a reset."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QSplitter, QSplitterHandle

from focal_photos.browser.views.base.layouts import ColumnScrollArea, fair_shares
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.places import in_use, modes
from tests.browser.views.window_steps import walk_to


@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_window_fits_on_a_small_screen(driver: WindowDriver) -> None:
    window = driver.window
    walk_to(driver, 0)
    driver.click(1)
    driver.wait_until_idle("the selection")
    window.resize(1000, 600)
    driver.wait_until_idle("the layout")
    assert window.size() == QSize(1000, 600)
    assert not window.top_bar.metric_box.isVisible(), "there is no space for the box"
    panel = window.photos.focal_panel
    assert window.photos.why_panel.isVisible() == (panel.width() > 500), "the panel is shown whole or not at all"
    assert window.right_column.suggestions.suggest_button.visibleRegion().boundingRect().height() > 20
    assert window.sidebar.width() + window.right_column.width() < 800
    assert driver.grid.viewport().width() > 100


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_right_column_is_whole(speaking: str, driver: WindowDriver) -> None:
    window = driver.window
    driver.session.editor.tag([driver.session.grid.photo_id(1)], ["sea"])
    walk_to(driver, 0)
    driver.click(1)
    driver.wait_until_idle("the selection")
    window.resize(1000, 600)
    driver.wait_until_idle("the layout")
    column = window.right_column
    (scrolled,) = [one for one in column.findChildren(ColumnScrollArea) if one.isVisible()]
    content = scrolled.widget()
    assert content is not None
    assert window.right_column.information.shared_neighbors.pictures()
    assert content.width() <= scrolled.viewport().width(), "nothing is cut off at the right"


@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_headings_of_the_left_column_are_whole(driver: WindowDriver) -> None:
    driver.window.resize(1000, 600)
    driver.wait_until_idle("the layout")
    sidebar = driver.window.sidebar
    for section in (sidebar.folder_section, sidebar.tag_section):
        (heading,) = [one for one in section.findChildren(QLabel) if one.property("variant") == "section"]
        assert heading.height() >= heading.sizeHint().height(), heading.text()


@pytest.mark.slow
@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_every_mode_fits_on_a_small_screen(speaking: str, driver: WindowDriver) -> None:
    in_use(driver)
    too_large = {}
    for name, root in modes(driver):
        root.resize(1000, 600)
        driver.wait_until_idle("the layout")
        if root.size() != QSize(1000, 600):
            too_large[name] = root.size().toTuple()
    assert not too_large


@pytest.mark.parametrize(
    ("needs", "room", "shares"),
    [
        ([100, 100], 500, [100, 100]),
        ([50, 400, 600], 500, [50, 225, 225]),
        ([600, 400], 500, [250, 250]),
        ([600, 0, 100], 500, [400, 0, 100]),
        ([], 500, []),
    ],
)
def test_panels_get_fair_shares_of_the_height(needs: list[int], room: int, shares: list[int]) -> None:
    assert fair_shares(needs, room) == shares


def test_panels_of_the_sidebar_share_the_height_by_need(driver: WindowDriver) -> None:
    window, session = driver.window, driver.session
    window.resize(1200, 640)
    ids = session.grid.ids.tolist()
    for number in range(40):
        changes = session.library.tags.change(ids[number % 30 : number % 30 + 1], [f"tag {number}"])
    session.naming.save_search("Tag 1", "tag:1")
    session.feed.publish(changes)
    driver.wait_until_idle("the tags")
    folders, tags = window.sidebar.folder_section, window.sidebar.tag_section
    sizes = window.sidebar.sections.sizes()
    assert abs(folders.height() - tags.height()) <= 2, "both lists need more space than there is"
    searches = window.sidebar.sections.widget(2)
    assert searches is not None
    assert sizes[2] == searches.maximumHeight()
    handle = window.sidebar.sections.handle(1)
    drag(handle, QPoint(0, -60))
    driver.wait_until_idle("the layout")
    chosen = window.sidebar.sections.sizes()
    assert chosen[0] < sizes[0]
    session.feed.publish(session.library.tags.change(ids[:1], ["another"]))
    driver.wait_until_idle("one tag more")
    assert window.sidebar.sections.sizes() == chosen, "the user's sizes are restored"
    window.view_menu.by_name["reset"].trigger()
    driver.wait_until_idle("the layout")
    assert window.sidebar.sections.sizes()[0] == sizes[0]


def test_columns_have_limits_and_the_layout_can_be_reset(driver: WindowDriver) -> None:
    window = driver.window
    before = window.sidebar.width(), window.right_column.width()
    columns = window.sidebar.parentWidget()
    assert isinstance(columns, QSplitter)
    drag(columns.handle(1), QPoint(700, 0))
    driver.wait_until_idle("the layout")
    assert window.sidebar.width() == window.sidebar.maximumWidth() < 500
    drag(columns.handle(2), QPoint(-700, 0))
    driver.wait_until_idle("the layout")
    assert window.right_column.width() == window.right_column.maximumWidth() < 600
    assert driver.grid.width() > 200
    window.view_menu.by_name["right"].setChecked(False)
    window.right_column.tags.fold.click()
    window.view_menu.by_name["reset"].trigger()
    driver.wait_until_idle("the layout")
    assert (window.sidebar.width(), window.right_column.width()) == before
    assert window.view_menu.by_name["right"].isChecked()
    assert not window.right_column.tags.fold.folded


def drag(handle: QSplitterHandle, by: QPoint) -> None:
    """Drag the line between two parts."""
    start = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(handle, start + by)
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=start + by)
