# SPDX-License-Identifier: MIT
"""The map beside the grid in the real window: a shared selection, lasso, then T."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.map.map_panel import MapPanel
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver, pause
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


def panel(driver: WindowDriver) -> MapPanel:
    return driver.window.map_panel


def show(driver: WindowDriver) -> None:
    """Show the map beside the grid with its key."""
    driver.press(Key.Key_F9, CTRL)
    driver.wait_until(lambda: driver.session.map.drawing is not None and not driver.session.map.busy, "the map", 240)
    driver.wait_until_idle("the map")
    assert panel(driver).isVisible()


@pytest.fixture
def beside(driver: WindowDriver) -> WindowDriver:
    """Return a window with 32 photos in the grid and on the map beside it."""
    assert not panel(driver).isVisible(), "hidden at first"
    show(driver)
    return driver


def surround_all(driver: WindowDriver) -> None:
    canvas = panel(driver).canvas
    rect = canvas.rect().adjusted(1, 1, -1, -1)
    corners = [rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()]
    QTest.mousePress(canvas, LEFT, SHIFT, corners[0])
    for corner in corners[1:]:
        QTest.mouseMove(canvas, corner)
        pause(5)
    QTest.mouseRelease(canvas, LEFT, SHIFT, corners[-1])


def place_of(driver: WindowDriver, number: int) -> QPoint:
    return panel(driver).canvas.tiles[number].rect.center().toPoint()


def tags_of_all(driver: WindowDriver) -> set[str]:
    library = driver.session.library
    ids = library.photos.ids().tolist()
    found = library.tags.of(ids)
    return set.intersection(*(set(found[one]) for one in ids))


@pytest.mark.slow
def test_a_lasso_and_t_tag_the_photos(beside: WindowDriver) -> None:
    surround_all(beside)
    beside.wait_until_idle("the selection")
    assert len(beside.grid.selected_ids()) == 32
    assert len(beside.navigator.targets) == 32
    beside.press(Key.Key_T)
    field = beside.window.right_column.tags.field
    beside.wait_until(field.hasFocus, "the field for tags")
    QTest.keyClicks(field, "summer")
    QTest.keyClick(field, Key.Key_Return)
    beside.wait_until_idle("tagging")
    assert "summer" in tags_of_all(beside)
    beside.session.editor.undo()
    beside.wait_until_idle("undo")
    assert "summer" not in tags_of_all(beside)


def test_map_and_grid_share_a_selection(beside: WindowDriver) -> None:
    library_map = beside.session.map
    beside.click(3)
    beside.wait_until_idle("the selection")
    assert list(library_map.selected) == [beside.session.grid.photo_id(3)]
    beside.click(5, CTRL)
    beside.wait_until_idle("the selection")
    assert set(library_map.selected) == {beside.session.grid.photo_id(row) for row in (3, 5)}
    clicked = panel(beside).canvas.tiles[0].photo_id
    QTest.mouseClick(panel(beside).canvas, LEFT, NONE, place_of(beside, 0))
    beside.wait_until_idle("the selection")
    assert beside.grid.selected_ids() == [clicked]
    assert beside.navigator.selected == (clicked,)
    row = beside.session.grid.row_of(clicked)
    assert beside.grid.viewport().rect().intersects(beside.grid.visualRect(beside.session.grid.index(row)))
    beside.press(Key.Key_Escape)
    assert beside.grid.selected_ids() == []
    assert beside.navigator.targets == ()


def test_photos_that_are_not_in_the_grid_are_tagged_too(beside: WindowDriver) -> None:
    beside.walk(4)  # the focal image is above the grid
    beside.wait_until_idle("the ranking")
    focal = beside.navigator.focal_id
    surround_all(beside)
    beside.wait_until_idle("the selection")
    assert focal in beside.navigator.targets
    assert len(set(beside.navigator.targets)) == 32
    assert len(beside.grid.selected_ids()) == 31


def test_the_map_shows_the_photos_of_the_folder(beside: WindowDriver) -> None:
    folder = beside.session.library.photos.get([beside.session.grid.photo_id(0)])[0].path.parent
    beside.session.navigator.show_folder(folder)
    beside.wait_until_idle("the folder")
    drawing = beside.session.map.drawing
    assert drawing is not None
    assert set(drawing.ids[drawing.shown].tolist()) == set(beside.session.grid.ids.tolist())
    beside.click(0)
    beside.click(1, CTRL)
    beside.wait_until_idle("the selection")
    drawing = beside.session.map.drawing
    assert drawing is not None
    assert len(drawing.ids[drawing.shown]) == beside.session.grid.rowCount(), "a selection hides no photo"


def test_the_map_panel_returns_after_the_map_page(beside: WindowDriver) -> None:
    beside.click(2)
    chosen = beside.grid.selected_ids()
    beside.window.show_mode(Mode.MAP)
    beside.wait_until_idle("the map")
    assert beside.session.map.opened
    assert beside.window.modes.map_page.canvas.tiles
    beside.window.show_mode(Mode.BROWSE)
    beside.wait_until_idle("the photos")
    assert beside.session.map.opened
    assert panel(beside).isVisible()
    assert beside.grid.selected_ids() == chosen
    assert list(beside.session.map.selected) == chosen


def test_the_panel_is_closed_by_its_button_and_stays_open_or_closed_after_a_restart(
    beside: WindowDriver, open_window: OpenWindow
) -> None:
    beside.click(2)
    QTest.mouseClick(panel(beside).close_button, LEFT)
    assert not panel(beside).isVisible()
    assert not beside.session.map.opened
    assert beside.grid.selected_ids() == [beside.session.grid.photo_id(2)]
    show(beside)
    library = beside.session.library.path
    beside.window.close()
    again = open_window(library)
    again.wait_until_idle("the window", 120)
    assert panel(again).isVisible()
